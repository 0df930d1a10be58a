/* SPDX-License-Identifier: MIT
 *
 * seeds_rows.c - the seeds of some rows of a photo, for photos that are cut in parts. What needs a look at the whole
 * picture is refused: recognising its format, strokes by colour, bands of masks.
 */
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "seeds_parts.h"
#include "tilecut.h"

static int check(const seeds_request *r, failure *why)
{
    if (r->box_given) return fail(why, EXIT_USAGE, "--box: a box is not cut in parts; mark object and background by "
                                  "strokes");
    if (r->conflict != CONFLICT_ERROR) return fail(why, EXIT_USAGE, "--seed-conflict: is not for a photo in parts");
    for (int i = 0; i < r->file_count; i++) {
        const bool named = r->formats && r->formats[i] != SEEDS_UNNAMED;
        const enum seeds_format format = named ? r->formats[i] : r->format;
        if (format != SEEDS_TRIMAP && format != SEEDS_LABELS && format != SEEDS_GRABCUT)
            return fail(why, EXIT_USAGE, "%s: of a photo in parts, pictures of seeds are read as %s:trimap, :labels or "
                        ":grabcut; name one of them, or use --fg and --bg", r->files[i], r->files[i]);
    }
    return EXIT_DONE;
}

/* Claims what a row of a picture says. `wide`: samples of 16 bits, of which the high byte counts in a trimap. */
static int claim_row(claims *all, const uint8_t *row, int y, const region_shape *kind, enum seeds_format format,
                     const char *name, failure *why)
{
    const uint16_t *const words = (const uint16_t *)(const void *)row;
    for (int x = 0; x < all->width; x++) {
        const int sample = kind->depth == 8 ? row[x] : words[x];
        const int value = kind->depth == 16 && format == SEEDS_TRIMAP ? sample >> 8 : sample;
        const int label = seeds_value_label(format, value);
        const size_t p = (size_t)y * (size_t)all->width + (size_t)x;
        if (label < 0)
            return fail(why, EXIT_SEEDS, "%s: has the value %d at %d,%d, which has no meaning in its format", name,
                        value, x, y + all->above);
        if (label == TILECUT_FOREGROUND) claim(all, p, CLAIM_FOREGROUND);
        if (label == TILECUT_BACKGROUND) claim(all, p, CLAIM_BACKGROUND);
    }
    return EXIT_DONE;
}

static int read_rows(region_reader *reader, const region_shape *kind, enum seeds_format format, const char *name,
                     claims *all, failure *why)
{
    const size_t room = (size_t)all->width * (size_t)(kind->depth / 8);
    uint8_t *const row = malloc(room);
    int status = EXIT_DONE;
    if (!row) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", name);
    for (int y = 0; !status && y < all->height; y++) {
        status = region_read(reader, all->above + y, 1, row, why);
        if (!status) status = claim_row(all, row, y, kind, format, name, why);
    }
    free(row);
    return status;
}

static int read_picture(const char *name, enum seeds_format format, int64_t whole_height, claims *all, failure *why)
{
    region_reader *reader;
    region_shape kind;
    int status = region_open(name, &kind, &reader, why);
    if (status) return status;
    if (kind.channels != 1)
        status = fail(why, EXIT_SEEDS, "%s: is in colour, but its format reads grey values", name);
    else if (kind.width != all->width || kind.height != whole_height)
        status = fail(why, EXIT_SEEDS, "%s: is %lldx%lld, but the photo is %dx%lld; seeds must have the photo's size",
                      name, (long long)kind.width, (long long)kind.height, all->width, (long long)whole_height);
    else
        status = read_rows(reader, &kind, format, name, all, why);
    region_close(reader);
    return status;
}

/* All sources, in the order of seeds.c. */
static int claim_all(const seeds_request *r, int64_t whole_height, const char *photo_name, claims *all, failure *why)
{
    int outside = 0;
    for (int i = 0; i < r->file_count; i++) {
        const bool named = r->formats && r->formats[i] != SEEDS_UNNAMED;
        claims_begin(all, r->files[i], "picture");
        const int status = read_picture(r->files[i], named ? r->formats[i] : r->format, whole_height, all, why);
        if (status) return status;
    }
    for (int i = 0; i < r->stroke_count; i++) {
        const seeds_stroke *const stroke = &r->strokes[i];
        for (int k = 0; k < stroke->count; k++) {
            const double x = stroke->points[2 * k], y = stroke->points[2 * k + 1];
            if (x > -0.5 && y > -0.5 && x < all->width - 0.5 && y < (double)whole_height - 0.5) continue;
            return fail(why, EXIT_SEEDS, "%s: the point %.12g,%.12g lies outside %s, which is %dx%lld",
                        stroke->foreground ? "--fg" : "--bg", x, y, photo_name, all->width, (long long)whole_height);
        }
        claims_begin(all, stroke->foreground ? "--fg" : "--bg", "strokes");
        (void)seeds_paint_stroke(all, stroke, r->brush, &outside);
    }
    return EXIT_DONE;
}

/* Labels in place of claims. */
static void settle(claims *all, seeds *out)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    for (size_t p = 0; p < pixels; p++) {
        const bool fg = all->bits[p] & CLAIM_FOREGROUND, bg = all->bits[p] & CLAIM_BACKGROUND;
        out->conflicts += fg && bg;
        out->foreground += fg && !bg;
        out->background += bg && !fg;
        all->bits[p] = fg == bg ? TILECUT_UNKNOWN : fg ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    out->unknown = (int64_t)pixels - out->foreground - out->background;
    out->label = all->bits;
}

int seeds_read_rows(const seeds_request *request, int width, int height, int64_t above, int64_t whole_height,
                    const char *photo_name, seeds *out, failure *why)
{
    claims all = {.width = width, .height = height, .above = (int)above, .clash = -1};
    int status = check(request, why);
    *out = (seeds){.width = width, .height = height, .format = request->file_count ? "values" : "strokes"};
    if (status) return status;
    all.bits = calloc((size_t)width * (size_t)height, 1);
    all.part = calloc((size_t)request->file_count + (size_t)request->stroke_count + 1, sizeof *all.part);
    if (!all.bits || !all.part) {
        free(all.bits);
        free(all.part);
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", photo_name);
    }
    status = claim_all(request, whole_height, photo_name, &all, why);
    free(all.part);
    if (status) free(all.bits);
    else settle(&all, out);
    return status;
}
