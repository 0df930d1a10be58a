/* SPDX-License-Identifier: MIT
 *
 * slabs_door.c - the calls of tilecut_parts.h for volumes.
 */
#include <string.h>

#include "parallel.h"
#include "part_enter.h"
#include "sized.h"
#include "slab.h"
#include "status.h"

/* What all parts have in common: parameters, links of a voxel and solver. */
static tilecut_status read_setup(const tilecut_params *params, int width, int height, tc_setup *setup, int *links,
                                 const tc_solver **solver)
{
    NEED(tc_volume_setup(params, setup, links));
    NEED(tc_volume_solver(setup->solver, *links, width, height, solver));
    if (*solver && (*solver)->can & TC_ON_CUDA && !tc_volume_stays_there(*solver))
        return tc_fail(TILECUT_EINVAL, "solver '%s' does not cut a volume in parts; of those on a device, 'cuda' does",
                       (*solver)->name);
    return TILECUT_OK;
}

/* Whether arrays of so many slices are those of the part. */
static tilecut_status check_depth(const tc_comm *comm, int depth)
{
    if (depth == comm->rows + tc_has_above(comm) + tc_has_below(comm)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "%d slices for a part of %d and its halo", depth, comm->rows);
}

/* ---- Voxels ----------------------------------------------------------------------------------- */

static int64_t hash_voxels(const tilecut_volume *v, int z)
{
    int64_t hash = 0;
    for (int y = 0; y < v->height; y++)
        hash = hash * 31 % (INT64_C(1) << 32) +
               tc_part_hash(tc_volume_row(v, y, z), tc_volume_row_bytes(v)) % INT32_MAX;
    return hash;
}

/* All that must not differ. */
static int64_t hash_params(const tilecut_volume *v, const tc_setup *setup, int links)
{
    const double numbers[] = {v->spacing[0], v->spacing[1], v->spacing[2], v->low, v->high, links};
    return tc_part_hash_setup(setup) ^ tc_part_hash(numbers, sizeof numbers);
}

static tilecut_status meet(tc_part *part, const tilecut_volume *v, const tc_setup *setup, int links)
{
    tc_comm *const comm = &part->comm;
    const int first = comm->first, last = first + comm->rows - 1;
    const int64_t own[TC_PART_WORDS] = {comm->above + first, comm->rows, comm->height, v->width,
                                        (int64_t)v->height << 8 | v->type, hash_params(v, setup, links)};
    int64_t hash[2][2] = {{hash_voxels(v, first), hash_voxels(v, last)}};

    if (tc_has_above(comm)) hash[1][0] = hash_voxels(v, first - 1);
    if (tc_has_below(comm)) hash[1][1] = hash_voxels(v, last + 1);
    NEED(tc_part_agree(comm, own, true));
    return tc_part_check_rims(comm, hash, true);
}

/* Makes capacities of the part's voxels with all other parts, and checks them; or on a device, if it learns. */
static tilecut_status learn(tc_slab *slab, const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup,
                            const tc_solver *solver, int links, tc_volume *made, tilecut_report *told)
{
    const tc_comm *const comm = setup->comm;
    const int first = comm->first, end = first + comm->rows;
    const double start = tc_now_ms();
    if (tc_volume_learns_there(solver, links, setup))
        return tc_slab_learn_there(slab, voxels, seeds, setup, made, told);
    NEED(tc_volume_from_voxels(made, voxels, seeds, links, setup));
    told->model_ms = tc_now_ms() - start;
    if (links == TC_WIDE_LINKS) return tc_wide_check_slices(made, first, end, comm->above);
    return tc_volume_check_slices(&made->arrays, first, end, comm->above, setup->threads);
}

tilecut_status tilecut_part_volume_segment(const tilecut_part *given, const tilecut_volume *volume,
                                           const uint8_t *seeds, const tilecut_params *params, uint8_t *mask,
                                           tilecut_report *report, tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tc_volume made = {0};
    tc_slab slab = {.volume = &made};
    tc_part *const part = &slab.part;
    const tc_solver *solver;
    tilecut_volume voxels;
    tilecut_report told = {0};
    tc_thread_pool *pool = NULL;
    tc_setup setup;
    int links;

    TRY(tc_part_enter(part, given));
    if (!volume || !seeds || !mask)
        TRY(tc_fail(TILECUT_EINVAL, "%s is NULL", !volume ? "volume" : !seeds ? "seeds" : "mask"));
    TRY(tc_sized_read(&voxels, sizeof voxels, sizeof voxels, volume, "tilecut_volume"));
    TRY(tc_volume_check_voxels(&voxels));
    TRY(check_depth(&part->comm, voxels.depth));
    if ((int64_t)voxels.height * part->comm.height > INT32_MAX)
        TRY(tc_fail(TILECUT_EINVAL, "%d slices of %d rows; 2^31 rows or more", part->comm.height, voxels.height));
    TRY(tc_sized_check(report, "tilecut_report"));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(read_setup(params, voxels.width, voxels.height, &setup, &links, &solver));
    pool = tc_thread_pool_open(setup.threads);
    TRY(meet(part, &voxels, &setup, links));
    setup.comm = &part->comm;
    TRY(learn(&slab, &voxels, seeds, &setup, solver, links, &made, &told));
    TRY(tc_slab_solve(&slab, &setup, solver, mask, &told));
    TC_WRITE(report, &told, report);
done:
    tc_thread_pool_close(pool);
    tc_slab_close(&slab);
    tc_volume_free(&made);
    return tc_part_leave(part, more, status);
}

/* ---- Arrays ----------------------------------------------------------------------------------- */

/* The hash of a slice of capacities, as far as both parts beside it have them. */
static int64_t hash_slice(const tilecut_volume_arrays *a, int z)
{
    const size_t slice = (size_t)a->width * (size_t)a->height, at = (size_t)z * slice;
    const size_t bytes = slice * sizeof *a->source;
    return tc_part_hash(a->source + at, bytes) ^ tc_part_hash(a->sink + at, bytes);
}

static tilecut_status meet_arrays(tc_part *part, const tilecut_volume_arrays *a, const tc_setup *setup)
{
    tc_comm *const comm = &part->comm;
    const int first = comm->first, last = first + comm->rows - 1;
    const int64_t own[TC_PART_WORDS] = {comm->above + first, comm->rows, comm->height, a->width, a->height,
                                        setup->solver ? tc_part_hash(setup->solver, strlen(setup->solver)) : 0};
    int64_t hash[2][2] = {{hash_slice(a, first), hash_slice(a, last)}};

    if (tc_has_above(comm)) hash[1][0] = hash_slice(a, first - 1);
    if (tc_has_below(comm)) hash[1][1] = hash_slice(a, last + 1);
    NEED(tc_part_agree(comm, own, true));
    NEED(tc_part_check_rims(comm, hash, true));
    return tc_volume_check_slices(a, first, last + 1, comm->above, setup->threads);
}

tilecut_status tilecut_part_volume_solve(const tilecut_part *given, const tilecut_volume_arrays *arrays,
                                         const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                         tilecut_part_report *more)
{
    tc_volume volume = {.links = 3, .quantum = 1, .colors = "none"};
    tilecut_status status = TILECUT_OK;
    tilecut_volume_arrays *const a = &volume.arrays;
    tc_slab slab = {.volume = &volume};
    tc_part *const part = &slab.part;
    const tc_solver *solver;
    tilecut_report told = {0};
    tc_thread_pool *pool = NULL;
    tc_setup setup;

    TRY(tc_part_enter(part, given));
    if (!arrays || !mask) TRY(tc_fail(TILECUT_EINVAL, "%s is NULL", arrays ? "mask" : "arrays"));
    TRY(tc_sized_read(a, sizeof *a, sizeof *a, arrays, "tilecut_volume_arrays"));
    TRY(tc_volume_check_arrays(a));
    TRY(check_depth(&part->comm, a->depth));
    TRY(tc_sized_check(report, "tilecut_report"));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(read_setup(params, a->width, a->height, &setup, &volume.links, &solver));
    if (volume.links != 3) TRY(tc_fail(TILECUT_EINVAL, "connectivity is 26; volumes from arrays have 6 neighbours"));
    pool = tc_thread_pool_open(setup.threads);
    TRY(meet_arrays(part, a, &setup));
    TRY(tc_slab_solve(&slab, &setup, solver, mask, &told));
    TC_WRITE(report, &told, report);
done:
    tc_thread_pool_close(pool);
    tc_slab_close(&slab);
    return tc_part_leave(part, more, status);
}
