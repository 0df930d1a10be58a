/* SPDX-License-Identifier: MIT
 *
 * graph_flow.c - prints the flow of a saved grid, one arc per line, as DIMACS solvers do.
 */
#include <inttypes.h>
#include <stdio.h>

#include "graph_file.h"

/* Prints the flow of a terminal link. A terminal is printed as its number in the file, or as s or t if it has none. */
static void print_terminal(const saved_graph *saved, int64_t node, bool source, int32_t flow)
{
    if (!flow) return;
    if (source && saved->source_id) printf("f %" PRId64 " %" PRId64 " %d\n", saved->source_id, node, flow);
    else if (source) printf("f s %" PRId64 " %d\n", node, flow);
    else if (saved->sink_id) printf("f %" PRId64 " %" PRId64 " %d\n", node, saved->sink_id, flow);
    else printf("f %" PRId64 " t %d\n", node, flow);
}

void graph_print_flow(const saved_graph *saved, const tilecut_flow *carried)
{
    const size_t width = (size_t)saved->width, pixels = saved_graph_pixels(saved);
    const size_t step[TILECUT_LINKS] = {1, width, width + 1, width - 1};
    for (size_t p = 0; p < pixels; p++) {
        const int64_t node = saved_graph_node(saved, p);
        print_terminal(saved, node, true, carried->source[p]);
        print_terminal(saved, node, false, carried->sink[p]);
        for (int k = 0; k < saved->connectivity / 2; k++) {
            const int32_t flow = carried->to[k][p];
            if (!flow) continue;
            const int64_t other = saved_graph_node(saved, p + step[k]);
            printf("f %" PRId64 " %" PRId64 " %d\n", flow > 0 ? node : other, flow > 0 ? other : node,
                   flow > 0 ? flow : -flow);
        }
    }
}
