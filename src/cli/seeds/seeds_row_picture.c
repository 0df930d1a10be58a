/* SPDX-License-Identifier: MIT
 *
 * seeds_row_picture.c - reads pictures by rows: label maps, and in a part the formats read by value: trimap, labels and
 * grabcut. The result of these is the same as for whole pictures (seeds_values.c): where a single pixel decides for
 * all, parts sum what they have read.
 */
#include <stdlib.h>
#include <string.h>

#include "file_write.h"
#include "seeds_parts.h"
#include "tilecut.h"

/* A picture that is read by rows, and the meaning of its pixels. */
typedef struct values {
    row_picture from;
    enum seeds_format format;
    bool indices; /* labels are the indices of the palette, not the values of its entries */
    bool narrow;  /* samples have 16 bits, and none in the whole picture is above 255 */
    int64_t between;
    claims *all;
    int64_t *used; /* rows are only looked at: each palette entry that they use, or [0] if samples exceed 8 bits */
} values;

/* ---- Pixels -------------------------------------------------------------------------------------- */

/* Returns the colour of pixel x in a row. */
static uint32_t color_at(const values *v, const image *row, int x)
{
    if (!v->from.kind.palette) return picture_argb(row, (size_t)x);
    const uint8_t *const entry = v->from.kind.palette->entry[row->pixels[x]];
    return (uint32_t)entry[3] << 24 | rgb_of(entry);
}

/* Returns the value of pixel x; for a trimap, in 8 bits. */
static int value_at(const values *v, const image *row, int x, uint32_t argb)
{
    if (v->format == SEEDS_TRIMAP) return argb_channel(argb, 1);
    if (v->from.kind.palette) return v->indices ? row->pixels[x] : argb_channel(argb, 0);
    return (int)sample_at(row, (size_t)x * (size_t)row->channels);
}

/* Returns the first pixel from x on that differs from the one before it. Pixels mostly lie in long runs, so eight bytes
 * are compared at a time. */
static int run_end(const image *row, int x)
{
    const size_t pixel = (size_t)row->channels * (size_t)(row->depth / 8);
    const size_t size = (size_t)row->width * pixel, before = ((size_t)x - 1) * pixel;
    size_t at = (size_t)x * pixel;
    while (at + 8 <= size && !memcmp(row->pixels + at, row->pixels + at - pixel, 8)) at += 8;
    at -= at % pixel; /* eight bytes may end within a pixel */
    while (at < size && !memcmp(row->pixels + at, row->pixels + before, pixel)) at += pixel;
    return (int)(at / pixel);
}

/* Makes the claims of a row of a picture; y is its number among the rows that this part reads. */
static int claim_row(const image *row, int64_t y, values *v, failure *why)
{
    claims *const all = v->all;
    const size_t first = (size_t)y * (size_t)all->width;
    char place[SEEDS_PLACE];
    for (int x = 0, end; x < all->width; x = end) {
        const uint32_t argb = color_at(v, row, x);
        const int value = value_at(v, row, x, argb), label = seeds_kinds[v->format].label(value);
        const bool numbered = v->from.kind.palette && v->format != SEEDS_TRIMAP, seen = !argb_transparent(argb);
        if (seen && !numbered && !rgb_grey(argb & 0xffffff, v->from.kind.lossy ? 8 : 0))
            return seeds_refuse_color(v->from.name, v->format, v->from.kind.palette != NULL, why);
        if (label < 0)
            return seeds_refuse_number(v->from.name, v->format, v->indices, value,
                                       seeds_place(all, (int64_t)first + x, place), why);
        end = x + 1 < all->width ? run_end(row, x + 1) : all->width;
        if (!seen) continue;
        if (seeds_is_between(v->format, value) && claims_own(all, first)) v->between += end - x;
        for (int at = x; label != TILECUT_UNKNOWN && at < end; at++) seeds_claim_label(all, first + (size_t)at, label);
    }
    return EXIT_DONE;
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

int seeds_open_rows(const char *path, const image_limits *limits, row_picture *out, bytes *text, notes *log,
                    failure *why)
{
    image_limits all = *limits;
    image whole;
    *out = (row_picture){.name = file_input_name(path)};
    /* what is not a file can be read only once */
    if (strcmp(path, "-") != 0 && !file_is_special(path))
        STEP(region_open_stored(path, limits->exif_ignore, &out->kind, &out->reader, why));
    if (out->reader) return EXIT_DONE;
    all.annotations = text != NULL;
    STEP(image_read(path, &all, &whole, log, why));
    if (!text || !whole.text.data) return region_open_image(out->name, &whole, &out->kind, &out->reader, why);
    *text = whole.text;
    whole.text = (bytes){0};
    image_free(&whole);
    return EXIT_DONE;
}

/* Returns how many rows to read together: those of a row of tiles, unless these are too many. */
static int64_t rows_together(const region_shape *kind, size_t row)
{
    enum { ROOM = 1 << 25 };
    const int64_t fit = row < ROOM ? (int64_t)(ROOM / row) : 1, block = kind->block;
    return block < 1 ? 1 : block < fit ? block : fit;
}

int seeds_take_rows(const row_picture *from, int64_t above, int64_t height, row_taker *take, void *context,
                    failure *why)
{
    const region_shape *const kind = &from->kind;
    const size_t size = (size_t)kind->width * (size_t)kind->channels * (size_t)(kind->depth / 8);
    const int64_t together = rows_together(kind, size);
    uint8_t *const pixels = malloc((size_t)together * size);
    int status = EXIT_DONE;
    if (!pixels) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read its rows", from->name);
    for (int64_t y = 0, count; !status && y < height; y += count) {
        const int64_t whole = together - (above + y) % together; /* rows to the end of a row of tiles */
        count = whole < height - y ? whole : height - y;
        status = region_read(from->reader, above + y, count, pixels, why);
        for (int64_t i = 0; !status && i < count; i++) {
            const image row = {.width = (int)kind->width, .height = 1, .channels = kind->channels, .depth = kind->depth,
                               .pixels = pixels + (size_t)i * size};
            status = take(context, &row, y + i, why);
        }
    }
    free(pixels);
    return status;
}

void seeds_close_rows(row_picture *from, notes *log)
{
    if (log && from->reader) region_note_oddities(from->reader, log);
    region_close(from->reader);
    from->reader = NULL;
}

/* ---- Seeds of two classes ------------------------------------------------------------------------ */

/* Marks the palette entries in a row, or that it has samples of more than 8 bits. */
static void mark_used(image *row, int64_t used[256])
{
    if (row->depth == 16) used[0] |= !contents_narrow(row);
    else for (int x = 0; x < row->width; x++) used[row->pixels[x]] = 1;
}

static int take_row(void *context, const image *stored, int64_t y, failure *why)
{
    values *const v = context;
    image row = *stored;
    if (v->narrow) (void)contents_narrow(&row);
    if (!v->used) return claim_row(&row, y, v, why);
    if (claims_own(v->all, (size_t)y * (size_t)row.width)) mark_used(&row, v->used);
    return EXIT_DONE;
}

/* Reads all rows. With `used`, calls mark_used() for the part's own; if `used` is NULL, makes the claims. */
static int read_rows(values *v, int64_t *used, failure *why)
{
    v->used = used;
    const int status = seeds_take_rows(&v->from, v->all->above, v->all->height, take_row, v, why);
    v->used = NULL;
    return status;
}

/* Finds out if labels are palette indices. They are, unless all colours in use, in any part, are valid labels
 * themselves. */
static int find_indices(values *v, const seeds_rows *rows, failure *why)
{
    int64_t used[256] = {0};
    int status = read_rows(v, used, why);
    if (!status) status = seeds_sum(rows, used, 256, why);
    if (status) return status;
    for (int i = 0; i < v->from.kind.palette->entries; i++) {
        const uint32_t rgb = rgb_of(v->from.kind.palette->entry[i]);
        const int value = argb_channel(rgb, 1);
        v->indices |= used[i] && (!argb_grey(rgb) || (value > 3 && value != 255));
    }
    return EXIT_DONE;
}

/* Finds out if the samples of 16 bits are numbers of 8 bits, in all parts. */
static int find_depth(values *v, const seeds_rows *rows, failure *why)
{
    int64_t wide[256] = {0};
    STEP(read_rows(v, wide, why));
    STEP(seeds_sum(rows, wide, 1, why));
    v->narrow = !wide[0];
    return EXIT_DONE;
}

static int read_all(values *v, const seeds_reading *r)
{
    failure *const why = r->why;
    const image stored = {.width = (int)v->from.kind.width, .height = (int)v->from.kind.height,
                          .orientation = v->from.kind.orientation};
    STEP(seeds_check_size(r, v->from.name, &stored));
    if (v->from.kind.lossy && v->format != SEEDS_TRIMAP)
        return fail(why, EXIT_SEEDS, "%s: may not hold the exact numbers of --seeds-format %s; save it as PNG",
                    v->from.name, seeds_kinds[v->format].name);
    if (v->from.kind.palette && v->format != SEEDS_TRIMAP) STEP(find_indices(v, r->rows, why));
    if (v->from.kind.depth == 16) STEP(find_depth(v, r->rows, why));
    return read_rows(v, NULL, why);
}

int seeds_read_row_picture(const seeds_reading *r, int i, claims *all, bool *by_rows)
{
    const char *const name = r->request->files[i];
    values v = {.from.name = name, .format = seeds_format_of(r->request, i), .all = all};
    seeds_part *const part = claims_begin(all, name, seeds_kinds[v.format].name);
    STEP(region_open_stored(name, r->request->limits.exif_ignore, &v.from.kind, &v.from.reader, r->why));
    *by_rows = v.from.reader != NULL;
    if (!*by_rows) return EXIT_DONE;
    const int status = read_all(&v, r);
    if (!status && v.from.kind.lossy) seeds_note_lossy(name, r->log);
    seeds_close_rows(&v.from, status ? NULL : r->log);
    part->ignored = v.between;
    return status;
}
