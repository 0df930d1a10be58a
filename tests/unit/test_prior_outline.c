/* SPDX-License-Identifier: MIT
 *
 * test_prior_outline.c - how far the outline of a mask may be off, on masks with a known answer: a disc at pixel
 * resolution, in cells, enlarged as blocks and smoothly, and a square.
 */
#include <stdlib.h>

#include "prior_outline.h"
#include "run_suite.h"

enum { WIDTH = 320, HEIGHT = 240, N = WIDTH * HEIGHT, CELL = 16 };

static const tc_nearness_lattice flat = {WIDTH, HEIGHT, 0, {1, 1, 1}};

static bool in_object(double x, double y)
{
    const double dx = x - 150, dy = y - 120, r = 60 + ((int)x / 3 * 7 + (int)y / 3 * 11) % 5;
    return dx * dx + dy * dy < r * r;
}

/* Returns the fraction of foreground in the cell with its corner at (x, y). */
static double share(int x, int y)
{
    int inside = 0;
    for (int j = 0; j < CELL; j++)
        for (int i = 0; i < CELL; i++) inside += in_object(x + i, y + j);
    return (double)inside / (CELL * CELL);
}

static double between(int x, int y)
{
    const double u = (x + 0.5) / CELL - 0.5, v = (y + 0.5) / CELL - 0.5;
    const int i = (int)(u + 10) - 10, j = (int)(v + 10) - 10;
    const double a = u - i, b = v - j;
    return (1 - b) * ((1 - a) * share(i * CELL, j * CELL) + a * share((i + 1) * CELL, j * CELL)) +
           b * ((1 - a) * share(i * CELL, (j + 1) * CELL) + a * share((i + 1) * CELL, (j + 1) * CELL));
}

enum { EXACT, BLOCKS, SMOOTH, SQUARE, KINDS, DECIDED };

static void draw(int kind, uint8_t *mask)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double p = kind == EXACT ? in_object(x, y) : kind == BLOCKS ? share(x / CELL * CELL, y / CELL * CELL)
                             : kind == SMOOTH ? between(x, y) : kind == DECIDED ? between(x, y) >= 0.5
                             : x >= 60 && x < 260 && y >= 20 && y < 220;
            mask[y * WIDTH + x] = (uint8_t)(255 * p + 0.5);
        }
}

/* Returns the largest distance from the outline, in pixels, at which a pixel is left open. */
static double farthest(const tc_outline *o)
{
    double most = 0;
    for (int p = 0; p < N; p++)
        if (o->left[p] && o->away[p] > most) most = o->away[p];
    return most / 5;
}

LOOP_TEST(a_mask_tells_how_far_it_may_be_off, 0, KINDS)
{
    static const struct { double least, most; bool soft; } wanted[KINDS] = {
        [EXACT] = {0, 0, false}, [BLOCKS] = {CELL / 2 - 1, CELL / 2 + 2, false},
        [SMOOTH] = {CELL * 0.35, CELL * 0.8, true}, [SQUARE] = {18, 22, false}};
    static uint8_t mask[N];
    tc_outline o;
    draw(_i, mask);
    ck_assert_int_eq(tc_outline_measure(mask, &flat, 0, &o), TILECUT_OK);
    ck_assert_double_ge(farthest(&o), wanted[_i].least);
    ck_assert_double_le(farthest(&o), wanted[_i].most);
    ck_assert_int_eq(o.soft, wanted[_i].soft);
    ck_assert_int_eq(o.exact, _i == EXACT);
    ck_assert_int_eq(o.cell > TC_OUTLINE_SHARP, _i == BLOCKS || _i == SMOOTH);
    tc_outline_free(&o);
}

/* A mask made of cells has little detail, even if its values are only 0 and 255. */
TEST(a_mask_of_cells_has_little_detail)
{
    static uint8_t mask[N];
    double detail[2];
    for (int i = 0; i < 2; i++) {
        tc_outline o;
        draw(i ? DECIDED : EXACT, mask);
        ck_assert_int_eq(tc_outline_measure(mask, &flat, 0, &o), TILECUT_OK);
        ck_assert(o.exact);
        detail[i] = o.detail;
        tc_outline_free(&o);
    }
    ck_assert_double_lt(detail[1], 0.05);
    ck_assert_double_gt(detail[0], 2 * detail[1]);
}

/* A reach given by the caller applies to every mask, everywhere along its outline. */
LOOP_TEST(a_reach_that_is_given_holds, 0, KINDS)
{
    static uint8_t mask[N];
    tc_outline o;
    draw(_i, mask);
    ck_assert_int_eq(tc_outline_measure(mask, &flat, 5, &o), TILECUT_OK);
    ck_assert(!o.exact);
    for (int p = 0; p < N; p++) { /* a path around a corner may be one step longer */
        if (o.left[p]) ck_assert_int_le(o.away[p], 5 * 6);
        else ck_assert_int_gt(o.away[p], 5 * 5);
    }
    tc_outline_free(&o);
}

int main(void) { return run_suite((test_suite){.name = "prior outline"}); }
