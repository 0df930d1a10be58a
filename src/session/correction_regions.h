/* SPDX-License-Identifier: MIT
 *
 * correction_regions.h - the connected regions in which two masks differ, and the places of seeds in them. A user
 * clicks in the middle of an error. So the place of a click in a region tells whether the user meant that region. A
 * line is painted along an error from end to end: if a region is meant, it is filled by discs around the line that fit
 * into it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

/* A connected region of pixels that change. */
typedef struct tc_region {
    int64_t size;    /* number of pixels                              */
    int64_t seeds;   /* number of them that are seeds of the new label */
    double x, y;     /* the centre of these seeds                     */
    double away;     /* squared distance from that centre to the nearest of these seeds, which is called the middle */
    int32_t middle;  /* depth in the region of the seed called the middle */
    int32_t deepest; /* greatest depth of any pixel of the region     */
    int64_t filled;  /* for a line: pixels in discs around its seeds that fit into a region */
} tc_region;

typedef struct tc_regions {
    int width, height, connectivity;
    int32_t *number;   /* [pixels] the caller's: the number of a pixel's region, from 1 on; 0: it does not change */
    uint16_t *depth;   /* [pixels] the caller's, of tc_regions_depth_room() bytes: distance to the nearest pixel that
                          does not change, in units of chamfer.h */
    size_t *queue;     /* [pixels] the caller's                                                       */
    bool line;         /* the caller's: whether seeds are a line, rather than a click                 */
    double large;      /* the caller's: a larger region may be more than a click in it can tell about */
    uint16_t *reach;   /* [pixels] the caller's: room for tc_regions_reach()                          */
    tc_region *region; /* [count + 1] owned                                                           */
    int32_t count;
} tc_regions;

/* The bytes that `depth` needs. */
static inline size_t tc_regions_depth_room(int width, int height)
{
    return ((size_t)width + 2) * ((size_t)height + 2) * sizeof(uint16_t);
}

/* Finds the regions in which `after` differs from `before`. All changed pixels must have the same new label; only seeds
 * with this label count. */
tilecut_status tc_regions_find(tc_regions *r, const uint8_t *before, const uint8_t *after, const uint8_t *seeds);
void tc_regions_free(tc_regions *r);

/* Writes r->reach for discs around seeds, whose radius is the seed's depth in its region over `part` (1: the largest
 * disc that fits, 2: half its radius). Pixel p lies in a disc if r->reach[p] is less than the value returned. */
uint16_t tc_regions_reach(tc_regions *r, const uint8_t *after, const uint8_t *seeds, int part);

/* The number of pixels of all regions with seeds. */
int64_t tc_regions_asked(const tc_regions *r);

/* Estimates, up to a factor, the pixels that changing the regions with seeds will correct, less those that it will
 * spoil. If seeds lie in the middle of a region, nearly all of it is right as a rule; if they lie at its edge, less
 * than half (docs/lab/quality.md). A region larger than `likely` counts for less, and one above `large` that is
 * far larger than the disc around a click that fits into it as spoilt altogether. For a line the estimate depends
 * on how much of the regions the line fills. */
double tc_regions_promise(const tc_regions *r, double likely);
