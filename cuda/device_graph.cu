/* SPDX-License-Identifier: MIT
 *
 * device_graph.cu - a graph from an image with all of its life on the device. See tc_cuda.h.
 */
#include <new>
#include <string.h>

#include "device_cut.cuh"
#include "solver_tilecut.cuh"
#include "tc_cuda.h"

extern "C" {
#include "parallel.h"
}

struct tc_cuda_graph {
    device_energy energy;
    grid_view view;
    void *memory, *scratch;
    uint8_t *seeds, *other_seeds, *mask; /* [pixels] each */
    cut_sums *sums;
    size_t bytes;
    cudaStream_t stream;
};

/* Where everything lies in the graph's memory. */
typedef struct places {
    size_t pixels, seeds, other_seeds, mask, straight, source_cost, sink_cost, nearness, near_cost, seed_capacity, sums;
    size_t residual, excess, guarded, scratch, total; /* `guarded`: the end of what must read as 0 */
} places;

static size_t image_stride(const tilecut_image *image)
{
    return (size_t)image->width * (size_t)image->channels * (size_t)(image->depth / 8);
}

static size_t bins_of(const tc_energy *energy)
{
    return energy->color_bits ? (size_t)1 << (energy->image.channels * energy->color_bits) : 0;
}

static places place_all(const tc_energy *energy, const grid_view *view)
{
    const tilecut_image *image = &energy->image;
    const size_t n = (size_t)image->width * (size_t)image->height;
    const size_t nodes = (size_t)view_nodes(*view) + 2 * (size_t)view_guard(*view);
    places p;
    size_t total = 0;
    p.residual = take(&total, nodes * sizeof(float4));
    p.excess = take(&total, nodes * sizeof(float));
    p.guarded = total;
    p.scratch = take(&total, cut_scratch_bytes(view));
    p.pixels = take(&total, image_stride(image) * (size_t)image->height);
    p.seeds = take(&total, n);
    p.other_seeds = take(&total, n);
    p.mask = take(&total, n);
    p.straight = take(&total, (size_t)energy->keys * sizeof(int32_t));
    p.source_cost = take(&total, bins_of(energy) * sizeof(int32_t));
    p.sink_cost = take(&total, bins_of(energy) * sizeof(int32_t));
    p.nearness = take(&total, energy->nearness ? n : 0);
    p.near_cost = take(&total, sizeof energy->near_cost);
    p.seed_capacity = take(&total, sizeof(int32_t));
    p.sums = take(&total, sizeof(cut_sums));
    p.total = total;
    return p;
}

/* Points everything into the memory that was taken. */
static void lay_out(tc_cuda_graph *graph, const tc_energy *energy, const places *p)
{
    char *const base = (char *)graph->memory;
    const tilecut_image *image = &energy->image;
    graph->view.residual = (float4 *)(base + p->residual) + view_guard(graph->view);
    graph->view.excess = (float *)(base + p->excess) + view_guard(graph->view);
    graph->scratch = base + p->scratch;
    graph->seeds = (uint8_t *)base + p->seeds;
    graph->other_seeds = (uint8_t *)base + p->other_seeds;
    graph->mask = (uint8_t *)base + p->mask;
    graph->sums = (cut_sums *)(base + p->sums);
    device_energy *e = &graph->energy;
    e->width = image->width, e->height = image->height, e->channels = image->channels, e->depth = image->depth;
    e->stride = image_stride(image);
    e->pixels = (uint8_t *)base + p->pixels;
    e->seeds = graph->seeds;
    e->straight = (int32_t *)(base + p->straight);
    e->last = energy->keys - 1;
    e->color_bits = energy->color_bits;
    e->source_cost = (int32_t *)(base + p->source_cost), e->sink_cost = (int32_t *)(base + p->sink_cost);
    e->nearness = energy->nearness ? (uint8_t *)base + p->nearness : NULL;
    e->near_cost = (int32_t *)(base + p->near_cost);
    e->seed_capacity = (int32_t *)(base + p->seed_capacity);
    e->soft_seeds = energy->soft_seeds;
}

static tilecut_status upload(tc_cuda_graph *graph, const tc_energy *energy)
{
    const tilecut_image *image = &energy->image;
    const device_energy *e = &graph->energy;
    const size_t n = (size_t)image->width * (size_t)image->height, bins = bins_of(energy) * sizeof(int32_t);
    const struct {
        const void *to, *from;
        size_t size;
    } pieces[] = {
        {e->seeds, energy->seeds, n},
        {e->straight, energy->straight, (size_t)energy->keys * sizeof(int32_t)},
        {e->source_cost, energy->source_cost, bins},
        {e->sink_cost, energy->sink_cost, bins},
        {e->nearness, energy->nearness, energy->nearness ? n : 0},
        {e->near_cost, energy->near_cost, sizeof energy->near_cost},
        {e->seed_capacity, &energy->seed_capacity, sizeof energy->seed_capacity},
    };
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaMemcpy2DAsync((void *)e->pixels, e->stride, image->pixels, image->stride ? image->stride : e->stride,
                               e->stride, (size_t)image->height, cudaMemcpyHostToDevice, graph->stream));
    for (const auto &piece : pieces)
        if (piece.size > 0)
            CUDA_TRY(cudaMemcpyAsync((void *)piece.to, piece.from, piece.size, cudaMemcpyHostToDevice, graph->stream));
    CUDA_TRY(cudaStreamSynchronize(graph->stream));
done:
    return status;
}

extern "C" tilecut_status tc_cuda_graph_create(tc_cuda_graph **out, const tc_energy *energy, double *copy_ms,
                                               double *build_ms)
{
    const tilecut_image *image = &energy->image;
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *graph = NULL;
    places p;

    *out = NULL;
    *copy_ms = *build_ms = 0;
    TRY(tc_cuda_device(NULL, 0));
    graph = new (std::nothrow) tc_cuda_graph();
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph on the device");
    graph->view.width = image->width, graph->view.height = image->height;
    graph->view.tiles_x = (image->width + TC_TILE - 1) / TC_TILE;
    graph->view.tiles_y = (image->height + TC_TILE - 1) / TC_TILE;
    p = place_all(energy, &graph->view);
    graph->bytes = p.total;
    CUDA_TRY(cudaStreamCreateWithFlags(&graph->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaMalloc(&graph->memory, p.total));
    CUDA_TRY(cudaMemsetAsync(graph->memory, 0, p.guarded, graph->stream));
    lay_out(graph, energy, &p);
    TRY(upload(graph, energy));
    *copy_ms = tc_now_ms() - start;
    TRY(grid_build(&graph->energy, &graph->view, graph->stream));
    CUDA_TRY(cudaStreamSynchronize(graph->stream));
    *build_ms = tc_now_ms() - start - *copy_ms;
    *out = graph;
    graph = NULL;
done:
    tc_cuda_graph_destroy(graph);
    return status;
}

extern "C" void tc_cuda_graph_destroy(tc_cuda_graph *graph)
{
    if (!graph) return;
    if (graph->memory) (void)cudaFree(graph->memory);
    if (graph->stream) (void)cudaStreamDestroy(graph->stream);
    delete graph;
}

extern "C" tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after)
{
    const size_t width = (size_t)graph->energy.width;
    tilecut_status status = TILECUT_OK;
    int y0 = 0, y1 = graph->energy.height;

    while (y0 < y1 && memcmp(before + (size_t)y0 * width, after + (size_t)y0 * width, width) == 0) y0++;
    while (y0 < y1 && memcmp(before + (size_t)(y1 - 1) * width, after + (size_t)(y1 - 1) * width, width) == 0) y1--;
    if (y0 == y1) return TILECUT_OK;
    CUDA_TRY(cudaMemcpyAsync(graph->other_seeds, after + (size_t)y0 * width, (size_t)(y1 - y0) * width,
                             cudaMemcpyHostToDevice, graph->stream));
    TRY(grid_reseed(&graph->energy, &graph->view, graph->other_seeds, graph->seeds, y0, y1, graph->stream));
    CUDA_TRY(cudaStreamSynchronize(graph->stream)); /* the labels are the caller's again */
done:
    return status;
}

extern "C" tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, uint8_t *mask,
                                              tc_cuda_answer *answer)
{
    const cut_schedule plan = cut_schedule_default();
    const size_t pixels = (size_t)graph->energy.width * (size_t)graph->energy.height;
    double clock = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    cut_session session;
    cut_sums sums = {};
    const uint32_t *background;
    size_t step = 0;

    memset(answer, 0, sizeof *answer);
    answer->bytes = graph->bytes;
    TRY(cut_open(&session, &graph->view, graph->scratch, graph->stream, &plan));
    TRY(cut_finish(&session, params));
    CUDA_TRY(cudaStreamSynchronize(graph->stream));
    answer->solve_ms = tc_now_ms() - clock;
    answer->unfinished = session.run.unfinished;
    if (answer->unfinished) goto done;

    clock = tc_now_ms();
    background = cut_background(&session, &step);
    TRY(grid_certify(&graph->energy, &graph->view, background, step, graph->sums, graph->mask, graph->stream));
    CUDA_TRY(cudaMemcpyAsync(&sums, graph->sums, sizeof sums, cudaMemcpyDeviceToHost, graph->stream));
    CUDA_TRY(cudaStreamSynchronize(graph->stream));
    answer->flow = (int64_t)sums.flow, answer->cut = (int64_t)sums.cut;
    answer->foreground = (int64_t)sums.foreground, answer->violations = (int64_t)sums.violations;
    answer->certify_ms = tc_now_ms() - clock;
    if (answer->violations || answer->flow != answer->cut) goto done;

    clock = tc_now_ms();
    CUDA_TRY(cudaMemcpyAsync(mask, graph->mask, pixels, cudaMemcpyDeviceToHost, graph->stream));
    CUDA_TRY(cudaStreamSynchronize(graph->stream));
    answer->copy_ms = tc_now_ms() - clock;
done:
    return status;
}

extern "C" tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid)
{
    device_grid device = {graph->view, NULL, NULL, graph->bytes};
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaMalloc(&device.scratch, grid->nodes * sizeof(tc_node)));
    TRY(device_grid_download(&device, grid, graph->stream));
done:
    if (device.scratch) (void)cudaFree(device.scratch);
    return status;
}
