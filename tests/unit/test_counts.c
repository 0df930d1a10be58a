/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_counts.c - what is counted over all pixels is the same for any number of threads, and what a plain loop counts;
 * levels of nearness, too, are the same.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "nearness.h"
#include "random_graph.h"
#include "run_suite.h"

enum { W = 2500, H = 2600, BITS = 3, BINS = 1 << 3 * BITS }; /* enough for three threads */

static uint8_t pixels[W * H * 3], labels[W * H], seeds[W * H];
static const tilecut_image image = {0, W, H, 3, 8, 3 * W, pixels};

static void draw(uint64_t seed)
{
    uint64_t state = seed;
    memset(seeds, 0, sizeof seeds);
    for (int p = 0; p < W * H; p++) {
        for (int c = 0; c < 3; c++) pixels[3 * p + c] = (uint8_t)(p / W % 97 + (int)(random_next(&state) & 127));
        labels[p] = (uint8_t)(p / W % 5 ? random_next(&state) & 3 : 0); /* some rows without any */
    }
    for (int i = 0; i < 4000; i++) seeds[random_below(&state, W * H)] = (uint8_t)(1 + i % 3);
}

/* By a plain loop. */
static void count_plainly(uint32_t table[TC_COUNTS][BINS])
{
    for (int p = 0; p < W * H; p++) {
        const uint8_t *const s = pixels + 3 * p;
        const int bin = s[0] >> 5 << 6 | s[1] >> 5 << 3 | s[2] >> 5;
        table[TC_SEEN][bin]++;
        if (labels[p]) table[labels[p] == TILECUT_FOREGROUND ? TC_LABELLED_FG : TC_LABELLED_BG][bin]++;
        if (seeds[p] == TILECUT_FOREGROUND) table[TC_SEEDED_FG][bin]++;
        if (seeds[p] == TILECUT_BACKGROUND) table[TC_SEEDED_BG][bin]++;
        if (seeds[p] == TILECUT_OUTSIDE) table[TC_SEEDED_OUTSIDE][bin]++;
    }
}

START_TEST(threads_count_what_a_loop_counts)
{
    static uint32_t plain[TC_COUNTS][BINS], counted[TC_COUNTS][BINS];
    draw(7);
    count_plainly(plain);
    for (int wanted = 1; wanted < 1 << 3; wanted++)
        for (int threads = 1; threads <= 3; threads++) {
            tc_count count = {.image = &image, .labels = labels, .seeds = seeds, .bits = BITS, .threads = threads};
            memset(counted, 0, sizeof counted);
            for (int k = 0; k < TC_COUNTS; k++) {
                const int group = k == TC_SEEN ? 0 : k < TC_SEEDED_FG ? 1 : 2;
                if (wanted >> group & 1) count.of[k] = counted[k];
            }
            ck_assert_int_eq(tc_count_colors(&count), TILECUT_OK);
            for (int k = 0; k < TC_COUNTS; k++)
                ck_assert_msg(!count.of[k] || !memcmp(plain[k], counted[k], sizeof plain[k]), "table %d, %d threads",
                              k, threads);
        }
}
END_TEST

/* From three threads on, all share a map (nearness.c). Runs with `first` to `last` threads. */
static void check_levels(int width, int height, int first, int last)
{
    static uint8_t one[W * H], several[W * H];
    const size_t size = (size_t)width * (size_t)height;
    ck_assert_int_eq(tc_nearness(seeds, width, height, 1, NULL, one), TILECUT_OK);
    for (int threads = first; threads <= last; threads++) {
        memset(several, 0, size);
        ck_assert_int_eq(tc_nearness(seeds, width, height, threads, NULL, several), TILECUT_OK);
        ck_assert_msg(!memcmp(one, several, size), "%dx%d, %d threads", width, height, threads);
    }
}

START_TEST(levels_do_not_depend_on_threads)
{
    draw(8);
    check_levels(W, H, 4, 4);
    check_levels(1, 300000, 2, 4);
    check_levels(300000, 1, 2, 4);
    check_levels(63, 9001, 2, 8);
    check_levels(5003, 129, 2, 8);
    for (uint64_t state = 11, turn = 0; turn < 4; turn++) { /* few seeds, so that distances go across all blocks */
        const int width = 300 + (int)random_below(&state, 1200), height = 900 + (int)random_below(&state, 900);
        memset(seeds, 0, sizeof seeds);
        for (uint64_t i = 0; i < 2 + turn; i++)
            seeds[random_below(&state, width * height)] = (uint8_t)(1 + i % 2);
        check_levels(width, height, 3 + (int)turn, 4 + (int)turn);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *const s = suite_create("counts");
    TCase *const t = tcase_create("counts");
    tcase_set_timeout(t, 600);
    tcase_add_test(t, threads_count_what_a_loop_counts);
    tcase_add_test(t, levels_do_not_depend_on_threads);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(suite());
}
