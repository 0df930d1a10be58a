/* SPDX-License-Identifier: MIT
 *
 * edges.h - measures whether the outline of a mask runs along edges of the image, which is where links are weak. The
 * links that an outline cuts are compared with the links around it: 1 means that there is no edge, and 0 the sharpest
 * possible edge.
 */
#pragma once

#include "graph.h"
#include "sides.h"

/* The links of an image of `width` x `height` pixels to the right ([0]) and down ([1]), [width * height] each. */
typedef struct tc_edges {
    const tilecut_image *image;
    int32_t *link[2]; /* one owned allocation for both */
    int width, height, unit;
    double around; /* the mean of the links around an outline */
} tc_edges;

/* Copies the links of `graph`, and measures how strong they are around the outline of `mask`: packed rows, foreground
 * is 128 and more. The strength of a link is the weakest of itself and of its two neighbours across the outline.
 * `image` is the graph's, and must outlive *edges. */
tilecut_status tc_edges_find(const tilecut_graph *graph, const tilecut_image *image, const uint8_t *mask,
                             tc_edges *edges);
void tc_edges_free(tc_edges *edges);

/* Returns the link from pixel `p` to the right (0) or down (1), which must lie in the image, divided by the mean of the
 * links around the outline. */
double tc_edges_link(const tc_edges *edges, size_t p, int down);

/* Returns the mean of the links that the outline of a mask cuts; 0 if there is no outline, or nothing to compare it
 * with. */
double tc_edges_along(const tc_edges *edges, const uint8_t *mask);

/* Adds the colours within four units of a link that the outline of a mask cuts; see tc_sides_add(). */
void tc_edges_add_sides(const tc_edges *edges, const uint8_t *mask, size_t p, int down, tc_color_sums side[2]);

/* Returns how far apart the colours on the two sides of the outline of a mask are: tc_sides_apart() over all of it. */
double tc_edges_apart(const tc_edges *edges, const uint8_t *mask);

/* Finds the highest mean in windows of 48 units that the outline crosses; units as in tc_outline_unit(). */
tilecut_status tc_edges_worst(const tc_edges *edges, const uint8_t *mask, double *worst);
