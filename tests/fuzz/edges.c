/* SPDX-License-Identifier: MIT
 *
 * edges.c - fuzz target: lists of edges, read as a graph and as a bipartite graph.
 */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const network_reading graph = {.most_bytes = 1 << 24}, both = {.most_bytes = 1 << 24, .undirected = true};
    const network_reading sides = {.most_bytes = 1 << 24, .sides = true, .costs = true};
    decode_network(&network_format_edges, &graph, data, size);
    decode_network(&network_format_edges, &both, data, size);
    return decode_network(&network_format_edges, &sides, data, size);
}
