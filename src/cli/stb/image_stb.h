/* SPDX-License-Identifier: MIT
 *
 * image_stb.h - reading BMP and TGA, for the two formats of image_stb.c, and what GIF shares with them.
 */
#pragma once

#include "image.h"

/* Decodes with stb_image a file whose header has been checked, into `out`. EXIT_INPUT, EXIT_RESOURCES. */
int stb_load(const char *name, const char *format, const uint8_t *file, size_t size, image *out, failure *why);

bool bmp_probe(const uint8_t *file, size_t size);
bool tga_probe(const uint8_t *file, size_t size);
int bmp_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out, notes *notes,
               failure *failure);
int tga_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out, notes *notes,
               failure *failure);
