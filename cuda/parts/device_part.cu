/* SPDX-License-Identifier: MIT
 *
 * device_part.cu - a part of an image or a volume whose grid stays on a device. See cuda_parts.h. Solves are those of
 * the solver `cuda`, which looks at the whole grid anew each time; nothing is left to a CPU, however long it takes.
 */
#include <limits.h>
#include <new>

#include "device_part.cuh"

/* ---- Opening and closing ------------------------------------------------------------------------- */

static tilecut_status open_grid(tc_cuda_part *part, const tc_grid *grid)
{
    static const device_solver plain = {tiles_scratch_bytes, NULL};
    NEED(tc_cuda_device(part->device, NULL, 0));
    NEED(lane_open(&part->lane, part->device, NULL));
    part->stream = part->lane->stream;
    NEED(device_grid_init(&part->grid, grid, &plain, part->stream));
    NEED(device_grid_upload(&part->grid, grid, part->stream));
    part->view = part->grid.view;
    part->scratch = part->grid.scratch;
    part->session = &part->own;
    part->bytes = part->grid.bytes;
    return TILECUT_OK;
}

static tilecut_status open_graph(tc_cuda_part *part, const tc_energy *energy)
{
    tc_cuda_origin origin;
    NEED(tc_cuda_graph_create(&part->graph, energy, part->device, &origin));
    part->stream = part->graph->stream;
    part->view = part->graph->view;
    part->scratch = part->graph->scratch;
    part->session = &part->graph->session;
    part->bytes = part->graph->bytes;
    return TILECUT_OK;
}

static void open_volume(tc_cuda_part *part, tc_cuda_volume *volume)
{
    part->volume = volume;
    part->stream = volume->stream;
    part->view = volume->view;
    part->scratch = volume->scratch;
    part->session = &volume->session;
    part->bytes = volume->bytes;
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

/* Makes a part that has no grid yet. */
static tilecut_status create_part(tc_cuda_part **out, int device, const tc_cuda_border border[TC_CUDA_SIDES])
{
    tc_cuda_part *const part = *out = new (std::nothrow) tc_cuda_part();
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for a part on the device");
    part->device = device;
    for (int s = 0; s < TC_CUDA_SIDES; s++) part->border[s] = border[s];
    return TILECUT_OK;
}

/* Makes rows along the borders, and closes the halo. */
static tilecut_status open_rows(tc_cuda_part *part)
{
    const int width = border_width(part->view), kinds = part->border[0].kinds;
    const size_t bytes = lay_out_rows(&part->rows, LAYOUT_TRIAL, width, kinds); /* only to get the size */
    CUDA_NEED(cudaMalloc(&part->memory, bytes));
    (void)lay_out_rows(&part->rows, (char *)part->memory, width, kinds);
    part->bytes += bytes;
    NEED(seal(part));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_open(tc_cuda_part **out, const tc_energy *energy, const tc_grid *grid,
                                            int device, const tc_cuda_border border[TC_CUDA_SIDES])
{
    const device_scope scope(device);
    tilecut_status status = TILECUT_OK;
    tc_cuda_part *part = NULL;

    *out = NULL;
    TRY(create_part(&part, device, border));
    TRY(energy ? open_graph(part, energy) : open_grid(part, grid));
    TRY(open_rows(part));
    *out = part;
    part = NULL;
done:
    tc_cuda_part_close(part);
    return status;
}

extern "C" tilecut_status tc_cuda_part_open_volume(tc_cuda_part **out, tc_cuda_volume **volume,
                                                   const tc_cuda_border border[TC_CUDA_SIDES])
{
    const device_scope scope((*volume)->device);
    tilecut_status status = TILECUT_OK;
    tc_cuda_part *part = NULL;

    *out = NULL;
    TRY(create_part(&part, (*volume)->device, border));
    open_volume(part, *volume);
    *volume = NULL;
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
    device_grid_free(&part->grid);
    tc_cuda_graph_destroy(part->graph);
    tc_cuda_volume_destroy(part->volume);
    lane_leave(part->lane);
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
    NEED(tiles_open(part->session, &part->view, part->scratch, part->stream, part->lane, &plan, false));
    return tiles_finish(part->session, params);
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* Makes room for `bytes` of packed rows. */
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
    if (!out) NEED(send(part, part->packed, packed, bytes));
    LAUNCH_NEED((out ? pack_kernel : unpack_kernel), row_blocks(part, count), BORDER_BLOCK, part->stream, part->view,
                rows_of(part, first, count, words));
    return out ? fetch(part, packed, part->packed, bytes) : finish(part);
}

/* ---- The answer ---------------------------------------------------------------------------------- */

static tilecut_status prove_image(const tc_cuda_part *part, int first, int end, proof_sums *sums)
{
    const tc_cuda_graph *const graph = part->graph;
    size_t step = 0;
    const uint32_t *const background = tiles_background(part->session, &step);
    CUDA_NEED(cudaMemsetAsync(graph->sums, 0, sizeof *sums, part->stream));
    const proof_request proof = {background, step, first, end, NULL, graph->sums, graph->mask};
    NEED(grid_certify(&graph->energy, &part->view, &proof, part->stream));
    return fetch(part, sums, graph->sums, sizeof *sums);
}

extern "C" tilecut_status tc_cuda_part_prove(tc_cuda_part *part, int first, int end, tc_cuda_answer *answer)
{
    const device_scope scope(part->device);
    proof_sums sums = {};
    if (part->volume) NEED(volume_prove(part->volume, first, end, &sums));
    else NEED(prove_image(part, first, end, &sums));
    answer->flow = (int64_t)sums.flow, answer->cut = (int64_t)sums.cut;
    answer->foreground = (int64_t)sums.foreground, answer->violations = (int64_t)sums.violations;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_mask(tc_cuda_part *part, uint8_t *mask)
{
    const device_scope scope(part->device);
    const size_t pixels = (size_t)part->view.width * (size_t)part->view.height;
    if (part->volume) return fetch(part, mask, volume_mask(part->volume), volume_count(&part->volume->plan.shape));
    return fetch(part, mask, part->graph->mask, pixels);
}

extern "C" tilecut_status tc_cuda_part_fetch(tc_cuda_part *part, tc_grid *grid, uint32_t *label)
{
    const device_scope scope(part->device);
    const size_t row = TC_TILE * sizeof *label;
    size_t step = 0;
    const uint32_t *const background = tiles_background(part->session, &step);
    CUDA_NEED(cudaMemcpy2DAsync(label, row, background, step * sizeof *label, row, (size_t)view_tiles(part->view),
                                cudaMemcpyDeviceToHost, part->stream));
    return device_grid_download(&part->grid, grid, part->stream);
}
