/* SPDX-License-Identifier: MIT
 *
 * scan_dicom_missing.c - replaces the other files of this folder if gdcm was not found when the program was built.
 */
#include "dicom_probe.h"
#include "scan.h"

const image_format image_dicom = {
    .name = "DICOM",
    .slices = "DICOM  no           built without gdcm",
    .probe = dicom_probe,
    .without = "gdcm",
    .flat = &scan_flat,
};
