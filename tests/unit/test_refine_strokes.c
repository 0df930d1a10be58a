/* SPDX-License-Identifier: MIT
 *
 * test_refine_strokes.c - strokes that correct a refined mask: how far they reach, and drawn scenes of the kinds in
 * which a correct stroke has done harm.
 */
#include <stdbool.h>
#include <string.h>

#include "chamfer.h"
#include "random_graph.h"
#include "run_suite.h"
#include "stroke_leak.h"
#include "tilecut.h"

enum { WIDTH = 120, HEIGHT = 80, PIXELS = WIDTH * HEIGHT };

typedef struct scene {
    tilecut_image image;
    tilecut_params params;
    uint8_t pixels[3 * PIXELS], truth[PIXELS], prior[PIXELS], seeds[PIXELS], mask[PIXELS];
} scene;

typedef struct box {
    int x0, y0, x1, y1;
} box;

static void fill(uint8_t *map, box b, uint8_t value)
{
    for (int y = b.y0; y < b.y1; y++) memset(map + y * WIDTH + b.x0, value, (size_t)(b.x1 - b.x0));
}

static void colour(scene *s, box b, int red, int green, int blue)
{
    for (int y = b.y0; y < b.y1; y++)
        for (int x = b.x0; x < b.x1; x++) {
            uint8_t *const p = s->pixels + 3 * (y * WIDTH + x);
            p[0] = (uint8_t)red, p[1] = (uint8_t)green, p[2] = (uint8_t)blue;
        }
}

static void begin(scene *s)
{
    memset(s, 0, sizeof *s);
    s->image = (tilecut_image){.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8, .pixels = s->pixels};
    s->params = (tilecut_params){.size = sizeof s->params, .prior = s->prior};
    colour(s, (box){0, 0, WIDTH, HEIGHT}, 60, 120, 60);
}

static void add_noise(scene *s, int most, uint64_t *state)
{
    for (int i = 0; i < 3 * PIXELS; i++)
        s->pixels[i] = (uint8_t)(s->pixels[i] + random_below(state, 2 * most + 1) - most);
}

static void invert(scene *s)
{
    for (int p = 0; p < PIXELS; p++) {
        s->truth[p] = (uint8_t)~s->truth[p], s->prior[p] = (uint8_t)~s->prior[p];
        if (s->seeds[p] != TILECUT_UNKNOWN)
            s->seeds[p] = s->seeds[p] == TILECUT_FOREGROUND ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
    }
}

/* Returns the number of wrong pixels of the mask under the strokes among the seeds. */
static int wrong_after_strokes(scene *s)
{
    int wrong = 0;
    ck_assert_int_eq(tilecut_segment(&s->image, s->seeds, &s->params, s->mask, NULL), TILECUT_OK);
    for (int p = 0; p < PIXELS; p++) wrong += s->mask[p] != s->truth[p];
    return wrong;
}

/* A limb is missing, of the colour of the ground along it. A line along the limb took that ground, too. */
LOOP_TEST(a_line_along_a_thin_part_does_not_take_the_ground_beside_it, 0, 4)
{
    static scene s;
    const box body = {5, 10, 40, 60}, limb = {40, 28, 100, 33}, ground = {45, 33, 118, 78};
    uint64_t state = 1;
    begin(&s);
    colour(&s, body, 150, 60, 60);
    colour(&s, ground, 185, 155, 125);
    colour(&s, limb, 185, 155, 125);
    add_noise(&s, _i & 2 ? 30 : 10, &state);
    fill(s.prior, body, 255);
    fill(s.truth, body, 255);
    fill(s.truth, limb, 255);
    if (_i & 1) invert(&s);
    const int before = wrong_after_strokes(&s);
    fill(s.seeds, (box){43, 29, 97, 32}, _i & 1 ? TILECUT_BACKGROUND : TILECUT_FOREGROUND);
    ck_assert_int_lt(wrong_after_strokes(&s), before / 2);
}

/* A strip of ground was taken for a part of the object. A stroke takes it away, with a corner of the object that looks
 * like ground. A stroke in that corner gives back no more than this. */
LOOP_TEST(a_stroke_of_the_other_label_holds_back_only_its_part, 0, 2)
{
    static scene s;
    const box object = {5, 15, 45, 65}, strip = {45, 27, 53, 53}, corner = {45, 38, 48, 42};
    uint64_t state = 2;
    begin(&s);
    colour(&s, object, 150, 60, 60);
    add_noise(&s, 10, &state);
    s.params.prior_reach = 1;
    fill(s.prior, object, 255);
    fill(s.prior, strip, 255);
    fill(s.truth, object, 255);
    fill(s.truth, corner, 255);
    if (_i) invert(&s);
    fill(s.seeds, (box){49, 38, 52, 42}, _i ? TILECUT_FOREGROUND : TILECUT_BACKGROUND);
    const int once = wrong_after_strokes(&s);
    fill(s.seeds, corner, _i ? TILECUT_BACKGROUND : TILECUT_FOREGROUND);
    ck_assert_int_lt(once, 40);
    ck_assert_int_lt(wrong_after_strokes(&s), once);
}

/* Returns how far a stroke may reach in `mask`, in fifths of a pixel. Leaves in `map` distances to the painted pixels
 * that contradict the mask; *any tells whether there are some. */
static int limit_of(const scene *s, const uint8_t *mask, uint8_t label, uint16_t *map, bool *any)
{
    const bool foreground = label == TILECUT_FOREGROUND;
    static uint8_t against[PIXELS];
    int64_t count = 0;
    for (int p = 0; p < PIXELS; p++) {
        against[p] = s->seeds[p] == label && (mask[p] != 0) != foreground;
        count += against[p];
        map[p] = against[p] ? TC_CHAMFER_NOWHERE : 0;
    }
    tc_chamfer(map, WIDTH, HEIGHT);
    const bool line = tc_is_line(count, tc_chamfer_deepest(map, against, PIXELS));
    for (int p = 0; p < PIXELS; p++) map[p] = (mask[p] != 0) == foreground ? 0 : TC_CHAMFER_NOWHERE;
    tc_chamfer(map, WIDTH, HEIGHT);
    const int depth = tc_chamfer_deepest(map, against, PIXELS);
    for (int p = 0; p < PIXELS; p++) map[p] = against[p] ? 0 : TC_CHAMFER_NOWHERE;
    tc_chamfer(map, WIDTH, HEIGHT);
    *any = count > 0 && depth < TC_CHAMFER_NOWHERE;
    return line ? depth : 4 * depth;
}

TEST(a_stroke_changes_nothing_beyond_four_times_its_depth_and_a_line_nothing_beyond_its_depth)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(120); seed++) {
        static scene s;
        static uint8_t before[PIXELS];
        static uint16_t map[PIXELS];
        uint64_t state = seed + 20;
        bool any;
        begin(&s);
        for (int i = 0; i < 12; i++) {
            const int x = random_below(&state, WIDTH - 40), y = random_below(&state, HEIGHT - 40);
            const box b = {x, y, x + 5 + random_below(&state, 35), y + 5 + random_below(&state, 35)};
            colour(&s, b, random_below(&state, 4) * 50, random_below(&state, 2) * 50, 50);
            if (i < 3) fill(s.prior, b, 255);
        }
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, before, NULL), TILECUT_OK);
        const uint8_t label = random_below(&state, 2) ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        const int x = random_below(&state, WIDTH - 20), y = random_below(&state, HEIGHT - 20);
        const int wide = 1 + random_below(&state, 20), high = 1 + random_below(&state, 4);
        fill(s.seeds, (box){x, y, x + wide, y + high}, label);
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, s.mask, NULL), TILECUT_OK);
        const int limit = limit_of(&s, before, label, map, &any);
        for (int p = 0; p < PIXELS && any; p++)
            ck_assert_msg(s.mask[p] == before[p] || map[p] <= limit, "seed %llu: a pixel at %d, limit %d",
                          (unsigned long long)seed, map[p], limit);
    }
}

int main(void) { return run_suite((test_suite){.name = "refine_strokes", .seconds = 300}); }
