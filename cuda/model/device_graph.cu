/* SPDX-License-Identifier: MIT
 *
 * device_graph.cu - a graph that stays on the device from its construction to the answer. See cuda_backend.h.
 */
#include <algorithm>
#include <new>
#include <stddef.h>
#include <string.h>

#include "device_graph.cuh"
#include "device_islands.cuh"
#include "tiles_engine.cuh"

extern "C" {
#include "nearness.h"
#include "parallel.h"
}

/* Lays out the memory of the arrays, from offset *total on. Links with the same capacity both ways share one array. */
static void lay_out_arrays(tc_cuda_graph *graph, const graph_plan *plan, char *base, size_t *total)
{
    const size_t bytes = (size_t)plan->image.width * (size_t)plan->image.height * sizeof(int32_t);
    device_arrays *const a = &graph->arrays;
    a->source = (int32_t *)(base + reserve_bytes(total, bytes));
    a->sink = (int32_t *)(base + reserve_bytes(total, bytes));
    for (int k = 0; k < plan->neighbours / 2; k++) {
        a->to[k] = (int32_t *)(base + reserve_bytes(total, bytes));
        a->from[k] = plan->symmetric ? a->to[k] : (int32_t *)(base + reserve_bytes(total, bytes));
    }
}

/* Lays out all that an energy needs, from offset *total on. */
static void lay_out_energy(tc_cuda_graph *graph, const graph_plan *plan, char *base, size_t *total)
{
    const size_t n = (size_t)plan->image.width * (size_t)plan->image.height, own = plan->borrowed ? 0 : n;
    const size_t row = plan->borrowed || plan->in_place ? 0 : tc_image_row_bytes(&plan->image);
    const size_t table = (size_t)plan->keys * sizeof(int32_t), bins = plan->bins * sizeof(int32_t);
    device_energy *const e = &graph->energy;
    graph->kept = plan->update ? (uint8_t *)base + reserve_bytes(total, n) : NULL;
    graph->before = (learnt *)(base + reserve_bytes(total, sizeof(learnt)));
    graph->other_seeds = (uint8_t *)base + reserve_bytes(total, plan->slice_rows ? 0 : own);
    graph->seeds = plan->borrowed ? NULL : (uint8_t *)base + reserve_bytes(total, own);
    e->pixels = (uint8_t *)base + reserve_bytes(total, row * (size_t)plan->image.height);
    e->straight = (int32_t *)(base + reserve_bytes(total, (plan->neighbours == 6 ? 3 : 1) * table));
    if (plan->neighbours == 8) e->slanted = (int32_t *)(base + reserve_bytes(total, table));
    e->source_cost = (int32_t *)(base + reserve_bytes(total, bins));
    e->sink_cost = (int32_t *)(base + reserve_bytes(total, bins));
    e->near_cost = (int32_t *)(base + reserve_bytes(total, 2 * TC_NEARNESS_LEVELS * sizeof(int32_t)));
    e->nearness = plan->near ? (uint8_t *)base + reserve_bytes(total, n) : NULL;
    e->seeds = graph->seeds;
    e->seed_capacity = &graph->facts->seed_capacity;
    e->channels = plan->image.channels, e->depth = plan->image.depth;
    e->stride = tc_image_row_bytes(&plan->image);
    e->last = plan->keys - 1;
    e->color_bits = plan->color_bits;
}

/* Lays out the graph's memory from `base` on: sets all pointers and returns the size. *guarded is the end of the part
 * that must read as 0. The size of volumes and arrays is limited by memory, so their masks reuse the memory of the
 * heights, unless islands have to be removed there. */
static __attribute__((noinline)) size_t lay_out(tc_cuda_graph *graph, const graph_plan *plan, char *base,
                                                /* not inlined, because gcc would warn of LAYOUT_TRIAL's bounds */
                                                size_t *guarded)
{
    grid_view *const v = &graph->view;
    const size_t n = (size_t)plan->image.width * (size_t)plan->image.height, nodes = (size_t)view_nodes(*v);
    const size_t guard = (size_t)view_guard(*v), guarded_nodes = nodes + 2 * guard;
    if (plan->neighbours == 8) v->diagonal = (float4 *)base; /* any pointer but NULL, until the address is known */
    const size_t scratch = graph->scratch_bytes = std::max(plan->scratch, tiles_scratch_bytes(v));
    size_t total = 0;
    v->residual = (float4 *)(base + reserve_bytes(&total, guarded_nodes * sizeof(float4))) + guard;
    v->excess = (float *)(base + reserve_bytes(&total, guarded_nodes * sizeof(float))) + guard;
    if (v->diagonal) v->diagonal = (float4 *)(base + reserve_bytes(&total, guarded_nodes * sizeof(float4))) + guard;
    *guarded = total;
    if (plan->slice_rows) v->slices = (float2 *)(base + reserve_bytes(&total, nodes * sizeof(float2)));
    graph->scratch = base + reserve_bytes(&total, scratch);
    if ((!plan->slice_rows || plan->islands) && !plan->arrays)
        graph->mask = (uint8_t *)base + reserve_bytes(&total, n);
    graph->results = (graph_results *)(base + reserve_bytes(&total, sizeof(graph_results)));
    graph->bad = (int *)(base + reserve_bytes(&total, sizeof(int)));
    graph->links = (built_links *)(base + reserve_bytes(&total, sizeof(built_links)));
    graph->facts = &graph->results->facts;
    graph->sums = graph->results->sums;
    graph->energy.width = plan->image.width, graph->energy.height = plan->image.height;
    if (plan->arrays) lay_out_arrays(graph, plan, base, &total);
    else lay_out_energy(graph, plan, base, &total);
    return total;
}

static void set_view(const graph_plan *plan, grid_view *v)
{
    const int rows = plan->slice_rows ? plan->slice_rows : plan->image.height;
    v->width = plan->image.width, v->height = rows;
    v->tiles_x = (v->width + TC_TILE - 1) / TC_TILE, v->tiles_y = (rows + TC_TILE - 1) / TC_TILE;
    v->slice_rows = plan->slice_rows ? v->tiles_y : 0;
    v->tiles_y *= plan->image.height / rows;
}

device_lattice graph_lattice(const tc_cuda_graph *graph)
{
    const graph_plan *const plan = &graph->plan;
    const int rows = graph->view.height;
    return {plan->neighbours, {plan->image.width, rows, plan->image.height / rows}, &graph->energy,
            plan->arrays ? &graph->arrays : NULL};
}

tilecut_status graph_take(tc_cuda_graph **out, const graph_plan *plan, int device, device_lane *lane)
{
    tilecut_status status = TILECUT_OK;
    size_t guarded;
    tc_cuda_graph *graph = NULL;

    *out = NULL;
    graph = new (std::nothrow) tc_cuda_graph();
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph on the device");
    graph->device = device;
    graph->plan = *plan;
    set_view(plan, &graph->view);
    graph->bytes = lay_out(graph, plan, LAYOUT_TRIAL, &guarded); /* this call only finds the size */
    graph->lane = lane;
    graph->stream = lane->stream;
    lane->users++;
    TRY(device_memory_take(&graph->memory, graph->bytes, graph->stream));
    (void)lay_out(graph, plan, (char *)graph->memory.base, &guarded);
    CUDA_TRY(cudaMemsetAsync(graph->memory.base, 0, guarded, graph->stream));
    *out = graph;
    graph = NULL;
done:
    tc_cuda_graph_destroy(graph);
    return status;
}

tilecut_status graph_upload_seeds(const tc_cuda_graph *graph, const uint8_t *seeds)
{
    const size_t n = graph_pixels(graph);
    return lane_send(graph->lane, graph->seeds, seeds, n, n, 1);
}

tilecut_status graph_upload_pixels(const tc_cuda_graph *graph, const tilecut_image *image)
{
    return lane_send(graph->lane, (void *)graph->energy.pixels, image->pixels, tc_image_stride(image),
                     tc_image_row_bytes(image), (size_t)image->height);
}

static tilecut_status upload_tables(const tc_cuda_graph *graph, const tc_energy *energy)
{
    const device_energy *e = &graph->energy;
    const size_t table = (size_t)energy->keys * sizeof(int32_t), bins = graph->plan.bins * sizeof(int32_t);
    const bool volume = energy->connectivity == 6;
    const struct {
        const void *to, *from;
        size_t size;
    } pieces[] = {
        {e->straight, energy->link[0], table},
        {e->straight + energy->keys, energy->link[1], volume ? table : 0},
        {e->straight + 2 * (size_t)energy->keys, energy->link[2], volume ? table : 0},
        {e->slanted, energy->link[2], energy->connectivity == 8 ? table : 0},
        {e->source_cost, energy->source_cost, bins},
        {e->sink_cost, energy->sink_cost, bins},
        {e->near_cost, energy->near_cost, sizeof energy->near_cost},
        {e->seed_capacity, &energy->seed_capacity, sizeof energy->seed_capacity},
    };
    for (const auto &piece : pieces)
        if (piece.size > 0)
            CUDA_NEED(cudaMemcpyAsync((void *)piece.to, piece.from, piece.size, cudaMemcpyHostToDevice, graph->stream));
    return TILECUT_OK;
}

tilecut_status graph_join(tc_cuda_graph *graph)
{
    if (graph->parted) NEED(lane_join(graph->lane));
    graph->parted = false;
    return TILECUT_OK;
}

static tilecut_status upload_energy(tc_cuda_graph *graph, const tc_energy *energy)
{
    const size_t n = graph_pixels(graph);
    graph->energy.soft_seeds = energy->soft_seeds;
    lane_reserve(graph->lane, tc_image_row_bytes(&energy->image) * (size_t)graph->energy.height + n);
    NEED(graph_upload_seeds(graph, energy->seeds));
    NEED(graph_upload_pixels(graph, &energy->image));
    if (energy->nearness) NEED(lane_send(graph->lane, (void *)graph->energy.nearness, energy->nearness, n, n, 1));
    return upload_tables(graph, energy);
}

/* Copies the arrays to the device, where they stay, because the proof reads them again. */
static tilecut_status upload_arrays(const tc_cuda_graph *graph, const tc_capacities *from)
{
    const size_t bytes = graph_pixels(graph) * sizeof(int32_t);
    const device_arrays *const a = &graph->arrays;
    lane_reserve(graph->lane, (2 + (size_t)graph->plan.neighbours / 2) * bytes);
    NEED(lane_send(graph->lane, (void *)a->source, from->source, bytes, bytes, 1));
    NEED(lane_send(graph->lane, (void *)a->sink, from->sink, bytes, bytes, 1));
    for (int k = 0; k < graph->plan.neighbours / 2; k++) {
        NEED(lane_send(graph->lane, (void *)a->to[k], from->to[k], bytes, bytes, 1));
        if (a->from[k] != a->to[k]) NEED(lane_send(graph->lane, (void *)a->from[k], from->from[k], bytes, bytes, 1));
    }
    return TILECUT_OK;
}

tilecut_status graph_build(tc_cuda_graph *graph, const int *same)
{
    const device_lattice lattice = graph_lattice(graph);
    cleared_words clear[2] = {{NULL, 0}, {(uint32_t *)graph->sums, 2 * sizeof(proof_sums) / 4}};
    tiles_zeroed(&graph->view, graph->scratch, &clear[0].at, &clear[0].count);
    NEED(grid_build(&lattice, &graph->view, clear, graph->bad, same, graph->stream));
    graph->lists_cleared = graph->sums_cleared = true;
    return TILECUT_OK;
}

static graph_plan plan_of(const tilecut_graph *graph)
{
    const tc_energy *const e = &graph->energy;
    graph_plan plan = {};
    plan.neighbours = graph->connectivity;
    plan.slice_rows = graph->connectivity == 6 ? graph->height : 0;
    plan.image = e->image;
    plan.image.width = graph->width, plan.image.height = graph->height * graph->depth;
    plan.arrays = plan.symmetric = !graph->from_image;
    for (int k = 0; k < graph->connectivity / 2 && plan.arrays; k++)
        plan.symmetric &= graph->arrays.from[k] == graph->arrays.to[k];
    if (plan.arrays) return plan;
    plan.keys = e->keys, plan.color_bits = e->color_bits, plan.near = e->nearness != NULL;
    plan.bins = e->color_bits ? (size_t)1 << (e->image.channels * e->color_bits) : 0;
    return plan;
}

extern "C" tilecut_status tc_cuda_graph_create(tc_cuda_graph **out, const tilecut_graph *from, int device,
                                               int threads, tc_cuda_origin *origin)
{
    const device_scope scope(device);
    const double start = tc_now_ms();
    const graph_plan plan = plan_of(from);
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *graph = NULL;
    device_lane *lane = NULL;
    int bad = 0;

    *out = NULL;
    *origin = {};
    TRY(tc_cuda_device(device, NULL, 0));
    TRY(lane_open(&lane, device, NULL));
    lane->threads = threads;
    TRY(graph_take(&graph, &plan, device, lane));
    TRY(plan.arrays ? upload_arrays(graph, &from->arrays) : upload_energy(graph, &from->energy));
    CUDA_TRY(cudaMemsetAsync(graph->bad, 0, sizeof bad, graph->stream));
    TRY(lane_wait(lane));
    origin->copy_ms = tc_now_ms() - start;
    TRY(stopwatch_start(&lane->watch, graph->stream));
    TRY(graph_build(graph, NULL));
    TRY(stopwatch_stop(&lane->watch, graph->stream));
    if (from->unchecked) TRY(lane_fetch(lane, &bad, graph->bad, sizeof bad));
    TRY(stopwatch_read(&lane->watch, &origin->build_ms));
    if (bad) TRY(tc_fail(TILECUT_ERANGE, "capacities are negative, or too large to be exact"));
    *out = graph;
    graph = NULL;
done:
    tc_cuda_graph_destroy(graph);
    lane_leave(lane);
    return status;
}

extern "C" void tc_cuda_graph_destroy(tc_cuda_graph *graph)
{
    if (!graph) return;
    const device_scope scope(graph->device);
    (void)graph_join(graph); /* waits for the work that uses the memory, before the memory is freed */
    device_memory_give(&graph->memory);
    lane_leave(graph->lane);
    delete graph;
}

extern "C" tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after)
{
    const device_scope scope(graph->device);
    const size_t width = (size_t)graph->energy.width;
    int y0 = 0, y1 = graph->energy.height;

    while (y0 < y1 && memcmp(before + (size_t)y0 * width, after + (size_t)y0 * width, width) == 0) y0++;
    while (y0 < y1 && memcmp(before + (size_t)(y1 - 1) * width, after + (size_t)(y1 - 1) * width, width) == 0) y1--;
    if (y0 == y1) return TILECUT_OK;
    CUDA_NEED(cudaMemcpyAsync(graph->other_seeds, after + (size_t)y0 * width, (size_t)(y1 - y0) * width,
                              cudaMemcpyHostToDevice, graph->stream));
    NEED(grid_reseed(&graph->energy, &graph->view, graph->other_seeds, graph->seeds, y0, y1, graph->stream));
    NEED(lane_wait(graph->lane)); /* after this the caller may change the labels */
    return TILECUT_OK;
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* Offset of the results in lane->letter; the solver's own results lie before them. */
enum { LETTER_RESULTS = 512 };
static_assert(sizeof(progress) - offsetof(progress, round) <= LETTER_RESULTS, "they come in a letter");
static_assert(LETTER_RESULTS + sizeof(graph_results) <= LANE_LETTER, "they come in a letter");

static const graph_results *results_in(const device_lane *lane)
{
    return (const graph_results *)(const void *)(lane->letter + LETTER_RESULTS);
}

static bool drops_islands(const tc_cuda_graph *graph, bool islands_go)
{
    return islands_go && graph->census.labels[TILECUT_FOREGROUND] > 0;
}

/* Queues labels, proof and mask, and the copy of all results to lane->letter. If `done` is given, islands are removed
 * only if the solve is complete. */
static tilecut_status queue_answer(tc_cuda_graph *graph, bool islands_go, const int *done)
{
    const device_energy *const e = &graph->energy;
    const device_lattice lattice = graph_lattice(graph);
    const uint8_t *const before = graph->update ? graph->kept : NULL;
    size_t step = 0;
    const uint32_t *const background = tiles_background(&graph->session, &step);
    if (!graph->sums_cleared) CUDA_NEED(cudaMemsetAsync(graph->sums, 0, sizeof graph->proof, graph->stream));
    graph->sums_cleared = false;
    int *const parent = drops_islands(graph, islands_go) ? (int *)graph->scratch : NULL;
    const proof_request proof = {background, step, 0, e->height, before, graph->sums, graph_mask(graph), parent, done};
    const islands_request rest = {e->seeds, before, e->width, lattice.size[1], lattice.size[2],
                                  lattice.neighbours == 8, done, parent, graph->mask, graph->sums + 1};
    NEED(grid_certify(&lattice, &graph->view, &proof, graph->stream));
    if (parent) NEED(islands_drop(&rest, graph->stream));
    return lane_note(graph->lane, LETTER_RESULTS, graph->results, sizeof *graph->results);
}

/* Reads the answer from lane->letter; call it after a wait. */
static void read_answer(tc_cuda_graph *graph, bool islands_go)
{
    memcpy(graph->proof, results_in(graph->lane)->sums, sizeof graph->proof);
    if (!drops_islands(graph, islands_go)) graph->proof[1] = graph->proof[0];
    graph->islands_go = islands_go;
    graph->answered = true;
}

extern "C" tilecut_status tc_cuda_graph_answer(tc_cuda_graph *graph, bool islands_go, uint8_t *mask,
                                               tc_cuda_answer *answer)
{
    const device_scope scope(graph->device);
    double clock = tc_now_ms();

    answer->certify_ms = graph->certify_ms;
    if (!graph->answered || graph->islands_go != islands_go) {
        NEED(queue_answer(graph, islands_go, NULL));
        NEED(lane_wait(graph->lane));
        read_answer(graph, islands_go);
        answer->certify_ms = tc_now_ms() - clock;
    }
    const proof_sums *const sums = graph->proof;
    answer->flow = (int64_t)sums[0].flow, answer->cut = (int64_t)sums[0].cut;
    answer->foreground = (int64_t)sums[1].foreground, answer->violations = (int64_t)sums[0].violations;
    answer->islands = (int64_t)(sums[0].foreground - sums[1].foreground);
    answer->changed = (int64_t)sums[1].changed;
    if (!mask || answer->violations || answer->flow != answer->cut) return TILECUT_OK;

    clock = tc_now_ms();
    NEED(lane_receive(graph->lane, mask, graph_mask(graph), graph_pixels(graph)));
    answer->copy_ms = tc_now_ms() - clock;
    return TILECUT_OK;
}

/* ---- Solving --------------------------------------------------------------------------------- */

tilecut_status graph_open(tc_cuda_graph *graph)
{
    const tiles_schedule plan = tiles_schedule_default();
    const bool cleared = graph->lists_cleared;
    graph->lists_cleared = false;
    return tiles_open(&graph->session, &graph->view, graph->scratch, graph->stream, graph->lane, &plan, cleared);
}

tilecut_status graph_report_training(const tc_cuda_graph *graph, const learnt *facts, const stopwatch *building,
                                     tc_cuda_origin *origin)
{
    origin->beta = facts->beta;
    origin->quantum = facts->quantum;
    origin->shared = tc_shared_cost(graph->request.data_weight, (int64_t)facts->shared);
    return stopwatch_look(building, &origin->build_ms);
}

/* Reports the last training; the host must have waited for the solve. The time for building ends where the solve
 * began. */
static tilecut_status report_training(tc_cuda_graph *graph, tc_cuda_answer *answer)
{
    const device_lane *const lane = graph->lane;
    const stopwatch building = {lane->training.stop, lane->watch.start};
    graph->pending = false;
    answer->learnt = true;
    NEED(graph_report_training(graph, &results_in(lane)->facts, &building, &answer->training));
    return stopwatch_look(&lane->training, &answer->training.model_ms);
}

/* True if the answer can be queued before the host knows that the solve is complete. This needs a mask with memory of
 * its own, and scratch memory for islands that does not overwrite the state of the solve. If the solve is not complete,
 * the kernels do nothing, and the solve can continue. */
static bool answers_early(const tc_cuda_graph *graph)
{
    const device_energy *const e = &graph->energy;
    if (!graph->mask) return false;
    const size_t free = (size_t)((const char *)graph->session.state - (const char *)graph->scratch);
    return !drops_islands(graph, graph->islands_go) || islands_scratch_bytes(e->width, e->height) <= free;
}

/* Queues the work that follows each launch of the solver, because usually one launch completes the solve. */
static tilecut_status queue_rest(void *context)
{
    tc_cuda_graph *const graph = (tc_cuda_graph *)context;
    if (answers_early(graph)) {
        NEED(queue_answer(graph, graph->islands_go, tiles_done(&graph->session)));
        return CUDA_STATUS(cudaEventRecord(graph->lane->proven, graph->stream));
    }
    return lane_note(graph->lane, LETTER_RESULTS, graph->results, sizeof *graph->results);
}

extern "C" tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, bool islands_go,
                                              tc_cuda_answer *answer)
{
    const device_scope scope(graph->device);
    const stopwatch *const watch = &graph->lane->watch;

    memset(answer, 0, sizeof *answer);
    graph->answered = graph->complete = false;
    graph->islands_go = islands_go;
    if (graph->catch_up) NEED(graph->catch_up(graph));
    NEED(stopwatch_start(watch, graph->stream));
    NEED(graph_open(graph));
    graph->session.after = queue_rest;
    graph->session.context = graph;
    NEED(tiles_finish(&graph->session, params));
    graph->complete = graph->session.done;
    NEED(stopwatch_look(watch, &answer->solve_ms));
    if (graph->session.done && answers_early(graph)) {
        const stopwatch proof = {watch->stop, graph->lane->proven};
        NEED(stopwatch_look(&proof, &graph->certify_ms));
        read_answer(graph, islands_go);
    }
    if (graph->pending) NEED(report_training(graph, answer));
    answer->bytes = graph->bytes;
    answer->unfinished = graph->session.run.unfinished;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid)
{
    const device_scope scope(graph->device);
    const device_grid device = {graph->view, {}, graph->scratch, graph->bytes, graph->scratch_bytes};
    return device_grid_download(&device, grid, graph->stream);
}
