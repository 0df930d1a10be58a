/* SPDX-License-Identifier: MIT
 *
 * image_stb.h - reads BMP and TGA for the formats in image_stb.c, and has a function that GIF shares with them.
 */
#pragma once

#include "image.h"

/* Decodes a file into `out` with stb_image. The caller has checked the header. Returns EXIT_INPUT or EXIT_RESOURCES on
 * failure. */
int stb_load(const char *name, const char *format, const uint8_t *file, size_t size, image *out, failure *why);

bool bmp_probe(const uint8_t *file, size_t size);
bool tga_probe(const uint8_t *file, size_t size);
int bmp_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out, notes *notes,
               failure *failure);
int tga_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out, notes *notes,
               failure *failure);
