/* SPDX-License-Identifier: MIT
 *
 * device_training.cu - how a graph on the device learns, and how graphs are made from it: the learning functions of the
 * backend in src/run. See cuda_backend.h.
 */
#include <algorithm>

#include "coarse_kernels.cuh"
#include "device_graph.cuh"
#include "device_islands.cuh"
#include "device_nearness.cuh"

extern "C" {
#include "parallel.h"
}

/* Checks the seeds, and copies to `origin` and `graph` what the host needs to know about them. */
static tilecut_status report_seeds(tc_cuda_graph *graph, const model_census *census, tc_cuda_origin *origin)
{
    const unsigned *const labels = census->labels;
    uint64_t counts[4];
    if (census != &graph->census) graph->census = *census;
    graph->seen = true;
    origin->guessed = is_guessed(*census, graph->request.bits);
    origin->strokes = extent_of(census->foreground, graph->energy.width, graph->energy.height);
    origin->painted = graph->request.bits && labels[TILECUT_FOREGROUND] + labels[TILECUT_BACKGROUND] > 0;
    origin->lambda = graph->request.lambda;
    if (origin->guessed && !graph->request.evidence) graph->energy.nearness = NULL;
    for (int label = 0; label < 4; label++) counts[label] = labels[label];
    return tc_energy_check_labels(counts, census->bad, graph->request.colors);
}

/* Learns from `mask`, or from the seeds if `mask` is NULL, and then builds the grid, after nearness is known. Building
 * is queued before the host knows whether the seeds suffice, which saves one of two waits; if they do not suffice, the
 * grid is not used. If the seeds are already known, the host does not wait: the solve that follows reports the results.
 * The earlier facts are copied to `before` unless that is NULL. */
static tilecut_status learn_from(tc_cuda_graph *graph, const uint8_t *mask, int start, int move, learnt *before,
                                 tc_cuda_origin *origin)
{
    const double clock = tc_now_ms();
    const device_energy *e = &graph->energy;
    const bool learnt_before = graph->learnt_once && start == graph->start;
    const model_training training = {mask, graph->measured, learnt_before, start, move, graph->complete};
    const model_tables tables = {(int32_t *)e->straight, (int32_t *)e->slanted, (int32_t *)e->source_cost,
                                 (int32_t *)e->sink_cost, (int32_t *)e->near_cost, graph->facts, graph->links};
    const stopwatch *const watch = graph->seen ? &graph->lane->training : &graph->lane->watch;
    learnt facts;

    graph->complete = false; /* before anything can fail: the lesson may change the scales without building the grid */
    if (graph->seen) NEED(stopwatch_start(watch, graph->stream));
    NEED(model_learn(e, &graph->request, &training, &tables, before, graph->scratch, graph->stream));
    NEED(graph_join(graph));
    NEED(graph->seen ? stopwatch_stop(watch, graph->stream) : stopwatch_start(watch, graph->stream));
    NEED(graph_build(graph, &graph->links->same));
    graph->learnt_once = graph->measured = true;
    graph->start = start;
    graph->pending = graph->seen;
    if (graph->seen) return report_seeds(graph, &graph->census, origin);
    NEED(stopwatch_stop(watch, graph->stream));
    NEED(lane_fetch(graph->lane, &facts, graph->facts, sizeof facts));
    NEED(report_seeds(graph, &facts.census, origin));
    NEED(graph_report_training(graph, &facts, watch, origin));
    origin->model_ms = tc_now_ms() - clock - origin->build_ms;
    return TILECUT_OK;
}

/* Only counts the seeds and puts off learning. Until then, nearness can still be computed. */
static tilecut_status put_off_training(tc_cuda_graph *graph, tc_cuda_origin *origin)
{
    model_census census;
    NEED(lane_fetch(graph->lane, &census, &graph->facts->census, sizeof census));
    return report_seeds(graph, &census, origin);
}

/* If params->guess is given, it becomes the kept mask, with the same labels as in guess_from_mask() of
 * energy_learn.c, and its evidence becomes the levels of nearness. Its cells lie in scratch memory meanwhile. */
static tilecut_status keep_given_guess(tc_cuda_graph *graph, const tc_setup *params)
{
    const device_energy *const e = &graph->energy;
    const size_t n = graph_pixels(graph), cells = (size_t)params->guess_width * (size_t)params->guess_height;
    const guess_cells guess = {(const uint8_t *)graph->scratch, params->guess_width, params->guess_height,
                               params->guess_slice_rows};
    if (!params->guess || !graph->kept) return TILECUT_OK;
    if (cells > graph->scratch_bytes) return tc_fail(TILECUT_ENOMEM, "no memory for a first guess");
    NEED(graph_join(graph)); /* nearness may still use that memory */
    NEED(lane_send(graph->lane, graph->scratch, params->guess, cells, cells, 1));
    LAUNCH_RETURN(guess_kernel, ceil_div(n, COARSE_BLOCK), COARSE_BLOCK, graph->stream, guess, *e,
                  graph->request.slice_rows, graph->kept, graph->request.evidence ? (uint8_t *)e->nearness : NULL);
}

/* Learns from the seeds, or from params->guess, which is kept already. */
static tilecut_status learn_first(tc_cuda_graph *graph, const tc_setup *params, tc_cuda_origin *origin)
{
    return learn_from(graph, params->guess ? graph->kept : NULL, 0, -1, NULL, origin);
}

static graph_plan plan_of(const tilecut_image *image, const model_request *request, bool borrowed)
{
    const int slice_rows = request->slice_rows;
    const bool colors = request->bits > 0, strokes = request->spatial > 0 && (!slice_rows || request->far);
    const bool near = strokes || request->evidence;
    const size_t searching = near && !slice_rows ? nearness_scratch_bytes(image->width, image->height) : 0;
    const size_t islands = colors ? islands_scratch_bytes(image->width, image->height) : 0;
    const size_t scratch = std::max(model_scratch_bytes(image, request) + searching, islands);
    graph_plan plan = {};
    plan.image = *image, plan.neighbours = request->connectivity, plan.slice_rows = request->slice_rows;
    plan.keys = model_keys(image), plan.color_bits = request->bits, plan.bins = request->bins;
    plan.near = near, plan.borrowed = borrowed, plan.islands = colors, plan.scratch = scratch;
    plan.update = colors && (!slice_rows || request->totals || request->guess); /* most volumes are cut once */
    return plan;
}

/* The strokes of a volume. The distances lie where the grid will be built afterwards. */
static strokes_request strokes_of(const tc_cuda_graph *graph)
{
    const model_request *const r = &graph->request;
    const device_energy *const e = &graph->energy;
    return {e, {e->width, e->height, r->slice_rows, {r->spacing[0], r->spacing[1], r->spacing[2]}}, graph->facts,
            graph->seeds, (int *)graph->view.residual};
}

/* Finishes what look_at_seeds() has begun in a volume, where lambda, the levels of nearness and the strokes from which
 * colours are learnt depend on the distances between strokes. Waits for them. */
static tilecut_status weigh_strokes(tc_cuda_graph *graph, const tc_setup *params, tc_cuda_origin *origin)
{
    const device_energy *const e = &graph->energy;
    const strokes_request strokes = strokes_of(graph);
    learnt facts;
    if (!graph->request.far) return TILECUT_OK;
    NEED(graph_join(graph));
    NEED(lane_fetch(graph->lane, &facts, graph->facts, sizeof facts));
    NEED(report_seeds(graph, &facts.census, origin));
    if (origin->guessed) return TILECUT_OK;
    const double gap = tc_gap_of((int64_t)facts.gap, facts.census.labels[TILECUT_FOREGROUND]);
    const tc_block seeded = block_of(facts.census.foreground, e->width, e->height, graph->request.slice_rows);
    if (params->lambda_by_strokes) graph->request.lambda = tc_lambda_of_gap(gap);
    return strokes_weigh(&strokes, &seeded, gap, graph->stream);
}

/* Queues what depends on seeds alone: the census and the levels of nearness. In a large image, nearness is computed
 * beside other work. */
static tilecut_status look_at_seeds(tc_cuda_graph *graph)
{
    enum { BESIDE_FROM = 1 << 18 }; /* smaller images, such as the copies that a search cuts first, use one stream */
    const device_energy *const e = &graph->energy;
    void *const scratch = (char *)graph->scratch + model_scratch_bytes(&graph->plan.image, &graph->request);
    const strokes_request strokes = strokes_of(graph);
    const bool beside = (size_t)e->width * (size_t)e->height >= BESIDE_FROM;
    cudaStream_t stream = graph->stream;
    NEED(model_take_census(e, graph->request.slice_rows, graph->facts, stream));
    if ((!graph->plan.near || graph->request.evidence) && !graph->request.far) return TILECUT_OK;
    if (beside) NEED(lane_part(graph->lane, &stream));
    if (graph->request.far) NEED(strokes_measure(&strokes, stream));
    else NEED(nearness_find(e, &graph->facts->census, scratch, stream));
    if (beside) NEED(lane_part_end(graph->lane));
    graph->parted = beside;
    return TILECUT_OK;
}

/* Labels are copied first, so that nearness can be computed while the pixels are being copied. */
extern "C" tilecut_status tc_cuda_graph_learn(tc_cuda_graph **out, const tilecut_image *image, const uint8_t *seeds,
                                              const tc_setup *params, void *const *stream, bool put_off,
                                              tc_cuda_origin *origin)
{
    const device_scope scope(params->device);
    const model_request request = model_request_of(image, params);
    const tc_there *const there = params->there;
    graph_plan plan = plan_of(image, &request, stream != NULL);
    const double clock = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *graph = NULL;
    device_lane *lane = NULL;

    *out = NULL;
    *origin = {};
    if (request.colors->on_device == TC_NOT_ON_DEVICE)
        return tc_fail(TILECUT_EINVAL, "colour model '%s' is not learnt on the device", request.colors->name);
    TRY(tc_cuda_device(params->device, NULL, 0));
    TRY(lane_open(&lane, params->device, stream));
    lane_share(lane, params->threads);
    lane_reserve(lane, (there ? 0 : tc_image_row_bytes(image) * (size_t)image->height) +
                           (size_t)image->width * (size_t)image->height);
    plan.in_place = there != NULL;
    TRY(graph_take(&graph, &plan, params->device, lane));
    graph->energy.soft_seeds = params->soft_seeds;
    graph->request = request;
    if (stream) {
        graph->energy.pixels = (const uint8_t *)image->pixels;
        graph->energy.stride = tc_image_stride(image);
        graph->energy.seeds = seeds;
    } else {
        TRY(graph_upload_seeds(graph, seeds));
    }
    TRY(look_at_seeds(graph));
    if (there) graph->energy.pixels = there->pixels, graph->energy.stride = there->stride;
    else if (!stream) TRY(graph_upload_pixels(graph, image));
    TRY(weigh_strokes(graph, params, origin));
    TRY(keep_given_guess(graph, params));
    origin->copy_ms = tc_now_ms() - clock;
    if (put_off) TRY(put_off_training(graph, origin));
    else TRY(learn_first(graph, params, origin));
    *out = graph;
    graph = NULL;
done:
    tc_cuda_graph_destroy(graph);
    lane_leave(lane);
    return status;
}

extern "C" tilecut_status tc_cuda_graph_learn_now(tc_cuda_graph *graph, const tc_setup *params,
                                                  tc_cuda_origin *origin)
{
    const device_scope scope(graph->device);
    *origin = {};
    return learn_first(graph, params, origin);
}

extern "C" tilecut_status tc_cuda_graph_relearn(tc_cuda_graph *graph, tc_cuda_origin *origin)
{
    const device_scope scope(graph->device);
    *origin = {};
    return learn_from(graph, graph->kept, graph->start, -1, graph->before, origin);
}

extern "C" void tc_cuda_graph_keep(tc_cuda_graph *graph)
{
    uint8_t *const before = graph->kept;
    graph->kept = graph->mask, graph->mask = before;
    graph->update = true;
}

/* Ignores an error, because the next call reports it. */
extern "C" void tc_cuda_graph_drop(tc_cuda_graph *graph)
{
    const device_scope scope(graph->device);
    (void)cudaMemcpyAsync(graph->facts, graph->before, sizeof *graph->facts, cudaMemcpyDeviceToDevice, graph->stream);
    graph->pending = false;
}

/* ---- Graphs from a graph ---------------------------------------------------------------------- */

/* Allocates a graph of size `plan` on a lane, with the same request as `from`. */
static tilecut_status take_beside(const tc_cuda_graph *from, const graph_plan *plan, device_lane *lane,
                                  tc_cuda_graph **out)
{
    NEED(graph_take(out, plan, from->device, lane));
    (*out)->energy.soft_seeds = from->energy.soft_seeds;
    (*out)->request = from->request;
    return TILECUT_OK;
}

/* True if the smaller copy has unknown pixels, and every class that the image has. */
static bool has_all_classes(const model_census *large, const model_census *small)
{
    for (int label = TILECUT_BACKGROUND; label <= TILECUT_OUTSIDE; label++)
        if (large->labels[label] && !small->labels[label]) return false;
    return small->labels[TILECUT_UNKNOWN] > 0;
}

static tilecut_status shrink(const tc_cuda_graph *from, int factor, tc_cuda_graph *graph)
{
    const device_energy *const e = &graph->energy;
    const size_t cells = (size_t)e->width * (size_t)e->height;
    LAUNCH_NEED(shrink_kernel, ceil_div(cells, COARSE_BLOCK), COARSE_BLOCK, graph->stream, from->energy, factor, *e,
                (uint8_t *)e->pixels, graph->seeds);
    NEED(look_at_seeds(graph));
    NEED(lane_fetch(graph->lane, &graph->census, &graph->facts->census, sizeof graph->census));
    graph->seen = true;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_graph_shrink(const tc_cuda_graph *from, int factor, const tc_setup *params,
                                               tc_cuda_graph **out, tc_cuda_origin *origin)
{
    const device_scope scope(from->device);
    tilecut_image image = from->plan.image;
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *graph = NULL;

    *out = NULL;
    *origin = {};
    image.width = (image.width + factor - 1) / factor, image.height = (image.height + factor - 1) / factor;
    image.stride = 0, image.pixels = NULL;
    const graph_plan plan = plan_of(&image, &from->request, false);
    TRY(take_beside(from, &plan, from->lane, &graph));
    graph->request.lambda = params->lambda;
    TRY(shrink(from, factor, graph));
    if (!has_all_classes(&from->census, &graph->census)) goto done;
    TRY(keep_given_guess(graph, params));
    TRY(learn_first(graph, params, origin));
    *out = graph;
    graph = NULL;
done:
    tc_cuda_graph_destroy(graph);
    return status;
}

/* Queues copies of pixels, seeds, nearness, facts and the kept mask. */
static tilecut_status copy_training(const tc_cuda_graph *from, tc_cuda_graph *graph)
{
    const size_t n = graph_pixels(from);
    const size_t row = tc_image_row_bytes(&from->plan.image);
    const size_t rows = (size_t)from->energy.height;
    if (from->energy.stride == row) /* one block is queued faster than rows */
        CUDA_NEED(cudaMemcpyAsync((void *)graph->energy.pixels, from->energy.pixels, rows * row,
                                  cudaMemcpyDeviceToDevice, graph->stream));
    else
        CUDA_NEED(cudaMemcpy2DAsync((void *)graph->energy.pixels, row, from->energy.pixels, from->energy.stride, row,
                                    rows, cudaMemcpyDeviceToDevice, graph->stream));
    CUDA_NEED(cudaMemcpyAsync(graph->seeds, from->energy.seeds, n, cudaMemcpyDeviceToDevice, graph->stream));
    CUDA_NEED(cudaMemcpyAsync(graph->facts, from->facts, sizeof *graph->facts, cudaMemcpyDeviceToDevice,
                              graph->stream));
    if (from->update) CUDA_NEED(cudaMemcpyAsync(graph->kept, from->kept, n, cudaMemcpyDeviceToDevice, graph->stream));
    if (from->energy.nearness) /* a graph with a guess has no spatial term, so its nearness is not copied */
        CUDA_NEED(cudaMemcpyAsync((void *)graph->energy.nearness, from->energy.nearness, n, cudaMemcpyDeviceToDevice,
                                  graph->stream));
    else graph->energy.nearness = NULL;
    graph->learnt_once = graph->measured = true;
    graph->start = from->start;
    graph->census = from->census;
    graph->seen = true;
    return TILECUT_OK;
}

/* Learns what the graph was made to learn, after copying what is learnt from, unless that is done already. */
static tilecut_status catch_up(tc_cuda_graph *graph)
{
    const model_training *const training = &graph->first_training;
    tc_cuda_origin origin;
    graph->catch_up = NULL;
    if (graph->source) {
        NEED(lane_follow(graph->lane, graph->source->lane));
        NEED(copy_training(graph->source, graph));
        graph->source = NULL;
    }
    return learn_from(graph, training->mask, training->start, training->move, NULL, &origin);
}

extern "C" tilecut_status tc_cuda_graph_fork(const tc_cuda_graph *from, int start, int move, int beside,
                                             tc_cuda_graph **out, tc_cuda_origin *origin)
{
    const device_scope scope(from->device);
    graph_plan plan = from->plan;
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *graph = NULL;
    device_lane *own = NULL;

    *out = NULL;
    *origin = {};
    plan.borrowed = plan.in_place = false;
    if (beside) TRY(lane_open(&own, from->device, NULL));
    if (own) own->threads = from->lane->threads, own->sleeps = from->lane->sleeps, own->beside = beside,
                 own->after = start >= 0;
    TRY(take_beside(from, &plan, own ? own : from->lane, &graph));
    if (beside && move >= 0) {
        graph->source = from; /* the thread that solves the graph makes the copies */
        graph->census = from->census;
    } else {
        TRY(lane_follow(graph->lane, from->lane));
        TRY(copy_training(from, graph));
        TRY(lane_follow(from->lane, graph->lane));
    }
    graph->first_training.mask = start < 0 ? graph->kept : NULL;
    graph->first_training.start = start < 0 ? from->start : start, graph->first_training.move = move;
    graph->catch_up = catch_up;
    TRY(report_seeds(graph, &graph->census, origin));
    if (!beside) TRY(catch_up(graph));
    *out = graph;
    graph = NULL;
done:
    tc_cuda_graph_destroy(graph);
    lane_leave(own);
    return status;
}

extern "C" tilecut_status tc_cuda_graph_learn_from_copy(tc_cuda_graph *graph, const tc_cuda_graph *small, int factor,
                                                        tc_cuda_origin *origin)
{
    const device_scope scope(graph->device);
    const size_t n = graph_pixels(graph);

    *origin = {};
    NEED(lane_follow(graph->lane, small->lane));
    LAUNCH_NEED(spread_kernel, ceil_div(n, COARSE_BLOCK), COARSE_BLOCK, graph->stream, small->kept, small->energy.width,
                factor, graph->kept, graph->energy.width, graph->energy.height);
    CUDA_NEED(cudaMemcpyAsync(graph->facts->mixture, small->facts->mixture, sizeof small->facts->mixture,
                              cudaMemcpyDeviceToDevice, graph->stream));
    NEED(lane_follow(small->lane, graph->lane)); /* the caller may destroy `small` next, so its lane waits for these
                                                    copies */
    graph->update = graph->learnt_once = true;
    return learn_from(graph, graph->kept, graph->start, -1, NULL, origin);
}

extern "C" tilecut_status tc_cuda_graph_kept(const tc_cuda_graph *graph, uint8_t *mask)
{
    const device_scope scope(graph->device);
    return lane_receive(graph->lane, mask, graph->kept, graph_pixels(graph));
}
