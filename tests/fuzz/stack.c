/* SPDX-License-Identifier: MIT
 *
 * stack.c - fuzz target: TIFF of several pages as a volume.
 */
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_scan(&scan_tiff, "x.tif", data, size);
}
