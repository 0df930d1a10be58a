/* SPDX-License-Identifier: MIT
 *
 * cleanup_seams.h - regions of a mask that lie in several parts of it. Each part finds the regions in its own layers;
 * those that reach a seam are joined across the seams, and each part is told what its regions are as a whole.
 */
#pragma once

#include "cleanup.h"

typedef struct seam_region {
    int64_t first;   /* its first pixel in reading order, of the whole mask */
    int64_t area, here; /* pixels; in this part                              */
    bool seeded;     /* has a seed of its own label                          */
    bool at_border;  /* touches the border of the image                      */
    bool open;       /* touches a seam                                       */
    bool mine;       /* this part counts the region                          */
} seam_region;

/* The open regions of a part, in order. */
typedef struct seams {
    const cleanup_team *team;
    int width, rows; /* of a layer */
    seam_region *region;
    int32_t count, room, next;
    int32_t *layer[4]; /* [width * rows] number of the region, 1 and up, of the first layer and the last one; and of
                          the layers beyond them; 0: none */
} seams;

/* All parts call these in this order. team: NULL for a mask in one part, which has no seams. seams_end() always. */
cleanup_end seams_begin(seams *s, const cleanup_team *team, int width, int rows);
cleanup_end seams_add(seams *s, const seam_region *region);
cleanup_end seams_join(seams *s, bool diagonal); /* regions are whole then */
void seams_end(seams *s);

/* Of the largest regions of all parts, the largest one, the first among equals. first -1: there is none. */
cleanup_end seams_largest(const seams *s, seam_region *best);
