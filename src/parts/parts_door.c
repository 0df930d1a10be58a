/* SPDX-License-Identifier: MIT
 *
 * parts_door.c - the public functions of tilecut_parts.h, for images and volumes.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "coarse.h"
#include "cuda_parts.h"
#include "door.h"
#include "labels_cut.h"
#include "part_enter.h"
#include "segment.h"
#include "sized.h"
#include "solve.h"
#include "status.h"

void tilecut_part_rows(int height, int parts, int part, int *first, int *rows)
{
    const bool one = height > 0 && part >= 0 && part < parts;
    const int begin = one ? (int)((int64_t)height * part / parts) : 0;
    if (first) *first = begin;
    if (rows) *rows = one ? (int)((int64_t)height * (part + 1) / parts) - begin : 0;
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

/* A part's own rows and halo (in a volume, slices), in the form in which the parts compare them. */
typedef struct lattice {
    bool volume;
    int width, lines, rows; /* lines: rows of pixels in a slice; 1 in an image                                */
    int connectivity;       /* the neighbours of a graph from arrays; 0: the connectivity comes from the parameters */
    int64_t kind, more;     /* numbers that must be equal in all parts                                        */
    const void *of;         /* the argument of hash()                                                         */
    /* returns a hash of the data of a row; at a border both parts have the row, so their hashes must be equal */
    int64_t (*hash)(const void *of, int row);
} lattice;

static tilecut_status meet(tc_part *part, const lattice *l, int64_t params)
{
    tc_comm *const comm = &part->comm;
    const int first = comm->first, last = first + comm->rows - 1;
    const int64_t own[TC_PART_WORDS] = {comm->above + first, comm->rows, comm->height, l->width, l->kind, params};
    int64_t hash[2][2] = {{l->hash(l->of, first), l->hash(l->of, last)}};

    if (tc_has_above(comm)) hash[1][0] = l->hash(l->of, first - 1);
    if (tc_has_below(comm)) hash[1][1] = l->hash(l->of, last + 1);
    NEED(tc_part_agree(comm, own, l->volume));
    return tc_part_check_halos(comm, hash, l->volume);
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

/* Hashes the source and sink capacities of a row, or of a slice of a volume. */
static int64_t hash_capacities(const void *of, int row)
{
    const tilecut_graph *const g = of;
    const size_t count = (size_t)g->width * (tc_graph_is_volume(g) ? (size_t)g->height : 1);
    const size_t at = (size_t)row * count, bytes = count * sizeof *g->arrays.source;
    return tc_part_hash(g->arrays.source + at, bytes) ^ tc_part_hash(g->arrays.sink + at, bytes);
}

static int64_t hash_solver(const tc_setup *setup)
{
    return setup->solver ? tc_part_hash(setup->solver, strlen(setup->solver)) : 0;
}

/* The input of a call, and where its answer goes. */
typedef struct wanted {
    const tilecut_params *params;
    uint8_t *mask;
    tilecut_report *report;
    tilecut_part_report *more;
} wanted;

static lattice lattice_of_image(const tilecut_image *photo)
{
    return (lattice){.width = photo->width, .lines = 1, .rows = photo->height, .of = photo, .hash = hash_pixels,
                     .kind = photo->channels << 8 | photo->depth};
}

static lattice lattice_of_volume(const tilecut_volume *v)
{
    const double numbers[] = {v->spacing[0], v->spacing[1], v->spacing[2], v->low, v->high};
    return (lattice){.volume = true, .width = v->width, .lines = v->height, .rows = v->depth,
                     .kind = (int64_t)v->height << 8 | v->channels << 4 | v->type, .of = v, .hash = hash_voxels,
                     .more = tc_part_hash(numbers, sizeof numbers)};
}

/* The first step of all calls once their data are read: checks rows and reports, completes the parameters, and compares
 * the parts. */
static tilecut_status begin_call(tc_part *part, tc_visit *v, const wanted *w, const lattice *l)
{
    tc_comm *const comm = &part->comm;
    tc_setup *const setup = &v->setup;
    const tc_solver *solver;
    if (l->rows != comm->rows + tc_has_above(comm) + tc_has_below(comm))
        return tc_fail(TILECUT_EINVAL, "%d %s for a part of %d and its halo", l->rows, l->volume ? "slices" : "rows",
                       comm->rows);
    NEED(tc_sized_check(w->more, "tilecut_part_report"));
    v->volume = l->volume;
    NEED(tc_enter(v, w->params, l->width, l->lines * l->rows, w->mask, true, w->report));
    NEED(tc_run_solver(setup, l->connectivity ? l->connectivity : setup->connectivity, l->width, l->lines * l->rows,
                       &solver));
    if (solver && solver->can & TC_ON_CUDA && solver->solve != tc_cuda_tiles)
        return tc_fail(TILECUT_EINVAL, "solver '%s' does not cut in parts; of those on a device, 'cuda' does",
                       solver->name);
    NEED(meet(part, l, l->connectivity ? hash_solver(setup) : tc_part_hash_setup(setup) ^ l->more));
    setup->comm = comm;
    return TILECUT_OK;
}

/* ---- Images ----------------------------------------------------------------------------------- */

/* If a device makes the cuts, it also computes the spatial term. All parts name the same solver, so this is the same in
 * all parts. */
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
    tc_part part = {0};
    tc_visit v = {0};

    TRY(tc_part_enter(&part, from));
    TRY(tc_image_read(&v.image, image));
    const int width = v.image.width, height = v.image.height;
    const lattice rows_of = lattice_of_image(&v.image);
    TRY(begin_call(&part, &v, &(wanted){params, mask, report, more}, &rows_of));
    TRY(tc_bytes_open(&v.seeds, "seeds", seeds, v.setup.seeds_stride, width, height));
    if (v.setup.prior) TRY(tc_fail(TILECUT_EINVAL, "a prior is not for an image in parts"));
    TRY(tc_seeds_settle(&v.seeds, &v.setup, NULL));
    learn_there(&part.comm, &v.setup);
    TRY(tc_segment(&(tc_source){.image = &v.image, .seeds = v.seeds.from}, &v.setup, v.mask.to, &v.result));
done:
    return tc_part_leave(&part, more, tc_leave(&v, status));
}

/* ---- Volumes ---------------------------------------------------------------------------------- */

static tilecut_status read_volume(const tc_part *part, const tilecut_volume *volume, const uint8_t *seeds,
                                  tilecut_volume *voxels)
{
    if (!volume || !seeds) return tc_fail(TILECUT_EINVAL, "%s is NULL", volume ? "seeds" : "volume");
    NEED(tc_volume_read(voxels, volume));
    if ((int64_t)voxels->height * part->comm.height > INT32_MAX)
        return tc_fail(TILECUT_EINVAL, "%d slices of %d rows; 2^31 rows or more", part->comm.height, voxels->height);
    return TILECUT_OK;
}

tilecut_status tilecut_part_volume_segment(const tilecut_part *from, const tilecut_volume *volume,
                                           const uint8_t *seeds, const tilecut_params *params, uint8_t *mask,
                                           tilecut_report *report, tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tc_volume made = {0};
    tc_part part = {0};
    tc_visit v = {0};
    tilecut_volume voxels;

    TRY(tc_part_enter(&part, from));
    TRY(read_volume(&part, volume, seeds, &voxels));
    const lattice slices_of = lattice_of_volume(&voxels);
    TRY(begin_call(&part, &v, &(wanted){params, mask, report, more}, &slices_of));
    TRY(tc_volume_open_window(&made, &voxels, seeds, &v.setup));
    part.voxels = &made;
    TRY(tc_volume_cut(&made, NULL, v.mask.to, &v.result));
    TRY(tc_volume_follow_strokes(&made, &voxels, seeds, &v.setup, NULL, v.mask.to, &v.result));
done:
    tc_part_close(&part);
    tc_volume_close(&made);
    return tc_part_leave(&part, more, tc_leave(&v, status));
}

tilecut_status tilecut_part_volume_range(const tilecut_part *from, const tilecut_volume *volume, double range[2])
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume voxels;
    tc_part part = {0};
    TRY(tc_part_enter(&part, from));
    if (!range) TRY(tc_fail(TILECUT_EINVAL, "range is NULL"));
    TRY(tc_volume_read(&voxels, volume));
    const lattice slices_of = lattice_of_volume(&voxels);
    TRY(meet(&part, &slices_of, 0));
    TRY(tc_volume_usual_range(&voxels, &part.comm, range));
done:
    return tc_part_leave(&part, NULL, status);
}

/* ---- Several labels ---------------------------------------------------------------------------- */

/* Labels the part's rows, unless `status` is an error, and leaves the part. */
static tilecut_status label_rows(tc_part *part, const tc_labels_source *source, tilecut_status status, const wanted *w,
                                 const tilecut_labels_params *how, tilecut_labels_report *report)
{
    tc_visit v = {0};
    const int asked[] = {how ? how->background : 0, how ? how->bound_rounds : 0};
    if (status != TILECUT_OK) goto done;
    if (part->comm.store) TRY(tc_fail(TILECUT_EINVAL, "a part with a store; labels do not lie on disk"));
    lattice l = source->volume ? lattice_of_volume(source->volume) : lattice_of_image(source->image);
    l.more ^= tc_part_hash(asked, sizeof asked);
    TRY(begin_call(part, &v, w, &l));
    if (source->image) learn_there(&part->comm, &v.setup);
    TRY(tc_labels_cut(source, &v.setup, how, v.mask.to, report));
done:
    return tc_part_leave(part, NULL, tc_leave(&v, status));
}

tilecut_status tilecut_part_labels(const tilecut_part *from, const tilecut_image *image, const uint8_t *seeds,
                                   const tilecut_params *params, const tilecut_labels_params *how, uint8_t *labels,
                                   tilecut_labels_report *report)
{
    tilecut_image photo;
    tc_part part = {0};
    tilecut_status status = tc_part_enter(&part, from);
    if (status == TILECUT_OK) status = tc_image_read(&photo, image);
    return label_rows(&part, &(tc_labels_source){.image = &photo, .seeds = seeds}, status,
                      &(wanted){.params = params, .mask = labels}, how, report);
}

tilecut_status tilecut_part_volume_labels(const tilecut_part *from, const tilecut_volume *volume,
                                          const uint8_t *seeds, const tilecut_params *params,
                                          const tilecut_labels_params *how, uint8_t *labels,
                                          tilecut_labels_report *report)
{
    tilecut_volume voxels;
    tc_part part = {0};
    tilecut_status status = tc_part_enter(&part, from);
    if (status == TILECUT_OK) status = read_volume(&part, volume, seeds, &voxels);
    return label_rows(&part, &(tc_labels_source){.volume = &voxels, .seeds = seeds}, status,
                      &(wanted){.params = params, .mask = labels}, how, report);
}

/* ---- Arrays ----------------------------------------------------------------------------------- */

/* Cuts the part of a graph from arrays, unless `status` is an error, and leaves the part. */
static tilecut_status solve_arrays(tc_part *part, const tilecut_graph *g, tilecut_status status, const wanted *w)
{
    const bool volume = tc_graph_is_volume(g);
    const int lines = volume ? g->height : 1, first = part->comm.first * lines, end = first + part->comm.rows * lines;
    tc_visit v = {0};
    if (status != TILECUT_OK) goto done;
    TRY(begin_call(part, &v, w,
              &(lattice){.volume = volume, .width = g->width, .lines = lines, .rows = volume ? g->depth : g->height,
                         .connectivity = g->connectivity, .kind = volume ? lines : g->connectivity, .of = g,
                         .hash = hash_capacities}));
    if (volume && v.setup.connectivity == 26)
        TRY(tc_fail(TILECUT_EINVAL, "connectivity is 26; volumes from arrays have 6 neighbours"));
    TRY(tc_graph_check(g, first, end, part->comm.above, v.setup.threads));
    TRY(tc_solve(g, &v.setup, NULL, v.mask.to, NULL, &v.result));
done:
    return tc_part_leave(part, w->more, tc_leave(&v, status));
}

tilecut_status tilecut_part_solve(const tilecut_part *from, const tilecut_arrays *arrays, const tilecut_params *params,
                                  uint8_t *mask, tilecut_report *report, tilecut_part_report *more)
{
    tilecut_graph graph = {0};
    tc_part part = {0};
    tilecut_status status = tc_part_enter(&part, from);
    if (status == TILECUT_OK) status = tc_graph_of_arrays(&graph, arrays);
    return solve_arrays(&part, &graph, status, &(wanted){params, mask, report, more});
}

tilecut_status tilecut_part_volume_solve(const tilecut_part *from, const tilecut_volume_arrays *arrays,
                                         const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                         tilecut_part_report *more)
{
    tilecut_graph graph = {0};
    tc_part part = {0};
    tilecut_status status = tc_part_enter(&part, from);
    if (status == TILECUT_OK) status = tc_graph_of_volume(&graph, arrays);
    return solve_arrays(&part, &graph, status, &(wanted){params, mask, report, more});
}

/* ---- Masks ------------------------------------------------------------------------------------- */

/* Cleans own layers together with all parts. Sets the size in `how` to that of the own layers. */
static tilecut_status clean_own(tc_part *part, tilecut_cleaning *how, const uint8_t *seeds, uint8_t *mask,
                                tilecut_cleaned *out)
{
    tc_comm *const comm = &part->comm;
    int *const layers = how->depth ? &how->depth : &how->height;
    const size_t rim = (size_t)comm->first * (size_t)how->width * (size_t)(how->depth ? how->height : 1);
    if (*layers != comm->rows + tc_has_above(comm) + tc_has_below(comm))
        return tc_fail(TILECUT_EINVAL, "%d %s for a part of %d and its halo", *layers, how->depth ? "slices" : "rows",
                       comm->rows);
    *layers = comm->rows;
    const int64_t asked[] = {how->keep_largest != 0, how->connected != 0, how->min_area, how->fill_holes, !seeds};
    const int64_t own[TC_PART_WORDS] = {comm->above + comm->first, comm->rows, comm->height, how->width,
                                        (int64_t)(how->depth ? how->height : 0) << 8 | how->connectivity,
                                        tc_part_hash(asked, sizeof asked)};
    NEED(tc_part_agree(comm, own, how->depth > 0));
    NEED(tc_clean(how, comm, seeds ? seeds + rim : NULL, mask + rim, out));
    int64_t all[] = {out->regions_dropped, out->pixels_dropped, out->holes_filled, out->pixels_filled};
    NEED(tc_comm_allreduce(comm, all, 4));
    *out = (tilecut_cleaned){out->size, all[0], all[1], all[2], all[3]};
    return TILECUT_OK;
}

tilecut_status tilecut_part_clean(const tilecut_part *from, const tilecut_cleaning *given, const uint8_t *seeds,
                                  uint8_t *mask, tilecut_cleaned *cleaned)
{
    tilecut_cleaned out = {0};
    tilecut_cleaning how;
    tc_part part = {0};
    tilecut_status status = tc_part_enter(&part, from);
    if (status == TILECUT_OK) status = tc_clean_read(&how, given, mask, cleaned);
    if (status == TILECUT_OK) status = clean_own(&part, &how, seeds, mask, &out);
    if (status == TILECUT_OK) TC_WRITE(cleaned, &out, cleaned);
    return tc_part_leave(&part, NULL, status);
}
