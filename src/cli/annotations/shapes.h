/* SPDX-License-Identifier: MIT
 *
 * shapes.h - what an annotation file has drawn on a picture: areas, boxes, lines, points. Coordinates are in pixels, x
 * to the right and y down; pixel x, y covers x .. x + 1 and y .. y + 1, and belongs to an area that its centre lies in.
 */
#ifndef CLI_SHAPES_H
#define CLI_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

typedef enum shape_kind {
    SHAPE_AREA,   /* rings; what an odd number of them encloses */
    SHAPE_RUNS,   /* run lengths down the columns, background first; of the whole picture */
    SHAPE_CIRCLE, /* one ring of two points: the middle, and one of its rim */
    SHAPE_BOX,    /* one ring of points, all of them within the box */
    SHAPE_LINE,   /* rings whose points are joined to a line; a single point is a dot */
} shape_kind;

typedef struct shape {
    shape_kind kind;
    bool background;    /* its label says so */
    size_t first, ends; /* its rings; those of the next shape begin at `ends`. SHAPE_RUNS: its runs */
} shape;

typedef struct shape_ring {
    size_t first, ends; /* its points */
} shape_ring;

/* Zero-initialise; shapes_free() when done. */
typedef struct shapes {
    int width, height; /* of the picture; 0: the file does not say */
    bytes item, ring, point, run; /* of shape, shape_ring, double[2], uint32_t; owned */
} shapes;

void shapes_free(shapes *all);

size_t shapes_count(const shapes *all);
const shape *shapes_at(const shapes *all, size_t i);
const shape_ring *shapes_ring_at(const shapes *all, size_t i);
const double *shapes_point_at(const shapes *all, size_t i); /* x, y */

/* Building: a shape, then its rings, each with its points; or its runs. False: no memory. */
bool shapes_begin(shapes *all, shape_kind kind);
bool shapes_begin_ring(shapes *all);
bool shapes_add_point(shapes *all, double x, double y);
bool shapes_add_run(shapes *all, uint32_t run);
shape *shapes_last(shapes *all);
void shapes_drop_last(shapes *all);

/* The smallest box around what shape `i` covers of a picture: x, y, width, height. False: it covers nothing (of
 * SHAPE_RUNS: has no run of foreground). */
bool shapes_box(const shapes *all, size_t i, double box[4]);

/* Sets to 1 in `out` (width * height) what shape `i` covers; lines cover nothing. False: no memory. */
bool shapes_paint(const shapes *all, size_t i, int width, int height, uint8_t *out);

#endif
