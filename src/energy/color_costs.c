/* SPDX-License-Identifier: MIT
 *
 * color_costs.c - what all colour models use: their table of costs, and the bin of a pixel in the lattice of colours.
 */
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "simd.h"
#include "status.h"

tilecut_status tc_color_costs_init(tc_color_costs *costs, int channels, int bits, const tc_palette *palette)
{
    costs->channels = channels;
    costs->bits = bits;
    costs->palette = palette;
    costs->count = palette ? palette->count : (size_t)1 << (channels * bits);
    costs->foreground = calloc(costs->count, sizeof *costs->foreground);
    costs->background = calloc(costs->count, sizeof *costs->background);
    if (costs->foreground && costs->background) return TILECUT_OK;
    tc_color_costs_free(costs);
    return tc_fail(TILECUT_ENOMEM, "no memory for a colour model of %d bits a channel", bits);
}

void tc_color_costs_free(tc_color_costs *costs)
{
    free(costs->foreground);
    free(costs->background);
    free(costs->common);
    memset(costs, 0, sizeof *costs);
}

const void *tc_image_row(const tilecut_image *image, int y)
{
    return (const char *)image->pixels + (size_t)y * tc_image_stride(image);
}

TC_VECTOR_LOOP void tc_color_bins(const tilecut_image *image, int bits, int y, uint32_t *bin)
{
    const int drop = image->depth - bits, width = image->width;
    const void *row = tc_image_row(image, y);
    if (image->depth == 8) {
        const uint8_t *s = row;
        if (image->channels == 1)
            for (int x = 0; x < width; x++) bin[x] = (uint32_t)s[x] >> drop;
        else
            for (int x = 0; x < width; x++)
                bin[x] = (uint32_t)s[3 * x] >> drop << (2 * bits) | (uint32_t)s[3 * x + 1] >> drop << bits |
                         (uint32_t)s[3 * x + 2] >> drop;
    } else {
        const uint16_t *s = row;
        if (image->channels == 1)
            for (int x = 0; x < width; x++) bin[x] = (uint32_t)s[x] >> drop;
        else
            for (int x = 0; x < width; x++)
                bin[x] = (uint32_t)s[3 * x] >> drop << (2 * bits) | (uint32_t)s[3 * x + 1] >> drop << bits |
                         (uint32_t)s[3 * x + 2] >> drop;
    }
}
