/* SPDX-License-Identifier: MIT
 *
 * outline.h - a mask as polygons along the edges of its pixels, and as runs down its columns. Both say exactly which
 * pixels are foreground.
 */
#ifndef CLI_OUTLINE_H
#define CLI_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

/* A ring of corners of pixels, without those that a straight line passes. No corner occurs twice in it. With x to the
 * right and y down, foreground lies to the right of who walks along it: the outside of an object has a positive area by
 * sum(x_i y_(i+1) - x_(i+1) y_i) / 2, a hole a negative one. */
typedef struct outline_ring {
    size_t first;  /* into the corners */
    size_t count;
    int object;    /* 0 and up */
    bool hole;
} outline_ring;

/* Objects are what hangs together over 4 neighbours, in the order of their first pixels; of each its outside comes
 * first, then its holes. Every polygon is simple in the sense of OGC: rings touch in corners at most. Zero-initialise.
 * */
typedef struct outline {
    bytes corner; /* of int32_t[2]: x, y; owned */
    bytes ring;   /* of outline_ring; owned     */
} outline;

/* `mask`: width * height bytes, not 0 where it is foreground. False: no memory; takes 9 bytes a pixel besides the
 * outline. */
bool outline_trace(const uint8_t *mask, int width, int height, outline *out);
void outline_free(outline *o);

size_t outline_rings(const outline *o);
const outline_ring *outline_ring_at(const outline *o, size_t i);
const int32_t *outline_corner_at(const outline *o, size_t i); /* x, y */

/* Run lengths of the mask read column by column, background first, appended to `runs` (uint32_t). False: no memory. */
bool outline_runs(const uint8_t *mask, int width, int height, bytes *runs);

#endif
