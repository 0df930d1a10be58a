/* SPDX-License-Identifier: MIT
 *
 * tiles_solver.cu - `cuda`, the fastest rung, on the host's side: its memory, its launches, its row of the ladder.
 */
#include <algorithm>
#include <stddef.h>
#include <string.h>

#include "tiles_kernel.cuh"
#include "planar_start.cuh"

typedef struct layout {
    size_t height, bits, levels, border, inbox, relabelled, todo, to_label, progress, total;
} layout;

static layout lay_out(const grid_view *g)
{
    const size_t tiles = (size_t)view_tiles(*g), words = (size_t)list_words((int)tiles);
    layout l;
    size_t total = 0;
    l.height = take(&total, tiles * TC_TILE_NODES * sizeof(float));
    l.bits = take(&total, tiles * BITS * TC_TILE * sizeof(uint32_t));
    l.levels = take(&total, tiles * LEVELS * TC_TILE * sizeof(uint32_t));
    l.border = take(&total, tiles * 4 * TC_TILE * sizeof(int));
    l.inbox = take(&total, 2 * tiles * 4 * TC_TILE * sizeof(float));
    l.relabelled = take(&total, tiles * sizeof(uint32_t));
    l.todo = take(&total, 3 * words * sizeof(uint32_t));
    l.to_label = take(&total, 3 * words * sizeof(uint32_t));
    l.progress = take(&total, sizeof(progress));
    l.total = total;
    return l;
}

size_t tiles_scratch_bytes(const grid_view *g)
{
    return lay_out(g).total;
}

static tiles_view view_of(const grid_view *g, void *scratch, const layout *l)
{
    char *base = (char *)scratch;
    tiles_view v;
    v.grid = *g;
    v.height = (float *)(base + l->height);
    v.bits = (uint32_t *)(base + l->bits);
    v.levels = (uint32_t *)(base + l->levels);
    v.border = (int *)(base + l->border);
    v.inbox = (float *)(base + l->inbox);
    v.relabelled = (uint32_t *)(base + l->relabelled);
    v.todo = (uint32_t *)(base + l->todo);
    v.to_label = (uint32_t *)(base + l->to_label);
    v.words = list_words(view_tiles(*g));
    return v;
}

/* Resets what a session keeps in device memory, so that the next launch begins anew. */
static tilecut_status forget(tiles_session *session)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaMemsetAsync(session->view.todo, 0, session->zeroed, session->stream)); /* lists and progress */
    session->fresh = true;
    session->launched = false;
done:
    return status;
}

tilecut_status tiles_open(tiles_session *session, const grid_view *g, void *scratch, cudaStream_t stream,
                        const tiles_schedule *schedule, bool pristine)
{
    tilecut_status status = TILECUT_OK;
    const layout l = lay_out(g);

    memset(session, 0, sizeof *session);
    session->view = view_of(g, scratch, &l);
    session->scratch = scratch;
    session->state = (char *)scratch + l.progress;
    session->zeroed = l.total - l.todo;
    session->plan = *schedule;
    session->stream = stream;
    session->pristine = pristine;
    TRY(blocks_at_once((const void *)tiles_kernel, BLOCK, &session->blocks));
    TRY(forget(session));
done:
    return status;
}

/* Makes one launch. *hard: it has only looked at the grid and found that all sources are hard. */
static tilecut_status launch(tiles_session *session, bool *hard)
{
    tilecut_status status = TILECUT_OK;
    progress *state = (progress *)session->state, seen;
    tiles_start start = session->pristine ? TILES_LOOK : session->fresh ? TILES_FRESH : TILES_ON;
    char *const first = session->fresh ? (char *)session->view.todo : (char *)&state->launch; /* lists come before it */
    const size_t count = (size_t)((char *)&state->round - first);
    void *arguments[] = {&session->view, &session->plan, &state, &start};

    if (session->launched) CUDA_TRY(cudaMemsetAsync(first, 0, count, session->stream));
    session->launched = true;
    CUDA_TRY(cudaLaunchCooperativeKernel((const void *)tiles_kernel, session->blocks, BLOCK, arguments, 0,
                                         session->stream));
    CUDA_TRY(cudaMemcpyAsync(&seen.round, &state->round, sizeof seen - offsetof(progress, round),
                             cudaMemcpyDeviceToHost, session->stream));
    CUDA_TRY(cudaStreamSynchronize(session->stream));
    *hard = start == TILES_LOOK && !seen.soft;
    session->fresh = session->pristine = false;
    session->done = seen.done;
    session->run = seen.run;
done:
    return status;
}

tilecut_status tiles_step(tiles_session *session)
{
    tilecut_status status = TILECUT_OK;
    bool hard;
    TRY(launch(session, &hard));
    if (!hard) goto done;
    TRY(planar_start(&session->view.grid, session->scratch, session->stream));
    TRY(forget(session));
    TRY(launch(session, &hard));
done:
    return status;
}

tilecut_status tiles_deliver(tiles_session *session)
{
    tilecut_status status = TILECUT_OK;
    deliver_kernel<<<session->blocks, BLOCK, 0, session->stream>>>(session->view);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

tilecut_status tiles_finish(tiles_session *session, const tc_solve_params *params)
{
    tilecut_status status = TILECUT_OK;
    while (!session->done) {
        if (tc_cancelled(params)) return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
        if (session->run.rounds + session->run.relabel_rounds >= session->plan.rounds_in_all) {
            TRY(tiles_deliver(session));
            session->run.unfinished = true;
            break;
        }
        TRY(tiles_step(session));
    }
done:
    return status;
}

const uint32_t *tiles_background(const tiles_session *session, size_t *step)
{
    *step = (size_t)LEVELS * TC_TILE;
    return session->view.levels + (size_t)LEVELS_SET * TC_TILE;
}

static size_t scratch_bytes(const grid_view *g)
{
    return std::max(tiles_scratch_bytes(g), planar_scratch_bytes(g)); /* used one after the other */
}

static tilecut_status solve(const grid_view *g, void *scratch, const tc_solve_params *params, cudaStream_t stream,
                            device_run *run)
{
    const tiles_schedule plan = tiles_schedule_default();
    tilecut_status status = TILECUT_OK;
    tiles_session session;

    TRY(tiles_open(&session, g, scratch, stream, &plan, true));
    TRY(tiles_finish(&session, params));
    *run = session.run;
done:
    return status;
}

const device_solver tiles_solver = {scratch_bytes, solve};

extern "C" tilecut_status tc_cuda_tiles(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    return solve_on_device(&tiles_solver, grid, params, stats);
}
