/* SPDX-License-Identifier: MIT
 *
 * hybrid_device.cu - the GPU's side of hybrid.c: runs the tiles solver in slices of rounds, counts after each slice how
 * much work is left, and copies single tiles to the host and back.
 */
#include <new>

#include "device_scope.cuh"
#include "hybrid_device.cuh"

enum { PACK_BLOCK = 256 };

/* Packed tiles in device memory. */
typedef struct packed {
    float4 *residual;
    void *more; /* float4 or float2, as in the grid */
    float *excess;
    int32_t *tile; /* the numbers of the tiles */
} packed;

/* Copies tiles into packed arrays or, with `back`, out of them; one block per tile. */
static __global__ void pack_kernel(grid_view g, packed p, bool back)
{
    const size_t in_grid = (size_t)p.tile[blockIdx.x] * TC_TILE_NODES, in_part = (size_t)blockIdx.x * TC_TILE_NODES;
    float4 *const diagonal = (float4 *)p.more;
    float2 *const slices = (float2 *)p.more;
    for (int k = threadIdx.x; k < TC_TILE_NODES; k += blockDim.x) {
        if (back) {
            g.residual[in_grid + k] = p.residual[in_part + k];
            g.excess[in_grid + k] = p.excess[in_part + k];
            if (g.diagonal) g.diagonal[in_grid + k] = diagonal[in_part + k];
            if (g.slices) g.slices[in_grid + k] = slices[in_part + k];
        } else {
            p.residual[in_part + k] = g.residual[in_grid + k];
            p.excess[in_part + k] = g.excess[in_grid + k];
            if (g.diagonal) diagonal[in_part + k] = g.diagonal[in_grid + k];
            if (g.slices) slices[in_part + k] = g.slices[in_grid + k];
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
    uint32_t *memory = NULL;

    CUDA_TRY(cudaMalloc(&memory, bytes));
    TRY(tiles_inspect(u->session, memory));
    CUDA_TRY(cudaMemcpyAsync(words, memory, bytes, cudaMemcpyDeviceToHost, u->session->stream));
    CUDA_TRY(cudaStreamSynchronize(u->session->stream));
done:
    if (memory) (void)cudaFree(memory);
    return status;
}

/* Copies tiles to the host or, with `back`, to the device. On the device they are packed in one piece of memory, links
 * first. */
static tilecut_status travel(hybrid_device *u, const int32_t *tile, int count, const tc_packed_tiles *at, bool back)
{
    const grid_view *const g = &u->session->view.grid;
    const size_t nodes = (size_t)count * TC_TILE_NODES, list = (size_t)count * sizeof *tile;
    const size_t links = nodes * sizeof(float4), rest = nodes * sizeof(float);
    const size_t more = rest * (size_t)tc_packed_more(view_neighbours(*g));
    const cudaStream_t stream = u->session->stream;
    tilecut_status status = TILECUT_OK;
    char *memory = NULL;
    packed p;

    CUDA_TRY(cudaMalloc(&memory, links + more + rest + list));
    p = {(float4 *)memory, memory + links, (float *)(memory + links + more),
         (int32_t *)(memory + links + more + rest)};
    if (u->most < u->bytes + links + more + rest + list) u->most = u->bytes + links + more + rest + list;
    CUDA_TRY(cudaMemcpyAsync(p.tile, tile, list, cudaMemcpyHostToDevice, stream));
    if (back) {
        CUDA_TRY(cudaMemcpyAsync(p.residual, at->residual, links, cudaMemcpyHostToDevice, stream));
        if (more) CUDA_TRY(cudaMemcpyAsync(p.more, at->more, more, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(p.excess, at->excess, rest, cudaMemcpyHostToDevice, stream));
    }
    LAUNCH_TRY(pack_kernel, count, PACK_BLOCK, stream, *g, p, back);
    if (!back) {
        CUDA_TRY(cudaMemcpyAsync(at->residual, p.residual, links, cudaMemcpyDeviceToHost, stream));
        if (more) CUDA_TRY(cudaMemcpyAsync(at->more, p.more, more, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(cudaMemcpyAsync(at->excess, p.excess, rest, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (memory) (void)cudaFree(memory);
    return status;
}

tilecut_status hybrid_gather(void *self, const int32_t *tile, int count, const tc_packed_tiles *to)
{
    /* nothing to deliver: inspect() has emptied the inboxes */
    return travel((hybrid_device *)self, tile, count, to, false);
}

tilecut_status hybrid_scatter(void *self, const int32_t *tile, int count, const tc_packed_tiles *from)
{
    hybrid_device *const u = (hybrid_device *)self;
    u->session->fresh = true;
    return travel(u, tile, count, from, true);
}

/* ---- A grid that is uploaded ------------------------------------------------------------------- */

typedef struct uploaded {
    hybrid_device work;
    device_grid grid;
    tiles_session session;
    cudaStream_t stream;
    device_scope scope; /* makes the session's device the present one as long as this object lives */

    explicit uploaded(int device) : work(), grid(), session(), stream(NULL), scope(device) {}
} uploaded;

static tilecut_status upload(void *self, const tc_grid *grid)
{
    uploaded *const u = (uploaded *)self;
    const tiles_schedule plan = tiles_schedule_default();

    u->work.session = &u->session;
    /* created only here, because a CPU solves a small grid in the time that this takes */
    CUDA_NEED(cudaStreamCreateWithFlags(&u->stream, cudaStreamNonBlocking));
    NEED(device_grid_init(&u->grid, grid, &tiles_solver, u->stream));
    u->work.bytes = u->work.most = u->grid.bytes;
    NEED(device_grid_upload(&u->grid, grid, u->stream));
    return tiles_open(&u->session, &u->grid.view, u->grid.scratch, u->stream, NULL, &plan, false);
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
