/* SPDX-License-Identifier: MIT
 *
 * annotated.h - masks as shapes: reads annotations as a mask, and writes a mask as a picture or as annotations.
 */
#pragma once

#include "annotation.h"
#include "image.h"
#include "matting.h"

/* Whether a mask written to `path` has outlines; and whether they are smooth, if that kind is asked for: those of a
 * drawing are, unless somebody says otherwise. */
bool annotated_has_outlines(const char *path, const char *as);
bool annotated_is_smooth(const char *path, const char *as, outline_kind kind);

/* For a file in which image_read() has found annotations (limits->annotations): makes of its shapes a grey picture of
 * the request's width and height, as annotation_paint(). EXIT_INPUT and EXIT_SEEDS as annotation_read(),
 * EXIT_RESOURCES; `pic` is then as before. */
int annotated_mask(const annotation_request *request, image *pic, notes *log, failure *why);

/* Like annotated_mask(), but from the text of an annotation file, which is kept. image_free(out) after EXIT_DONE. */
int annotated_text(const annotation_request *request, const bytes *text, image *out, notes *log, failure *why);

/* image_can_write_as() and image_encode_as() for a mask, which can also be written as annotations; `about` says what
 * they describe. */
int annotated_can_write(const char *path, const char *as, failure *why);
int annotated_encode(const char *path, const char *as, const annotation_about *about, const image_view *mask,
                     bytes *sink, failure *why);
