/* SPDX-License-Identifier: MIT
 *
 * tiles_solver.cu - the host's side of `cuda`, the fastest rung: its launches, and its row of the ladder.
 */
#include <algorithm>
#include <stddef.h>
#include <string.h>

#include "device_lane.cuh"
#include "tiles_engine.cuh"

enum { ALL_BLOCKS_FROM = 1024, TILES_A_BLOCK = 8 };

static const tiles_engine *engine_of(const grid_view *g)
{
    const int neighbours = view_neighbours(*g);
    return neighbours == 6 ? &tiles_engine_6 : neighbours == 8 ? &tiles_engine_8 : &tiles_engine_4;
}

size_t tiles_scratch_bytes(const grid_view *g)
{
    tiles_view view;
    progress *state;
    return engine_of(g)->lay_out(g, LAYOUT_TRIAL, &view, &state);
}

/* Returns the number of blocks for a grid: `most`, which is the number that can run at the same time, or fewer if the
 * grid is small. If the solve runs alone, a small grid gets one block for each tile. Solves of one job that run side by
 * side share all blocks, or those that a solve that comes first leaves. Otherwise solves of several images run at the
 * same time, and a small grid gets fewer blocks; it loses little, because in most of its rounds few tiles have work. */
static int blocks_for(const grid_view *g, int most, const device_lane *lane)
{
    const int tiles = view_tiles(*g), least = 16, beside = lane ? lane->beside : 0;
    const int wanted = lane && !lane->sleeps ? tiles : tiles / TILES_A_BLOCK;
    const int left = beside && lane->after ? most - std::min(tiles, most / 2) : most;
    const int share = beside ? left / beside : most;
    return tiles >= ALL_BLOCKS_FROM ? most : std::min(most, std::max(least, std::min(wanted, share)));
}

/* Clears the session's data in device memory, so that the next launch begins anew. */
static tilecut_status forget(tiles_session *session)
{
    CUDA_NEED(cudaMemsetAsync(session->view.todo, 0, session->zeroed, session->stream)); /* lists and progress */
    session->fresh = true;
    session->launched = false;
    return TILECUT_OK;
}

/* Finds the number of blocks that can run at the same time. CUDA is asked once for each lane. */
static tilecut_status find_resident_blocks(tiles_session *session, device_lane *lane)
{
    int *const known = lane ? lane->seats + session->engine->neighbours : NULL;
    if (known && *known) session->blocks = *known;
    else NEED(blocks_at_once(session->engine->kernel, BLOCK, &session->blocks));
    if (known) *known = session->blocks;
    return TILECUT_OK;
}

tilecut_status tiles_open(tiles_session *session, const grid_view *g, void *scratch, cudaStream_t stream,
                          device_lane *lane, const tiles_schedule *schedule, bool cleared)
{
    memset(session, 0, sizeof *session);
    session->engine = engine_of(g);
    const size_t bytes = session->engine->lay_out(g, scratch, &session->view, &session->state);
    session->zeroed = (size_t)((char *)scratch + bytes - (char *)session->view.todo);
    session->scratch = scratch;
    session->plan = *schedule;
    session->stream = stream;
    session->lane = lane;
    NEED(find_resident_blocks(session, lane));
    session->blocks = blocks_for(g, session->blocks, lane);
    session->fresh = true;
    return cleared ? TILECUT_OK : forget(session);
}

void tiles_zeroed(const grid_view *g, void *scratch, uint32_t **at, size_t *words)
{
    tiles_view view;
    progress *state;
    const size_t bytes = engine_of(g)->lay_out(g, scratch, &view, &state);
    *words = (size_t)((uint32_t *)((char *)scratch + bytes) - view.todo);
    *at = view.todo;
}

tilecut_status tiles_step(tiles_session *session)
{
    progress *state = session->state, seen;
    /* a fresh session also clears the lists, which lie before *state */
    char *const first = session->fresh ? (char *)session->view.todo : (char *)&state->launch;
    const size_t count = (size_t)((char *)&state->round - first), bytes = sizeof seen - offsetof(progress, round);
    void *arguments[] = {&session->view, &session->plan, &state, &session->fresh};

    if (session->launched) CUDA_NEED(cudaMemsetAsync(first, 0, count, session->stream));
    session->launched = true;
    CUDA_NEED(cudaLaunchCooperativeKernel(session->engine->kernel, session->blocks, BLOCK, arguments, 0,
                                          session->stream));
    if (session->lane) {
        NEED(stopwatch_stop(&session->lane->watch, session->stream));
        if (session->after) NEED(session->after(session->context)); /* before the copy, which would delay it */
        NEED(lane_note(session->lane, 0, &state->round, bytes));
        NEED(lane_wait(session->lane));
        memcpy(&seen.round, session->lane->letter, bytes);
    } else {
        CUDA_NEED(cudaMemcpyAsync(&seen.round, &state->round, bytes, cudaMemcpyDeviceToHost, session->stream));
        CUDA_NEED(cudaStreamSynchronize(session->stream));
    }
    session->fresh = false;
    session->done = seen.done;
    session->run = seen.run;
    return TILECUT_OK;
}

tilecut_status tiles_deliver(tiles_session *session)
{
    return session->engine->deliver(&session->view, session->blocks, session->stream);
}

tilecut_status tiles_inspect(tiles_session *session, uint32_t *words)
{
    NEED(tiles_deliver(session));
    return session->engine->inspect(&session->view, session->blocks, words, session->stream);
}

tilecut_status tiles_finish(tiles_session *session, const tc_solve_params *params)
{
    while (!session->done) {
        if (tc_cancelled(params)) return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
        if (session->run.rounds + session->run.relabel_rounds >= session->plan.rounds_in_all) {
            NEED(tiles_deliver(session));
            session->run.unfinished = true;
            break;
        }
        NEED(tiles_step(session));
    }
    return TILECUT_OK;
}

const int *tiles_done(const tiles_session *session)
{
    return &session->state->done;
}

const uint32_t *tiles_background(const tiles_session *session, size_t *step)
{
    *step = (size_t)LEVELS * TC_TILE;
    return session->view.levels + (size_t)LEVELS_SET * TC_TILE;
}

static tilecut_status solve_tiles(const grid_view *g, void *scratch, const tc_solve_params *params, cudaStream_t stream,
                            device_run *run)
{
    const tiles_schedule plan = tiles_schedule_default();
    tiles_session session;

    NEED(tiles_open(&session, g, scratch, stream, NULL, &plan, false));
    NEED(tiles_finish(&session, params));
    *run = session.run;
    return TILECUT_OK;
}

const device_solver tiles_solver = {tiles_scratch_bytes, solve_tiles};

extern "C" tilecut_status tc_cuda_tiles(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    return solve_on_device(&tiles_solver, grid, params, stats);
}
