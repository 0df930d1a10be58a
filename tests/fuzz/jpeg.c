/* SPDX-License-Identifier: MIT
 *
 * jpeg.c - fuzz target: JPEG.
 */
#include "picture.h"

FUZZ_TARGET(decode_picture(&image_jpeg, data, size))
