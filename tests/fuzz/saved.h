/* SPDX-License-Identifier: MIT
 *
 * saved.h - makes a format of saved graphs a fuzz target: the input must give a graph that can be solved, with the same
 * result from two solvers, or an error message.
 */
#pragma once

#include <string.h>

#include "fuzz.h"
#include "graph_file.h"

extern const graph_format graph_format_grid, graph_format_dimacs, graph_format_bbk;

static inline void solve_twice(const saved_graph *saved)
{
    enum { MOST = 1024 }; /* limit of pixels, because larger graphs would slow down the fuzzer */
    static uint8_t mask[2][MOST];
    static const char *const solver[2] = {"bk", NULL};
    tilecut_report report[2] = {{0}};
    tilecut_graph *graph = NULL;
    const bool space = saved->connectivity == 6;
    const tilecut_volume_arrays volume = saved_graph_volume(saved);
    const size_t pixels = saved_graph_pixels(saved);

    const tilecut_status made = space ? tilecut_volume_check(&volume) : tilecut_graph_create(&graph, &saved->arrays);
    MUST(made == TILECUT_OK || made == TILECUT_ERANGE);
    for (int i = 0; made == TILECUT_OK && pixels <= MOST && i < 2; i++) {
        tilecut_params params = tilecut_params_default();
        params.solver = solver[i];
        const tilecut_status solved = space ? tilecut_volume_solve(&volume, &params, mask[i], &report[i])
                                            : tilecut_graph_solve(graph, &params, mask[i], &report[i]);
        MUST(solved == TILECUT_OK || solved == TILECUT_ERANGE);
        if (solved != TILECUT_OK) break;
        MUST(report[i].certified && report[i].flow == report[i].cut);
        MUST(i == 0 || (report[0].flow == report[1].flow && !memcmp(mask[0], mask[1], pixels)));
    }
    tilecut_graph_destroy(graph);
}

static inline int decode_saved(const graph_format *format, const uint8_t *data, size_t size)
{
    saved_graph saved = {0};
    failure why = {0};
    if (!format->probe(data, size)) return 0;
    const int status = graph_decode("fuzz", data, size, 1 << 24, NULL, &saved, &why);
    MUST_READ_OR_SAY(status, why);
    if (status == EXIT_DONE) solve_twice(&saved);
    saved_graph_free(&saved);
    return 0;
}
