/* SPDX-License-Identifier: MIT
 *
 * test_box_fit.c - boxes that do not fit: one that cuts through its object is widened until the object ends, one that
 * fits and one whose object goes on and on stay; background that passes through a side teaches what it looks like.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_fit.h"
#include "box_scene.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

static scene s;
static uint8_t mask[N], other[N];

static unsigned first_seed(void)
{
    const char *const given = getenv("BOX_FIT_SEED"); /* others than every time */
    const unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : 1;
    printf("test_box_fit: seed %u\n", seed);
    return seed;
}

static int wrong_pixels(void)
{
    int wrong = 0;
    for (int p = 0; p < N; p++) wrong += mask[p] != s.truth[p];
    return wrong;
}

static int outside_box(void)
{
    int outside = 0;
    for (int p = 0; p < N; p++) outside += mask[p] && !in_window(&s.box, p % W, p / W);
    return outside;
}

static int count(const uint8_t *some)
{
    int all = 0;
    for (int p = 0; p < N; p++) all += some[p] != 0;
    return all;
}

static void cut(const tilecut_params *params, tilecut_report *report)
{
    ck_assert_msg(tilecut_segment(&s.image, s.seeds, params, mask, report) == TILECUT_OK, "%s", tilecut_error_detail());
}

/* Scenes in which a tenth of the object was lost while boxes were binding. */
static const uint64_t cut_through[] = {9, 12, 28};

START_TEST(a_box_that_cuts_through_its_object_is_widened)
{
    uint64_t state = cut_through[_i];
    tilecut_report report = {0};
    draw(&s, &state, _i % 2 ? 16 : 8);
    set_box(&s, shifted(&s, &state), TILECUT_OUTSIDE);
    cut(NULL, &report);
    ck_assert(report.certified);
    ck_assert_msg(wrong_pixels() <= N / 500, "%d wrong", wrong_pixels());
}
END_TEST

/* Whatever is added is the object. */
START_TEST(a_shifted_box_adds_nothing_else)
{
    const unsigned first = first_seed();
    for (unsigned i = 0; i < 1 + RANDOM_CASES(3); i++) {
        uint64_t state = first + i;
        int wrong = 0;
        draw(&s, &state, i % 3 ? 8 : 16);
        set_box(&s, shifted(&s, &state), TILECUT_OUTSIDE);
        cut(NULL, NULL);
        for (int p = 0; p < N; p++) wrong += mask[p] && s.seeds[p] && !s.truth[p];
        ck_assert_msg(10 * wrong <= outside_box(), "seed %u: %d of %d", first + i, wrong, outside_box());
    }
}
END_TEST

START_TEST(a_box_that_fits_binds)
{
    const unsigned first = first_seed();
    for (unsigned i = 0; i < 1 + RANDOM_CASES(3); i++) {
        uint64_t state = first + i;
        draw(&s, &state, 8);
        cut(NULL, NULL);
        ck_assert_msg(outside_box() == 0 && wrong_pixels() <= N / 100, "seed %u: %d outside", first + i, outside_box());
    }
}
END_TEST

/* Background that is painted, and whatever an effort of 1 or no iterations ask for, bind. */
START_TEST(what_is_painted_binds)
{
    const unsigned first = first_seed();
    for (unsigned i = 0; i < 4; i++) {
        uint64_t state = first + i;
        tilecut_params params = tilecut_params_default();
        draw(&s, &state, 8);
        set_box(&s, shifted(&s, &state), i % 4 == 0 ? TILECUT_BACKGROUND : TILECUT_OUTSIDE);
        if (i % 4 == 0) s.seeds[s.box.x + s.box.width / 2 + W * (s.box.y + s.box.height / 2)] = TILECUT_FOREGROUND;
        if (i % 4 == 1) s.seeds[s.box.x + W * s.box.y] = TILECUT_BACKGROUND;
        if (i % 4 == 2) params.effort = 1;
        if (i % 4 == 3) params.iterations = -1;
        cut(&params, NULL);
        ck_assert_msg(outside_box() == 0, "seed %u: %d outside", first + i, outside_box());
    }
}
END_TEST

/* The graph gets the wider box, too, so that its own cut and those of a session are the same. */
START_TEST(a_graph_is_left_with_the_wider_box)
{
    uint64_t state = cut_through[_i];
    const tilecut_params params = tilecut_params_default();
    tilecut_report told = {0}, of_graph = {0}, solved = {0};
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    draw(&s, &state, 8);
    set_box(&s, shifted(&s, &state), TILECUT_OUTSIDE);
    cut(&params, &told);
    ck_assert_int_gt(outside_box(), 0);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    for (int i = 0; i < 2; i++) { /* once more changes nothing */
        ck_assert_int_eq(tilecut_graph_segment(graph, &params, other, &of_graph), TILECUT_OK);
        ck_assert_mem_eq(other, mask, N);
        ck_assert(i || of_graph.flow == told.flow);
        ck_assert_int_eq(of_graph.foreground, told.foreground);
    }
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, other, &solved), TILECUT_OK);
    ck_assert_mem_eq(other, mask, N);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, &params, other, &solved), TILECUT_OK);
    ck_assert_mem_eq(other, mask, N);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}
END_TEST

START_TEST(solvers_and_threads_find_the_same)
{
    uint64_t state = cut_through[0];
    draw(&s, &state, 8);
    set_box(&s, shifted(&s, &state), TILECUT_OUTSIDE);
    cut(NULL, NULL);
    memcpy(other, mask, N);
    for (int i = 0; i < 2; i++) {
        const tilecut_params params = {.solver = i ? "bk" : "push", .threads = 1 + i};
        cut(&params, NULL);
        ck_assert_mem_eq(mask, other, N);
    }
}
END_TEST

/* ---- Leaks ------------------------------------------------------------------------------------- */

/* Scenes whose water was part of the mask before what lies beyond the box was a lesson, 922 pixels of it. */
static const uint64_t leaks[] = {2, 4};

/* A leak, with a dot on the object or without one, which must not bring the water back. */
static void draw_leak_with(uint64_t state, bool dot)
{
    draw_leak(&s, &state);
    for (int p = 0; p < N && dot; p++)
        if (abs(p % W - 32) <= 2 && abs(p / W - 48) <= 2) s.seeds[p] = TILECUT_FOREGROUND;
}

START_TEST(what_lies_beyond_a_leak_is_a_lesson)
{
    tilecut_report report = {0};
    draw_leak_with(leaks[_i / 2], _i % 2);
    cut(NULL, &report);
    ck_assert(report.certified);
    ck_assert_msg(wrong_pixels() <= N / 500, "%d wrong", wrong_pixels());
    ck_assert_int_eq(outside_box(), 0);
    ck_assert_int_eq(report.foreground, count(mask));
}
END_TEST

/* The graph keeps its box, and gets what was learnt. */
START_TEST(a_graph_learns_what_lies_beyond)
{
    const tilecut_params params = tilecut_params_default();
    tilecut_report told = {0}, of_graph = {0}, solved = {0};
    tilecut_graph *graph = NULL;
    draw_leak_with(leaks[0], _i);
    cut(&params, &told);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    for (int i = 0; i < 2; i++) { /* once more changes nothing */
        ck_assert_int_eq(tilecut_graph_segment(graph, &params, other, &of_graph), TILECUT_OK);
        ck_assert_mem_eq(other, mask, N);
        ck_assert_int_eq(of_graph.flow, told.flow);
    }
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, other, &solved), TILECUT_OK);
    ck_assert_mem_eq(other, mask, N);
    tilecut_graph_destroy(graph);
}
END_TEST

START_TEST(solvers_and_threads_learn_the_same)
{
    uint64_t state = leaks[1];
    draw_leak(&s, &state);
    cut(NULL, NULL);
    memcpy(other, mask, N);
    for (int i = 0; i < 2; i++) {
        const tilecut_params params = {.solver = i ? "bk" : "push", .threads = 1 + i};
        cut(&params, NULL);
        ck_assert_mem_eq(mask, other, N);
    }
}
END_TEST

/* ---- The measures ------------------------------------------------------------------------------ */

START_TEST(a_box_alone_is_one_open_rectangle)
{
    tc_window box;
    uint64_t state = 1;
    draw(&s, &state, 8);
    ck_assert(tc_box_alone(s.seeds, W, H, NULL, &box) && tc_same_window(&box, &s.tight));
    const int middle = s.tight.x + s.tight.width / 2 + W * (s.tight.y + s.tight.height / 2);
    for (uint8_t label = TILECUT_BACKGROUND; label <= TILECUT_OUTSIDE; label++) {
        s.seeds[middle] = label;
        ck_assert(!tc_box_alone(s.seeds, W, H, NULL, &box));
    }
    memset(s.seeds, TILECUT_OUTSIDE, N);
    ck_assert(!tc_box_alone(s.seeds, W, H, NULL, &box));
}
END_TEST

/* A plain image: each link is whole, so contact is the number of pixels of the mask along a side. */
/* Strokes of either class, in the box, beyond it and across its sides, do not change the box. */
START_TEST(a_box_is_known_behind_its_strokes)
{
    uint64_t state = 4;
    for (int i = 0; i < 200; i++) {
        const tc_window box = {5 + random_below(&state, 40), 5 + random_below(&state, 30),
                               20 + random_below(&state, 60), 20 + random_below(&state, 40)};
        tc_window found;
        set_box(&s, box, TILECUT_OUTSIDE);
        for (int stroke = 0; stroke < 3; stroke++) {
            const int x = random_below(&state, W), y = random_below(&state, H);
            const uint8_t label = random_below(&state, 2) ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
            for (int p = 0; p < N; p++)
                if (abs(p % W - x) + abs(p / W - y) <= 6) s.seeds[p] = label;
        }
        ck_assert(tc_box_drawn(s.seeds, W, H, NULL, &found));
        ck_assert_msg(tc_same_window(&found, &box), "%d: %d,%d,%d,%d", i, found.x, found.y, found.width, found.height);
    }
}
END_TEST

START_TEST(a_side_is_widened_where_the_mask_touches_it)
{
    static const tc_window box = {40, 30, 40, 40}, at_frame = {0, 30, 40, 40};
    static const tc_window wide[4] = {{34, 30, 46, 40}, {40, 24, 40, 46}, {40, 30, 46, 40}, {40, 30, 40, 46}};
    s.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s.pixels};
    memset(s.pixels, 90, sizeof s.pixels);
    for (int side = 0; side < 4; side++) {
        memset(mask, 0, N);
        const int x0 = side == 2 ? 60 : 40, y0 = side == 3 ? 50 : 30;
        const int x1 = side == 0 ? 60 : 80, y1 = side == 1 ? 50 : 70;
        for (int p = 0; p < N; p++) /* half the box, its other sides not touched */
            mask[p] = p % W >= x0 + (side % 2) && p % W < x1 - (side % 2) && p / W >= y0 + !(side % 2) &&
                      p / W < y1 - !(side % 2) ? 255 : 0;
        tc_window got = tc_box_widened(&(tc_boxed){&s.image, NULL, mask, 400, 0.01, box});
        ck_assert_msg(tc_same_window(&got, &wide[side]), "side %d: %dx%d", side, got.width, got.height);
        for (int p = 0; p < N; p++) /* an edge along the box: it fits */
            memset(s.pixels + 3 * p, in_window(&box, p % W, p / W) ? 90 : 200, 3);
        got = tc_box_widened(&(tc_boxed){&s.image, NULL, mask, 400, 0.01, box});
        ck_assert(tc_same_window(&got, &box));
        memset(s.pixels, 90, sizeof s.pixels);
    }
    memset(mask, 255, N);
    const tc_window got = tc_box_widened(&(tc_boxed){&s.image, NULL, mask, 400, 0.01, at_frame});
    ck_assert(got.x == 0 && got.width == 46 && got.y == 24 && got.height == 52);
}
END_TEST

/* Each side in turn: a plain image is painted beyond the mask's part of the side, 0.025 of the box's side deep; where
 * colours end at the box nothing is. */
START_TEST(what_lies_beyond_is_painted)
{
    static const tc_window box = {40, 30, 40, 40};
    static const int dx[4] = {-1, 0, 1, 0}, dy[4] = {0, -1, 0, 1};
    s.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s.pixels};
    for (int side = 0; side < 8; side++) {
        const int u = dx[side % 4], v = dy[side % 4];
        const tc_window touching = {50 + 10 * u, 40 + 10 * v, 20, 20};
        const tc_window beyond = {u < 0 ? 39 : u > 0 ? 80 : 50, v < 0 ? 29 : v > 0 ? 70 : 40, u ? 1 : 20, v ? 1 : 20};
        for (int p = 0; p < N; p++) {
            mask[p] = in_window(&touching, p % W, p / W) ? 255 : 0;
            memset(s.pixels + 3 * p, side < 4 || in_window(&box, p % W, p / W) ? 90 : 200, 3);
        }
        set_box(&s, box, TILECUT_OUTSIDE);
        const tc_boxed b = {&s.image, NULL, mask, 400, 0.01, box};
        ck_assert_int_eq(tc_box_paint_beyond(&b, s.seeds), TILECUT_OK);
        const double contact = tc_box_contact(&b);
        ck_assert_msg(side < 4 ? contact == 1 : contact < 0.01, "side %d: %g", side, contact);
        for (int p = 0; p < N; p++)
            ck_assert_int_eq(s.seeds[p] == TILECUT_BACKGROUND, side < 4 && in_window(&beyond, p % W, p / W));
    }
    ck_assert(tc_box_no_longer_leaks(0.5, 0.15) && !tc_box_no_longer_leaks(0.5, 0.16));
    ck_assert(tc_box_no_longer_leaks(0.06, 0.05));
}
END_TEST

START_TEST(a_leak_is_not_the_object)
{
    static const tc_window box = {40, 30, 40, 40};
    const tc_boxed b = {&s.image, NULL, mask, 0, 0, box};
    s.image = (tilecut_image){.width = W, .height = H};
    memset(mask, 0, N);
    memset(other, 0, N);
    for (int p = 0; p < N; p++) mask[p] = in_window(&box, p % W, p / W) ? 255 : 0;
    for (int added = 0; added < 16; added++) { /* columns of 40 pixels beside 1600: 2.5 % each */
        for (int p = 0; p < N; p++) other[p] = p % W >= 40 && p % W < 80 + added && p / W >= 30 && p / W < 70 ? 255 : 0;
        ck_assert_int_eq(tc_box_goes_on(&b, other), added >= 2 && added <= 12);
        for (int p = 0; p < N; p++) /* the inside changes, too */
            if (p % W < 42) other[p] = 0;
        ck_assert(!tc_box_goes_on(&b, other));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("box_fit");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, a_box_that_cuts_through_its_object_is_widened, 0, 3);
    tcase_add_test(cases, a_shifted_box_adds_nothing_else);
    tcase_add_test(cases, a_box_that_fits_binds);
    tcase_add_test(cases, what_is_painted_binds);
    tcase_add_loop_test(cases, a_graph_is_left_with_the_wider_box, 0, 1);
    tcase_add_test(cases, solvers_and_threads_find_the_same);
    tcase_add_test(cases, a_box_alone_is_one_open_rectangle);
    tcase_add_test(cases, a_box_is_known_behind_its_strokes);
    tcase_add_test(cases, a_side_is_widened_where_the_mask_touches_it);
    tcase_add_loop_test(cases, what_lies_beyond_a_leak_is_a_lesson, 0, 4);
    tcase_add_loop_test(cases, a_graph_learns_what_lies_beyond, 0, 2);
    tcase_add_test(cases, solvers_and_threads_learn_the_same);
    tcase_add_test(cases, what_lies_beyond_is_painted);
    tcase_add_test(cases, a_leak_is_not_the_object);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
