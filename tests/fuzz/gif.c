/* SPDX-License-Identifier: MIT
 *
 * gif.c - fuzz target: GIF, as a photo and as a volume of all frames.
 */
#include "picture.h"
#include "scan_target.h"

FUZZ_TARGET(decode_picture(&image_gif, data, size) + decode_slices(&image_gif, data, size))
