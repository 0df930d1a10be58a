/* SPDX-License-Identifier: MIT
 *
 * scan_seeds.c - see scan_seeds.h. What seeds mean is decided as for photos (seeds.c); this file reads volumes for it
 * and finds where their voxels lie on the scan.
 */
#include "scan_seeds.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pixel.h"
#include "tilecut.h"

/* The scan whose seeds or mask are read. */
typedef struct target {
    const scan *scan;
    scan_reading reading; /* how its seeds are read */
    const char *name;
    const char *what;     /* the word for what is read, for messages: "seeds" or "a mask" */
    seeds_rows rows;      /* the own slices */
    size_t first;         /* index of the first voxel in the own slices */
    const scan_shape *shape; /* how the scan itself is read, and whether in colour */
    bool colors;
    scan whole;           /* all of the scan, if a part has read it; owned */
} target;

void scan_scale(const scan *s, double scale[3])
{
    const double *const spacing = s->spacing, least = fmin(spacing[0], fmin(spacing[1], spacing[2]));
    for (int k = 0; k < 3; k++) scale[k] = least > 0 ? spacing[k] / least : 1;
}

/* Returns the own slices as rows of the whole. */
static seeds_rows rows_of(const scan *s, const tilecut_exchange *team)
{
    const scan_own own = scan_own_of(s, team);
    const int64_t slice = s->height, height = slice * (own.end - own.first);
    seeds_rows rows = {.width = s->width, .height = height, .above = slice * (s->above + own.first), .own = height,
                       .whole_height = slice * scan_slices(s), .slice = s->height, .sum = team ? team->sum : NULL,
                       .context = team ? team->context : NULL};
    scan_scale(s, rows.scale);
    return rows;
}

/* `limits` are those of the files that are read for it. */
static target target_of(const scan *s, const scan_reading *reading, const char *name, const char *what,
                        image_limits *limits)
{
    target t = {.scan = s, .reading = *reading, .name = name, .what = what, .rows = rows_of(s, reading->team),
                .shape = &reading->shape, .colors = reading->colors};
    t.first = (size_t)(t.rows.above - (int64_t)s->above * s->height) * (size_t)s->width;
    *limits = *reading->limits;
    limits->admit = NULL, limits->need = NULL; /* the check of the scan's size has counted the files */
    t.reading.limits = limits, t.reading.colors = false;
    t.reading.shape.kind = SCAN_U8, t.reading.shape.swapped = false, t.reading.shape.optional = true;
    return t;
}

/* ---- volumes ---------------------------------------------------------------------------------- */

/* A volume that is read for a scan, and where its voxels lie there. */
typedef struct beside {
    const target *on;
    scan scan;
    scan_map map;
    image colors; /* of a volume in colour: its channels side by side; owned */
} beside;

/* Returns the voxel in the own slices on which voxel i of the volume lies, or -1. Sets *beyond if it lies outside of
 * the whole scan. */
static int64_t place_of(const beside *b, size_t i, bool *beyond)
{
    const scan *const s = &b->scan, *const on = b->on->scan;
    const int64_t at = (int64_t)i, width = s->width, height = s->height;
    const int64_t from[3] = {at % width, at / width % height, at / width / height + s->above};
    int64_t to[3];
    *beyond = false;
    if (b->map.same) return at - (int64_t)b->on->first;
    *beyond = !scan_map_voxel(&b->map, from, to);
    const int64_t row = to[2] * on->height + to[1] - b->on->rows.above;
    return *beyond || row < 0 || row >= b->on->rows.height ? -1 : row * on->width + to[0];
}

/* Refuses a volume that lies elsewhere in space, because it would mark the wrong voxels. Different orders of axes, and
 * a volume for a part of the scan, are fine. */
static int check_place(const target *t, const scan_extent *e, const char *name, scan_map *map, failure *why)
{
    const scan_extent to = scan_extent_of(t->scan);
    return scan_check_map(e, name, &to, t->name, t->what, map, why);
}

/* True if a file is read as a volume, and not as a picture: it is no picture, or may hold several slices. A TIFF of one
 * page may not. */
static bool holds_slices(const char *path)
{
    const image_format *const format = image_format_of_file(path);
    return !format || (format->slices && (format != &image_tiff || scan_has_pages(path))) || scan_has_pictures(path);
}

/* Cuts a picture of all slices, one below the other, into these slices. */
static void cut_into_slices(const target *t, const char *path, scan *s)
{
    const int slices = scan_slices(t->scan);
    const bool fits = s->width == t->scan->width && s->height == (int64_t)t->scan->height * slices;
    if (s->depth == 1 && slices > 1 && fits && !holds_slices(path)) s->height = t->scan->height, s->depth = slices;
}

/* Reads the slices of a part; or all of a volume if `whole` or if its voxels do not coincide with those of the scan. */
static int read_beside(const target *t, const char *path, bool whole, beside *out, notes *log, failure *why)
{
    const char *const name = file_input_name(path);
    scan_reading how = t->reading, all = how;
    scan_extent e;
    out->on = t;
    all.team = NULL, all.parts = 0;
    if ((how.team || how.parts > 1) && scan_measure(path, &all, &e)) {
        STEP(check_place(t, &e, name, &out->map, why));
        if (!out->map.same) how.team = NULL;
    }
    if (whole) how.team = NULL;
    STEP(scan_read(path, &how, &out->scan, log, why));
    cut_into_slices(t, path, &out->scan);
    e = scan_extent_of(&out->scan);
    return check_place(t, &e, name, &out->map, why);
}

/* ---- seeds ------------------------------------------------------------------------------------ */

/* True if a file has as many bytes as the voxels of --size. */
static bool has_bytes_of(const char *path, const scan_shape *raw)
{
    struct stat about;
    return raw->width && !stat(path, &about) && about.st_size == (int64_t)raw->width * raw->height * raw->depth;
}

/* True if a file of seeds is read as a volume. A TIFF of one page can be a slice. */
static bool is_volume(const void *context, const char *path)
{
    const target *const t = context;
    scan_extent e;
    if (holds_slices(path) || has_bytes_of(path, &t->reading.shape)) return true;
    return image_format_of_file(path) == &image_tiff && scan_slices(t->scan) == 1 &&
           scan_measure(path, &t->reading, &e) && e.width == t->scan->width && e.height == t->scan->height;
}

/* Finds out if the voxels from `first` on are whole numbers of 8 bits or, in a file of such, of 16. Sets *strange and
 * *number to the first that is not. *wide: some are above 255. */
static void look_at(const scan *s, size_t first, size_t count, seeds_stack *out, int64_t *wide)
{
    const bool plain = s->slope == 1 && s->offset == 0;
    const int most = plain && s->type == TILECUT_VOXEL_U16 ? UINT16_MAX : UINT8_MAX;
    out->strange = -1;
    *wide = 0;
    for (size_t i = plain && s->type == TILECUT_VOXEL_U8 ? count : 0; i < count; i++) {
        const double value = scan_value(s, first + i);
        *wide |= value > UINT8_MAX;
        if (value >= 0 && value <= most && floor(value) == value) continue;
        out->strange = (int64_t)i, out->number = value;
        return;
    }
}

/* Makes a picture of `count` voxels from `first` on. Numbers of 8 bits replace the voxels in their own memory. */
static int flatten(beside *b, const char *name, size_t first, size_t count, seeds_stack *out, failure *why)
{
    scan *const s = &b->scan;
    const size_t n = (size_t)scan_channels(s), from = n * first, end = from + n * count;
    const bool done = s->type == TILECUT_VOXEL_U8 && s->slope == 1 && s->offset == 0;
    uint8_t *const voxels = s->voxels;
    int64_t wide;
    if (count / (size_t)s->width > INT_MAX)
        return fail(why, EXIT_RESOURCES, "%s: has more than %d rows in all its slices", name, INT_MAX);
    look_at(s, from, n * count, out, &wide);
    if (out->some && !scan_sum(b->on->reading.team, &wide, 1))
        return fail(why, EXIT_RUNTIME, "%s: another part has failed", name);
    if (out->strange >= 0) wide = 0;
    for (size_t i = from; !done && !wide && out->strange < 0 && i < end; i++)
        voxels[i] = (uint8_t)scan_value(s, i);
    out->slice = s->height;
    out->image = (image){.width = s->width, .height = (int)(count / (size_t)s->width), .channels = (int)n,
                         .depth = wide ? 16 : 8, .orientation = 1, .format = s->format->name,
                         .pixels = voxels + from * (wide ? 2 : 1)};
    if (out->strange >= 0) out->strange /= (int64_t)n;
    scan_scale(s, out->scale);
    return EXIT_DONE;
}

/* Reads a volume in colour channel by channel: a TIFF, or numbers that are not of 8 or 16 bits or have alpha. */
static int read_colors(const target *t, const char *path, int channels, beside *b, seeds_stack *out, failure *why)
{
    enum { MOST = 4 };
    const char *const name = file_input_name(path);
    const size_t n = (size_t)channels;
    target one = *t;
    beside channel[MOST] = {{0}};
    seeds_stack stack[MOST] = {{.strange = -1}};
    int status = EXIT_DONE, depth = 8, found;
    one.reading.picture = &found;
    for (int c = 0; !status && c < channels; c++) {
        one.reading.shape.channel = c + 1;
        stack[c] = (seeds_stack){.strange = -1};
        status = read_beside(&one, path, true, &channel[c], NULL, why);
        if (!status) status = flatten(&channel[c], name, 0, scan_count(&channel[c].scan), &stack[c], why);
        if (!status && stack[c].image.depth > depth) depth = stack[c].image.depth;
        if (!status && stack[c].strange >= 0) stack[0].strange = stack[c].strange, stack[0].number = stack[c].number;
    }
    const image *const grey = &stack[0].image;
    if (!status) status = image_allocate(name, grey->width, grey->height, channels, depth, &b->colors, why);
    for (size_t i = 0; !status && i < n * (size_t)grey->width * (size_t)grey->height; i++)
        sample_set(&b->colors, i, sample_at(&stack[i % n].image, i / n));
    if (!status) {
        b->scan = channel[0].scan, b->map = channel[0].map;
        channel[0].scan = (scan){0};
        b->colors.orientation = 1, b->colors.format = grey->format;
        *out = stack[0];
        out->image = b->colors;
    }
    for (int c = 0; c < channels; c++) scan_free(&channel[c].scan);
    return status;
}

static int64_t seed_place(const seeds_stack *stack, size_t p, bool *beyond)
{
    return place_of(stack->state, p, beyond);
}

static void close_seeds(seeds_stack *stack)
{
    beside *const b = stack->state;
    scan_free(&b->scan);
    image_free(&b->colors);
    free(b);
    stack->state = NULL;
}

static int open_seeds(void *context, const char *path, bool whole, seeds_stack *out, notes *log, failure *why)
{
    target *const t = context, one = *t;
    int channels = 1;
    const char *const name = file_input_name(path);
    *out = (seeds_stack){.strange = -1};
    if (!is_volume(t, path)) return EXIT_DONE;
    beside *const b = calloc(1, sizeof *b);
    if (!b) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", name);
    if (!one.reading.shape.channel) one.reading.picture = &channels, one.reading.colors = true;
    int status = read_beside(&one, path, whole, b, log, why);
    const bool colors = !status && scan_channels(&b->scan) > 1;
    if (colors && t->reading.team && !whole) { /* what colours mean is told by all slices */
        scan_free(&b->scan);
        status = read_beside(&one, path, true, b, NULL, why);
    }
    b->on = t;
    if (!status && channels > 1 && !colors) {
        scan_free(&b->scan);
        status = read_colors(t, path, channels, b, out, why);
    }
    out->state = b;
    out->some = !status && t->reading.team && !whole && !colors && channels == 1 && b->map.same;
    if (!status && !b->map.same) out->place = seed_place;
    const size_t first = out->some ? t->first : 0;
    if (out->some) out->above = t->rows.above;
    const size_t own = (size_t)t->rows.height * (size_t)t->rows.width;
    if (!status && (colors || channels == 1))
        status = flatten(b, name, first, out->some ? own : scan_count(&b->scan), out, why);
    if (!status) return EXIT_DONE;
    close_seeds(out);
    out->slice = 0;
    return status;
}

static int check_seeds(void *context, const char *name, int64_t outside, int64_t marked, notes *log, failure *why)
{
    const target *const t = context;
    return scan_check_outside(name, t->name, outside, marked, log, why);
}

/* Describes a scan as a picture; `depth` is 0 if its voxels are no samples of one. */
static image picture_of(const scan *s)
{
    const int depth = s->type == TILECUT_VOXEL_U8 ? 8 : s->type == TILECUT_VOXEL_U16 ? 16 : 0;
    const int64_t rows = (int64_t)s->height * scan_slices(s);
    return (image){.width = s->width, .height = (int)(rows < INT_MAX ? rows : INT_MAX), .channels = scan_channels(s),
                   .depth = depth, .orientation = 1};
}

static int read_scan(void *context, image *out, failure *why)
{
    target *const t = context;
    scan_reading how = t->reading;
    how.team = NULL, how.shape = *t->shape, how.colors = t->colors;
    STEP(scan_read(t->name, &how, &t->whole, NULL, why));
    (void)scan_settle_colors(&t->whole, NULL);
    *out = picture_of(&t->whole);
    out->pixels = t->whole.voxels;
    return EXIT_DONE;
}

uint64_t scan_seeds_bytes_of_whole(const inputs *in, uint64_t sample)
{
    enum { VOXEL = 8, BAND = 5 }; /* at most, with four channels; planes of a mask's band, one of 16 bits */
    uint64_t most = 0;
    for (int i = 0; i < in->files.count; i++) {
        const char *const path = in->files.items[i];
        seeds_request request = in->request;
        request.formats = in->formats;
        const enum seeds_format format = seeds_format_of(&request, i);
        request.files = &path, request.file_count = 1, request.formats = NULL, request.format = format;
        if (!holds_slices(path)) most += seeds_bytes_of_whole(&request, sample);
        else if (!seeds_kinds[format].label && format != SEEDS_AUTO)
            most += VOXEL + (format == SEEDS_MASK ? BAND : format == SEEDS_DIFF ? sample : 0);
    }
    return most;
}

/* True if a file may be read by colour, after those that follow it. */
static bool may_be_late(const seeds_request *request)
{
    for (int i = 0; i < request->file_count; i++) {
        const enum seeds_format format = seeds_format_of(request, i);
        if (format == SEEDS_COLOR || format == SEEDS_DIFF || format == SEEDS_AUTO) return true;
    }
    return false;
}

static int read_seeds(const seeds_request *request, target *t, seeds *out, notes *log, failure *why)
{
    const scan *const s = t->scan;
    spill *const file = t->reading.spill;
    image like = picture_of(s);
    if (!t->reading.team && like.depth) like.pixels = s->voxels;
    uint8_t *const bits = file ? spill_take(file, scan_count(s)) : calloc(scan_count(s), 1);
    if (!bits)
        return fail(why, EXIT_RESOURCES, "%s: not enough %s for its seeds", t->name,
                    file ? "room on the disk" : "memory");
    const seeds_space space = {.context = t, .bits = bits + t->first, .ranked = may_be_late(request),
                               .scan = &like, .stored = s->stored, .is_volume = is_volume, .open = open_seeds,
                               .close = close_seeds, .check = check_seeds, .read_scan = read_scan};
    const int status = seeds_read_space(request, &t->rows, &space, t->name, out, log, why);
    scan_free(&t->whole);
    if (!status) out->label = bits;
    else if (!file) free(bits); /* closing the spill frees them there */
    return status;
}

int scan_seeds_read(const inputs *in, const scan_reading *reading, const scan *s, const char *name, seeds *out,
                    notes *log, failure *why)
{
    seeds_request request = in->request;
    image_limits limits;
    target t = target_of(s, reading, name, "seeds", &limits);
    const bool flat = scan_slices(s) == 1;
    *out = (seeds){.width = s->width, .height = s->height};
    request.files = (const char *const *)in->files.items;
    request.file_count = in->files.count;
    request.formats = in->formats;
    request.limits = limits;
    if (in->previous || in->mask) request.mask_given = true;
    if (in->mask) request.band_given = false;
    if (flat && !seeds_lift(&request))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its strokes", name);
    const int status = read_seeds(&request, &t, out, log, why);
    if (flat) free(request.strokes);
    return status;
}

/* Returns the colour of voxel p, with a range of values from black to white; a grey one of a volume in grey. */
static uint32_t color_at(const void *of, size_t p)
{
    const tilecut_volume *const v = of;
    const bool set = v->low < v->high, small = v->type == TILECUT_VOXEL_U8;
    const double low = set ? v->low : 0, high = set ? v->high : small ? UINT8_MAX : INFINITY;
    uint32_t color = 0;
    for (size_t c = 0, channels = (size_t)v->channels; c < 3; c++) {
        const size_t at = p * channels + (channels > 1 ? c : 0);
        const double share = (scan_stored(v->voxels, v->type, at) - low) / (high - low);
        color = color << 8 | (uint32_t)(UINT8_MAX * fmin(fmax(share, 0), 1));
    }
    return color;
}

int scan_seeds_note(const char *name, const scan *s, const tilecut_exchange *team, const tilecut_volume *volume,
                    const seeds *got, notes *log, failure *why)
{
    const scan_own own = scan_own_of(s, team);
    const seeds_colors greys = {color_at, volume};
    const seeds_request request = {.file_count = 0};
    seeds_rows rows = rows_of(s, team);
    rows.first = (int64_t)own.first * s->height;
    return seeds_note_colors(&request, &rows, name, &greys, got, log, why);
}

/* ---- a mask or a label map ---------------------------------------------------------------------- */

int scan_bytes_read(const scan_reading *reading, const char *path, const scan *s, const char *name,
                    const scan_bytes *kind, notes *log, failure *why)
{
    image_limits limits;
    const target t = target_of(s, reading, name, kind->what, &limits);
    const char *const file = file_input_name(path);
    beside b = {.on = &t};
    int64_t outside = 0, marked = 0;
    int status = read_beside(&t, path, false, &b, log, why);
    if (!status) kind->begin(kind->context, &b.scan);
    for (size_t i = 0; !status && i < scan_count(&b.scan); i++) {
        const int byte = kind->byte(kind->context, file, &b.scan, i, why);
        bool beyond;
        if (byte < 0) status = why->status;
        if (byte <= 0) continue;
        const int64_t at = place_of(&b, i, &beyond);
        outside += beyond, marked++;
        if (at >= 0) kind->out[at] = (uint8_t)byte;
    }
    if (!status) status = scan_check_outside(file, name, outside, marked, log, why);
    scan_free(&b.scan);
    return status;
}

/* The context of a mask is `most`, its largest value. */
static void find_most(void *most, const scan *mask)
{
    for (size_t i = 0; i < scan_count(mask); i++) *(double *)most = fmax(*(double *)most, scan_value(mask, i));
}

static int mask_byte(void *most, const char *name, const scan *mask, size_t i, failure *why)
{
    const double value = scan_value(mask, i);
    if (value == 0 || value == (*(double *)most > 1 ? 255 : 1)) return value != 0 ? 255 : 0;
    (void)fail(why, EXIT_SEEDS, "%s: holds %g; a mask of a volume has 0 and 255, or 0 and 1", name, value);
    return -1;
}

int scan_mask_read(const scan_reading *reading, const char *path, const scan *s, const char *name, mask_file *out,
                   notes *log, failure *why)
{
    double most = 0;
    *out = (mask_file){.foreground = calloc(scan_count(s), 1)};
    const scan_bytes mask = {"a mask", out->foreground, &most, find_most, mask_byte};
    if (!out->foreground) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its mask", name);
    const int status = scan_bytes_read(reading, path, s, name, &mask, log, why);
    out->format = most > 1 ? "0 and 255" : "0 and 1";
    for (size_t i = 0; i < scan_count(s); i++) out->inside += out->foreground[i] > 0;
    if (status) mask_file_free(out);
    return status;
}
