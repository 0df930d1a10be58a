/* SPDX-License-Identifier: MIT
 *
 * push.c - push-relabel in sweeps with a window: for large weights, few terminals and long corridors.
 *
 * Goldberg & Tarjan, "A New Approach to the Maximum-Flow Problem" (JACM 1988), first phase only. Each pixel has a
 * height, a lower bound of its distance to a pixel with residual capacity to the sink. Excess is pushed along residual
 * links that descend one level; an active pixel that cannot get rid of its excess is lifted. On a grid four things make
 * this fast:
 *
 *  1. Global relabelling (Cherkassky & Goldberg 1997): a search back from the sinks, on the bitboards of
 *     tile_board.h, gives exact heights. Pixels that a complete search does not reach are stuck for good.
 *  2. The search writes no heights. It stores the levels of a tile in bit planes, in which some vector instructions
 *     raise the level of all pixels. The heights of a tile are unpacked when a push first needs them. Late in the
 *     solve, few tiles are touched.
 *  3. Sweeps with a window. A sweep takes active pixels from the highest level down to 0. A lifted pixel stays in the
 *     running sweep only while it is at most `window` levels above the lowest level that the sweep has reached; if it
 *     rises further it waits for the next sweep. So excess gets round small obstacles at once, as with highest-label
 *     selection. But excess behind a saturated cut does not climb in vain: the next search shows that it is stuck.
 *  4. The nearest first. Only excess within a certain reach of a sink, in levels, is pushed. The reach doubles when a
 *     twelfth of that excess is left, or when a search finds hardly any. Excess farther away would only climb in front
 *     of links that nearer excess has saturated.
 *
 * A height is `base` + level. Each search sets `base` above all heights in use, so heights from earlier searches need
 * not be erased: they count as unreached.
 */
#include <stdlib.h>
#include <string.h>

#include "push_strips.h"
#include "neighbourhoods.h"
#include "status.h"
#include "tuning.h"

typedef tc_push push;

/* ---- Searching and sweeping ------------------------------------------------------------------- */

/* Returns how many heights, counted from s->base, may be in use. */
static uint32_t used_levels(const push *s)
{
    uint32_t used = s->used;
    for (int i = 0; i < s->most_strips; i++)
        if (s->strip[i].used > used) used = s->strip[i].used;
    return used;
}

/* Returns a new height for level 0, above all heights in use; no pixel has the height just below it. All workers of the
 * team call this and get the same height. */
static uint32_t next_base(push *s, tc_team *team, int number)
{
    const int size = tc_team_size(team), first = s->rows * number / size, end = s->rows * (number + 1) / size;
    const uint32_t used = used_levels(s);
    uint32_t base = s->base;
    if (base > INT32_MAX - used - 2) {
        for (int y = first; y < end; y++) {
            tc_push_node *const row = s->node + (size_t)y * (size_t)s->row_tiles * TC_TILE_NODES;
            for (size_t p = 0; p < (size_t)s->across * TC_TILE_NODES; p++) row[p].height = 0;
        }
        base = 0;
    }
    tc_team_barrier(team);
    return base + used + 2;
}

/* Returns how many threads have enough to do if a search visits `tiles` tiles per level and `steps` tiles in all
 * levels, and finds `active` active pixels. The team shrinks only to half its size or less, and grows only to double
 * its size or more, or to its largest. In a volume the search for the last few pixels visits all tiles, and takes
 * longer than pushing from them. */
static int team_for(const push *s, uint64_t tiles, uint64_t steps, int64_t active)
{
    const int64_t by_tiles = (int64_t)tiles / TC_PUSH_TILES_A_THREAD, by_active = active / TC_PUSH_ACTIVE_A_THREAD;
    const int64_t by_steps = TC_SLICES ? (int64_t)(steps / TC_PUSH_STEPS_A_THREAD) : 0;
    const int64_t busy = by_active > by_steps ? by_active : by_steps, useful = by_tiles < busy ? by_tiles : busy;
    const int team = useful < 1 ? 1 : useful < s->parts ? (int)useful : s->parts;
    return team > s->team / 2 && team < 2 * s->team && team < s->parts ? s->team : team;
}

/* Returns how many workers of a team push. */
static int pushers(int team, int64_t active)
{
    const int64_t useful = TC_SLICES ? active / TC_PUSH_ACTIVE_A_THREAD : team;
    return useful < 1 ? 1 : useful < team ? (int)useful : team;
}

/* There are more than two strips for each thread, because some strips have little work. */
static int strips_for(int threads, int rows)
{
    const int most = rows / TC_ROWS_A_STRIP;
    if (threads == 1) return 1;
    return TC_STRIPS_A_THREAD * threads < most ? TC_STRIPS_A_THREAD * threads : most;
}

/* Sweeps from the heights of the last search. Uses one strip if earlier rounds with as few active pixels had too
 * little work to share. */
static tc_push_swept fill_and_sweep(push *s, tc_team *team, int number, const tc_push_found *found)
{
    const int threads = pushers(tc_team_size(team), found->active);
    if (number == 0) s->strips = found->active > s->thin ? strips_for(threads, s->rows) : 1;
    tc_push_fill(s, team, number, found);
    const tc_push_swept swept = tc_push_sweep(s, team, number, TC_PUSH_WORK_A_STEP * found->steps);
    if (number == 0 && swept.thin) s->thin = found->active;
    return swept;
}

/* Solves until all is done, or until another number of threads has enough to do or can be had. All workers make the
 * same decisions. */
static void solve_as_worker(void *context, tc_team *team, int number)
{
    push *const s = context;
    int64_t wanted = s->wanted, first = s->first;
    int reach = s->reach, next = s->team;
    bool left = false;

    if (number == 0) s->alone = tc_team_size(team) == 1 && s->team > 1 ? team : NULL;
    tc_team_barrier(team); /* no worker may change s before all have read it */
    while (wanted > 0 && next == s->team && !left) {
        const uint32_t base = next_base(s, team, number);
        const tc_push_found found = tc_push_search(s, team, number, base, wanted, reach);
        if (found.reach != reach) reach = found.reach, first = 0;
        left = found.left;
        if (left) break;
        const bool further = !found.complete && found.levels > (uint32_t)reach;
        wanted = 0;
        if (!found.active && !further) break;
        if (found.active) {
            const tc_push_swept swept = fill_and_sweep(s, team, number, &found);
            wanted = swept.stop ? TC_NONE : swept.active;
            left = swept.left;
        }
        next = team_for(s, found.steps / (found.levels + 1), found.steps, found.active);
        if (!further || wanted < 0) continue;
        wanted = INT64_MAX;
        if (first == 0) first = found.active;
        if (TC_PUSH_LEFT * found.active <= first) reach *= 2, first = 0;
    }
    tc_team_barrier(team);
    if (number == 0) s->wanted = wanted, s->first = first, s->reach = reach, s->team = next;
    if (number == 0 && left) s->patience *= 4;
}

/* ---- The solver ------------------------------------------------------------------------------- */

typedef struct preparation {
    const push *s;
    uint64_t tiles; /* number of tiles with excess */
    int64_t active; /* number of pixels with excess */
} preparation;

static void set_up_row(void *context, int y)
{
    preparation *const p = context;
    const push *const s = p->s;
    uint64_t tiles = 0;
    int64_t active = 0;
    for (int x = 0; x < s->across; x++) {
        tc_board *const board = &s->board[y * s->row_tiles + x];
        const int sources = s->kernel->count(board->source);
        tiles += sources > 0;
        active += sources;
        board->visits = 0;
        board->inside = tc_tiles_beside(s->tiles_x, x, y, 0, 0, s->across, s->rows);
    }
    __atomic_fetch_add(&p->tiles, tiles, __ATOMIC_RELAXED);
    __atomic_fetch_add(&p->active, active, __ATOMIC_RELAXED);
}

/* Prepares the boards. Returns how many threads have enough to do at first. */
static int set_up_boards(const push *s)
{
    preparation p = {.s = s};
    const int64_t pixels = (int64_t)s->across * s->rows * TC_TILE_NODES;
    tc_parallel(tc_threads_that_pay(s->parts, pixels / 8), s->rows, set_up_row, &p);
    return team_for(s, p.tiles, 0, p.active);
}

tilecut_status tc_push_on(tc_grid *grid, tc_push_memory memory, const tc_solve_params *params, int reach,
                          uint32_t *base, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    const int most = tc_rows(grid) / (2 * TC_ROWS_A_STRIP), wanted = params->threads < most ? params->threads : most;
    const int threads = wanted > TC_MAX_THREADS ? TC_MAX_THREADS : wanted > 1 ? wanted : 1;
    bool stopped = false;
    push s = {
        .most_strips = strips_for(threads, tc_rows(grid)),
        .parts = threads,
        .wanted = INT64_MAX,
        .base = *base,
        .reach = reach,
        .patience = 1,
        .kernel = tc_board_kernels_get(),
        .params = params,
        .node = memory.node,
        .levels = memory.levels,
        .step = memory.step,
        .excess = grid->excess,
        .residual = grid->residual,
        .diagonal = grid->diagonal,
        .board = memory.board,
        .tiles_x = grid->tiles_x,
        .row_tiles = tc_row_tiles(grid),
        .across = memory.across,
        .rows = tc_rows(grid),
        .steps = tc_steps_of(grid),
    };

    if (!tc_push_parts_take(&s) || !tc_push_strips_take(&s)) {
        status = tc_fail(TILECUT_ENOMEM, "no memory to search %d tiles", grid->tiles_x * grid->tiles_y);
        goto done;
    }
    for (s.team = set_up_boards(&s); s.wanted > 0;) {
        s.leave_at = tc_now_ms() + s.patience;
        tc_parallel_team(s.team, solve_as_worker, &s);
    }
    *base = s.base + used_levels(&s);
    for (int i = 0; i < s.most_strips; i++) stopped = stopped || s.strip[i].stop;
    const size_t tiles = (size_t)s.across * (size_t)s.rows;
    stats->bytes = grid->nodes * sizeof *s.node + tiles * TC_LEVEL_PLANES * sizeof *s.levels + tc_push_parts_bytes(&s) +
                   tc_push_strips_bytes(&s);
    if (tc_cancelled(params)) status = tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    else if (stopped) status = tc_fail(TILECUT_ENOMEM, "no memory for the lists of levels");
done:
    tc_push_parts_release(&s);
    tc_push_strips_release(&s);
    return status;
}

/* The arguments of set_up_tile(). */
typedef struct setting {
    const tc_grid *grid;
    const tc_board_kernels *kernel;
    tc_board *board;
} setting;

static void set_up_tile(void *context, int tile)
{
    const setting *const s = context;
    tc_board *const board = &s->board[tile];
    const size_t first = (size_t)tile * TC_TILE_NODES;

    memset(board, 0, sizeof *board);
    s->kernel->scan_excess(s->grid->excess + first, board->sink, board->source);
    s->kernel->scan_links(s->grid->residual + first, board->open);
    if (TC_LINK_ARRAYS > 1) { /* of the four links in `diagonal`, a volume uses two */
        uint32_t more[4][TC_TILE];
        s->kernel->scan_links(s->grid->diagonal + first, more);
        memcpy(board->open + 4 % TC_NEIGHBOURS, more, (TC_NEIGHBOURS - 4) * sizeof *more);
    }
}

tilecut_status TC_OF(tc_push_solve)(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    const int tiles = grid->tiles_x * grid->tiles_y;
    tc_board *const board = tc_boards_take(tiles);
    uint32_t base = 0;
    setting set = {grid, tc_board_kernels_get(), board};

    if (!board) return tc_fail(TILECUT_ENOMEM, "no memory for the boards of %d tiles", tiles);
    tc_parallel(params->threads, tiles, set_up_tile, &set);
    const tilecut_status status =
        tc_push_on(grid, tc_push_memory_of(grid, board, 0, tc_row_tiles(grid)), params, TC_PUSH_REACH, &base, stats);
    stats->bytes += (size_t)tiles * sizeof *board;
    free(board);
    return status;
}
