/* SPDX-License-Identifier: MIT
 *
 * pnm.c - fuzz target: PNM.
 */
#include "picture.h"

FUZZ_TARGET(decode_picture(&image_pnm, data, size))
