/* SPDX-License-Identifier: MIT
 *
 * coco.h - shared by annotation_coco.c, which reads, and annotation_coco_write.c.
 */
#ifndef CLI_COCO_H
#define CLI_COCO_H

#include "annotation.h"

/* Writes one annotation whose segmentation is polygons; objects with holes become keyholes. */
int coco_write_polygons(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);

#endif
