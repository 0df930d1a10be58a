/* SPDX-License-Identifier: MIT
 *
 * tga.c - fuzz target: TGA.
 */
#include "picture.h"

FUZZ_TARGET(decode_picture(&image_tga, data, size))
