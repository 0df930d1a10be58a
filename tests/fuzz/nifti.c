/* SPDX-License-Identifier: MIT
 *
 * nifti.c - fuzz target: NIfTI, packed by gzip or not.
 */
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_scan(&scan_nifti, "x.nii", data, size);
}
