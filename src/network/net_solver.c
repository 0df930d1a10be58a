/* SPDX-License-Identifier: MIT
 *
 * net_solver.c - the table of network solvers, and the choice for `auto`.
 */
#include "net_solver.h"

#include <string.h>

const tc_net_solver tc_net_solvers[] = {
#define NET_SOLVER(name, function, can, summary) {name, summary, can, function},
#include "net_solvers.def"
#undef NET_SOLVER
    {NULL, NULL, 0, NULL},
};

const tc_net_solver *tc_net_solver_find(const char *name)
{
    for (const tc_net_solver *row = tc_net_solvers; row->name; row++)
        if (!strcmp(row->name, name)) return row;
    return NULL;
}

const tc_net_solver *tc_net_solver_choose(const tilecut_network *network, int threads)
{
    (void)network;
    (void)threads;
    return tc_net_solver_find("highest");
}
