/* SPDX-License-Identifier: MIT
 *
 * shapes.h - the shapes in an annotation file: areas, boxes, lines, points. Coordinates are in pixels, x to the right
 * and y down. Pixel x, y covers x .. x + 1 and y .. y + 1; it belongs to an area if its centre does.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

typedef enum shape_kind {
    SHAPE_AREA,   /* rings, even-odd: a point within an odd number of rings is inside; with `wound`, the winding number
                     decides */
    SHAPE_RUNS,   /* run lengths down the columns of the shape's window, beginning with background */
    SHAPE_CIRCLE, /* one ring of two points: the centre, and a point on the circle */
    SHAPE_BOX,    /* one ring of points; the box is their bounding box */
    SHAPE_LINE,   /* rings whose points are joined by lines; a single point is a dot */
} shape_kind;

/* The role that a shape's label gives to the pixels it covers. If several shapes cover a pixel, the last one counts. */
typedef enum shape_role { SHAPE_OBJECT, SHAPE_BACKGROUND, SHAPE_IGNORED } shape_role;

typedef struct shape {
    shape_kind kind;
    shape_role role;
    bool wound;         /* for SHAPE_AREA; true: rings of holes run in the opposite direction */
    size_t first, ends; /* the shape has the rings `first` .. `ends` - 1; for SHAPE_RUNS these are indices of runs */
    int object;         /* number of its object, starting at 1; several shapes may have the same number; 0: none */
    int layer;          /* layer: shapes of higher layers cover those of lower layers; see shapes_sort() */
    int x, y, width, height; /* for SHAPE_RUNS: the window, which may extend beyond the picture */
} shape;

typedef struct shape_ring {
    size_t first, ends; /* its points */
} shape_ring;

/* Zero-initialise; shapes_free() when done. */
typedef struct shapes {
    int width, height; /* size of the picture; 0: unknown */
    bool on_earth;     /* points are coordinates of the system `epsg` (0: unknown system), not places in the picture */
    int epsg;
    bool named;        /* true: the file names the coordinate system */
    bytes item, ring, point, run; /* memory of the lists of shape, shape_ring, double[2] and uint32_t; owned */
    int objects;       /* the highest number of an object that exists */
    int left_out;      /* number of shapes that could not be read */
    char reason[200];  /* error in the first shape that could not be read, such as "line 3: a polygon of 2 points" */
} shapes;

void shapes_free(shapes *all);

size_t shapes_count(const shapes *all);
const shape *shapes_at(const shapes *all, size_t i);
const shape_ring *shapes_ring_at(const shapes *all, size_t i);
const double *shapes_point_at(const shapes *all, size_t i); /* x, y */
size_t shapes_points(const shapes *all);
void shapes_move_point(shapes *all, size_t i, const double to[2]);

/* To build a shape, begin it, then begin each of its rings and add the points of that ring; or add runs. All return
 * false if memory ran out. */
bool shapes_begin(shapes *all, shape_kind kind);
bool shapes_begin_ring(shapes *all);
bool shapes_add_point(shapes *all, double x, double y);
bool shapes_add_run(shapes *all, uint32_t run);
shape *shapes_last(shapes *all);

/* Adds a shape of one ring with the `count` points x, y. Returns false if memory ran out. */
bool shapes_add_ring(shapes *all, shape_kind kind, const double *at, int count);

/* Adds a polygon that differs from the ellipse by less than a thousandth of a pixel; `angle` is in radians, from x to
 * y. Returns false if memory ran out. */
bool shapes_add_ellipse(shapes *all, const double middle[2], const double radius[2], double angle);

/* Adds a SHAPE_RUNS of the nonzero pixels in a picture of width x height at x, y. Returns false if memory ran out. */
bool shapes_add_pixels(shapes *all, int x, int y, int width, int height, const uint8_t *pixels);

/* Records how many shapes there are; shapes_cut() removes all shapes that were added later. */
typedef struct shapes_mark {
    size_t item, ring, point, run;
} shapes_mark;
shapes_mark shapes_now(const shapes *all);
void shapes_cut(shapes *all, shapes_mark to);
bool shapes_sort(shapes *all); /* sorts by layer and keeps the order within a layer; false if memory ran out */
/* Sets the role of all shapes from number `from` on. With the role SHAPE_OBJECT they become one object. */
void shapes_set_role(shapes *all, size_t from, shape_role role);
/* Numbers the objects in order. An object that consists of lines only gets no number. */
void shapes_number(shapes *all);
void shapes_keep_object(shapes *all, int object); /* keeps this object, and background and ignored shapes */

/* Computes the smallest box around the pixels that shape `i` covers: x, y, width, height. Returns false if it covers
 * nothing (a SHAPE_RUNS without foreground runs). */
bool shapes_box(const shapes *all, size_t i, double box[4]);

/* The rows of a picture from `above` to above + height - 1. */
typedef struct shape_rows {
    int width, above, height;
} shape_rows;

/* How to change a byte: clear the bits `clear`, then set the bits `set`. */
typedef struct shape_paint {
    uint8_t clear, set;
} shape_paint;

/* Paints the bytes of `out` (rows.width * rows.height) where shape `i` covers these rows; lines cover nothing. Returns
 * false if memory ran out. */
bool shapes_paint(const shapes *all, size_t i, shape_rows rows, shape_paint paint, uint8_t *out);
