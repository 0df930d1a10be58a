/* SPDX-License-Identifier: MIT
 *
 * instance.c - allocates an instance.
 */
#include <stdlib.h>
#include <string.h>

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
    it->params.colors = "hist"; /* the energy of the paper and of all published figures has only this term */
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
    it->arrays = (tilecut_arrays){.width = width, .height = height,
                                        .source = instance_plane(it, 0),
                                        .sink = instance_plane(it, 1),
                                        .to = {instance_plane(it, 2), instance_plane(it, 3)}};
    return true;
}

int32_t *instance_plane(const instance *it, int plane)
{
    return it->cells + (size_t)plane * (size_t)it->width * (size_t)it->height;
}

void instance_free(instance *it)
{
    free(it->pixels);
    free(it->labels);
    free(it->cells);
    memset(it, 0, sizeof *it);
}
