/* SPDX-License-Identifier: MIT
 *
 * correction_regions.h - the connected regions in which two masks differ, and the positions of seeds in them. A user
 * clicks in the middle of an error, so the position of a click in a region shows whether the user meant that region. A
 * line is painted along an error from end to end: if a region is meant, discs around the line that fit into the region
 * fill it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

/* A connected region of pixels that change. */
typedef struct tc_region {
    int64_t size;    /* number of pixels                              */
    int64_t seeds;   /* number of its pixels that are seeds of the new label */
    double x, y;     /* the centre of these seeds                     */
    double away;     /* squared distance from (x, y) to the nearest of these seeds */
    int32_t middle;  /* depth in the region of that nearest seed  */
    int32_t deepest; /* greatest depth of any pixel of the region     */
    int64_t filled;  /* for a line: number of pixels in discs around its seeds that fit into a region */
} tc_region;

typedef struct tc_regions {
    int width, height, connectivity;
    int32_t *number;   /* [pixels] set by the caller: memory for the number of a pixel's region, from 1 on; 0: the pixel
                          does not change */
    uint16_t *depth;   /* [end - first] set by the caller, the first of tc_regions_room() bytes: memory for the distance
                          to the nearest pixel that does not change, in units of chamfer.h */
    bool line;         /* set by the caller; true: the seeds are a line, false: a click               */
    double large;      /* set by the caller: number of pixels from which on a region is too large for one click */
    uint16_t *reach;   /* [pixels] of tc_regions_reach(); set by the caller: the end of the memory of `depth` */
    tc_region *region; /* [count + 1] owned                                                           */
    int32_t count;
    size_t first, end; /* the rows with changes: their first pixel, and the one after their last */
} tc_regions;

/* The number of depths while pixels outside the photo have one, too. */
static inline size_t tc_regions_framed(int width, int height)
{
    return ((size_t)width + 2) * ((size_t)height + 2);
}

/* The bytes that `depth` and `reach` need together. */
static inline size_t tc_regions_room(int width, int height)
{
    return (tc_regions_framed(width, height) + (size_t)width * (size_t)height) * sizeof(uint16_t);
}

/* Finds the regions in which `after` differs from `before`: only their number, and the numbers of their pixels. Sizes
 * are 0. */
tilecut_status tc_regions_number(tc_regions *r, const uint8_t *before, const uint8_t *after);

/* Does the same, and finds all about them. All changed pixels must have the same new label; only seeds with this label
 * count. */
tilecut_status tc_regions_find(tc_regions *r, const uint8_t *before, const uint8_t *after, const uint8_t *seeds);
void tc_regions_free(tc_regions *r);

/* Writes r->reach for discs around seeds. The radius of a disc is the seed's depth in its region divided by `part` (1:
 * the largest disc that fits; 2: half that radius). Pixel p lies in a disc if r->reach[p] is less than the value
 * returned. */
uint16_t tc_regions_reach(tc_regions *r, const uint8_t *after, const uint8_t *seeds, int part);

/* Returns the number of pixels of all regions with seeds. */
int64_t tc_regions_asked(const tc_regions *r);

/* Estimates, up to a factor, how many pixels will be corrected by changing the regions with seeds, less those that will
 * become wrong. If seeds lie in the middle of a region, nearly all of it is right as a rule; if they lie at its edge,
 * less than half (docs/lab/quality.md). A region larger than `likely` counts for less. A region larger than `large`
 * counts as entirely wrong if it is also far larger than the disc around a click that fits into it. For a line the
 * estimate depends on how much of the regions the line fills. */
double tc_regions_promise(const tc_regions *r, double likely);
