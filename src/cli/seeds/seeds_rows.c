/* SPDX-License-Identifier: MIT
 *
 * seeds_rows.c - the seeds of some rows of a photo, for photos that are cut in parts. What needs a look at the whole
 * picture is refused: recognising its format, strokes by colour, bands of masks. Annotation files are small, and read
 * by all parts as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "region.h"
#include "seeds_parts.h"
#include "tilecut.h"

/* The format that the request names for file i. */
static enum seeds_format format_of(const seeds_request *r, int i)
{
    return r->formats && r->formats[i] != SEEDS_UNNAMED ? r->formats[i] : r->format;
}

static bool by_value(enum seeds_format format)
{
    return format == SEEDS_TRIMAP || format == SEEDS_LABELS || format == SEEDS_GRABCUT;
}

/* ---- Pictures ------------------------------------------------------------------------------------ */

/* A picture of seeds by rows, and what its values mean. */
typedef struct values {
    const char *name;
    enum seeds_format format;
    int depth;
    int64_t block; /* rows that are unpacked together, or 0 */
    int8_t label[256]; /* by value; of 16 bits by the high byte of a trimap, and else by the low one; -1: no meaning */
} values;

static void list_labels(values *v)
{
    for (int value = 0; value < 256; value++) v->label[value] = (int8_t)seeds_value_label(v->format, value);
}

static int label_at(const values *v, const uint8_t *row, int x, int *value)
{
    const uint16_t *const words = (const uint16_t *)(const void *)row;
    const int sample = v->depth == 8 ? row[x] : words[x];
    *value = v->depth == 16 && v->format == SEEDS_TRIMAP ? sample >> 8 : sample;
    return *value < 256 ? v->label[*value] : seeds_value_label(v->format, *value);
}

/* The first sample from x on that differs from the one before it. Most lie in long runs, so eight bytes at a time. */
static int run_end(const values *v, const uint8_t *row, int x, int width)
{
    const size_t sample = (size_t)(v->depth / 8), size = (size_t)width * sample, before = ((size_t)x - 1) * sample;
    size_t at = (size_t)x * sample;
    while (at + 8 <= size && !memcmp(row + at, row + before, 8)) at += 8;
    while (at < size && !memcmp(row + at, row + before, sample)) at += sample;
    return (int)(at / sample);
}

/* Whether a trimap's value is none of its three, so that it was taken as unknown. */
static bool is_between(int value)
{
    return value > BLACK_MAX && value < WHITE_MIN && (value < MIDDLE_MIN || value > MIDDLE_MAX);
}

/* Claims what a row of a picture says. */
static int claim_row(claims *all, const uint8_t *row, int y, const values *v, failure *why)
{
    const size_t first = (size_t)y * (size_t)all->width;
    for (int x = 0, end, value; x < all->width; x = end) {
        const int label = label_at(v, row, x, &value);
        if (label < 0)
            return fail(why, EXIT_SEEDS, "%s: has the value %d at %d,%d, which has no meaning in its format", v->name,
                        value, x, y + all->above);
        end = x + 1 < all->width ? run_end(v, row, x + 1, all->width) : all->width;
        if (v->format == SEEDS_TRIMAP && is_between(value) && claims_own(all, first))
            all->part[all->part_count - 1].ignored += end - x;
        const uint8_t bit = label == TILECUT_FOREGROUND ? CLAIM_FOREGROUND : CLAIM_BACKGROUND;
        for (int at = x; label != TILECUT_UNKNOWN && at < end; at++) claim(all, first + (size_t)at, bit);
    }
    return EXIT_DONE;
}

/* How many rows are read together: those of a row of tiles, unless they are too many. */
static int rows_together(const values *v, size_t row)
{
    enum { ROOM = 1 << 25 };
    const int64_t fit = row < ROOM ? (int64_t)(ROOM / row) : 1;
    return (int)(v->block < 1 ? 1 : v->block < fit ? v->block : fit);
}

static int read_rows(region_reader *reader, const values *v, claims *all, failure *why)
{
    const size_t row = (size_t)all->width * (size_t)(v->depth / 8);
    const int together = rows_together(v, row);
    uint8_t *const rows = malloc((size_t)together * row);
    int status = EXIT_DONE;
    if (!rows) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", v->name);
    for (int y = 0, count; !status && y < all->height; y += count) {
        const int whole = together - (all->above + y) % together; /* to the end of a row of tiles */
        count = whole < all->height - y ? whole : all->height - y;
        status = region_read(reader, all->above + y, count, rows, why);
        for (int i = 0; !status && i < count; i++) status = claim_row(all, rows + (size_t)i * row, y + i, v, why);
    }
    free(rows);
    return status;
}

/* Notes what a picture says that has no meaning, of all parts. */
static int note_between(const seeds_rows *rows, const char *name, int64_t between, notes *log, failure *why)
{
    if (rows->sum && rows->sum(rows->context, &between, 1)) return fail(why, EXIT_RUNTIME, "another part has failed");
    if (between) seeds_note_between(name, between, log);
    return EXIT_DONE;
}

static int read_picture(const seeds_request *r, int i, const seeds_rows *rows, claims *all, notes *log, failure *why)
{
    const char *const name = r->files[i];
    seeds_part *const part = claims_begin(all, name, seeds_format_name(format_of(r, i)));
    region_reader *reader;
    region_shape kind;
    int status = region_open(name, &kind, &reader, why);
    if (status) return status;
    values v = {.name = name, .format = format_of(r, i), .depth = kind.depth, .block = kind.block};
    list_labels(&v);
    if (kind.channels != 1)
        status = fail(why, EXIT_SEEDS, "%s: is in colour, but its format reads grey values", name);
    else if (kind.width != all->width || kind.height != all->whole_height)
        status = fail(why, EXIT_SEEDS, "%s: is %lldx%lld, but the photo is %dx%lld; seeds must have the photo's size",
                      name, (long long)kind.width, (long long)kind.height, all->width, (long long)all->whole_height);
    else
        status = region_check_upright(name, &kind, r->limits.exif_ignore, why);
    if (!status) status = read_rows(reader, &v, all, why);
    region_close(reader);
    if (!status && kind.beside[0]) note(log, "%s: %s", name, kind.beside);
    if (!status && v.format == SEEDS_TRIMAP) status = note_between(rows, name, part->ignored, log, why);
    return status;
}

/* ---- Annotations --------------------------------------------------------------------------------- */

/* Claims what the shapes of a file say of these rows. A picture is refused from its beginning. */
static int read_annotations(const seeds_request *r, int i, const char *photo_name, claims *all, notes *log,
                            failure *why)
{
    enum { LONGEST = 1 << 30 };
    const char *const name = r->files[i];
    const image whole = {.width = all->width, .height = all->whole_height};
    picture pic = {.name = name, .format = format_of(r, i)};
    const bool drawn = pic.format == SEEDS_AUTO || pic.format == SEEDS_BOX;
    bytes text = {0};
    int status = drawn && strcmp(name, "-") ? file_read_if(name, LONGEST, image_json.probe, &text, why) : EXIT_DONE;
    if (!status && (!text.size || !image_json.probe(text.data, text.size)))
        status = fail(why, EXIT_USAGE, "%s: of a photo in parts, pictures of seeds are read as %s:trimap, :labels or "
                      ":grabcut; name one of them, or use --fg and --bg", name, name);
    pic.image.text = text;
    if (status) bytes_free(&pic.image.text);
    else status = seeds_open_shapes(r, &whole, photo_name, &pic, log, why);
    if (!status) status = seeds_read_shapes(r, &pic, all, log, why);
    shapes_free(&pic.shapes);
    return status;
}

/* ---- All sources --------------------------------------------------------------------------------- */

/* All sources, in the order of seeds.c. */
static int claim_all(const seeds_request *r, const seeds_rows *rows, const char *photo_name, claims *all, notes *log,
                     failure *why)
{
    int status = seeds_check_flat(r, photo_name, why);
    for (int i = 0; !status && i < r->file_count; i++) {
        const enum seeds_format format = format_of(r, i);
        all->source = seeds_source(i);
        status = by_value(format) ? read_picture(r, i, rows, all, log, why)
                                  : read_annotations(r, i, photo_name, all, log, why);
    }
    if (!status) status = seeds_apply_strokes(r, photo_name, all, log, why);
    if (!status) status = seeds_apply_box(r, photo_name, all, log, why);
    if (!status && seeds_are_clicks(r)) seeds_apply_border(r, all, log);
    return status;
}

/* Labels in place of claims, and what own rows have of each. */
static void settle(claims *all, enum seeds_conflict conflict, seeds *out)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    int64_t count[TILECUT_OUTSIDE + 1] = {0};
    for (size_t p = seeds_next_marked(all->bits, 0, pixels); p < pixels;
         p = seeds_next_marked(all->bits, p + 1, pixels)) { /* what nobody claims is unknown, 0 */
        const bool own = claims_own(all, p);
        out->conflicts += own && claims_clash(all->bits[p]);
        all->bits[p] = claims_settle(all->bits[p], conflict);
        count[all->bits[p]] += own;
    }
    out->foreground = count[TILECUT_FOREGROUND];
    out->background = count[TILECUT_BACKGROUND] + count[TILECUT_OUTSIDE];
    out->unknown = (int64_t)(all->end - all->own) - out->foreground - out->background;
    out->overruled = all->overruled;
    out->boxed = all->boxed;
    out->label = all->bits;
}

/* Counts of all parts in place of own ones. */
static int add_up(const seeds_rows *rows, claims *all, seeds *out, failure *why)
{
    enum { EACH = 3 };
    const size_t words = 5 + EACH * (size_t)all->part_count;
    int64_t *const count = malloc(words * sizeof *count), *const whole[] = {
        &out->foreground, &out->background, &out->unknown, &out->conflicts, &out->overruled};
    int status = EXIT_DONE;
    if (!rows->sum) return free(count), EXIT_DONE;
    if (!count) return fail(why, EXIT_RESOURCES, "not enough memory to count seeds");
    for (int i = 0; i < 5; i++) count[i] = *whole[i];
    for (int i = 0; i < all->part_count; i++)
        memcpy(count + 5 + EACH * i, (int64_t[]){all->part[i].foreground, all->part[i].background,
                                                 all->part[i].ignored}, EACH * sizeof *count);
    if (rows->sum(rows->context, count, words)) status = fail(why, EXIT_RUNTIME, "another part has failed");
    for (int i = 0; i < 5; i++) *whole[i] = count[i];
    for (int i = 0; i < all->part_count; i++) {
        all->part[i].foreground = count[5 + EACH * i];
        all->part[i].background = count[6 + EACH * i];
        all->part[i].ignored = count[7 + EACH * i];
    }
    free(count);
    return status;
}

int seeds_read_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, seeds *out,
                    notes *log, failure *why)
{
    const size_t width = (size_t)rows->width, pixels = width * (size_t)rows->height;
    claims all = {.width = rows->width, .height = rows->height, .above = (int)rows->above, .clash = -1,
                  .whole_height = (int)rows->whole_height, .own = width * (size_t)rows->first,
                  .end = width * (size_t)(rows->first + rows->own)};
    const bool ranked = request->conflict == CONFLICT_LAST;
    int status;
    *out = (seeds){.width = rows->width, .height = rows->height};
    all.bits = machine_large_pages(calloc(pixels, 1), pixels);
    all.part = calloc((size_t)request->file_count + 3, sizeof *all.part); /* --fg, --bg, --box */
    if (ranked) all.rank = calloc(pixels, sizeof *all.rank);
    if (!all.bits || !all.part || (ranked && !all.rank))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", photo_name);
    else status = claim_all(request, rows, photo_name, &all, log, why);
    free(all.rank);
    if (!status) {
        settle(&all, request->conflict, out);
        out->format = seeds_joint_format(&all);
        status = add_up(rows, &all, out, why);
    }
    out->label = all.bits; /* settled in the same memory */
    out->part = all.part;
    out->part_count = all.part_count;
    if (status) seeds_free(out);
    return status;
}
