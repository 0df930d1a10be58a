/* SPDX-License-Identifier: MIT
 *
 * volume_energy.c - see volume.h: makes grey values or colours of 8 or 16 bits from voxels, and their graph. Everything
 * else is done by energy.c and graph.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "nearness.h"
#include "parallel.h"
#include "rows.h"
#include "simd.h"
#include "status.h"
#include "view.h"
#include "volume.h"
#include "volume_math.h"

/* ---- Grey values ------------------------------------------------------------------------------ */

typedef struct scaling {
    const tilecut_volume *volume;
    tc_grey_scale scale;
    void *grey;
} scaling;

/* Scales `n` samples of a row to 16 bits. Each type has a loop of its own, which the compiler can vectorise. */
TC_VECTOR_LOOP static void scale_row(const tc_grey_scale *scale, const void *restrict row, int type, int n,
                                     uint16_t *restrict grey)
{
    const tc_grey_scale s = *scale;
    if (type == TILECUT_VOXEL_U8)
        for (int x = 0; x < n; x++) grey[x] = (uint16_t)(int)tc_grey_of(&s, ((const uint8_t *)row)[x]);
    else if (type == TILECUT_VOXEL_U16)
        for (int x = 0; x < n; x++) grey[x] = (uint16_t)(int)tc_grey_of(&s, ((const uint16_t *)row)[x]);
    else if (type == TILECUT_VOXEL_I16)
        for (int x = 0; x < n; x++) grey[x] = (uint16_t)(int)tc_grey_of(&s, ((const int16_t *)row)[x]);
    else
        for (int x = 0; x < n; x++) grey[x] = (uint16_t)(int)tc_grey_of(&s, (double)((const float *)row)[x]);
}

static void scale_slice(void *context, int z)
{
    const scaling *const m = context;
    const tilecut_volume *const v = m->volume;
    const int samples = v->width * v->channels;
    for (int y = 0; y < v->height; y++) {
        const void *const row = tc_volume_row(v, y, z);
        const size_t at = ((size_t)z * (size_t)v->height + (size_t)y) * (size_t)samples;
        if (m->scale.depth == 8) memcpy((uint8_t *)m->grey + at, row, (size_t)samples);
        else scale_row(&m->scale, row, v->type, samples, (uint16_t *)m->grey + at);
    }
}

static void release_pages(const void *idle)
{
    tc_volume_release_pages(idle);
}

void tc_volume_release_pages(const tc_volume *volume)
{
    for (int i = 0; i < 2; i++) tc_stored_release_pages(&volume->room[i]);
}

/* Takes memory for grey values or labels: in the part's file, if it has one. */
static void *take_part_memory(tc_volume *out, int slot, size_t bytes, const tc_comm *comm)
{
    return comm && comm->store ? tc_stored_take(&out->room[slot], bytes, comm->store) : tc_large_alloc(bytes);
}

/* True if the voxels are samples of an image already: packed bytes of the full range. */
static bool are_grey(const tilecut_volume *v, const tc_grey_scale *scale)
{
    const size_t row = tc_volume_row_bytes(v), slice = row * (size_t)v->height;
    return scale->depth == 8 && (!v->row_stride || v->row_stride == row) &&
           (!v->slice_stride || v->slice_stride == slice);
}

static tilecut_status scale_grey(tc_volume *out, const tilecut_volume *v, tc_comm *comm, int threads, bool copy,
                                 tilecut_image *image)
{
    const size_t rows = (size_t)v->height * (size_t)v->depth, width = (size_t)v->width;
    scaling m = {.volume = v};
    double low = 0, high = 0;
    NEED(tc_volume_range(v, comm, threads, &low, &high));
    out->low = low, out->high = high;
    m.scale = tc_grey_scale_of(v->type, low, high);
    *image = (tilecut_image){.width = v->width, .height = (int)rows, .channels = v->channels, .depth = m.scale.depth,
                             .pixels = v->voxels};
    if (!copy && !(comm && comm->store) && are_grey(v, &m.scale)) return TILECUT_OK;
    out->grey = m.grey = take_part_memory(out, 0, rows * width * (size_t)(v->channels * m.scale.depth / 8), comm);
    if (!m.grey)
        return tc_fail(TILECUT_ENOMEM, "no %s for the %s of %zu voxels",
                       comm && comm->store ? "room in the file" : "memory",
                       v->channels == 1 ? "grey values" : "colours", rows * width);
    tc_parallel(threads, v->depth, scale_slice, &m);
    image->pixels = m.grey;
    return TILECUT_OK;
}

typedef struct labelling {
    const tc_volume *made;
    const uint8_t *seeds;
    int first; /* the first own slice */
} labelling;

/* Copies the labels of an own slice. Unless an object is guessed in a box, TILECUT_OUTSIDE becomes background. */
static void copy_slice(void *context, int turn)
{
    const labelling *const l = context;
    const int z = l->first + turn;
    tc_block slice = l->made->window;
    const size_t count = (size_t)slice.width * (size_t)slice.height;
    uint8_t *const to = l->made->labels + (size_t)z * count;
    slice.z += z, slice.depth = 1;
    tc_block_read(l->seeds, l->made->whole.width, l->made->whole.height, &slice, to);
    for (size_t i = 0; !l->made->guessed && i < count; i++)
        to[i] = to[i] == TILECUT_OUTSIDE ? TILECUT_BACKGROUND : to[i];
}

/* Finds the labels of own slices in the window: the caller's seeds or, if these differ or if far strokes may have to be
 * marked in them, a copy. In the halo all labels are unknown. */
static tilecut_status find_labels(tc_volume *out, const tilecut_volume *v, const tc_setup *setup, const uint8_t *seeds,
                                  const uint8_t **labels)
{
    const size_t slice = (size_t)v->width * (size_t)v->height, voxels = slice * (size_t)v->depth;
    const tc_comm *const comm = setup->comm;
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const bool marks = setup->spatial > 0 || setup->spatial_by_strokes;
    *labels = seeds;
    if (!comm && !out->less && !marks && (out->guessed || !memchr(seeds, TILECUT_OUTSIDE, voxels))) return TILECUT_OK;
    *labels = out->labels = take_part_memory(out, 1, voxels, comm);
    if (!out->labels)
        return tc_fail(TILECUT_ENOMEM, "no %s for the labels of %zu voxels",
                       comm && comm->store ? "room in the file" : "memory", voxels);
    tc_parallel(setup->threads, own.end - own.first, copy_slice, &(labelling){out, seeds, own.first});
    memset(out->labels, TILECUT_UNKNOWN, slice * (size_t)own.first);
    memset(out->labels + slice * (size_t)own.end, TILECUT_UNKNOWN, voxels - slice * (size_t)own.end);
    return TILECUT_OK;
}

/* ---- The graph -------------------------------------------------------------------------------- */

tc_comm *tc_volume_in_rows(tc_comm *rows, const tc_comm *slices, int height)
{
    if (!slices) return NULL;
    *rows = *slices;
    rows->first *= height, rows->rows *= height, rows->above *= height, rows->height *= height;
    return rows;
}

tilecut_status tc_volume_grey(tc_volume *out, const tilecut_volume *v, tc_setup *setup, bool copy,
                              tilecut_image *image)
{
    NEED(tc_volume_check_voxels(v));
    setup->threads = tc_threads_that_pay(setup->threads, (int64_t)v->width * v->height * v->depth);
    tc_volume_distances(v, setup->spacing);
    setup->slice_rows = v->height;
    return scale_grey(out, v, setup->comm, setup->threads, copy, image);
}

#define SPATIAL_BY_DEFAULT 10

/* Chooses the options that `setup` leaves open. A volume of one slice is treated as a photo. */
static tilecut_status choose_options(tc_volume *out, const tilecut_volume *v, int threads, const uint8_t *labels,
                                     tc_setup *setup)
{
    tc_bytes seeds = {.from = labels, .width = v->width, .height = v->height};
    tc_comm *const comm = setup->comm;
    setup->prior = NULL;
    if (!setup->guess_slice_rows) setup->guess = NULL;
    if (tc_comm_height(comm, v->depth) == 1) {
        setup->comm = NULL; /* a single slice is a single part */
        NEED(tc_seeds_settle(&seeds, setup, NULL));
        setup->comm = comm;
    } else {
        if (setup->spatial_by_strokes) setup->spatial = SPATIAL_BY_DEFAULT;
        if (setup->spatial > 0 && !out->guessed && !setup->guess) setup->own_seeds = out->labels;
        if (setup->iterations == 0 && !out->guessed) setup->iterations = -1;
        if (out->guessed) setup->effort = 1;
        if (out->guessed && setup->lambda_by_strokes) setup->lambda = tc_lambda_of_gap(out->gap);
    }
    out->setup = *setup, out->setup.threads = threads;
    return TILECUT_OK;
}

tilecut_status tc_volume_choose(tc_setup *setup, const tilecut_image *image, const uint8_t *seeds)
{
    const size_t voxels = (size_t)image->width * (size_t)image->height;
    const bool both = memchr(seeds, TILECUT_FOREGROUND, voxels) && memchr(seeds, TILECUT_BACKGROUND, voxels);
    if (setup->spatial_by_strokes) setup->spatial = SPATIAL_BY_DEFAULT;
    if (setup->iterations == 0) setup->iterations = -1;
    if (!setup->lambda_by_strokes || !both || image->height == setup->slice_rows) return TILECUT_OK;

    tilecut_graph *graph = NULL;
    tc_setup own = *setup;
    own.own_seeds = malloc(voxels);
    if (!own.own_seeds) return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %zu voxels", voxels);
    for (size_t p = 0; p < voxels; p++)
        own.own_seeds[p] = seeds[p] == TILECUT_OUTSIDE ? TILECUT_BACKGROUND : seeds[p];
    const tilecut_status status = tc_graph_open(&graph, image, own.own_seeds, &own);
    if (status == TILECUT_OK) setup->lambda = graph->energy.lambda, setup->lambda_by_strokes = false;
    tc_graph_free(graph);
    free(own.own_seeds);
    return status;
}

/* Makes the graph of out->window, unless a device will; `v` is a view of that window. given->comm is the communicator
 * of the parts that have slices of the window. */
static tilecut_status open_view(tc_volume *out, const tilecut_volume *v, const uint8_t *seeds, const tc_setup *given)
{
    const double start = tc_now_ms();
    tc_comm *const comm = given->comm, *const waits = out->less && comm ? out->parts.all : comm;
    tilecut_status status = TILECUT_OK;
    tc_setup setup = *given;

    TRY(tc_volume_grey(out, v, &setup, false, &out->image));
    if (comm && comm->store) waits->rest = release_pages, waits->idle = out;
    TRY(find_labels(out, v, &setup, seeds, &out->seeds));
    TRY(choose_options(out, v, given->threads, out->seeds, &setup));
    TRY(tc_energy_check_params(&setup));
    if (given->learns_there && given->learns_there(&out->image, &out->setup)) goto done;
    setup.comm = tc_volume_in_rows(&out->rows, comm, v->height);
    status = tc_graph_open(&out->graph, &out->image, out->seeds, &setup);
    if (status == TILECUT_OK) out->graph->energy.shares = true; /* the seeds do not change */
    if (status == TILECUT_OK) status = tc_energy_learn(&out->graph->energy, &setup);
    if (comm && !out->less) comm->report = out->rows.report;
    if (comm) comm->broken = out->rows.broken;
    if (status == TILECUT_OK) out->graph->energy.model_ms = tc_now_ms() - start;
done:
    if (waits) waits->rest = NULL;
    return status;
}

tilecut_status tc_volume_open(tc_volume *out, const tilecut_volume *v, const uint8_t *seeds, const tc_setup *given)
{
    *out = (tc_volume){.window = {0, 0, 0, v->width, v->height, v->depth}};
    out->whole = out->window;
    if (!seeds) return tc_fail(TILECUT_EINVAL, "seeds is NULL");
    NEED(tc_volume_check_voxels(v));
    return open_view(out, v, seeds, given);
}

/* Finds whether the seeds are only a box, in which the object has to be guessed. Then the gap between strokes and
 * background is assumed to be a quarter of the box's side (the cube root of its volume). */
static tilecut_status look_at_box(tc_volume *out, const tilecut_volume *v, const uint8_t *seeds, const tc_setup *setup)
{
    const tc_own_rows own = tc_own_rows_of(setup->comm, v->depth);
    const size_t slice = (size_t)v->width * (size_t)v->height;
    bool marked = memchr(seeds + slice * (size_t)own.first, TILECUT_FOREGROUND, slice * (size_t)(own.end - own.first));
    double distance[3];
    tc_block box;
    NEED(tc_comm_any(setup->comm, &marked));
    out->guessed = !marked && tc_colors_learn(tc_colors_find(setup->colors)) && !setup->soft_seeds;
    if (!out->guessed) return TILECUT_OK;
    const tc_slices l = {v->width, v->height, own.end - own.first};
    NEED(tc_box_in_space(seeds + slice * (size_t)own.first, &l, TILECUT_UNKNOWN, setup->comm, true, &box));
    tc_volume_distances(v, distance);
    out->gap = 0.25 * cbrt(box.width * distance[0] * box.height * distance[1] * box.depth * distance[2]);
    return TILECUT_OK;
}

tilecut_status tc_volume_open_window(tc_volume *out, const tilecut_volume *v, const uint8_t *seeds,
                                     const tc_setup *given)
{
    tilecut_volume all = *v;
    tc_setup setup = *given;
    tc_block window = {0};
    *out = (tc_volume){.less = false};
    if (given->prior)
        return tc_fail(TILECUT_EINVAL, "a prior is refined by tilecut_volume_segment() and by sessions, without "
                       "soft_seeds");
    if (!seeds) return tc_fail(TILECUT_EINVAL, "seeds is NULL");
    NEED(tc_volume_check_voxels(v));
    NEED(tc_volume_window(v, seeds, given->comm, &window, &out->less));
    if (!out->less) return tc_volume_open(out, v, seeds, given);
    NEED(look_at_box(out, v, seeds, given));

    NEED(tc_volume_fix_range(&all, given->comm, given->threads));
    out->whole = (tc_block){0, 0, 0, v->width, v->height, v->depth};
    out->setup = setup, out->low = all.low, out->high = all.high;
    if (given->comm) {
        NEED(tc_window_begin(&out->parts, given->comm, window.z, window.depth));
        window.z = out->parts.from, window.depth = out->parts.rows;
        setup.comm = &out->parts.comm;
    }
    out->window = window;
    if (given->comm && !out->parts.takes_part) return TILECUT_OK;
    const tilecut_volume view = tc_volume_view(&all, &window);
    return open_view(out, &view, seeds, &setup);
}

void tc_volume_close(tc_volume *volume)
{
    tc_graph_free(volume->graph);
    if (!volume->room[0].start) free(volume->grey);
    if (!volume->room[1].start) free(volume->labels);
    for (int i = 1; i >= 0; i--) tc_stored_free(&volume->room[i]);
    *volume = (tc_volume){0};
}

/* ---- Capacities for others -------------------------------------------------------------------- */

typedef struct writing {
    const tilecut_graph *graph;
    int32_t *memory;
} writing;

static void write_row(void *context, const tc_row_view *row, int tile_row)
{
    const writing *const w = context;
    const size_t width = (size_t)w->graph->width, voxels = tc_graph_pixels(w->graph);
    int32_t *const at = w->memory + ((size_t)row->z * (size_t)w->graph->height + (size_t)row->y) * width;
    (void)tile_row;
    memcpy(at, row->source, width * sizeof *at);
    memcpy(at + voxels, row->sink, width * sizeof *at);
    for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) {
        int32_t *const to = at + (2 + k) * voxels;
        if (row->to[k]) memcpy(to, row->to[k], width * sizeof *to);
        else memset(to, 0, width * sizeof *to);
        if (k == 0) to[width - 1] = 0;
    }
}

tilecut_status tc_volume_write(const tilecut_graph *graph, int threads, int32_t *memory)
{
    writing w = {graph, memory};
    return tc_graph_stream(graph, tc_threads_that_pay(threads, (int64_t)tc_graph_pixels(graph)), write_row, &w);
}
