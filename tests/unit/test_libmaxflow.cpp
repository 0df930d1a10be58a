// SPDX-License-Identifier: MIT
//
// Threads: run under the thread sanitizer, too.
//
// test_libmaxflow.cpp - compares all solvers with libmaxflow (Boykov & Kolmogorov's own code, under the GPL, linked
// into this program only) on thousands of random grids, with 1 to 4 threads and both neighbourhoods: the same flow, the
// same mask, and a mask whose cost by the definition equals the flow. Arguments: number of grids, first seed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <maxflow/graph.h>
#include <maxflow/graph.cpp>

#include "random_graph.h"

extern "C" {
#include "solver.h"
}

typedef maxflow::Graph<int, int, long long> peer;

static long long peer_solve(const random_graph &g, std::vector<uint8_t> &mask)
{
    static const int dx[] = {1, 0, 1, -1}, dy[] = {0, 1, 1, 1};
    const tilecut_arrays &a = g.arrays;
    peer graph(a.width * a.height, 4 * a.width * a.height);
    graph.add_node(a.width * a.height);
    for (int y = 0; y < a.height; y++) {
        for (int x = 0; x < a.width; x++) {
            const int p = y * a.width + x;
            graph.add_tweights(p, a.source[p], a.sink[p]);
            for (int k = 0; k < g.connectivity / 2; k++) {
                const int qx = x + dx[k], qy = y + dy[k];
                if (qx < 0 || qx >= a.width || qy >= a.height) continue;
                const int32_t *from = a.from[k] ? a.from[k] : a.to[k];
                graph.add_edge(p, qy * a.width + qx, a.to[k][p], from[p]);
            }
        }
    }
    const long long flow = graph.maxflow();
    for (size_t p = 0; p < mask.size(); p++)
        mask[p] = graph.what_segment((int)p) == peer::SOURCE ? 255 : 0;
    return flow;
}

int main(int argc, char **argv)
{
    const uint64_t last = argc > 1 ? strtoull(argv[1], nullptr, 10) : RANDOM_CASES(2000);
    const uint64_t first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    long long cases = 0, failed = 0;
    for (uint64_t seed = first; seed < first + last; seed++) {
        random_graph graph;
        random_graph_draw(&graph, seed, seed % 4 ? 24 : 70, seed % 4 ? 24 : 50);
        const size_t n = (size_t)graph.arrays.width * (size_t)graph.arrays.height;
        std::vector<uint8_t> expected(n), mask(n);
        const long long flow = peer_solve(graph, expected);
        if (mask_cost(&graph.arrays, graph.connectivity, expected.data()) != flow) {
            printf("seed %llu: the mask of libmaxflow costs another sum than its flow\n", (unsigned long long)seed);
            return 1;
        }
        tilecut_graph *g = nullptr;
        if (tilecut_graph_create(&g, &graph.arrays) != TILECUT_OK) {
            printf("seed %llu: %s\n", (unsigned long long)seed, tilecut_error_detail());
            return 1;
        }
        for (const tc_solver *solver = tc_solvers; solver->name; solver++) {
            if (graph.connectivity == 8 && !(solver->can & TC_SOLVES_8)) continue;
            tilecut_params params = tilecut_params_default();
            tilecut_report report = {};
            params.solver = solver->name;
            /* the number of threads is independent of the size, which depends on seed % 4 */
            params.threads = 1 + (int)(seed / 4 % 4);
            const tilecut_status status = tilecut_graph_solve(g, &params, mask.data(), &report);
            if (status == TILECUT_ENODEVICE) continue;
            cases++;
            if (status == TILECUT_OK && report.flow == flow && mask == expected) continue;
            failed++;
            printf("%s: seed %llu, %dx%d, %d neighbours: %s\n", solver->name, (unsigned long long)seed,
                   graph.arrays.width, graph.arrays.height, graph.connectivity,
                   status != TILECUT_OK ? tilecut_error_detail()
                   : report.flow != flow ? "another flow than libmaxflow"
                                         : "another mask than libmaxflow");
        }
        tilecut_graph_destroy(g);
        random_graph_free(&graph);
    }
    printf("libmaxflow: %lld passed, %lld failed\n", cases - failed, failed);
    return failed != 0;
}
