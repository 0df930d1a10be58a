/* SPDX-License-Identifier: MIT
 *
 * hybrid_device.cu - the GPU's side of hybrid.c: runs the tiles solver in slices, counts after each slice what is
 * left to do, and copies single tiles to the host and back.
 */
#include <new>

#include "device_scope.cuh"
#include "hybrid_device.cuh"

/* One warp per tile, one lane per row. Compares with the last published border heights, also those of the tile
 * itself. */
static __global__ void inspect_kernel(tiles_view v, uint32_t *words)
{
    const int lane = threadIdx.x & 31, warps = gridDim.x * WARPS;
    for (int tile = blockIdx.x * WARPS + (threadIdx.x >> 5); tile < view_tiles(v.grid); tile += warps) {
        uint32_t reach = 0;
        if (v.relabelled[tile]) {
            reach = levels_at(v, tile, LEVELS_SET)[lane];
        } else {
            for (int row = 0; row < TC_TILE; row++) {
                const float h = v.height[(size_t)tile * TC_TILE_NODES + row * TC_TILE + lane];
                const uint32_t set = __ballot_sync(WARP, h < HIGHEST);
                if (lane == row) reach = set;
            }
        }
        int active = __popc(bits_at(v, tile, BITS_ACTIVE)[lane] & reach);
        for (int d = 16; d; d >>= 1) active += __shfl_xor_sync(WARP, active, d);
        const bool open[4] = {(bool)(bits_at(v, tile, TC_RIGHT)[lane] >> 31),
                              (bool)(bits_at(v, tile, TC_LEFT)[lane] & 1),
                              (bool)(bits_at(v, tile, TC_DOWN)[TC_TILE - 1] >> lane & 1),
                              (bool)(bits_at(v, tile, TC_UP)[0] >> lane & 1)};
        uint32_t word = (uint32_t)active;
        for (int d = 0; d < 4; d++) {
            const int to = tile_beside(v.grid, tile, d);
            const bool crosses = to >= 0 && open[d] && v.border[side_at(tile, d) + lane] < UNREACHED &&
                                 v.border[side_at(to, d ^ 1) + lane] < UNREACHED;
            if (__any_sync(WARP, crosses)) word |= 1u << (TC_TILE_CROSSES + d);
        }
        if (lane == 0) words[tile] = word;
    }
}

/* Copies tiles into packed arrays, or with `back` from them; one block per tile. */
static __global__ void pack_kernel(grid_view g, const int32_t *tile, float4 *residual, float *excess, bool back)
{
    const size_t there = (size_t)tile[blockIdx.x] * TC_TILE_NODES, here = (size_t)blockIdx.x * TC_TILE_NODES;
    for (int k = threadIdx.x; k < TC_TILE_NODES; k += blockDim.x) {
        if (back) {
            g.residual[there + k] = residual[here + k];
            g.excess[there + k] = excess[here + k];
        } else {
            residual[here + k] = g.residual[there + k];
            excess[here + k] = g.excess[there + k];
        }
    }
}

tilecut_status hybrid_work(void *self, int slice, int *rounds, bool *done)
{
    hybrid_device *const u = (hybrid_device *)self;
    u->session->plan.slice = slice;
    const tilecut_status status = tiles_step(u->session);
    *rounds = u->session->run.rounds + u->session->run.relabel_rounds;
    *done = u->session->done;
    return status;
}

tilecut_status hybrid_inspect(void *self, uint32_t *words)
{
    hybrid_device *const u = (hybrid_device *)self;
    const size_t bytes = (size_t)view_tiles(u->session->view.grid) * sizeof *words;
    tilecut_status status = TILECUT_OK;
    uint32_t *there = NULL;

    CUDA_TRY(cudaMalloc(&there, bytes));
    TRY(tiles_deliver(u->session));
    LAUNCH_TRY(inspect_kernel, u->session->blocks, BLOCK, u->session->stream, u->session->view, there);
    CUDA_TRY(cudaMemcpyAsync(words, there, bytes, cudaMemcpyDeviceToHost, u->session->stream));
    CUDA_TRY(cudaStreamSynchronize(u->session->stream));
done:
    if (there) (void)cudaFree(there);
    return status;
}

/* Copies tiles to the host, or with `back` to the device. They are packed in one piece of device memory, links
 * first. */
static tilecut_status travel(hybrid_device *u, const int32_t *tile, int count, void *residual, void *excess, bool back)
{
    const size_t nodes = (size_t)count * TC_TILE_NODES;
    const size_t links = nodes * sizeof(float4), rest = nodes * sizeof(float), list = (size_t)count * sizeof *tile;
    const cudaStream_t stream = u->session->stream;
    tilecut_status status = TILECUT_OK;
    char *there = NULL;

    CUDA_TRY(cudaMalloc(&there, links + rest + list));
    if (u->most < u->bytes + links + rest + list) u->most = u->bytes + links + rest + list;
    CUDA_TRY(cudaMemcpyAsync(there + links + rest, tile, list, cudaMemcpyHostToDevice, stream));
    if (back) {
        CUDA_TRY(cudaMemcpyAsync(there, residual, links, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(there + links, excess, rest, cudaMemcpyHostToDevice, stream));
    }
    LAUNCH_TRY(pack_kernel, count, BLOCK, stream, u->session->view.grid, (const int32_t *)(there + links + rest),
               (float4 *)there, (float *)(there + links), back);
    if (!back) {
        CUDA_TRY(cudaMemcpyAsync(residual, there, links, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(cudaMemcpyAsync(excess, there + links, rest, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (there) (void)cudaFree(there);
    return status;
}

tilecut_status hybrid_gather(void *self, const int32_t *tile, int count, tc_float4 *residual, float *excess)
{
    return travel((hybrid_device *)self, tile, count, residual, excess, false); /* inboxes are empty since inspect() */
}

tilecut_status hybrid_scatter(void *self, const int32_t *tile, int count, const tc_float4 *residual,
                              const float *excess)
{
    hybrid_device *const u = (hybrid_device *)self;
    u->session->fresh = true;
    return travel(u, tile, count, (void *)residual, (void *)excess, true);
}

/* ---- A grid that is uploaded ------------------------------------------------------------------- */

typedef struct uploaded {
    hybrid_device work;
    device_grid grid;
    tiles_session session;
    cudaStream_t stream;
    device_scope here; /* in effect as long as this object lives */

    explicit uploaded(int device) : work(), grid(), session(), stream(NULL), here(device) {}
} uploaded;

static tilecut_status upload(void *self, const tc_grid *grid)
{
    uploaded *const u = (uploaded *)self;
    const tiles_schedule plan = tiles_schedule_default();

    u->work.session = &u->session;
    /* Created only now: a CPU solves a small grid in the time that this takes. */
    CUDA_NEED(cudaStreamCreateWithFlags(&u->stream, cudaStreamNonBlocking));
    NEED(device_grid_init(&u->grid, grid, &tiles_solver, u->stream));
    u->work.bytes = u->work.most = u->grid.bytes;
    NEED(device_grid_upload(&u->grid, grid, u->stream));
    return tiles_open(&u->session, &u->grid.view, u->grid.scratch, u->stream, NULL, &plan, true);
}

static tilecut_status download(void *self, tc_grid *grid)
{
    const uploaded *const u = (const uploaded *)self;
    return device_grid_download(&u->grid, grid, u->stream);
}

extern "C" const tc_hybrid_device tc_cuda_hybrid = {upload,         hybrid_work, hybrid_inspect, hybrid_gather,
                                                    hybrid_scatter, download,    false};

extern "C" tilecut_status tc_cuda_hybrid_open(int device, void **self)
{
    *self = new (std::nothrow) uploaded(device);
    return *self ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for a grid on the device");
}

extern "C" size_t tc_cuda_hybrid_close(void *self)
{
    uploaded *const u = (uploaded *)self;
    if (!u) return 0;
    const size_t most = u->work.most;
    device_grid_free(&u->grid);
    if (u->stream) (void)cudaStreamDestroy(u->stream);
    delete u;
    return most;
}
