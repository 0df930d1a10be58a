/* SPDX-License-Identifier: MIT
 *
 * stack.c - fuzz target: TIFF of several pages as a volume.
 */
#include "scan_target.h"

FUZZ_TARGET(decode_scan(&scan_tiff, "x.tif", data, size))
