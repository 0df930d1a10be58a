// SPDX-License-Identifier: MIT
//
// test_net_kernels.cpp - network solvers on a simulated GPU (cuda_runtime.h in this folder): flow, cut and certificate
// of random networks equal those of `highest`.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mpm_kernel.cuh"
#include "net_kernel.cuh"
#include "paper_kernels.cuh"
#include "sorted_rows.cuh"

#include "net_cut.h"
#include "random_network.h"

/* A network in the form of device_net, filled with values that must not matter. */
struct soft_net {
    net_view view;
    std::vector<long long> excess;
    std::vector<int> height;

    explicit soft_net(const tc_net &net)
    {
        const size_t nodes = (size_t)net.nodes;
        excess.assign(nodes, 0), height.assign(nodes, -7);
        view = {net.nodes, net.source, net.sink, net.first, net.slot, excess.data(), height.data()};
        soft_launch({2}, {64}, true, [&] { saturate_kernel(view); });
    }
};

/* Runs network-cuda with a few rounds in each launch. */
static const char *try_lists(soft_net &soft, uint64_t seed)
{
    const size_t nodes = (size_t)soft.view.nodes;
    std::vector<int> list[4];
    net_progress state = {};
    tc_net_schedule plan = {};
    plan.round_cost = 1;
    plan.push_share = seed % 3 ? 100 : 3000;
    plan.tries = 1 + (int)(seed % 5);
    plan.slice = seed % 4 ? 300 : 20;
    for (std::vector<int> &one : list) one.assign(nodes, -7);
    const net_work w = {soft.view, list[0].data(), list[1].data(), list[2].data(), list[3].data(),
                        seed % 2 ? 20 : NET_HUB, &state};
    for (int launch = 0; !state.done; launch++) {
        if (launch == 200) return "no end";
        state.launch = {};
        soft_launch({1 + (unsigned)(seed % 3)}, {64}, true, [&] {
            if (seed % 3 == 0) net_kernel<4>(w, plan);
            else if (seed % 3 == 1) net_kernel<8>(w, plan);
            else net_kernel<32>(w, plan);
        });
    }
    return NULL;
}

enum { WAYS = 5 };

/* Runs the loop of the papers: a kernel, then heights computed by the host. */
template <class Layout> static const char *try_layout(const Layout &l, const tc_net &net, uint64_t seed)
{
    const size_t nodes = (size_t)net.nodes;
    std::vector<long long> excess(nodes, 0);
    std::vector<int> height(nodes), queue(nodes), list(nodes, -7);
    paper_nodes::paper_count count;
    const paper_nodes n = {net.nodes, net.source, net.sink, excess.data(), height.data(), list.data(), &count};
    saturate_on_host(l, net.source, net.sink, excess.data());
    for (int turn = 0; relabel_on_host(l, n.nodes, n.source, n.sink, excess.data(), height.data(), queue.data());) {
        if (turn++ == 2000) return "no end";
        memset(&count, 0, sizeof count);
        soft_launch({1 + (unsigned)(seed % 3)}, {64}, true, [&] {
            if (seed % 2) thread_kernel(l, n, 20);
            else vertex_kernel(l, n, 20);
        });
        if (!count.steps) return "nothing moved";
    }
    return NULL;
}

static const char *try_rcsr(tc_net &net, uint64_t seed)
{
    tc_rcsr rows;
    if (tc_rcsr_init(&rows, &net, 1) != TILECUT_OK) return "no memory";
    const rcsr l = {rows.first, rows.back, rows.head, rows.tail, rows.arc, (long long *)rows.room,
                    (long long *)rows.used};
    const char *const wrong = try_layout(l, net, seed);
    tc_rcsr_hand_back(&rows, &net, 1);
    tc_rcsr_free(&rows);
    return wrong;
}

static const char *try_bcsr(tc_net &net, uint64_t seed)
{
    sorted_rows rows;
    if (rows_init(&rows, &net) != TILECUT_OK) return "no memory";
    const bcsr l = {net.first, rows.head, rows.pair, rows.room};
    const char *const wrong = try_layout(l, net, seed);
    for (int i = 0; i < net.first[net.nodes]; i++) net.slot[rows.slot[i]].room = rows.room[i];
    rows_free(&rows);
    return wrong;
}

static const char *try_mpm(tc_net &net, uint64_t seed)
{
    const size_t nodes = (size_t)net.nodes;
    std::vector<long long> excess(nodes, 0);
    std::vector<int> layer(nodes, -7), alive(nodes, -7), dirty(nodes, -7), order(nodes + 2), begin(nodes + 2);
    std::vector<unsigned long long> potential(nodes);
    mpm_state state = {};
    const mpm_work w = {{net.nodes, net.source, net.sink, net.first, net.slot, excess.data(), layer.data()},
                        alive.data(), dirty.data(), potential.data(), order.data(), begin.data(), &state};
    for (int launch = 0; !state.done; launch++) {
        if (launch == 2000) return "no end";
        state.launch = {};
        soft_launch({1 + (unsigned)(seed % 3)}, {64}, true, [&] {
            if (seed % 2) mpm_kernel<true>(w, seed % 4 == 1 ? 60 : 10000);
            else mpm_kernel<false>(w, seed % 4 ? 60 : 10000);
        });
    }
    return NULL;
}

static const char *try_way(tc_net &net, int way, uint64_t seed)
{
    if (way == 1) return try_layout(stored_mates{net.first, net.slot}, net, seed);
    if (way == 2) return try_rcsr(net, seed);
    if (way == 3) return try_bcsr(net, seed);
    if (way == 4) return try_mpm(net, seed);
    soft_net soft(net);
    return try_lists(soft, seed);
}

/* Solves the network on the simulated GPU with one of the methods. Returns what is wrong, or NULL. */
static const char *try_network(const tilecut_network *network, int way, uint64_t seed, const uint8_t *side,
                               int64_t flow)
{
    std::vector<uint8_t> found((size_t)network->arcs.nodes);
    tc_net_proof proof;
    tc_net net;
    if (tc_net_init(&net, network, 1) != TILECUT_OK) return "no memory";
    const char *wrong = try_way(net, way, seed);
    if (!wrong && tc_net_cut(&net, network, found.data(), 1) != TILECUT_OK) wrong = "no memory";
    if (!wrong && tc_net_certify(&net, network, found.data(), 1, &proof) != TILECUT_OK) wrong = tilecut_error_detail();
    if (!wrong && proof.flow != flow) wrong = "another flow";
    if (!wrong && memcmp(found.data(), side, found.size())) wrong = "another cut";
    tc_net_free(&net);
    return wrong;
}

/* Draws a random network and solves it on the CPU and on the simulated GPU. *solved is false if its flow is infinite.
 * Returns what is wrong, or NULL. */
static const char *try_seed(uint64_t seed, bool *solved)
{
    static const int sizes[][2] = {{6, 12}, {40, 120}, {300, 900}, {30, 2500}, {2000, 5000}};
    const int *size = sizes[seed % 5];
    const tilecut_network_params params = {0, "highest", NULL, 1};
    tilecut_network_report report = {};
    tilecut_network *network = NULL;
    random_network it;
    const char *wrong = NULL;
    random_network_draw(&it, seed, size[0], size[1]);
    std::vector<uint8_t> side((size_t)it.arcs.nodes);
    *solved = tilecut_network_create(&network, &it.arcs) == TILECUT_OK &&
              tilecut_network_solve(network, &params, side.data(), NULL, &report) == TILECUT_OK;
    for (int way = 0; way < WAYS && *solved && !wrong; way++)
        if (!way || way == 1 + (int)(seed / 5 % (WAYS - 1)))
            wrong = try_network(network, way, seed, side.data(), report.flow);
    tilecut_network_destroy(network);
    random_network_free(&it);
    return wrong;
}

/* Solves a chain with more layers than a launch of `mpm` has steps. */
static const char *try_chain(uint64_t seed)
{
    enum { NODES = 80, LEAST = 3 };
    const int32_t source = 0, sink = NODES - 1;
    std::vector<int32_t> tail, head;
    std::vector<int64_t> capacity;
    std::vector<uint8_t> side(NODES, 0);
    tilecut_network_arcs arcs = {};
    tilecut_network *network = NULL;
    for (int32_t v = 0; v < sink; v++)
        tail.push_back(v), head.push_back(v + 1), capacity.push_back(v == NODES / 2 ? LEAST : LEAST + 1);
    for (int32_t v = 0; v <= NODES / 2; v++) side[(size_t)v] = 255;
    arcs.nodes = NODES, arcs.arcs = sink, arcs.tail = tail.data(), arcs.head = head.data();
    arcs.capacity = capacity.data();
    arcs.sources = &source, arcs.sinks = &sink, arcs.source_count = arcs.sink_count = 1;
    if (tilecut_network_create(&network, &arcs) != TILECUT_OK) return tilecut_error_detail();
    const char *const wrong = try_network(network, 4, seed, side.data(), LEAST);
    tilecut_network_destroy(network);
    return wrong;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 60;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int tried = 0, failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        bool solved;
        const char *const wrong = try_seed(seed, &solved);
        if (wrong) printf("seed %llu: %s\n", (unsigned long long)seed, wrong), failed++;
        tried += solved;
    }
    for (uint64_t seed = 1; seed < 3; seed++) {
        const char *const wrong = try_chain(seed);
        if (wrong) printf("chain, %llu: %s\n", (unsigned long long)seed, wrong), failed++;
        tried++;
    }
    printf("%d networks solved by a GPU in software, %d wrong\n", tried, failed);
    return failed || !tried ? 1 : 0;
}
