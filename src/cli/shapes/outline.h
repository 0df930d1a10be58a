/* SPDX-License-Identifier: MIT
 *
 * outline.h - converts a mask to polygons, which run along the edges of pixels or between their middles, or to run
 * lengths down its columns. Each of these represents the mask exactly: a pixel is foreground if its middle lies inside.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

/* A ring of corners of pixels, or of points between middles of pixels. No point lies in the middle of a straight line,
 * and none occurs twice. With x to the right and y down, the foreground is to the right when walking along the ring. So
 * by sum(x_i y_(i+1) - x_(i+1) y_i) / 2 the outside of an object has a positive area, and a hole a negative one. */
typedef struct outline_ring {
    size_t first;  /* into the corners */
    size_t count;
    int object;    /* 0 and up */
    bool hole;
} outline_ring;

/* The outlines of all objects. Objects are connected over 4 neighbours, and are in the order of their first pixels.
 * Each object has its outside first, then its holes. Every polygon is simple in the sense of OGC: rings touch at most
 * in corners. Initialise with zeros. */
typedef struct outline {
    bytes corner; /* the corners as a list of int32_t[2]: x, y; owned */
    bytes ring;   /* list of outline_ring; owned     */
    int unit;     /* unit of corners: whole pixels (1) or hundredths (100) */
} outline;

/* Traces a mask. `mask`: width * height bytes, nonzero in the foreground. `alpha`: NULL, or the share of the object in
 * each pixel, 0 .. 65535. Without alpha the outline runs along the edges of pixels. With alpha it follows marching
 * squares: between a foreground pixel and a background neighbour it crosses the line through their middles where the
 * interpolated alpha is a half, but at least a tenth of a pixel from either middle, so that rings do not touch. Returns
 * false if memory ran out. Needs 9 bytes a pixel besides the outline. */
bool outline_trace(const uint8_t *mask, const uint16_t *alpha, int width, int height, outline *out);
void outline_free(outline *o);

size_t outline_rings(const outline *o);
const outline_ring *outline_ring_at(const outline *o, size_t i);
const int32_t *outline_corner_at(const outline *o, size_t i); /* x, y */

/* Appends to `runs` (uint32_t) the run lengths of the mask, column by column, background first. Returns false if memory
 * ran out. */
bool outline_runs(const uint8_t *mask, int width, int height, bytes *runs);
