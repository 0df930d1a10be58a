/* SPDX-License-Identifier: MIT
 *
 * networks.h - makes a format for graphs of any shape a fuzz target: the input must give a graph on which two solvers
 * agree, or an error message.
 */
#pragma once

#include <string.h>

#include "fuzz.h"
#include "network_file.h"

static inline void solve_network_twice(const saved_network *saved)
{
    enum { MOST = 1024 }; /* limit of nodes and arcs, because larger graphs would slow down the fuzzer */
    static uint8_t side[2][MOST];
    static const char *const solver[2] = {"highest", "levels"};
    const int32_t first[] = {0}, second[] = {1};
    tilecut_network_arcs arcs = arcs_network(&saved->list);
    tilecut_network_report report[2] = {{0}};
    tilecut_network *network = NULL;
    if (!arcs.source_count) {
        arcs.sources = first;
        arcs.sinks = second;
        arcs.source_count = arcs.sink_count = 1;
    }
    const tilecut_status made = tilecut_network_create(&network, &arcs);
    MUST(made == TILECUT_OK || made == TILECUT_ERANGE || (made == TILECUT_EINVAL && arcs.nodes < 2));
    tilecut_status solved[2] = {TILECUT_OK, TILECUT_OK};
    for (int i = 0; made == TILECUT_OK && arcs.nodes <= MOST && arcs.arcs <= MOST && i < 2; i++) {
        const tilecut_network_params params = {.solver = solver[i], .threads = 1};
        solved[i] = tilecut_network_solve(network, &params, side[i], NULL, &report[i]);
        MUST(solved[i] == TILECUT_OK || solved[i] == TILECUT_ERANGE);
    }
    MUST(solved[0] == solved[1] && report[0].flow == report[1].flow);
    if (report[0].certified) MUST(!memcmp(side[0], side[1], (size_t)arcs.nodes));
    tilecut_network_destroy(network);
}

static inline int decode_network(const network_format *format, const network_reading *options, const uint8_t *data,
                                 size_t size)
{
    saved_network saved = {.list = {.most_bytes = options->most_bytes}};
    failure why = {0};
    if (!format->probe(data, size, options)) return 0;
    const int status = format->decode("fuzz", data, size, options, &saved, &why);
    MUST_READ_OR_SAY(status, why);
    for (int64_t a = 0; status == EXIT_DONE && a < saved.list.arcs; a++) {
        MUST(saved.list.tail[a] >= 0 && saved.list.tail[a] < saved.list.nodes);
        MUST(saved.list.head[a] >= 0 && saved.list.head[a] < saved.list.nodes);
        if (options->sides) MUST(saved.list.tail[a] < saved.left && saved.list.head[a] >= saved.left);
    }
    if (status == EXIT_DONE && !options->costs) solve_network_twice(&saved);
    saved_network_free(&saved);
    return 0;
}
