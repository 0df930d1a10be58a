/* SPDX-License-Identifier: MIT
 *
 * market.c - fuzz target: Matrix Market files, read as a graph and as a bipartite graph.
 */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const network_reading graph = {.most_bytes = 1 << 24}, both = {.most_bytes = 1 << 24, .undirected = true};
    const network_reading sides = {.most_bytes = 1 << 24, .sides = true, .costs = true};
    const network_reading pairs = {.most_bytes = 1 << 24, .sides = true};
    decode_network(&network_format_market, &pairs, data, size);
    decode_network(&network_format_market, &graph, data, size);
    decode_network(&network_format_market, &both, data, size);
    return decode_network(&network_format_market, &sides, data, size);
}
