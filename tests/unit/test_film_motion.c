/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_film_motion.c - motion evidence: maps of pixels that move with the object, compared with a plain search, and the
 * maps of an object that stands still while the background moves.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "film_motion.h"
#include "random_graph.h"
#include "run_suite.h"

enum { W = 90, H = 60, PIXELS = W * H, HALF = TC_SMALL_PATCH / 2 };

/* Draws an object of noise at (30, 20), 24 wide and 18 high, on a background of noise that has moved by (dx, dy). */
static void draw(uint8_t *rgb, uint8_t *mask, int dx, int dy, uint64_t seed)
{
    static uint8_t ground[3 * 200 * 120], object[3 * 24 * 18];
    uint64_t state = seed;
    for (size_t i = 0; i < sizeof ground; i++) ground[i] = (uint8_t)random_below(&state, 256);
    for (size_t i = 0; i < sizeof object; i++) object[i] = (uint8_t)random_below(&state, 256);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const bool inside = x >= 30 && x < 54 && y >= 20 && y < 38;
            const uint8_t *const from = inside ? object + 3 * ((y - 20) * 24 + x - 30)
                                               : ground + 3 * ((y + 30 - dy) * 200 + x + 50 - dx);
            memcpy(rgb + 3 * (y * W + x), from, 3);
            mask[y * W + x] = inside ? 255 : 0;
        }
}

static void small_of(tc_small *s, int dx, int dy)
{
    static uint8_t rgb[3 * PIXELS], mask[PIXELS];
    draw(rgb, mask, dx, dy, 5);
    const tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = rgb};
    ck_assert_int_eq(tc_small_init(s, W, H), TILECUT_OK);
    ck_assert_int_eq(s->scale, 1);
    tc_small_frame(s, &image);
    tc_small_label(s, mask, W, H);
}

static void maps_of(const tc_small *frame, const tc_small *other, const tc_moving *as, int threads, int32_t *along,
                    int32_t *apart)
{
    for (int p = 0; p < PIXELS; p++) along[p] = apart[p] = TC_MATCH_FAR;
    ck_assert_int_eq(tc_motion(frame, other, as, threads, along, apart), TILECUT_OK);
}

static bool inside(int x, int y) { return x >= 30 && x < 54 && y >= 20 && y < 38; }

LOOP_TEST(an_object_that_stands_is_told_from_ground_that_passes, 0, 4)
{
    static const int moves[][2] = {{-12, 3}, {9, -5}, {0, 8}, {20, 0}};
    static int32_t along[PIXELS], apart[PIXELS];
    tc_small before, frame;
    small_of(&before, 0, 0);
    small_of(&frame, moves[_i][0], moves[_i][1]);
    const tc_moving as = {.before = &before};
    maps_of(&frame, &before, &as, 1, along, apart);
    /* looks only at patches inside the object, because patches of both classes are ambiguous */
    for (int y = 20; y < 38; y++)
        for (int x = 30; x < 54; x++)
            if (inside(x - HALF, y - HALF) && inside(x + HALF, y + HALF)) {
                ck_assert_int_eq(along[y * W + x], 0);
                ck_assert_int_gt(apart[y * W + x], 100000);
            }
    for (int x = 30; x < 54; x++) { /* background below the object */
        ck_assert_int_eq(apart[50 * W + x], 0);
        ck_assert_int_gt(along[50 * W + x], 100000);
    }
    tc_small_free(&before), tc_small_free(&frame);
}

TEST(ground_that_moves_as_the_object_does_says_nothing)
{
    static int32_t along[PIXELS], apart[PIXELS];
    tc_small before, frame;
    small_of(&before, 0, 0);
    small_of(&frame, 2, 1);
    const tc_moving as = {.before = &before};
    maps_of(&frame, &before, &as, 1, along, apart);
    for (int p = 0; p < PIXELS; p++) ck_assert_int_eq(apart[p], TC_MATCH_FAR);
    tc_small_free(&before), tc_small_free(&frame);
}

/* Returns the least distance of a patch to the patches inside the frame, at most 5 pixels from the object's motion. */
static int32_t search(const tc_small *a, const tc_small *b, int x, int y, int to_x, int to_y)
{
    int32_t best = TC_MATCH_FAR;
    for (int v = to_y - 5; v <= to_y + 5; v++)
        for (int u = to_x - 5; u <= to_x + 5; u++) {
            int32_t sum = 0;
            if (x + u < 0 || y + v < 0 || x + u >= W || y + v >= H || abs(v) > TC_MOTION_DOWN) continue;
            for (int k = 0; k < 3 * TC_SMALL_PATCH * TC_SMALL_PATCH; k++) {
                const int dx = k / 3 % TC_SMALL_PATCH - HALF, dy = k / 3 / TC_SMALL_PATCH - HALF;
                const int32_t d = a->plane[k % 3][tc_small_at(a, x + dx, y + dy)] -
                                  b->plane[k % 3][tc_small_at(b, x + dx + u, y + dy + v)];
                sum += d * d;
            }
            best = sum < best ? sum : best;
        }
    return best;
}

LOOP_TEST(the_map_along_the_object_is_the_least_of_a_search, 0, 3)
{
    static int32_t along[PIXELS], apart[PIXELS], again[PIXELS], more[PIXELS];
    static const int to[][2] = {{0, 0}, {7, -4}, {-18, 8}};
    tc_small before, frame;
    small_of(&before, 0, 0);
    small_of(&frame, -9, 2);
    const tc_moving as = {.before = &before, .came_x = 3, .came_y = -2, .to_x = to[_i][0], .to_y = to[_i][1]};
    maps_of(&frame, &before, &as, 1, along, apart);
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++) /* searches two blocks around the object's motion */
            ck_assert_int_eq(along[y * W + x], search(&frame, &before, x, y, to[_i][0], to[_i][1]));
    maps_of(&frame, &before, &as, 3, again, more);
    ck_assert_mem_eq(again, along, sizeof along);
    ck_assert_mem_eq(more, apart, sizeof apart);
    tc_small_free(&before), tc_small_free(&frame);
}

TEST(without_an_object_nothing_is_said)
{
    static int32_t along[PIXELS], apart[PIXELS];
    static uint8_t empty[PIXELS];
    tc_small before, frame;
    small_of(&before, 0, 0);
    small_of(&frame, 9, 0);
    tc_small_label(&before, empty, W, H);
    const tc_moving as = {.before = &before};
    maps_of(&frame, &before, &as, 2, along, apart);
    for (int p = 0; p < PIXELS; p++) ck_assert(along[p] == TC_MATCH_FAR && apart[p] == TC_MATCH_FAR);
    tc_small_free(&before), tc_small_free(&frame);
}

int main(void) { return run_suite((test_suite){.name = "what moves in films", .seconds = 120}); }
