/* SPDX-License-Identifier: MIT
 *
 * volume.h - volumes inside the library: capacities in arrays of the caller or made from voxels, a grid built from
 * them, and the certificate of its answer.
 *
 * In a grid the slices of a volume lie one below the other, each of whole tiles (grid.h). No link leads from the last
 * row of a slice to the first row of the next; links along z are in grid->diagonal, to[0] forward and to[1] back.
 */
#ifndef TC_VOLUME_H
#define TC_VOLUME_H

#include "cut.h"
#include "grid.h"
#include "params.h"
#include "solver.h"
#include "tilecut_volume.h"
#include "wide.h"

/* All capacities of a volume: complete arrays, from[k] always set. */
typedef struct tc_volume {
    tilecut_volume_arrays arrays;          /* of 26 neighbours only its size and terminals are used         */
    int links;                             /* 3, or TC_WIDE_LINKS: 26 neighbours                            */
    const int32_t *to[TC_WIDE_LINKS];      /* of 26 neighbours: link k, of wide.h, of each voxel, both ways */
    int32_t *memory;    /* of arrays made from voxels; NULL: the caller's */
    tc_stored stored;   /* of `memory`, if it lies in the file of a part  */
    double quantum, lambda, beta;
    const char *colors;
} tc_volume;

static inline size_t tc_volume_voxels(const tilecut_volume_arrays *a)
{
    return (size_t)a->width * (size_t)a->height * (size_t)a->depth;
}

/* Whether this can be what is left of a capacity: a whole number, and exact. */
static inline bool tc_is_capacity(float residual)
{
    return residual >= 0 && residual < TC_EXACT_LIMIT && (float)(int32_t)residual == residual;
}

/* EINVAL for a size that cannot be. */
tilecut_status tc_volume_check_size(int width, int height, int depth);

/* EINVAL if arrays are missing or have no size that can be; sets from[k] where it is NULL. */
tilecut_status tc_volume_check_arrays(tilecut_volume_arrays *arrays);

/* The same, and ERANGE if capacities are not exact. */
tilecut_status tc_volume_check(tilecut_volume_arrays *arrays, int threads);

/* ERANGE if capacities in slices first .. end - 1 are not exact; `before` slices of the volume are not in arrays. */
tilecut_status tc_volume_check_slices(const tilecut_volume_arrays *arrays, int first, int end, int before, int threads);

/* ERANGE if the values at voxel i, at `at`, are not exact; `load` bounds their sum. */
tilecut_status tc_volume_check_load(const tilecut_volume_arrays *arrays, size_t i, const int at[3], int64_t load);

/* As tc_setup_resolve(), with the connectivity of a volume: *links is 3, or TC_WIDE_LINKS. */
tilecut_status tc_volume_setup(const tilecut_params *params, tc_setup *setup, int *links);

/* EINVAL for a volume that cannot be. */
tilecut_status tc_volume_check_voxels(const tilecut_volume *volume);

/* Row (y, z) of voxels, and how many bytes it has. */
const void *tc_volume_row(const tilecut_volume *volume, int y, int z);
size_t tc_volume_row_bytes(const tilecut_volume *volume);

/* The values that become black and white, of all parts; only own slices are looked at. EINVAL for a voxel that is not a
 * finite number. */
tilecut_status tc_volume_range(const tilecut_volume *volume, tc_comm *comm, int threads, double *low, double *high);

/* The least and the greatest value of own slices, so that each voxel is looked at by one part. EINVAL likewise. */
tilecut_status tc_volume_own_range(const tilecut_volume *volume, const tc_comm *comm, int threads, double range[2]);

/* The spacings over the least of them. */
void tc_volume_distances(const tilecut_volume *volume, double distance[3]);

/* Makes the capacities of voxels and seeds; with setup->comm those of a part, learnt from all parts, whose height is
 * slices: those of own slices and of links to the rim. If the part has a store, they lie in it. Release them with
 * tc_volume_free(). */
tilecut_status tc_volume_from_voxels(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds, int links,
                                     const tc_setup *setup);
void tc_volume_free(tc_volume *volume);

/* Fills `grid`, just made by tc_grid_init_volume(), with links by row. */
void tc_volume_build(tc_grid *grid, const tilecut_volume_arrays *arrays, int threads);

/* As tc_certify() of cut.h. */
tilecut_status tc_volume_certify(const tc_grid *grid, const tilecut_volume_arrays *arrays, const tc_labels *labels,
                                 int threads, int64_t *flow, int64_t *cut);

/* As tc_prove_rows() of cut.h: the sums for slices first .. end - 1. */
tilecut_status tc_volume_prove_slices(const tc_grid *grid, const tilecut_volume_arrays *arrays, const tc_labels *labels,
                                      int first, int end, int threads, tc_proof *sums);

/* The same for 26 neighbours. */
tilecut_status tc_wide_check(const tc_volume *volume);
tilecut_status tc_wide_check_slices(const tc_volume *volume, int first, int end, int before);
void tc_wide_build(tc_grid *grid, const tc_volume *volume, int threads);
tilecut_status tc_wide_cut(const tc_grid *grid, tc_labels *labels);
tilecut_status tc_wide_certify(tc_grid *grid, const tc_volume *volume, const tc_labels *labels, int threads,
                               int64_t *flow, int64_t *cut);
tilecut_status tc_wide_prove_slices(tc_grid *grid, const tc_volume *volume, const tc_labels *labels, int first,
                                    int end, int threads, tc_proof *sums);

/* A flood against the links of 26 neighbours that can go on, as tc_flood of cut.h. */
typedef struct tc_wide_flood {
    const tc_grid *grid;
    tc_labels labels;
    int32_t *stack; /* nodes from which it has not gone on yet */
    size_t waiting;
    tc_stored room; /* of the stack: where the grid lies       */
} tc_wide_flood;

tilecut_status tc_wide_flood_open(tc_wide_flood *flood, const tc_grid *grid); /* nothing is reached yet */
void tc_wide_flood_close(tc_wide_flood *flood);
void tc_wide_flood_sinks(tc_wide_flood *flood);         /* anew, from all nodes with room to the sink */
void tc_wide_flood_add(tc_wide_flood *flood, size_t p); /* node p is reached, if it is not so yet */
void tc_wide_flood_on(tc_wide_flood *flood);            /* from all that were added               */

/* Builds a grid, solves it and drops it; solver NULL: to be chosen. Otherwise as tc_volume_solve_in(). */
tilecut_status tc_volume_solve(const tc_volume *volume, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                               tilecut_report *report);

/* The solver of that name; NULL for NULL: to be chosen. EINVAL if there is none, or if it takes no volumes. */
tilecut_status tc_volume_solver(const char *name, int links, int width, int height, const tc_solver **solver);

/* Solves a grid that holds `volume`, and maybe a flow in it, proves the answer and hands it out. solver: NULL: to be
 * chosen. few: the grid holds a maximum flow but for a few terminals. Fills in `report`, but for the times before. */
tilecut_status tc_volume_solve_in(tc_grid *grid, const tc_volume *volume, const tc_setup *setup,
                                  const tc_solver *solver, bool few, uint8_t *mask, tilecut_report *report);

/* Fills in what the report says about volume, solver and the memory of both. On entry solve_ms has the whole time. */
void tc_volume_describe(const tc_grid *grid, const tc_volume *volume, const tc_solver *solver,
                        const tc_solve_params *how, const tc_solve_stats *stats, tilecut_report *report);

/* Whether a volume stays on a CUDA device from arrays to labels, or also from voxels (_learns_). The functions below do
 * that, and fill in the report. Of voxels and arrays _segment_there() checks everything, _solve_there() all but what
 * tc_volume_check_arrays() does. ENOMEM if they do not fit there. */
bool tc_volume_stays_there(const tc_solver *solver);
bool tc_volume_learns_there(const tc_solver *solver, int links, const tc_setup *setup);
tilecut_status tc_volume_segment_there(const tilecut_volume *volume, const uint8_t *seeds, const tc_setup *setup,
                                       const tc_solver *solver, uint8_t *mask, tilecut_report *report);
tilecut_status tc_volume_solve_there(const tc_volume *volume, const tc_setup *setup, const tc_solver *solver,
                                     uint8_t *mask, tilecut_report *report);

/* Writes 0 for background and 255 for foreground, packed. Returns the number of foreground voxels. */
int64_t tc_volume_mask(const tc_grid *grid, const tilecut_volume_arrays *arrays, const tc_labels *labels, int threads,
                       uint8_t *mask);

#endif
