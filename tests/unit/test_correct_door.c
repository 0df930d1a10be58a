/* SPDX-License-Identifier: MIT
 *
 * test_correct_door.c - the arguments of tilecut_correct(): rows with gaps, the mask as the prior mask, and wrong
 * arguments that are refused.
 */
#include <string.h>

#include "click_game.h"
#include "random_graph.h"
#include "run_suite.h"

/* Rows with gaps give the same as packed rows, and the gaps are not written. Any byte other than 0 is foreground. */
LOOP_TEST(rows_may_lie_apart, 0, 2)
{
    enum { APART = W + 5 };
    static uint8_t seeds[H * APART], mask[H * APART];
    static game g;
    const int how = _i ? TILECUT_BY_LEARNING : TILECUT_BY_STROKES;
    tilecut_params params = {.size = sizeof params, .seeds_stride = APART, .mask_stride = APART};
    begin_wrong(&g, 11);
    memset(seeds, 99, sizeof seeds);
    memset(mask, 7, sizeof mask);
    for (int p = 0; p < N; p++) {
        seeds[p / W * APART + p % W] = g.seeds[p];
        mask[p / W * APART + p % W] = g.mask[p] ? 1 : 0;
    }
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, NULL, how, g.mask, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_correct(&g.image, seeds, &params, how, mask, NULL, NULL), TILECUT_OK);
    for (int i = 0; i < H * APART; i++)
        ck_assert_int_eq(mask[i], i % APART < W ? g.mask[i / APART * W + i % APART] : 7);
}

/* Without a prior mask, the mask to correct is used as the prior. */
TEST(the_mask_teaches_where_nothing_else_is_given)
{
    static uint8_t other[N], prior[N];
    static game g;
    begin_wrong(&g, 23);
    memcpy(other, g.mask, N);
    memcpy(prior, g.mask, N);
    const tilecut_params params = {.prior = prior};
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, NULL, TILECUT_BY_STROKES, g.mask, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, &params, TILECUT_BY_STROKES, other, NULL, NULL), TILECUT_OK);
    ck_assert_mem_eq(other, g.mask, N);
    ck_assert_mem_ne(prior, g.mask, N);
}

/* Random masks and seeds, in which the correction of one class may undo that of the other. The report must equal the
 * difference of the two masks. */
LOOP_TEST(what_is_reported_is_what_has_changed, 0, 2)
{
    enum { WIDE = 10, HIGH = 4, ALL = WIDE * HIGH };
    uint64_t state = 7000 + (uint64_t)_i;
    for (int k = 0; k < 200; k++) {
        uint8_t pixels[ALL], seeds[ALL], before[ALL], mask[ALL];
        const tilecut_image image = {.width = WIDE, .height = HIGH, .channels = 1, .depth = 8, .pixels = pixels};
        const tilecut_params params = {.soft_seeds = k % 2};
        tilecut_corrected out = {0};
        int64_t added = 0, removed = 0;
        for (int p = 0; p < ALL; p++) {
            static const uint8_t painted[] = {TILECUT_UNKNOWN, TILECUT_FOREGROUND, TILECUT_BACKGROUND};
            pixels[p] = (uint8_t)random_below(&state, 256);
            seeds[p] = painted[random_below(&state, 4) ? 0 : 1 + random_below(&state, 2)];
            mask[p] = before[p] = random_below(&state, 2) ? 255 : 0;
        }
        seeds[0] = TILECUT_FOREGROUND, seeds[1] = TILECUT_BACKGROUND;
        ck_assert_int_eq(tilecut_correct(&image, seeds, &params, _i, mask, &out, NULL), TILECUT_OK);
        for (int p = 0; p < ALL; p++) added += mask[p] && !before[p], removed += !mask[p] && before[p];
        ck_assert_int_eq(out.added, added);
        ck_assert_int_eq(out.removed, removed);
    }
}

TEST(what_cannot_be_is_refused_and_nothing_is_written)
{
    static uint8_t before[N];
    static game g;
    tilecut_flag raised = {0};
    tilecut_corrected out = {.size = 3};
    begin_wrong(&g, 31);
    memcpy(before, g.mask, N);
    const tilecut_params wrong = {.solver = "nobody"}, stopped = {.cancel = &raised};
    ck_assert_int_eq(tilecut_correct(NULL, g.seeds, NULL, 0, g.mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_correct(&g.image, NULL, NULL, 0, g.mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, NULL, 0, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, NULL, 2, g.mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, NULL, 0, g.mask, &out, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, &wrong, 1, g.mask, NULL, NULL), TILECUT_EINVAL);
    /* changes the mask so that no seed contradicts it */
    for (int p = 0; p < N; p++) before[p] = g.seeds[p] == TILECUT_FOREGROUND ? 255 : 0;
    for (int how = 0; how < 2; how++)
        ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, &wrong, how, before, NULL, NULL), TILECUT_EINVAL);
    memcpy(before, g.mask, N);
    tilecut_flag_raise(&raised);
    ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, &stopped, 1, g.mask, NULL, NULL), TILECUT_ECANCELLED);
    ck_assert_mem_eq(g.mask, before, N);
    for (int p = 0; p < N; p++) /* removes the background seeds, so that the mask must supply that class */
        if (g.seeds[p] != TILECUT_FOREGROUND) g.seeds[p] = TILECUT_UNKNOWN;
    memset(g.mask, 0, N / 2), memset(g.mask + N / 2, 255, N / 2);
    memcpy(before, g.mask, N);
    for (int p = 0; p < 9; p++) g.seeds[p] = TILECUT_FOREGROUND;
    for (int class = TILECUT_BACKGROUND; class <= TILECUT_FOREGROUND; class++)
        for (int how = TILECUT_BY_STROKES; how <= TILECUT_BY_LEARNING; how++) {
            const size_t at = class == TILECUT_FOREGROUND ? 0 : N - 9;
            memset(g.seeds, TILECUT_UNKNOWN, N);
            memset(g.seeds + at, class, 9);
            memcpy(g.mask, before, N);
            ck_assert_int_eq(tilecut_correct(&g.image, g.seeds, NULL, how, g.mask, NULL, NULL), TILECUT_OK);
            for (int p = 0; p < N; p++) {
                const bool seeded = g.seeds[p] == class, on = g.mask[p] != 0, was = before[p] != 0;
                ck_assert_msg(on == was || on == (class == TILECUT_FOREGROUND), "%d by %d at %d", class, how, p);
                ck_assert(!seeded || on == (class == TILECUT_FOREGROUND));
            }
        }
}

int main(void) { return run_suite((test_suite){.name = "correct door", .seconds = 600}); }
