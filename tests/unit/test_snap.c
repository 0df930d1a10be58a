/* SPDX-License-Identifier: MIT
 *
 * test_snap.c - moves the outline to the place where colours change. The scenes are discs on a background of another
 * colour, with masks that are a few pixels off.
 */
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#include "random_graph.h"
#include "sides.h"
#include "tilecut_correct.h"

enum { W = 90, H = 70, PIXELS = W * H, X = 45, Y = 34, R = 22 };

typedef struct scene {
    uint8_t rgb[3 * PIXELS], truth[PIXELS], mask[PIXELS], seeds[PIXELS];
    const uint8_t *given; /* NULL: the mask was not refined */
    tilecut_image photo;
} scene;

static void disc(uint8_t *mask, int x0, int y0, int radius)
{
    for (int p = 0; p < PIXELS; p++) {
        const int x = p % W - x0, y = p / W - y0;
        mask[p] = x * x + y * y <= radius * radius ? 255 : 0;
    }
}

/* Returns the mean of 2 radius + 1 numbers around index i, `step` apart in a line of n numbers, rounded towards 0. */
static int32_t mean_around(const int32_t *line, int step, int n, int i, int radius)
{
    int32_t sum = 0;
    for (int k = i - radius; k <= i + radius; k++) sum += line[(k < 0 ? 0 : k < n ? k : n - 1) * step];
    return sum / (2 * radius + 1);
}

/* Compares means of both signs, with and without a remainder, with their definition. */
LOOP_TEST(means_are_those_of_whole_numbers, 0, 6)
{
    static int32_t plane[PIXELS], expected[PIXELS], rows[PIXELS], room[PIXELS + W];
    const int radius = 1 + _i * _i;
    uint64_t random = (uint64_t)_i + 3;
    for (int p = 0; p < PIXELS; p++) {
        const int32_t number = (int32_t)random_below(&random, 131073) - 65536;
        expected[p] = plane[p] = number * (_i % 2 ? 1 : 2 * radius + 1) / radius;
    }
    tc_sides_smooth(plane, W, H, radius, room);
    for (int twice = 0; twice < 2; twice++) {
        for (int p = 0; p < PIXELS; p++) rows[p] = mean_around(expected + p / W * W, 1, W, p % W, radius);
        for (int p = 0; p < PIXELS; p++) expected[p] = mean_around(rows + p % W, W, H, p / W, radius);
    }
    ck_assert_mem_eq(plane, expected, sizeof plane);
}

/* Draws a disc and a mask of a shifted or larger disc, with noise in both colours. */
static scene make_scene(int dx, int dy, int larger)
{
    static const int color[2][3] = {{90, 110, 70}, {140, 90, 100}};
    uint64_t random = 7;
    scene s = {.photo = {.width = W, .height = H, .channels = 3, .depth = 8}};
    disc(s.truth, X, Y, R);
    disc(s.mask, X + dx, Y + dy, R + larger);
    for (int k = 0; k < 3 * PIXELS; k++)
        s.rgb[k] = (uint8_t)(color[s.truth[k / 3] != 0][k % 3] + (int)random_below(&random, 11) - 5);
    return s;
}

static tilecut_corrected snap(scene *s)
{
    tilecut_corrected done;
    s->photo.pixels = s->rgb;
    done = (tilecut_corrected){0};
    ck_assert_int_eq(tilecut_snap(&s->photo, s->seeds, s->given, s->mask, &done), TILECUT_OK);
    return done;
}

static int wrong(const scene *s)
{
    int count = 0;
    for (int p = 0; p < PIXELS; p++) count += s->mask[p] != s->truth[p];
    return count;
}

LOOP_TEST(outlines_move_to_where_colors_change, 0, 5)
{
    static const struct { int dx, dy, larger; } off[] = {{2, 0, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}, {1, 2, 0}};
    scene s = make_scene(off[_i].dx, off[_i].dy, off[_i].larger), was = s;
    const int before = wrong(&s);
    const tilecut_corrected done = snap(&s);
    int64_t added = 0, removed = 0;
    ck_assert_msg(3 * wrong(&s) <= before, "%d wrong, %d before", wrong(&s), before);
    for (int p = 0; p < PIXELS; p++) added += s.mask[p] > was.mask[p], removed += s.mask[p] < was.mask[p];
    ck_assert(done.added == added && done.removed == removed);
}

TEST(seeded_pixels_stay)
{
    scene s = make_scene(0, 0, 2);
    for (int p = 0; p < PIXELS; p++)
        if (s.mask[p] && !s.truth[p] && p % W > X) s.seeds[p] = TILECUT_FOREGROUND;
    snap(&s);
    for (int p = 0; p < PIXELS; p++)
        if (s.seeds[p]) ck_assert_int_eq(s.mask[p], 255);
    ck_assert_int_eq(s.mask[Y * W + X - R - 2], 0); /* on the other side the outline moves */
}

/* Near pixels that refining has changed the outline moves, and elsewhere the given one stays. */
TEST(what_refining_kept_stays)
{
    scene s = make_scene(0, 0, 2);
    uint8_t given[PIXELS];
    memcpy(given, s.mask, sizeof given);
    s.given = given;
    const tilecut_corrected kept = snap(&s);
    ck_assert(!kept.added && !kept.removed && !memcmp(s.mask, given, sizeof given));
    for (int p = 0; p < PIXELS; p++) /* some pixels to the right are changed */
        if (s.mask[p] && !s.truth[p] && p % W > X + R - 4) given[p] = 127;
    snap(&s);
    ck_assert_int_eq(s.mask[Y * W + X + R + 2], 0);
    for (int p = 0; p < PIXELS; p++)
        if (p % W < X) ck_assert_int_eq(s.mask[p], given[p]);
}

/* A bar has few pixels for the length of its outline, and so has what it leaves of the photo. */
TEST(thin_masks_stay)
{
    for (int invert = 0; invert < 2; invert++)
        for (int width = 11; width < 24; width += 12) {
            scene s = make_scene(0, 0, 0);
            for (int p = 0; p < PIXELS; p++) {
                const bool in = p % W >= 30 && p % W < 30 + width && p / W >= 5 && p / W < 65;
                s.truth[p] = in != (invert != 0) ? 255 : 0;
                memset(s.rgb + 3 * p, in ? 140 : 90, 3);
                s.mask[p] = s.truth[p % W > 1 ? p - 2 : p]; /* off by two */
            }
            const tilecut_corrected done = snap(&s);
            ck_assert_int_eq(done.added || done.removed, width > 20);
        }
}

TEST(depth_and_channels_make_no_difference)
{
    scene s = make_scene(1, 1, 0), grey = s;
    static uint16_t deep[3 * PIXELS];
    for (int k = 0; k < 3 * PIXELS; k++) deep[k] = (uint16_t)(257 * s.rgb[k]);
    uint8_t mask[PIXELS];
    memcpy(mask, s.mask, sizeof mask);
    snap(&s);
    tilecut_image photo = {.width = W, .height = H, .channels = 3, .depth = 16, .pixels = deep};
    tilecut_corrected done;
    done = (tilecut_corrected){0};
    ck_assert_int_eq(tilecut_snap(&photo, s.seeds, NULL, mask, &done), TILECUT_OK);
    ck_assert_mem_eq(mask, s.mask, sizeof mask);

    static uint8_t one[PIXELS];
    for (int p = 0; p < PIXELS; p++) one[p] = grey.rgb[3 * p];
    for (int k = 0; k < 3 * PIXELS; k++) grey.rgb[k] = one[k / 3];
    memcpy(mask, grey.mask, sizeof mask);
    snap(&grey);
    photo = (tilecut_image){.width = W, .height = H, .channels = 1, .depth = 8, .pixels = one};
    done = (tilecut_corrected){0};
    ck_assert_int_eq(tilecut_snap(&photo, grey.seeds, NULL, mask, &done), TILECUT_OK);
    ck_assert_mem_eq(mask, grey.mask, sizeof mask);
}

/* Masks without an outline, and photos smaller than any window. */
TEST(masks_without_an_outline_stay)
{
    scene s = make_scene(0, 0, 0);
    for (int value = 0; value < 256; value += 255) {
        memset(s.mask, value, sizeof s.mask);
        const tilecut_corrected done = snap(&s);
        ck_assert(!done.added && !done.removed && s.mask[0] == value && !memcmp(s.mask, s.mask + 1, PIXELS - 1));
    }
    for (int w = 1; w < 7; w++)
        for (int h = 1; h < 7; h++) {
            const tilecut_image photo = {.width = w, .height = h, .channels = 3, .depth = 8, .pixels = s.rgb};
            uint8_t *const mask = calloc((size_t)(w * h), 1);
            tilecut_corrected done;
            mask[0] = 255;
            done = (tilecut_corrected){0};
    ck_assert_int_eq(tilecut_snap(&photo, s.seeds, NULL, mask, &done), TILECUT_OK);
            ck_assert(!done.added && !done.removed); /* no pixel is far enough from the outline to learn from */
            free(mask);
        }
}

/* Reports the distance between two discs, what has changed, and how much of either outline lies on an edge of the
 * photo. */
TEST(how_far_an_outline_moved_is_told)
{
    scene s = make_scene(0, 0, 4);
    tilecut_moved moved = {0};
    int wrong_at_first = wrong(&s);
    s.photo.pixels = s.rgb;
    ck_assert_int_eq(tilecut_outline_moved(&s.photo, s.mask, s.truth, &moved), TILECUT_OK);
    ck_assert(moved.added == 0 && moved.removed == wrong_at_first);
    ck_assert_double_eq_tol(moved.changed, (double)wrong_at_first / PIXELS, 1e-12);
    ck_assert(moved.mean > 2.4 && moved.mean < 4.4 && moved.most >= moved.mean && moved.most < 5);
    ck_assert(moved.edges > 0.9 && moved.edges_before < 0.2 && !moved.too_much);
    ck_assert_int_eq(tilecut_outline_moved(&s.photo, s.truth, s.truth, &moved), TILECUT_OK);
    ck_assert(!moved.added && !moved.removed && moved.most == 0 && moved.edges == moved.edges_before);
    memset(s.mask, 0, sizeof s.mask); /* makes a mask without an outline */
    ck_assert_int_eq(tilecut_outline_moved(&s.photo, s.truth, s.mask, &moved), TILECUT_OK);
    ck_assert(moved.mean == 0 && moved.most == 0 && moved.edges == 0 && moved.too_much);
}

int main(void) { return run_suite((test_suite){.name = "snap"}); }
