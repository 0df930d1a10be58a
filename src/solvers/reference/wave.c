/* SPDX-License-Identifier: MIT
 *
 * wave.c - waves over a lattice of exact distances: the algorithm of Hussein, Varshney & Davis ("On Implementing Graph
 * Cuts on CUDA", 2007) as they ran it on a CPU. It is here to be read and to reproduce their figures, not to be fast;
 * the simplest GPU solver does the same in parallel.
 *
 * A round has two steps. First, a breadth-first search goes backwards from every pixel with residual capacity to the
 * sink. It gives each pixel that can reach one its exact distance; sorted by distance, these pixels form the lattice.
 * Then one wave runs down the lattice: from the top level to the bottom, each pixel pushes its excess to neighbours one
 * level below. There is no other relabelling. Rounds end when no pixel of the lattice has excess.
 *
 * Pushing takes two steps, which all pixels of a level could do at the same time: a pixel leaves the flow in a
 * reservoir at its own end of the link, and then the level below collects it from there.
 */
#include <stdlib.h>

#include "solver.h"
#include "status.h"

typedef struct wave {
    tc_node *node;         /* height: the distance, 1 for pixels with residual capacity to the sink; 0: not reached */
    float *excess;
    tc_float4 *residual;
    tc_float4 *reservoir;  /* [nodes] flow sent in each direction and not collected yet */
    size_t *lattice;       /* [nodes] reached pixels by ascending distance                  */
    size_t reached;
    int tiles_x;
    bool any;              /* true: some pixel of the lattice has excess                    */
} wave;

/* Puts a pixel on the next level. */
static void reach_pixel(wave *w, ptrdiff_t p, int32_t height)
{
    w->node[p].height = height;
    w->lattice[w->reached++] = (size_t)p;
    if (w->excess[p] > 0) w->any = true;
}

/* Erases the labels of the last round and builds the lattice anew. */
static void build_lattice(wave *w, size_t nodes)
{
    for (size_t i = 0; i < w->reached; i++) w->node[w->lattice[i]].height = 0;
    w->reached = 0;
    w->any = false;
    for (size_t p = 0; p < nodes; p++)
        if (w->excess[p] < 0) reach_pixel(w, (ptrdiff_t)p, 1);
    for (size_t i = 0; i < w->reached; i++) {
        const ptrdiff_t q = (ptrdiff_t)w->lattice[i];
        for (int d = 0; d < 4; d++) {
            const ptrdiff_t p = tc_neighbour(w->tiles_x, q, d);
            /* tests the link from p to q, where p is the neighbour; guards and padding have no capacity */
            if (w->residual[p].to[d ^ 1] > 0 && !w->node[p].height) reach_pixel(w, p, w->node[q].height + 1);
        }
    }
}

/* First step: moves excess of p into its reservoirs. */
static void send(wave *w, ptrdiff_t p)
{
    float excess = w->excess[p];
    for (int d = 0; d < 4 && excess > 0; d++) {
        float *residual = &w->residual[p].to[d];
        if (!(*residual > 0)) continue;
        const ptrdiff_t q = tc_neighbour(w->tiles_x, p, d);
        if (w->node[q].height != w->node[p].height - 1) continue;
        const float amount = excess < *residual ? excess : *residual;
        w->reservoir[p].to[d] = amount;
        *residual -= amount;
        excess -= amount;
    }
    w->excess[p] = excess;
}

/* Second step: q collects flow from its neighbours' reservoirs, which was sent from the level above. */
static void collect(wave *w, ptrdiff_t q)
{
    for (int d = 0; d < 4; d++) {
        const ptrdiff_t p = tc_neighbour(w->tiles_x, q, d);
        if (w->node[p].height != w->node[q].height + 1) continue;
        float *held = &w->reservoir[p].to[d ^ 1];
        w->excess[q] += *held;
        w->residual[q].to[d] += *held;
        *held = 0;
    }
}

/* Returns where the level begins that ends just before `end`. */
static size_t level_start(const wave *w, size_t end)
{
    const int32_t height = w->node[w->lattice[end - 1]].height;
    size_t start = end;
    while (start > 0 && w->node[w->lattice[start - 1]].height == height) start--;
    return start;
}

/* Runs one wave from the top level down to the pixels with residual capacity to the sink, which absorb what they
 * collect. */
static bool run_down(wave *w, const tc_solve_params *params)
{
    size_t end = w->reached, start = level_start(w, end);
    while (start > 0) {
        if (tc_cancelled(params)) return false;
        for (size_t i = start; i < end; i++)
            if (w->excess[w->lattice[i]] > 0) send(w, (ptrdiff_t)w->lattice[i]);
        end = start;
        start = level_start(w, end);
        for (size_t i = start; i < end; i++) collect(w, (ptrdiff_t)w->lattice[i]);
    }
    return true;
}

tilecut_status tc_solver_wave(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    wave w = {.node = grid->node, .excess = grid->excess, .residual = grid->residual, .tiles_x = grid->tiles_x};
    tc_float4 *reservoirs = NULL;
    /* a neighbour outside of the image is a guard. It has no reservoir, but none is read there, because guards have
     * height 0 */
    reservoirs = calloc(grid->nodes, sizeof *reservoirs);
    w.reservoir = reservoirs;
    w.lattice = malloc(grid->nodes * sizeof *w.lattice);
    stats->bytes = grid->nodes * (sizeof *grid->node + sizeof *reservoirs + sizeof *w.lattice);
    if (!reservoirs || !w.lattice) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for the lattice of waves, %zu MB", stats->bytes >> 20);
        goto done;
    }
    build_lattice(&w, grid->nodes);
    while (w.any && w.reached) {
        /* the wave stops only between two levels, so all reservoirs are empty and the grid is complete */
        if (!run_down(&w, params)) {
            status = tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
            goto done;
        }
        build_lattice(&w, grid->nodes);
    }
done:
    free(reservoirs);
    free(w.lattice);
    return status;
}
