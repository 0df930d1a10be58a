/* SPDX-License-Identifier: MIT
 *
 * test_stroke_necks.c - what a stroke changes only through a thin neck: against the definition, on random changes in
 * the plane and in space; and strokes beside a gap, of both labels, in a photo and in a volume.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "random_graph.h"
#include "run_suite.h"
#include "stroke_necks.h"
#include "tilecut_correct.h"
#include "tilecut_volume.h"

enum { ROOM = 600 };

/* ---- The definition --------------------------------------------------------------------------- */

typedef struct scene {
    tc_block window;
    int connectivity, count;
    uint8_t changed[ROOM], painted[ROOM];
    uint16_t depth[ROOM];
} scene;

static void draw(scene *s, uint64_t seed)
{
    uint64_t state = seed;
    const bool space = random_below(&state, 3) == 0;
    s->window = (tc_block){0, 0, 0, 3 + random_below(&state, space ? 7 : 20), 3 + random_below(&state, space ? 7 : 20),
                           space ? 2 + random_below(&state, 4) : 1};
    s->connectivity = (space ? (int[]){6, 26} : (int[]){4, 8})[random_below(&state, 2)];
    s->count = (int)tc_block_pixels(&s->window);
    const int w = s->window.width, h = s->window.height, holes = 2 + random_below(&state, 30);
    const int wall = random_below(&state, w), gap = random_below(&state, h);
    for (int p = 0; p < s->count; p++) {
        const bool open = p % w != wall || p / w % h == gap;
        s->changed[p] = open && random_below(&state, holes) != 0;
        s->painted[p] = s->changed[p] && p % w < wall && random_below(&state, 9) == 0;
    }
    for (int p = 0; p < s->count; p++) s->depth[p] = s->changed[p] ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer_space(s->depth, w, h, s->window.depth, (double[]){1, 1, 1});
}

/* The least depth on the widest way to each pixel from the ones that are marked; 0: there is none. */
static void widest(const scene *s, const uint8_t *marked, bool endless, uint16_t *width)
{
    bool more = true;
    for (int p = 0; p < s->count; p++) width[p] = !marked[p] ? 0 : endless ? TC_CHAMFER_NOWHERE : s->depth[p];
    while (more) {
        more = false;
        for (int p = 0; p < s->count; p++)
            for (int d = 0; d < s->connectivity; d++) {
                const size_t q = tc_block_neighbour(&s->window, (size_t)p, s->connectivity, d);
                if (q == TC_BLOCK_NONE || !s->depth[q]) continue;
                const uint16_t here = width[p] < s->depth[q] ? width[p] : s->depth[q];
                if (here > width[q]) width[q] = here, more = true;
            }
    }
}

TEST(what_hangs_on_a_neck_is_held_as_defined)
{
    int held_ones = 0, parts = 0;
    for (uint64_t seed = 1; seed <= 400 + RANDOM_CASES(400); seed++) {
        uint16_t from_stroke[ROOM], from_beyond[ROOM];
        uint8_t beyond[ROOM], *held = NULL;
        int64_t most = 0, least = 0, pixels = 0, object;
        scene s;
        draw(&s, seed);
        for (int p = 0; p < s.count; p++) pixels += s.changed[p];
        object = (int64_t)seed % 5 * pixels;
        const tc_spread spread = {s.window, s.connectivity, s.window.height, NULL, s.changed, pixels, object};
        const tilecut_stroke stroke = {.width = s.window.width, .height = s.window.height * s.window.depth,
                                       .painted = s.painted};
        ck_assert_int_eq(tc_stroke_necks(&spread, &stroke, &held), TILECUT_OK);
        widest(&s, s.painted, true, from_stroke);
        for (int p = 0; p < s.count; p++) beyond[p] = from_stroke[p] && 2 * s.depth[p] > 3 * from_stroke[p];
        widest(&s, beyond, false, from_beyond);
        for (int p = 0; p < s.count; p++) {
            const bool apart = from_beyond[p] > from_stroke[p], even = from_beyond[p] == from_stroke[p];
            least += apart, most += apart || (even && from_beyond[p]);
            if (held && !even) ck_assert_msg(held[p] == apart, "seed %llu, pixel %d", (unsigned long long)seed, p);
        }
        if (held) ck_assert(most > 2 * (pixels - most) && 4 * most > object);
        else ck_assert(least <= 2 * (pixels - least) || 4 * least <= object);
        held_ones += held != NULL, parts += !held && least > 0;
        free(held);
    }
    ck_assert_int_gt(held_ones, 10);
    ck_assert_int_gt(parts, 10);
}

/* ---- Strokes ---------------------------------------------------------------------------------- */

/* On the left what has the stroke's label already. Right of it, of the same colour but in the wrong label, a chamber
 * with the stroke in it, and a larger one beyond a wall with a gap of 3 pixels. */
enum { LEFT = 60, CHAMBER = 76, WALL = 90, WIDE = 134, HIGH = 30, DEEP = 9 };

static bool is_light(int x, int y, int z, int slices)
{
    const bool rim = x < 2 || y < 2 || x >= WIDE - 2 || y >= HIGH - 2 || (slices > 1 && (z < 1 || z >= slices - 1));
    return !rim && (x < LEFT || x >= CHAMBER) && (x < WALL || x >= WALL + 3 || abs(y - HIGH / 2) < 2);
}

/* How many pixels of the two chambers a stroke in the small one changes. */
static void correct(int slices, int label, const char *solver, int threads, int changed[2])
{
    static uint8_t voxels[WIDE * HIGH * DEEP], seeds[WIDE * HIGH * DEEP], mask[WIDE * HIGH * DEEP];
    const bool foreground = label == TILECUT_FOREGROUND;
    uint64_t state = 7;
    tilecut_params params = tilecut_params_default();
    params.solver = solver, params.threads = threads, params.lambda = 5;
    for (int p = 0; p < WIDE * HIGH * slices; p++) {
        const int x = p % WIDE, y = p / WIDE % HIGH, z = p / WIDE / HIGH;
        const bool light = is_light(x, y, z, slices);
        voxels[p] = (uint8_t)((light ? 200 : 30) + random_below(&state, 20));
        mask[p] = (light && x < LEFT) == foreground ? 255 : 0;
        seeds[p] = abs(x - 83) < 4 && abs(y - HIGH / 2) < 4 && abs(z - slices / 2) < 2 ? (uint8_t)label : 0;
    }
    if (slices > 1) {
        const tilecut_volume volume = {.width = WIDE, .height = HIGH, .depth = slices, .voxels = voxels};
        ck_assert_int_eq(tilecut_volume_correct(&volume, seeds, &params, TILECUT_BY_STROKES, mask, NULL, NULL),
                         TILECUT_OK);
    } else {
        const tilecut_image image = {.width = WIDE, .height = HIGH, .channels = 1, .depth = 8, .pixels = voxels};
        ck_assert_int_eq(tilecut_correct(&image, seeds, &params, TILECUT_BY_STROKES, mask, NULL, NULL), TILECUT_OK);
    }
    changed[0] = changed[1] = 0;
    for (int p = 0; p < WIDE * HIGH * slices; p++)
        if (p % WIDE >= CHAMBER && voxels[p] >= 100) changed[p % WIDE > WALL + 2] += (mask[p] != 0) == foreground;
}

LOOP_TEST(a_leak_is_held_and_the_same_everywhere, 0, 4)
{
    static const char *const solvers[] = {"bk", "push"};
    const int slices = _i / 2 ? DEEP : 1, label = _i % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    int first[2], again[2];
    correct(slices, label, NULL, 1, first);
    ck_assert_int_gt(first[0], 200);
    ck_assert_int_lt(first[1], 20);
    for (int k = 0; k < 2; k++) {
        correct(slices, label, solvers[k], 2, again);
        ck_assert_mem_eq(first, again, sizeof first);
    }
}

int main(void) { return run_suite((test_suite){.name = "stroke_necks"}); }
