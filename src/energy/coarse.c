/* SPDX-License-Identifier: MIT
 *
 * coarse.c - see coarse.h.
 */
#include "coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "nearness.h"
#include "status.h"

/* Loops go from cell to cell, because a division for each pixel takes longer than all else here. */

/* The sum of samples from, from + channels, ... below `end` of a row. */
static int64_t sum_of(const tilecut_image *image, const void *row, int from, int end)
{
    const uint8_t *const bytes = row;
    const uint16_t *const words = row;
    const int step = image->channels;
    int64_t sum = 0;
    if (image->depth == 8)
        for (int i = from; i < end; i += step) sum += bytes[i];
    else
        for (int i = from; i < end; i += step) sum += words[i];
    return sum;
}

void tc_coarse_add_row(const tilecut_image *image, int y, int factor, int64_t *sum)
{
    const int channels = image->channels, cell = factor * channels, samples = image->width * channels;
    const void *const row = tc_image_row(image, y);
    for (int from = 0; from < samples; from += cell)
        for (int c = 0; c < channels; c++)
            *sum++ += sum_of(image, row, from + c, from + cell < samples ? from + cell : samples);
}

/* Writes a row of cells from the sums over `height` rows of pixels. */
static void write_row(const tilecut_image *large, const tc_coarse *coarse, int y, int height, const int64_t *sum)
{
    const tilecut_image *const small = &coarse->image;
    uint8_t *const bytes = (uint8_t *)tc_image_row(small, y);
    uint16_t *const words = (uint16_t *)tc_image_row(small, y);
    for (int x = 0; x < small->width; x++) {
        const int left = large->width - x * coarse->factor, width = left < coarse->factor ? left : coarse->factor;
        const uint64_t pixels = (uint64_t)width * (uint64_t)height;
        for (int c = 0; c < small->channels; c++) {
            const int i = x * small->channels + c;
            const uint64_t mean = tc_coarse_mean((uint64_t)sum[i], pixels);
            if (small->depth == 8) bytes[i] = (uint8_t)mean;
            else words[i] = (uint16_t)mean;
        }
    }
}

static void shrink_seeds(const tc_coarse *coarse, const uint8_t *seeds, int width, int height)
{
    const size_t cells = (size_t)coarse->image.width * (size_t)coarse->image.height;
    const int factor = coarse->factor;
    memset(coarse->seeds, TILECUT_UNKNOWN, cells);
    for (int y = 0; y < height; y++) {
        const uint8_t *const row = seeds + (size_t)y * (size_t)width;
        uint8_t *cell = coarse->seeds + (size_t)(y / factor) * (size_t)coarse->image.width;
        for (int from = 0; from < width; from += factor, cell++)
            for (int x = from; x < width && x < from + factor; x++) *cell = tc_coarse_join(*cell, row[x]);
    }
    for (size_t i = 0; i < cells; i++)
        if (coarse->seeds[i] == TC_COARSE_BOTH) coarse->seeds[i] = TILECUT_UNKNOWN;
}

tilecut_status tc_coarse_init(tc_coarse *coarse, const tilecut_image *image, const uint8_t *seeds, int factor)
{
    const int width = (image->width + factor - 1) / factor, height = (image->height + factor - 1) / factor;
    const size_t pixels = (size_t)width * (size_t)height;
    const size_t row = (size_t)width * (size_t)image->channels;
    int64_t *const sum = malloc(row * sizeof *sum);
    void *const samples = malloc(row * (size_t)height * (size_t)(image->depth / 8));

    *coarse = (tc_coarse){.factor = factor, .seeds = malloc(pixels),
                          .image = {.size = sizeof *image, .width = width, .height = height,
                                    .channels = image->channels, .depth = image->depth, .pixels = samples}};
    if (!sum || !samples || !coarse->seeds) {
        free(sum);
        tc_coarse_free(coarse);
        return tc_fail(TILECUT_ENOMEM, "no memory for an image of %zu pixels", pixels);
    }
    for (int y = 0; y < height; y++) {
        const int first = y * factor, last = first + factor < image->height ? first + factor : image->height;
        memset(sum, 0, row * sizeof *sum);
        for (int k = first; k < last; k++) tc_coarse_add_row(image, k, factor, sum);
        write_row(image, coarse, y, last - first, sum);
    }
    free(sum);
    shrink_seeds(coarse, seeds, image->width, image->height);
    return TILECUT_OK;
}

void tc_coarse_free(tc_coarse *coarse)
{
    free((void *)coarse->image.pixels);
    free(coarse->seeds);
    memset(coarse, 0, sizeof *coarse);
}

bool tc_coarse_will_do(const tc_coarse *coarse, const uint8_t *seeds, size_t pixels)
{
    const size_t cells = (size_t)coarse->image.width * (size_t)coarse->image.height;
    for (int label = TILECUT_BACKGROUND; label <= TILECUT_OUTSIDE; label++)
        if (memchr(seeds, label, pixels) && !memchr(coarse->seeds, label, cells)) return false;
    return memchr(coarse->seeds, TILECUT_UNKNOWN, cells) != NULL;
}

void tc_coarse_spread(const tc_coarse *coarse, const uint8_t *small, int width, int height, int above, uint8_t *mask)
{
    const int factor = coarse->factor;
    for (int y = 0; y < height; y++) {
        const uint8_t *cell = small + (size_t)((above + y) / factor) * (size_t)coarse->image.width;
        uint8_t *const row = mask + (size_t)y * (size_t)width;
        for (int from = 0; from < width; from += factor)
            memset(row + from, *cell++, (size_t)(from + factor < width ? factor : width - from));
    }
}

/* ---- What a box needs ------------------------------------------------------------------------- */

static bool may_be_foreground(uint8_t seed)
{
    return seed != TILECUT_OUTSIDE && seed != TILECUT_BACKGROUND;
}

static void grow(int *from, int *to, int by, int most)
{
    *from = *from > by ? *from - by : 0;
    *to = *to < most - by ? *to + by : most;
}

bool tc_box_rectangle(const uint8_t *seeds, int width, int height, tc_whole *whole, tc_window *box)
{
    const tc_own_rows own = tc_own_rows_of(whole, height);
    tc_extent around = {width, -1, height, -1};
    for (int y = own.first; y < own.end; y++) {
        const uint8_t *const row = seeds + (size_t)y * (size_t)width;
        int first = 0, last = width;
        while (first < width && !may_be_foreground(row[first])) first++;
        if (first == width) continue;
        while (!may_be_foreground(row[last - 1])) last--;
        if (first < around.x0) around.x0 = first;
        if (last - 1 > around.x1) around.x1 = last - 1;
        if (y - own.first < around.y0) around.y0 = y - own.first;
        around.y1 = y - own.first;
    }
    *box = (tc_window){0, 0, 0, 0};
    if (tc_extent_across(&around, whole) != TILECUT_OK || around.x1 < around.x0) return false;
    *box = (tc_window){around.x0, around.y0, around.x1 - around.x0 + 1, around.y1 - around.y0 + 1};
    return true;
}

bool tc_box_has(const uint8_t *seeds, int width, int height, tc_whole *whole, const tc_window *window, uint8_t label)
{
    const tc_own_rows own = tc_own_rows_of(whole, height);
    const int above = tc_whole_above(whole);
    bool has = false;
    for (int y = own.first; y < own.end && !has; y++)
        if (above + y >= window->y && above + y < window->y + window->height)
            has = memchr(seeds + (size_t)y * (size_t)width + (size_t)window->x, label, (size_t)window->width) != NULL;
    return tc_whole_any(whole, &has) == TILECUT_OK && has;
}

bool tc_box_window(const uint8_t *seeds, int width, int height, tc_whole *whole, tc_window *window)
{
    const int all = tc_whole_height(whole, height);
    tc_window box;
    if (!tc_box_rectangle(seeds, width, height, whole, &box)) return false;
    int x0 = box.x, x1 = box.x + box.width, y0 = box.y, y1 = box.y + box.height;
    const int margin = (int)(TC_BOX_MARGIN * sqrt((double)box.width * box.height));
    const int by = margin > TC_BOX_LEAST ? margin : TC_BOX_LEAST;
    grow(&x0, &x1, by, width);
    grow(&y0, &y1, by, all);
    *window = (tc_window){x0, y0, x1 - x0, y1 - y0};
    if (window->width == width && window->height == all) return false;
    return tc_box_has(seeds, width, height, whole, window, TILECUT_OUTSIDE); /* painted background may lie between */
}
