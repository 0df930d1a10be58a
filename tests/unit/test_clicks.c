/* SPDX-License-Identifier: MIT
 *
 * test_clicks.c - clicks of both classes, with the image border as background. The evidence of each click is compared
 * with distances known in closed form, and with what the cut pays; then the masks are checked.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "click_sizes.h"
#include "energy.h"
#include "nearness.h"
#include "random_graph.h"
#include "reach.h"
#include "run_suite.h"
#include "segment.h"
#include "solve.h"

/* ---- Levels ------------------------------------------------------------------------------------ */

enum { LENGTH = 60 };

/* Returns the length of the only shortest path from pixel a to pixel b: along the row. */
static double along(const uint8_t *row, int a, int b)
{
    double sum = 0;
    for (int x = a < b ? a : b; x < (a < b ? b : a); x++) sum += TC_REACH_STEP + abs(row[x + 1] - row[x]);
    return sum;
}

static double nearest(const uint8_t *row, const uint8_t *seeds, int x, uint8_t label)
{
    double best = INFINITY;
    for (int i = 0; i < LENGTH; i++)
        if (seeds[i] == label) best = fmin(best, along(row, i, x));
    return best;
}

/* The formula that reach.h describes in words. */
static double evidence(double f, double b)
{
    if (isinf(f) && isinf(b)) return 0;
    const double side = isinf(b) ? 1 : isinf(f) ? -1 : f == b ? 0 : (b - f) / (b + f);
    return TC_EVIDENCE_NATS * side * exp(-fmin(f, b) / TC_EVIDENCE_FADES);
}

LOOP_TEST(levels_say_what_the_nearest_strokes_say, 0, 24)
{
    uint64_t state = 11 + (uint64_t)_i;
    uint8_t row[LENGTH], seeds[LENGTH] = {0}, guess[LENGTH];
    const tilecut_image image = {.width = LENGTH, .height = 1, .channels = 1, .depth = 8, .pixels = row};
    for (int x = 0; x < LENGTH; x++) row[x] = (uint8_t)random_below(&state, 1 + 8 * _i);
    seeds[0] = seeds[LENGTH - 1] = TILECUT_OUTSIDE;
    for (int i = 0; i < 1 + _i; i++)
        seeds[1 + random_below(&state, LENGTH - 2)] = i % 2 ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
    seeds[20] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tc_reach(&image, seeds, guess), TILECUT_OK);
    for (int x = 0; x < LENGTH; x++) {
        const double f = nearest(row, seeds, x, TILECUT_FOREGROUND), b = nearest(row, seeds, x, TILECUT_BACKGROUND);
        const double all = fmin(b, nearest(row, seeds, x, TILECUT_OUTSIDE));
        ck_assert_int_eq(guess[x] & 1, f < all);
        ck_assert_double_le(fabs(tc_evidence_favour(guess[x] >> 1) - evidence(f, b)),
                            0.51 * TC_EVIDENCE_NATS / TC_EVIDENCE_MIDDLE);
    }
}

/* ---- Capacities -------------------------------------------------------------------------------- */

enum { SIDE = 8 };

/* With levels, the terminals of pixels without seeds change by the cost of the level of their cell. */
TEST(levels_are_what_the_cut_pays)
{
    uint8_t pixels[SIDE * SIDE], seeds[SIDE * SIDE] = {0}, guess[SIDE * SIDE / 4];
    const tilecut_image image = {.width = SIDE, .height = SIDE, .channels = 1, .depth = 8, .pixels = pixels};
    int32_t with[2][SIDE], without[2][SIDE];
    tc_energy energy[2];
    tc_setup setup;
    for (int p = 0; p < SIDE * SIDE; p++) pixels[p] = (uint8_t)(p % SIDE < 4 ? 200 : 60), seeds[p] = p < SIDE ? 3 : 0;
    for (int p = 0; p < SIDE * SIDE / 4; p++) guess[p] = (uint8_t)(2 * (p * 8 % TC_EVIDENCE_LEVELS) + (p % 4 < 2));
    ck_assert_int_eq(tc_setup_resolve(&setup, NULL), TILECUT_OK);
    setup.guess = guess;
    setup.guess_width = setup.guess_height = SIDE / 2;
    setup.guess_of_all = true;
    for (int i = 0; i < 2; i++) {
        setup.guess_has_evidence = i == 1;
        ck_assert_int_eq(tc_energy_init(&energy[i], &image, seeds, &setup), TILECUT_OK);
    }
    for (int y = 1; y < SIDE; y++) {
        tc_energy_terminals(&energy[0], y, seeds + y * SIDE, without[0], without[1]);
        tc_energy_terminals(&energy[1], y, seeds + y * SIDE, with[0], with[1]);
        for (int x = 0; x < SIDE; x++) {
            const double favour = tc_evidence_favour(guess[y / 2 * (SIDE / 2) + x / 2] >> 1);
            const double before = (without[0][x] - without[1][x]) * energy[0].quantum;
            const double after = (with[0][x] - with[1][x]) * energy[1].quantum;
            ck_assert_double_le(fabs(after - before - favour), 4 * (energy[0].quantum + energy[1].quantum));
        }
    }
    for (int i = 0; i < 2; i++) tc_energy_free(&energy[i]);
}

/* ---- Masks ------------------------------------------------------------------------------------- */

enum { W = 96, H = 72, N = W * H };

typedef struct scene {
    uint8_t pixels[3 * N], seeds[N], truth[N];
    tilecut_image image;
} scene;

static bool inside(int p, int x, int y, int radius)
{
    const int dx = p % W - x, dy = p / W - y;
    return dx * dx + dy * dy <= radius * radius;
}

static void click(scene *s, int x, int y, uint8_t label)
{
    for (int p = 0; p < N; p++)
        if (inside(p, x, y, 2)) s->seeds[p] = label;
}

/* Draws a disc, red with a yellow centre, on grass, sky and sand. A border of one pixel is marked as outside. */
static void scene_init(scene *s)
{
    static const int of[5][3] = {{190, 50, 40}, {210, 190, 60}, {60, 150, 50}, {120, 170, 220}, {200, 170, 130}};
    uint64_t noise = 5;
    memset(s, 0, sizeof *s);
    s->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s->pixels};
    for (int p = 0; p < N; p++) {
        s->truth[p] = inside(p, 44, 36, 18) ? 255 : 0;
        const int *const color = of[inside(p, 44, 36, 8) ? 1 : s->truth[p] ? 0 : p / W > 50 ? 2 : p % W < 60 ? 3 : 4];
        for (int c = 0; c < 3; c++) s->pixels[3 * p + c] = (uint8_t)(color[c] + random_below(&noise, 24));
        if (p % W == 0 || p % W == W - 1 || p / W == 0 || p / W == H - 1) s->seeds[p] = TILECUT_OUTSIDE;
    }
}

static int wrong(const scene *s)
{
    static uint8_t mask[N];
    tilecut_report report = {0};
    int sum = 0;
    ck_assert_int_eq(tilecut_segment(&s->image, s->seeds, NULL, mask, &report), TILECUT_OK);
    ck_assert_int_eq(report.certified, 1);
    for (int p = 0; p < N; p++) {
        if (s->seeds[p] == TILECUT_FOREGROUND) ck_assert_int_eq(mask[p], 255);
        else if (s->seeds[p] != TILECUT_UNKNOWN) ck_assert_int_eq(mask[p], 0);
        sum += mask[p] != s->truth[p];
    }
    return sum;
}

/* A click on one part of the background does not turn the other parts into object, though no click has named their
 * colours. */
LOOP_TEST(a_click_on_the_background_leaves_what_the_border_says, 0, 3)
{
    static const int at[3][2] = {{20, 64}, {10, 10}, {84, 20}};
    static scene s;
    scene_init(&s);
    click(&s, 44, 24, TILECUT_FOREGROUND);
    click(&s, 44, 36, TILECUT_FOREGROUND);
    click(&s, at[_i][0], at[_i][1], TILECUT_BACKGROUND);
    ck_assert_int_le(wrong(&s), N / 100);
}

/* Two halves have one colour. Each pixel gets the label of the nearer click. */
TEST(clicks_part_what_colours_cannot)
{
    static scene s;
    static uint8_t mask[N];
    tilecut_report report = {0};
    scene_init(&s);
    for (int p = 0; p < N; p++)
        /* paints a second red disc, which touches the first one */
        if (inside(p, 74, 36, 12)) memcpy(s.pixels + 3 * p, s.pixels + 3 * (24 * W + 44), 3);
    click(&s, 44, 24, TILECUT_FOREGROUND);
    click(&s, 44, 36, TILECUT_FOREGROUND);
    click(&s, 74, 36, TILECUT_BACKGROUND);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, &report), TILECUT_OK);
    int near_fg = 0, near_bg = 0;
    for (int p = 0; p < N; p++) {
        near_fg += inside(p, 44, 24, 5) && !mask[p];
        near_bg += inside(p, 74, 36, 5) && mask[p];
    }
    ck_assert_int_eq(near_fg, 0);
    ck_assert_int_eq(near_bg, 0);
}

/* ---- Sizes ------------------------------------------------------------------------------------- */

/* Draws a bright disc on a darker background, and a click in its middle. */
static void disc_init(scene *s)
{
    uint64_t noise = 9;
    scene_init(s);
    for (int p = 0; p < N; p++) {
        s->truth[p] = inside(p, 44, 36, 12) ? 255 : 0;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)((s->truth[p] ? 200 : 90) + random_below(&noise, 8));
    }
    click(s, 44, 36, TILECUT_FOREGROUND);
}

static tilecut_status cut_whole(const void *context, const tilecut_graph *graph, uint8_t *mask)
{
    tilecut_report result = {0};
    return tc_solve(graph, context, NULL, mask, NULL, &result);
}

/* If the mask is the whole image, trying several sizes finds the disc. If the mask is already the disc, it stays. */
TEST(a_flood_is_replaced_and_a_right_mask_is_not)
{
    static scene s;
    static uint8_t mask[N], guess[N];
    tc_setup setup;
    int off = 0;
    bool better;
    ck_assert_int_eq(tc_setup_resolve(&setup, NULL), TILECUT_OK);
    disc_init(&s);
    const tc_click_cells cells = {.image = s.image, .seeds = s.seeds, .threads = 3};
    for (int p = 0; p < N; p++) mask[p] = s.seeds[p] == TILECUT_OUTSIDE ? 0 : 255;
    ck_assert_int_eq(tc_guess_by_sizes(&cells, cut_whole, &setup, mask, guess, &better), TILECUT_OK);
    ck_assert(better);
    for (int p = 0; p < N; p++) {
        off += (guess[p] & 1) != (s.truth[p] != 0);
        const double favour = tc_evidence_favour(guess[p] >> 1);
        ck_assert(guess[p] & 1 ? favour > 0 : favour < 0);
    }
    ck_assert_int_le(off, N / 100);
    ck_assert_int_eq(tc_guess_by_sizes(&cells, cut_whole, &setup, s.truth, guess, &better), TILECUT_OK);
    ck_assert(!better);
}

/* A mask that floods the image is also replaced after several clicks, one of them on background that the mask wrongly
 * includes. All clicks get their label. */
LOOP_TEST(a_flood_is_replaced_after_several_clicks, 0, 3)
{
    static const int at[3][2] = {{40, 30}, {49, 41}, {52, 34}};
    static scene s;
    static uint8_t mask[N], guess[N];
    tc_setup setup;
    int off = 0;
    bool better;
    ck_assert_int_eq(tc_setup_resolve(&setup, NULL), TILECUT_OK);
    disc_init(&s);
    const tc_click_cells cells = {.image = s.image, .seeds = s.seeds};
    for (int i = 0; i <= _i; i++) click(&s, at[i][0], at[i][1], TILECUT_FOREGROUND);
    click(&s, 80, 60, TILECUT_BACKGROUND);
    ck_assert(tc_are_clicks(s.seeds, W, H));
    for (int p = 0; p < N; p++)
        mask[p] = s.seeds[p] == TILECUT_OUTSIDE || s.seeds[p] == TILECUT_BACKGROUND ? 0 : 255;
    ck_assert_int_eq(tc_guess_by_sizes(&cells, cut_whole, &setup, mask, guess, &better), TILECUT_OK);
    ck_assert(better);
    for (int p = 0; p < N; p++) {
        off += (guess[p] & 1) != (s.truth[p] != 0);
        if (s.seeds[p] != TILECUT_UNKNOWN) ck_assert_int_eq(guess[p] & 1, s.seeds[p] == TILECUT_FOREGROUND);
    }
    ck_assert_int_le(off, N / 100);
    memset(s.seeds, TILECUT_BACKGROUND, N);
    ck_assert(!tc_are_clicks(s.seeds, W, H));
}

TEST(one_click_is_one_small_place_alone)
{
    static scene s;
    disc_init(&s);
    ck_assert(tc_is_one_click(s.seeds, W, H));
    click(&s, 10, 10, TILECUT_BACKGROUND);
    ck_assert(!tc_is_one_click(s.seeds, W, H));
    click(&s, 10, 10, TILECUT_FOREGROUND);
    ck_assert(!tc_is_one_click(s.seeds, W, H));
    memset(s.seeds, TILECUT_UNKNOWN, N);
    ck_assert(!tc_is_one_click(s.seeds, W, H));
    memset(s.seeds, TILECUT_FOREGROUND, 2);
    ck_assert(!tc_is_one_click(s.seeds, W, H)); /* the click lies in the border, which is background */
}

int main(void) { return run_suite((test_suite){.name = "clicks"}); }
