/* SPDX-License-Identifier: MIT
 *
 * image_png.h - what reading and writing of PNG share.
 */
#pragma once

#include <stdbool.h>

#include "image.h"

/* Whether an error of libpng's says that memory ran out. */
bool png_is_about_memory(const char *message);

/* As in an image_format: image_png_write.c. */
int png_create(const image_sink *sink, const image_view *head, void **state, failure *why);
int png_write(void *state, const uint8_t *row, failure *why);
int png_finish(void *state, bool good, failure *why);
