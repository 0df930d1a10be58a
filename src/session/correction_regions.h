/* SPDX-License-Identifier: MIT
 *
 * correction_regions.h - the connected parts in which two masks differ, and how seeds lie in them. A user paints in the
 * middle of what is wrong. So the place of a seed says whether a part is what was meant. A line is painted along what
 * is wrong, from end to end: the discs around it that fit into such a part fill it.
 */
#ifndef TC_CORRECTION_REGIONS_H
#define TC_CORRECTION_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

/* A connected part of what changes. */
typedef struct tc_region {
    int64_t size;
    int64_t seeds;   /* of them, those that ask for the change        */
    double x, y;     /* the mean of where those are                   */
    double away;     /* squared distance from there to the middle: the nearest of those seeds */
    int32_t middle;  /* how deep the middle lies in the region        */
    int32_t deepest; /* how deep any pixel does                       */
    int64_t filled;  /* of a line: pixels in discs around its seeds that fit into a region */
} tc_region;

typedef struct tc_regions {
    int width, height, connectivity;
    int32_t *number;   /* [pixels] the caller's: which region a pixel is in, from 1 on; 0: it does not change   */
    uint16_t *depth;   /* [pixels] the caller's, with more room: distance to the nearest pixel that does not change,
                          as of chamfer.h */
    size_t *queue;     /* [pixels] the caller's                                                                 */
    bool line;         /* the caller's: whether seeds are a line, rather than a click                           */
    uint16_t *reach;   /* [pixels] the caller's: room for tc_regions_reach()                                    */
    tc_region *region; /* [count + 1] owned */
    int32_t count;
} tc_regions;

/* The bytes that `depth` needs. */
static inline size_t tc_regions_depth_room(int width, int height)
{
    return ((size_t)width + 2) * ((size_t)height + 2) * sizeof(uint16_t);
}

/* Finds the regions in which `after` differs from `before`, all by the same new label. Seeds of that label ask for
 * it. */
tilecut_status tc_regions_find(tc_regions *r, const uint8_t *before, const uint8_t *after, const uint8_t *seeds);
void tc_regions_free(tc_regions *r);

/* Writes r->reach: pixel p lies in a disc around a seed, of that part of the depth at which the seed lies in its region
 * (1: as large as fits, 2: half of that), if r->reach[p] is less than what is returned. */
uint16_t tc_regions_reach(tc_regions *r, const uint8_t *after, const uint8_t *seeds, int part);

/* How many pixels the regions with seeds have. */
int64_t tc_regions_asked(const tc_regions *r);

/* What the regions with seeds promise: the pixels that they will mend, less those that they will spoil, up to a factor.
 * Of a region in whose middle the seeds lie nearly all is right as a rule, and of one at whose edge they lie, less than
 * half (docs/lab/quality.md). One that is larger than is likely counts for less than that. One that is far larger
 * promises that all of it is spoilt. A line promises by how much of the regions it fills. */
double tc_regions_promise(const tc_regions *r, double likely);

#endif
