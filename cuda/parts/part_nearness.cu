/* SPDX-License-Identifier: MIT
 *
 * part_nearness.cu - computes the levels of nearness of a part of an image on a device: tc_nearness() of
 * src/energy/nearness.h.
 */
#include <stdlib.h>
#include <string.h>

#include "device_lane.cuh"
#include "device_scope.cuh"
#include "distance_kernels.cuh"

extern "C" {
#include "cuda_parts.h"
}

/* Device memory of one call. It is freed when the call ends; a pool would keep it. */
typedef struct near_room {
    device_energy energy; /* an energy of which only the seeds of own rows and their size are set */
    learnt *facts;
    maps own;
    distances all;
    uint8_t *seeds, *level;
    int *sent;         /* distances that a neighbour has sent: [class][EDGE][width] */
    unsigned *changed; /* [sides][launches + 1] see sweep_kernel()                  */
    /* host memory for rows to send and rows received, [class][EDGE][width] */
    int *to[TC_CUDA_SIDES], *from[TC_CUDA_SIDES];
    device_lane *lane;
    void *memory, *host;
} near_room;

static int launches_of(const near_room *r)
{
    return ceil_div((size_t)r->all.height, SWEEP_ROWS);
}

static size_t lay_out_distances(near_room *r, char *base)
{
    const int width = r->energy.width, height = r->energy.height;
    const size_t n = (size_t)width * (size_t)height, edged = (size_t)width * (size_t)(height + 2 * EDGE);
    size_t total = 0, searching = 0;
    r->seeds = (uint8_t *)base + reserve_bytes(&total, n);
    r->level = (uint8_t *)base + reserve_bytes(&total, n);
    r->facts = (learnt *)(base + reserve_bytes(&total, sizeof *r->facts));
    for (int k = 0; k < 2; k++) r->all.of[k] = (int *)(base + reserve_bytes(&total, edged * sizeof(int)));
    r->sent = (int *)(base + reserve_bytes(&total, 2 * EDGE * (size_t)width * sizeof(int)));
    r->changed = (unsigned *)(base + reserve_bytes(&total, TC_CUDA_SIDES * (size_t)(launches_of(r) + 1) *
                                                               sizeof(unsigned)));
    r->own = place_maps(width, height, NULL, base + total, &searching);
    r->energy.seeds = r->seeds;
    return total + searching;
}

static tilecut_status open_room(near_room *r, int width, int height, int device)
{
    r->energy.width = r->all.width = width;
    r->energy.height = r->all.height = height;
    NEED(tc_cuda_device(device, NULL, 0));
    NEED(lane_open(&r->lane, device, NULL));
    CUDA_NEED(cudaMalloc(&r->memory, lay_out_distances(r, LAYOUT_TRIAL)));
    (void)lay_out_distances(r, (char *)r->memory);
    const size_t rows = 2 * EDGE * (size_t)width;
    int *const host = (int *)calloc(2 * TC_CUDA_SIDES * rows, sizeof *host);
    r->host = host;
    if (!host) return tc_fail(TILECUT_ENOMEM, "no memory for distances along the edges of a part");
    for (int s = 0; s < TC_CUDA_SIDES; s++) {
        r->to[s] = host + (size_t)(2 * s) * rows;
        r->from[s] = host + (size_t)(2 * s + 1) * rows;
    }
    return TILECUT_OK;
}

static void close_room(near_room *r)
{
    lane_leave(r->lane);
    if (r->memory) (void)cudaFree(r->memory);
    free(r->host);
}

/* Finds the distances to strokes in own rows, and the bounding box of the foreground's strokes. */
static tilecut_status look_at_own(const near_room *r, const uint8_t *seeds, tc_extent *seeded)
{
    const int width = r->energy.width, height = r->energy.height;
    model_census census;
    NEED(lane_send(r->lane, r->seeds, seeds, (size_t)width, (size_t)width, (size_t)height));
    NEED(model_take_census(&r->energy, 0, r->facts, r->lane->stream));
    NEED(nearness_look_along(&r->own, r->seeds, r->lane->stream));
    LAUNCH_NEED(distance_kernel, near_tiles(width, r->own.chunks), near_tile(), r->lane->stream, r->own, r->all);
    NEED(lane_fetch(r->lane, &census, &r->facts->census, sizeof census));
    *seeded = extent_of(census.foreground, width, height);
    return TILECUT_OK;
}

/* ---- Across borders ------------------------------------------------------------------------------- */

static size_t row_bytes(const near_room *r)
{
    return EDGE * (size_t)r->all.width * sizeof(int);
}

/* Fetches the rows next to both borders. */
static tilecut_status fetch_rows(const near_room *r)
{
    const size_t each = EDGE * (size_t)r->all.width;
    for (int s = 0; s < TC_CUDA_SIDES; s++)
        for (int k = 0; k < 2; k++)
            CUDA_NEED(cudaMemcpyAsync(r->to[s] + (size_t)k * each,
                                      r->all.of[k] + row_at(r->all, s ? r->all.height - EDGE : 0), row_bytes(r),
                                      cudaMemcpyDeviceToHost, r->lane->stream));
    return lane_wait(r->lane);
}

/* Takes the distances received from side `s`, and sweeps away from that side. */
static tilecut_status spread_from(const near_room *r, int s)
{
    const dim3 columns = {(unsigned)ceil_div((size_t)r->all.width, NEAR_BLOCK), EDGE, 2};
    const dim3 strips = {(unsigned)ceil_div((size_t)r->all.width, SWEEP_COLUMNS), 2};
    unsigned *const changed = r->changed + s * (launches_of(r) + 1);
    cudaStream_t stream = r->lane->stream;
    CUDA_NEED(cudaMemcpyAsync(r->sent, r->from[s], 2 * row_bytes(r), cudaMemcpyHostToDevice, stream));
    LAUNCH_NEED(lessen_kernel, columns, NEAR_BLOCK, stream, r->all, s ? r->all.height : -EDGE, r->sent, changed);
    for (int i = 0; i < launches_of(r); i++)
        LAUNCH_NEED(sweep_kernel, strips, SWEEP_BLOCK, stream, r->all, i * SWEEP_ROWS, s == 0, changed + i);
    return TILECUT_OK;
}

/* Exchanges rows with the neighbours once. Sets *more to true if any distance has become smaller in any part. */
static tilecut_status swap_once(const near_room *r, tc_comm *comm, bool *more)
{
    const bool exists[TC_CUDA_SIDES] = {tc_has_above(comm), tc_has_below(comm)};
    const size_t step = (size_t)(launches_of(r) + 1);
    unsigned less[TC_CUDA_SIDES] = {0, 0};
    NEED(fetch_rows(r));
    NEED(tc_comm_exchange_halo(comm, r->to[0], r->to[1], r->from[0], r->from[1], 2 * row_bytes(r)));
    CUDA_NEED(cudaMemsetAsync(r->changed, 0, TC_CUDA_SIDES * step * sizeof *r->changed, r->lane->stream));
    for (int s = 0; s < TC_CUDA_SIDES; s++)
        if (exists[s]) NEED(spread_from(r, s));
    for (int s = 0; s < TC_CUDA_SIDES; s++)
        NEED(lane_fetch(r->lane, &less[s], r->changed + (size_t)s * step, sizeof less[s]));
    *more = less[0] || less[1];
    return tc_comm_any(comm, more);
}

/* Repeats the exchange until no distance becomes smaller by a path through another part. */
static tilecut_status look_across(const near_room *r, tc_comm *comm)
{
    bool more = comm->with->parts > 1;
    while (more) NEED(swap_once(r, comm, &more));
    return TILECUT_OK;
}

/* ---- All of it ------------------------------------------------------------------------------------ */

static tilecut_status write_levels(const near_room *r, const tc_extent *seeded, const tc_comm *comm, uint8_t *level)
{
    const int width = r->all.width, height = r->all.height, all = comm->height;
    LAUNCH_NEED(distant_level_kernel, near_tiles(width, height), near_tile(), r->lane->stream, r->all,
                tc_squared_extent(seeded, width, all), tc_nearness_margin(width, all), comm->above + comm->first,
                all, r->level);
    return lane_receive(r->lane, level, r->level, (size_t)width * (size_t)height);
}

extern "C" tilecut_status tc_cuda_part_nearness(tc_comm *comm, const uint8_t *seeds, int width, int height,
                                                uint8_t *level)
{
    const device_scope scope(comm->device);
    const size_t before = (size_t)comm->first * (size_t)width, own = (size_t)comm->rows * (size_t)width;
    tilecut_status status = TILECUT_OK;
    near_room r = {};
    tc_extent seeded;

    TRY(open_room(&r, width, comm->rows, comm->device));
    TRY(look_at_own(&r, seeds + before, &seeded));
    TRY(tc_extent_across(&seeded, comm));
    TRY(look_across(&r, comm));
    TRY(write_levels(&r, &seeded, comm, level + before));
    memset(level, 0, before); /* fills the halo, which is copied but not read */
    memset(level + before + own, 0, (size_t)width * (size_t)height - before - own);
done:
    close_room(&r);
    return status;
}
