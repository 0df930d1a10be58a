/* SPDX-License-Identifier: MIT
 *
 * bmp.c - fuzz target: BMP.
 */
#include "picture.h"

FUZZ_TARGET(decode_picture(&image_bmp, data, size))
