/* SPDX-License-Identifier: MIT
 *
 * hybrid.c - the GPU works as long as it is faster, and the CPU does the rest (after He & Hong 2010). hybrid_decide.h
 * decides. Only tiles that still matter are copied between the two; these are called live.
 *
 * A tile is live if active excess may still come through it: it has active pixels, or can be entered from a live tile
 * over a residual link between pixels that reach a sink. The CPU gets the live tiles as a grid of its own, the
 * rectangle around them, in which all other tiles are empty. Nothing is pushed in empty tiles or over the rectangle's
 * rim, because no pixel there reaches a sink. So the CPU's result is a flow of the whole grid, whatever the set of
 * live tiles is; the set only affects speed. Afterwards the device takes the tiles back and goes on. If nothing is
 * left, its next complete search proves that the flow is maximum.
 *
 * If most tiles are live, the whole grid is copied to the host, as at the end it would be anyway, and the CPU
 * finishes it.
 */
#include "hybrid.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"
#include "steps.h"
#include "survey.h"

enum { TILE_BYTES = TC_TILE_NODES * (int)(sizeof(tc_float4) + sizeof(float)) };
enum { MOST_VISITS = 8 }; /* how often the CPU takes a part; after that it takes all, so that the solve ends */

typedef struct hybrid {
    const tc_hybrid_device *device;
    void *self;
    tc_grid *grid;
    const tc_solve_params *params;
    tc_solve_stats *stats;
    tc_decider decider;
    int tiles, rounds, visits, slice;
    uint32_t *word;        /* [tiles] from inspect() */
    int32_t *live, *place; /* [tiles] numbers of the live tiles; index of a tile in `live`, or -1 */
    int count;
    int64_t active;
} hybrid;

static void record(hybrid *h, const tilecut_decision *decision)
{
    if (h->stats->decisions < TILECUT_DECISIONS) h->stats->decisions++;
    h->stats->decision[h->stats->decisions - 1] = *decision; /* if there are too many, keep the last one */
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

static void find_live(hybrid *h)
{
    const int step[4] = TC_TILE_STEPS(h->grid->tiles_x, 0);
    h->count = 0;
    for (int tile = 0; tile < h->tiles; tile++) h->place[tile] = -1;
    for (int tile = 0; tile < h->tiles; tile++)
        if (h->word[tile] & TC_TILE_ACTIVE) add_live(h, tile);
    for (int i = 0; i < h->count; i++)
        for (int d = 0; d < 4; d++)
            if (h->word[h->live[i]] >> (TC_TILE_CROSSES + d) & 1) add_live(h, h->live[i] + step[d]);
    h->count = 0; /* numbered in the order of tiles */
    for (int tile = 0; tile < h->tiles; tile++)
        if (h->place[tile] >= 0) h->place[tile] = h->count, h->live[h->count++] = tile;
}

/* ---- A part of the grid on the CPU ------------------------------------------------------------- */

typedef struct part {
    tc_grid grid;      /* the rectangle around the live tiles */
    int first_x, first_y;
    tc_float4 *residual; /* [count * TC_TILE_NODES] in the form in which they are copied; owned */
    float *excess;
} part;

static void part_free(part *p)
{
    tc_grid_free(&p->grid);
    free(p->residual);
    free(p->excess);
}

static tilecut_status part_init(part *p, const hybrid *h)
{
    const size_t nodes = (size_t)h->count * TC_TILE_NODES;
    int last_x = 0, last_y = 0;
    p->first_x = h->grid->tiles_x, p->first_y = h->grid->tiles_y;
    for (int i = 0; i < h->count; i++) {
        const int x = h->live[i] % h->grid->tiles_x, y = h->live[i] / h->grid->tiles_x;
        if (x < p->first_x) p->first_x = x;
        if (y < p->first_y) p->first_y = y;
        if (x > last_x) last_x = x;
        if (y > last_y) last_y = y;
    }
    p->residual = malloc(nodes * sizeof *p->residual);
    p->excess = malloc(nodes * sizeof *p->excess);
    if (p->residual && p->excess)
        return tc_grid_init(&p->grid, (last_x + 1 - p->first_x) * TC_TILE, (last_y + 1 - p->first_y) * TC_TILE, 4);
    (void)tc_fail(TILECUT_ENOMEM, "no memory for %d tiles", h->count);
    return TILECUT_ENOMEM;
}

/* Where the i-th live tile begins in the part's grid. */
static size_t part_at(const part *p, const hybrid *h, int i)
{
    const int x = h->live[i] % h->grid->tiles_x - p->first_x, y = h->live[i] / h->grid->tiles_x - p->first_y;
    return ((size_t)y * (size_t)p->grid.tiles_x + (size_t)x) * TC_TILE_NODES;
}

static void put_tile(part *p, const hybrid *h, int i)
{
    const size_t from = (size_t)i * TC_TILE_NODES, to = part_at(p, h, i);
    memcpy(p->grid.residual + to, p->residual + from, TC_TILE_NODES * sizeof *p->residual);
    memcpy(p->grid.excess + to, p->excess + from, TC_TILE_NODES * sizeof *p->excess);
}

static void take_tile(part *p, const hybrid *h, int i)
{
    const size_t to = (size_t)i * TC_TILE_NODES, from = part_at(p, h, i);
    memcpy(p->residual + to, p->grid.residual + from, TC_TILE_NODES * sizeof *p->residual);
    memcpy(p->excess + to, p->grid.excess + from, TC_TILE_NODES * sizeof *p->excess);
}

static tilecut_status solve_part(hybrid *h)
{
    tilecut_status status = TILECUT_OK;
    tc_solve_stats own = {0};
    double clock = tc_now_ms();
    part p = {0};

    TRY(part_init(&p, h));
    TRY(h->device->gather(h->self, h->live, h->count, p.residual, p.excess));
    h->stats->copy_ms += tc_now_ms() - clock;
    clock = tc_now_ms();
    for (int i = 0; i < h->count; i++) put_tile(&p, h, i);
    TRY(tc_solver_push(&p.grid, h->params, &own)); /* the solver for long paths */
    for (int i = 0; i < h->count; i++) take_tile(&p, h, i);
    tc_decide_returned(&h->decider, tc_now_ms() - clock, (int64_t)h->count * TC_TILE_NODES);
    clock = tc_now_ms();
    TRY(h->device->scatter(h->self, h->live, h->count, p.residual, p.excess));
    h->stats->copy_ms += tc_now_ms() - clock;
    took(h, own.bytes + tc_grid_bytes(&p.grid) + (size_t)h->count * TILE_BYTES);
done:
    part_free(&p);
    return status;
}

/* ---- The whole grid on the CPU ----------------------------------------------------------------- */

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
    else h->count = h->tiles; /* an upper bound: the tiles were not inspected */
    const bool whole = 2 * h->count > h->tiles || h->visits == MOST_VISITS;
    const int64_t bytes = whole ? (int64_t)tc_grid_bytes(h->grid) : 2 * (int64_t)h->count * TILE_BYTES;
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
    if (h->active == 0) h->slice *= 2; /* too short to reach an active pixel; each search begins anew */
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

bool tc_hybrid_starts_on_cpu(const tc_costs *costs, const tc_survey *survey, int64_t pixels, size_t grid_bytes,
                             tc_solve_stats *stats)
{
    const tc_decider decider = tc_decide_begin(costs, pixels);
    const double each = survey->pixels ? (double)pixels / (double)survey->pixels : 0;
    /* A device is good at wide paths between two seeds (planar_start.cuh). Two seeds are too few for the survey to
     * see. */
    const bool walled = tc_survey_walled(survey) && (survey->terminals > 0 || survey->closed > survey->pixels);
    stats->decisions = 1;
    return tc_decide_start(&decider, walled, (int64_t)(each * (double)survey->sources), 2 * (int64_t)grid_bytes,
                               &stats->decision[0]);
}

tilecut_status tc_hybrid(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                         const tc_solve_params *params, tc_solve_stats *stats)
{
    const tc_survey survey = tc_survey_grid(grid);
    const tc_solver *best = NULL;
    bool kept;
    if (!tc_hybrid_starts_on_cpu(costs, &survey, (int64_t)grid->width * grid->height, tc_grid_bytes(grid), stats))
        return tc_hybrid_go_on(device, self, costs, grid, params, stats, &kept);
    return tc_solver_run(&best, grid, params, stats);
}

tilecut_status tc_hybrid_go_on(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                               const tc_solve_params *params, tc_solve_stats *stats, bool *kept)
{
    tilecut_status status = TILECUT_OK;
    const int64_t pixels = (int64_t)grid->width * grid->height;
    hybrid h = {.device = device, .self = self, .grid = grid, .params = params, .stats = stats,
                .decider = tc_decide_begin(costs, pixels), .tiles = grid->tiles_x * grid->tiles_y,
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
    if (grid->diagonal) return tc_fail(TILECUT_EINVAL, "solver 'hybrid' is for 4 neighbours only");
    stats->copy_ms += tc_now_ms() - start; /* waking the device */
    TRY(tc_cuda_hybrid_open(params->device, &self));
    TRY(tc_hybrid(&tc_cuda_hybrid, self, costs, grid, params, stats));
done:
    stats->bytes += tc_cuda_hybrid_close(self);
    return status;
}

tilecut_status tc_solver_hybrid(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    const tc_costs costs = tc_costs_default();
    return tc_solver_hybrid_at(grid, &costs, params, stats);
}
