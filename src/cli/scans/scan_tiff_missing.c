/* SPDX-License-Identifier: MIT
 *
 * scan_tiff_missing.c - replaces scan_tiff.c if libtiff was not found when the program was built.
 */
#include "scan.h"

const scan_format scan_tiff = {
    .name = "TIFF",
    .line = "TIFF  no            built without libtiff",
    .extensions = {".tiff", ".tif"},
    .without = "libtiff",
};
