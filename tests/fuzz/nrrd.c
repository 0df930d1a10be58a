/* SPDX-License-Identifier: MIT
 *
 * nrrd.c - fuzz target: NRRD, raw and compressed.
 */
#include "scan_target.h"

FUZZ_TARGET(decode_scan(&image_nrrd, "x.nrrd", data, size))
