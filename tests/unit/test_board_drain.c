/* SPDX-License-Identifier: MIT
 *
 * test_board_drain.c - compares the board kernels that move flow, of all instruction sets of this processor, with the
 * portable ones, and checks the conservation of flow. test_board_drain_6.c and test_board_drain_8.c repeat this for 6
 * and 8 neighbours.
 */
#include <string.h>

#include "board_scene.h"
#include "run_suite.h"

enum { FOURS = TC_LINK_ARRAYS, TILES = 1 + TC_NEIGHBOURS };

/* A tile and its neighbouring tiles. */
typedef struct tiles {
    tc_board board[TILES];
    float excess[TILES][TC_TILE_NODES], links[TILES][FOURS][4 * TC_TILE_NODES];
} tiles;

static float *link_of(tiles *t, int tile, int d, int x, int y)
{
    return &t->links[tile][d / 4][tc_link_at(d % 4, x, y)];
}

static tc_tile_view view_of(tiles *t, int tile)
{
    tc_tile_view view = {.board = &t->board[tile], .excess = t->excess[tile]};
    for (int k = 0; k < FOURS; k++) view.links[k] = t->links[tile][k];
    return view;
}

/* Draws random tiles. The level of a pixel decides which open links lead downhill, across tile borders as well. */
static void draw_tiles(uint64_t *state, tiles *t)
{
    static int level[TILES][TC_TILE_NODES];
    memset(t, 0, sizeof *t);
    const int rare = 1 + random_below(state, 12);
    for (int k = 0; k < TILES; k++) memset(t->board[k].seen, 0xff, sizeof t->board[k].seen);
    t->board[0].ready = random_below(state, 4) ? ~0u : draw_word(state);
    for (int k = 0; k < TILES; k++)
        for (int i = 0; i < TC_TILE_NODES; i++) {
            const int x = i % TC_TILE, y = i / TC_TILE;
            const int e = random_below(state, rare) ? 0 : random_below(state, 41) - 15;
            level[k][i] = random_below(state, 30);
            t->excess[k][i] = (float)e;
            t->board[k].source[y] |= (uint32_t)(e > 0) << x;
            t->board[k].sink[y] |= (uint32_t)(e < 0) << x;
            for (int d = 0; d < TC_NEIGHBOURS; d++) {
                const int c = random_below(state, 3) ? random_below(state, 12) : 0;
                *link_of(t, k, d, x, y) = (float)c;
                t->board[k].open[d][y] |= (uint32_t)(c > 0) << x;
            }
        }
    for (int i = 0; i < TC_TILE_NODES; i++)
        for (int d = 0; d < TC_NEIGHBOURS; d++) {
            const int x = i % TC_TILE, y = i / TC_TILE, to_x = x + step_x(d), to_y = y + step_y(d);
            const int to = (to_y & (TC_TILE - 1)) * TC_TILE + (to_x & (TC_TILE - 1));
            if (level[0][i] > level[1 + tile_towards(d, x, y)][to] && bit(t->board[0].open[d], x, y))
                t->board[0].lead[d][y] |= 1u << x;
        }
}

static double sum_of(const tiles *t)
{
    double sum = 0;
    for (int k = 0; k < TILES; k++)
        for (int i = 0; i < TC_TILE_NODES; i++) sum += (double)t->excess[k][i];
    return sum;
}

static void drain_of(int seed)
{
    static tiles before, first, now;
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    uint64_t state = (uint64_t)seed;
    int first_more = 0;
    uint32_t first_over = 0;
    draw_tiles(&state, &before);
    for (int set = 0; set < count; set++) {
        tc_tile_view view[TILES];
        int more = 0;
        now = before;
        for (int k = 0; k < TILES; k++) view[k] = view_of(&now, k);
        const uint32_t over = sets[set]->drain(&view[0], view + 1, 4);
        for (int k = 0; k < TILES; k++) more += sets[set]->read_off(&view[k], now.board[k].stale);
        if (set == 0) first = now, first_more = more, first_over = over;
        ck_assert_msg(memcmp(&now, &first, sizeof now) == 0, "seed %d: set %d differs", seed, set);
        ck_assert(more == first_more && over == first_over);
    }
    for (int k = 0; k < TILES; k++) first_more -= sources_of(&first.board[k]) - sources_of(&before.board[k]);
    ck_assert_msg(first_more == 0, "seed %d: sources were counted wrongly", seed);
    ck_assert_msg(sum_of(&first) == sum_of(&before), "seed %d: flow came or went", seed);
    int wrong = 0;
    for (int i = 0; i < TC_TILE_NODES; i++) {
        const int x = i % TC_TILE, y = i / TC_TILE;
        wrong += before.excess[0][i] > 0 && first.excess[0][i] < 0;
        wrong += bit(first.board[0].source, x, y) != (first.excess[0][i] > 0);
        for (int d = 0; d < TC_NEIGHBOURS; d++)
            wrong += bit(first.board[0].open[d], x, y) != (*link_of(&first, 0, d, x, y) > 0);
    }
    for (int y = 0; y < TC_TILE; y++) {
        const tc_board *const b = &first.board[0];
        uint32_t can = 0;
        for (int d = 0; d < TC_NEIGHBOURS; d++) can |= b->source[y] & b->lead[d][y];
        wrong += before.board[0].ready == ~0u && can && !(b->ready >> y & 1);
    }
    ck_assert_msg(wrong == 0, "seed %d: %d bits are not as the capacities are", seed, wrong);
}

TEST(a_drain_is_the_same_everywhere)
{
    for (int seed = 5000; seed < 5000 + CASES; seed++) drain_of(seed);
}

/* Counts the links over which a pixel could still push flow to a neighbour. */
static int unfed(tiles *t)
{
    int count = 0;
    for (int i = 0; i < TC_TILE_NODES; i++)
        for (int d = 0; d < TC_TILE_SIDES; d++) {
            const int x = i % TC_TILE + step_x(d), y = i / TC_TILE + step_y(d);
            if (x < 0 || y < 0 || x == TC_TILE || y == TC_TILE) continue;
            const float link = *link_of(t, 0, d, i % TC_TILE, i / TC_TILE);
            count += t->excess[0][i] > 0 && link > 0 && t->excess[0][y * TC_TILE + x] < 0;
        }
    return count;
}

static void feed_of(int seed)
{
    static tiles before, first, now;
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    uint64_t state = (uint64_t)seed;
    double links = 0;
    int wrong = 0;
    draw_tiles(&state, &before);
    for (int set = 0; set < count; set++) {
        now = before;
        const tc_tile_view view = view_of(&now, 0);
        sets[set]->feed_beside(&view);
        if (set == 0) first = now;
        ck_assert_msg(memcmp(&now, &first, sizeof now) == 0, "seed %d: set %d differs", seed, set);
    }
    for (int i = 0; i < TC_TILE_NODES; i++)
        wrong += before.excess[0][i] < 0 ? first.excess[0][i] > 0 || first.excess[0][i] < before.excess[0][i]
                                         : first.excess[0][i] < 0 || first.excess[0][i] > before.excess[0][i];
    for (int i = 0; i < TC_NEIGHBOURS * TC_TILE_NODES; i++) {
        const float was = before.links[0][i / (4 * TC_TILE_NODES)][i % (4 * TC_TILE_NODES)];
        const float is = first.links[0][i / (4 * TC_TILE_NODES)][i % (4 * TC_TILE_NODES)];
        wrong += is < 0;
        links += (double)is - (double)was;
    }
    ck_assert_msg(wrong == 0 && links == 0 && sum_of(&first) == sum_of(&before) && unfed(&first) == 0,
                  "seed %d: %d wrong, %d left, links by %g", seed, wrong, unfed(&first), links);
}

TEST(what_fits_goes_to_the_next_pixel)
{
    for (int seed = 7000; seed < 7000 + CASES; seed++) feed_of(seed);
}

int main(void) { return run_suite((test_suite){.name = "board drain"}); }
