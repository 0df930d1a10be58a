/* SPDX-License-Identifier: MIT
 *
 * test_chamfer.c - distances in a rectangle of pixels, compared with a plain relaxation that repeats until no distance
 * changes.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "random_graph.h"
#include "run_suite.h"

enum { SIDE = 24, WIDE = 500 };

/* Relaxes by the definition: a straight step costs 5, a diagonal step 7. */
static void settle(uint16_t *map, int width, int height)
{
    for (int more = 1; more;) {
        more = 0;
        for (int p = 0; p < width * height; p++)
            for (int d = 0; d < 9; d++) {
                const int x = p % width + d % 3 - 1, y = p / width + d / 3 - 1, step = d % 2 ? 5 : 7;
                if (d == 4 || x < 0 || y < 0 || x >= width || y >= height) continue;
                if (map[y * width + x] + step >= map[p]) continue;
                map[p] = (uint16_t)(map[y * width + x] + step);
                more = 1;
            }
    }
}

TEST(distances_are_those_of_the_definition)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(900); seed++) {
        uint64_t state = seed;
        uint16_t map[WIDE * SIDE], wanted[WIDE * SIDE];
        const bool wide = seed % 9 == 0; /* rows of several chunks */
        const int width = 1 + random_below(&state, wide ? WIDE : SIDE);
        const int height = 1 + random_below(&state, wide ? 3 : SIDE);
        const int rare = 1 + random_below(&state, 200), known = random_below(&state, 3) ? 1 : TC_CHAMFER_NOWHERE;
        for (int p = 0; p < width * height; p++)
            map[p] = (uint16_t)(random_below(&state, rare) ? TC_CHAMFER_NOWHERE : random_below(&state, known));
        memcpy(wanted, map, sizeof map);
        settle(wanted, width, height);
        tc_chamfer(map, width, height);
        ck_assert_msg(memcmp(map, wanted, (size_t)(width * height) * sizeof *map) == 0, "seed %llu",
                      (unsigned long long)seed);
    }
}

/* In a row of 20000 pixels with one seed, the far end is farther away than the map can represent. */
TEST(what_is_too_far_is_nowhere)
{
    enum { LONG = 20000 };
    uint16_t *const map = malloc(LONG * sizeof *map);
    ck_assert(map);
    for (int p = 0; p < LONG; p++) map[p] = TC_CHAMFER_NOWHERE;
    map[0] = 0;
    tc_chamfer(map, LONG, 1);
    for (int p = 0; p < LONG; p++) ck_assert_int_eq(map[p], 5 * p < TC_CHAMFER_NOWHERE ? 5 * p : TC_CHAMFER_NOWHERE);
    free(map);
}

/* The depth by definition: the largest distance from a marked pixel to the nearest pixel outside of the region. */
TEST(what_is_deep_in_a_region_is_far_from_the_rest)
{
    int nowhere = 0; /* number of cases without a marked pixel, or whose region is everything */
    for (uint64_t seed = 1; seed <= RANDOM_CASES(300); seed++) {
        uint64_t state = seed;
        uint16_t map[SIDE * SIDE], wanted[SIDE * SIDE];
        uint8_t within[SIDE * SIDE], these[SIDE * SIDE];
        const int width = 1 + random_below(&state, SIDE), height = 1 + random_below(&state, SIDE);
        const int rare = 1 + random_below(&state, 200), often = 1 + random_below(&state, 50);
        int deepest = 0;
        for (int p = 0; p < width * height; p++) within[p] = (uint8_t)(random_below(&state, rare) ? 1 + p % 255 : 0);
        for (int p = 0; p < width * height; p++) these[p] = (uint8_t)(random_below(&state, often) ? 0 : 1 + p % 255);
        for (int p = 0; p < width * height; p++) wanted[p] = within[p] ? TC_CHAMFER_NOWHERE : 0;
        settle(wanted, width, height);
        for (int p = 0; p < width * height; p++)
            if (these[p] && wanted[p] > deepest) deepest = wanted[p];
        tc_chamfer_within(map, within, width, height, 1, seed % 2 ? NULL : (const double[]){1, 1, 1});
        ck_assert_msg(memcmp(map, wanted, (size_t)(width * height) * sizeof *map) == 0, "seed %llu",
                      (unsigned long long)seed);
        ck_assert_int_eq(tc_chamfer_deepest(map, these, (size_t)(width * height)), deepest);
        nowhere += deepest == 0 || deepest == TC_CHAMFER_NOWHERE;
    }
    ck_assert_int_gt(nowhere, 0);
}

/* The same depth, found from the rows around the marked pixels. The region is often deeper than the rows that come
 * first. */
TEST(the_depth_of_few_pixels_is_that_in_the_whole_region)
{
    enum { ACROSS = 300, HIGH = 900, ALL = ACROSS * HIGH };
    uint16_t *const map = malloc(2 * ALL * sizeof *map), *const room = map + ALL;
    uint8_t *const within = malloc(2 * ALL), *const these = within + ALL;
    int deep = 0;
    for (uint64_t seed = 1; seed <= RANDOM_CASES(60); seed++) {
        uint64_t state = seed;
        const int height = 1 + random_below(&state, HIGH), pixels = ACROSS * height, holes = random_below(&state, 4);
        memset(within, 7, ALL);
        memset(these, 0, ALL);
        for (int i = 0; i < holes; i++) within[random_below(&state, pixels)] = 0;
        for (int i = random_below(&state, 4); i > 0; i--) these[random_below(&state, pixels)] = 1;
        tc_chamfer_within(map, within, ACROSS, height, 1, NULL);
        const int deepest = tc_chamfer_deepest(map, these, (size_t)pixels);
        ck_assert_int_eq(tc_chamfer_depth(room, these, within, ACROSS, height), deepest);
        deep += deepest > 128 * TC_CHAMFER_PIXEL && deepest < TC_CHAMFER_NOWHERE;
    }
    ck_assert_int_gt(deep, 0);
    free(within);
    free(map);
}

int main(void) { return run_suite((test_suite){.name = "chamfer"}); }
