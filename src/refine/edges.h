/* SPDX-License-Identifier: MIT
 *
 * edges.h - whether the outline of a mask runs along edges of the image. Those are where links are weak. What an
 * outline cuts is compared with the links around it, so 1 stands for no edge and 0 for one as sharp as can be.
 */
#pragma once

#include "graph.h"

/* The links of an image of `width` x `height` pixels to the right ([0]) and down ([1]), [width * height] each. */
typedef struct tc_edges {
    int32_t *link[2]; /* owned, both together */
    int width, height, unit;
    double around; /* the mean of the links around an outline */
} tc_edges;

/* Takes the links of `graph`, and how strong they are around the outline of `mask`: packed rows, foreground from 128
 * on. A link counts by the weakest of itself and of its two neighbours across the outline. */
tilecut_status tc_edges_find(const tilecut_graph *graph, const uint8_t *mask, tc_edges *edges);
void tc_edges_free(tc_edges *edges);

/* The link from pixel `p` to the right (0) or down (1), which must be in the image, divided by the mean of the links
 * around the outline. */
double tc_edges_link(const tc_edges *edges, size_t p, int down);

/* The mean of the links that the outline of a mask cuts; 0: there is no outline, or nothing to compare it with. */
double tc_edges_along(const tc_edges *edges, const uint8_t *mask);

/* The highest mean in windows of 48 units that the outline crosses; units as of tc_outline_unit(). */
tilecut_status tc_edges_worst(const tc_edges *edges, const uint8_t *mask, double *worst);
