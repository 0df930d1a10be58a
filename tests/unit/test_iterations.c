/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_iterations.c - colour models learnt again from the cut, and a box without a foreground seed. Energies never
 * rise, seeds hold, every solver and number of threads gives the same mask, and a plain object is found.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

enum { W = 60, H = 48, N = W * H };

typedef struct scene {
    tilecut_image image;
    uint8_t pixels[3 * N], seeds[N], truth[N];
} scene;

/* Draws a blob of two colours on a background of two others, with noise; the seeds are its box. With `alike`, the
 * colours are hard to separate, so that iterations have something to improve. */
static void scene_init(scene *s, uint64_t seed, bool alike)
{
    static const int color[3][2][3] = {
        {{70, 120, 60}, {110, 140, 90}}, {{200, 80, 60}, {160, 60, 110}}, {{90, 125, 75}, {140, 110, 90}}};
    uint64_t state = seed;
    const int radius_x = 12 + random_below(&state, 10), radius_y = 10 + random_below(&state, 8);
    const int noise = 5 + random_below(&state, 40);
    for (int p = 0; p < N; p++) {
        const int x = p % W - W / 2, y = p / W - H / 2;
        const int inside = x * x * radius_y * radius_y + y * y * radius_x * radius_x <
                           radius_x * radius_x * radius_y * radius_y;
        const int kind = (x / 7 + y / 5) & 1;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] =
                (uint8_t)(color[inside ? 1 + alike : 0][kind][c] + random_below(&state, noise) - noise / 2);
        s->truth[p] = inside ? 255 : 0;
        const bool outside = x < -radius_x || x > radius_x || y < -radius_y || y > radius_y;
        s->seeds[p] = outside ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
    }
    s->image = (tilecut_image){0, W, H, 3, 8, 0, s->pixels};
}

static void add_strokes(scene *s)
{
    for (int x = -4; x <= 4; x++) s->seeds[H / 2 * W + W / 2 + x] = TILECUT_FOREGROUND;
    for (int x = 0; x < W; x++) s->seeds[x] = TILECUT_BACKGROUND;
}

TEST(a_box_alone_finds_a_plain_object)
{
    static scene s;
    static uint8_t mask[N];
    tilecut_report report = {0};
    scene_init(&s, 1, false);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, &report), TILECUT_OK);
    ck_assert_int_le(count_unequal(mask, s.truth, N), N / 50);
    ck_assert(report.certified);
}

TEST(energies_never_rise_and_seeds_hold)
{
    const unsigned first = (unsigned)time(NULL);
    printf("test_iterations: seed %u\n", first);
    for (unsigned i = 0; i < 4 + RANDOM_CASES(36); i++) {
        static scene s;
        static uint8_t mask[N];
        tilecut_params params = tilecut_params_default();
        tilecut_report report = {0};
        scene_init(&s, first + i, i % 3 == 0);
        if (i % 2) add_strokes(&s);
        params.iterations = 8;
        params.colors = tilecut_colors_name((int)(i / 2 % 2));
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
        ck_assert_int_le(report.iterations, 8);
        /* only without strokes, since with strokes energies may rise */
        for (int k = 1; k <= report.iterations && i % 2 == 0; k++)
            ck_assert_msg(report.iteration_energy[k] <= report.iteration_energy[k - 1], "seed %u, iteration %d: %g, %g",
                          first + i, k, report.iteration_energy[k - 1], report.iteration_energy[k]);
        for (int p = 0; p < N; p++) {
            if (s.seeds[p] == TILECUT_FOREGROUND) ck_assert_int_eq(mask[p], 255);
            if (s.seeds[p] == TILECUT_BACKGROUND || s.seeds[p] == TILECUT_OUTSIDE) ck_assert_int_eq(mask[p], 0);
        }
    }
}

/* Draws a post in front of a sky that darkens downwards. The box leaves only the top tenth of the sky outside, so the
 * first guess takes the lower sky for foreground, and the iterations stay there. */
static void post_init(scene *s, uint64_t seed)
{
    uint64_t state = seed;
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W;
        const bool post = abs(x - W / 2) < W / 12 && y > H / 6;
        const int stone = 25 * ((x * 16 / W + y * 10 / H) & 1), sky = 200 - 90 * y / H;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] =
                (uint8_t)((post ? 120 - 30 * c + stone : sky - 6 * c) + random_below(&state, 17) - 8);
        s->truth[p] = post ? 255 : 0;
        s->seeds[p] = y < H / 8 ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
    }
    s->image = (tilecut_image){0, W, H, 3, 8, 0, s->pixels};
}

TEST(effort_leaves_a_bad_minimum)
{
    for (uint64_t seed = 1; seed <= 1 + RANDOM_CASES(5); seed++) {
        static scene s;
        static uint8_t mask[N];
        double energy[TILECUT_MAX_EFFORT + 1];
        post_init(&s, seed);
        for (int effort = 1; effort <= TILECUT_MAX_EFFORT; effort++) {
            tilecut_params params = tilecut_params_default();
            tilecut_report report = {0};
            params.effort = effort;
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
            energy[effort] = report.iteration_energy[report.iterations];
            if (effort < 3) ck_assert_int_gt(count_unequal(mask, s.truth, N), N / 4);
            else ck_assert_int_lt(count_unequal(mask, s.truth, N), N / 100);
        }
        ck_assert_double_lt(energy[3], energy[2]);
    }
}

/* Draws an object on two backgrounds. One has a stroke; the other has none, and looks more like the object. */
static void grounds_init(scene *s, uint64_t seed)
{
    uint64_t state = seed;
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W;
        const bool inside = x >= 22 && x < 36 && y >= 18 && y < 30;
        const int grey = inside ? 200 : y < 30 ? 180 : 60;
        for (int c = 0; c < 3; c++) s->pixels[3 * p + c] = (uint8_t)(grey + random_below(&state, 21) - 10);
        s->truth[p] = inside ? 255 : 0;
        s->seeds[p] = y == 24 && x >= 24 && x < 34 ? TILECUT_FOREGROUND
                      : y == 40 && x >= 10 && x < 50 ? TILECUT_BACKGROUND
                                                     : TILECUT_UNKNOWN;
    }
    s->image = (tilecut_image){0, W, H, 3, 8, 0, s->pixels};
}

TEST(strokes_begin_with_open_ground_too)
{
    for (uint64_t seed = 1; seed <= 1 + RANDOM_CASES(5); seed++) {
        static scene s;
        static uint8_t mask[N];
        double energy[3];
        int wrong[3];
        grounds_init(&s, seed);
        for (int effort = 1; effort <= 2; effort++) {
            tilecut_params params = tilecut_params_default();
            tilecut_report report = {0};
            params.effort = effort;
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
            energy[effort] = report.iteration_energy[report.iterations];
            wrong[effort] = count_unequal(mask, s.truth, N);
        }
        ck_assert_int_gt(wrong[1], N / 2);
        ck_assert_int_lt(wrong[2], N / 100);
        ck_assert_double_lt(energy[2], energy[1]);
    }
}

/* Enlarges a scene by SCALE in both directions, so that the search uses a smaller copy. */
TEST(large_images_are_searched_in_a_smaller_copy)
{
    enum { SCALE = 7, LARGE = SCALE * SCALE * N };
    static uint8_t pixels[3 * LARGE], seeds[LARGE], first[LARGE], mask[LARGE];
    static scene s;
    const tilecut_image image = {0, SCALE * W, SCALE * H, 3, 8, 0, pixels};
    int wrong = 0;
    scene_init(&s, 3, false);
    for (int p = 0; p < LARGE; p++) {
        const int q = p / (SCALE * W) / SCALE * W + p % (SCALE * W) / SCALE;
        memcpy(pixels + (size_t)3 * (size_t)p, s.pixels + (size_t)3 * (size_t)q, 3);
        seeds[p] = s.seeds[q];
    }
    ck_assert_int_eq(tilecut_segment(&image, seeds, NULL, first, NULL), TILECUT_OK);
    for (int p = 0; p < LARGE; p++) wrong += first[p] != s.truth[p / (SCALE * W) / SCALE * W + p % (SCALE * W) / SCALE];
    ck_assert_int_lt(wrong, LARGE / 50);
    for (int i = 0; i < 3; i++) {
        tilecut_params params = tilecut_params_default();
        params.solver = (const char *[]){"bk", "cascade", "push"}[i];
        params.threads = 1 + i;
        ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_OK);
        ck_assert_mem_eq(mask, first, LARGE);
    }
}

LOOP_TEST(every_solver_iterates_to_the_same_mask, 0, 2) /* _i is 0 for a box, 1 for strokes */
{
    static scene s;
    static uint8_t first[N], mask[N];
    tilecut_report result = {0}, report = {0};
    scene_init(&s, 12, true);
    if (_i) add_strokes(&s);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, first, &result), TILECUT_OK);
    if (!_i) ck_assert_int_ge(result.iterations, 1);
    for (int i = 0; tilecut_solver_name(i); i++) {
        tilecut_params params = tilecut_params_default();
        if (strcmp(tilecut_solver_device(i), "cpu") && tilecut_cuda_device(0, NULL, 0) != TILECUT_OK) continue;
        params.solver = tilecut_solver_name(i);
        params.threads = 1 + i % 3;
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
        ck_assert_mem_eq(mask, first, N);
        ck_assert_int_eq(report.iterations, result.iterations);
        ck_assert_int_eq(report.flow, result.flow);
        ck_assert_mem_eq(report.iteration_energy, result.iteration_energy, sizeof result.iteration_energy);
    }
}

TEST(the_graph_is_left_with_the_last_model)
{
    static scene s;
    static uint8_t mask[N], again[N];
    tilecut_report result = {0}, report = {0};
    tilecut_graph *graph;
    scene_init(&s, 12, true);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(graph, NULL, mask, &result), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, NULL, again, &report), TILECUT_OK);
    ck_assert_mem_eq(mask, again, N);
    ck_assert_int_eq(report.flow, result.flow);
    ck_assert_int_eq(report.iterations, 0);
    tilecut_graph_destroy(graph);
}

TEST(limits)
{
    static scene s;
    static uint8_t mask[N];
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    scene_init(&s, 3, false);
    params.iterations = TILECUT_MAX_ITERATIONS + 1;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_EINVAL);
    params.iterations = -1;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
    ck_assert_int_eq(report.iterations, 0);
    for (int effort = -1; effort <= TILECUT_MAX_EFFORT + 1; effort += TILECUT_MAX_EFFORT + 2) {
        params.effort = effort;
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_EINVAL);
        ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "effort"));
    }
    params.effort = 0;
    params.colors = "none"; /* without colours there is no first guess */
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_ESEEDS);
    ck_assert_int_eq(tilecut_graph_segment(NULL, NULL, mask, NULL), TILECUT_EINVAL);
}

int main(void) { return run_suite((test_suite){.name = "iterations"}); }
