/* SPDX-License-Identifier: MIT
 *
 * test_board.c - compares the board kernels of all instruction sets of this processor with the portable ones and with
 * the definition: steps of a search, halos, links, restarts and counts. test_board_drain.c tests those that move flow.
 * test_board_6.c and test_board_8.c repeat this for 6 and 8 neighbours.
 */
#include <stdbool.h>
#include <string.h>

#include "board_scene.h"
#include "run_suite.h"

static void draw_board(uint64_t *state, tc_board *board)
{
    memset(board, 0, sizeof *board);
    for (int d = 0; d < TC_NEIGHBOURS; d++) draw_rows(state, 1 + random_below(state, 3), board->open[d]);
    draw_rows(state, 1 + random_below(state, 9), board->source);
    draw_rows(state, 1 + random_below(state, 9), board->seen);
    draw_rows(state, 1 + random_below(state, 20), board->front);
    for (int d = 0; d < TC_NEIGHBOURS; d++) draw_rows(state, 5, board->lead[d]);
    for (int d = 0; d < TC_TILE_SIDES; d++) board->wanted.side[d] = draw_word(state);
#if TC_NEIGHBOURS == 8
    for (int i = 0; i < 12; i++) board->outward.link[i / 3][i % 3] = draw_word(state);
#elif TC_NEIGHBOURS == 6
    for (int i = 0; i < 4; i++) {
        draw_rows(state, 1 + random_below(state, 20), board->beyond[i / 2][i % 2]);
        board->reached[i / 2][i % 2] = random_below(state, 2);
    }
#endif
}

static tc_halo draw_halo(uint64_t *state)
{
    tc_halo halo;
    for (int d = 0; d < TC_TILE_SIDES; d++) halo.side[d] = d < 4 ? draw_word(state) : draw_word(state) & 1;
    return halo;
}

/* True if an open link in direction d leads from (x, y) to a pixel of the front or of the halo. */
static bool reaches(const tc_board *b, int level, int x, int y, int d)
{
    const tc_halo *const halo = &b->halo[level & 1];
    const int to_x = x + step_x(d), to_y = y + step_y(d), over = tile_towards(d, x, y);
    if (!bit(b->open[d], x, y)) return false;
#if TC_NEIGHBOURS == 6
    if (d >= 4) return b->reached[level & 1][d - 4] && bit(b->beyond[level & 1][d - 4], x, y);
#endif
    return over == TC_NOWHERE ? bit(b->front, to_x, to_y) : halo->side[over] >> side_bit(over, to_x, to_y) & 1;
}

/* Returns `wanted` as it must be after the search has reached the halo pixels `border`. */
static tc_halo want_after(const tc_board *board, const tc_halo *border)
{
    tc_halo wanted = board->wanted;
#if TC_NEIGHBOURS == 8
    tc_outward outward = board->outward;
    for (int i = 0; i < 12; i++) outward.link[i / 3][i % 3] &= ~border->side[i / 3];
    for (int d = 0; d < 8; d++) wanted.side[d] = tc_outward_to(&outward, d);
#else
    for (int d = 0; d < 4; d++) wanted.side[d] &= ~border->side[d];
#endif
    return wanted;
}

/* Returns the number of bits in `border` that differ from the edges of `rows`. */
static int wrong_border(const tc_halo *border, const uint32_t rows[TC_TILE])
{
    int wrong = 0;
    for (int i = 0; i < TC_TILE; i++) {
        wrong += (border->side[TC_LEFT] >> i & 1) != bit(rows, 0, i);
        wrong += (border->side[TC_RIGHT] >> i & 1) != bit(rows, TC_TILE - 1, i);
        wrong += (border->side[TC_UP] >> i & 1) != bit(rows, i, 0);
        wrong += (border->side[TC_DOWN] >> i & 1) != bit(rows, i, TC_TILE - 1);
    }
    for (int d = 4; d < TC_TILE_SIDES; d++)
        wrong += border->side[d] != bit(rows, step_x(d) > 0 ? TC_TILE - 1 : 0, step_y(d) > 0 ? TC_TILE - 1 : 0);
    return wrong;
}

static void step_of(int seed)
{
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    uint64_t state = (uint64_t)seed;
    tc_board board;
    draw_board(&state, &board);
    const tc_halo halo = draw_halo(&state);
    const int level = seed % 9;
    board.halo[level & 1] = halo;
    if (random_below(&state, 4) == 0) memset(board.front, 0, sizeof board.front);
    for (int set = 0; set < count; set++)
        for (int leading = 0; leading < 2; leading++) {
            tc_board after = board;
            tc_halo border = {{7, 7, 7, 7}};
            int sources = -1, met = 0, wrong = 0;
            bool any = false;
            const bool more =
                (leading ? sets[set]->advance_leading : sets[set]->advance)(&after, level, &border, &sources);
            for (int y = 0; y < TC_TILE; y++)
                for (int x = 0; x < TC_TILE; x++) {
                    bool new = false;
                    for (int d = 0; d < TC_NEIGHBOURS; d++) {
                        const bool step = !bit(board.seen, x, y) && reaches(&board, level, x, y, d);
                        new = new || step;
                        wrong += bit(after.lead[d], x, y) != (bit(board.lead[d], x, y) || (leading && step));
                    }
                    wrong += bit(after.front, x, y) != new;
                    wrong += bit(after.seen, x, y) != (new || bit(board.seen, x, y));
                    met += new && bit(board.source, x, y);
                    any = any || new;
                }
            if (more) wrong += wrong_border(&border, after.front);
            const tc_halo wanted = more ? want_after(&board, &border) : board.wanted;
            for (int d = 0; d < TC_TILE_SIDES; d++) wrong += after.halo[level & 1].side[d] != 0;
            for (int d = 0; d < TC_TILE_SIDES; d++) wrong += after.wanted.side[d] != wanted.side[d];
#if TC_NEIGHBOURS == 6
            wrong += after.reached[level & 1][0] || after.reached[level & 1][1];
#endif
            ck_assert_msg(wrong == 0 && more == any && sources == met,
                          "seed %d, set %d, leading %d: %d bits, %d sources for %d", seed, set, leading, wrong, sources,
                          met);
        }
}

TEST(a_step_of_a_search_is_what_it_should_be)
{
    for (int seed = 1000; seed < 1000 + CASES; seed++) step_of(seed);
}

static void scans_of(int seed)
{
    static tc_float4 links[TC_TILE_NODES];
    static float excess[TC_TILE_NODES];
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    uint64_t state = (uint64_t)seed;
    uint32_t open[4][TC_TILE], below[TC_TILE], above[TC_TILE];
    tc_board board;
    draw_board(&state, &board);
    for (int i = 0; i < TC_TILE_NODES; i++) {
        excess[i] = (float)(random_below(&state, 5) - 2);
        for (int d = 0; d < 4; d++) links[i].to[d] = (float)random_below(&state, 3);
    }
    for (int set = 0; set < count; set++) {
        int wrong = 0;
        sets[set]->scan_links(links, open);
        sets[set]->scan_excess(excess, below, above);
        for (int i = 0; i < TC_TILE_NODES; i++) {
            const int x = i % TC_TILE, y = i / TC_TILE;
            for (int d = 0; d < 4; d++) wrong += bit(open[d], x, y) != (links[i].to[d] > 0);
            wrong += bit(below, x, y) != (excess[i] < 0) || bit(above, x, y) != (excess[i] > 0);
        }
        const tc_halo border = sets[set]->border(board.seen);
        wrong += wrong_border(&border, board.seen);
        ck_assert_msg(wrong == 0, "seed %d, set %d: %d bits", seed, set, wrong);
    }
}

TEST(scans_and_rims_are_the_same_everywhere)
{
    for (int seed = 9000; seed < 9000 + CASES; seed++) scans_of(seed);
}

static void links_of(int seed)
{
    static tc_float4 links[TC_TILE_NODES], moved[TC_TILE_NODES];
    uint32_t open[4][TC_TILE];
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    uint64_t state = (uint64_t)seed;
    for (int i = 0; i < TC_TILE_NODES; i++)
        for (int d = 0; d < 4; d++) links[i].to[d] = (float)(random_below(&state, 3) * random_below(&state, 1 << 20));
    for (int set = 0; set < count; set++) {
        const float *const to = moved[0].to;
        int wrong = 0;
        memcpy(moved, links, sizeof moved);
        sets[set]->split_links(moved[0].to);
        for (int i = 0; i < 4 * TC_TILE_NODES; i++) {
            const int p = i / 4, d = i % 4;
            wrong += to[tc_link_at(d, p % TC_TILE, p / TC_TILE)] != links[p].to[d];
        }
        sets[set]->scan_link_rows(to, open);
        for (int p = 0; p < TC_TILE_NODES; p++)
            for (int d = 0; d < 4; d++) wrong += bit(open[d], p % TC_TILE, p / TC_TILE) != (links[p].to[d] > 0);
        sets[set]->join_links(moved[0].to);
        wrong += memcmp(moved, links, sizeof moved) != 0;
        ck_assert_msg(wrong == 0, "seed %d, set %d: %d links", seed, set, wrong);
    }
}

/* Returns the outside pixels that have an open link from a pixel without a sink, by the definition. */
static tc_halo all_wanted(const tc_board *board)
{
    tc_halo wanted = {{0}};
    for (int i = 0; i < TC_TILE_NODES; i++)
        for (int d = 0; d < TC_TILE_SIDES; d++) {
            const int x = i % TC_TILE, y = i / TC_TILE, to_x = x + step_x(d), to_y = y + step_y(d);
            const int over = tile_of(to_x, to_y);
            if (over == TC_NOWHERE || bit(board->sink, x, y) || !bit(board->open[d], x, y)) continue;
            wanted.side[over] |= 1u << side_bit(over, to_x, to_y);
        }
    return wanted;
}

static void restart_of(int seed)
{
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    uint64_t state = (uint64_t)seed;
    tc_board before, now;
    draw_board(&state, &before);
    draw_rows(&state, 1 + random_below(&state, 20), before.sink);
    before.halo[0] = draw_halo(&state), before.halo[1] = draw_halo(&state);
    for (int set = 0; set < count; set++) {
        const bool leading = seed & 1;
        tc_board expected = before;
        now = before;
        sets[set]->restart(&now, leading);
        memcpy(expected.seen, before.sink, sizeof before.sink);
        memcpy(expected.front, before.sink, sizeof before.sink);
        if (leading) memset(expected.lead, 0, sizeof expected.lead);
        memset(expected.halo, 0, sizeof expected.halo);
        expected.wanted = all_wanted(&before);
#if TC_NEIGHBOURS == 8
        expected.outward = now.outward; /* the expected `wanted` is computed from this field */
#elif TC_NEIGHBOURS == 6
        memset(expected.reached, 0, sizeof expected.reached);
#endif
        expected.queued[0] = expected.queued[1] = -1;
        expected.ready = 0;
        ck_assert_msg(memcmp(&now, &expected, sizeof now) == 0, "seed %d: set %d", seed, set);
        ck_assert_int_eq(sets[set]->count(before.source), sources_of(&before));
    }
}

TEST(links_move_and_boards_restart)
{
    for (int seed = 11000; seed < 11000 + CASES; seed++) links_of(seed), restart_of(seed);
}

#if TC_NEIGHBOURS == 6
static void tell_of(int seed)
{
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets), level = seed % 2, d = seed / 2 % 2 ? TC_BEHIND : TC_BEFORE;
    const bool ours = seed / 4 % 2;
    uint64_t state = (uint64_t)seed;
    tc_board board, before;
    draw_board(&state, &board);
    draw_board(&state, &before);
    if (seed % 9 == 0) memset(board.front, 0, sizeof board.front);
    before.reached[level][(d ^ 1) - 4] = false;
    for (int set = 0; set < count; set++) {
        tc_board other = before;
        bool any = false;
        int wrong = 0;
        const bool news = sets[set]->spread_to_slice(&other, d, board.front, ours, level);
        for (int i = 0; i < TC_TILE_NODES; i++) {
            const int x = i % TC_TILE, y = i / TC_TILE;
            const bool known = ours && bit(before.seen, x, y);
            const bool new = bit(board.front, x, y) && bit(before.open[d ^ 1], x, y) && !known;
            any = any || new;
            wrong += bit(other.beyond[level][(d ^ 1) - 4], x, y) != new;
        }
        memcpy(other.beyond[level][(d ^ 1) - 4], before.beyond[level][(d ^ 1) - 4], sizeof *other.beyond[0]);
        ck_assert_msg(wrong == 0 && news == any && other.reached[level][(d ^ 1) - 4] == any, "seed %d, set %d",
                      seed, set);
        other.reached[level][(d ^ 1) - 4] = false;
        ck_assert_msg(memcmp(&other, &before, sizeof other) == 0, "seed %d, set %d: more was written", seed, set);
    }
}

LOOP_TEST(slices_are_told_what_is_new, 0, TC_NEIGHBOURS == 6)
{
    for (int seed = 15000; seed < 15000 + CASES; seed++) tell_of(seed);
}
#endif

/* Each newly seen pixel gets an increasing number; the counter of unseen pixels continues. */
static void numbers_of(int seed)
{
    enum { PLANES = 12, STEP = 3, STEPS = 40, FIRST = 100000, OTHER = 99 };
    const tc_board_kernels *sets[SETS];
    const int count = all_sets(sets);
    for (int set = 0; set < count; set++) {
        static uint32_t plane[STEP * PLANES][TC_TILE], number[TC_TILE][TC_TILE];
        uint64_t state = (uint64_t)seed;
        uint32_t expected[TC_TILE][TC_TILE] = {{0}}, from = 0;
        tc_board board = {.seen = {0}};
        int planes = 0, wrong = 0;
        memset(plane, 0xa5, sizeof plane); /* fills the plane with any bits, because the kernel must overwrite them */
        draw_rows(&state, 1 + random_below(&state, 20), board.seen);
        for (int i = 0; i < STEPS; i++) {
            const uint32_t to = from + 1 + (uint32_t)random_below(&state, i % 3 ? 3 : 160);
            if (to >> PLANES) break;
            for (int y = 0; y < TC_TILE; y++)
                for (int x = 0; x < TC_TILE; x++)
                    if (!bit(board.seen, x, y)) expected[y][x] = to;
            draw_rows(&state, 1 + random_below(&state, 20), board.front);
            for (int y = 0; y < TC_TILE; y++) board.front[y] &= ~board.seen[y], board.seen[y] |= board.front[y];
            sets[set]->count_on(plane, STEP, &board, from, to);
            from = to;
        }
        while (from >> planes) planes++;
        sets[set]->read_numbers(plane, STEP, planes, board.seen, FIRST, OTHER, number);
        for (int y = 0; y < TC_TILE; y++)
            for (int x = 0; x < TC_TILE && board.seen[y]; x++)
                wrong += number[y][x] != (bit(board.seen, x, y) ? FIRST + expected[y][x] : OTHER);
        ck_assert_msg(wrong == 0, "seed %d, set %d: %d numbers", seed, set, wrong);
    }
}

TEST(numbers_in_planes_are_those_that_were_counted)
{
    for (int seed = 13000; seed < 13000 + CASES; seed++) numbers_of(seed);
}

int main(void) { return run_suite((test_suite){.name = "board"}); }
