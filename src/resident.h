/* SPDX-License-Identifier: MIT
 *
 * resident.h - solves that stay on a device from pixels to mask (solvers with TC_RESIDENT).
 */
#ifndef TC_RESIDENT_H
#define TC_RESIDENT_H

#include "solve.h"

/* The part of tc_solve() for a graph from an image with 4 neighbours. */
tilecut_status tc_resident_solve(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *report);

/* The same for `hybrid`, which may come to its end here or there. */
tilecut_status tc_resident_hybrid(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                  uint8_t *mask, tilecut_report *report);

/* Whether tc_resident_segment() is the way for these parameters, and that solver. */
bool tc_resident_can(const tilecut_params *params, const tc_solver *solver);

/* tilecut_segment() with the energy learnt on the device, too; of a box alone once it was searched for in a smaller
 * copy, which is done here. *done: false for a box alone that is not (see tc_search_small()), and if long corridors
 * turn up while it iterates: for the CPU to learn. `stream`: as of tc_cuda_graph_learn(). */
tilecut_status tc_resident_segment(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                   const tc_solver *solver, void *const *stream, uint8_t *mask, tilecut_report *report,
                                   bool *done);

/* An image from device memory with its seeds, and room for its mask. */
typedef struct tc_fetched {
    tilecut_image image;
    uint8_t *seeds, *mask;
    void *memory; /* all of it, to be freed, after a failure too */
} tc_fetched;

tilecut_status tc_image_fetch(const tilecut_image *image, const uint8_t *seeds, void *stream, tc_fetched *out);

#endif
