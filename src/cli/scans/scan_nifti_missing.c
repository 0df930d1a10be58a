/* SPDX-License-Identifier: MIT
 *
 * scan_nifti_missing.c - replaces scan_nifti.c if libnifti was not found when the program was built.
 */
#include <string.h>

#include "scan.h"

static bool probe(const uint8_t *begin, size_t size)
{
    return size >= 348 && (!memcmp(begin + 344, "n+1", 4) || !memcmp(begin + 344, "ni1", 4) || !memcmp(begin + 4,
                                                                                                       "n+2", 4));
}

const image_format image_nifti = {
    .name = "NIfTI",
    .slices = "NIfTI  no           built without libnifti",
    .extensions = {"nii.gz", "nii"},
    .probe = probe,
    .without = "libnifti",
    .lossless = true,
    .pixel_bytes = 1,
    .flat = &scan_flat,
};
