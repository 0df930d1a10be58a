/* SPDX-License-Identifier: MIT
 *
 * image_stb.h - reads BMP and TGA for the formats in image_stb.c.
 */
#pragma once

#include "image.h"

bool bmp_probe(const uint8_t *file, size_t size);
bool tga_probe(const uint8_t *file, size_t size);
int bmp_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out, notes *notes,
               failure *failure);
int tga_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out, notes *notes,
               failure *failure);
