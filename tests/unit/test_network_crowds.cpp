// SPDX-License-Identifier: MIT
//
// test_network_crowds.cpp - solves the random graphs of test_network_peers a thousand at a time: one call takes them
// side by side, without arcs between them. Every solver, also those of a device if there is one, must give each graph
// the flow, cut, number of pairs and cost that libmaxflow or trying all choices gives it alone. A device needs as long
// for one graph as for a thousand, so this tries a million in minutes; every 256th seed is also tried alone. Arguments:
// number of seeds of each kind, first seed, graphs in a call, and `times` to print the time of each solver:
//
//     build/release-cuda/tests/unit/test_network_crowds 1000000 1 200
#include <algorithm>
#include <map>
#include <string>

#include "network_peer.h"

enum { NODES = 14, ARCS = 60, SIDE = 40, SMALL = 7, ALONE = 256, FEW = 32, NARROW = 40, SHIFT = 16 };

static int failures;
static long long answers, alone; // counts every graph once for each solver; `alone` counts those solved one by one
static std::map<std::string, double> took;

// Counts an answer of a solver to `members` graphs.
static void count(const char *who, int64_t members, double ms)
{
    answers += members;
    alone += members == 1;
    took[who] += ms;
}

static void complain(const char *what, const char *who, unsigned long long seed)
{
    if (failures++ < 20) printf("crowd of seed %llu: %s: %s\n", seed, who, what);
}

// ---- flows ----

// Several networks side by side: the nodes of each follow those of the one before.
struct Crowd {
    std::vector<int32_t> tail, head, source, sink;
    std::vector<int64_t> capacity;
    std::vector<uint8_t> side; // the peer's cut
    wide flow = 0;
    int members = 0;
};

// Shortens capacities of more than 40 bits, so that the sum over all networks stays within 62 bits.
static void narrow(random_network &it)
{
    bool broad = false;
    for (int64_t a = 0; a < it.arcs.arcs; a++)
        broad |= it.capacity[a] != TILECUT_INFINITE && it.capacity[a] >> NARROW;
    for (int64_t a = 0; broad && a < it.arcs.arcs; a++) it.capacity[a] >>= SHIFT;
}

// Adds a network, unless its flow is infinite, which would make the flow of all infinite.
static void join(Crowd &all, unsigned long long seed)
{
    random_network it;
    random_network_draw(&it, seed, NODES, ARCS);
    narrow(it);
    std::vector<uint8_t> side((size_t)it.arcs.nodes);
    const wide flow = peer_flow(it.arcs, side);
    const int32_t base = (int32_t)all.side.size();
    for (int64_t a = 0; flow >= 0 && a < it.arcs.arcs; a++) {
        all.tail.push_back(base + it.arcs.tail[a]);
        all.head.push_back(base + it.arcs.head[a]);
        all.capacity.push_back(it.arcs.capacity ? it.arcs.capacity[a] : 1);
    }
    for (int64_t i = 0; flow >= 0 && i < it.arcs.source_count; i++) all.source.push_back(base + it.arcs.sources[i]);
    for (int64_t i = 0; flow >= 0 && i < it.arcs.sink_count; i++) all.sink.push_back(base + it.arcs.sinks[i]);
    if (flow >= 0) {
        all.side.insert(all.side.end(), side.begin(), side.end());
        all.flow += flow;
        all.members++;
    }
    random_network_free(&it);
}

static tilecut_network_arcs arcs_of(const Crowd &all)
{
    tilecut_network_arcs arcs;
    std::memset(&arcs, 0, sizeof arcs);
    arcs.nodes = (int64_t)all.side.size();
    arcs.arcs = (int64_t)all.tail.size();
    arcs.tail = all.tail.data();
    arcs.head = all.head.data();
    arcs.capacity = all.capacity.data();
    arcs.sources = all.source.data();
    arcs.source_count = (int64_t)all.source.size();
    arcs.sinks = all.sink.data();
    arcs.sink_count = (int64_t)all.sink.size();
    return arcs;
}

static const char *flow_fault(tilecut_network *network, const tilecut_network_arcs &arcs, const Crowd &all,
                              const tilecut_network_params &params, tilecut_network_report &report)
{
    std::vector<uint8_t> side(all.side.size());
    std::vector<int64_t> flow(all.tail.size() + 1);
    if (tilecut_network_solve(network, &params, side.data(), flow.data(), &report) != TILECUT_OK)
        return tilecut_error_detail();
    if (report.flow != all.flow || report.cut != all.flow || !report.certified) return "another flow";
    if (strcmp(report.solver, params.solver)) return "not the solver that was asked for";
    if (side != all.side) return "another cut";
    return network_is_flow(&arcs, flow.data(), report.flow) ? nullptr : "no flow";
}

// MPM empties one node after the other, wherever they are, so a crowd takes as long as its members one by one.
static bool one_by_one(const char *solver)
{
    return !strncmp(solver, "network-mpm", 11);
}

static void try_flows(unsigned long long first, int size, bool in_turn)
{
    Crowd all;
    for (int k = 0; k < size; k++) join(all, first + (unsigned)k);
    if (!all.members) return;
    const tilecut_network_arcs arcs = arcs_of(all);
    tilecut_network *network = nullptr;
    if (tilecut_network_create(&network, &arcs) != TILECUT_OK) complain(tilecut_error_detail(), "network", first);
    for (int i = 0; network && tilecut_network_solver_name(i); i++) {
        tilecut_network_params params = {};
        params.solver = tilecut_network_solver_name(i);
        params.threads = 1 + (int64_t)(first % 4);
        if (one_by_one(params.solver) != in_turn || !runs_here(tilecut_network_solver_device(i))) continue;
        tilecut_network_report report = {};
        const char *const fault = flow_fault(network, arcs, all, params, report);
        if (fault) complain(fault, params.solver, first);
        count(params.solver, all.members, report.solve_ms);
    }
    tilecut_network_destroy(network);
}

// ---- pairs ----

// Adds the edges of one more graph; its rows and columns follow the existing ones.
static void add(Edges &all, const Edges &one)
{
    for (size_t k = 0; k < one.row.size(); k++) {
        all.row.push_back(all.rows + one.row[k]);
        all.column.push_back(all.columns + one.column[k]);
        all.cost.push_back(one.cost[k]);
    }
    all.rows += one.rows;
    all.columns += one.columns;
}

// Checks that the cover of each graph has as many nodes as the peer found pairs.
static const char *cover_fault(const std::vector<uint8_t> &cover, const Edges &all, const std::vector<Edges> &members,
                               const std::vector<wide> &pairs)
{
    size_t row = 0, column = (size_t)all.rows;
    for (size_t m = 0; m < members.size(); m++) {
        wide touched = 0;
        for (int r = 0; r < members[m].rows; r++) touched += cover[row++];
        for (int c = 0; c < members[m].columns; c++) touched += cover[column++];
        if (touched != pairs[m]) return "a cover of another size";
    }
    return nullptr;
}

static void try_matches(unsigned long long first, int size)
{
    Edges all;
    std::vector<Edges> members((size_t)size);
    std::vector<wide> pairs;
    wide most = 0;
    for (int k = 0; k < size; k++) {
        draw_edges(members[(size_t)k], first + (unsigned)k, SIDE, 3 * SIDE);
        pairs.push_back(peer_pairs(members[(size_t)k]));
        most += pairs.back();
        add(all, members[(size_t)k]);
    }
    const tilecut_network_edges edges = all.given();
    std::vector<uint8_t> cover((size_t)(all.rows + all.columns)), before;
    for (int i = 0; tilecut_network_matcher_name(i); i++) {
        tilecut_network_params params = {};
        tilecut_network_pairs_report report = {};
        params.solver = tilecut_network_matcher_name(i);
        if (!runs_here(tilecut_network_matcher_device(i))) continue;
        const char *fault = nullptr;
        if (tilecut_network_match(&edges, &params, nullptr, cover.data(), &report) != TILECUT_OK)
            fault = tilecut_error_detail();
        else if (report.pairs != most || !report.certified) fault = "another number of pairs";
        else if (!before.empty() && cover != before) fault = "another cover";
        else fault = cover_fault(cover, all, members, pairs);
        if (fault) complain(fault, params.solver, first);
        before = cover;
        count(params.solver, size, report.solve_ms);
    }
}

static void try_assignments(unsigned long long first, int size)
{
    Edges all;
    int64_t best = 0, members = 0;
    for (int k = 0; k < size; k++) {
        Edges one;
        draw_edges(one, first + (unsigned)k, SMALL, 5 * SMALL);
        const int64_t least = one.rows > one.columns ? INT64_MAX : cheapest(one);
        if (least == INT64_MAX) continue;
        best += least;
        members++;
        add(all, one);
    }
    if (!members) return;
    const tilecut_network_edges edges = all.given();
    for (int i = 0; tilecut_network_assigner_name(i); i++) {
        tilecut_network_params params = {};
        tilecut_network_pairs_report report = {};
        params.solver = tilecut_network_assigner_name(i);
        if (!runs_here(tilecut_network_assigner_device(i))) continue;
        if (tilecut_network_assign(&edges, &params, nullptr, nullptr, &report) != TILECUT_OK)
            complain(tilecut_error_detail(), params.solver, first);
        else if (report.cost != best || !report.certified) complain("another cost", params.solver, first);
        count(params.solver, members, report.solve_ms);
    }
}

static void try_crowd(unsigned long long first, int size)
{
    try_flows(first, size, false);
    for (int done = 0; done < size; done += FEW) try_flows(first + (unsigned)done, std::min(size - done, +FEW), true);
    try_matches(first, size);
    try_assignments(first, size);
}

int main(int argc, char **argv)
{
    const unsigned long long seeds = argc > 1 ? strtoull(argv[1], nullptr, 10) : RANDOM_CASES(2000);
    const unsigned long long first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    const int size = argc > 3 ? atoi(argv[3]) : 1000;
    for (unsigned long long done = 0; done < seeds; done += (unsigned)size)
        try_crowd(first + done, seeds - done < (unsigned)size ? (int)(seeds - done) : size);
    for (unsigned long long seed = first; seed < first + seeds; seed += ALONE) try_crowd(seed, 1);
    printf("networks in crowds: seeds from %llu on, flows, pairs and costs of %llu, %lld answers of solvers, %lld of "
           "them without a crowd, %d failed\n",
           first, seeds, answers, alone, failures);
    for (const auto &one : took)
        if (argc > 4) printf("  %-28s %12.1f ms\n", one.first.c_str(), one.second);
    return failures != 0;
}
