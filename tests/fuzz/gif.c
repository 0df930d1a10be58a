/* SPDX-License-Identifier: MIT
 *
 * gif.c - fuzz target: GIF.
 */
#include "picture.h"

FUZZ_TARGET(decode_picture(&image_gif, data, size))
