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

/* As in an image_format: image_png_write.c. */
int png_encode(const char *name, const image_view *view, bytes *sink, failure *why);
int png_create(struct file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why);
int png_write(void *state, const uint8_t *row, failure *why);
int png_finish(void *state, bool good, failure *why);

#endif
