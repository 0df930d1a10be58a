/* SPDX-License-Identifier: MIT
 *
 * image_png.h - declarations shared by reading and writing of PNG.
 */
#pragma once

#include <stdbool.h>

#include "image.h"

/* True if an error message of libpng says that memory ran out. */
bool png_is_about_memory(const char *message);

/* The functions of an image_format that write; in image_png_write.c. */
int png_create(const image_sink *sink, const image_view *head, void **state, failure *why);
int png_write(void *state, const uint8_t *row, failure *why);
int png_finish(void *state, bool good, failure *why);
