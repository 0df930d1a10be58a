// SPDX-License-Identifier: MIT
//
// Threads: run under the thread sanitizer, too.
//
// test_network_peers.cpp - compares all network solvers with libmaxflow (Boykov & Kolmogorov's own code, under the GPL,
// linked into this program only) on random graphs with infinite and zero capacities, parallel arcs, several terminals
// and unreachable nodes: the flow value, the canonical cut, and a valid flow. Matchings are compared with libmaxflow as
// well, and assignments with all choices. Arguments: number of graphs of each kind, first seed. A million take some
// minutes:
//
//     build/release/tests/unit/test_network_peers 1000000
#include "network_peer.h"

enum { NODES = 14, ARCS = 60, SIDE = 40, SMALL = 7 };

static int failures;

static void complain(const char *what, const char *who, unsigned long long seed)
{
    if (failures++ < 20) printf("seed %llu: %s: %s\n", seed, who, what);
}

// ---- flows ----

static void try_flow(unsigned long long seed)
{
    random_network it;
    random_network_draw(&it, seed, NODES, ARCS);
    const size_t nodes = (size_t)it.arcs.nodes;
    std::vector<uint8_t> expected(nodes), side(nodes);
    std::vector<int64_t> flow((size_t)it.arcs.arcs + 1);
    const wide best = peer_flow(it.arcs, expected);
    tilecut_network *network = nullptr;
    if (tilecut_network_create(&network, &it.arcs) != TILECUT_OK) complain("is refused", "network", seed);
    for (int i = 0; network && i < network_cpu_solvers(); i++) {
        const char *const name = tilecut_network_solver_name(i);
        tilecut_network_params params = {};
        tilecut_network_report report = {};
        params.solver = name;
        params.threads = 1 + (int64_t)(seed % 4);
        const tilecut_status status = tilecut_network_solve(network, &params, side.data(), flow.data(), &report);
        if (best < 0) {
            if (status != TILECUT_ERANGE) complain("a flow without limit is not refused", name, seed);
        } else if (status != TILECUT_OK) {
            complain(tilecut_error_detail(), name, seed);
        } else if (report.flow != best || report.cut != best || !report.certified) {
            complain("another flow", name, seed);
        } else if (side != expected) {
            complain("another cut", name, seed);
        } else if (!network_is_flow(&it.arcs, flow.data(), report.flow)) {
            complain("no flow", name, seed);
        }
    }
    tilecut_network_destroy(network);
    random_network_free(&it);
}

// ---- pairs ----

static void try_match(unsigned long long seed)
{
    Edges e;
    draw_edges(e, seed, SIDE, 3 * SIDE);
    const tilecut_network_edges edges = e.given();
    const wide best = peer_pairs(e);
    std::vector<uint8_t> cover((size_t)(e.rows + e.columns)), first;
    for (int i = 0; tilecut_network_matcher_name(i); i++) {
        const char *const name = tilecut_network_matcher_name(i);
        tilecut_network_params params = {};
        tilecut_network_pairs_report report = {};
        if (!runs_here(tilecut_network_matcher_device(i))) continue;
        params.solver = name;
        if (tilecut_network_match(&edges, &params, nullptr, cover.data(), &report) != TILECUT_OK)
            complain(tilecut_error_detail(), name, seed);
        else if (report.pairs != best || !report.certified) complain("another number of pairs", name, seed);
        if (i && cover != first) complain("another cover", name, seed);
        first = cover;
    }
}

static void try_assign(unsigned long long seed)
{
    Edges e;
    draw_edges(e, seed, SMALL, 5 * SMALL);
    if (e.rows > e.columns) return;
    const tilecut_network_edges edges = e.given();
    const int64_t best = cheapest(e);
    for (int i = 0; tilecut_network_assigner_name(i); i++) {
        const char *const name = tilecut_network_assigner_name(i);
        tilecut_network_params params = {};
        tilecut_network_pairs_report report = {};
        if (!runs_here(tilecut_network_assigner_device(i))) continue;
        params.solver = name;
        const tilecut_status status = tilecut_network_assign(&edges, &params, nullptr, nullptr, &report);
        if (status != (best == INT64_MAX ? TILECUT_EINVAL : TILECUT_OK)) complain(tilecut_error_detail(), name, seed);
        else if (status == TILECUT_OK && (report.cost != best || !report.certified))
            complain("another cost", name, seed);
    }
}

int main(int argc, char **argv)
{
    const unsigned long long last = argc > 1 ? strtoull(argv[1], nullptr, 10) : RANDOM_CASES(1000);
    const unsigned long long first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    for (unsigned long long seed = first; seed < first + last; seed++) {
        try_flow(seed);
        try_match(seed);
        try_assign(seed);
    }
    printf("networks against libmaxflow: seeds from %llu on, flows, pairs and costs of %llu, %d failed\n", first, last,
           failures);
    return failures != 0;
}
