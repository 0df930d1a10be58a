/* SPDX-License-Identifier: MIT
 *
 * pnm.c - fuzz target: PNM, as a photo and as a volume of all pictures.
 */
#include "picture.h"
#include "scan_target.h"

FUZZ_TARGET(decode_picture(&image_pnm, data, size) + decode_slices(&image_pnm, data, size))
