/* SPDX-License-Identifier: MIT
 *
 * net_solver.h - the interface of network solvers, and their table. To add a solver: a file with one function, and a
 * row in net_solvers.def, or in cuda_network.def for those that run on a device.
 */
#pragma once

#include "net.h"
#include "params.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_net_run {
    int threads;
    const tilecut_flag *cancel;
    int64_t pushes, relabels, rounds; /* counts of steps; 0 if the solver does not count them */
    size_t bytes;                     /* the most memory that the solver held, without the network */
    double device_ms;                 /* time of the kernels alone, if a device measures it */
    /* NULL, or called by tc_push_high() each time labels have been made exact; run->rounds counts these times. `active`
     * is the number of nodes with excess that reach the target. If it returns true, tc_push_high() stops there and
     * returns TILECUT_OK. */
    bool (*pause)(struct tc_net_run *run, int32_t active);
    /* 0, or how many slots `bk` or `levels` may read; after that they stop, set `unfinished`, and another solver can
     * continue from the flow in the network. `levels` checks this between phases. `regions` stops before it has pushed
     * anything if several threads would gain little. */
    int64_t patience;
    bool unfinished;
    /* The caller wants the final labels, which it frees: net->nodes for nodes that do not reach the sink, smaller
     * numbers for others. `label` NULL: the solver has none, and the cut has to be searched for. */
    bool wants_label;
    int32_t *label;
} tc_net_run;

enum {
    TC_NET_THREADED = 1 << 0, /* the solver uses several threads                     */
    TC_NET_FLOW = 1 << 1,     /* ends with a flow: nothing is stuck at inner nodes   */
    TC_NET_CUDA = 1 << 2      /* needs a CUDA device                                 */
};

/* Pushes flow from net->source to net->sink until no node with excess, except the source, reaches the sink over slots
 * with residual capacity. The result is in the slots; excesses are not returned, and can be computed from the slots. */
typedef struct tc_net_solver {
    const char *name, *summary;
    unsigned can;
    tilecut_status (*solve)(tc_net *net, tc_net_run *run);
} tc_net_solver;

#define NET_SOLVER(name, function, can, summary) tilecut_status function(tc_net *net, tc_net_run *run);
#include "net_solvers.def"
#undef NET_SOLVER

extern const tc_net_solver tc_net_solvers[]; /* ends with a row whose name is NULL */

const tc_net_solver *tc_net_solver_find(const char *name); /* NULL: no such name */

/* Solves as `auto` does, with the solvers that suit the network's statistics. *solver is the one that finished. */
tilecut_status tc_net_solve_auto(tc_net *net, tc_net_run *run, const tc_net_solver **solver);

/* Returns excess that is stuck at inner nodes to the source: the preflow becomes a flow of the same value. */
tilecut_status tc_net_return_excess(tc_net *net, tc_net_run *run);

#ifdef __cplusplus
}
#endif
