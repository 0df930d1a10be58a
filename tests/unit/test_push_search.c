/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_push_search.c - compares the search of push.c, by teams of several sizes, with a plain breadth-first search.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "push_strips.h"
#include "random_graph.h"
#include "run_suite.h"

/* Enough rows of tiles for several parts. */
enum { ACROSS = 3, DOWN = 20, TILES = ACROSS * DOWN, W = ACROSS * TC_TILE, H = DOWN * TC_TILE };

enum { NEVER = -1, BASE = 1000 };

typedef struct bench {
    tc_push s;
    tc_push_found found;
    int64_t wanted;
    int reach;
    int level[W * H]; /* distance to the nearest sink; NEVER if no path leads to one */
    int active, highest;
} bench;

static bool at(const uint32_t rows[TC_TILE], int x, int y)
{
    return rows[y % TC_TILE] >> x % TC_TILE & 1;
}

static tc_board *board_of(const bench *b, int x, int y)
{
    return &b->s.board[y / TC_TILE * ACROSS + x / TC_TILE];
}

/* Searches backwards from all sinks over open links. */
static void search_plainly(bench *b)
{
#if TC_NEIGHBOURS == 6
    static const int dx[6] = {1, -1}, dy[6] = {0, 0, 1, -1, TC_TILE, -TC_TILE};
#else
    static const int dx[8] = {1, -1, 0, 0, 1, -1, -1, 1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
#endif
    int *const queue = malloc(W * H * sizeof *queue), count = 0;
    b->active = b->highest = 0;
    for (int p = 0; p < W * H; p++) {
        b->level[p] = at(board_of(b, p % W, p / W)->sink, p % W, p / W) ? 0 : NEVER;
        if (b->level[p] == 0) queue[count++] = p;
    }
    for (int i = 0; i < count; i++) {
        const int p = queue[i], x = p % W, y = p / W;
        if (at(board_of(b, x, y)->source, x, y)) b->active++, b->highest = b->level[p];
        for (int d = 0; d < TC_NEIGHBOURS; d++) {
            const int x2 = x - dx[d], y2 = y - dy[d], q = y2 * W + x2;
            if (x2 < 0 || x2 >= W || y2 < 0 || y2 >= H || b->level[q] != NEVER) continue;
            /* each row of tiles is a slice, so links do not lead to the next row */
            if (TC_SLICES && d < 4 && y / TC_TILE != y2 / TC_TILE) continue;
            if (!at(board_of(b, x2, y2)->open[d], x2, y2)) continue;
            b->level[q] = b->level[p] + 1;
            queue[count++] = q;
        }
    }
    free(queue);
}

/* Draws few sinks, at the top or anywhere, so that the front stays in few rows of tiles. The fewer links are open, the
 * longer the search takes. */
static void draw(bench *b, uint64_t seed)
{
    uint64_t state = seed;
    const int shut = 3 + random_below(&state, 40), rows = seed % 3 ? TC_TILE : H;
    memset(b->s.board, 0, TILES * sizeof *b->s.board);
    for (int p = 0; p < W * H; p++) {
        tc_board *const board = board_of(b, p % W, p / W);
        const int y = p / W % TC_TILE;
        const uint32_t bit = 1u << p % TC_TILE;
        for (int d = 0; d < TC_NEIGHBOURS; d++)
            if (random_below(&state, shut)) board->open[d][y] |= bit;
        if (p / W < rows && random_below(&state, 1500) == 0) board->sink[y] |= bit;
        else if (random_below(&state, 200) == 0) board->source[y] |= bit;
    }
    for (int tile = 0; tile < TILES; tile++) {
        const int x = tile % ACROSS, y = tile / ACROSS;
        b->s.board[tile].inside = tc_tiles_beside(ACROSS, x, y, 0, 0, ACROSS, DOWN);
    }
}

static void set_up(bench *b, int threads)
{
    memset(b, 0, sizeof *b);
    b->reach = INT_MAX;
    b->s = (tc_push){.kernel = tc_board_kernels_get(), .tiles_x = ACROSS, .row_tiles = ACROSS, .across = ACROSS,
                      .leave_at = INFINITY,
                     .rows = DOWN, .parts = threads};
    b->s.board = tc_boards_take(TILES);
    b->s.node = calloc(W * H, sizeof *b->s.node);
    b->s.step = TILES;
    b->s.levels = malloc(TILES * TC_LEVEL_PLANES * sizeof *b->s.levels);
    ck_assert(b->s.board && b->s.node && b->s.levels && tc_push_parts_take(&b->s));
}

static void tear_down(bench *b)
{
    tc_push_parts_release(&b->s);
    free(b->s.board);
    free(b->s.node);
    free(b->s.levels);
}

static void run(void *context, tc_team *team, int number)
{
    bench *const b = context;
    const tc_push_found found = tc_push_search(&b->s, team, number, BASE, b->wanted, b->reach);
    if (number == 0) b->found = found;
}

/* Returns the number of wrong pixels. The search must have found exactly the pixels of the levels that it reports. */
static int wrong_levels(const bench *b)
{
    const tc_push *const s = &b->s;
    int wrong = 0;
    for (int tile = 0; tile < TILES; tile++)
        if (s->board[tile].counted != TC_NONE) tc_push_unpack(s, tile, s->board[tile].seen, BASE);
    for (int p = 0; p < W * H; p++) {
        const int x = p % W, y = p / W, tile = y / TC_TILE * ACROSS + x / TC_TILE;
        const bool reached = b->level[p] != NEVER && b->level[p] < (int)b->found.levels;
        const int height = s->node[tile * TC_TILE_NODES + y % TC_TILE * TC_TILE + x % TC_TILE].height;
        wrong += at(s->board[tile].seen, x, y) != reached || (reached && height != BASE + b->level[p]);
    }
    return wrong;
}

/* Counts the active pixels below level `levels`. */
static int64_t active_within(const bench *b, uint32_t levels)
{
    int64_t count = 0;
    for (int p = 0; p < W * H; p++) {
        const bool source = at(board_of(b, p % W, p / W)->source, p % W, p / W);
        count += source && b->level[p] != NEVER && (unsigned)b->level[p] < levels;
    }
    return count;
}

LOOP_TEST(search_finds_every_distance, 0, 4)
{
    static const int threads[] = {1, 2, 3, 7};
    bench *const b = malloc(sizeof *b);
    int further = 0, no_further = 0;
    set_up(b, threads[_i]);
    for (uint64_t seed = 1; seed <= 8 + RANDOM_CASES(60); seed++) {
        draw(b, seed);
        search_plainly(b);
        b->wanted = INT64_MAX;
        tc_parallel_team(b->s.parts, run, b);
        ck_assert(b->found.complete);
        ck_assert_int_eq(b->found.active, b->active);
        ck_assert_uint_eq(b->found.highest, (unsigned)b->highest);
        ck_assert_msg(wrong_levels(b) == 0, "seed %llu", (unsigned long long)seed);

        b->wanted = b->active; /* now the search may stop when it has found all active pixels */
        tc_parallel_team(b->s.parts, run, b);
        ck_assert_int_eq(b->found.active, b->active);
        ck_assert(b->found.complete || b->found.levels <= (unsigned)b->highest + 6 + (b->s.parts > 1 ? TC_TILE : 0));
        ck_assert_msg(wrong_levels(b) == 0, "seed %llu, no further than it must", (unsigned long long)seed);

        b->wanted = INT64_MAX;
        b->reach = 1 + b->highest * (int)(seed % 5) / 4;
        tc_parallel_team(b->s.parts, run, b);
        ck_assert(b->found.complete || b->found.levels == (unsigned)b->found.reach + 1);
        ck_assert(b->found.reach >= b->reach && b->found.reach % b->reach == 0);
        /* the reach before its last doubling, at which too few active pixels had been found */
        const int before = b->found.reach / 2;
        ck_assert(b->found.reach == b->reach || 64 * active_within(b, (unsigned)before + 1) < (int64_t)b->found.steps);
        further += b->found.reach > b->reach, no_further += b->found.reach == b->reach;
        ck_assert_int_eq(b->found.active, active_within(b, b->found.levels));
        ck_assert_msg(wrong_levels(b) == 0, "seed %llu, no further than it reaches", (unsigned long long)seed);
        b->reach = INT_MAX;
    }
    ck_assert(further > 0 && no_further > 0);
    tear_down(b);
    free(b);
}

int main(void) { return run_suite((test_suite){.name = "push search", .seconds = 300}); }
