/* SPDX-License-Identifier: MIT
 *
 * svg_path.h - the geometry of SVG: reads transforms, and turns paths with curves into rings of points in pixels.
 */
#pragma once

#include "annotation.h"

typedef struct svg_transform {
    double m[6]; /* x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5 */
} svg_transform;

/* Multiplies *to by a transform such as "translate(1,2) rotate(30)". Returns false if `text` is not a transform. */
bool svg_transform_read(const char *text, svg_transform *to);

/* Adds rings to the newest shape of `out`. Set `out` and the transform; all other members begin as zero. */
typedef struct svg_path {
    shapes *out;
    svg_transform transform;
    double x, y;        /* the current point, in the drawing's own coordinates */
    double from[2];     /* the first point of the ring                         */
    double control[2];  /* the last control point of the latest curve          */
    bool closed;        /* true: the next line begins a ring at `from`         */
    bool beyond;        /* true if a point lay outside of any picture          */
} svg_path;

/* Each returns false if memory runs out. svg_path_to() adds a line to x, y, or begins a new ring there; svg_path_arc()
 * adds an arc of an ellipse {rx, ry, degrees} to x, y; svg_path_read() adds a whole path "M1 2 L3 4 ...", and sets
 * *fine to false if the text is not a path. */
bool svg_path_to(svg_path *path, double x, double y, bool begin);
bool svg_path_arc(svg_path *path, const double ellipse[3], bool large, bool sweep, double x, double y);
bool svg_path_read(svg_path *path, const char *text, bool *fine);

/* Reads the shapes of a drawing, as an annotation_format does. */
int svg_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
             failure *why);
