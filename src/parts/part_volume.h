/* SPDX-License-Identifier: MIT
 *
 * part_volume.h - one part of a volume, from capacities to labels: own slices, and as a halo a slice of the part before
 * and one of the part behind.
 */
#ifndef TC_PART_VOLUME_H
#define TC_PART_VOLUME_H

#include "part.h"

/* What tc_volume_open() does, on the device, where the graph stays: *shape tells of it, and has no capacities. */
tilecut_status tc_part_learn_there(tc_part *part, const tilecut_volume *voxels, const uint8_t *seeds,
                                   const tc_setup *setup, tilecut_graph *shape, tilecut_report *report);

/* Solves the graph of own slices and halo with all other parts, proves the answer and hands it out. solver NULL: to be
 * chosen. Fills in `report`. */
tilecut_status tc_part_solve_volume(tc_part *part, const tilecut_graph *graph, const tc_setup *setup,
                                    const tc_solver *solver, uint8_t *mask, tilecut_report *report);

/* Gives back what the part has of a volume. Call it after a failure, too. */
void tc_part_close_volume(tc_part *part);

#endif
