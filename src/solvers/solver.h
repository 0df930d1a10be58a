/* SPDX-License-Identifier: MIT
 *
 * solver.h - what a maximum-flow solver is, and the table of solvers. To add one, write a file with one function and
 * a row in solvers.def (docs/design/adding-a-solver.md).
 */
#pragma once

#include "grid.h"
#include "solve_params.h"

/* The abilities of a solver. */
enum {
    TC_SOLVES_8 = 1 << 0,  /* takes 8 neighbours, too         */
    TC_THREADED = 1 << 1,  /* the solver uses several threads */
    TC_ON_CUDA = 1 << 2,   /* the solver needs a CUDA device  */
    TC_REVERSIBLE = 1 << 3, /* moves only excess, so a graph with all links turned round may be less work      */
    TC_BY_ROWS = 1 << 4,    /* gets links of 4 neighbours by row and may leave them in either layout: grid.h */
    TC_WIDE = 1 << 5,       /* numbers nodes in 64 bits, so it takes any grid that fits into memory            */
    TC_SOLVES_6 = 1 << 6,   /* takes volumes with 6 neighbours, too */
    TC_SOLVES_26 = 1 << 7   /* takes volumes with 26 neighbours, too */
};

/* Pushes flow through `grid` until no node of positive excess reaches a node of negative excess over residual links.
 * Links lie by node, unless the row of the table says otherwise. A maximum preflow is enough: excess that cannot reach
 * a sink may stay where it is. The answer is the grid itself, its residual capacities and excesses. cut.c reads labels,
 * flow and proof from it in the same way for every solver. `stats` is zero on entry. */
typedef struct tc_solver {
    const char *name, *summary;
    unsigned can;
    tilecut_status (*solve)(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
} tc_solver;

#define SOLVER(name, function, can, summary) \
    tilecut_status function(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
#include "solvers.def"
#undef SOLVER

extern const tc_solver tc_solvers[]; /* ends with a row whose name is NULL */

const tc_solver *tc_solver_find(const char *name); /* NULL if there is no such name */

/* Returns EINVAL, with the solver's name, if the solver does not take such a grid. tc_solver_check_any() returns it if
 * no solver does. */
tilecut_status tc_solver_check(const tc_solver *solver, int connectivity, int width, int height);
tilecut_status tc_solver_check_any(int connectivity, int width, int height);

/* The kinds of graphs for which a solver is chosen. Measured: docs/lab/performance.md. */
typedef enum tc_role {
    TC_FOR_MOST,           /* most flow ends near where it begins                                */
    TC_FOR_LONG_PATHS,     /* flow has a long way: wide corridors, few changed terminals, grids that a device has given
                              up */
    TC_FOR_NARROW_PATHS,   /* corridors one pixel wide, in which flow has only one way           */
    TC_FOR_ANY_NEIGHBOURS, /* also 8 neighbours                                                  */
    TC_ROLES
} tc_role;

/* Returns the solver for that kind of graph. If that solver does not take the grid, returns the first one in the table
 * that does and that runs on a CPU; for a grid of 4 neighbours there always is one. */
const tc_solver *tc_solver_for(tc_role role, const tc_grid *grid);

/* Solves `grid` with `solver`, after arranging the links in the layout that it needs. If a device leaves the solve
 * unfinished, the CPU finishes it. */
tilecut_status tc_solver_solve(const tc_solver *solver, tc_grid *grid, const tc_solve_params *params,
                               tc_solve_stats *stats);

/* True if links should be built by row: for `solver` or, if that is NULL, while no solver has been chosen. */
bool tc_solver_wants_rows(const tc_solver *solver);

/* Solves `grid` with *solver. If the reverse graph (reverse.h) is less work, solves that instead and reverses the
 * result. If *solver is NULL, it is set to the solver that suits the graph, chosen by cheap statistics. */
tilecut_status tc_solver_run(const tc_solver **solver, tc_grid *grid, const tc_solve_params *params,
                             tc_solve_stats *stats);

/* Stores the decisions of a solve for tilecut_decisions(). */
void tc_decisions_keep(const tc_solve_stats *stats);

/* Returns the solver for a grid that holds the flow of an earlier solve. `few` says that few terminals have changed
 * since; otherwise all may have. */
const tc_solver *tc_solver_again(const tc_grid *grid, bool few);
