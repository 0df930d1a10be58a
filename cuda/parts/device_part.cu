/* SPDX-License-Identifier: MIT
 *
 * device_part.cu - a part of an image or a volume whose grid stays on a device. See cuda_parts.h. Parts are solved by
 * the solver `cuda`, which relabels the whole grid anew in each solve. Nothing is left to a CPU, however long the solve
 * takes.
 */
#include <limits.h>
#include <new>

#include "device_part.cuh"

/* ---- Opening and closing ------------------------------------------------------------------------- */

static tilecut_status open_graph(tc_cuda_part *part, const tilecut_graph *graph)
{
    tc_cuda_origin origin;
    NEED(tc_cuda_graph_create(&part->graph, graph, part->device, 1, &origin));
    part->stream = part->graph->stream;
    part->view = part->graph->view;
    part->bytes = part->graph->bytes;
    return TILECUT_OK;
}

static size_t lay_out_rows(part_rows *rows, char *base, int width, int kinds)
{
    const size_t links = (size_t)kinds * (size_t)width * sizeof(int32_t);
    size_t total = 0;
    for (int s = 0; s < TC_CUDA_SIDES; s++) {
        rows->out[s] = (int32_t *)(base + reserve_bytes(&total, links));
        rows->in[s] = (int32_t *)(base + reserve_bytes(&total, links));
    }
    rows->level = (int32_t *)(base + reserve_bytes(&total, (size_t)width * sizeof(int32_t)));
    rows->bytes = (uint8_t *)base + reserve_bytes(&total, (size_t)width);
    rows->counts = (unsigned long long *)(base + reserve_bytes(&total, 2 * sizeof *rows->counts));
    rows->arrived = (unsigned *)(base + reserve_bytes(&total, sizeof *rows->arrived));
    return total;
}

static tilecut_status seal(tc_cuda_part *part)
{
    for (int s = 0; s < TC_CUDA_SIDES; s++) {
        if (part->border[s].halo < 0) continue;
        LAUNCH_NEED(seal_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s].halo);
    }
    return TILECUT_OK;
}

/* Makes the rows along the borders, and closes the halo. */
static tilecut_status open_rows(tc_cuda_part *part)
{
    const int width = border_width(part->view), kinds = part->border[0].kinds;
    const size_t bytes = lay_out_rows(&part->rows, LAYOUT_TRIAL, width, kinds); /* only finds the size */
    CUDA_NEED(cudaMalloc(&part->memory, bytes));
    (void)lay_out_rows(&part->rows, (char *)part->memory, width, kinds);
    part->bytes += bytes;
    NEED(seal(part));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_open(tc_cuda_part **out, const tilecut_graph *graph, int device,
                                            const tc_cuda_border border[TC_CUDA_SIDES])
{
    const device_scope scope(device);
    tilecut_status status = TILECUT_OK;
    tc_cuda_part *part = new (std::nothrow) tc_cuda_part();

    *out = NULL;
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for a part on the device");
    part->device = device;
    for (int s = 0; s < TC_CUDA_SIDES; s++) part->border[s] = border[s];
    TRY(open_graph(part, graph));
    TRY(open_rows(part));
    *out = part;
    part = NULL;
done:
    tc_cuda_part_close(part);
    return status;
}

extern "C" void tc_cuda_part_close(tc_cuda_part *part)
{
    if (!part) return;
    const device_scope scope(part->device);
    if (part->memory) (void)cudaFree(part->memory);
    if (part->packed) (void)cudaFree(part->packed);
    tc_cuda_graph_destroy(part->graph);
    delete part;
}

extern "C" size_t tc_cuda_part_bytes(const tc_cuda_part *part)
{
    return part->bytes;
}

/* ---- Solving ------------------------------------------------------------------------------------- */

extern "C" tilecut_status tc_cuda_part_solve(tc_cuda_part *part, const tc_solve_params *params)
{
    const device_scope scope(part->device);
    tiles_schedule plan = tiles_schedule_default();
    plan.rounds_in_all = INT_MAX;
    tiles_session *const session = &part->graph->session;
    NEED(tiles_open(session, &part->view, part->graph->scratch, part->stream, NULL, &plan, false));
    return tiles_finish(session, params);
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* Makes sure that the array of packed rows holds `bytes`. */
static tilecut_status make_room(tc_cuda_part *part, size_t bytes)
{
    if (bytes <= part->packed_bytes) return TILECUT_OK;
    if (part->packed) (void)cudaFree(part->packed);
    part->packed = NULL;
    part->packed_bytes = 0;
    CUDA_NEED(cudaMalloc(&part->packed, bytes));
    part->packed_bytes = bytes;
    return TILECUT_OK;
}

static packed_rows rows_of(const tc_cuda_part *part, int first, int count, size_t words)
{
    return {first, count, (int)(words / (size_t)part->view.tiles_x), part->packed};
}

static int row_blocks(const tc_cuda_part *part, int count)
{
    return ceil_div((size_t)count * (size_t)part->view.tiles_x * TC_TILE, BORDER_BLOCK);
}

extern "C" tilecut_status tc_cuda_part_copy(tc_cuda_part *part, int first, int count, size_t words, float *packed,
                                            bool out)
{
    const device_scope scope(part->device);
    const size_t bytes = (size_t)count * words * sizeof *packed;
    NEED(make_room(part, bytes));
    if (!out) NEED(lane_send(part->graph->lane, part->packed, packed, bytes, bytes, 1));
    LAUNCH_NEED((out ? pack_kernel : unpack_kernel), row_blocks(part, count), BORDER_BLOCK, part->stream, part->view,
                rows_of(part, first, count, words));
    return out ? lane_receive(part->graph->lane, packed, part->packed, bytes) : finish(part);
}

/* ---- The answer ---------------------------------------------------------------------------------- */

extern "C" tilecut_status tc_cuda_part_prove(tc_cuda_part *part, int first, int end, tc_cuda_answer *answer)
{
    const device_scope scope(part->device);
    const tc_cuda_graph *const graph = part->graph;
    const device_lattice lattice = graph_lattice(graph);
    proof_sums sums = {};
    size_t step = 0;
    const uint32_t *const background = tiles_background(&graph->session, &step);
    const proof_request proof = {background, step, first, end, NULL, graph->sums, graph_mask(graph), NULL, NULL};
    CUDA_NEED(cudaMemsetAsync(graph->sums, 0, sizeof sums, part->stream));
    NEED(grid_certify(&lattice, &part->view, &proof, part->stream));
    NEED(fetch(part, &sums, graph->sums, sizeof sums));
    answer->flow = (int64_t)sums.flow, answer->cut = (int64_t)sums.cut;
    answer->foreground = (int64_t)sums.foreground, answer->violations = (int64_t)sums.violations;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_mask(tc_cuda_part *part, uint8_t *mask)
{
    const device_scope scope(part->device);
    return lane_receive(part->graph->lane, mask, graph_mask(part->graph), graph_pixels(part->graph));
}
