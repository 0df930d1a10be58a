/* SPDX-License-Identifier: MIT
 *
 * meta.c - fuzz target: MetaImage.
 */
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_scan(&scan_meta, "x.mha", data, size);
}
