/* SPDX-License-Identifier: MIT
 *
 * image_png.h - what reading and writing of PNG share.
 */
#ifndef CLI_IMAGE_PNG_H
#define CLI_IMAGE_PNG_H

#include <stdbool.h>

#include "image.h"

/* Whether an error of libpng's says that memory ran out. */
bool png_is_about_memory(const char *message);

struct png_struct_def; /* what png_structp leads to, without libpng's headers */

/* For reading: what is damaged is refused, and chunks that are not used are skipped unread. */
void png_be_strict(struct png_struct_def *png);

/* As encode() of an image_format. */
int png_encode(const char *name, const image_view *view, bytes *sink, failure *why);

#endif
