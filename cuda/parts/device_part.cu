/* SPDX-License-Identifier: MIT
 *
 * device_part.cu - a part of an image whose grid stays on a device. See cuda_parts.h. Solves are those of the solver
 * `cuda`, which looks at the whole grid anew each time; nothing is left to a CPU, however long it takes.
 */
#include <limits.h>
#include <new>

#include "border_kernels.cuh"
#include "device_graph.cuh"
#include "part_flood.cuh"

/* Device memory beside the grid. */
typedef struct part_rows {
    int32_t *out[TC_CUDA_SIDES], *in[TC_CUDA_SIDES]; /* [kinds][width] */
    int32_t *level;                                  /* [width] for one call at a time, like what follows */
    uint8_t *bytes;                                  /* [width]        */
    unsigned long long *counts;
    unsigned *arrived;
} part_rows;

struct tc_cuda_part {
    tc_cuda_graph *graph; /* of an image; NULL: `grid` was given */
    device_grid grid;
    grid_view view;
    tiles_session own, *session;
    void *scratch;
    tc_cuda_border border[TC_CUDA_SIDES];
    part_rows rows;
    float *packed;     /* rows on their way to the host or from there; NULL until there are any */
    size_t packed_bytes;
    void *memory;      /* of the rows; not of a pool, which only its own device may reach */
    device_lane *lane; /* of a grid   */
    cudaStream_t stream;
    size_t bytes;
    int device;
};

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

static size_t lay_out(part_rows *rows, char *base, int width)
{
    const size_t links = TC_CUDA_KINDS * (size_t)width * sizeof(int32_t);
    size_t total = 0;
    for (int s = 0; s < TC_CUDA_SIDES; s++) {
        rows->out[s] = (int32_t *)(base + take(&total, links));
        rows->in[s] = (int32_t *)(base + take(&total, links));
    }
    rows->level = (int32_t *)(base + take(&total, (size_t)width * sizeof(int32_t)));
    rows->bytes = (uint8_t *)base + take(&total, (size_t)width);
    rows->counts = (unsigned long long *)(base + take(&total, 2 * sizeof *rows->counts));
    rows->arrived = (unsigned *)(base + take(&total, sizeof *rows->arrived));
    return total;
}

/* Waits for what the part's stream was given to do. */
static tilecut_status finish(const tc_cuda_part *part)
{
    return CUDA_STATUS(cudaStreamSynchronize(part->stream));
}

/* Queues a copy to the device, or fetches one from it, which is there when the call returns. */
static tilecut_status send(const tc_cuda_part *part, void *to, const void *from, size_t bytes)
{
    return CUDA_STATUS(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, part->stream));
}

static tilecut_status fetch(const tc_cuda_part *part, void *to, const void *from, size_t bytes)
{
    CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, part->stream));
    return finish(part);
}

static int border_blocks(const tc_cuda_part *part)
{
    return ceil_div((size_t)part->view.width, BORDER_BLOCK);
}

static tilecut_status seal(tc_cuda_part *part)
{
    for (int s = 0; s < TC_CUDA_SIDES; s++) {
        if (part->border[s].rim < 0) continue;
        LAUNCH_NEED(seal_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s].rim);
    }
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_open(tc_cuda_part **out, const tc_energy *energy, const tc_grid *grid,
                                            int device, const tc_cuda_border border[TC_CUDA_SIDES])
{
    const device_scope here(device);
    tilecut_status status = TILECUT_OK;
    size_t bytes = 0;
    tc_cuda_part *part = new (std::nothrow) tc_cuda_part();

    *out = NULL;
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for a part on the device");
    part->device = device;
    for (int s = 0; s < TC_CUDA_SIDES; s++) part->border[s] = border[s];
    if (energy) TRY(open_graph(part, energy));
    else TRY(open_grid(part, grid));
    bytes = lay_out(&part->rows, LAYOUT_TRIAL, part->view.width); /* only to get the size */
    CUDA_TRY(cudaMalloc(&part->memory, bytes));
    (void)lay_out(&part->rows, (char *)part->memory, part->view.width);
    part->bytes += bytes;
    TRY(seal(part));
    TRY(finish(part));
    *out = part;
    part = NULL;
done:
    tc_cuda_part_close(part);
    return status;
}

extern "C" void tc_cuda_part_close(tc_cuda_part *part)
{
    if (!part) return;
    const device_scope here(part->device);
    if (part->memory) (void)cudaFree(part->memory);
    if (part->packed) (void)cudaFree(part->packed);
    device_grid_free(&part->grid);
    tc_cuda_graph_destroy(part->graph);
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
    const device_scope here(part->device);
    tiles_schedule plan = tiles_schedule_default();
    plan.rounds_in_all = INT_MAX;
    NEED(tiles_open(part->session, &part->view, part->scratch, part->stream, part->lane, &plan, false, false));
    return tiles_finish(part->session, params);
}

/* ---- Borders ------------------------------------------------------------------------------------- */

static size_t links_bytes(const tc_cuda_part *part, int s)
{
    return (size_t)part->border[s].kinds * (size_t)part->view.width * sizeof(int32_t);
}

extern "C" void tc_cuda_part_rows(const tc_cuda_part *part, int s, int32_t **out, int32_t **in)
{
    *out = part->rows.out[s];
    *in = part->rows.in[s];
}

/* Queues a copy of rows that are not the part's own on the device, to it or from it. */
static tilecut_status bring(const tc_cuda_part *part, int s, void *to, const void *from)
{
    if (to == from) return TILECUT_OK;
    return CUDA_STATUS(cudaMemcpyAsync(to, from, links_bytes(part, s), cudaMemcpyDefault, part->stream));
}

extern "C" tilecut_status tc_cuda_part_unseal(tc_cuda_part *part, int s, const int32_t *level, int32_t wanted)
{
    const device_scope here(part->device);
    const size_t bytes = (size_t)part->view.width * sizeof *level;
    NEED(send(part, part->rows.level, level, bytes));
    LAUNCH_NEED(unseal_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.level, wanted);
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_take_flows(tc_cuda_part *part, int s, int32_t *out)
{
    const device_scope here(part->device);
    CUDA_NEED(cudaMemsetAsync(part->rows.out[s], 0, links_bytes(part, s), part->stream));
    LAUNCH_NEED(take_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.out[s]);
    NEED(bring(part, s, out, part->rows.out[s]));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_put_flows(tc_cuda_part *part, int s, const int32_t *in, bool *any)
{
    const device_scope here(part->device);
    unsigned some = 0;
    NEED(bring(part, s, part->rows.in[s], in));
    CUDA_NEED(cudaMemsetAsync(part->rows.arrived, 0, sizeof some, part->stream));
    LAUNCH_NEED(put_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.in[s], part->rows.arrived);
    NEED(fetch(part, &some, part->rows.arrived, sizeof some));
    *any = some != 0;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_show_residuals(tc_cuda_part *part, int s, int32_t *out)
{
    const device_scope here(part->device);
    LAUNCH_NEED(show_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.out[s]);
    NEED(bring(part, s, out, part->rows.out[s]));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_set_residuals(tc_cuda_part *part, int s, const int32_t *in)
{
    const device_scope here(part->device);
    NEED(bring(part, s, part->rows.in[s], in));
    LAUNCH_NEED(set_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.in[s]);
    return finish(part);
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

extern "C" tilecut_status tc_cuda_part_pack(tc_cuda_part *part, int first, int count, size_t words, float *packed)
{
    const device_scope here(part->device);
    const size_t bytes = (size_t)count * words * sizeof *packed;
    NEED(make_room(part, bytes));
    LAUNCH_NEED(pack_kernel, row_blocks(part, count), BORDER_BLOCK, part->stream, part->view,
                rows_of(part, first, count, words));
    return fetch(part, packed, part->packed, bytes);
}

extern "C" tilecut_status tc_cuda_part_unpack(tc_cuda_part *part, int first, int count, size_t words,
                                              const float *packed)
{
    const device_scope here(part->device);
    const size_t bytes = (size_t)count * words * sizeof *packed;
    NEED(make_room(part, bytes));
    NEED(send(part, part->packed, packed, bytes));
    LAUNCH_NEED(unpack_kernel, row_blocks(part, count), BORDER_BLOCK, part->stream, part->view,
                rows_of(part, first, count, words));
    return finish(part);
}

/* ---- The search ---------------------------------------------------------------------------------- */

static const part_flood *flood_of(const tc_cuda_part *part)
{
    return view_neighbours(part->view) == 8 ? &part_flood_8 : &part_flood_4;
}

extern "C" tilecut_status tc_cuda_part_search(tc_cuda_part *part)
{
    const device_scope here(part->device);
    const tiles_view *const view = &part->session->view;
    const part_flood *const search = flood_of(part);
    CUDA_NEED(cudaMemsetAsync(view->todo, 0, 3 * (size_t)view->words * sizeof *view->todo, part->stream));
    NEED(search->scan(view, part->session->blocks, part->stream));
    NEED(search->flood(view, part->rows.arrived, part->stream));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_count(tc_cuda_part *part, int64_t *all, int64_t *reached)
{
    const device_scope here(part->device);
    unsigned long long counts[2] = {0, 0};
    NEED(flood_of(part)->count(&part->session->view, part->session->blocks, part->rows.counts, part->stream));
    NEED(fetch(part, counts, part->rows.counts, sizeof counts));
    *all = (int64_t)counts[0];
    *reached = (int64_t)counts[1];
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_tell(tc_cuda_part *part, int s, uint8_t *told)
{
    const device_scope here(part->device);
    NEED(flood_of(part)->tell(&part->session->view, part->border[s].own, part->rows.bytes, part->stream));
    return fetch(part, told, part->rows.bytes, (size_t)part->view.width);
}

extern "C" tilecut_status tc_cuda_part_reach(tc_cuda_part *part, int s, const uint8_t *news)
{
    const device_scope here(part->device);
    NEED(send(part, part->rows.bytes, news, (size_t)part->view.width));
    NEED(flood_of(part)->reach(&part->session->view, part->border[s].rim, part->rows.bytes, part->stream));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_flood(tc_cuda_part *part)
{
    const device_scope here(part->device);
    NEED(flood_of(part)->flood(&part->session->view, part->rows.arrived, part->stream));
    return finish(part);
}

/* ---- The answer ---------------------------------------------------------------------------------- */

extern "C" tilecut_status tc_cuda_part_prove(tc_cuda_part *part, int first, int end, tc_cuda_answer *answer)
{
    const device_scope here(part->device);
    const tc_cuda_graph *const graph = part->graph;
    proof_sums sums = {};
    size_t step = 0;
    const uint32_t *const background = tiles_background(part->session, &step);

    CUDA_NEED(cudaMemsetAsync(graph->sums, 0, sizeof sums, part->stream));
    NEED(grid_certify(&graph->energy, &part->view, background, step, first, end, NULL, graph->sums, graph->mask,
                      part->stream));
    NEED(fetch(part, &sums, graph->sums, sizeof sums));
    answer->flow = (int64_t)sums.flow, answer->cut = (int64_t)sums.cut;
    answer->foreground = (int64_t)sums.foreground, answer->violations = (int64_t)sums.violations;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_mask(tc_cuda_part *part, uint8_t *mask)
{
    const device_scope here(part->device);
    const size_t pixels = (size_t)part->view.width * (size_t)part->view.height;
    return fetch(part, mask, part->graph->mask, pixels);
}

extern "C" tilecut_status tc_cuda_part_fetch(tc_cuda_part *part, tc_grid *grid, uint32_t *label)
{
    const device_scope here(part->device);
    const size_t row = TC_TILE * sizeof *label;
    size_t step = 0;
    const uint32_t *const background = tiles_background(part->session, &step);
    CUDA_NEED(cudaMemcpy2DAsync(label, row, background, step * sizeof *label, row, (size_t)view_tiles(part->view),
                                cudaMemcpyDeviceToHost, part->stream));
    return device_grid_download(&part->grid, grid, part->stream);
}
