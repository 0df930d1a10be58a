/* SPDX-License-Identifier: MIT
 *
 * across_coarse.c - the smaller copy of an image in parts. A cell may lie in two parts, so sums are added over all
 * parts before they are divided. Each part then has the whole copy, and searches in it alone, as all others do.
 */
#include <stdlib.h>
#include <string.h>

#include "across.h"
#include "colors.h"
#include "status.h"

enum { LABELS = 3 }; /* background, foreground, outside */

/* Sums over cells, and over the image: how many pixels have each label. */
typedef struct sums {
    const tilecut_image *image;
    int factor, width, height; /* cells */
    size_t samples, labels;    /* how many of each kind */
    int64_t *all;              /* samples of each cell, labels of each cell, labels of the image */
} sums;

static void add_labels(const sums *s, const uint8_t *seeds, int y, int cell_row)
{
    const int width = s->image->width;
    const uint8_t *const row = seeds + (size_t)y * (size_t)width;
    int64_t *cell = s->all + s->samples + (size_t)cell_row * (size_t)s->width * LABELS;
    int64_t *const all = s->all + s->samples + s->labels;
    for (int from = 0; from < width; from += s->factor, cell += LABELS)
        for (int x = from; x < width && x < from + s->factor; x++) {
            if (row[x] == TILECUT_UNKNOWN) continue;
            cell[row[x] - 1]++;
            all[row[x] - 1]++;
        }
}

static uint8_t label_of(const int64_t count[LABELS])
{
    uint8_t label = TILECUT_UNKNOWN;
    for (int l = TILECUT_BACKGROUND; l <= TILECUT_OUTSIDE; l++)
        if (count[l - 1]) label = tc_coarse_join(label, (uint8_t)l);
    return label == TC_COARSE_BOTH ? (uint8_t)TILECUT_UNKNOWN : label;
}

/* Writes the cells of the copy. */
static void divide(const sums *s, int whole_height, tc_coarse *coarse)
{
    const tilecut_image *const small = &coarse->image;
    uint8_t *const bytes = (uint8_t *)tc_image_row(small, 0);
    uint16_t *const words = (uint16_t *)tc_image_row(small, 0);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const size_t cell = (size_t)y * (size_t)s->width + (size_t)x;
            const int right = s->image->width - x * s->factor, below = whole_height - y * s->factor;
            const int across = right < s->factor ? right : s->factor, down = below < s->factor ? below : s->factor;
            for (int c = 0; c < small->channels; c++) {
                const size_t i = cell * (size_t)small->channels + (size_t)c;
                const uint64_t mean = tc_coarse_mean((uint64_t)s->all[i], (uint64_t)across * (uint64_t)down);
                if (small->depth == 8) bytes[i] = (uint8_t)mean;
                else words[i] = (uint16_t)mean;
            }
            coarse->seeds[cell] = label_of(s->all + s->samples + cell * LABELS);
        }
}

static bool will_do(const sums *s, const tc_coarse *coarse)
{
    const int64_t *const all = s->all + s->samples + s->labels;
    const size_t cells = (size_t)s->width * (size_t)s->height;
    for (int label = TILECUT_BACKGROUND; label <= TILECUT_OUTSIDE; label++)
        if (all[label - 1] && !memchr(coarse->seeds, label, cells)) return false;
    return memchr(coarse->seeds, TILECUT_UNKNOWN, cells) != NULL;
}

tilecut_status tc_coarse_across(tc_whole *whole, const tilecut_image *image, const uint8_t *seeds, int factor,
                                tc_coarse *coarse, bool *done)
{
    const int height = tc_whole_height(whole, image->height), above = tc_whole_above(whole);
    const tc_own_rows own = tc_own_rows_of(whole, image->height);
    tilecut_status status = TILECUT_OK;
    sums s = {image, factor, (image->width + factor - 1) / factor, (height + factor - 1) / factor, 0, 0, NULL};
    const size_t cells = (size_t)s.width * (size_t)s.height;

    s.samples = cells * (size_t)image->channels;
    s.labels = cells * LABELS;
    s.all = calloc(s.samples + s.labels + LABELS, sizeof *s.all);
    *coarse = (tc_coarse){.factor = factor, .seeds = malloc(cells),
                          .image = {.size = sizeof *image, .width = s.width, .height = s.height,
                                    .channels = image->channels, .depth = image->depth,
                                    .pixels = malloc(s.samples * (size_t)(image->depth / 8))}};
    if (!s.all || !coarse->seeds || !coarse->image.pixels)
        TRY(tc_fail(TILECUT_ENOMEM, "no memory for an image of %zu pixels", cells));
    for (int y = own.first; y < own.end; y++) {
        const int row = (above + y) / factor;
        tc_coarse_add_row(image, y, factor, s.all + (size_t)row * (size_t)s.width * (size_t)image->channels);
        add_labels(&s, seeds, y, row);
    }
    TRY(tc_whole_sum(whole, s.all, s.samples + s.labels + LABELS));
    divide(&s, height, coarse);
    *done = will_do(&s, coarse);
done:
    free(s.all);
    if (status != TILECUT_OK) tc_coarse_free(coarse);
    return status;
}
