/* SPDX-License-Identifier: MIT
 *
 * coco.h - what annotation_coco.c, which reads, and annotation_coco_write.c share.
 */
#ifndef CLI_COCO_H
#define CLI_COCO_H

#include "annotation.h"

/* One annotation, whose segmentation is polygons; objects with holes are keyholes. */
int coco_write_polygons(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);

#endif
