/* SPDX-License-Identifier: MIT
 *
 * scan_dicom_missing.c - replaces the other files of this folder if gdcm was not found when the program was built.
 */
#include "dicom_probe.h"
#include "scan.h"

const scan_format scan_dicom = {
    .name = "DICOM",
    .line = "DICOM  no           built without gdcm",
    .probe = dicom_probe,
    .without = "gdcm",
};
