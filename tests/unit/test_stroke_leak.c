/* SPDX-License-Identifier: MIT
 *
 * test_stroke_leak.c - the part of a stroke's change beyond the discs that fit around the stroke: compared with the
 * definition on random changes in two and three dimensions; and strokes next to a gap, of both labels, in a photo and
 * in a volume.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "random_graph.h"
#include "run_suite.h"
#include "stroke_leak.h"
#include "tilecut_correct.h"
#include "tilecut_volume.h"

enum { ROOM = 600 };

/* ---- The definition --------------------------------------------------------------------------- */

typedef struct scene {
    tc_block window;
    int count;
    uint8_t changed[ROOM], painted[ROOM];
} scene;

static void draw(scene *s, uint64_t seed)
{
    uint64_t state = seed;
    const bool space = random_below(&state, 3) == 0, line = random_below(&state, 2);
    s->window = (tc_block){0, 0, 0, 3 + random_below(&state, space ? 7 : 20), 3 + random_below(&state, space ? 7 : 20),
                           space ? 2 + random_below(&state, 4) : 1};
    s->count = (int)tc_block_pixels(&s->window);
    const int w = s->window.width, h = s->window.height, holes = 2 + random_below(&state, 60);
    const int x = random_below(&state, w), y = random_below(&state, h);
    for (int p = 0; p < s->count; p++) {
        const int dx = abs(p % w - x), dy = abs(p / w % h - y);
        s->painted[p] = line ? dx < 6 && !dy : dx + dy < 2;
        s->changed[p] = random_below(&state, holes) != 0;
    }
}

static void find_distances(const scene *s, uint16_t *map)
{
    tc_chamfer_space(map, s->window.width, s->window.height, s->window.depth, (double[]){1, 1, 1});
}

/* Marks the changed pixels that no disc around a painted pixel reaches, and returns their number. *own is the depth of
 * the painted pixels in the change, *most that of all pixels. */
static int64_t find_beyond(const scene *s, uint8_t *beyond, int *own, int *most)
{
    uint16_t depth[ROOM], far[ROOM];
    int64_t count = 0;
    for (int p = 0; p < s->count; p++) depth[p] = s->changed[p] ? TC_CHAMFER_NOWHERE : 0;
    find_distances(s, depth);
    memcpy(beyond, s->changed, ROOM);
    for (int q = 0; q < s->count; q++) {
        if (depth[q] > *most) *most = depth[q];
        if (!s->painted[q]) continue;
        if (depth[q] > *own) *own = depth[q];
        for (int p = 0; p < s->count; p++) far[p] = p == q ? 0 : TC_CHAMFER_NOWHERE;
        find_distances(s, far);
        for (int p = 0; p < s->count; p++) beyond[p] &= far[p] >= depth[q];
    }
    for (int p = 0; p < s->count; p++) count += beyond[p];
    return count;
}

static bool is_line(const scene *s)
{
    uint16_t width[ROOM];
    int64_t count = 0;
    int widest = 0;
    for (int p = 0; p < s->count; p++) width[p] = s->painted[p] ? TC_CHAMFER_NOWHERE : 0, count += s->painted[p];
    find_distances(s, width);
    for (int p = 0; p < s->count; p++) widest = width[p] > widest ? width[p] : widest;
    return s->window.depth == 1 && (double)count > 9.4 * widest * widest / 25;
}

TEST(what_discs_do_not_reach_is_held_as_defined)
{
    int held_ones[2] = {0}, parts[2] = {0}, all = 0;
    for (uint64_t seed = 1; seed <= 400 + RANDOM_CASES(400); seed++) {
        uint8_t beyond[ROOM], *held = NULL;
        int64_t pixels = 0;
        int own = 0, most = 0;
        scene s;
        draw(&s, seed);
        for (int p = 0; p < s.count; p++) pixels += s.changed[p];
        const int64_t object = (int64_t)seed % 5 * pixels, far = find_beyond(&s, beyond, &own, &most);
        const int depth = own * (1 + (int)seed % 2);
        const bool line = is_line(&s), little = 5 * far > 3 * pixels;
        const bool larger = little && 5 * depth < 4 * most && s.window.depth == 1;
        const bool background = seed % 3 == 0, vanishes = background && 10 * (object - pixels) < object;
        const bool leak = vanishes ? far > 0 : line ? little : 10 * own < 7 * most && (4 * far > object || larger);
        const tc_spread spread = {s.window, s.window.height, NULL, s.changed, pixels, object, depth};
        const tilecut_stroke stroke = {.width = s.window.width, .height = s.window.height * s.window.depth,
                                       .painted = s.painted,
                                       .label = background ? TILECUT_BACKGROUND : TILECUT_FOREGROUND};
        ck_assert_int_eq(tc_stroke_leak(&spread, &stroke, &held), TILECUT_OK);
        ck_assert_msg((held != NULL) == (own && leak), "seed %llu", (unsigned long long)seed);
        if (held) ck_assert_mem_eq(held, beyond, (size_t)s.count);
        held_ones[line] += held != NULL, parts[line] += !held && far > 0, all += held && vanishes;
        free(held);
    }
    for (int line = 0; line < 2; line++) {
        ck_assert_int_gt(held_ones[line], 10);
        ck_assert_int_gt(parts[line], 10);
    }
    ck_assert_int_gt(all, 10);
}

/* ---- Strokes ---------------------------------------------------------------------------------- */

/* The left area already has the stroke's label. To its right, areas of the same colour have the wrong label: a chamber
 * with the stroke in it, and a larger chamber behind a wall with a gap of 3 pixels. */
enum { LEFT = 60, CHAMBER = 80, WALL = 90, WIDE = 134, HIGH = 30, DEEP = 21 };

static bool is_light(int x, int y, int z, int slices)
{
    const bool border = x < 2 || y < 2 || x >= WIDE - 2 || y >= HIGH - 2 || (slices > 1 && (z < 1 || z >= slices - 1));
    return !border && (x < LEFT || x >= CHAMBER) && (x < WALL || x >= WALL + 3 || abs(y - HIGH / 2) < 2);
}

/* Counts in changed[] the pixels of either chamber that a stroke in the small one changes. In a photo the mask is the
 * user's own if `given` is false, and otherwise another tool's. */
static void correct(int slices, int label, bool given, const char *solver, int threads, int changed[2])
{
    static uint8_t voxels[WIDE * HIGH * DEEP], seeds[WIDE * HIGH * DEEP], mask[WIDE * HIGH * DEEP];
    const bool foreground = label == TILECUT_FOREGROUND;
    uint64_t state = 7;
    tilecut_params params = tilecut_params_default();
    params.solver = solver, params.threads = threads, params.lambda = 1;
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
        static uint8_t prior[WIDE * HIGH];
        memcpy(prior, mask, sizeof prior);
        params.prior = prior;
        if (given) ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_OK);
        params.prior = NULL;
        if (!given)
            ck_assert_int_eq(tilecut_correct(&image, seeds, &params, TILECUT_BY_STROKES, mask, NULL, NULL), TILECUT_OK);
    }
    changed[0] = changed[1] = 0;
    for (int p = 0; p < WIDE * HIGH * slices; p++)
        if (p % WIDE >= CHAMBER && voxels[p] >= 100) changed[p % WIDE > WALL + 2] += (mask[p] != 0) == foreground;
}

LOOP_TEST(a_leak_is_held_and_the_same_everywhere, 0, 4)
{
    static const char *const solvers[] = {"bk", "push"};
    const bool given = _i >= 4;
    const int slices = _i / 2 == 1 ? DEEP : 1, label = _i % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    int first[2], again[2];
    correct(slices, label, given, NULL, 1, first);
    ck_assert_int_gt(first[0], slices > 1 ? 200 : 100);
    ck_assert_int_lt(first[1], 20);
    for (int k = 0; k < 2; k++) {
        correct(slices, label, given, solvers[k], 2, again);
        ck_assert_mem_eq(first, again, sizeof first);
    }
}

int main(void) { return run_suite((test_suite){.name = "stroke_leak"}); }
