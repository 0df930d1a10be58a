/* SPDX-License-Identifier: MIT
 *
 * test_refine_nested.c - a mask that is refined and corrected by strokes: masks are nested whatever the order of
 * strokes, all solvers agree, and a graph keeps the result.
 */
#include <stdbool.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"
#include "tilecut.h"

enum { SMALL = 40 };

typedef struct small_scene {
    tilecut_image image;
    tilecut_params params;
    uint8_t pixels[3 * SMALL * SMALL], prior[SMALL * SMALL], seeds[SMALL * SMALL];
    int n;
} small_scene;

/* Draws blocks of noisy colours. Some of the blocks are the prior mask. */
static void draw_small(small_scene *s, uint64_t *state)
{
    const int width = 8 + random_below(state, SMALL - 7), height = 8 + random_below(state, SMALL - 7);
    const int noise = 1 + random_below(state, 120), block = 3 + random_below(state, 8);
    memset(s, 0, sizeof *s);
    s->n = width * height;
    s->image = (tilecut_image){.width = width, .height = height, .channels = random_below(state, 4) ? 3 : 1, .depth = 8,
                               .pixels = s->pixels};
    for (int p = 0; p < s->n; p++) {
        const int part = (p % width / block * 7 + p / width / block * 5) % 4;
        for (int c = 0; c < s->image.channels; c++)
            s->pixels[s->image.channels * p + c] = (uint8_t)(30 * part + 20 * c + random_below(state, noise));
        s->prior[p] = part < 2 ? (uint8_t)(128 + random_below(state, 128)) : (uint8_t)random_below(state, 128);
    }
    s->params = (tilecut_params){.size = sizeof s->params, .prior = s->prior,
                                 .connectivity = random_below(state, 3) ? 4 : 8};
}

/* True if a pixel touches one of `label`, at a corner or along a side. */
static bool touches(const small_scene *s, const uint8_t *seeds, int p, uint8_t label)
{
    const int width = s->image.width, height = s->image.height;
    for (int y = p / width - 1; y <= p / width + 1; y++)
        for (int x = p % width - 1; x <= p % width + 1; x++)
            if (x >= 0 && y >= 0 && x < width && y < height && seeds[y * width + x] == label) return true;
    return false;
}

/* Adds a stroke that touches no earlier one of its label, as both would be one stroke. */
static void paint_small(small_scene *s, uint64_t *state, uint8_t label)
{
    static uint8_t earlier[SMALL * SMALL];
    const int width = s->image.width, at = random_below(state, s->n), length = 1 + random_below(state, 6);
    memcpy(earlier, s->seeds, sizeof earlier);
    for (int i = 0; i < length; i++) {
        const int p = at + i * (random_below(state, 2) ? 1 : width);
        if (p < s->n && s->seeds[p] == TILECUT_UNKNOWN && !touches(s, earlier, p, label)) s->seeds[p] = label;
    }
}

/* Counts the pixels of `after` that a stroke of one class must not change, and those that contradict their seed. *all
 * is the number of foreground pixels. */
static int count_bad(const small_scene *s, const uint8_t *before, const uint8_t *after, bool foreground, int64_t *all)
{
    int bad = 0;
    *all = 0;
    for (int p = 0; p < s->n; p++) {
        bad += after[p] != before[p] && (after[p] == 255) != foreground;
        bad += s->seeds[p] != TILECUT_UNKNOWN && (after[p] == 255) != (s->seeds[p] == TILECUT_FOREGROUND);
        *all += after[p] == 255;
    }
    return bad;
}

TEST(one_more_stroke_only_adds_or_only_takes_away)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(30); seed++) {
        static small_scene s;
        static uint8_t before[SMALL * SMALL], after[SMALL * SMALL];
        uint64_t state = seed;
        tilecut_report report = {0};
        draw_small(&s, &state);
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, before, NULL), TILECUT_OK);
        for (int stroke = 0; stroke < 4; stroke++) {
            const bool foreground = random_below(&state, 2);
            paint_small(&s, &state, foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND);
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, after, &report), TILECUT_OK);
            ck_assert(report.certified && report.flow == report.cut);
            int64_t all;
            const int bad = count_bad(&s, before, after, foreground, &all);
            ck_assert_msg(bad == 0, "seed %llu, stroke %d: %d pixels", (unsigned long long)seed, stroke, bad);
            ck_assert_int_eq(all, report.foreground);
            memcpy(before, after, sizeof before);
        }
    }
}

/* What strokes of a label change together is what each of them changes alone. */
TEST(strokes_of_a_label_do_what_each_would_do)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(30); seed++) {
        static small_scene s;
        static uint8_t one[SMALL * SMALL], mask[SMALL * SMALL], expected[SMALL * SMALL];
        uint64_t state = seed + 2000;
        draw_small(&s, &state);
        const bool foreground = random_below(&state, 2);
        const uint8_t label = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        const int width = s.image.width, height = s.image.height;
        for (int stroke = 0; stroke < 3; stroke++) { /* in columns that do not touch */
            const int x = width / 3 * stroke, y = random_below(&state, height - 2);
            memset(s.seeds, 0, sizeof s.seeds);
            for (int i = 0; i < 3; i++) s.seeds[(y + i) * width + x] = label;
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, one, NULL), TILECUT_OK);
            for (int p = 0; p < s.n; p++)
                if (stroke == 0 || (one[p] == 255) == foreground) expected[p] = one[p];
            memcpy(stroke == 0 ? mask : one, s.seeds, sizeof s.seeds);
            for (int p = 0; p < s.n && stroke > 0; p++) mask[p] |= one[p];
        }
        memcpy(s.seeds, mask, sizeof s.seeds);
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, mask, NULL), TILECUT_OK);
        ck_assert_msg(memcmp(mask, expected, (size_t)s.n) == 0, "seed %llu", (unsigned long long)seed);
    }
}

/* More strokes than are cut one by one. */
TEST(every_pixel_of_many_strokes_gets_its_label)
{
    static small_scene s;
    static uint8_t mask[SMALL * SMALL];
    uint64_t state = 48;
    int strokes = 0;
    do draw_small(&s, &state);
    while (s.n < 1200);
    for (int p = 0; p < s.n; p++) {
        if (p % s.image.width % 3 || p / s.image.width % 3) continue;
        s.seeds[p] = s.prior[p] >= 128 ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
        strokes++;
    }
    ck_assert_int_gt(strokes, 130);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, mask, NULL), TILECUT_OK);
    for (int p = 0; p < s.n; p++)
        ck_assert(s.seeds[p] == TILECUT_UNKNOWN || (mask[p] == 255) == (s.seeds[p] == TILECUT_FOREGROUND));
}

TEST(every_solver_and_the_graph_give_the_same)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(10); seed++) {
        static small_scene s;
        static uint8_t mask[SMALL * SMALL], other[SMALL * SMALL];
        uint64_t state = seed + 1000;
        tilecut_graph *graph;
        draw_small(&s, &state);
        for (int i = 0; i < 4; i++) paint_small(&s, &state, i % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND);
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, mask, NULL), TILECUT_OK);
        for (int i = 0; tilecut_solver_name(i); i++) {
            const tc_solver *const solver = &tc_solvers[i];
            tilecut_params with = s.params;
            if (solver->can & TC_ON_CUDA || (with.connectivity == 8 && !(solver->can & TC_SOLVES_8))) continue;
            with.solver = solver->name;
            with.threads = 1 + i % 3;
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &with, other, NULL), TILECUT_OK);
            ck_assert_msg(memcmp(mask, other, (size_t)s.n) == 0, "seed %llu: %s", (unsigned long long)seed,
                          with.solver);
        }
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &s.params), TILECUT_OK);
        ck_assert_int_eq(tilecut_graph_segment(graph, &s.params, other, NULL), TILECUT_OK);
        ck_assert(memcmp(mask, other, (size_t)s.n) == 0);
        tilecut_graph_destroy(graph);
    }
}

int main(void) { return run_suite((test_suite){.name = "refine_nested", .seconds = 300}); }
