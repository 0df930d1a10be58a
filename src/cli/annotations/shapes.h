/* SPDX-License-Identifier: MIT
 *
 * shapes.h - the shapes in an annotation file: areas, boxes, lines, points. Coordinates are in pixels, x to the right
 * and y down. Pixel x, y covers x .. x + 1 and y .. y + 1; it belongs to an area if its centre does.
 */
#ifndef CLI_SHAPES_H
#define CLI_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

typedef enum shape_kind {
    SHAPE_AREA,   /* rings; the area is what an odd number of them encloses */
    SHAPE_RUNS,   /* run lengths down the columns of the whole picture, background first */
    SHAPE_CIRCLE, /* one ring of two points: the centre, and a point on the circle */
    SHAPE_BOX,    /* one ring of points; the box is their bounding box */
    SHAPE_LINE,   /* rings whose points are joined by lines; a single point is a dot */
} shape_kind;

typedef struct shape {
    shape_kind kind;
    bool background;    /* its label is a word for background */
    size_t first, ends; /* its rings are `first` .. `ends` - 1. SHAPE_RUNS: its runs */
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

/* Building: begin a shape, then its rings, each with its points; or add its runs. False: no memory. */
bool shapes_begin(shapes *all, shape_kind kind);
bool shapes_begin_ring(shapes *all);
bool shapes_add_point(shapes *all, double x, double y);
bool shapes_add_run(shapes *all, uint32_t run);
shape *shapes_last(shapes *all);
void shapes_drop_last(shapes *all);

/* The smallest box around the part of a picture that shape `i` covers: x, y, width, height. False: it covers nothing
 * (SHAPE_RUNS: it has no foreground run). */
bool shapes_box(const shapes *all, size_t i, double box[4]);

/* Some rows of a picture: rows above .. above + height - 1. */
typedef struct shape_rows {
    int width, above, height;
} shape_rows;

/* Sets `out` (rows.width * rows.height) to 1 where shape `i` covers these rows; lines cover nothing. False: no
 * memory. */
bool shapes_paint(const shapes *all, size_t i, shape_rows rows, uint8_t *out);

#endif
