/* SPDX-License-Identifier: MIT
 *
 * device_graph.cu - a graph from an image that stays on the device from beginning to end. See cuda_backend.h.
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

/* Lays out the graph's memory from `base` on: sets all pointers and returns the end. *guarded: the end of the part
 * that must read as 0. */
static __attribute__((noinline)) size_t lay_out(tc_cuda_graph *graph, const graph_plan *plan, char *base,
                                                size_t *guarded) /* inlined, gcc warns of LAYOUT_TRIAL's bounds */
{
    const size_t n = (size_t)plan->image.width * (size_t)plan->image.height, own = plan->borrowed ? 0 : n;
    const size_t guard = (size_t)view_guard(graph->view), nodes = (size_t)view_nodes(graph->view) + 2 * guard;
    if (plan->diagonal) graph->view.diagonal = (float4 *)base; /* until it is known where it lies */
    const size_t scratch = std::max(plan->scratch, tiles_scratch_bytes(&graph->view));
    const size_t row = plan->borrowed ? 0 : tc_image_row_bytes(&plan->image);
    device_energy *e = &graph->energy;
    size_t total = 0;
    graph->view.residual = (float4 *)(base + reserve_bytes(&total, nodes * sizeof(float4))) + guard;
    graph->view.excess = (float *)(base + reserve_bytes(&total, nodes * sizeof(float))) + guard;
    if (plan->diagonal) graph->view.diagonal = (float4 *)(base + reserve_bytes(&total, nodes * sizeof(float4))) + guard;
    *guarded = total;
    graph->scratch = base + reserve_bytes(&total, scratch);
    graph->mask = (uint8_t *)base + reserve_bytes(&total, n);
    graph->kept = plan->update ? (uint8_t *)base + reserve_bytes(&total, n) : NULL;
    graph->before = (learnt *)(base + reserve_bytes(&total, sizeof(learnt)));
    graph->results = (graph_results *)(base + reserve_bytes(&total, sizeof(graph_results)));
    graph->facts = &graph->results->facts;
    graph->sums = graph->results->sums;
    graph->other_seeds = (uint8_t *)base + reserve_bytes(&total, own);
    graph->seeds = plan->borrowed ? NULL : (uint8_t *)base + reserve_bytes(&total, own);
    e->pixels = (uint8_t *)base + reserve_bytes(&total, row * (size_t)plan->image.height);
    e->straight = (int32_t *)(base + reserve_bytes(&total, (size_t)plan->keys * sizeof(int32_t)));
    if (plan->diagonal) e->slanted = (int32_t *)(base + reserve_bytes(&total, (size_t)plan->keys * sizeof(int32_t)));
    e->source_cost = (int32_t *)(base + reserve_bytes(&total, plan->bins * sizeof(int32_t)));
    e->sink_cost = (int32_t *)(base + reserve_bytes(&total, plan->bins * sizeof(int32_t)));
    e->near_cost = (int32_t *)(base + reserve_bytes(&total, 2 * TC_NEARNESS_LEVELS * sizeof(int32_t)));
    e->nearness = plan->near ? (uint8_t *)base + reserve_bytes(&total, n) : NULL;
    e->seeds = graph->seeds;
    e->seed_capacity = &graph->facts->seed_capacity;
    e->width = plan->image.width, e->height = plan->image.height;
    e->channels = plan->image.channels, e->depth = plan->image.depth;
    e->stride = tc_image_row_bytes(&plan->image);
    e->last = plan->keys - 1;
    e->color_bits = plan->color_bits;
    return total;
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
    graph->view.width = plan->image.width, graph->view.height = plan->image.height;
    graph->view.tiles_x = (plan->image.width + TC_TILE - 1) / TC_TILE;
    graph->view.tiles_y = (plan->image.height + TC_TILE - 1) / TC_TILE;
    graph->bytes = lay_out(graph, plan, LAYOUT_TRIAL, &guarded); /* only to get the size */
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
    const size_t n = (size_t)graph->energy.width * (size_t)graph->energy.height;
    return lane_send(graph->lane, graph->seeds, seeds, n, n, 1);
}

tilecut_status graph_upload_pixels(const tc_cuda_graph *graph, const tilecut_image *image)
{
    return lane_send(graph->lane, (void *)graph->energy.pixels, image->pixels, tc_image_stride(image),
                     tc_image_row_bytes(image), (size_t)image->height);
}

static tilecut_status upload_tables(const tc_cuda_graph *graph, const tc_energy *energy, size_t bins)
{
    const size_t n = (size_t)energy->image.width * (size_t)energy->image.height;
    const device_energy *e = &graph->energy;
    const struct {
        const void *to, *from;
        size_t size;
    } pieces[] = {
        {e->straight, energy->link[0], (size_t)energy->keys * sizeof(int32_t)},
        {e->slanted, energy->link[2], energy->connectivity == 8 ? (size_t)energy->keys * sizeof(int32_t) : 0},
        {e->source_cost, energy->source_cost, bins * sizeof(int32_t)},
        {e->sink_cost, energy->sink_cost, bins * sizeof(int32_t)},
        {e->nearness, energy->nearness, energy->nearness ? n : 0},
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

tilecut_status graph_build(tc_cuda_graph *graph)
{
    cleared_words clear[2] = {{NULL, 0}, {(uint32_t *)graph->sums, 2 * sizeof(proof_sums) / 4}};
    tiles_zeroed(&graph->view, graph->scratch, &clear[0].at, &clear[0].count);
    NEED(grid_build(&graph->energy, &graph->view, clear, graph->stream));
    graph->lists_cleared = graph->sums_cleared = true;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_graph_create(tc_cuda_graph **out, const tc_energy *energy, int device,
                                               tc_cuda_origin *origin)
{
    const device_scope scope(device);
    const double start = tc_now_ms();
    const size_t bins = energy->color_bits ? (size_t)1 << (energy->image.channels * energy->color_bits) : 0;
    const bool near = energy->nearness != NULL;
    const graph_plan plan = {energy->image, energy->keys, energy->color_bits, bins, near, false, false,
                             energy->connectivity == 8, 0};
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *graph = NULL;
    device_lane *lane = NULL;

    *out = NULL;
    *origin = {};
    TRY(tc_cuda_device(device, NULL, 0));
    TRY(lane_open(&lane, device, NULL));
    TRY(graph_take(&graph, &plan, device, lane));
    graph->energy.soft_seeds = energy->soft_seeds;
    TRY(graph_upload_seeds(graph, energy->seeds));
    TRY(graph_upload_pixels(graph, &energy->image));
    TRY(upload_tables(graph, energy, bins));
    TRY(lane_wait(lane));
    origin->copy_ms = tc_now_ms() - start;
    TRY(stopwatch_start(&lane->watch, graph->stream));
    TRY(graph_build(graph));
    TRY(stopwatch_stop(&lane->watch, graph->stream));
    TRY(stopwatch_read(&lane->watch, &origin->build_ms));
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
    (void)graph_join(graph); /* what uses the memory must be done before it is given back */
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
    NEED(lane_wait(graph->lane)); /* from now on the caller may change the labels */
    return TILECUT_OK;
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* Where results lie in the letter; a launch of the solver leaves its own before them. */
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

/* Queues labels, proof and mask, and all results to the letter. With `done`, the islands go only if the solve is. */
static tilecut_status queue_answer(tc_cuda_graph *graph, bool islands_go, const int *done)
{
    const device_energy *const e = &graph->energy;
    const uint8_t *const before = graph->update ? graph->kept : NULL;
    size_t step = 0;
    const uint32_t *const background = tiles_background(&graph->session, &step);
    if (!graph->sums_cleared) CUDA_NEED(cudaMemsetAsync(graph->sums, 0, sizeof graph->proof, graph->stream));
    graph->sums_cleared = false;
    const proof_request proof = {background, step, 0, e->height, before, graph->sums, graph->mask};
    const islands_request rest = {e->seeds, before, e->width, e->height, graph->plan.diagonal, done, graph->scratch,
                                  graph->mask, graph->sums + 1};
    NEED(grid_certify(e, &graph->view, &proof, graph->stream));
    if (drops_islands(graph, islands_go)) NEED(islands_drop(&rest, graph->stream));
    return lane_note(graph->lane, LETTER_RESULTS, graph->results, sizeof *graph->results);
}

/* After a wait. */
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
    const size_t pixels = (size_t)graph->energy.width * (size_t)graph->energy.height;
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
    NEED(lane_receive(graph->lane, mask, graph->mask, pixels));
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

tilecut_status graph_tell_lesson(const tc_cuda_graph *graph, const learnt *facts, const stopwatch *building,
                                 tc_cuda_origin *origin)
{
    origin->beta = facts->beta;
    origin->quantum = facts->quantum;
    origin->shared = tc_shared_cost(graph->request.data_weight, (int64_t)facts->shared);
    return stopwatch_look(building, &origin->build_ms);
}

/* Reports the last training, once the solve has been waited for. Building ended where the solve began. */
static tilecut_status tell_pending(tc_cuda_graph *graph, tc_cuda_answer *answer)
{
    const device_lane *const lane = graph->lane;
    const stopwatch building = {lane->training.stop, lane->watch.start};
    graph->pending = false;
    answer->learnt = true;
    NEED(graph_tell_lesson(graph, &results_in(lane)->facts, &building, &answer->training));
    return stopwatch_look(&lane->training, &answer->training.model_ms);
}

/* Whether islands can be looked for before the host knows that the solve is done: their scratch must leave alone where
 * the kernels find that out. If it is not, they do not begin, and the solve can go on. */
static bool answers_early(const tc_cuda_graph *graph)
{
    const device_energy *const e = &graph->energy;
    const size_t free = (size_t)((const char *)tiles_done(&graph->session) - (const char *)graph->scratch);
    return !drops_islands(graph, graph->islands_go) || islands_scratch_bytes(e->width, e->height) <= free;
}

/* What is queued after each launch of the solver: a solve usually takes one. */
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
    graph->answered = false;
    graph->islands_go = islands_go;
    NEED(stopwatch_start(watch, graph->stream));
    NEED(graph_open(graph));
    graph->session.after = queue_rest;
    graph->session.context = graph;
    NEED(tiles_finish(&graph->session, params));
    NEED(stopwatch_look(watch, &answer->solve_ms));
    if (graph->session.done && answers_early(graph)) {
        const stopwatch proof = {watch->stop, graph->lane->proven};
        NEED(stopwatch_look(&proof, &graph->certify_ms));
        read_answer(graph, islands_go);
    }
    if (graph->pending) NEED(tell_pending(graph, answer));
    answer->bytes = graph->bytes;
    answer->unfinished = graph->session.run.unfinished;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid)
{
    const device_scope scope(graph->device);
    const device_grid device = {graph->view, {}, NULL, graph->bytes, 0}; /* an image needs no scratch */
    return device_grid_download(&device, grid, graph->stream);
}
