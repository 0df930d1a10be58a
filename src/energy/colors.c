/* SPDX-License-Identifier: MIT
 *
 * colors.c - the table of colour models, and what all use: their table of costs, and the bin of a pixel in the lattice
 * of colours.
 */
#include "colors.h"

#include <stdlib.h>
#include <string.h>

#include "simd.h"
#include "status.h"

tilecut_status tc_colors_none_learn(tc_lesson *lesson, tc_color_costs *costs)
{
    (void)lesson, (void)costs;
    return TILECUT_OK;
}

const tc_colors tc_color_models[] = {
#define COLORS(name_, summary_, ...) \
    {.name = #name_, .summary = summary_, .learn = tc_colors_##name_##_learn, __VA_ARGS__},
#include "colors.def"
#undef COLORS
    {.name = NULL},
};

const tc_colors *tc_colors_find(const char *name)
{
    if (!name) return &tc_color_models[0];
    for (const tc_colors *row = tc_color_models; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

bool tc_colors_learn(const tc_colors *model)
{
    return model->learn != tc_colors_none_learn;
}

const char *tilecut_colors_name(int index)
{
    for (int i = 0; i < index; i++)
        if (!tc_color_models[i].name) return NULL;
    return index < 0 ? NULL : tc_color_models[index].name;
}

const char *tilecut_colors_summary(int index)
{
    return tilecut_colors_name(index) ? tc_color_models[index].summary : NULL;
}

/* ---- What all models use ---------------------------------------------------------------------- */

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
