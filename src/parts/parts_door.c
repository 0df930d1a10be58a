/* SPDX-License-Identifier: MIT
 *
 * parts_door.c - the calls of tilecut_parts.h for images.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "cuda_parts.h"
#include "door.h"
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

/* ---- Calls ------------------------------------------------------------------------------------ */

/* Whether arrays of so many rows are those of the part. */
static tilecut_status check_rows(const tc_comm *comm, int height)
{
    if (height == comm->rows + tc_has_above(comm) + tc_has_below(comm)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "arrays of %d rows for a part of %d and its halo", height, comm->rows);
}

static tilecut_status meet(tc_part *part, const tilecut_image *image, const tc_setup *setup)
{
    tc_comm *const comm = &part->comm;
    const size_t bytes = tc_image_row_bytes(image);
    const int first = comm->first, last = first + comm->rows - 1;
    const int64_t own[TC_PART_WORDS] = {comm->above + first, comm->rows, comm->height, image->width,
                                        image->channels << 8 | image->depth, tc_part_hash_setup(setup)};
    int64_t hash[2][2] = {{tc_part_hash(tc_image_row(image, first), bytes), 0}};

    hash[0][1] = tc_part_hash(tc_image_row(image, last), bytes);
    if (tc_has_above(comm)) hash[1][0] = tc_part_hash(tc_image_row(image, first - 1), bytes);
    if (tc_has_below(comm)) hash[1][1] = tc_part_hash(tc_image_row(image, last + 1), bytes);
    NEED(tc_part_agree(comm, own, false));
    return tc_part_check_rims(comm, hash, false);
}

/* Where a device cuts, it looks at the strokes, too. All parts name the same solver. */
static void learn_there(tc_comm *comm, const tc_setup *setup)
{
    const tc_solver *const solver = setup->solver ? tc_solver_find(setup->solver) : NULL;
    if (!solver || solver->solve != tc_cuda_tiles) return;
    comm->nearness = tc_cuda_part_nearness;
    comm->device = setup->device;
}

tilecut_status tilecut_part_segment(const tilecut_part *given, const tilecut_image *image, const uint8_t *seeds,
                                    const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                    tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_image photo;
    tc_part part = {0};
    tc_seeds rows = {0};
    tc_visit v = {0};

    TRY(tc_part_enter(&part, given));
    TRY(tc_image_read(&photo, image));
    TRY(check_rows(&part.comm, photo.height));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(tc_enter(&v, params, photo.width, photo.height, mask, true, report));
    TRY(tc_seeds_open(&rows, seeds, v.setup.seeds_stride, photo.width, photo.height));
    if (v.setup.prior) TRY(tc_fail(TILECUT_EINVAL, "a prior is not for an image in parts"));
    TRY(meet(&part, &photo, &v.setup));
    v.setup.comm = &part.comm;
    TRY(tc_box_to_border(&rows, photo.width, photo.height, &v.setup));
    learn_there(&part.comm, &v.setup);
    TRY(tc_segment(&(tc_source){.image = &photo, .seeds = rows.label}, &v.setup, v.mask.pixel, &v.told));
done:
    tc_seeds_close(&rows);
    return tc_part_leave(&part, more, tc_leave(&v, status));
}

/* The hash of a row of capacities, as far as both parts beside it have them. */
static int64_t hash_row(const tilecut_arrays *a, int y)
{
    const size_t at = (size_t)y * (size_t)a->width, bytes = (size_t)a->width * sizeof(int32_t);
    return tc_part_hash(a->source + at, bytes) ^ tc_part_hash(a->sink + at, bytes);
}

static tilecut_status meet_arrays(tc_part *part, const tilecut_arrays *a, const tc_setup *setup)
{
    tc_comm *const comm = &part->comm;
    const int first = comm->first, last = first + comm->rows - 1;
    const int64_t own[TC_PART_WORDS] = {comm->above + first, comm->rows, comm->height, a->width, a->to[2] ? 8 : 4,
                                        setup->solver ? tc_part_hash(setup->solver, strlen(setup->solver)) : 0};
    int64_t hash[2][2] = {{hash_row(a, first), hash_row(a, last)}};

    if (tc_has_above(comm)) hash[1][0] = hash_row(a, first - 1);
    if (tc_has_below(comm)) hash[1][1] = hash_row(a, last + 1);
    NEED(tc_part_agree(comm, own, false));
    return tc_part_check_rims(comm, hash, false);
}

tilecut_status tilecut_part_solve(const tilecut_part *given, const tilecut_arrays *arrays, const tilecut_params *params,
                                  uint8_t *mask, tilecut_report *report, tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph graph = {0};
    tc_part part = {0};
    tc_visit v = {0};

    TRY(tc_part_enter(&part, given));
    if (!arrays) TRY(tc_fail(TILECUT_EINVAL, "arrays is NULL"));
    TRY(TC_READ(&graph.arrays, arrays, arrays));
    TRY(tc_arrays_check(&graph.arrays));
    TRY(check_rows(&part.comm, graph.arrays.height));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    graph.width = graph.arrays.width;
    graph.height = graph.arrays.height;
    graph.connectivity = graph.arrays.to[2] ? 8 : 4;
    TRY(tc_enter(&v, params, graph.width, graph.height, mask, true, report));
    TRY(meet_arrays(&part, &graph.arrays, &v.setup));
    v.setup.comm = &part.comm;
    TRY(tc_solve(&graph, &v.setup, NULL, v.mask.pixel, NULL, &v.told));
done:
    return tc_part_leave(&part, more, tc_leave(&v, status));
}
