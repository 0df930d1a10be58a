/* SPDX-License-Identifier: MIT
 *
 * test_even_ground.c - how far a stroke's even texture extends, compared with the definition, which adds squares until
 * nothing changes. Also a background stroke on a wall, which takes the whole wall and nothing of the picture that hangs
 * on it.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "even_ground.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_correct.h"

enum { W = 90, H = 62, N = W * H, SIDE = 4, ACROSS = 23, DOWN = 16, SQUARES = ACROSS * DOWN };

typedef struct scene {
    uint8_t pixels[3 * N], seeds[N], truth[N];
    tilecut_image image;
} scene;

/* Draws patches of a few colours, some of them rough and some fading. */
static void draw(scene *s, uint64_t *state)
{
    memset(s, 0, sizeof *s);
    s->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s->pixels};
    const int fade = random_below(state, 3), lines = 8 + random_below(state, 30);
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W, patch = x / lines + 3 * (y / lines), rough = patch % 3 ? 5 : 40;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)(60 + patch * 5 + fade * x / 4 + random_below(state, rough));
    }
    for (int i = 0; i < 4; i++) {
        const uint8_t label = i < 3 ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
        const int x = random_below(state, W - 12), y = random_below(state, H - 12);
        if (i < 3 || random_below(state, 2))
            for (int k = 0; k < 12; k++) s->seeds[(y + k) * W + x + k] = label;
    }
}

/* The mean colour of a square and the standard deviation of its pixels, in sixteenths of a level, rounded and
 * clamped. */
typedef struct about {
    int color[3], scatter;
    bool touched, object, even, shared;
} about;

static void look(const scene *s, int q, about *out)
{
    int64_t n = 0, sum[3] = {0}, squares = 0, spread;
    memset(out, 0, sizeof *out);
    for (int p = 0; p < N; p++) {
        if (p % W / SIDE + p / W / SIDE * ACROSS != q) continue;
        out->touched |= s->seeds[p] == TILECUT_BACKGROUND;
        out->object |= s->seeds[p] == TILECUT_FOREGROUND;
        n++;
        for (int c = 0; c < 3; c++) {
            const int level = s->pixels[3 * p + c];
            sum[c] += level;
            squares += level * level;
        }
    }
    spread = n * squares - sum[0] * sum[0] - sum[1] * sum[1] - sum[2] * sum[2];
    for (int c = 0; c < 3; c++) out->color[c] = (int)floor(16.0 * (double)sum[c] / (double)n + 0.5);
    while (3 * n * n * (out->scatter + 1) * (out->scatter + 1) <= 256 * spread) out->scatter++;
}

static bool apart(const about *a, const about *b, int levels)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) sum += pow((a->color[c] - b->color[c]) / 16.0, 2);
    return sum > 3.0 * levels * levels;
}

static bool beside(int a, int b)
{
    return abs(a % ACROSS - b % ACROSS) + abs(a / ACROSS - b / ACROSS) == 1;
}

/* True if a square next to an even one is also even. */
static bool goes_on(const about *of, int a, int b)
{
    for (int k = 0; k < SQUARES; k++) {
        const bool like = of[k].touched && 2 * of[b].scatter <= 3 * of[k].scatter + 64;
        if (like && !apart(&of[b], &of[k], apart(&of[a], &of[b], 2) ? 3 : 16)) return true;
    }
    return false;
}

/* Finds the even squares by definition: adds squares until nothing changes, then removes patches that contain
 * foreground strokes. */
static void expect(const scene *s, bool *even)
{
    static about of[SQUARES];
    for (int q = 0; q < SQUARES; q++) {
        look(s, q, &of[q]);
        of[q].even = of[q].touched &= of[q].scatter <= 8 * 16;
    }
    for (bool more = true; more;) {
        more = false;
        for (int a = 0; a < SQUARES; a++)
            for (int b = 0; b < SQUARES; b++)
                if (beside(a, b) && of[a].even && !of[b].even && goes_on(of, a, b)) of[b].even = more = true;
    }
    for (int q = 0; q < SQUARES; q++) of[q].shared = of[q].even && of[q].object;
    for (bool more = true; more;) {
        more = false;
        for (int a = 0; a < SQUARES; a++)
            for (int b = 0; b < SQUARES; b++)
                if (beside(a, b) && of[a].shared && of[b].even && !of[b].shared) of[b].shared = more = true;
    }
    for (int q = 0; q < SQUARES; q++) even[q] = of[q].even && !of[q].shared;
}

TEST(even_ground_is_what_the_definition_says)
{
    int some = 0;
    for (uint64_t seed = 1; seed <= 12 + RANDOM_CASES(30); seed++) {
        static scene s;
        static uint8_t got[N];
        bool even[SQUARES];
        uint64_t state = seed;
        draw(&s, &state);
        expect(&s, even);
        ck_assert_int_eq(tc_even_ground(&s.image, s.seeds, got), TILECUT_OK);
        for (int p = 0; p < N; p++) {
            ck_assert_msg(got[p] == even[p % W / SIDE + p / W / SIDE * ACROSS], "seed %llu, pixel %d",
                          (unsigned long long)seed, p);
            some += got[p] && s.seeds[p] != TILECUT_BACKGROUND;
        }
    }
    ck_assert_int_gt(some, N);
}

/* ---- A wall ------------------------------------------------------------------------------------ */

/* Draws a wall that fades, with a dark picture on it. */
static void draw_wall(scene *s, uint64_t *state)
{
    memset(s, 0, sizeof *s);
    s->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s->pixels};
    const int left = 20 + random_below(state, 20), top = 12 + random_below(state, 12), lamp = random_below(state, 12);
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W;
        s->truth[p] = x >= left && x < left + 30 && y >= top && y < top + 24 ? 255 : 0;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)((s->truth[p] ? 90 : 180 + lamp * x / W) + 9 * c + random_below(state, 7));
    }
}

/* The mask covers the picture and the wall up to some column. One short background stroke is painted on that wall. */
LOOP_TEST(a_stroke_on_a_wall_takes_all_of_it, 0, RANDOM_LOOPS(12))
{
    static scene s;
    static uint8_t mask[N];
    uint64_t state = (uint64_t)_i + 1;
    draw_wall(&s, &state);
    const int to = 50 + random_below(&state, 20), x = random_below(&state, 12), y = random_below(&state, H - 3);
    for (int p = 0; p < N; p++) mask[p] = s.truth[p] || p % W < to ? 255 : 0;
    for (int k = 0; k < 18; k++) s.seeds[(y + k / 6) * W + x + k % 6] = TILECUT_BACKGROUND;
    const int how = _i % 2 ? TILECUT_BY_LEARNING : TILECUT_BY_STROKES;
    if (_i % 2)
        for (int p = 0; p < N; p++)
            if (s.truth[p] && p / W == 30) s.seeds[p] = TILECUT_FOREGROUND;
    tilecut_corrected out = {0};
    ck_assert_int_eq(tilecut_correct(&s.image, s.seeds, NULL, how, mask, &out, NULL), TILECUT_OK);
    int wrong = 0;
    for (int p = 0; p < N; p++) wrong += (mask[p] != 0) != (s.truth[p] != 0);
    ck_assert_int_eq(out.added, 0);
    ck_assert_msg(wrong <= 60, "seed %d: %d pixels are wrong", _i + 1, wrong);
}

typedef struct rectangle {
    int x0, y0, x1, y1;
} rectangle;

static bool is_in(const rectangle *r, int p)
{
    return p % W >= r->x0 && p % W < r->x1 && p / W >= r->y0 && p / W < r->y1;
}

/* Corrects a rectangular mask on an even image by a background stroke `painted`. Returns the percentage of the mask
 * that is left. */
static int left_of(const rectangle *object, const rectangle *painted)
{
    static scene s;
    static uint8_t mask[N];
    uint64_t state = 3;
    int left = 0, all = 0;
    memset(&s, 0, sizeof s);
    s.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s.pixels};
    for (int p = 0; p < 3 * N; p++) s.pixels[p] = (uint8_t)(120 + random_below(&state, 7));
    for (int p = 0; p < N; p++) {
        all += is_in(object, p);
        mask[p] = is_in(object, p) ? 255 : 0;
        s.seeds[p] = is_in(painted, p) ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
    ck_assert_int_eq(tilecut_correct(&s.image, s.seeds, NULL, TILECUT_BY_STROKES, mask, NULL, NULL), TILECUT_OK);
    for (int p = 0; p < N; p++) left += mask[p] != 0;
    return 100 * left / all;
}

TEST(even_ground_is_not_deeper_than_the_stroke_lay_in_the_mask)
{
    const rectangle object = {20, 10, 75, 52};
    ck_assert_int_gt(left_of(&object, &(rectangle){22, 30, 28, 33}), 75);
    ck_assert_int_gt(left_of(&object, &(rectangle){30, 12, 60, 15}), 75);
    ck_assert_int_lt(left_of(&object, &(rectangle){45, 30, 51, 33}), 3);
}

/* Both strokes lie as deep in the mask as they can. A long line shows how far the even area extends; a click does
 * not. */
TEST(a_line_tells_how_much_even_ground_goes)
{
    const rectangle object = {4, 20, 86, 44};
    ck_assert_int_gt(left_of(&object, &(rectangle){6, 31, 22, 34}), 50);
    ck_assert_int_lt(left_of(&object, &(rectangle){6, 31, 62, 34}), 3);
    ck_assert_int_lt(left_of(&object, &(rectangle){16, 31, 22, 34}), 3);
}

int main(void) { return run_suite((test_suite){.name = "even_ground"}); }
