/* SPDX-License-Identifier: MIT
 *
 * test_wrong_part.c - a mask that includes one wrong part, whose colours change gradually. A stroke shows only a few of
 * these colours, and changes nothing beyond four times its depth. So the whole part is removed if the stroke is deep
 * enough, and more than half of it by a smaller one.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

enum { WIDTH = 160, HEIGHT = 120, N = WIDTH * HEIGHT, NOISE = 30 };

typedef struct scene {
    tilecut_image image;
    uint8_t pixels[3 * N], truth[N], prior[N], seeds[N];
} scene;

static bool within(int p, int x, int y, int radius)
{
    const int dx = p % WIDTH - x, dy = p / WIDTH - y;
    return dx * dx + dy * dy <= radius * radius;
}

/* Draws a disc, and next to it a part of the background that becomes lighter or darker towards the disc. The prior mask
 * contains both. */
static void draw_scene(scene *s, uint64_t seed, bool lighter)
{
    uint64_t state = seed;
    *s = (scene){.image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8}};
    s->image.pixels = s->pixels;
    for (int p = 0; p < N; p++) {
        const bool disc = within(p, 55, 60, 35), part = !disc && within(p, 100, 60, 30);
        const int shade = part ? 130 - p % WIDTH : 0;
        s->truth[p] = disc ? 255 : 0;
        s->prior[p] = disc || part ? 255 : 0;
        for (int c = 0; c < 3; c++) {
            const int color = (disc ? 60 + 40 * c : 150 - 30 * c) + random_below(&state, NOISE);
            s->pixels[3 * p + c] = (uint8_t)(c != 1 ? color : lighter ? color + shade : color - shade);
        }
    }
}

LOOP_TEST(a_part_that_shades_off_goes_with_one_stroke, 0, 4)
{
    static scene s;
    static uint8_t mask[N], before[N];
    tilecut_report alone = {0}, report = {0};
    draw_scene(&s, 5, _i % 2);
    const tilecut_params params = {.size = sizeof params, .prior = s.prior};
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, before, &alone), TILECUT_OK);
    ck_assert_int_gt(count_unequal(before, s.truth, N), 1500);
    for (int p = 0; p < N; p++)
        if (within(p, 112, 60, _i < 2 ? 6 : 4)) s.seeds[p] = TILECUT_BACKGROUND;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
    const int most = _i < 2 ? 50 : count_unequal(before, s.truth, N) / 2;
    ck_assert_msg(count_unequal(mask, s.truth, N) < most, "%d pixels are wrong, %d before",
                  count_unequal(mask, s.truth, N), count_unequal(before, s.truth, N));
    ck_assert(report.certified && report.flow == report.cut);
    ck_assert_int_eq(report.iterations, alone.iterations);
}

int main(void) { return run_suite((test_suite){.name = "wrong part", .seconds = 300}); }
