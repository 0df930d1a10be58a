/* SPDX-License-Identifier: MIT
 *
 * net_solver.c - the table of network solvers, and the choice for `auto`.
 */
#include "net_solver.h"

#include <stdlib.h>
#include <string.h>

#include "thread_pool.h"
#include "cuda_network.h"
#include "status.h"
#include "table.h"

const tc_net_solver tc_net_solvers[] = {
#define NET_SOLVER(name, function, can, summary) {name, summary, can, function},
#include "net_solvers.def"
#undef NET_SOLVER
#define CUDA_NETWORK(name, function, can, summary) {name, summary, (can) | TC_NET_CUDA, function},
#include "cuda_network.def"
#undef CUDA_NETWORK
    {NULL, NULL, 0, NULL},
};

TC_TEXT_OF_ROW(tilecut_network_solver_name, tc_net_solvers, name)
TC_TEXT_OF_ROW(tilecut_network_solver_summary, tc_net_solvers, summary)

const char *tilecut_network_solver_device(int index)
{
    if (!tilecut_network_solver_name(index)) return NULL;
    return tc_net_solvers[index].can & TC_NET_CUDA ? "cuda" : "cpu";
}

const tc_net_solver *tc_net_solver_find(const char *name)
{
    for (const tc_net_solver *row = tc_net_solvers; row->name; row++)
        if (!strcmp(row->name, name)) return row;
    return NULL;
}

/* Returns an upper bound of the flow: the sum, over the neighbours of a terminal, of the flow that both the arc to the
 * terminal and the arcs beyond can carry. `mates` is for the sink: then the residual capacities of mates are read,
 * because arcs lead towards it. Ends early above `enough`. */
static int64_t second_ring(const tc_net *net, int32_t terminal, bool mates, int64_t enough)
{
    int64_t sum = 0;
    for (int32_t i = net->first[terminal]; i < net->first[terminal + 1] && sum <= enough; i++) {
        const tc_slot *near = &net->slot[i];
        const int64_t room = mates ? net->slot[near->mate].room : near->room;
        int64_t beyond = 0;
        for (int32_t k = net->first[near->head]; k < net->first[near->head + 1] && beyond < room; k++) {
            const int64_t more = mates ? net->slot[net->slot[k].mate].room : net->slot[k].room;
            beyond = more < room - beyond ? beyond + more : room;
        }
        if (__builtin_add_overflow(sum, beyond, &sum)) return INT64_MAX;
    }
    return sum;
}

/* True if the flow is small. Blocking flows take a phase for each length of path, and no more phases than the flow has
 * units. So for a small flow they are faster than push-relabel, which has to return excess that found no path. */
static bool flow_is_small(const tc_net *net)
{
    enum { SMALL = 1000, NODES_A_UNIT = 10 };
    const int64_t small = net->nodes / NODES_A_UNIT < SMALL ? net->nodes / NODES_A_UNIT : SMALL;
    return second_ring(net, net->source, false, small) <= small || second_ring(net, net->sink, true, small) <= small;
}

/* True if v has an arc to the head of `slot` and another arc from it. */
static bool goes_both_ways(const tc_net *net, int32_t v, const tc_slot *slot)
{
    for (int32_t k = net->first[v]; k < net->first[v + 1]; k++)
        if (net->slot[k].head == slot->head && !net->slot[k].room != !slot->room) return true;
    return false;
}

/* True if most arcs of a sample of nodes have an arc that goes back, as in the graph of an image. */
static bool mostly_both_ways(const tc_net *net)
{
    enum { SAMPLE = 64, MOST_SLOTS = 64 };
    const int32_t step = net->nodes / SAMPLE + 1;
    int64_t both = 0, all = 0;
    for (int32_t v = 0; v < net->nodes; v += step) {
        const int32_t first = net->first[v], last = net->first[v + 1];
        const int32_t end = last - first < MOST_SLOTS ? last : first + MOST_SLOTS;
        for (int32_t i = first; i < end; i++) {
            const tc_slot *slot = &net->slot[i];
            if (slot->head == net->source || slot->head == net->sink || v == net->source || v == net->sink) continue;
            all++;
            both += goes_both_ways(net, v, slot);
        }
    }
    return 2 * both > all;
}

/* True if paths are short, where search trees are fast: if a terminal has arcs to many nodes, nodes have few other
 * arcs, and flow may go either way along them. */
static bool paths_are_short(const tc_net *net)
{
    enum { NODES_A_TERMINAL = 16, MANY_SLOTS = 24 };
    const int64_t nodes = net->nodes, slots = net->first[net->nodes];
    const int64_t source = net->first[net->source + 1] - net->first[net->source];
    const int64_t sink = net->first[net->sink + 1] - net->first[net->sink];
    return source + sink >= nodes / NODES_A_TERMINAL && source && sink && slots <= MANY_SLOTS * nodes &&
           mostly_both_ways(net);
}

/* Returns the number of nodes to or from which v has arcs. Marks them in `seen` with `mark`, a number that was not used
 * before. */
static int32_t neighbours(const tc_net *net, int32_t v, int32_t *seen, int32_t mark)
{
    int32_t count = 0;
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        if (seen[net->slot[i].head] == mark) continue;
        seen[net->slot[i].head] = mark;
        count++;
    }
    return count;
}

/* True if nodes have arcs to and from a good part of all others. Then paths are a few arcs long, and few blocking
 * flows are needed. Parallel arcs count once: a chain of few nodes with thousands of arcs from each to the next is
 * not dense. */
static bool is_dense(const tc_net *net)
{
    enum { PART = 16, SAMPLE = 16, LEAST_NODES = 64 };
    const int64_t nodes = net->nodes, slots = net->first[net->nodes], step = nodes / SAMPLE + 1;
    if (nodes < LEAST_NODES || slots < nodes * nodes / PART) return false;
    int32_t *const seen = calloc((size_t)nodes, sizeof *seen), mark = 0;
    int64_t sum = 0;
    for (int64_t v = 0; seen && v < nodes; v += step) sum += neighbours(net, (int32_t)v, seen, ++mark);
    free(seen);
    return sum >= mark * nodes / PART && mark;
}

/* True if several threads should push at the same time. That pays in a long network if there are enough threads,
 * because regions together push more than one thread would. Whether the network can be divided into regions is known
 * only when `regions` has tried it. */
static bool is_for_many(const tc_net *net, int threads)
{
    enum { LEAST_THREADS = 8, LEAST_NODES = 1 << 19 };
    return threads >= LEAST_THREADS && tc_processors() >= LEAST_THREADS && net->nodes >= LEAST_NODES;
}

/* Solves with the solver `name`, which may stop after reading `patience` slots. Raises run->bytes to the most memory
 * that any solver held. */
static tilecut_status try_row(tc_net *net, tc_net_run *run, const char *name, int64_t patience,
                              const tc_net_solver **solver)
{
    const size_t bytes = run->bytes;
    *solver = tc_net_solver_find(name);
    run->patience = patience;
    run->unfinished = false;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): each of these names has a row */
    const tilecut_status status = (*solver)->solve(net, run);
    run->patience = 0;
    if (bytes > run->bytes) run->bytes = bytes;
    return status;
}

tilecut_status tc_net_solve_auto(tc_net *net, tc_net_run *run, const tc_net_solver **solver)
{
    enum { LOOKS_A_SLOT = 8, LOOKS_IN_DENSE = 64 };
    const int64_t slots = (int64_t)net->first[net->nodes] + net->nodes;
    const bool small = flow_is_small(net), dense = !small && is_dense(net);
    const int64_t patience = small ? 0 : (dense ? LOOKS_IN_DENSE : LOOKS_A_SLOT) * slots;
    const char *const first = small || dense ? "levels" : paths_are_short(net) ? "bk" : NULL;
    run->unfinished = true;
    if (first) NEED(try_row(net, run, first, patience, solver));
    else if (is_for_many(net, run->threads)) NEED(try_row(net, run, "regions", 1, solver));
    return run->unfinished ? try_row(net, run, "highest", 0, solver) : TILECUT_OK;
}
