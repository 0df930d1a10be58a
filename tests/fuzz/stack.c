/* SPDX-License-Identifier: MIT
 *
 * stack.c - fuzz target: TIFF files of several pages, read as a volume.
 */
#include "scan_target.h"

FUZZ_TARGET(decode_scan(&image_tiff, "x.tif", data, size))
