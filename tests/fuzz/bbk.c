/* SPDX-License-Identifier: MIT
 *
 * bbk.c - fuzz target: the .bbk format.
 */
#include "saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_saved(&graph_format_bbk, data, size);
}
