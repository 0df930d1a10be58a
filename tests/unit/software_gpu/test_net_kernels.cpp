// SPDX-License-Identifier: MIT
//
// test_net_kernels.cpp - the solvers of networks on a GPU made of software (cuda_runtime.h beside this): flow, cut and
// certificate of random networks are those of `highest`.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "net_kernel.cuh"

#include "net_cut.h"
#include "random_network.h"

/* A network as device_net has it, full of what must not matter. */
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

/* network-cuda, with a few rounds in each launch. */
static const char *try_lists(soft_net &soft, uint64_t seed)
{
    const size_t nodes = (size_t)soft.view.nodes;
    std::vector<int> list[4], population(nodes + 1, -7);
    net_progress state = {};
    const tc_net_schedule plan = {1, seed % 3 ? 100 : 3000, 1 + (int)(seed % 5), (int)(seed % 2), seed % 4 ? 300 : 20};
    for (std::vector<int> &one : list) one.assign(nodes, -7);
    const net_work w = {soft.view, list[0].data(), list[1].data(), list[2].data(), list[3].data(), population.data(),
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

/* Solves it in software. Returns what is wrong. */
static const char *try_network(const tilecut_network *network, uint64_t seed, const uint8_t *side, int64_t flow)
{
    std::vector<uint8_t> found((size_t)network->arcs.nodes);
    tc_net_proof proof;
    tc_net net;
    if (tc_net_init(&net, network, 1) != TILECUT_OK) return "no memory";
    soft_net soft(net);
    const char *wrong = try_lists(soft, seed);
    if (!wrong && tc_net_cut(&net, network, found.data()) != TILECUT_OK) wrong = "no memory";
    if (!wrong && tc_net_certify(&net, network, found.data(), &proof) != TILECUT_OK) wrong = tilecut_error_detail();
    if (!wrong && proof.flow != flow) wrong = "another flow";
    if (!wrong && memcmp(found.data(), side, found.size())) wrong = "another cut";
    tc_net_free(&net);
    return wrong;
}

/* Reads a random network, and its answer by a CPU. `solved`: it has one, as its flow has a limit. */
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
    if (*solved) wrong = try_network(network, seed, side.data(), report.flow);
    tilecut_network_destroy(network);
    random_network_free(&it);
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
    printf("%d networks solved by a GPU in software, %d wrong\n", tried, failed);
    return failed || !tried ? 1 : 0;
}
