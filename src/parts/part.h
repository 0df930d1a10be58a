/* SPDX-License-Identifier: MIT
 *
 * part.h - one part of an image, and how parts find the minimum cut of the whole (docs/design/parts.md).
 *
 * The grid of a part has the part's own rows, and as a rim a row of the part above and one of the part below. Links
 * out of own pixels into the rim are the part's own. Links out of the rim belong to the neighbours; here they are
 * closed, and the rim has no excess, unless a function says otherwise. So a solver finds a flow within own rows, and
 * that is a flow of the whole image.
 */
#ifndef TC_PART_H
#define TC_PART_H

#include "whole.h"
#include "cut.h"
#include "graph.h"
#include "grid.h"
#include "solver.h"

enum { TC_ABOVE, TC_BELOW, TC_SIDES, TC_KINDS = 3 /* of links across: straight, and two diagonals */ };

/* The border between a part and the one above or below it. All arrays are as wide as the image. */
typedef struct tc_side {
    bool there;
    int rim, own;       /* rows of the grid: the neighbour's, and the part's own beside it    */
    int32_t *level;     /* of the rim's pixels, in the last search; TC_UNREACHED              */
    int32_t *out, *in;  /* [kinds][width] what is sent to the neighbour, and received from it */
    uint8_t *told, *news; /* [width] own pixels that the neighbour knows to be reached; reached ones of its own */
} tc_side;

#define TC_UNREACHED INT32_MAX

typedef struct tc_part {
    tc_whole whole; /* first, so that a pointer to it is one to the part */
    tc_whole *cut;  /* what is being cut: all, or a window of it         */
    tilecut_exchange exchange;
    tc_grid *grid;
    int kinds;        /* 1, or 3 with diagonals */
    tc_side side[TC_SIDES];
    int32_t *memory;  /* of all sides */

    /* What the last search found. Level k: on the way to a sink, k borders between parts have to be crossed. */
    tc_flood flood;
    uint32_t *source; /* [tiles][TC_TILE] bit rows: pixels with excess       */
    uint8_t *active;  /* [room] by level: whether this part has excess there */
    int room;
    int highest;      /* level of excess in any part; -1: no excess reaches a sink */
} tc_part;

/* The direction of the links of a kind out of own pixels to a side, and how far to the right they lead. */
extern const int tc_side_direction[TC_SIDES][TC_KINDS], tc_side_step[TC_SIDES][TC_KINDS];

/* For a grid of `cut`: of the part, or of what of a window lies in it. */
tilecut_status tc_part_open(tc_part *part, tc_whole *cut, tc_grid *grid);
void tc_part_close(tc_part *part); /* all but `whole` and `exchange` */

/* Makes the rim as it is said above, in a grid that was built with its capacities. */
void tc_part_seal(const tc_part *part);

/* Gives the pixels of the rim whose level is `level` room for all that links into them can carry. After the solve
 * tc_part_take_flows() reads what went there into side.out, and seals the rim again. */
void tc_part_unseal(const tc_part *part, int level);
void tc_part_take_flows(const tc_part *part);

/* Swaps flows across the borders. *arrived: whether some has come to own pixels. */
tilecut_status tc_part_swap_flows(tc_part *part, bool *arrived);

/* Gives links out of the rim their residuals, which the neighbours have. */
tilecut_status tc_part_swap_residuals(tc_part *part);

/* Finds the level of each pixel of the rim, and of all excess. If none of it reaches a sink, part->flood.label is the
 * canonical cut, rim included. */
tilecut_status tc_part_search(tc_part *part, int threads);

/* Finds a maximum preflow of the whole image, and its cut: part->flood.label. The grid is the part's, as built. */
tilecut_status tc_part_solve(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                             tc_solve_stats *stats);

/* tc_certify() for the whole image. */
tilecut_status tc_part_certify(tc_part *part, const tilecut_graph *graph, int threads, int64_t *flow, int64_t *cut);

#endif
