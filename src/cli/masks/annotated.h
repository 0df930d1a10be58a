/* SPDX-License-Identifier: MIT
 *
 * annotated.h - masks as shapes: annotations read as a mask, and a mask written as a picture or as annotations.
 */
#ifndef CLI_ANNOTATED_H
#define CLI_ANNOTATED_H

#include "annotation.h"
#include "image.h"

/* Where image_read() has found JSON (limits->annotations): makes of its shapes a grey picture of width x height, 0 and
 * 255. EXIT_INPUT, EXIT_SEEDS as annotation_read(), EXIT_RESOURCES; `pic` is as it was then. */
int annotated_mask(const annotation_request *request, int width, int height, image *pic, notes *log, failure *why);

/* image_can_write_as() and image_encode_as() for a mask, which may be written as annotations, too; `about` says what
 * of. */
int annotated_can_write(const char *path, const char *as, failure *why);
int annotated_encode(const char *path, const char *as, const annotation_about *about, const image_view *mask,
                     bytes *sink, failure *why);

#endif
