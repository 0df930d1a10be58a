/* SPDX-License-Identifier: MIT
 *
 * part_volume.h - one part of a volume, from capacities to labels: own slices, and as a halo a slice of the part before
 * and one of the part behind.
 */
#ifndef TC_PART_VOLUME_H
#define TC_PART_VOLUME_H

#include "part.h"

/* What tc_volume_from_voxels() does, on the device, where capacities stay: *made tells of them. */
tilecut_status tc_part_learn_there(tc_part *part, const tilecut_volume *voxels, const uint8_t *seeds,
                                   const tc_setup *setup, tc_volume *made, tilecut_report *report);

/* Solves `volume` (on a device without arrays, if it was learnt there) with all other parts, proves the answer and
 * hands it out. solver NULL: to be chosen. Fills in `report`, but for the times before. */
tilecut_status tc_part_solve_volume(tc_part *part, const tc_volume *volume, const tc_setup *setup,
                                    const tc_solver *solver, uint8_t *mask, tilecut_report *report);

/* Gives back what the part has of a volume. Call it after a failure, too. */
void tc_part_close_volume(tc_part *part);

#endif
