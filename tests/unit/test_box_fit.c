/* SPDX-License-Identifier: MIT
 *
 * test_box_fit.c - the mask stays in its box, whether the box fits or not; background that continues beyond a side of
 * the box is learnt as background; and a side close to the border counts as the border.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_evidence.h"
#include "box_fit.h"
#include "box_scene.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

static scene s;
static uint8_t mask[N], other[N];

static unsigned first_seed(void)
{
    /* another value of BOX_FIT_SEED gives other scenes */
    const unsigned seed = (unsigned)number_from("BOX_FIT_SEED", 1);
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

TEST(a_box_that_cuts_through_its_object_binds)
{
    const unsigned first = first_seed();
    for (unsigned i = 0; i < 1 + RANDOM_CASES(3); i++) {
        uint64_t state = first + i;
        draw(&s, &state, i % 3 ? 8 : 16);
        set_box(&s, shifted(&s, &state), TILECUT_OUTSIDE);
        cut(NULL, NULL);
        ck_assert_msg(outside_box() == 0 && count(mask) > 0, "seed %u: %d outside", first + i, outside_box());
    }
}

TEST(a_box_that_fits_binds)
{
    const unsigned first = first_seed();
    for (unsigned i = 0; i < 1 + RANDOM_CASES(3); i++) {
        uint64_t state = first + i;
        draw(&s, &state, 8);
        cut(NULL, NULL);
        ck_assert_msg(outside_box() == 0 && wrong_pixels() <= N / 100, "seed %u: %d outside", first + i, outside_box());
    }
}

/* ---- Leaks ------------------------------------------------------------------------------------- */

/* Seeds of scenes in which 922 pixels of water enter the mask unless the colours beyond the box are learnt. */
static const uint64_t leaks[] = {2, 4};

/* Draws a scene with a leak, with or without a dot on the object. The dot must not bring the water back into the
 * mask. */
static void draw_leak_with(uint64_t state, bool dot)
{
    draw_leak(&s, &state);
    for (int p = 0; p < N && dot; p++)
        if (abs(p % W - 32) <= 2 && abs(p / W - 48) <= 2) s.seeds[p] = TILECUT_FOREGROUND;
}

LOOP_TEST(what_lies_beyond_a_leak_is_a_lesson, 0, RANDOM_LOOPS(4))
{
    tilecut_report report = {0};
    draw_leak_with(leaks[_i / 2], _i % 2);
    cut(NULL, &report);
    ck_assert(report.certified);
    ck_assert_msg(wrong_pixels() <= N / 500, "%d wrong", wrong_pixels());
    ck_assert_int_eq(outside_box(), 0);
    ck_assert_int_eq(report.foreground, count(mask));
}

/* A graph keeps its box, and learns the colours beyond it. */
LOOP_TEST(a_graph_learns_what_lies_beyond, 0, RANDOM_LOOPS(2))
{
    const tilecut_params params = tilecut_params_default();
    tilecut_report result = {0}, of_graph = {0}, solved = {0};
    tilecut_graph *graph = NULL;
    draw_leak_with(leaks[0], _i);
    cut(&params, &result);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    for (int i = 0; i < 2; i++) { /* the second pass must not change anything */
        ck_assert_int_eq(tilecut_graph_segment(graph, &params, other, &of_graph), TILECUT_OK);
        ck_assert_mem_eq(other, mask, N);
        ck_assert_int_eq(of_graph.flow, result.flow);
    }
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, other, &solved), TILECUT_OK);
    ck_assert_mem_eq(other, mask, N);
    tilecut_graph_destroy(graph);
}

TEST(solvers_and_threads_learn_the_same)
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

/* ---- The measures ------------------------------------------------------------------------------ */

TEST(a_box_alone_is_one_open_rectangle)
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

/* Strokes of either class, inside the box, beyond it and across its sides, do not change which box is recognised. */
TEST(a_box_is_known_behind_its_strokes)
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

/* Checks each side in turn, on a plain image. Where the mask touches the side of the box, a strip beyond that side is
 * painted as background, 0.025 of the box's side deep. If the colours change at the side, nothing is painted. */
TEST(what_lies_beyond_is_painted)
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
        const tc_boxed b = {&s.image, NULL, mask, 400, 0.01, box, NULL};
        ck_assert_int_eq(tc_box_paint_beyond(&b, s.seeds), TILECUT_OK);
        const double contact = tc_box_contact(&b);
        ck_assert_msg(side < 4 ? contact == 1 : contact < 0.01, "side %d: %g", side, contact);
        for (int p = 0; p < N; p++)
            ck_assert_int_eq(s.seeds[p] == TILECUT_BACKGROUND, side < 4 && in_window(&beyond, p % W, p / W));
    }
    ck_assert(tc_box_leaks(0.06) && !tc_box_leaks(0.05));
    ck_assert(tc_box_no_longer_leaks(0.5, 0.15) && !tc_box_no_longer_leaks(0.5, 0.16));
    ck_assert(tc_box_no_longer_leaks(0.06, 0.05));
}

/* Where only the pixels along the sides are known, the contact and what is painted beyond are the same. Some boxes
 * reach the image's border. */
TEST(strips_along_a_box_show_as_much_as_the_image)
{
    static uint8_t strips[4][2 * 3 * N];
    uint64_t state = 11;
    for (int i = 0; i < 100; i++) {
        const tc_window box = {random_below(&state, 20), random_below(&state, 20), 20 + random_below(&state, W - 40),
                               20 + random_below(&state, H - 40)};
        const tc_window whole = {box.x, box.y, i % 3 ? box.width : W - box.x, i % 4 ? box.height : H - box.y};
        tilecut_image strip[TC_BOX_SIDES];
        s.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s.pixels};
        for (int p = 0; p < N; p++) mask[p] = random_below(&state, 3) ? 255 : 0;
        for (int p = 0; p < 3 * N; p++) s.pixels[p] = (uint8_t)(90 + random_below(&state, 60));
        for (int k = 0; k < TC_BOX_SIDES; k++) {
            const tc_window w = tc_box_strip(&whole, k, W, H);
            strip[k] = (tilecut_image){.width = w.width, .height = w.height, .channels = 3, .depth = 8,
                                       .pixels = strips[k]};
            for (int y = 0; y < w.height; y++)
                memcpy(strips[k] + 3 * y * w.width, s.pixels + 3 * ((w.y + y) * W + w.x), 3 * (size_t)w.width);
        }
        const tilecut_image away = {.width = W, .height = H, .channels = 3, .depth = 8};
        const tc_boxed here = {&s.image, NULL, mask, 400, 0.001, whole, NULL};
        const tc_boxed there = {&away, NULL, mask, 400, 0.001, whole, strip};
        ck_assert_double_eq(tc_box_contact(&here), tc_box_contact(&there));
        set_box(&s, whole, TILECUT_OUTSIDE);
        memcpy(other, s.seeds, N);
        ck_assert_int_eq(tc_box_paint_beyond(&here, s.seeds), TILECUT_OK);
        ck_assert_int_eq(tc_box_paint_beyond(&there, other), TILECUT_OK);
        ck_assert_mem_eq(other, s.seeds, N);
    }
}

/* ---- What can be seen of a mask ------------------------------------------------------------------ */

/* A very large lambda gives an empty mask. The box is then cut again with a smaller lambda, even with an effort of
 * 1. */
TEST(a_box_is_never_answered_with_nothing)
{
    tilecut_params params = tilecut_params_default();
    uint64_t state = 1;
    draw(&s, &state, 8);
    params.lambda = 3000;
    params.iterations = -1;
    cut(&params, NULL);
    ck_assert_int_eq(count(mask), 0);
    params.iterations = 0;
    for (params.effort = 1; params.effort <= 3; params.effort += 2) {
        cut(&params, NULL);
        ck_assert_msg(wrong_pixels() <= N / 50, "effort %d: %d wrong", params.effort, wrong_pixels());
    }
    params.effort = 3, params.lambda = 30000;
    cut(&params, NULL);
    ck_assert_msg(wrong_pixels() <= N / 50, "a very large lambda: %d wrong", wrong_pixels());
    const tc_window corner = {s.tight.x, s.tight.y, 2, 2};
    for (int p = 0; p < N; p++)
        if (in_window(&corner, p % W, p / W)) s.seeds[p] = TILECUT_BACKGROUND;
    cut(&params, NULL);
    ck_assert_msg(wrong_pixels() <= N / 50, "and a stroke: %d wrong", wrong_pixels());
}

/* The pixels of an ellipse that fits a box. */
static int64_t ellipse_in(const tc_window *box)
{
    int64_t sum = 0;
    for (int y = 0; y < box->height; y++)
        for (int x = 0; x < box->width; x++) {
            const double u = (2 * x + 1.0 - box->width) / box->width, v = (2 * y + 1.0 - box->height) / box->height;
            sum += u * u + v * v <= 1;
        }
    return sum;
}

/* On a background of one colour, and in tiny boxes, object and background cannot be separated. The mask is then the
 * ellipse in the box, for one call and for a graph, at every effort. Only where a side has less than four pixels it is
 * nearly all of the box. By day each box is cut with one effort. */
TEST(a_box_that_tells_nothing_has_an_ellipse)
{
    static const int sides[][2] = {{1, 1}, {2, 2}, {9, 1}, {4, 4}, {8, 5}, {30, 20}};
    uint64_t state = 3;
    for (int i = 0; i < 6; i++)
        for (int effort = 1; effort <= 3; effort++) {
            if (RANDOM_TIMES == 1 && effort != 1 + i % 3) continue;
            const tilecut_params params = {.effort = effort, .threads = effort};
            const tc_window box = {20 + 3 * i, 30, sides[i][0], sides[i][1]};
            tilecut_report report = {.size = sizeof report};
            tilecut_graph *graph;
            draw(&s, &state, 8);
            memset(s.pixels, 90, sizeof s.pixels);
            set_box(&s, box, TILECUT_OUTSIDE);
            cut(&params, &report);
            ck_assert_int_eq(report.foreground, ellipse_in(&box));
            ck_assert(i < 3 || report.doubted == report.foreground);
            ck_assert_int_eq(count(mask), ellipse_in(&box));
            ck_assert(i < 3 || (double)ellipse_in(&box) < 0.9 * box.width * box.height);
            ck_assert(i < 3 || mask[W * box.y + box.x] == 0);
            ck_assert_int_eq(report.flow, report.cut);
            ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
            ck_assert_int_eq(tilecut_graph_segment(graph, &params, other, &report), TILECUT_OK);
            ck_assert_mem_eq(other, mask, N);
            tilecut_graph_destroy(graph);
            if (i < 3 || effort < 3) continue;
            s.seeds[0] = TILECUT_BACKGROUND; /* a stroke of background elsewhere takes nothing away */
            cut(&params, &report);
            ck_assert_msg(!memcmp(other, mask, N), "with a stroke: %d of %d", count(mask), count(other));
        }
}

/* Compares the true mask, a full one, an empty one, and the background, for a square of one colour in a box on a
 * background of another. */
TEST(the_better_mask_looks_better)
{
    static const tc_window box = {30, 20, 60, 50}, object = {40, 30, 30, 30};
    tc_box_evidence truth, all, nothing, ground;
    s.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s.pixels};
    set_box(&s, box, TILECUT_OUTSIDE);
    for (int p = 0; p < N; p++) {
        mask[p] = in_window(&object, p % W, p / W) ? 255 : 0;
        memset(s.pixels + 3 * p, mask[p] ? 200 : 90, 3);
    }
    ck_assert(tc_box_look(&s.image, s.seeds, mask, 4, &truth));
    ck_assert(truth.filled == 0.3 && truth.ring == 0 && truth.edge == 330);
    for (int p = 0; p < N; p++) mask[p] = in_window(&box, p % W, p / W) && !mask[p] ? 255 : 0;
    ck_assert(tc_box_look(&s.image, s.seeds, mask, 4, &ground));
    ck_assert(ground.filled == 0.7 && ground.ring == 1 && ground.edge == 330);
    for (int p = 0; p < N; p++) mask[p] = in_window(&box, p % W, p / W) ? 255 : 0;
    ck_assert(tc_box_look(&s.image, s.seeds, mask, 4, &all));
    ck_assert(all.filled == 1 && all.ring == 0.7 && all.edge == 0);
    memset(mask, 0, N);
    ck_assert(tc_box_look(&s.image, s.seeds, mask, 4, &nothing));
    ck_assert(nothing.filled == 0 && nothing.ring == 0 && nothing.edge == 0);
    ck_assert(tc_box_is_better(&truth, &ground) && !tc_box_is_better(&ground, &truth));
    ck_assert(tc_box_is_better(&truth, &all) && tc_box_is_better(&ground, &nothing));
    ck_assert(!tc_box_is_better(&all, &ground) && !tc_box_is_better(&nothing, &truth));
    ck_assert(!tc_box_is_better(&truth, &truth));
}

/* ---- The border -------------------------------------------------------------------------------- */

/* Draws a striped object that touches the lower border, and a box that ends `short_of` pixels above the border. */
static void draw_at_border(int short_of)
{
    uint64_t state = 3;
    draw(&s, &state, 8);
    for (int y = 0; y < H / 2; y++) { /* mirrors the upper half, so that the lower half of the object is missing */
        memcpy(s.pixels + 3 * W * (H / 2 + y), s.pixels + 3 * W * y, 3 * W);
        memcpy(s.truth + W * (H / 2 + y), s.truth + W * y, W);
    }
    int y0 = H, x0 = W, x1 = 0;
    for (int p = N / 2; p < N; p++) {
        if (!s.truth[p]) continue;
        y0 = p / W < y0 ? p / W : y0, x0 = p % W < x0 ? p % W : x0, x1 = p % W > x1 ? p % W : x1;
    }
    set_box(&s, (tc_window){x0, y0, x1 - x0 + 1, H - short_of - y0}, TILECUT_OUTSIDE);
}

/* Every function must give the mask of a box that reaches the border. The same holds for an image in parts. */
TEST(a_side_near_the_border_is_the_border)
{
    const tilecut_params params = tilecut_params_default();
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    draw_at_border(0);
    cut(NULL, NULL);
    memcpy(other, mask, N);
    ck_assert_msg(wrong_pixels() < N, "no scene");
    draw_at_border(1);
    cut(NULL, NULL);
    ck_assert_mem_eq(mask, other, N);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(graph, &params, mask, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_reseed(session, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, &params, mask, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

/* In a photo of less than 50 columns, one column is far more than a hundredth. So the mask does not leave a box that is
 * one column away from the border, though the column has the object's colour. */
TEST(in_a_small_photo_a_side_near_the_border_stays)
{
    enum { SMALL = 40, LOW = 30 };
    static uint8_t pixels[SMALL * LOW], seeds[SMALL * LOW], small[SMALL * LOW];
    const tilecut_image image = {.width = SMALL, .height = LOW, .channels = 1, .depth = 8, .pixels = pixels};
    const tc_window box = {1, 10, 8, 8};
    for (int p = 0; p < SMALL * LOW; p++) {
        const int x = p % SMALL, y = p / SMALL;
        pixels[p] = x < 8 && y >= 10 && y < 17 ? 200 : 90;
        seeds[p] = in_window(&box, x, y) ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
    }
    ck_assert_int_eq(tilecut_segment(&image, seeds, NULL, small, NULL), TILECUT_OK);
    for (int p = 0; p < SMALL * LOW; p++)
        ck_assert_int_eq(small[p] != 0, pixels[p] == 200 && seeds[p] == TILECUT_UNKNOWN);
}

/* A side that is at most 2 columns of 128, or 1 row of 96, from the border moves to the border; other sides do not.
 * Strokes stay, and so does painted background. If less than a twenty-fifth of the image would then lie outside of the
 * box, a strip of 2 columns and 1 row stays outside. */
TEST(only_what_is_near_the_border_is_opened)
{
    tc_setup setup;
    uint64_t state = 5;
    ck_assert_int_eq(tc_setup_resolve(&setup, NULL), TILECUT_OK);
    for (int i = 0; i < 400; i++) {
        const int x0 = random_below(&state, 5), y0 = random_below(&state, 4);
        const int x1 = W - random_below(&state, 5), y1 = H - random_below(&state, 4);
        const bool half = random_below(&state, 2);
        const uint8_t outside = random_below(&state, 4) ? TILECUT_OUTSIDE : TILECUT_BACKGROUND;
        const tc_window box = {x0, y0, (half ? W / 2 : x1) - x0, y1 - y0};
        const bool moves = outside == TILECUT_OUTSIDE && (box.width < W || box.height < H);
        const int open = ((half ? W / 2 : W - x1 <= 2 ? W : x1) - (x0 <= 2 ? 0 : x0)) *
                         ((H - y1 <= 1 ? H : y1) - (y0 <= 1 ? 0 : y0));
        const int strip = N - open < N / 25, left = 2 * strip, top = strip;
        set_box(&s, box, outside);
        s.seeds[0] = TILECUT_BACKGROUND;
        tc_bytes rows = {.from = s.seeds, .width = W, .height = H};
        ck_assert_int_eq(tc_seeds_settle(&rows, &setup, NULL), TILECUT_OK);
        for (int p = 0; p < N; p++) {
            const int x = p % W, y = p / W;
            const bool in = x >= (moves && x0 <= 2 ? left : x0) && y >= (moves && y0 <= 1 ? top : y0) &&
                            x < (half ? W / 2 : moves && W - x1 <= 2 ? W - left : x1) &&
                            y < (moves && H - y1 <= 1 ? H - top : y1);
            const uint8_t expected = p == 0 ? TILECUT_BACKGROUND : in ? TILECUT_UNKNOWN : outside;
            ck_assert_msg(rows.from[p] == expected, "box %d,%d,%d,%d: %d at %d,%d", x0, y0, box.width, box.height,
                          rows.from[p], x, y);
        }
        tc_bytes_close(&rows, false);
    }
}

int main(void) { return run_suite((test_suite){.name = "box_fit"}); }
