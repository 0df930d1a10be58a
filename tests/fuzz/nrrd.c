/* SPDX-License-Identifier: MIT
 *
 * nrrd.c - fuzz target: NRRD, raw and packed.
 */
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_scan(&scan_nrrd, "x.nrrd", data, size);
}
