/* SPDX-License-Identifier: MIT
 *
 * resident_segment.h - whole jobs that stay on a device, from pixels to mask: what is learnt is learnt there.
 */
#ifndef TC_RESIDENT_SEGMENT_H
#define TC_RESIDENT_SEGMENT_H

#include "solve.h"

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
