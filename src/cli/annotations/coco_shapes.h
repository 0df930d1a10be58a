/* SPDX-License-Identifier: MIT
 *
 * coco_shapes.h - reads the shape of a COCO annotation: polygons or an RLE, keypoints, a box. Each function reads the
 * value at the reader's position and returns EXIT_DONE, EXIT_INPUT or EXIT_RESOURCES.
 */
#pragma once

#include "annotation.h"

typedef struct coco_shape {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
    bool drawn; /* result: the segmentation is not empty */
} coco_shape;

/* Reads polygons [[x, y, ...], ...], one polygon [x, y, ...], or an RLE. Each polygon becomes an area of its own, so
 * overlapping polygons are united. */
int coco_read_segmentation(coco_shape *c);

/* Reads x, y and visibility of each keypoint; visibility 0 means not labelled. */
int coco_read_keypoints(coco_shape *c);

/* Reads x, y, width, height. *given becomes true if there are four numbers; an empty list means that there
 * is no box. */
int coco_read_box(json_reader *r, double box[4], bool *given);
int coco_put_box(coco_shape *c, const double box[4]);
