/* SPDX-License-Identifier: MIT
 *
 * seeds_row_picture.c - reads some rows of pictures in the formats read by value: trimap, labels and grabcut. The
 * result is the same as for whole pictures (seeds_values.c): where a single pixel decides for all, parts sum what they
 * have read.
 */
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "seeds_parts.h"
#include "tilecut.h"

/* A picture that is read by rows, and the meaning of its pixels. */
typedef struct values {
    const char *name;
    enum seeds_format format;
    region_shape kind;
    region_reader *reader;
    bool indices; /* labels are the indices of the palette, not the values of its entries */
    size_t pixel;  /* bytes, as stored */
    bool narrow;   /* samples have 16 bits, and none in the whole picture is above 255 */
    int64_t between;
} values;

/* ---- Pixels -------------------------------------------------------------------------------------- */

/* Returns the colour of pixel x in a row. */
static uint32_t color_at(const values *v, const image *row, int x)
{
    if (!v->kind.palette) return picture_argb(row, (size_t)x);
    const uint8_t *const entry = v->kind.palette->entry[row->pixels[x]];
    return (uint32_t)entry[3] << 24 | rgb_of(entry);
}

/* Returns the value of pixel x; for a trimap, in 8 bits. */
static int value_at(const values *v, const image *row, int x, uint32_t argb)
{
    if (v->format == SEEDS_TRIMAP) return argb_channel(argb, 1);
    if (v->kind.palette) return v->indices ? row->pixels[x] : argb_channel(argb, 0);
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
static int claim_row(claims *all, const image *row, int y, values *v, failure *why)
{
    const size_t first = (size_t)y * (size_t)all->width;
    char place[SEEDS_PLACE];
    for (int x = 0, end; x < all->width; x = end) {
        const uint32_t argb = color_at(v, row, x);
        const int value = value_at(v, row, x, argb), label = seeds_kinds[v->format].label(value);
        const bool numbered = v->kind.palette && v->format != SEEDS_TRIMAP, seen = !argb_transparent(argb);
        if (seen && !numbered && !rgb_grey(argb & 0xffffff, v->kind.lossy ? 8 : 0))
            return seeds_refuse_color(v->name, v->format, v->kind.palette != NULL, why);
        if (label < 0)
            return seeds_refuse_number(v->name, v->format, v->indices, value,
                                       seeds_place(all, (int64_t)first + x, place), why);
        end = x + 1 < all->width ? run_end(row, x + 1) : all->width;
        if (!seen) continue;
        if (seeds_is_between(v->format, value) && claims_own(all, first)) v->between += end - x;
        for (int at = x; label != TILECUT_UNKNOWN && at < end; at++) seeds_claim_label(all, first + (size_t)at, label);
    }
    return EXIT_DONE;
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* Returns how many rows to read together: those of a row of tiles, unless these are too many. */
static int rows_together(const values *v, size_t row)
{
    enum { ROOM = 1 << 25 };
    const int64_t fit = row < ROOM ? (int64_t)(ROOM / row) : 1, block = v->kind.block;
    return (int)(block < 1 ? 1 : block < fit ? block : fit);
}

/* Marks the palette entries in a row, or that it has samples of more than 8 bits. */
static void mark_used(image *row, int64_t used[256])
{
    if (row->depth == 16) used[0] |= !contents_narrow(row);
    else for (int x = 0; x < row->width; x++) used[row->pixels[x]] = 1;
}

/* Reads all rows. With `used`, calls mark_used() for the part's own; if `used` is NULL, makes the claims. */
static int read_rows(values *v, claims *all, int64_t *used, failure *why)
{
    const size_t size = (size_t)all->width * v->pixel;
    const int together = rows_together(v, size);
    uint8_t *const pixels = malloc((size_t)together * size);
    int status = EXIT_DONE;
    if (!pixels) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", v->name);
    for (int y = 0, count; !status && y < all->height; y += count) {
        const int whole = together - (int)((all->above + y) % together); /* rows to the end of a row of tiles */
        count = whole < (int)all->height - y ? whole : (int)all->height - y;
        status = region_read(v->reader, all->above + y, count, pixels, why);
        for (int i = 0; !status && i < count; i++) {
            image row = {.width = all->width, .height = 1, .channels = v->kind.channels, .depth = v->kind.depth,
                         .pixels = pixels + (size_t)i * size};
            if (v->narrow) (void)contents_narrow(&row);
            if (!used) status = claim_row(all, &row, y + i, v, why);
            else if (claims_own(all, (size_t)(y + i) * (size_t)all->width)) mark_used(&row, used);
        }
    }
    free(pixels);
    return status;
}

/* Finds out if labels are palette indices. They are, unless all colours in use, in any part, are valid labels
 * themselves. */
static int find_indices(values *v, const seeds_rows *rows, claims *all, failure *why)
{
    int64_t used[256] = {0};
    int status = read_rows(v, all, used, why);
    if (!status) status = seeds_sum(rows, used, 256, why);
    if (status) return status;
    for (int i = 0; i < v->kind.palette->entries; i++) {
        const uint32_t rgb = rgb_of(v->kind.palette->entry[i]);
        const int value = argb_channel(rgb, 1);
        v->indices |= used[i] && (!argb_grey(rgb) || (value > 3 && value != 255));
    }
    return EXIT_DONE;
}

/* Finds out if the samples of 16 bits are numbers of 8 bits, in all parts. */
static int find_depth(values *v, const seeds_rows *rows, claims *all, failure *why)
{
    int64_t wide[256] = {0};
    STEP(read_rows(v, all, wide, why));
    STEP(seeds_sum(rows, wide, 1, why));
    v->narrow = !wide[0];
    return EXIT_DONE;
}

static int read_all(values *v, const seeds_reading *r, claims *all)
{
    failure *const why = r->why;
    const image stored = {.width = (int)v->kind.width, .height = (int)v->kind.height,
                          .orientation = v->kind.orientation};
    STEP(seeds_check_size(r, v->name, &stored));
    if (v->kind.lossy && v->format != SEEDS_TRIMAP)
        return fail(why, EXIT_SEEDS, "%s: may not hold the exact numbers of --seeds-format %s; save it as PNG", v->name,
                    seeds_kinds[v->format].name);
    if (v->kind.palette && v->format != SEEDS_TRIMAP) STEP(find_indices(v, r->rows, all, why));
    if (v->kind.depth == 16) STEP(find_depth(v, r->rows, all, why));
    return read_rows(v, all, NULL, why);
}

int seeds_read_row_picture(const seeds_reading *r, int i, claims *all, bool *by_rows)
{
    values v = {.name = r->request->files[i], .format = seeds_format_of(r->request, i)};
    seeds_part *const part = claims_begin(all, v.name, seeds_kinds[v.format].name);
    int status = region_open_stored(v.name, r->request->limits.exif_ignore, &v.kind, &v.reader, r->why);
    if (status) return status;
    *by_rows = v.reader != NULL;
    if (!v.reader) return EXIT_DONE;
    v.pixel = (size_t)v.kind.channels * (size_t)(v.kind.depth / 8);
    status = read_all(&v, r, all);
    if (!status) region_note_oddities(v.reader, r->log);
    if (!status && v.kind.lossy) seeds_note_lossy(v.name, r->log);
    region_close(v.reader);
    part->ignored = v.between;
    return status;
}
