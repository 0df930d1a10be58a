/* SPDX-License-Identifier: MIT
 *
 * test_wish.c - a wish mask: its levels by distance and probability, and its effect on a cut.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"
#include "wish.h"

enum { WIDTH = 64, HEIGHT = 48, N = WIDTH * HEIGHT, MIDDLE = TC_WISH_LEVELS / 2 };

START_TEST(levels_rise_with_the_distance_from_the_edge)
{
    uint8_t wish[N], level[N];
    for (int p = 0; p < N; p++) wish[p] = p % WIDTH < 32 ? 255 : 0;
    tc_wish_levels(wish, WIDTH, WIDTH, HEIGHT, level);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int l = level[y * WIDTH + x], mirrored = level[y * WIDTH + WIDTH - 1 - x];
            ck_assert_int_eq(l + mirrored, 2 * MIDDLE);
            if (x > 0) ck_assert_int_ge(l, level[y * WIDTH + x - 1]);
            if (x < 32 - TC_WISH_REACH) ck_assert_int_eq(l, 0);
        }
    ck_assert_int_lt(level[31], MIDDLE);
    ck_assert_int_gt(level[31], MIDDLE * 9 / 10);
}
END_TEST

START_TEST(what_is_not_sure_counts_less)
{
    uint8_t wish[N], level[N], half[N];
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 20, y = p / WIDTH - 20;
        wish[p] = x * x + y * y < 150 ? 255 : 0;
    }
    tc_wish_levels(wish, WIDTH, WIDTH, HEIGHT, level);
    for (int p = 0; p < N; p++) wish[p] = wish[p] ? 191 : 64;
    tc_wish_levels(wish, WIDTH, WIDTH, HEIGHT, half);
    for (int p = 0; p < N; p++) {
        ck_assert_int_le(abs(2 * (half[p] - MIDDLE) - (level[p] - MIDDLE)), 2);
        ck_assert((half[p] < MIDDLE) == (wish[p] >= 128));
    }
}
END_TEST

START_TEST(one_label_alone_is_sure_everywhere)
{
    uint8_t wish[N], level[N];
    memset(wish, 255, N);
    tc_wish_levels(wish, WIDTH, WIDTH, HEIGHT, level);
    for (int p = 0; p < N; p++) ck_assert_int_eq(level[p], 0);
}
END_TEST

/* Distances in fifths of a pixel by going round until none gets smaller: the definition. */
static void distances(const uint8_t *wish, int width, int height, int *far)
{
    static const int step[8][3] = {{1, 0, 5}, {0, 1, 5}, {1, 1, 7}, {1, -1, 7}, {1, 2, 11}, {2, 1, 11}, {1, -2, 11},
                                   {2, -1, 11}};
    int changed = 1;
    for (int p = 0; p < width * height; p++) far[p] = 5 * TC_WISH_REACH + 2;
    while (changed) {
        changed = 0;
        for (int p = 0; p < width * height; p++)
            for (int i = 0; i < 16; i++) {
                const int sign = i < 8 ? 1 : -1, x = p % width + sign * step[i % 8][0];
                const int y = p / width + sign * step[i % 8][1];
                if (x < 0 || y < 0 || x >= width || y >= height) continue;
                const int q = y * width + x, other = (wish[p] >= 128) != (wish[q] >= 128);
                const int by = step[i % 8][2] + (other ? 0 : far[q]);
                if (by < far[p]) far[p] = by, changed = 1;
            }
    }
}

START_TEST(levels_are_those_of_the_definition)
{
    enum { W = 131, H = 83 };
    static uint8_t wish[W * H], level[W * H];
    static int far[W * H];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        const int width = 1 + random_below(&state, W), height = 1 + random_below(&state, H);
        memset(wish, seed % 2 ? 0 : 255, sizeof wish);
        for (int spots = random_below(&state, 12); spots > 0; spots--)
            wish[random_below(&state, width * height)] = (uint8_t)random_below(&state, 256);
        tc_wish_levels(wish, (size_t)width, width, height, level);
        distances(wish, width, height, far);
        for (int p = 0; p < width * height; p++) {
            const int sure = abs(2 * wish[p] - 255), side = wish[p] >= 128 ? -1 : 1;
            const double away = (far[p] - 2) / (5.0 * TC_WISH_REACH) * sure / 255;
            ck_assert_msg(level[p] == MIDDLE + side * (int)(MIDDLE * away + 0.5), "seed %d, pixel %d", (int)seed, p);
        }
    }
}
END_TEST

START_TEST(strokes_against_a_wish_put_it_in_doubt)
{
    uint8_t wish[N], level[N], doubted[N], seeds[N] = {0};
    for (int p = 0; p < N; p++) wish[p] = p % WIDTH < 32 ? 255 : 0;
    tc_wish_levels(wish, WIDTH, WIDTH, HEIGHT, level);
    memcpy(doubted, level, N);
    seeds[20 * WIDTH + 10] = TILECUT_FOREGROUND; /* says what was wished for */
    seeds[20 * WIDTH + 50] = TILECUT_OUTSIDE;
    ck_assert_int_eq(tc_wish_doubt(wish, WIDTH, seeds, WIDTH, HEIGHT, doubted), TILECUT_OK);
    ck_assert(memcmp(level, doubted, N) == 0);
    seeds[20 * WIDTH + 33] = TILECUT_FOREGROUND; /* beside the edge: a little */
    ck_assert_int_eq(tc_wish_doubt(wish, WIDTH, seeds, WIDTH, HEIGHT, doubted), TILECUT_OK);
    ck_assert_int_eq(doubted[20 * WIDTH + 33], MIDDLE);
    ck_assert_int_eq(doubted[20 * WIDTH + 61], level[20 * WIDTH + 61]);
    seeds[20 * WIDTH + 60] = TILECUT_FOREGROUND; /* far inside: all around */
    memcpy(doubted, level, N);
    ck_assert_int_eq(tc_wish_doubt(wish, WIDTH, seeds, WIDTH, HEIGHT, doubted), TILECUT_OK);
    for (int p = 0; p < N; p++) ck_assert_int_le(abs(doubted[p] - MIDDLE), abs(level[p] - MIDDLE));
    ck_assert_int_lt(doubted[20 * WIDTH + 50] - MIDDLE, (level[20 * WIDTH + 50] - MIDDLE) / 2);
}
END_TEST

/* A bright square, and a wish that is shifted by five pixels. */
static void make_scene(uint8_t *grey, uint8_t *wish, uint8_t *truth)
{
    uint64_t state = 1;
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH, y = p / WIDTH;
        truth[p] = x >= 20 && x < 45 && y >= 12 && y < 36 ? 255 : 0;
        wish[p] = x >= 25 && x < 50 && y >= 17 && y < 41 ? 255 : 0;
        grey[p] = (uint8_t)((truth[p] ? 180 : 60) + random_below(&state, 40));
    }
}

START_TEST(a_wish_alone_is_refined_along_the_edges)
{
    uint8_t grey[N], wish[N], truth[N], mask[N], seeds[N] = {0};
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 1, .depth = 8, .pixels = grey};
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    make_scene(grey, wish, truth);
    params.wish = wish;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, &report), TILECUT_OK);
    ck_assert(report.certified);
    ck_assert(memcmp(mask, truth, N) == 0);
}
END_TEST

START_TEST(strokes_win_against_a_wish)
{
    uint8_t grey[N], wish[N], truth[N], mask[N], seeds[N] = {0};
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 1, .depth = 8, .pixels = grey};
    tilecut_params params = tilecut_params_default();
    make_scene(grey, wish, truth);
    memset(wish, 255, N); /* nothing but foreground: wrong nearly everywhere */
    params.wish = wish;
    for (int x = 0; x < WIDTH; x++) seeds[x] = TILECUT_BACKGROUND;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_OK);
    for (int x = 0; x < WIDTH; x++) ck_assert_int_eq(mask[x], 0);
    seeds[HEIGHT * WIDTH - 1] = 9;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_EINVAL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wish");
    TCase *tests = tcase_create("wish");
    tcase_add_test(tests, levels_rise_with_the_distance_from_the_edge);
    tcase_add_test(tests, levels_are_those_of_the_definition);
    tcase_add_test(tests, what_is_not_sure_counts_less);
    tcase_add_test(tests, one_label_alone_is_sure_everywhere);
    tcase_add_test(tests, a_wish_alone_is_refined_along_the_edges);
    tcase_add_test(tests, strokes_against_a_wish_put_it_in_doubt);
    tcase_add_test(tests, strokes_win_against_a_wish);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
