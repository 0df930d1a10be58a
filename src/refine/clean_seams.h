/* SPDX-License-Identifier: MIT
 *
 * clean_seams.h - regions of a mask that lie in several parts of it. Each part finds the regions in its own layers;
 * those that reach a seam are joined across the seams, and each part is told what its regions are as a whole.
 */
#pragma once

#include <stdbool.h>

#include "comm.h"

typedef struct tc_seam_region {
    int64_t first;   /* its first pixel in reading order, of the whole mask */
    int64_t area, here; /* pixels; in this part                              */
    bool seeded;     /* has a seed of its own label                          */
    bool at_border;  /* touches the border of the image                      */
    bool open;       /* touches a seam                                       */
    bool mine;       /* this part counts the region                          */
} tc_seam_region;

/* The open regions of a part, in order. */
typedef struct tc_seams {
    tc_comm *comm;
    int width, rows; /* of a layer */
    tc_seam_region *region;
    int32_t count, room, next;
    int32_t *layer[4]; /* [width * rows] number of the region, 1 and up, of the first layer and the last one; and of
                          the layers beyond them; 0: none */
} tc_seams;

/* All parts call these in this order. comm: NULL for a mask in one part, which has no seams. tc_seams_end() always. */
tilecut_status tc_seams_begin(tc_seams *s, tc_comm *comm, int width, int rows);
tilecut_status tc_seams_add(tc_seams *s, const tc_seam_region *region);
tilecut_status tc_seams_join(tc_seams *s, bool diagonal); /* regions are whole then */
void tc_seams_end(tc_seams *s);

/* Of the largest regions of all parts, the largest one, the first among equals. first -1: there is none. */
tilecut_status tc_seams_largest(const tc_seams *s, tc_seam_region *best);
