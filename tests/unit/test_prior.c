/* SPDX-License-Identifier: MIT
 *
 * test_prior.c - a prior mask: its levels by distance and probability, and its effect on a cut.
 */
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"
#include "prior.h"

enum { WIDTH = 64, HEIGHT = 48, N = WIDTH * HEIGHT, MIDDLE = TC_PRIOR_LEVELS / 2 };

TEST(levels_rise_with_the_distance_from_the_edge)
{
    uint8_t prior[N], level[N];
    for (int p = 0; p < N; p++) prior[p] = p % WIDTH < 32 ? 255 : 0;
    tc_prior_levels(prior, WIDTH, HEIGHT, level);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int l = level[y * WIDTH + x], mirrored = level[y * WIDTH + WIDTH - 1 - x];
            ck_assert_int_eq(l + mirrored, 2 * MIDDLE);
            if (x > 0) ck_assert_int_ge(l, level[y * WIDTH + x - 1]);
            if (x < 32 - TC_PRIOR_REACH) ck_assert_int_eq(l, 0);
        }
    ck_assert_int_lt(level[31], MIDDLE);
    ck_assert_int_gt(level[31], MIDDLE * 9 / 10);
}

TEST(what_is_not_sure_counts_less)
{
    uint8_t prior[N], level[N], half[N];
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 20, y = p / WIDTH - 20;
        prior[p] = x * x + y * y < 150 ? 255 : 0;
    }
    tc_prior_levels(prior, WIDTH, HEIGHT, level);
    for (int p = 0; p < N; p++) prior[p] = prior[p] ? 191 : 64;
    tc_prior_levels(prior, WIDTH, HEIGHT, half);
    for (int p = 0; p < N; p++) {
        ck_assert_int_le(abs(2 * (half[p] - MIDDLE) - (level[p] - MIDDLE)), 2);
        ck_assert((half[p] < MIDDLE) == (prior[p] >= 128));
    }
}

TEST(one_label_alone_is_sure_everywhere)
{
    uint8_t prior[N], level[N];
    memset(prior, 255, N);
    tc_prior_levels(prior, WIDTH, HEIGHT, level);
    for (int p = 0; p < N; p++) ck_assert_int_eq(level[p], 0);
}

/* Computes distances in fifths of a pixel by the definition: repeats until none gets smaller. */
static void distances(const uint8_t *prior, int width, int height, int *far)
{
    static const int step[8][3] = {{1, 0, 5}, {0, 1, 5}, {1, 1, 7}, {1, -1, 7}, {1, 2, 11}, {2, 1, 11}, {1, -2, 11},
                                   {2, -1, 11}};
    int changed = 1;
    for (int p = 0; p < width * height; p++) far[p] = 5 * TC_PRIOR_REACH + 2;
    while (changed) {
        changed = 0;
        for (int p = 0; p < width * height; p++)
            for (int i = 0; i < 16; i++) {
                const int sign = i < 8 ? 1 : -1, x = p % width + sign * step[i % 8][0];
                const int y = p / width + sign * step[i % 8][1];
                if (x < 0 || y < 0 || x >= width || y >= height) continue;
                const int q = y * width + x, other = (prior[p] >= 128) != (prior[q] >= 128);
                const int by = step[i % 8][2] + (other ? 0 : far[q]);
                if (by < far[p]) far[p] = by, changed = 1;
            }
    }
}

TEST(levels_are_those_of_the_definition)
{
    enum { W = 131, H = 83 };
    static uint8_t prior[W * H], level[W * H];
    static int far[W * H];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        const int width = 1 + random_below(&state, W), height = 1 + random_below(&state, H);
        memset(prior, seed % 2 ? 0 : 255, sizeof prior);
        for (int spots = random_below(&state, 12); spots > 0; spots--)
            prior[random_below(&state, width * height)] = (uint8_t)random_below(&state, 256);
        tc_prior_levels(prior, width, height, level);
        distances(prior, width, height, far);
        for (int p = 0; p < width * height; p++) {
            const int sure = abs(2 * prior[p] - 255), side = prior[p] >= 128 ? -1 : 1;
            const double away = (far[p] - 2) / (5.0 * TC_PRIOR_REACH) * sure / 255;
            ck_assert_msg(level[p] == MIDDLE + side * (int)(MIDDLE * away + 0.5), "seed %d, pixel %d", (int)seed, p);
        }
    }
}

TEST(strokes_against_a_prior_lower_its_confidence)
{
    uint8_t prior[N], level[N], doubted[N], seeds[N] = {0};
    for (int p = 0; p < N; p++) prior[p] = p % WIDTH < 32 ? 255 : 0;
    tc_prior_levels(prior, WIDTH, HEIGHT, level);
    memcpy(doubted, level, N);
    seeds[20 * WIDTH + 10] = TILECUT_FOREGROUND; /* this stroke agrees with the prior mask */
    seeds[20 * WIDTH + 50] = TILECUT_OUTSIDE;
    ck_assert_int_eq(tc_prior_confidence(prior, seeds, WIDTH, HEIGHT, doubted), TILECUT_OK);
    ck_assert(memcmp(level, doubted, N) == 0);
    /* a contradiction close to the edge lowers the confidence only a little */
    seeds[20 * WIDTH + 33] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tc_prior_confidence(prior, seeds, WIDTH, HEIGHT, doubted), TILECUT_OK);
    ck_assert_int_eq(doubted[20 * WIDTH + 33], MIDDLE);
    ck_assert_int_eq(doubted[20 * WIDTH + 61], level[20 * WIDTH + 61]);
    /* a contradiction far from the edge lowers the confidence all around it */
    seeds[20 * WIDTH + 60] = TILECUT_FOREGROUND;
    memcpy(doubted, level, N);
    ck_assert_int_eq(tc_prior_confidence(prior, seeds, WIDTH, HEIGHT, doubted), TILECUT_OK);
    for (int p = 0; p < N; p++) ck_assert_int_le(abs(doubted[p] - MIDDLE), abs(level[p] - MIDDLE));
    ck_assert_int_lt(doubted[20 * WIDTH + 50] - MIDDLE, (level[20 * WIDTH + 50] - MIDDLE) / 2);
}

/* Draws a bright square, and a prior mask that is shifted by five pixels. */
static void make_scene(uint8_t *grey, uint8_t *prior, uint8_t *truth)
{
    uint64_t state = 1;
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH, y = p / WIDTH;
        truth[p] = x >= 20 && x < 45 && y >= 12 && y < 36 ? 255 : 0;
        prior[p] = x >= 25 && x < 50 && y >= 17 && y < 41 ? 255 : 0;
        grey[p] = (uint8_t)((truth[p] ? 180 : 60) + random_below(&state, 40));
    }
}

TEST(a_prior_alone_is_refined_along_the_edges)
{
    uint8_t grey[N], prior[N], truth[N], mask[N], seeds[N] = {0};
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 1, .depth = 8, .pixels = grey};
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    make_scene(grey, prior, truth);
    params.prior = prior;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, &report), TILECUT_OK);
    ck_assert(report.certified);
    ck_assert(memcmp(mask, truth, N) == 0);
}

TEST(strokes_win_against_a_prior)
{
    uint8_t grey[N], prior[N], truth[N], mask[N], seeds[N] = {0};
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 1, .depth = 8, .pixels = grey};
    tilecut_params params = tilecut_params_default();
    make_scene(grey, prior, truth);
    memset(prior, 255, N); /* a prior mask of only foreground, which is wrong nearly everywhere */
    params.prior = prior;
    for (int x = 0; x < WIDTH; x++) seeds[x] = TILECUT_BACKGROUND;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_OK);
    for (int x = 0; x < WIDTH; x++) ck_assert_int_eq(mask[x], 0);
    seeds[HEIGHT * WIDTH - 1] = 9;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_EINVAL);
}

int main(void) { return run_suite((test_suite){.name = "prior"}); }
