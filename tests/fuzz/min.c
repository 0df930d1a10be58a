/* SPDX-License-Identifier: MIT
 *
 * min.c - fuzz target: the DIMACS format of minimum-cost flows.
 */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const network_reading sides = {.most_bytes = 1 << 24, .sides = true, .costs = true};
    return decode_network(&network_format_min, &sides, data, size);
}
