/* SPDX-License-Identifier: MIT
 *
 * software_device.h - a CUDA device simulated in software. It implements the functions of cuda/seam/ for graphs that
 * stay on the device, using the library's own code for the host. It replaces the stub in tests that include it, so that
 * the device's row in the table of backends is tested without a GPU. Device memory is real memory that only these
 * functions may access.
 */
#pragma once

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "box_evidence.h"
#include "build_grid.h"
#include "cuda_backend.h"
#include "coarse.h"
#include "cut.h"
#include "graph.h"
#include "shared_array.h"
#include "islands.h"
#include "solver.h"
#include "status.h"

/* Counts of the calls to the device, and its faults to simulate. */
static struct {
    atomic_int learnt, relearnt, created, solved, fetched; /* numbers of calls, which several threads may make */
    atomic_int shrunk, forked, dropped, looked;
    atomic_int made_up;                             /* number of postponed learnings that were done after all */
    atomic_int open;                                /* number of graphs that exist */
    atomic_int gives_up;                            /* number of solves until the device gives up; 0: never */
    bool lies;                                      /* if true, the device reports a cut whose cost is not its flow */
    bool full;                                      /* if true, the device has no memory for graphs */
    char *memory;                                   /* start of device memory */
    size_t size;
} device;

/* ---- Device memory ---------------------------------------------------------------------------- */

static void memory_guard(bool open)
{
    const int access = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    if (device.memory) ck_assert_int_eq(mprotect(device.memory, device.size, access), 0);
}

static inline uint8_t *memory_take(size_t size)
{
    device.size = size;
    device.memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(device.memory != MAP_FAILED);
    return (uint8_t *)device.memory;
}

static inline void memory_give(void)
{
    if (device.memory) munmap(device.memory, device.size);
    device.memory = NULL;
}

tilecut_status tc_cuda_copy(void *to, const void *from, size_t size, void *stream)
{
    (void)stream;
    memory_guard(true);
    memcpy(to, from, size);
    memory_guard(false);
    return TILECUT_OK;
}

/* ---- Solvers ---------------------------------------------------------------------------------- */

const int tc_cuda_built = 1;

int tc_cuda_devices(void)
{
    return 1;
}

tilecut_status tc_cuda_device_of(const void *address, const char *what, int *index)
{
    (void)address, (void)what;
    *index = 0;
    return TILECUT_OK;
}

tilecut_status tc_cuda_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                                 int height, void *stream)
{
    (void)stream;
    memory_guard(true);
    for (size_t y = 0; y < (size_t)height; y++)
        memcpy((char *)to + y * to_stride, (const char *)from + y * from_stride, bytes);
    memory_guard(false);
    return TILECUT_OK;
}

tilecut_status tc_cuda_send_rows(void *to, const void *from, size_t stride, size_t bytes, int height, int index,
                                 int threads)
{
    (void)index, (void)threads;
    return tc_cuda_copy_rows(to, bytes, from, stride, bytes, height, NULL);
}

tilecut_status tc_cuda_fetch_rows(void *to, const void *from, size_t stride, size_t bytes, int height, int index)
{
    (void)index;
    return tc_cuda_copy_rows(to, bytes, from, stride, bytes, height, NULL);
}

tilecut_status tc_cuda_take(void **memory, size_t size, int index)
{
    (void)index;
    *memory = malloc(size);
    return *memory ? TILECUT_OK : TILECUT_ENOMEM;
}

void tc_cuda_give(void *memory, int index)
{
    (void)index;
    free(memory);
}

tilecut_status tc_cuda_device(int index, char *name, size_t size)
{
    if (index != 0) return tc_fail(TILECUT_ENODEVICE, "there is no CUDA device %d", index);
    if (name && size) name[0] = 0;
    return TILECUT_OK;
}

#define BY_PUSH(solver)                                                                        \
    tilecut_status solver(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats) \
    {                                                                                          \
        return tc_solver_push(grid, params, stats);                                            \
    }

BY_PUSH(tc_cuda_tiles)
BY_PUSH(tc_ladder_basic)
BY_PUSH(tc_ladder_lockstep)
BY_PUSH(tc_ladder_tiled)
BY_PUSH(tc_ladder_lockfree)
BY_PUSH(tc_ladder_queue)

const tc_hybrid_device tc_cuda_hybrid = {0};

tilecut_status tc_cuda_hybrid_open(int device_index, void **self)
{
    (void)device_index;
    *self = NULL;
    return tc_fail(TILECUT_EDEVICE, "this test has no grid for `hybrid` to upload");
}

size_t tc_cuda_hybrid_close(void *self)
{
    (void)self;
    return 0;
}

/* ---- Graphs ----------------------------------------------------------------------------------- */

struct tc_cuda_graph {
    tilecut_graph *graph; /* a graph that owns copies of pixels and seeds */
    void *pixels;
    uint8_t *seeds, *mask, *kept;
    bool update, solved;
    bool put_off;         /* true: learning is postponed: so far it has only read the seeds */
    bool pending;         /* true: the next solve reports what was learnt */
    tc_setup setup;       /* parameters of the last learning, without pointers to names */
    tc_energy before;     /* the energy of the kept answer, while another model is on trial */
    tc_grid grid;
    tc_labels labels;
};

static size_t pixels_of(const tc_cuda_graph *g)
{
    return tc_graph_pixels(g->graph);
}

void tc_cuda_graph_destroy(tc_cuda_graph *graph)
{
    if (!graph) return;
    device.open--;
    tilecut_graph_destroy(graph->graph);
    tc_energy_free(&graph->before);
    tc_grid_free(&graph->grid);
    tc_labels_free(&graph->labels);
    free(graph->pixels);
    free(graph->seeds);
    free(graph->mask);
    free(graph->kept);
    free(graph);
}

static tc_cuda_graph *graph_of(const tilecut_image *image, const uint8_t *seeds, tilecut_image *copy)
{
    const size_t n = (size_t)image->width * (size_t)image->height;
    const size_t bytes = tc_image_stride(image) * (size_t)(image->height - 1) + tc_image_row_bytes(image);
    tc_cuda_graph *const g = calloc(1, sizeof *g);
    ck_assert(g && (g->pixels = malloc(bytes)) && (g->seeds = malloc(n)));
    ck_assert((g->mask = calloc(n, 1)) && (g->kept = calloc(n, 1)));
    memcpy(g->pixels, image->pixels, bytes);
    memcpy(g->seeds, seeds, n);
    *copy = *image;
    copy->pixels = g->pixels;
    device.open++;
    return g;
}

static void build_here(tc_cuda_graph *g)
{
    tc_grid_free(&g->grid);
    const tilecut_graph *const graph = g->graph;
    ck_assert_int_eq(tc_grid_init_lattice(&g->grid, graph->width, graph->height, graph->depth, graph->connectivity, 0),
                     TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&g->grid, g->graph, 1), TILECUT_OK);
    g->solved = false;
}

static void tell_origin(const tc_cuda_graph *g, tc_cuda_origin *origin)
{
    const tc_energy *const e = &g->graph->energy;
    *origin = (tc_cuda_origin){.copy_ms = 1, .model_ms = 2, .build_ms = 4, .lambda = e->lambda, .beta = e->beta,
                               .quantum = e->quantum, .shared = e->shared, .guessed = e->training.guessed,
                               .painted = e->painted && e->color_bits,
                               .strokes = tc_extent_of(g->seeds, e->image.width, e->image.height,
                                                       TILECUT_FOREGROUND)};
}

/* Like tell_origin(), but the next solve reports most of it. */
static void tell_later(tc_cuda_graph *g, tc_cuda_origin *origin)
{
    tell_origin(g, origin);
    *origin = (tc_cuda_origin){.guessed = origin->guessed, .painted = origin->painted, .strokes = origin->strokes,
                               .lambda = origin->lambda};
    g->pending = true;
}

/* Makes a graph that uses the caller's arrays without a copy. */
static tc_cuda_graph *graph_of_arrays(const tilecut_graph *from)
{
    tc_cuda_graph *const g = calloc(1, sizeof *g);
    ck_assert(g && (g->graph = calloc(1, sizeof *g->graph)) && (g->mask = calloc(tc_graph_pixels(from), 1)));
    *g->graph = *from;
    device.open++;
    return g;
}

/* Makes a graph with copies of the tables. */
static tc_cuda_graph *graph_of_tables(const tilecut_graph *from)
{
    const tc_energy *const energy = &from->energy;
    tilecut_image image;
    tc_cuda_graph *const g = graph_of(&energy->image, energy->seeds, &image);
    const size_t bins = (size_t)1 << (energy->color_bits * image.channels), keys = (size_t)energy->keys;
    g->graph = calloc(1, sizeof *g->graph);
    *g->graph = (tilecut_graph){.width = from->width, .height = from->height, .depth = from->depth,
                                .connectivity = from->connectivity, .from_image = true, .energy = *energy};
    tc_energy *const e = &g->graph->energy;
    e->image = image;
    e->seeds = g->seeds;
    e->training = (tc_training_set){0}; /* no model is learnt from it */
    for (int k = 0; k < energy->connectivity / 2; k++) {
        e->link[k] = malloc(keys * sizeof *e->link[k]);
        memcpy(e->link[k], energy->link[k], keys * sizeof *e->link[k]);
    }
    e->source_cost = e->sink_cost = NULL;
    if (energy->color_bits) {
        e->source_cost = malloc(bins * sizeof *e->source_cost);
        e->sink_cost = malloc(bins * sizeof *e->sink_cost);
        memcpy(e->source_cost, energy->source_cost, bins * sizeof *e->source_cost);
        memcpy(e->sink_cost, energy->sink_cost, bins * sizeof *e->sink_cost);
    } else {
        e->source_cost = e->sink_cost = NULL;
    }
    if (energy->nearness) {
        e->nearness = tc_shared_new(pixels_of(g));
        memcpy(e->nearness, energy->nearness, pixels_of(g));
    }
    return g;
}

tilecut_status tc_cuda_graph_create(tc_cuda_graph **out, const tilecut_graph *from, int device_index,
                                    int threads, tc_cuda_origin *origin)
{
    (void)device_index, (void)threads;
    *out = NULL;
    *origin = (tc_cuda_origin){0};
    if (device.full) return tc_fail(TILECUT_ENOMEM, "not enough device memory");
    if (from->unchecked && tc_graph_check(from, 0, from->height * from->depth, 0, 1) != TILECUT_OK)
        return tc_fail(TILECUT_ERANGE, "the device says less");
    device.created++;
    *out = from->from_image ? graph_of_tables(from) : graph_of_arrays(from);
    build_here(*out);
    tell_origin(*out, origin);
    return TILECUT_OK;
}

tilecut_status tc_cuda_graph_learn(tc_cuda_graph **out, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *params, void *const *stream, bool put_off, tc_cuda_origin *origin)
{
    const tc_there *const there = params->there;
    tilecut_image seen = *image, copy;
    tilecut_status status;
    *out = NULL;
    if (there) seen.pixels = there->pixels, seen.stride = there->stride;
    if (device.full && params->slice_rows) return tc_fail(TILECUT_ENOMEM, "not enough device memory");
    device.learnt++;
    ck_assert(tc_colors_find(params->colors)->on_device != TC_NOT_ON_DEVICE);
    if (stream || there) memory_guard(true);
    tc_cuda_graph *const g = graph_of(&seen, seeds, &copy);
    if (stream || there) memory_guard(false);
    tc_setup setup = *params;
    if (params->own_seeds) setup.own_seeds = g->seeds; /* only the device's copy may change */
    status = tc_graph_from_image(&g->graph, &copy, g->seeds, &setup);
    if (status == TILECUT_OK) {
        g->graph->energy.shares = true; /* levels of nearness stay, because seeds that are marked would change them */
        g->setup = *params;
        g->setup.there = NULL; /* this simulation has copied the pixels */
        build_here(g);
        tell_origin(g, origin);
        g->put_off = put_off;
        if (put_off) origin->beta = origin->quantum = origin->shared = 0;
        *out = g;
    } else {
        tc_cuda_graph_destroy(g);
    }
    return status;
}

tilecut_status tc_cuda_graph_learn_now(tc_cuda_graph *graph, const tc_setup *params, tc_cuda_origin *origin)
{
    (void)params; /* this simulation has already learnt the model */
    ck_assert(graph->put_off);
    device.made_up++;
    graph->put_off = false;
    tell_later(graph, origin);
    return TILECUT_OK;
}

void tc_cuda_graph_keep(tc_cuda_graph *graph)
{
    uint8_t *const before = graph->kept;
    graph->kept = graph->mask, graph->mask = before;
    graph->update = true;
}

/* Keeps the previous model until it is known which of the two stays. */
tilecut_status tc_cuda_graph_relearn(tc_cuda_graph *graph, tc_cuda_origin *origin)
{
    tc_energy *const energy = &graph->graph->energy;
    device.relearnt++;
    ck_assert(graph->update);
    tc_energy_free(&graph->before);
    graph->before = *energy;
    ck_assert_int_eq(tc_energy_relearn(&graph->before, graph->kept, energy), TILECUT_OK);
    build_here(graph);
    tell_later(graph, origin);
    return TILECUT_OK;
}

void tc_cuda_graph_drop(tc_cuda_graph *graph)
{
    device.dropped++;
    graph->pending = false;
    if (!graph->before.model) return;
    tc_energy_free(&graph->graph->energy);
    graph->graph->energy = graph->before;
    memset(&graph->before, 0, sizeof graph->before);
}

tilecut_status tc_cuda_graph_learn_from_copy(tc_cuda_graph *graph, const tc_cuda_graph *small, int factor,
                                             tc_cuda_origin *origin)
{
    const tilecut_graph *const g = graph->graph;
    const tc_coarse coarse = {.factor = factor, .image = small->graph->energy.image, .seeds = small->seeds};
    ck_assert(small->update);
    tc_coarse_spread(&coarse, small->kept, 1, g->width, g->height, 0, graph->kept);
    memcpy(graph->graph->energy.training.mixture, small->graph->energy.training.mixture,
           sizeof g->energy.training.mixture);
    graph->update = true;
    graph->put_off = false;
    return tc_cuda_graph_relearn(graph, origin);
}

tilecut_status tc_cuda_graph_shrink(const tc_cuda_graph *from, int factor, const tc_setup *params,
                                    tc_cuda_graph **out, tc_cuda_origin *origin)
{
    const tc_energy *const e = &from->graph->energy;
    tilecut_status status = TILECUT_OK;
    tc_setup setup = from->setup;
    tc_coarse coarse;
    bool has_all_classes;
    device.shrunk++;
    *out = NULL;
    setup.lambda = params->lambda;
    ck_assert_int_eq(tc_coarse_init(&coarse, NULL, &e->image, from->seeds, factor, 1, &has_all_classes), TILECUT_OK);
    setup.guess = params->guess;
    setup.guess_width = params->guess_width, setup.guess_height = params->guess_height;
    if (has_all_classes)
        status = tc_cuda_graph_learn(out, &coarse.image, coarse.seeds, &setup, NULL, false, origin);
    tc_coarse_free(&coarse);
    if (*out) tell_later(*out, origin);
    return status;
}

tilecut_status tc_cuda_graph_fork(const tc_cuda_graph *from, int start, int move, int beside,
                                  tc_cuda_graph **out, tc_cuda_origin *origin)
{
    (void)beside;
    const tc_energy *const before = &from->graph->energy;
    tilecut_image image;
    tc_cuda_graph *const g = *out = graph_of(&before->image, from->seeds, &image);
    device.forked++;
    ck_assert(start >= 0 || from->update);
    g->setup = from->setup;
    g->graph = calloc(1, sizeof *g->graph);
    *g->graph = *from->graph;
    tc_energy *const e = &g->graph->energy;
    memset(e, 0, sizeof *e);
    const tilecut_status status = start >= 0  ? tc_energy_restart(before, start, e)
                                  : move >= 0 ? tc_energy_move_color(before, from->kept, move, e)
                                              : tc_energy_relearn(before, from->kept, e);
    ck_assert_int_eq(status, TILECUT_OK);
    e->image = image;
    e->seeds = g->seeds;
    build_here(g);
    tell_later(g, origin);
    return TILECUT_OK;
}

tilecut_status tc_cuda_graph_kept(const tc_cuda_graph *graph, uint8_t *mask)
{
    ck_assert(graph->update);
    return tc_cuda_copy(mask, graph->kept, pixels_of(graph), NULL);
}

tilecut_status tc_cuda_graph_look(const tc_cuda_graph *graph, tc_box_tally *tally)
{
    device.looked++;
    ck_assert(graph->update);
    ck_assert(tc_box_count(&graph->graph->energy.image, graph->seeds, graph->kept, 1, tally));
    return TILECUT_OK;
}

tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after)
{
    ck_assert_mem_eq(before, graph->seeds, pixels_of(graph));
    ck_assert_int_eq(tc_grid_reseed(&graph->grid, &graph->graph->energy, before, after), TILECUT_OK);
    memcpy(graph->seeds, after, pixels_of(graph));
    return TILECUT_OK;
}

tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, bool islands_go,
                                   tc_cuda_answer *answer)
{
    const tc_energy *const e = &graph->graph->energy;
    tc_solve_stats stats = {0};
    (void)islands_go;
    ck_assert(!graph->put_off);
    device.solved++;
    *answer = (tc_cuda_answer){.solve_ms = 8, .bytes = 45 * pixels_of(graph)};
    answer->learnt = graph->pending;
    graph->pending = false;
    if (answer->learnt)
        answer->training = (tc_cuda_origin){.model_ms = 2, .build_ms = 4, .beta = e->beta, .quantum = e->quantum,
                                          .shared = e->shared};
    answer->unfinished = device.gives_up > 0 && --device.gives_up == 0;
    if (answer->unfinished) return TILECUT_OK;
    tc_grid_clear(&graph->grid);
    graph->solved = true;
    return tc_solver_solve(tc_solver_for(TC_FOR_LONG_PATHS, &graph->grid), &graph->grid, params, &stats);
}

tilecut_status tc_cuda_graph_answer(tc_cuda_graph *graph, bool islands_go, uint8_t *mask, tc_cuda_answer *answer)
{
    const size_t n = pixels_of(graph);
    tilecut_status status = TILECUT_OK;
    ck_assert(graph->solved);
    tc_labels_free(&graph->labels);
    TRY(tc_cut(&graph->grid, 1, &graph->labels));
    TRY(tc_certify(&graph->grid, graph->graph, &graph->labels, 1, &answer->flow, &answer->cut));
    if (device.lies) answer->flow--;
    const int64_t all = answer->foreground = tc_labels_mask(&graph->grid, &graph->labels, 1, graph->mask);
    const tilecut_graph *const g = graph->graph;
    if (islands_go)
        TRY(tc_drop_islands(NULL, graph->seeds,
                            tc_islands_of(graph->mask, g->width, g->height, g->depth, g->connectivity),
                            &answer->foreground));
    answer->islands = all - answer->foreground;
    for (size_t p = 0; graph->update && p < n; p++) answer->changed += graph->mask[p] != graph->kept[p];
    answer->certify_ms = 16;
    if (mask && answer->flow == answer->cut) TRY(tc_cuda_copy(mask, graph->mask, n, NULL));
done:
    return status;
}

tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid)
{
    device.fetched++;
    ck_assert(grid->nodes == graph->grid.nodes && !graph->grid.by_rows);
    memcpy(grid->residual, graph->grid.residual, grid->nodes * sizeof *grid->residual);
    memcpy(grid->excess, graph->grid.excess, grid->nodes * sizeof *grid->excess);
    if (grid->diagonal) memcpy(grid->diagonal, graph->grid.diagonal, grid->nodes * sizeof *grid->diagonal);
    return TILECUT_OK;
}

/* ---- `hybrid` of a graph that is made here: it ends here ---------------------------------------- */

typedef struct made_here {
    const tilecut_graph *from;
    tc_cuda_graph *graph;
} made_here;

static tilecut_status make_here(void *self, const tc_grid *grid)
{
    made_here *const m = self;
    tc_cuda_origin origin;
    (void)grid;
    return tc_cuda_graph_create(&m->graph, m->from, 0, 1, &origin);
}

static tilecut_status work_here(void *self, int slice, int *rounds, bool *done)
{
    const made_here *const m = self;
    const tc_solve_params params = {.threads = 1};
    tc_cuda_answer answer;
    *rounds = slice;
    *done = true;
    return tc_cuda_graph_solve(m->graph, &params, false, &answer);
}

const tc_hybrid_device tc_cuda_hybrid_graph = {.upload = make_here, .work = work_here, .keeps = true};

tilecut_status tc_cuda_hybrid_graph_open(const tilecut_graph *from, int device_index, void **self)
{
    (void)device_index;
    made_here *const m = calloc(1, sizeof *m);
    ck_assert(m != NULL);
    m->from = from;
    *self = m;
    return TILECUT_OK;
}

tc_cuda_hybrid_report tc_cuda_hybrid_graph_close(void *self, tc_cuda_graph **graph)
{
    made_here *const m = self;
    if (graph) *graph = m->graph;
    else tc_cuda_graph_destroy(m->graph);
    free(m);
    return (tc_cuda_hybrid_report){.build_ms = 4, .bytes = 100};
}
