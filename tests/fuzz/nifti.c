/* SPDX-License-Identifier: MIT
 *
 * nifti.c - fuzz target: NIfTI, with and without gzip.
 */
#include "scan_target.h"

FUZZ_TARGET(decode_scan(&image_nifti, "x.nii", data, size))
