/* SPDX-License-Identifier: MIT
 *
 * solver.h - what a maximum-flow solver is, and the table of them. To add one: a file with one
 * function, and a row in solvers.def (docs/design/adding-a-solver.md).
 */
#ifndef TC_SOLVER_H
#define TC_SOLVER_H

#include "grid.h"
#include "solve_params.h"

/* What a solver can do. */
enum {
    TC_SOLVES_8 = 1 << 0,  /* 8 neighbours too                */
    TC_THREADED = 1 << 1,  /* more threads make it faster     */
    TC_ON_CUDA = 1 << 2,   /* needs a CUDA device             */
    TC_REVERSIBLE = 1 << 3, /* pushes excess alone, so that the reverse of a graph may be less work            */
    TC_BY_ROWS = 1 << 4,    /* gets links of 4 neighbours by row, and may leave them either way: grid.h       */
    TC_WIDE = 1 << 5        /* numbers nodes in 64 bits: takes any grid that there is memory for                */
};

/* Pushes flow through `grid`, whose links lie by node unless the solver wants them otherwise, until no node of positive
 * excess reaches a node of negative excess over residual links: a maximum preflow is enough, excess may stay where it
 * is stuck. The answer is left in the grid: residual capacities and excesses; cut.c reads labels, flow and proof out of
 * them, the same way for every solver. `stats` comes in zeroed. */
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

const tc_solver *tc_solver_find(const char *name); /* NULL: no such name */

/* EINVAL, with the solver's name, for a grid that it does not take; of any, EINVAL if there is none that takes it. */
tilecut_status tc_solver_check(const tc_solver *solver, int connectivity, int width, int height);
tilecut_status tc_solver_check_any(int connectivity, int width, int height);

/* What a row is taken for where nobody named one. Measured: docs/lab/performance.md. */
typedef enum tc_role {
    TC_FOR_MOST,           /* flow that mostly ends near where it begins                         */
    TC_FOR_LONG_PATHS,     /* wide corridors; few terminals that changed; what a device gives up */
    TC_FOR_NARROW_PATHS,   /* corridors a pixel wide: nothing to choose                          */
    TC_FOR_CONTOURS,       /* a closed frame, and a contour in it that lets little flow through  */
    TC_FOR_ANY_NEIGHBOURS, /* 8 of them, too                                                     */
    TC_ROLES
} tc_role;

/* The row for that, or the first of the table that runs here if that one does not take the grid; there is always one
 * that takes a grid of 4 neighbours. */
const tc_solver *tc_solver_for(tc_role role, const tc_grid *grid);

/* Solves `grid` by `solver`, its links arranged as that wants them. What a device leaves is finished here. */
tilecut_status tc_solver_solve(const tc_solver *solver, tc_grid *grid, const tc_solve_params *params,
                               tc_solve_stats *stats);

/* Whether links are best built by row: for `solver`, or, where that is NULL, before one is chosen. */
bool tc_solver_wants_rows(const tc_solver *solver);

/* Solves `grid` by *solver, or its reverse (reverse.h) where that is less work, as if it had been `grid`. If *solver is
 * NULL it becomes the row that suits the graph, judged from cheap statistics of it. */
tilecut_status tc_solver_run(const tc_solver **solver, tc_grid *grid, const tc_solve_params *params,
                             tc_solve_stats *stats);

/* The row for a grid that holds the flow of a solve before: few terminals have changed since, or all may have. */
const tc_solver *tc_solver_again(const tc_grid *grid, bool few);

#endif
