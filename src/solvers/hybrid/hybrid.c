/* SPDX-License-Identifier: MIT
 *
 * hybrid.c - the GPU works as long as it is faster, and the CPU does the rest (after He & Hong 2010). hybrid_decide.h
 * makes this decision. Only tiles that still matter, called live, are copied between the two.
 *
 * A tile is live if active excess may still pass through it: it has active pixels, or a residual link enters it from a
 * live tile, between pixels that reach a sink. The CPU gets the live tiles as a grid of its own (hybrid_part.h). Its
 * result is a flow of the whole grid, whatever the set of live tiles is; the set only affects speed. Afterwards the
 * device takes the tiles back and continues. If nothing is left to do, its next complete search proves that the flow is
 * maximum.
 *
 * If most tiles are live, the whole grid is copied to the host, as at the end it would be anyway, and the CPU
 * finishes it.
 */
#include "hybrid.h"

#include <stdlib.h>
#include <string.h>

#include "hybrid_part.h"
#include "parallel.h"
#include "status.h"

enum { MOST_VISITS = 8 }; /* how many times the CPU takes a part; after that it takes all, so that the solve ends */

typedef struct hybrid {
    const tc_hybrid_device *device;
    void *self;
    tc_grid *grid;
    const tc_solve_params *params;
    tc_solve_stats *stats;
    tc_decider decider;
    int tiles, rounds, visits, slice;
    uint32_t *word;        /* [tiles] the words written by inspect() */
    int32_t *live, *place; /* [tiles] the numbers of the live tiles; the index of each tile in `live`, or -1 */
    int count;
    int64_t active;
} hybrid;

static void record(hybrid *h, const tilecut_decision *decision)
{
    if (h->stats->decisions < TILECUT_DECISIONS) h->stats->decisions++;
    /* if there is no space left, the latest one is overwritten */
    h->stats->decision[h->stats->decisions - 1] = *decision;
}

static void took(hybrid *h, size_t bytes)
{
    if (bytes > h->stats->bytes) h->stats->bytes = bytes;
}

/* ---- Live tiles -------------------------------------------------------------------------------- */

static int64_t count_active(const hybrid *h)
{
    int64_t sum = 0;
    for (int tile = 0; tile < h->tiles; tile++) sum += h->word[tile] & TC_TILE_ACTIVE;
    return sum;
}

static void add_live(hybrid *h, int tile)
{
    if (h->place[tile] >= 0) return;
    h->place[tile] = h->count;
    h->live[h->count++] = tile;
}

/* By direction: the number to add to a tile's index to get the index of the tile next to it, at its corner or in
 * another slice. */
static void tile_steps(const tc_grid *grid, int step[8])
{
    const int row = grid->tiles_x, slice = row * grid->slice_rows;
    const int image[8] = {1, -1, row, -row, row + 1, -row - 1, row - 1, -row + 1};
    memcpy(step, image, sizeof image);
    if (slice > 0) step[TC_BEHIND] = slice, step[TC_BEFORE] = -slice;
}

static void find_live(hybrid *h)
{
    int step[8];
    tile_steps(h->grid, step);
    h->count = 0;
    for (int tile = 0; tile < h->tiles; tile++) h->place[tile] = -1;
    for (int tile = 0; tile < h->tiles; tile++)
        if (h->word[tile] & TC_TILE_ACTIVE) add_live(h, tile);
    for (int i = 0; i < h->count; i++)
        for (int d = 0; d < h->grid->connectivity; d++)
            if (h->word[h->live[i]] >> (TC_TILE_CROSSES + d) & 1) add_live(h, h->live[i] + step[d]);
    h->count = 0; /* live tiles are numbered in the order of tiles */
    for (int tile = 0; tile < h->tiles; tile++)
        if (h->place[tile] >= 0) h->place[tile] = h->count, h->live[h->count++] = tile;
}

/* ---- On the CPU --------------------------------------------------------------------------------- */

static tilecut_status solve_part(hybrid *h)
{
    tilecut_status status = TILECUT_OK;
    tc_solve_stats own = {0};
    double clock = tc_now_ms();
    tc_hybrid_part part = {0};

    TRY(tc_hybrid_part_init(&part, h->grid, h->live, h->count));
    TRY(h->device->gather(h->self, h->live, h->count, &part.packed));
    h->stats->copy_ms += tc_lap_ms(&clock);
    tc_hybrid_part_unpack(&part);
    TRY(tc_solver_push(&part.grid, h->params, &own)); /* push is the solver for long paths */
    tc_hybrid_part_pack(&part);
    tc_decide_returned(&h->decider, tc_lap_ms(&clock), (int64_t)h->count * TC_TILE_NODES);
    TRY(h->device->scatter(h->self, h->live, h->count, &part.packed));
    h->stats->copy_ms += tc_lap_ms(&clock);
    took(h, own.bytes + tc_grid_bytes(&part.grid) + (size_t)h->count * tc_hybrid_tile_bytes(h->grid));
done:
    tc_hybrid_part_free(&part);
    return status;
}

static tilecut_status download(hybrid *h)
{
    const double clock = tc_now_ms();
    const tilecut_status status = h->device->download(h->self, h->grid);
    h->stats->copy_ms += tc_now_ms() - clock;
    return status;
}

static tilecut_status solve_whole(hybrid *h, const tc_solver *solver)
{
    tc_solve_stats own = {0};
    const tilecut_status status = tc_solver_solve(solver, h->grid, h->params, &own);
    took(h, own.bytes);
    return status;
}

/* ---- The loop --------------------------------------------------------------------------------- */

enum verdict { DEVICE, CPU_PART, CPU_WHOLE };

static enum verdict decide(hybrid *h)
{
    tilecut_decision decision;
    const bool due = tc_decide_due(&h->decider);
    if (due) find_live(h);
    else h->count = h->tiles; /* an upper bound, because the tiles were not inspected */
    const bool whole = 2 * h->count > h->tiles || h->visits == MOST_VISITS;
    const int64_t live = 2 * h->count * (int64_t)tc_hybrid_tile_bytes(h->grid);
    const int64_t bytes = whole ? (int64_t)tc_grid_bytes(h->grid) : live;
    const bool cpu = tc_decide_next(&h->decider, h->rounds, h->active,
                                          (int64_t)(whole ? h->tiles : h->count) * TC_TILE_NODES, bytes, &decision);
    const bool endless = h->rounds >= h->decider.costs.rounds_most;
    if (!due) decision.next = "cuda", decision.reason = "the GPU has not had its share of time";
    if (endless) decision.next = "cpu", decision.reason = "the GPU comes to no end";
    record(h, &decision);
    if (endless) return CPU_WHOLE;
    if (!due || !cpu) return DEVICE;
    return whole ? CPU_WHOLE : CPU_PART;
}

static tilecut_status work_on_device(hybrid *h, bool *done)
{
    double clock = tc_now_ms();
    NEED(h->device->work(h->self, h->slice, &h->rounds, done));
    if (*done) return TILECUT_OK;
    NEED(h->device->inspect(h->self, h->word));
    h->active = count_active(h);
    if (h->active == 0) h->slice *= 2; /* the search was too short to reach an active pixel */
    tc_decide_note(&h->decider, tc_now_ms() - clock, h->active);
    return TILECUT_OK;
}

static tilecut_status begin_on_device(hybrid *h)
{
    const size_t tiles = (size_t)h->tiles;
    const double clock = tc_now_ms();
    h->word = malloc(tiles * sizeof *h->word);
    h->live = malloc(tiles * sizeof *h->live);
    h->place = malloc(tiles * sizeof *h->place);
    if (!h->word || !h->live || !h->place) return tc_fail(TILECUT_ENOMEM, "no memory for %d tiles", h->tiles);
    const tilecut_status status = h->device->upload(h->self, h->grid);
    h->stats->copy_ms += tc_now_ms() - clock;
    return status;
}

static int64_t pixels_of(const tc_grid *grid)
{
    return (int64_t)grid->width * grid->height * (grid->slice_rows ? grid->tiles_y / grid->slice_rows : 1);
}

bool tc_hybrid_starts_on_cpu(const tc_costs *costs, const tc_survey *survey, const tc_grid *grid, tc_solve_stats *stats)
{
    const int64_t pixels = pixels_of(grid);
    const tc_decider decider = tc_decide_begin(costs, pixels);
    const double each = survey->pixels ? (double)pixels / (double)survey->pixels : 0;
    const int64_t active = (int64_t)(each * (double)survey->sources), bytes = 2 * (int64_t)tc_grid_bytes(grid);
    stats->decisions = 1;
    return tc_decide_start(&decider, tc_survey_walled(survey), active, bytes, &stats->decision[0]);
}

tilecut_status tc_hybrid(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                         const tc_solve_params *params, tc_solve_stats *stats)
{
    const tc_survey survey = tc_survey_grid(grid);
    const tc_solver *best = NULL;
    bool kept;
    if (!tc_hybrid_starts_on_cpu(costs, &survey, grid, stats))
        return tc_hybrid_go_on(device, self, costs, grid, params, stats, &kept);
    return tc_solver_run(&best, grid, params, stats);
}

tilecut_status tc_hybrid_go_on(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                               const tc_solve_params *params, tc_solve_stats *stats, bool *kept)
{
    tilecut_status status = TILECUT_OK;
    hybrid h = {.device = device, .self = self, .grid = grid, .params = params, .stats = stats,
                .decider = tc_decide_begin(costs, pixels_of(grid)), .tiles = grid->tiles_x * grid->tiles_y,
                .slice = costs->slice};
    bool done = false;

    *kept = false;
    TRY(begin_on_device(&h));
    for (;;) {
        if (tc_cancelled(params)) TRY(tc_fail(TILECUT_ECANCELLED, "cancelled while solving"));
        TRY(work_on_device(&h, &done));
        const enum verdict verdict = done ? DEVICE : decide(&h);
        if (verdict == CPU_PART) {
            TRY(solve_part(&h));
            h.visits++;
        } else if (done || verdict == CPU_WHOLE) {
            break;
        }
    }
    *kept = done && device->keeps;
    if (!*kept) TRY(download(&h));
    if (!done) TRY(solve_whole(&h, tc_solver_for(TC_FOR_LONG_PATHS, grid)));
done:
    free(h.word);
    free(h.live);
    free(h.place);
    return status;
}

tilecut_status tc_solver_hybrid_at(tc_grid *grid, const tc_costs *costs, const tc_solve_params *params,
                                   tc_solve_stats *stats)
{
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    void *self = NULL;

    TRY(tc_cuda_device(params->device, NULL, 0));
    stats->copy_ms += tc_now_ms() - start; /* the time to start the device */
    TRY(tc_cuda_hybrid_open(params->device, &self));
    TRY(tc_hybrid(&tc_cuda_hybrid, self, costs, grid, params, stats));
done:
    stats->bytes += tc_cuda_hybrid_close(self);
    return status;
}

tilecut_status tc_solver_hybrid(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    const tc_costs costs = tc_costs_default(grid->connectivity);
    return tc_solver_hybrid_at(grid, &costs, params, stats);
}
