/* SPDX-License-Identifier: MIT
 *
 * dimacs.c - fuzz target: the DIMACS format of maximum flow.
 */
#include "saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_saved(&graph_format_dimacs, data, size);
}
