/* SPDX-License-Identifier: MIT
 *
 * test_volume_window.c - volumes with a box, of which only a window is cut. Cutting the window alone must give the same
 * labels, and so must sessions, capacities, solvers and parts. VOLUME_WINDOW_SEED is the first seed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "part_scene.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_volume.h"

enum { WIDTH = 46, HEIGHT = 52, DEPTH = 40, ALL = WIDTH * HEIGHT * DEPTH, CASES = 7 };

typedef struct scene {
    int from[3], size[3]; /* the expected window */
    int16_t voxels[ALL], part[ALL];
    uint8_t seeds[ALL], part_seeds[ALL], mask[ALL], other[ALL];
    tilecut_volume volume;
    tilecut_params params;
} scene;

static uint64_t first_seed(void) { return number_from("VOLUME_WINDOW_SEED", 1); }

/* Draws a bright ball in a box, with noise; sometimes only the box marks the ball. The margin of the window is 0.15 of
 * the cube root of the box's volume, and at least 8 of the finest voxels. */
static void draw(scene *s, uint64_t seed)
{
    uint64_t state = seed;
    const int most[3] = {WIDTH, HEIGHT, DEPTH};
    const double along_z = seed % 3 ? 1 : 2.5;
    int box[3], at[3];
    s->params = (tilecut_params){.connectivity = seed % 5 == 4 ? 26 : 6};
    for (int k = 0; k < 3; k++) box[k] = 7 + random_below(&state, 7), at[k] = random_below(&state, most[k] - box[k]);
    const double share = floor(0.15 * cbrt(box[0] * box[1] * box[2] * along_z)), margin = share > 8 ? share : 8;
    for (int k = 0; k < 3; k++) {
        const int by = (int)ceil(margin / (k == 2 ? along_z : 1)), end = at[k] + box[k] + by;
        s->from[k] = at[k] > by ? at[k] - by : 0;
        s->size[k] = (end < most[k] ? end : most[k]) - s->from[k];
    }
    for (int p = 0; p < ALL; p++) {
        const int xyz[3] = {p % WIDTH, p / WIDTH % HEIGHT, p / WIDTH / HEIGHT};
        double apart = 0;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            const double u = (xyz[k] - at[k] - box[k] / 2.0) / box[k];
            apart += u * u;
            inside = inside && xyz[k] >= at[k] && xyz[k] < at[k] + box[k];
        }
        s->voxels[p] = (int16_t)((apart < 0.16 ? 700 : 300) + random_below(&state, 500));
        s->seeds[p] = (uint8_t)(!inside       ? random_below(&state, 50) ? TILECUT_OUTSIDE : TILECUT_BACKGROUND
                                : apart < .02 && seed % 4 != 3 ? TILECUT_FOREGROUND
                                              : TILECUT_UNKNOWN);
    }
    s->volume = (tilecut_volume){.width = WIDTH, .height = HEIGHT, .depth = DEPTH, .type = TILECUT_VOXEL_I16,
                                 .voxels = s->voxels, .spacing = {1, 1, along_z}};
}

/* Returns the window as a packed volume. */
static tilecut_volume cut_out(scene *s)
{
    tilecut_volume part = s->volume;
    double range[2];
    size_t i = 0;
    ck_assert_int_eq(tilecut_volume_range(&s->volume, range), TILECUT_OK);
    for (int z = s->from[2]; z < s->from[2] + s->size[2]; z++)
        for (int y = s->from[1]; y < s->from[1] + s->size[1]; y++)
            for (int x = s->from[0]; x < s->from[0] + s->size[0]; x++, i++) {
                const int p = (z * HEIGHT + y) * WIDTH + x;
                s->part[i] = s->voxels[p], s->part_seeds[i] = s->seeds[p];
            }
    part.width = s->size[0], part.height = s->size[1], part.depth = s->size[2];
    part.voxels = s->part, part.low = range[0], part.high = range[1];
    return part;
}

static void segment(scene *s, uint8_t *mask, tilecut_report *report)
{
    ck_assert_msg(tilecut_volume_segment(&s->volume, s->seeds, &s->params, mask, report) == TILECUT_OK, "%s",
                  tilecut_error_detail());
}

TEST(it_is_the_cut_of_the_window_alone)
{
    static scene s;
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES; seed++) {
        tilecut_report one = {0}, part = {0};
        draw(&s, seed);
        segment(&s, s.mask, &one);
        int window[6];
        const tilecut_volume alone = cut_out(&s);
        ck_assert_int_eq(tilecut_volume_window(&s.volume, s.seeds, window), TILECUT_OK);
        ck_assert(!memcmp(window, s.from, sizeof s.from) && !memcmp(window + 3, s.size, sizeof s.size));
        ck_assert_int_eq(tilecut_volume_segment(&alone, s.part_seeds, &s.params, s.other, &part), TILECUT_OK);
        ck_assert_msg(one.flow == part.flow && one.cut == part.cut && one.foreground == part.foreground &&
                      one.lambda == part.lambda && one.beta == part.beta && one.low == part.low,
                      "seed %llu", (unsigned long long)seed);
        ck_assert(one.certified == 1 && one.foreground > 20 && one.bytes_per_pixel < part.bytes_per_pixel);
        for (int p = 0, i = 0; p < ALL; p++) {
            const int at[3] = {p % WIDTH, p / WIDTH % HEIGHT, p / WIDTH / HEIGHT};
            bool in = true;
            for (int k = 0; k < 3; k++) in = in && at[k] >= s.from[k] && at[k] < s.from[k] + s.size[k];
            ck_assert_int_eq(s.mask[p], in ? s.other[i++] : 0);
        }
    }
}

LOOP_TEST(solvers_threads_and_sessions_agree, 0, 2)
{
    static const char *const solvers[] = {"cascade", "push", "bk"};
    static scene s;
    tilecut_volume_session *session = NULL;
    draw(&s, first_seed() + 1 + (uint64_t)_i);
    ck_assert_int_eq(tilecut_volume_session_create(&session, &s.volume), TILECUT_OK);
    for (int turn = 0; turn < 5; turn++) {
        tilecut_report one = {0}, again = {0};
        s.params.solver = NULL, s.params.threads = 1;
        segment(&s, s.mask, &one);
        s.params.solver = solvers[turn % 3], s.params.threads = 1 + turn;
        ck_assert_int_eq(tilecut_volume_session_solve(session, s.seeds, &s.params, s.other, &again), TILECUT_OK);
        ck_assert_mem_eq(s.mask, s.other, ALL);
        ck_assert(one.flow == again.flow);
        for (int p = turn; p < ALL; p += 61) /* enlarges the box, which gives another window */
            if (turn == 2 && p % WIDTH < 30 && s.seeds[p] == TILECUT_OUTSIDE) s.seeds[p] = TILECUT_UNKNOWN;
    }
    tilecut_volume_session_destroy(session);
}

/* Three cases: strokes in a box, where regions without a stroke stay as the box alone has them; a box alone, from which
 * the foreground is guessed; and learning in iterations. */
LOOP_TEST(capacities_are_those_of_the_cut, 0, 3)
{
    static scene s;
    static int32_t source[ALL], sink[ALL], links[3 * ALL];
    tilecut_volume_arrays arrays = {.width = WIDTH, .height = HEIGHT, .depth = DEPTH, .source = source, .sink = sink,
                                    .to = {links, links + ALL, links + 2 * ALL}};
    tilecut_report one = {0}, other = {0};
    uint64_t seed = first_seed() + 1;
    while ((seed % 4 == 3) != (_i == 1) || seed % 5 == 4) seed++;
    draw(&s, seed);
    s.params.islands = 1, s.params.iterations = _i == 2 ? 3 : 0;
    segment(&s, s.mask, &one);
    ck_assert_int_eq(tilecut_volume_capacities(&s.volume, s.seeds, &s.params, source, sink, links, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_solve(&arrays, NULL, s.other, &other), TILECUT_OK);
    ck_assert(one.flow == other.flow);
    if (_i == 1) ck_assert_mem_eq(s.mask, s.other, ALL);
}

/* Strokes of the object and background beyond the box only add to the mask of the box alone; background in the box only
 * takes away from it. */
TEST(strokes_in_a_box_change_its_mask_in_their_direction)
{
    static scene s;
    int differ = 0;
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES; seed++) {
        tilecut_report report = {0};
        const bool adds = seed % 4 != 3;
        draw(&s, seed);
        for (int p = 0; p < ALL; p++) s.part_seeds[p] = s.seeds[p];
        for (int p = 0; p < ALL; p++)
            s.seeds[p] = s.seeds[p] == TILECUT_FOREGROUND ? TILECUT_UNKNOWN
                       : s.seeds[p] == TILECUT_BACKGROUND ? TILECUT_OUTSIDE : s.seeds[p];
        segment(&s, s.other, &report);
        for (int p = 0; p < ALL; p++) s.seeds[p] = s.part_seeds[p];
        for (int p = 0, left = 5; p < ALL && !adds && left > 0; p++)
            if (s.other[p]) s.seeds[p] = TILECUT_BACKGROUND, left--;
        segment(&s, s.mask, &report);
        int64_t foreground = 0;
        for (int p = 0; p < ALL; p++) {
            ck_assert_msg(adds ? s.mask[p] >= s.other[p] : s.mask[p] <= s.other[p], "seed %llu, voxel %d",
                          (unsigned long long)seed, p);
            foreground += s.mask[p] != 0, differ += s.mask[p] != s.other[p];
        }
        ck_assert(report.foreground == foreground);
    }
    ck_assert(differ > 0);
}

/* Few voxels of the object beside some of the background are no evidence against most of what the box alone gives. */
TEST(short_strokes_leave_half_of_a_box)
{
    static scene s;
    for (uint64_t seed = 3; seed < 4 * CASES; seed += 4) { /* only a box marks the ball */
        tilecut_report report = {0};
        int64_t before = 0;
        int at = 0, object = 0;
        draw(&s, seed);
        for (int p = 0; p < ALL; p++)
            if (s.seeds[p] == TILECUT_BACKGROUND) s.seeds[p] = TILECUT_OUTSIDE;
        segment(&s, s.other, &report);
        for (int p = 0; p < ALL; p++) before += s.other[p] != 0;
        for (int64_t p = 0, left = before / 2; p < ALL && left > 0; p++) left -= s.other[p] != 0, at = (int)p;
        for (int i = 0; i < 12; i++)
            s.seeds[at + i % 3 - 1 + i / 3 % 2 * WIDTH + i / 6 * WIDTH * HEIGHT] = TILECUT_BACKGROUND;
        while (!s.other[object] || s.seeds[object] || s.voxels[object] < 940 || s.voxels[object] > 960) object++;
        s.seeds[object] = TILECUT_FOREGROUND;
        segment(&s, s.mask, &report);
        ck_assert_msg(2 * report.foreground >= before || report.foreground + 12 > before, "seed %llu: %lld of %lld",
                      (unsigned long long)seed, (long long)report.foreground, (long long)before);
    }
}

TEST(parts_find_the_same)
{
    static scene s;
    static piece pieces[MOST_PIECES];
    for (uint64_t seed = first_seed(); seed < first_seed() + 3; seed++) {
        tilecut_report one = {0};
        draw(&s, seed);
        const part_scene whole = {.voxels = &s.volume, .seeds = s.seeds, .params = s.params};
        segment(&s, s.mask, &one);
        for (int parts = 1; parts <= 5; parts++) {
            const char *const why = part_scene_try(&whole, parts, s.mask, &one, pieces);
            ck_assert_msg(!why, "seed %llu, %d parts: %s", (unsigned long long)seed, parts, why);
        }
    }
}

TEST(background_around_it_is_sure)
{
    static scene s;
    tilecut_doubt doubt = {0};
    draw(&s, first_seed() + 1);
    segment(&s, s.mask, NULL);
    ck_assert_int_eq(tilecut_volume_confidence(&s.volume, s.seeds, s.mask, &s.params, s.other, &doubt), TILECUT_OK);
    bool any = false;
    for (int p = 0; p < ALL; p++) {
        if (s.seeds[p]) ck_assert_int_eq(s.other[p], 255);
        any |= s.other[p] < 230;
    }
    ck_assert(any && doubt.x >= 0);
    ck_assert_int_eq(s.seeds[(doubt.z * HEIGHT + doubt.y) * WIDTH + doubt.x], TILECUT_UNKNOWN);
}

/* Voxels far from the object and the strokes have no effect and do not change. */
TEST(corrections_look_around_the_object_alone)
{
    enum { SIDE = 90, SLICES = 60, COUNT = SIDE * SIDE * SLICES };
    static uint8_t grey[COUNT], seeds[COUNT], masks[2][COUNT];
    tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SLICES, .voxels = grey};
    tilecut_corrected done[2] = {{0}};
    for (int turn = 0; turn < 2; turn++) {
        uint64_t state = 3;
        for (int p = 0; p < COUNT; p++) {
            const int x = p % SIDE, y = p / SIDE % SIDE, z = p / SIDE / SIDE;
            const int u = (x - 20) * (x - 20) + (y - 20) * (y - 20) + (z - 20) * (z - 20);
            const bool far = x > 70 || y > 70 || z > 55;
            const int noise = random_below(&state, 60);
            grey[p] = (uint8_t)((u < 80 ? 150 : 90) + noise - (far && turn ? noise + 80 : 0));
            masks[turn][p] = u < 80 && x < 22 ? 255 : 0;
            seeds[p] = (uint8_t)(x == 25 && u < 60 && z == 20 ? TILECUT_FOREGROUND
                                 : x == 5 && z == 20          ? TILECUT_BACKGROUND
                                                              : TILECUT_UNKNOWN);
        }
        ck_assert_int_eq(tilecut_volume_correct(&volume, seeds, NULL, TILECUT_BY_STROKES, masks[turn], &done[turn],
                                                NULL), TILECUT_OK);
    }
    ck_assert(done[0].added > 200 && done[0].removed == 0 && done[1].added == done[0].added);
    ck_assert_mem_eq(masks[0], masks[1], COUNT);
}

/* A stroke changes voxels of its colour within five times its depth, which is farther than the first window reaches. */
TEST(a_correction_goes_on_beyond_its_first_window)
{
    enum { W = 20, LONG = 300, COUNT = W * W * LONG };
    static uint8_t grey[COUNT], seeds[COUNT], mask[COUNT];
    const tilecut_volume volume = {.width = W, .height = W, .depth = LONG, .voxels = grey};
    const tilecut_params params = {.lambda = 4};
    int found = 0;
    for (int p = 0; p < COUNT; p++) {
        const int x = p % W, y = p / W % W, z = p / W / W;
        const bool inside = x > 5 && x < 14 && y > 5 && y < 14;
        grey[p] = (uint8_t)((inside ? 200 : 60) + (x * 7 + y * 5 + z * 3) % 9);
        mask[p] = inside && z < 12 ? 255 : 0;
        seeds[p] = (uint8_t)(inside && z > 10 && z < 25 ? TILECUT_FOREGROUND
                             : x == 0 && z == 15        ? TILECUT_BACKGROUND
                                                        : TILECUT_UNKNOWN);
    }
    ck_assert_int_eq(tilecut_volume_correct(&volume, seeds, &params, TILECUT_BY_STROKES, mask, NULL, NULL), TILECUT_OK);
    for (int p = 0; p < COUNT; p++) found += mask[p] != 0;
    ck_assert_int_gt(found, 64 * 60);
}

int main(void) { return run_suite((test_suite){.name = "volume_window", .seconds = 600}); }
