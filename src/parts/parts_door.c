/* SPDX-License-Identifier: MIT
 *
 * parts_door.c - the public functions of tilecut_parts.h, for images and volumes.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "cuda_parts.h"
#include "door.h"
#include "parallel.h"
#include "part_enter.h"
#include "segment.h"
#include "solve.h"
#include "status.h"

void tilecut_part_rows(int height, int parts, int part, int *first, int *rows)
{
    *first = (int)((int64_t)height * part / parts);
    *rows = (int)((int64_t)height * (part + 1) / parts) - *first;
}

int tilecut_cuda_reaches(int from, int to)
{
    return tc_cuda_reaches(from, to);
}

size_t tilecut_cuda_memory(int index)
{
    return (size_t)tc_cuda_memory(index);
}

/* ---- What the parts compare ------------------------------------------------------------------- */

/* A part's own rows and halo (in a volume, slices), as the parts compare them. */
typedef struct lattice {
    bool volume;
    int width;
    int64_t kind, params; /* numbers that must be equal in all parts */
    const void *of;       /* the argument of hash() */
    int64_t (*hash)(const void *of, int row); /* a hash of the data of a row that both parts at a border have */
} lattice;

static tilecut_status meet(tc_part *part, const lattice *l)
{
    tc_comm *const comm = &part->comm;
    const int first = comm->first, last = first + comm->rows - 1;
    const int64_t own[TC_PART_WORDS] = {comm->above + first, comm->rows, comm->height, l->width, l->kind, l->params};
    int64_t hash[2][2] = {{l->hash(l->of, first), l->hash(l->of, last)}};

    if (tc_has_above(comm)) hash[1][0] = l->hash(l->of, first - 1);
    if (tc_has_below(comm)) hash[1][1] = l->hash(l->of, last + 1);
    NEED(tc_part_agree(comm, own, l->volume));
    return tc_part_check_rims(comm, hash, l->volume);
}

/* Checks that arrays have as many rows (or slices) as the part with its halo. */
static tilecut_status check_rows(const tc_comm *comm, int rows, const char *what)
{
    if (rows == comm->rows + tc_has_above(comm) + tc_has_below(comm)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "%d %s for a part of %d and its halo", rows, what, comm->rows);
}

static int64_t hash_pixels(const void *of, int y)
{
    const tilecut_image *const image = of;
    return tc_part_hash(tc_image_row(image, y), tc_image_row_bytes(image));
}

static int64_t hash_voxels(const void *of, int z)
{
    const tilecut_volume *const v = of;
    int64_t hash = 0;
    for (int y = 0; y < v->height; y++)
        hash = hash * 31 % (INT64_C(1) << 32) +
               tc_part_hash(tc_volume_row(v, y, z), tc_volume_row_bytes(v)) % INT32_MAX;
    return hash;
}

/* A hash of the `count` source and sink capacities of a row or slice. */
static int64_t hash_capacities(const int32_t *source, const int32_t *sink, int row, size_t count)
{
    const size_t at = (size_t)row * count, bytes = count * sizeof *source;
    return tc_part_hash(source + at, bytes) ^ tc_part_hash(sink + at, bytes);
}

static int64_t hash_row(const void *of, int y)
{
    const tilecut_graph *const g = of;
    const size_t lines = tc_graph_is_volume(g) ? (size_t)g->height : 1;
    return hash_capacities(g->arrays.source, g->arrays.sink, y, (size_t)g->width * lines);
}

static int64_t hash_solver(const tc_setup *setup)
{
    return setup->solver ? tc_part_hash(setup->solver, strlen(setup->solver)) : 0;
}

/* A hash of all of a volume's parameters that must not differ between parts. */
static int64_t hash_scan(const tilecut_volume *v, const tc_setup *setup)
{
    const double numbers[] = {v->spacing[0], v->spacing[1], v->spacing[2], v->low, v->high, setup->connectivity};
    return tc_part_hash_setup(setup) ^ tc_part_hash(numbers, sizeof numbers);
}

/* ---- Images ----------------------------------------------------------------------------------- */

/* If a device cuts, it also computes the spatial term. All parts name the same solver, so they do the same. */
static void learn_there(tc_comm *comm, const tc_setup *setup)
{
    const tc_solver *const solver = setup->solver ? tc_solver_find(setup->solver) : NULL;
    if (!solver || solver->solve != tc_cuda_tiles) return;
    comm->nearness = tc_cuda_part_nearness;
    comm->device = setup->device;
}

tilecut_status tilecut_part_segment(const tilecut_part *from, const tilecut_image *image, const uint8_t *seeds,
                                    const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                    tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_image photo;
    tc_part part = {0};
    tc_seeds rows = {0};
    tc_visit v = {0};

    TRY(tc_part_enter(&part, from));
    TRY(tc_image_read(&photo, image));
    TRY(check_rows(&part.comm, photo.height, "rows"));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(tc_enter(&v, params, photo.width, photo.height, mask, true, report));
    TRY(tc_seeds_open(&rows, seeds, v.setup.seeds_stride, photo.width, photo.height));
    if (v.setup.prior) TRY(tc_fail(TILECUT_EINVAL, "a prior is not for an image in parts"));
    TRY(meet(&part, &(lattice){false, photo.width, photo.channels << 8 | photo.depth,
                               tc_part_hash_setup(&v.setup), &photo, hash_pixels}));
    v.setup.comm = &part.comm;
    TRY(tc_seeds_settle(&rows, photo.width, photo.height, &v.setup));
    learn_there(&part.comm, &v.setup);
    TRY(tc_segment(&(tc_source){.image = &photo, .seeds = rows.label}, &v.setup, v.mask.pixel, &v.result));
done:
    tc_seeds_close(&rows);
    return tc_part_leave(&part, more, tc_leave(&v, status));
}

tilecut_status tilecut_part_solve(const tilecut_part *from, const tilecut_arrays *arrays, const tilecut_params *params,
                                  uint8_t *mask, tilecut_report *report, tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_arrays some;
    tilecut_graph graph;
    tc_part part = {0};
    tc_visit v = {0};

    TRY(tc_part_enter(&part, from));
    if (!arrays) TRY(tc_fail(TILECUT_EINVAL, "arrays is NULL"));
    TRY(TC_READ(&some, arrays, arrays));
    TRY(tc_graph_of_arrays(&graph, &some));
    TRY(tc_graph_check(&graph, 0, graph.height, 0, 1));
    TRY(check_rows(&part.comm, graph.height, "rows"));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(tc_enter(&v, params, graph.width, graph.height, mask, true, report));
    TRY(meet(&part, &(lattice){false, graph.width, graph.connectivity, hash_solver(&v.setup),
                               &graph, hash_row}));
    v.setup.comm = &part.comm;
    TRY(tc_solve(&graph, &v.setup, NULL, v.mask.pixel, NULL, &v.result));
done:
    return tc_part_leave(&part, more, tc_leave(&v, status));
}

/* ---- Volumes ---------------------------------------------------------------------------------- */

/* *solver: the one that the setup names, or NULL if it is to be chosen. EINVAL if it cannot cut volumes in parts. */
static tilecut_status find_solver(const tc_setup *setup, int width, int height, const tc_solver **solver)
{
    NEED(tc_run_solver(setup, setup->connectivity, width, height, solver));
    if (*solver && (*solver)->can & TC_ON_CUDA && (*solver)->solve != tc_cuda_tiles)
        return tc_fail(TILECUT_EINVAL, "solver '%s' does not cut a volume in parts; of those on a device, 'cuda' does",
                       (*solver)->name);
    return TILECUT_OK;
}

tilecut_status tilecut_part_volume_segment(const tilecut_part *from, const tilecut_volume *volume,
                                           const uint8_t *seeds, const tilecut_params *params, uint8_t *mask,
                                           tilecut_report *report, tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tc_volume made = {0};
    tc_part part = {0};
    tc_visit v = {.volume = true};
    const tc_solver *solver;
    tilecut_volume voxels;

    TRY(tc_part_enter(&part, from));
    if (!volume || !seeds || !mask)
        TRY(tc_fail(TILECUT_EINVAL, "%s is NULL", !volume ? "volume" : !seeds ? "seeds" : "mask"));
    TRY(tc_volume_read(&voxels, volume));
    TRY(check_rows(&part.comm, voxels.depth, "slices"));
    if ((int64_t)voxels.height * part.comm.height > INT32_MAX)
        TRY(tc_fail(TILECUT_EINVAL, "%d slices of %d rows; 2^31 rows or more", part.comm.height, voxels.height));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(tc_enter(&v, params, voxels.width, voxels.height * voxels.depth, mask, true, report));
    TRY(find_solver(&v.setup, voxels.width, voxels.height, &solver));
    TRY(meet(&part, &(lattice){true, voxels.width, (int64_t)voxels.height << 8 | voxels.type,
                               hash_scan(&voxels, &v.setup), &voxels, hash_voxels}));
    v.setup.comm = &part.comm;
    TRY(tc_volume_open_window(&made, &voxels, seeds, &v.setup));
    part.voxels = &made;
    TRY(tc_volume_cut(&made, NULL, v.mask.pixel, &v.result));
done:
    tc_part_close(&part);
    tc_volume_close(&made);
    return tc_part_leave(&part, more, tc_leave(&v, status));
}

tilecut_status tilecut_part_volume_solve(const tilecut_part *from, const tilecut_volume_arrays *arrays,
                                         const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                         tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume_arrays a;
    tilecut_graph graph;
    tc_part part = {0};
    tc_visit v = {.volume = true};
    const tc_solver *solver;

    TRY(tc_part_enter(&part, from));
    if (!arrays || !mask) TRY(tc_fail(TILECUT_EINVAL, "%s is NULL", arrays ? "mask" : "arrays"));
    TRY(tc_sized_read(&a, sizeof a, sizeof a, arrays, "tilecut_volume_arrays"));
    TRY(tc_graph_of_volume(&graph, &a));
    TRY(check_rows(&part.comm, graph.depth, "slices"));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(tc_enter(&v, params, graph.width, graph.height * graph.depth, mask, true, report));
    if (v.setup.connectivity == 26)
        TRY(tc_fail(TILECUT_EINVAL, "connectivity is 26; volumes from arrays have 6 neighbours"));
    TRY(find_solver(&v.setup, graph.width, graph.height, &solver));
    TRY(meet(&part, &(lattice){true, graph.width, graph.height, hash_solver(&v.setup), &graph, hash_row}));
    const int first = part.comm.first * graph.height, end = first + part.comm.rows * graph.height;
    TRY(tc_graph_check(&graph, first, end, part.comm.above, v.setup.threads));
    v.setup.comm = &part.comm;
    TRY(tc_solve(&graph, &v.setup, NULL, v.mask.pixel, NULL, &v.result));
done:
    return tc_part_leave(&part, more, tc_leave(&v, status));
}
