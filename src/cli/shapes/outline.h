/* SPDX-License-Identifier: MIT
 *
 * outline.h - a mask as polygons, which run along the edges of its pixels or between their middles, or as run lengths
 * down its columns. Each of these represents the mask exactly: a pixel is object if its middle lies inside.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

/* A ring of corners of pixels, or of points between middles of pixels. It has no points in the middle of a straight
 * line, and no point twice. With x to the right and y down, foreground is on the right of the direction of the ring. So
 * by sum(x_i y_(i+1) - x_(i+1) y_i) / 2 the outside of an object has a positive area, and a hole a negative one. */
typedef struct outline_ring {
    size_t first;  /* into the corners */
    size_t count;
    int object;    /* 0 and up */
    bool hole;
} outline_ring;

/* Objects are connected over 4 neighbours, and are in the order of their first pixels. Each object has its outside
 * first, then its holes. Every polygon is simple in the sense of OGC: rings touch at most in corners.
 * Zero-initialise. */
typedef struct outline {
    bytes corner; /* list of int32_t[2]: x, y; owned */
    bytes ring;   /* list of outline_ring; owned     */
    int unit;     /* unit of corners: whole pixels (1) or hundredths (100) */
} outline;

/* `mask`: width * height bytes, not 0 in the foreground. `alpha`: NULL, or the share of the object in each pixel, 0 ..
 * 65535. Without alpha the outline runs along the edges of pixels. With it, it is that of marching squares: between a
 * pixel of the foreground and its neighbour in the background it crosses the line through their middles where alpha,
 * interpolated, is a half, but at least a tenth of a pixel from either middle, so that rings do not touch. False: no
 * memory. Needs 9 bytes a pixel besides the outline. */
bool outline_trace(const uint8_t *mask, const uint16_t *alpha, int width, int height, outline *out);
void outline_free(outline *o);

size_t outline_rings(const outline *o);
const outline_ring *outline_ring_at(const outline *o, size_t i);
const int32_t *outline_corner_at(const outline *o, size_t i); /* x, y */

/* Appends to `runs` (uint32_t) the run lengths of the mask, column by column, background first. False: no memory. */
bool outline_runs(const uint8_t *mask, int width, int height, bytes *runs);
