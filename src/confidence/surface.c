/* SPDX-License-Identifier: MIT
 *
 * surface.c - tc_confidence_in_space() of confidence.h. The odds that a label is right, according to the cuts, are
 * limited to 5 to 1. They are then multiplied by the voxel's distance to the surface. docs/lab/volumes.md has the
 * figures.
 */
#include <stdlib.h>

#include "chamfer.h"
#include "confidence.h"
#include "status.h"

/* Sets all voxels to 0 that have a neighbour of the other label along x, y or z. */
static void mark_surface(const tilecut_graph *g, const uint8_t *mask, uint16_t *far)
{
    const size_t along[3] = {1, (size_t)g->width, (size_t)g->width * (size_t)g->height};
    size_t p = 0;
    for (int z = 0; z < g->depth; z++)
        for (int y = 0; y < g->height; y++)
            for (int x = 0; x < g->width; x++, p++) {
                const bool has_next[3] = {x + 1 < g->width, y + 1 < g->height, z + 1 < g->depth};
                for (int axis = 0; axis < 3; axis++) {
                    const size_t next = p + along[axis];
                    if (has_next[axis] && (mask[p] != 0) != (mask[next] != 0)) far[p] = far[next] = 0;
                }
            }
}

tilecut_status tc_confidence_in_space(const tilecut_graph *graph, const uint8_t *mask, uint8_t *sure)
{
    enum { MOST = 212 }; /* in 255ths: the probability that corresponds to odds of 5 to 1 */
    const size_t voxels = tc_graph_pixels(graph);
    uint16_t *const far = malloc(voxels * sizeof *far);
    if (!far) return tc_fail(TILECUT_ENOMEM, "no memory for the distances of %zu voxels", voxels);
    for (size_t p = 0; p < voxels; p++) far[p] = TC_CHAMFER_NOWHERE;
    mark_surface(graph, mask, far);
    tc_chamfer_space(far, graph->width, graph->height, graph->depth, graph->from_image ? graph->energy.spacing : NULL);
    for (size_t p = 0; p < voxels; p++) {
        if (tc_is_bound(graph, p) || far[p] == TC_CHAMFER_NOWHERE) continue;
        const int said = sure[p] < MOST ? sure[p] : MOST;
        const double right = said * (1 + far[p] / (double)TC_CHAMFER_PIXEL);
        sure[p] = (uint8_t)(255 * right / (right + 255 - said) + 0.5);
    }
    free(far);
    return TILECUT_OK;
}
