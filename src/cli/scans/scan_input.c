/* SPDX-License-Identifier: MIT
 *
 * scan_input.c - reads the numbers of a file, with or without gzip, and converts them from their type and byte order to
 * voxels. Sizes are checked before memory is taken, and no more than the checked size is unpacked.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "gzip.h"
#include "scan.h"
#include "tilecut_parts.h"

static const struct kind {
    const char *name;
    size_t bytes;
    int type;
} kinds[SCAN_KINDS] = {
    [SCAN_U8] = {"uint8", 1, TILECUT_VOXEL_U8},    [SCAN_I8] = {"int8", 1, TILECUT_VOXEL_I16},
    [SCAN_U16] = {"uint16", 2, TILECUT_VOXEL_U16}, [SCAN_I16] = {"int16", 2, TILECUT_VOXEL_I16},
    [SCAN_U32] = {"uint32", 4, TILECUT_VOXEL_F32}, [SCAN_I32] = {"int32", 4, TILECUT_VOXEL_F32},
    [SCAN_U64] = {"uint64", 8, TILECUT_VOXEL_F32}, [SCAN_I64] = {"int64", 8, TILECUT_VOXEL_F32},
    [SCAN_F32] = {"float32", 4, TILECUT_VOXEL_F32}, [SCAN_F64] = {"float64", 8, TILECUT_VOXEL_F32}};

size_t scan_kind_bytes(enum scan_kind kind) { return kinds[kind].bytes; }
const char *scan_kind_name(enum scan_kind kind) { return kinds[kind].name; }
int scan_type_of(enum scan_kind kind) { return kinds[kind].type; }

bool scan_is_little(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* ---- bytes ------------------------------------------------------------------------------------ */

int scan_take(scan_input *in, void *to, size_t size, const char *part, failure *why)
{
    size_t got = size;
    int status = EXIT_DONE;
    if (in->packed) {
        status = gzip_read(in->packed, to, size, &got, why);
        in->due -= got < in->due ? got : in->due;
    } else if (!in->data) {
        const ssize_t read = pread(in->file, to, size, (off_t)in->at);
        got = read > 0 ? (size_t)read : 0;
        in->at += got;
        for (ssize_t more = read; got < size && more > 0; in->at += (size_t)more, got += (size_t)more)
            more = pread(in->file, (uint8_t *)to + got, size - got, (off_t)in->at);
    } else {
        if (got > in->size - in->at) got = in->size - in->at;
        memcpy(to, in->data + in->at, got);
        in->at += got;
    }
    if (status || got == size) return status;
    return fail(why, EXIT_INPUT, "%s: is cut short, the file ends within its %s; save or copy it again", in->name,
                part);
}

void scan_note_spacing(const char *name, notes *log)
{
    note(log, "%s: its spacing is no distance along some axis, and does not count; --spacing says what it is", name);
}

void scan_note_transparent(const char *name, int64_t count, notes *log)
{
    if (count)
        note(log, "%s: is transparent in %" PRId64 " pixels; their colours are used as if they were opaque", name,
             count);
}

void scan_note_longer(scan_input *in, uint64_t voxels)
{
    const uint64_t left = in->size - in->at;
    in->counted = true, in->due = voxels;
    if (!in->packed && left > voxels)
        note(in->log, "%s: has %" PRIu64 " bytes behind the voxels that its header counts; if they stand in front of "
             "them, the header has to say so", in->name, left - voxels);
}

int scan_skip(scan_input *in, uint64_t size, const char *part, failure *why)
{
    uint8_t piece[4096];
    int status = EXIT_DONE;
    if (!in->packed) {
        in->at += size < in->size - in->at ? (size_t)size : in->size - in->at;
        return EXIT_DONE; /* no error yet: if the file is too short, the next read fails */
    }
    for (uint64_t left = size; left && !status;) {
        const size_t n = left < sizeof piece ? (size_t)left : sizeof piece;
        status = scan_take(in, piece, n, part, why);
        left -= n;
    }
    return status;
}

int scan_unpack(scan_input *in, failure *why)
{
    const size_t left = in->size > in->at ? in->size - in->at : 0;
    return in->data ? gzip_open(in->name, in->data + in->at, left, &in->packed, why)
                    : gzip_open_file(in->name, in->file, in->at, left, &in->packed, why);
}

/* ---- sizes ------------------------------------------------------------------------------------ */

/* Finds the slices to read, first .. first + count - 1: those of the part and one of each neighbour; without a team all
 * slices. */
static void find_slices(const scan_reading *request, int depth, int *first, int *count)
{
    *first = 0, *count = depth;
    if (!request->team) return;
    tilecut_part_rows(depth, request->team->parts, request->team->part, first, count);
    const int above = request->team->part > 0, below = request->team->part + 1 < request->team->parts;
    *first -= above, *count += above + below;
}

scan_own scan_own_of(const scan *s, const tilecut_exchange *team)
{
    int first = 0, count = s->depth;
    if (team) tilecut_part_rows(scan_slices(s), team->parts, team->part, &first, &count);
    return (scan_own){first - s->above, first - s->above + count};
}

bool scan_sum(const tilecut_exchange *team, int64_t *values, size_t count)
{
    return !team || !team->sum(team->context, values, count);
}

void scan_set_shape(scan *out, const int64_t size[3], const scan_reading *request)
{
    out->width = (int)size[0], out->height = (int)size[1];
    find_slices(request, (int)size[2], &out->above, &out->depth);
    out->slices = request->team ? (int)size[2] : 0;
}

void *scan_take_memory(scan *out, const scan_reading *request, size_t size)
{
    out->spill = request->spill;
    return out->spill ? spill_take(out->spill, size) : calloc(size, 1);
}

/* Returns the bytes of a number of slices; used as `need` of image_limits. */
static uint64_t need_of_slices(const void *slices, const int64_t size[3], uint64_t voxel)
{
    return (uint64_t)(size[0] * size[1]) * (uint64_t)*(const int *)slices * voxel;
}

/* The most voxels that the library accepts for a volume, or for a part with its halo. */
static const int64_t most_voxels = (INT64_C(1) << 30) - 1;

/* Checks that the volume, or each of its parts, has at most most_voxels voxels. */
static int check_parts(const char *name, const int64_t size[3], const scan_reading *request, failure *why)
{
    const int64_t slice = size[0] * size[1], depth = size[2], fit = most_voxels / slice - 2;
    const int64_t own = request->parts > 1 ? (depth + request->parts - 1) / request->parts + 2 : depth;
    char advice[64] = "";
    if ((own < depth ? own : depth) * slice <= most_voxels) return EXIT_DONE;
    if (request->limits->need && fit > 0)
        snprintf(advice, sizeof advice, " in a part; use %" PRId64 " parts or more", (depth + fit - 1) / fit);
    return fail(why, EXIT_INPUT, "%s: is %" PRId64 "x%" PRId64 "x%" PRId64 ", which is %" PRId64 " voxels; at most %"
                PRId64 " are accepted%s", name, size[0], size[1], depth, depth * slice, most_voxels, advice);
}

int scan_check_count(const char *name, const int64_t *size, int count, failure *why)
{
    int64_t most = sizeof(double); /* bytes */
    for (int k = 0; k < count; k++)
        if (__builtin_mul_overflow(most, size[k], &most))
            return fail(why, EXIT_INPUT, "%s: is damaged, its header says more voxels than a file can hold", name);
    return EXIT_DONE;
}

int scan_check_size(const char *name, const int64_t size[3], size_t voxel, const scan_reading *request, failure *why)
{
    image_limits limits = *request->limits;
    int first, count;
    const int64_t most = limits.max_pixels;
    const long long w = size[0], h = size[1], d = size[2];
    if (w < 1 || h < 1 || d < 1)
        return fail(why, EXIT_INPUT, "%s: its header says %lldx%lldx%lld; a volume has at least one voxel", name, w, h,
                    d);
    if (w > TILECUT_MAX_SIDE || h > TILECUT_MAX_SIDE || d > TILECUT_MAX_SIDE)
        return fail(why, EXIT_INPUT, "%s: is %lldx%lldx%lld; at most %d voxels a side are accepted", name, w, h, d,
                    TILECUT_MAX_SIDE);
    if (request->picture && d > 1 && !request->shape.optional)
        return fail(why, EXIT_INPUT, "%s: is a volume of %lld slices, and a picture is wanted here", name, d);
    const int64_t voxels = size[0] * size[1] * size[2];
    if (most && voxels > most)
        return fail(why, EXIT_INPUT, "%s: is %lldx%lldx%lld, which is %lld voxels; at most %lld are accepted", name, w,
                    h, d, (long long)voxels, (long long)most);
    /* seeds and masks may lie in a part of the scan, unless each part reads its own slices of them */
    const int parts = request->team ? request->team->parts : request->shape.optional ? 1 : request->parts;
    if (d < parts)
        return fail(why, EXIT_USAGE, "%s: has %lld slice%s, fewer than %d parts; use fewer parts", name, d,
                    d > 1 ? "s" : "", parts);
    if (request->extent) {
        *request->extent = (scan_extent){.width = (int)w, .height = (int)h, .depth = (int)d, .voxel = voxel};
        return EXIT_MEASURED;
    }
    if (check_parts(name, size, request, why)) return why->status;
    find_slices(request, (int)d, &first, &count);
    if (!limits.need) limits.need = need_of_slices, limits.plan = &count;
    return image_check_memory(name, size, voxel, &limits, why);
}

/* ---- numbers ---------------------------------------------------------------------------------- */

/* Reverses the bytes within each group of `size` bytes. */
static void swap_bytes(uint8_t *data, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size / 2; k++) {
            const uint8_t one = data[i * size + k];
            data[i * size + k] = data[i * size + size - 1 - k];
            data[i * size + size - 1 - k] = one;
        }
}

static double number_at(enum scan_kind kind, const uint8_t *at)
{
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    double f64;
    switch (kind) {
    case SCAN_U32: return memcpy(&u32, at, 4), (double)u32;
    case SCAN_I32: return memcpy(&i32, at, 4), (double)i32;
    case SCAN_U64: return memcpy(&u64, at, 8), (double)u64;
    case SCAN_I64: return memcpy(&i64, at, 8), (double)i64;
    default: return memcpy(&f64, at, 8), f64;
    }
}

void scan_convert(enum scan_kind kind, bool swapped, const uint8_t *from, void *to, size_t count)
{
    enum { AT_ONCE = 64 };
    const size_t size = kinds[kind].bytes, made = scan_voxel_bytes(kinds[kind].type);
    uint8_t piece[AT_ONCE * 8];
    for (size_t i = 0; i < count; i += AT_ONCE) {
        const size_t n = count - i < AT_ONCE ? count - i : AT_ONCE;
        uint8_t *const out = (uint8_t *)to + i * made;
        memcpy(piece, from + i * size, n * size);
        if (swapped) swap_bytes(piece, size, n);
        if (kind == SCAN_I8)
            for (size_t k = 0; k < n; k++) memcpy(out + 2 * k, &(int16_t){(int16_t)(int8_t)piece[k]}, 2);
        else if (size == made)
            memcpy(out, piece, n * size);
        if (made == 4 && kind != SCAN_F32)
            for (size_t k = 0; k < n; k++) memcpy(out + 4 * k, &(float){(float)number_at(kind, piece + k * size)}, 4);
    }
}

/* PIECE: voxels read at a time; SOME: bytes of a buffer for voxels of several channels; COLORS: channels of a colour */
enum { PIECE = 1 << 15, SOME = 1 << 16, COLORS = 3 };

/* Reads `count` voxels, beginning with number `first`, to `to`, as they are stored. *at counts the voxels of the file,
 * over all channels, that have been read or skipped so far. */
static int take_stored(scan_input *in, const scan_numbers *n, int64_t first, int64_t count, uint8_t *to, int64_t *at,
                       failure *why)
{
    const scan_pick all = {INT64_MAX, 1, 0}, *const p = n->pick.count ? &n->pick : &all;
    const size_t stored = kinds[n->kind].bytes;
    uint8_t several[SOME];
    const int64_t groups = p->inner == 1 ? SOME / (int64_t)stored / p->count : 0;
    for (int64_t done = 0; done < count;) {
        const int64_t v = first + done, group = v / p->inner, in_group = v % p->inner;
        const bool together = groups > 0 && p->count > 1;
        const int64_t from = p->count == 1 ? v : (group * p->count + (together ? 0 : p->which)) * p->inner + in_group;
        const int64_t most = together ? groups : p->inner - in_group, left = count - done;
        const int64_t some = left < most ? left : most;
        int status = scan_skip(in, (uint64_t)(from - *at) * stored, "voxels", why);
        if (!status && together) status = scan_take(in, several, (size_t)(some * p->count) * stored, "voxels", why);
        else if (!status) status = scan_take(in, to, (size_t)some * stored, "voxels", why);
        if (status) return status;
        for (int64_t i = 0; together && i < some; i++)
            memcpy(to + (size_t)i * stored, several + (size_t)(i * p->count + p->which) * stored, stored);
        *at = from + (together ? some * p->count : some);
        to += (size_t)some * stored;
        done += some;
    }
    return EXIT_DONE;
}

/* Reads the voxels and converts them. `piece` is a buffer for PIECE voxels as they are stored. */
static int take_pieces(scan_input *in, const scan_numbers *numbers, uint8_t *piece, scan *out, failure *why)
{
    const int64_t count = (int64_t)scan_count(out), before = (int64_t)out->above * out->height * out->width;
    const size_t voxel = scan_voxel_bytes(out->type);
    int64_t at = 0;
    for (int64_t i = 0; i < count; i += PIECE) {
        const int64_t some = count - i < PIECE ? count - i : PIECE;
        const int status = take_stored(in, numbers, before + i, some, piece, &at, why);
        if (status) return status;
        scan_convert(numbers->kind, numbers->swapped, piece, (uint8_t *)out->voxels + (size_t)i * voxel, (size_t)some);
    }
    return EXIT_DONE;
}

static bool is_transparent(const uint8_t *alpha, size_t size)
{
    return alpha[0] != 0xff || alpha[size - 1] != 0xff;
}

/* Reads colours whose channels lie one behind the other in groups of voxels. `piece` is as for take_pieces(). Adds to
 * *clear the number of transparent voxels, if there is a fourth channel. */
static int take_planes(scan_input *in, const scan_numbers *numbers, uint8_t *piece, scan *out, int64_t *clear,
                       failure *why)
{
    const int64_t first = (int64_t)out->above * out->height * out->width, end = first + (int64_t)scan_count(out);
    const size_t voxel = scan_voxel_bytes(out->type), stored = kinds[numbers->kind].bytes;
    scan_numbers one = *numbers;
    int64_t at = 0;
    for (int64_t v = first, next; v < end; v = next) {
        const int64_t group = (v / one.pick.inner + 1) * one.pick.inner;
        next = group < end ? group : end;
        for (one.pick.which = 0; one.pick.which < one.pick.count; one.pick.which++)
            for (int64_t i = v; i < next; i += PIECE) {
                const bool alpha = one.pick.which == COLORS;
                const int64_t some = next - i < PIECE ? next - i : PIECE;
                const size_t at_color = (size_t)((i - first) * COLORS + one.pick.which) * voxel;
                STEP(take_stored(in, &one, i, some, piece, &at, why));
                for (size_t k = 0; k < (size_t)some; k++)
                    if (alpha) *clear += is_transparent(piece + k * stored, stored);
                    else scan_convert(one.kind, one.swapped, piece + k * stored,
                                      (uint8_t *)out->voxels + at_color + k * COLORS * voxel, 1);
            }
    }
    return EXIT_DONE;
}

/* Leaves alpha out of `count` colours. Returns the number of transparent ones. */
static int64_t drop_alpha(uint8_t *colors, size_t count, size_t size)
{
    int64_t clear = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *const color = colors + i * (COLORS + 1) * size;
        clear += is_transparent(color + COLORS * size, size);
        memmove(colors + i * COLORS * size, color, COLORS * size);
    }
    return clear;
}

/* Reads colours whose channels lie side by side. `piece` and `clear` are as for take_planes(). */
static int take_side_by_side(scan_input *in, const scan_numbers *numbers, uint8_t *piece, scan *out, int64_t *clear,
                             failure *why)
{
    const scan_numbers samples = {numbers->kind, numbers->swapped, {0}, false};
    const int64_t count = (int64_t)scan_count(out), first = (int64_t)out->above * out->height * out->width;
    const int64_t channels = numbers->pick.count, most = PIECE / channels;
    const size_t voxel = COLORS * scan_voxel_bytes(out->type);
    int64_t at = 0;
    for (int64_t i = 0; i < count; i += most) {
        const int64_t some = count - i < most ? count - i : most;
        STEP(take_stored(in, &samples, (first + i) * channels, some * channels, piece, &at, why));
        if (channels > COLORS) *clear += drop_alpha(piece, (size_t)some, kinds[samples.kind].bytes);
        scan_convert(samples.kind, samples.swapped, piece, (uint8_t *)out->voxels + (size_t)i * voxel,
                     (size_t)some * COLORS);
    }
    return EXIT_DONE;
}

static int take_all(scan_input *in, const scan_numbers *numbers, uint8_t *piece, scan *out, failure *why)
{
    int64_t clear = 0;
    if (!numbers->colors) return take_pieces(in, numbers, piece, out, why);
    STEP((numbers->pick.inner > 1 ? take_planes : take_side_by_side)(in, numbers, piece, out, &clear, why));
    scan_note_transparent(in->name, clear, in->log);
    return EXIT_DONE;
}

void scan_keep_one_channel(scan *s)
{
    const size_t count = scan_count(s), n = (size_t)scan_channels(s), size = scan_voxel_bytes(s->type);
    uint8_t *const voxels = s->voxels;
    for (size_t i = 0; i < count; i++) memmove(voxels + i * size, voxels + i * n * size, size);
    s->channels = 1;
}

bool scan_settle_colors(scan *s, const tilecut_exchange *team)
{
    const size_t slice = (size_t)s->width * (size_t)s->height, size = scan_voxel_bytes(s->type);
    const scan_own own = scan_own_of(s, team);
    const uint8_t *const voxels = s->voxels;
    int64_t colored = 0;
    if (scan_channels(s) == 1) return true;
    for (size_t i = slice * (size_t)own.first; i < slice * (size_t)own.end && !colored; i++)
        colored = memcmp(voxels + i * COLORS * size, voxels + (i * COLORS + 1) * size, 2 * size) != 0;
    if (!scan_sum(team, &colored, 1)) return false;
    if (!colored) scan_keep_one_channel(s);
    return true;
}

/* Unpacks what follows the last voxel that was read, up to a gigabyte, because at the end zlib compares the checksum of
 * the whole file. Damaged files often unpack to more than they should. */
static int check_rest(scan_input *in, failure *why)
{
    uint8_t piece[1 << 14];
    const uint64_t due = in->due;
    int status = EXIT_DONE;
    size_t got = sizeof piece;
    uint64_t rest = 0;
    for (; !status && got == sizeof piece && rest < 1 << 30; rest += got)
        status = gzip_read(in->packed, piece, sizeof piece, &got, why);
    if (!status && in->counted && rest > due)
        note(in->log, "%s: has %" PRIu64 " bytes behind the voxels that its header counts", in->name, rest - due);
    return status;
}

int scan_take_voxels(scan_input *in, const scan_reading *request, const int64_t size[3], const scan_numbers *numbers,
                     scan *out, failure *why)
{
    const struct kind *const kind = &kinds[numbers->kind];
    const size_t voxel = (numbers->colors ? COLORS : 1) * scan_voxel_bytes(kind->type);
    int status = scan_check_size(in->name, size, voxel, request, why);
    if (status) return status;
    scan_set_shape(out, size, request);
    out->type = kind->type, out->channels = numbers->colors ? COLORS : 1;
    snprintf(out->stored, sizeof out->stored, "%s%s", kind->name,
             kind->bytes == 1 ? "" : scan_is_little() == numbers->swapped ? ", big endian" : "");
    out->voxels = scan_take_memory(out, request, scan_count(out) * voxel);
    uint8_t *const piece = malloc(PIECE * kind->bytes);
    if (out->voxels && piece) status = take_all(in, numbers, piece, out, why);
    else status = fail(why, EXIT_RESOURCES, "%s: not enough %s for its voxels", in->name,
                       out->spill ? "room on the disk" : "memory");
    free(piece);
    const bool last = out->above + out->depth == size[2];
    if (!status && in->packed && last) status = check_rest(in, why);
    if (!status && kind->bytes > 4)
        note(in->log, "%s: its numbers of %zu bits are rounded to those of float", in->name, 8 * kind->bytes);
    return status;
}
