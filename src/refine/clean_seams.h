/* SPDX-License-Identifier: MIT
 *
 * clean_seams.h - regions of a mask that lie in several parts of it. Each part finds the regions in its own layers.
 * Regions that reach a seam are joined across the seams, and each part gets the facts about the whole regions.
 */
#pragma once

#include <stdbool.h>

#include "comm.h"

typedef struct tc_seam_region {
    int64_t first;   /* the region's first pixel in reading order, as an index in the whole mask */
    int64_t area, here; /* number of pixels in all parts; in this part       */
    bool seeded;     /* true: a pixel of the region is a seed of its label   */
    bool at_border;  /* true: the region touches the border of the image     */
    bool open;       /* true: touches a seam                                 */
    bool mine;       /* true: this part counts the region                    */
} tc_seam_region;

/* The open regions of a part, in order. */
typedef struct tc_seams {
    tc_comm *comm;
    int width, rows; /* size of a layer */
    tc_seam_region *region;
    int32_t count, room, next;
    int32_t *layer[4]; /* [width * rows] the region of each pixel, from 1 on, or 0: for the first layer, the last layer,
                          and the layers beyond these two */
} tc_seams;

/* All parts call these functions in this order. `comm` is NULL for a mask in one part, which has no seams. Always call
 * tc_seams_end(). */
tilecut_status tc_seams_begin(tc_seams *s, tc_comm *comm, int width, int rows);
tilecut_status tc_seams_add(tc_seams *s, const tc_seam_region *region);
tilecut_status tc_seams_join(tc_seams *s, bool diagonal); /* after this, the regions have the facts about whole
                                                             regions */
void tc_seams_end(tc_seams *s);

/* Finds the largest region in all parts, given the largest region of each part; the first one among equals. best->first
 * is -1 if there is no region. */
tilecut_status tc_seams_largest(const tc_seams *s, tc_seam_region *best);
