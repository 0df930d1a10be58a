/* SPDX-License-Identifier: MIT
 *
 * meta.c - fuzz target: MetaImage.
 */
#include "scan_target.h"

FUZZ_TARGET(decode_scan(&image_meta, "x.mha", data, size))
