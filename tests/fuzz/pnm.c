/* SPDX-License-Identifier: MIT
 *
 * pnm.c - fuzz target: PNM.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_pnm, data, size);
}
