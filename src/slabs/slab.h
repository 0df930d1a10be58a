/* SPDX-License-Identifier: MIT
 *
 * slab.h - one part of a volume: own slices, and as a halo a slice of the part before and one of the part behind. To
 * part.h a slice is a row as wide as it has voxels, so exchange, search and waves are those of images.
 */
#ifndef TC_SLAB_H
#define TC_SLAB_H

#include "part.h"
#include "volume.h"

typedef struct tc_slab {
    tc_part part;     /* first, so that a pointer to it is one to the slab */
    tc_part_backend backend; /* the host's, but for building and proof; of 26 neighbours tc_part_backend_wide */
    tc_grid grid;
    const tc_volume *volume; /* of own slices and halo; on a device without arrays, if it was learnt there */
    tc_wide_flood flood;     /* of 26 neighbours      */
    struct tc_cuda_volume *there; /* it, on a device, until the part has it */
} tc_slab;

extern const tc_part_backend tc_part_backend_wide;

static inline tc_slab *tc_slab_of(tc_part *part)
{
    return (tc_slab *)(void *)part;
}

/* The voxels of own slices that are foreground. */
int64_t tc_slab_foreground(const tc_part *part, const tc_labels *labels);

/* Solves slab->volume with all other parts, proves the answer and hands it out. slab->part has been entered; close the
 * slab after a failure, too. solver: NULL: to be chosen. Fills in `report`, but for the times before. */
tilecut_status tc_slab_solve(tc_slab *slab, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                             tilecut_report *report);
/* The same on the device setup->device. */
tilecut_status tc_slab_solve_there(tc_slab *slab, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                                   tilecut_report *report);

/* What tc_volume_from_voxels() does, on the device, where capacities stay: *made, for slab->volume, tells of them. */
tilecut_status tc_slab_learn_there(tc_slab *slab, const tilecut_volume *voxels, const uint8_t *seeds,
                                   const tc_setup *setup, tc_volume *made, tilecut_report *report);
void tc_slab_drop_there(tc_slab *slab);

void tc_slab_close(tc_slab *slab); /* all but part.comm and part.exchange */

#endif
