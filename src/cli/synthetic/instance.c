/* SPDX-License-Identifier: MIT
 *
 * instance.c - allocates an instance.
 */
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "synthetic.h"

bool instance_alloc_pixels(instance *it, int width, int height, int channels)
{
    const size_t pixels = (size_t)width * (size_t)height;
    it->width = width;
    it->height = height;
    it->channels = channels;
    it->pixels = malloc(pixels * (size_t)channels);
    it->labels = calloc(pixels, 1);
    it->params = tilecut_params_default();
    it->params.colors = "hist"; /* the energy of the paper and of all published figures has no other colour model */
    it->params.spatial = TILECUT_NONE;
    return it->pixels && it->labels;
}

bool instance_alloc_cells(instance *it, int width, int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    it->width = width;
    it->height = height;
    it->cells = calloc(pixels * 4, sizeof *it->cells);
    if (!it->cells) return false;
    it->arrays = (tilecut_arrays){.width = width, .height = height, .source = instance_plane(it, 0),
                                  .sink = instance_plane(it, 1), .to = {instance_plane(it, 2), instance_plane(it, 3)}};
    return true;
}

int32_t *instance_plane(const instance *it, int plane)
{
    return it->cells + (size_t)plane * (size_t)it->width * (size_t)it->height;
}

/* Draws the capacity of a diagonal link in the square of four pixels that begins at p. */
static int32_t draw_diagonal(const instance *it, size_t p, chance *dice)
{
    const size_t width = (size_t)it->width;
    const int32_t *const right = it->arrays.to[TILECUT_RIGHT], *const down = it->arrays.to[TILECUT_DOWN];
    const int32_t side[4] = {right[p], right[p + width], down[p], down[p + 1]};
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        if (side[i] == 0) return 0;
        sum += side[i];
    }
    return chance_between(dice, 1, (int)(sum * 362 / 1024)); /* at most sum / sqrt(8): on average, a diagonal then
                                                                has the mean of the four links / sqrt(2) */
}

bool instance_add_diagonals(instance *it, uint64_t seed)
{
    const size_t width = (size_t)it->width, pixels = width * (size_t)it->height;
    chance dice = chance_of(seed, 8);
    int32_t *const more = realloc(it->cells, pixels * 6 * sizeof *more);
    if (!more) return false;
    it->cells = more;
    memset(instance_plane(it, 4), 0, 2 * pixels * sizeof *more);
    it->arrays.source = instance_plane(it, 0), it->arrays.sink = instance_plane(it, 1);
    for (int k = 0; k < TILECUT_LINKS; k++) it->arrays.to[k] = instance_plane(it, 2 + k);
    for (size_t p = 0; p + width < pixels; p++) {
        if (p % width + 1 == width) continue;
        instance_plane(it, 4)[p] = draw_diagonal(it, p, &dice);
        instance_plane(it, 5)[p + 1] = draw_diagonal(it, p, &dice);
    }
    return true;
}

void instance_free(instance *it)
{
    free(it->pixels);
    free(it->labels);
    free(it->cells);
    memset(it, 0, sizeof *it);
}
