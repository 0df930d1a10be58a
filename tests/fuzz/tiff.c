/* SPDX-License-Identifier: MIT
 *
 * tiff.c - fuzz target: TIFF.
 */
#include "picture.h"

FUZZ_TARGET(decode_picture(&image_tiff, data, size))
