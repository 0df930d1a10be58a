/* SPDX-License-Identifier: MIT
 *
 * test_refine.c - starting from a mask: its outline is moved if it is off all around, and strokes correct the result.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"
#include "prior_fit.h"

enum { WIDTH = 150, HEIGHT = 130, N = WIDTH * HEIGHT };

typedef struct scene {
    tilecut_image image;
    uint8_t pixels[3 * N], truth[N], prior[N], seeds[N];
} scene;

/* Draws a disc of another colour on noise, and a prior mask whose outline is `off` pixels farther out. */
static void draw_scene(scene *s, uint64_t seed, int off)
{
    uint64_t state = seed;
    *s = (scene){.image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8}};
    s->image.pixels = s->pixels;
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 70, y = p / WIDTH - 60, far = x * x + y * y;
        s->truth[p] = far <= 40 * 40 ? 255 : 0;
        s->prior[p] = far <= (40 + off) * (40 + off) ? 255 : 0;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)((s->truth[p] ? 90 + 40 * c : 150 - 30 * c) + random_below(&state, 50));
    }
}

static tilecut_params params_of(const scene *s)
{
    return (tilecut_params){.size = sizeof(tilecut_params), .prior = s->prior};
}

static void paint(uint8_t *seeds, int x, int y, int radius, uint8_t label)
{
    for (int p = 0; p < N; p++) {
        const int dx = p % WIDTH - x, dy = p / WIDTH - y;
        if (dx * dx + dy * dy <= radius * radius) seeds[p] = label;
    }
}

/* ---- The move --------------------------------------------------------------------------------- */

TEST(an_outline_moves_by_whole_pixels)
{
    enum { SIDE = 60 };
    static uint8_t prior[SIDE * SIDE];
    for (int by = -20; by <= 20; by++) {
        int bad = 0;
        for (int p = 0; p < SIDE * SIDE; p++) prior[p] = p % SIDE < 30 ? 200 : 30;
        ck_assert_int_eq(tc_prior_move(prior, SIDE, SIDE, by), TILECUT_OK);
        for (int p = 0; p < SIDE * SIDE; p++) {
            const int x = p % SIDE, sure = x < 30 ? 200 : 30;
            bad += prior[p] != ((x < 30 + by) == (x < 30) ? sure : 255 - sure);
        }
        ck_assert_int_eq(bad, 0);
    }
}

TEST(an_outline_that_is_off_all_around_is_found)
{
    static const int offs[] = {-25, -15, -6, 0, 6, 15, 25};
    static scene s;
    static uint8_t mask[N];
    for (size_t i = 0; i < sizeof offs / sizeof *offs; i++) {
        draw_scene(&s, 5 + i, offs[i]);
        const tilecut_params params = params_of(&s);
        tilecut_graph *graph;
        int by;
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
        ck_assert_int_eq(tc_prior_fit(graph, &by), TILECUT_OK);
        ck_assert_msg(abs(by + offs[i]) <= 2, "off by %d, moved by %d", offs[i], by);
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
        ck_assert_msg(count_unequal(mask, s.truth, N) < 20, "off by %d: %d pixels are wrong", offs[i],
                      count_unequal(mask, s.truth, N));
        tilecut_graph_destroy(graph);
    }
}

TEST(without_colours_an_outline_stays)
{
    static scene s;
    tilecut_graph *graph;
    int by = 1;
    draw_scene(&s, 3, -15);
    tilecut_params params = params_of(&s);
    params.colors = "none";
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tc_prior_fit(graph, &by), TILECUT_OK);
    ck_assert_int_eq(by, 0);
    tilecut_graph_destroy(graph);
}

/* ---- Strokes ---------------------------------------------------------------------------------- */

/* Draws a disc whose right side has its own colours. The prior mask misses that side. */
static void draw_in_two_colours(scene *s)
{
    uint64_t state = 11;
    draw_scene(s, 7, 0);
    for (int p = 0; p < N; p++) {
        if (p % WIDTH <= 80) continue;
        s->prior[p] = 0;
        for (int c = 0; c < 3 && s->truth[p]; c++)
            s->pixels[3 * p + c] = (uint8_t)((c == 2 ? 20 : 190) + random_below(&state, 50));
    }
}

TEST(a_missing_part_comes_with_one_stroke)
{
    static scene s;
    static uint8_t mask[N], before[N];
    draw_in_two_colours(&s);
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, before, NULL), TILECUT_OK);
    ck_assert_int_gt(count_unequal(before, s.truth, N), 500);
    paint(s.seeds, 95, 60, 4, TILECUT_FOREGROUND);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert_msg(count_unequal(mask, s.truth, N) < 50, "%d pixels are wrong, %d before",
                  count_unequal(mask, s.truth, N), count_unequal(before, s.truth, N));
}

/* Draws a disc with a thin tail whose colours also occur in the background. The prior mask lacks the tail. */
static void draw_with_a_tail(scene *s, uint64_t seed)
{
    static const int color[3][3] = {{150, 120, 90}, {90, 75, 60}, {170, 160, 120}};
    uint64_t state = seed;
    uint8_t cell[(HEIGHT / 4 + 1) * (WIDTH / 4 + 1)];
    *s = (scene){.image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8}};
    s->image.pixels = s->pixels;
    for (size_t i = 0; i < sizeof cell; i++) cell[i] = (uint8_t)random_below(&state, 100);
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 70, y = p / WIDTH - 22;
        const int kind = cell[(p / WIDTH / 4) * (WIDTH / 4 + 1) + p % WIDTH / 4];
        s->prior[p] = x * x + y * y <= 18 * 18 ? 255 : 0;
        s->truth[p] = s->prior[p] || (x >= -2 && x <= 2 && y >= 0 && y <= 98) ? 255 : 0;
        const int *const of = color[s->truth[p] ? kind < 40 ? 0 : kind < 60 ? 1 : 2 : kind < 15];
        for (int c = 0; c < 3; c++) s->pixels[3 * p + c] = (uint8_t)(of[c] + random_below(&state, 30));
    }
}

/* Strokes along the tail, one after the other and far from the mask, do not add what lies beside the tail. */
LOOP_TEST(strokes_along_a_limb_spoil_nothing, 0, RANDOM_LOOPS(6))
{
    static const int rows[] = {50, 70, 90, 115};
    static scene s;
    static uint8_t mask[N];
    draw_with_a_tail(&s, (uint64_t)_i + 1);
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    const int before = count_unequal(mask, s.truth, N);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        paint(s.seeds, 70, rows[i], 2, TILECUT_FOREGROUND);
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
        ck_assert_msg(count_unequal(mask, s.truth, N) < before + N / 200,
                      "seed %d, %zu strokes: %d pixels are wrong, %d before",
                      _i + 1, i + 1, count_unequal(mask, s.truth, N), before);
    }
}

TEST(a_stroke_that_agrees_changes_nothing)
{
    static scene s;
    static uint8_t mask[N], before[N];
    draw_scene(&s, 8, 3);
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, before, NULL), TILECUT_OK);
    paint(s.seeds, 70, 60, 5, TILECUT_FOREGROUND);
    paint(s.seeds, 10, 10, 5, TILECUT_BACKGROUND);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert(memcmp(mask, before, N) == 0);
}

/* ---- Sessions --------------------------------------------------------------------------------- */

/* Strokes have corrected the mask of this graph, and the graph fixes pixels outside of their reach. A stroke in a
 * session may still change them. */
TEST(a_session_goes_on_from_a_corrected_mask)
{
    static scene s;
    static uint8_t mask[N], painted[81];
    tilecut_graph *graph;
    tilecut_session *session;
    tilecut_change change = {0};
    draw_in_two_colours(&s);
    paint(s.seeds, 40, 60, 3, TILECUT_FOREGROUND);
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(graph, &params, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_begin(session, mask, NULL), TILECUT_OK);
    memset(painted, 1, sizeof painted);
    const tilecut_stroke stroke = {.x = 91, .y = 56, .width = 9, .height = 9, .label = TILECUT_FOREGROUND,
                                   .painted = painted};
    ck_assert_int_eq(tilecut_session_stroke(session, &stroke, NULL, mask, &change, NULL), TILECUT_OK);
    ck_assert_int_gt(change.pixels, 500);
    ck_assert_int_lt(count_unequal(mask, s.truth, N), 50);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

/* ---- Crumbs ----------------------------------------------------------------------------------- */

/* Adds specks and holes in the other colour, far from the prior mask's outline, with `side` pixels a side. */
static void add_specks(scene *s, int side)
{
    /* two places outside of the mask and two inside */
    static const int at[4][2] = {{130, 110}, {12, 112}, {70, 60}, {50, 70}};
    uint64_t state = 77;
    for (int i = 0; i < 4; i++)
        for (int y = at[i][1]; y < at[i][1] + side; y++)
            for (int x = at[i][0]; x < at[i][0] + side; x++)
                for (int c = 0; c < 3; c++)
                    s->pixels[3 * (y * WIDTH + x) + c] =
                        (uint8_t)((i < 2 ? 90 + 40 * c : 150 - 30 * c) + random_below(&state, 50));
}

/* Counts the connected regions that have `label` in `mask` but not in the prior mask. *largest is the number of pixels
 * of the largest one. */
static int strangers(const scene *s, const uint8_t *mask, bool foreground, int *largest)
{
    static bool seen[N];
    static int stack[4 * N];
    int count = 0;
    *largest = 0;
    memset(seen, 0, sizeof seen);
    for (int p = 0; p < N; p++) {
        int top = 0, size = 0;
        bool strange = true;
        stack[top++] = p;
        while (top) {
            const int q = stack[--top];
            if (seen[q] || (mask[q] != 0) != foreground) continue;
            seen[q] = true;
            size++;
            strange &= (s->prior[q] != 0) != foreground;
            if (q % WIDTH > 0) stack[top++] = q - 1;
            if (q % WIDTH < WIDTH - 1) stack[top++] = q + 1;
            if (q >= WIDTH) stack[top++] = q - WIDTH;
            if (q < N - WIDTH) stack[top++] = q + WIDTH;
        }
        if (!size || !strange) continue;
        count++;
        *largest = size > *largest ? size : *largest;
    }
    return count;
}

/* Parts of a refined mask that are not connected to the prior mask return to the prior: islands of any size, and holes
 * of a few pixels. */
LOOP_TEST(specks_go_back_to_the_prior, 0, 2)
{
    enum { SIDE = 5, LARGE = 9 };
    static scene s;
    static uint8_t all[N], mask[N];
    int largest, changed = 0;
    tilecut_report report = {0};
    draw_scene(&s, 5, 3);
    add_specks(&s, _i ? LARGE : SIDE);
    tilecut_params params = params_of(&s);
    params.prior_weight = TILECUT_NONE; /* only the colours decide */
    params.islands = 1;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, all, &report), TILECUT_OK);
    ck_assert_int_eq(report.islands, 0);
    ck_assert_int_ge(strangers(&s, all, true, &largest), 2);
    ck_assert_int_ge(strangers(&s, all, false, &largest), 2);
    params.islands = 0;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
    ck_assert_int_eq(report.certified, 1);
    ck_assert_int_eq(strangers(&s, mask, true, &largest), 0);
    ck_assert_int_eq(strangers(&s, mask, false, &largest), _i ? 2 : 0);
    for (int p = 0; p < N; p++) {
        changed += mask[p] != all[p];
        if (mask[p] != all[p]) ck_assert_int_eq(mask[p], s.prior[p]);
    }
    ck_assert_int_eq(report.islands, changed);
}

/* An island with a seed is kept. */
TEST(a_stroke_keeps_what_it_is_painted_on)
{
    static scene s;
    static uint8_t mask[N];
    draw_scene(&s, 5, 3);
    add_specks(&s, 5);
    paint(s.seeds, 132, 112, 1, TILECUT_FOREGROUND);
    tilecut_params params = params_of(&s);
    params.prior_weight = 0.3;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(mask[112 * WIDTH + 132], 255);
    ck_assert_int_eq(mask[114 * WIDTH + 14], 0);
}

/* A mask of blocks with the values 0 and 255 shows the size of its blocks. It is refined as if that size were given. */
LOOP_TEST(the_cells_of_blocks_are_found, 6, 13)
{
    static scene s;
    static uint8_t found[N], told[N];
    tilecut_params p = params_of(&s);
    draw_scene(&s, 7, 0);
    for (int q = 0; q < N; q++) {
        const int x = q % WIDTH / _i * _i + _i / 2 - 70, y = q / WIDTH / _i * _i + _i / 2 - 60;
        s.prior[q] = x * x + y * y <= 40 * 40 ? 255 : 0;
    }
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &p, found, NULL), TILECUT_OK);
    p.prior_reach = _i / 2.0;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &p, told, NULL), TILECUT_OK);
    ck_assert_int_lt(count_unequal(told, s.truth, N), count_unequal(s.prior, s.truth, N) / 2);
    ck_assert_int_le(count_unequal(found, s.truth, N), count_unequal(told, s.truth, N) + N / 1000);
}

/* The distance from pixel p to the nearest pixel with another value, at most 12. */
static double away_from_other(const uint8_t *values, int p)
{
    int least = 12 * 12;
    for (int dy = -12; dy <= 12; dy++)
        for (int dx = -12; dx <= 12; dx++) {
            const int x = p % WIDTH + dx, y = p / WIDTH + dy, d = dx * dx + dy * dy;
            if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT || d >= least) continue;
            if ((values[y * WIDTH + x] >= 128) != (values[p] >= 128)) least = d;
        }
    return sqrt(least);
}

/* With a reach of N pixels, N rows of pixels may change along a straight outline, and no more; so says the report. */
LOOP_TEST(an_outline_moves_by_the_reach_at_most, 1, 5)
{
    static scene s;
    static uint8_t mask[N];
    tilecut_moved moved = {.size = sizeof moved};
    double most = 0;
    draw_scene(&s, 7, 9);
    tilecut_params params = params_of(&s);
    params.prior_reach = _i;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    for (int p = 0; p < N; p++)
        if (mask[p] != s.prior[p]) most = fmax(most, away_from_other(s.prior, p) - 0.5);
    ck_assert_msg(most <= _i && most > _i - 1, "%g pixels of %d", most, _i);
    ck_assert_int_eq(tilecut_outline_moved(&s.image, s.prior, mask, &moved), TILECUT_OK);
    ck_assert_msg(moved.most <= _i, "reported: %g pixels of %d", moved.most, _i);
}

/* A correct mask is returned unchanged. A mask that is off by two pixels along a smooth outline is corrected. */
TEST(a_mask_moves_no_farther_than_it_is_off)
{
    static scene s;
    static uint8_t mask[N];
    for (int off = 0; off <= 2; off += 2) {
        draw_scene(&s, 7, off);
        tilecut_params params = params_of(&s);
        params.prior_weight = 0.3;
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
        if (!off) ck_assert_int_eq(count_unequal(mask, s.truth, N), 0);
        else ck_assert_int_lt(4 * count_unequal(mask, s.truth, N), count_unequal(s.prior, s.truth, N));
    }
}

/* Draws a disc with a bar to its right, whose colours are those of the ground at the bottom, too. The mask has both.
 * The bar's edges are spread over `soft` pixels, as if it had moved. */
static void draw_with_bar(scene *s, int soft)
{
    uint64_t state = 5;
    draw_scene(s, 5, 0);
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH, y = p / WIDTH, across = abs(2 * y - 119), along = abs(2 * x - 244);
        const int depth = 24 - across < 35 - along ? 24 - across : 35 - along; /* distance from the edge of the bar, in
                                                                                  halves of a pixel */
        const double part = 0.5 + depth / (2.0 * soft), share = fmin(fmax(part, 0), 1);
        if (s->truth[p]) continue;
        if (depth > 0) s->truth[p] = s->prior[p] = 255;
        for (int c = 0; c < 3; c++) {
            const double level = y >= 108 ? 60 : share * 60 + (1 - share) * (150 - 30 * c);
            s->pixels[3 * p + c] = (uint8_t)(level + (double)random_below(&state, 50));
        }
    }
}

static void check_truth_comes_back(const scene *s, double reach)
{
    static uint8_t mask[N];
    tilecut_params params = params_of(s);
    params.prior_reach = reach;
    ck_assert_int_eq(tilecut_segment(&s->image, s->seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, s->truth, N);
}

/* The colours of the photo say that the bar is ground, and the edge between bar and disc is sharp. But the colours on
 * the two sides of the given outline differ, too, although they change too slowly for an edge. So the bar stays. */
LOOP_TEST(a_part_with_soft_edges_stays, 8, 20)
{
    static scene s;
    draw_with_bar(&s, _i);
    check_truth_comes_back(&s, 0);
}

/* A part whose colours go on across the outline of the mask is added, also if there is a groove from some row on. */
LOOP_TEST(a_missing_part_of_the_same_colours_is_added, 0, 4)
{
    static scene s;
    draw_scene(&s, 5, 0);
    for (int p = 0; p < N; p++) {
        const bool groove = s.truth[p] && p % WIDTH == 86 && p / WIDTH >= 66 + 11 * _i;
        if (p % WIDTH > 85) s.prior[p] = 0;
        for (int c = 0; c < 3 && groove; c++) s.pixels[3 * p + c] -= 60;
    }
    check_truth_comes_back(&s, 0);
}

/* A disc with waves, in a skin three pixels thick that the mask has, too. The skin's inner edge is sharper than its
 * outer one, but not by so much that the outline should move, also if the caller says that it may be off by more. */
LOOP_TEST(an_outline_does_not_move_to_the_next_edge, 0, 2)
{
    static scene s;
    uint64_t state = 3;
    draw_scene(&s, 3, 0);
    for (int p = 0; p < N; p++) {
        const double x = p % WIDTH - 70, y = p / WIDTH - 60, far = sqrt(x * x + y * y) - 2 * sin(10 * atan2(y, x));
        s.truth[p] = s.prior[p] = far <= 40 ? 255 : 0;
        const int level = far > 40 ? 150 : far > 37 ? 125 : 160;
        for (int c = 0; c < 3; c++) s.pixels[3 * p + c] = (uint8_t)(level - 30 * c + (int)random_below(&state, 50));
    }
    check_truth_comes_back(&s, 6 * _i);
}

/* Colours learnt from a mask on noise give an empty mask if it is small, and a full one if it is large. Neither is
 * believed, so the mask stays. */
LOOP_TEST(a_mask_that_teaches_nothing_stays, 0, 2)
{
    const int radius = _i ? 55 : 25;
    static scene s;
    static uint8_t mask[N];
    tilecut_report report = {.size = sizeof report};
    uint64_t state = 7;
    draw_scene(&s, 7, radius - 40);
    for (int b = 0; b < 3 * N; b++) s.pixels[b] = (uint8_t)(100 + random_below(&state, 50));
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
    ck_assert_mem_eq(mask, s.prior, N);
    ck_assert_int_gt(report.doubted, N / 20);
    ck_assert_int_eq(report.certified, 1);
    paint(s.seeds, 70, 60, 3, TILECUT_FOREGROUND);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
    for (int p = 0; p < N; p++) ck_assert_int_ge(mask[p], s.prior[p]);
    ck_assert_int_gt(report.doubted, N / 20);
}

/* A slab of ground beside the object is taken out of the mask. But if less than a quarter of the mask would be left,
 * what was learnt from it is not believed. */
LOOP_TEST(parts_leave_a_quarter_of_the_mask, 0, 2)
{
    const int right = _i ? 149 : 110;
    static scene s;
    static uint8_t mask[N];
    tilecut_graph *graph;
    tc_edges edges;
    int64_t doubted;
    int32_t taken;
    draw_scene(&s, 9, -22);
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH, y = p / WIDTH;
        if (s.truth[p] && !s.prior[p]) memcpy(&s.pixels[3 * p], s.pixels, 3); /* the object is the smaller disc */
        s.truth[p] = mask[p] = s.prior[p];
        if (x >= 70 && x < right && abs(y - 60) < 25) mask[p] = 255;
    }
    memcpy(s.prior, mask, N);
    const int slab = count_unequal(mask, s.truth, N);
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tc_edges_find(graph, &s.image, mask, &edges), TILECUT_OK);
    uint8_t *const offer = s.truth;
    ck_assert_int_eq(tc_choose_parts(&edges, offer, mask, &taken, &doubted), TILECUT_OK);
    ck_assert_int_eq(taken, !_i);
    ck_assert_int_eq(doubted, _i ? slab : 0);
    ck_assert_int_eq(count_unequal(mask, s.prior, N), _i ? 0 : slab);
    tc_edges_free(&edges);
    tilecut_graph_destroy(graph);
}

/* A part that hangs on the mask along an outline which is a groove in part is added, but not if it is larger than the
 * mask was before. Without the groove it is. */
LOOP_TEST(a_part_larger_than_the_mask_needs_an_open_outline, 0, 4)
{
    const bool larger = _i & 1, grooved = _i & 2;
    const int last = larger ? 60 : 80;
    static scene s;
    tilecut_graph *graph;
    tc_edges edges;
    int64_t doubted;
    int32_t taken;
    draw_scene(&s, 5, 0);
    for (int p = 0; p < N; p++) {
        const bool groove = grooved && s.truth[p] && p % WIDTH == last + 1 && p / WIDTH >= 72;
        if (p % WIDTH > last) s.prior[p] = 0;
        for (int c = 0; c < 3 && groove; c++) s.pixels[3 * p + c] -= 60;
    }
    const tilecut_params params = params_of(&s);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tc_edges_find(graph, &s.image, s.prior, &edges), TILECUT_OK);
    ck_assert_int_eq(tc_choose_parts(&edges, s.truth, s.prior, &taken, &doubted), TILECUT_OK);
    ck_assert_int_eq(taken, !larger || !grooved);
    tc_edges_free(&edges);
    tilecut_graph_destroy(graph);
}

int main(void) { return run_suite((test_suite){.name = "refine", .seconds = 300}); }
