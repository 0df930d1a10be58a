/* SPDX-License-Identifier: MIT
 *
 * annotated.h - masks as shapes: reads annotations as a mask, and writes a mask as a picture or as annotations.
 */
#pragma once

#include "annotation.h"
#include "image.h"
#include "matting.h"

/* annotated_has_outlines() is true if a mask written to `path` is made of outlines. annotated_is_smooth() is true if
 * its outlines are smooth: with OUTLINE_SMOOTH, and in drawings also with OUTLINE_USUAL. */
bool annotated_has_outlines(const char *path, const char *as);
bool annotated_is_smooth(const char *path, const char *as, outline_kind kind);

/* For a file in which image_read() has found annotations (limits->annotations): paints its shapes into a grey picture
 * of the request's width and height, as annotation_paint() does. EXIT_INPUT and EXIT_SEEDS as for annotation_read();
 * EXIT_RESOURCES. After a failure `pic` is unchanged. */
int annotated_mask(const annotation_request *request, image *pic, notes *log, failure *why);

/* Like annotated_mask(), from the text of an annotation file, which is not freed. Call image_free(out)
 * after EXIT_DONE. */
int annotated_text(const annotation_request *request, const bytes *text, image *out, notes *log, failure *why);

/* Like image_can_write_as() and image_encode_as(), for a mask, which can also be written as annotations. `about`
 * describes the mask for annotations. */
int annotated_can_write(const char *path, const char *as, failure *why);
int annotated_encode(const char *path, const char *as, const annotation_about *about, const image_view *mask,
                     bytes *sink, failure *why);
