/* SPDX-License-Identifier: MIT
 *
 * random_solver.h - draws the solver for a random graph.
 */
#pragma once

#include "random_graph.h"
#include "solver.h"

/* Returns the name of a random solver that needs no device and can solve graphs with 4 or 8 neighbours, or "auto". */
static inline const char *random_solver(uint64_t *state, int connectivity)
{
    int rows = 0;
    while (tilecut_solver_name(rows)) rows++;
    for (;;) {
        const tc_solver *const solver = &tc_solvers[random_below(state, rows)];
        if (connectivity == 8 && !(solver->can & TC_SOLVES_8)) continue;
        if (!(solver->can & TC_ON_CUDA)) return random_below(state, 4) ? solver->name : "auto";
    }
}
