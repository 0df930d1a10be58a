/* SPDX-License-Identifier: MIT
 *
 * svg_path.h - the geometry of SVG: transforms, and paths with curves -> rings of points in pixels.
 */
#pragma once

#include "annotation.h"

typedef struct svg_transform {
    double m[6]; /* x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5 */
} svg_transform;

/* Multiplies *to by a transform such as "translate(1,2) rotate(30)". False: `text` is not a transform. */
bool svg_transform_read(const char *text, svg_transform *to);

/* Adds rings to the newest shape of `out`. Set `out` and the transform; all else begins as zero. */
typedef struct svg_path {
    shapes *out;
    svg_transform transform;
    double x, y;        /* the current point, in the drawing's own coordinates */
    double from[2];     /* the first point of the ring                         */
    double control[2];  /* last control point of the last curve                */
    bool closed;        /* the next line begins a ring at `from`               */
    bool beyond;        /* a point lay outside of any picture                  */
} svg_path;

/* These return false if memory runs out. They add a line to x, y (or begin a new ring there), an arc of an ellipse {rx,
 * ry, degrees}, and a whole path "M1 2 L3 4 ..."; *fine is false if the text is not a path. */
bool svg_path_to(svg_path *path, double x, double y, bool begin);
bool svg_path_arc(svg_path *path, const double ellipse[3], bool large, bool sweep, double x, double y);
bool svg_path_read(svg_path *path, const char *text, bool *fine);

/* Reads the shapes of a drawing, as an annotation_format does. */
int svg_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
             failure *why);
