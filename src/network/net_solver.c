/* SPDX-License-Identifier: MIT
 *
 * net_solver.c - the table of network solvers, and the choice for `auto`.
 */
#include "net_solver.h"

#include <string.h>

#include "cuda_network.h"

const tc_net_solver tc_net_solvers[] = {
#define NET_SOLVER(name, function, can, summary) {name, summary, can, function},
#include "net_solvers.def"
#undef NET_SOLVER
#define CUDA_NETWORK(name, function, can, summary) {name, summary, (can) | TC_NET_CUDA, function},
#include "cuda_network.def"
#undef CUDA_NETWORK
    {NULL, NULL, 0, NULL},
};

const tc_net_solver *tc_net_solver_find(const char *name)
{
    for (const tc_net_solver *row = tc_net_solvers; row->name; row++)
        if (!strcmp(row->name, name)) return row;
    return NULL;
}

/* What can leave a terminal's neighbours, or reach them, on the side away from it: a limit of the flow. `mates`: rooms
 * are those of the mates, as arcs come towards the terminal. Ends early above `enough`. */
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

/* Blocking flows take a phase, which reads all arcs, for each length of path, and no more phases than the flow has
 * units. So where the flow is small they are done sooner than push-relabel, which sends back what found no way. */
const tc_net_solver *tc_net_solver_choose(const tc_net *net)
{
    enum { SMALL = 1000, NODES_A_UNIT = 10 };
    const int64_t small = net->nodes / NODES_A_UNIT < SMALL ? net->nodes / NODES_A_UNIT : SMALL;
    const bool few = second_ring(net, net->source, false, small) <= small ||
                     second_ring(net, net->sink, true, small) <= small;
    return tc_net_solver_find(few ? "levels" : "highest");
}
