/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_volume.c - volumes: every labelling of tiny ones, networks of the same arcs for sizes around that of a tile, one
 * slice compared with the same image, slices of one row compared with an image, a ball that must be found, and invalid
 * input.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_network.h"
#include "tilecut_volume.h"

typedef struct draw {
    tilecut_volume_arrays arrays;
    int32_t *memory;
    size_t voxels;
} draw;

/* Draws a volume. Links along z also lead out of the last slice, where they must be ignored. */
static void draw_volume(draw *d, uint64_t seed, int width, int height, int depth)
{
    uint64_t state = seed;
    const int most = 1 + random_below(&state, 40), rare = 1 + random_below(&state, 12), shut = random_below(&state, 4);
    const size_t n = d->voxels = (size_t)width * (size_t)height * (size_t)depth;
    int32_t *const all = d->memory = malloc(8 * n * sizeof *all);
    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < 8 * n; i++) {
        const bool terminal = i < 2 * n;
        all[i] = random_below(&state, terminal ? rare : 1 + shut) ? 0 : random_below(&state, (terminal ? 4 : 1) * most);
    }
    d->arrays = (tilecut_volume_arrays){.width = width, .height = height, .depth = depth, .source = all,
                                        .sink = all + n};
    for (int k = 0; k < 3; k++) {
        d->arrays.to[k] = all + (size_t)(2 + k) * n;
        d->arrays.from[k] = seed % 2 ? all + (size_t)(5 + k) * n : NULL;
    }
}

/* Returns the index of the next voxel after i along axis k, or -1 if there is none. */
static int64_t next_of(const tilecut_volume_arrays *a, int64_t i, int k)
{
    const int64_t at[3] = {i % a->width, i / a->width % a->height, i / a->width / a->height};
    const int64_t size[3] = {a->width, a->height, a->depth}, step[3] = {1, a->width, (int64_t)a->width * a->height};
    return at[k] + 1 < size[k] ? i + step[k] : -1;
}

static const int32_t *back_of(const tilecut_volume_arrays *a, int k)
{
    return a->from[k] ? a->from[k] : a->to[k];
}

static int64_t cost_of(const draw *d, const uint8_t *mask)
{
    const tilecut_volume_arrays *const a = &d->arrays;
    int64_t cost = 0;
    for (int64_t i = 0; i < (int64_t)d->voxels; i++) {
        cost += mask[i] ? a->sink[i] : a->source[i];
        for (int k = 0; k < 3; k++) {
            const int64_t j = next_of(a, i, k);
            if (j >= 0 && mask[i] && !mask[j]) cost += a->to[k][i];
            if (j >= 0 && !mask[i] && mask[j]) cost += back_of(a, k)[i];
        }
    }
    return cost;
}

static const char *const solvers[] = {NULL, "bk", "cascade", "push"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void solve_by(const draw *d, int solver, int threads, uint8_t *mask, tilecut_report *report)
{
    const tilecut_params params = {.solver = solvers[solver], .threads = threads};
    ck_assert_msg(tilecut_volume_solve(&d->arrays, &params, mask, report) == TILECUT_OK, "%s", tilecut_error_detail());
}

TEST(tiny_volumes_have_the_cheapest_labelling)
{
    static const int sizes[][3] = {{2, 2, 2}, {1, 1, 9}, {3, 2, 2}, {1, 4, 3}, {2, 1, 5}, {1, 1, 1}, {3, 1, 3}};
    for (uint64_t seed = 1; seed <= RANDOM_CASES(200); seed++) {
        const int *const size = sizes[seed % 7];
        uint8_t mask[16], best[16], tried[16];
        tilecut_report report = {0};
        int64_t least = INT64_MAX;
        int fewest = 0;
        draw d;
        draw_volume(&d, seed, size[0], size[1], size[2]);
        for (uint32_t bits = 0; bits < 1u << d.voxels; bits++) {
            for (size_t i = 0; i < d.voxels; i++) tried[i] = bits >> i & 1 ? 0 : 255;
            const int64_t cost = cost_of(&d, tried);
            if (cost > least || (cost == least && __builtin_popcount(bits) >= fewest)) continue;
            least = cost, fewest = __builtin_popcount(bits);
            memcpy(best, tried, sizeof best);
        }
        for (int i = 0; i < SOLVERS; i++) {
            solve_by(&d, i, 1, mask, &report);
            ck_assert_msg(report.flow == least && report.cut == least && report.certified == 1 &&
                              memcmp(mask, best, d.voxels) == 0,
                          "seed %llu, %s", (unsigned long long)seed, report.solver);
        }
        free(d.memory);
    }
}

/* Solves the same arcs as a network, which has two more nodes. Returns the flow. */
static int64_t solve_network(const draw *d, uint8_t *side)
{
    const tilecut_volume_arrays *const a = &d->arrays;
    const size_t most = 8 * d->voxels;
    int32_t *const tail = malloc(2 * most * sizeof *tail), *const head = tail + most;
    int64_t *const capacity = malloc(most * sizeof *capacity);
    const int32_t source = (int32_t)d->voxels, sink = source + 1;
    size_t arcs = 0;
    ck_assert(tail && capacity);
#define ARC(from, to, c) (tail[arcs] = (int32_t)(from), head[arcs] = (int32_t)(to), capacity[arcs++] = (c))
    for (int64_t i = 0; i < (int64_t)d->voxels; i++) {
        ARC(source, i, a->source[i]);
        ARC(i, sink, a->sink[i]);
        for (int k = 0; k < 3; k++) {
            const int64_t j = next_of(a, i, k);
            if (j < 0) continue;
            ARC(i, j, a->to[k][i]);
            ARC(j, i, back_of(a, k)[i]);
        }
    }
#undef ARC
    const tilecut_network_arcs all = {.nodes = sink + 1, .arcs = (int64_t)arcs, .tail = tail, .head = head,
                                      .capacity = capacity, .sources = &source, .sinks = &sink, .source_count = 1,
                                      .sink_count = 1};
    tilecut_network_report report = {0};
    tilecut_network *network = NULL;
    ck_assert_int_eq(tilecut_network_create(&network, &all), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, side, NULL, &report), TILECUT_OK);
    tilecut_network_destroy(network);
    free(tail);
    free(capacity);
    return report.flow;
}

/* Chooses sides around that of a tile, along each axis, or smaller ones. */
static void choose_size(uint64_t seed, int size[3])
{
    static const int sides[] = {1, 31, 32, 33, 65, 2, 64, 7, 16, 40};
    uint64_t state = seed;
    for (int k = 0; k < 3; k++) size[k] = 1 + random_below(&state, k == (int)(seed / 5 % 3) ? 40 : 5);
    size[seed % 3] = sides[seed / 3 % 10];
}

TEST(sizes_around_the_tile_agree_with_networks)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(180); seed++) {
        int size[3];
        choose_size(seed, size);
        tilecut_report report = {0};
        draw d;
        draw_volume(&d, seed + 1000, size[0], size[1], size[2]);
        uint8_t *const mask = malloc(d.voxels), *const side = malloc(d.voxels + 2);
        const int64_t flow = solve_network(&d, side);
        for (int i = 0; i < SOLVERS; i++) {
            solve_by(&d, i, 1 + (int)((seed + (uint64_t)i) % 4), mask, &report);
            ck_assert_msg(report.flow == flow && cost_of(&d, mask) == flow, "seed %llu, %s", (unsigned long long)seed,
                          report.solver);
            ck_assert_msg(memcmp(mask, side, d.voxels) == 0, "seed %llu, %s: another mask", (unsigned long long)seed,
                          report.solver);
        }
        free(mask);
        free(side);
        free(d.memory);
    }
}

/* The path to the only sink goes back and forth through all slices, so it keeps crossing the slices of several threads.
 * Everything off the path is foreground. */
TEST(a_path_through_all_slices_is_followed_to_its_ends)
{
    enum { HEIGHT = 34, DEPTH = 40, PATH = HEIGHT * DEPTH };
    static int32_t none[PATH], sink[PATH], along_z[PATH], across[PATH];
    static uint8_t mask[2 * PATH], expected[2 * PATH];
    static int32_t wide[5][2 * PATH];
    const int32_t *const thin[5] = {none, sink, none, across, along_z};
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++) {
            along_z[z * HEIGHT + y] = z + 1 < DEPTH;
            across[z * HEIGHT + y] = z == (y % 2 ? 0 : DEPTH - 1);
        }
    sink[DEPTH / 2 * HEIGHT + HEIGHT / 2] = 3;
    for (int i = 0; i < PATH; i++) { /* the column at x = 1 has neither links nor terminals */
        for (int k = 0; k < 5; k++) wide[k][2 * i] = thin[k][i];
        expected[2 * i + 1] = 255;
    }
    const tilecut_volume_arrays arrays = {.width = 2, .height = HEIGHT, .depth = DEPTH, .source = wide[0],
                                          .sink = wide[1], .to = {wide[2], wide[3], wide[4]}};
    for (int threads = 1; threads <= 5; threads++) {
        const tilecut_params params = {.threads = threads};
        ck_assert_int_eq(tilecut_volume_solve(&arrays, &params, mask, NULL), TILECUT_OK);
        ck_assert_msg(memcmp(mask, expected, sizeof mask) == 0, "%d threads", threads);
    }
}

/* A call uses at most one thread for each 65,536 voxels, so the volumes above are solved by one thread. */
TEST(threads_find_the_labels_of_one)
{
    enum { WIDTH = 70, HEIGHT = 66, DEPTH = 100 };
    static const int threads[] = {2, 4, 7};
    static uint8_t mask[WIDTH * HEIGHT * DEPTH], expected[WIDTH * HEIGHT * DEPTH];
    for (uint64_t seed = 1; seed <= 1 + RANDOM_CASES(3); seed++) {
        tilecut_report one = {0}, report = {0};
        draw d;
        draw_volume(&d, seed + 2000, WIDTH, HEIGHT, DEPTH);
        solve_by(&d, 2, 1, expected, &one);
        for (int i = 0; i < 3; i++) {
            const int solver = (i + (int)seed) % 2 ? 2 : 3; /* the rows of `cascade` and `push` in the solver table */
            solve_by(&d, solver, threads[i], mask, &report);
            ck_assert_msg(report.flow == one.flow && memcmp(mask, expected, d.voxels) == 0, "seed %llu, %s, %d threads",
                          (unsigned long long)seed, report.solver, threads[i]);
            ck_assert_int_eq(report.threads, threads[i]);
        }
        free(d.memory);
    }
}

/* ---- Voxels ----------------------------------------------------------------------------------- */

enum { SIDE = 36, BALL = SIDE * SIDE * SIDE };

static bool in_ball(int i, double radius)
{
    const double x = i % SIDE - 17.5, y = i / SIDE % SIDE - 17.5, z = i / SIDE / SIDE - 17.5;
    return x * x + y * y + z * z < radius * radius;
}

/* Draws a grey ball with noise, and seeds in its middle and in the corners. */
static void draw_ball(uint64_t seed, uint8_t *grey, uint8_t *seeds)
{
    uint64_t state = seed;
    for (int i = 0; i < BALL; i++) {
        grey[i] = (uint8_t)((in_ball(i, 12) ? 130 : 90) + random_below(&state, 50));
        seeds[i] = in_ball(i, 4) ? TILECUT_FOREGROUND : in_ball(i, 25) ? TILECUT_UNKNOWN : TILECUT_BACKGROUND;
    }
}

TEST(a_ball_is_found_whatever_its_voxels_are)
{
    static uint8_t grey[BALL], seeds[BALL], mask[BALL], other[BALL];
    static int16_t shifted[BALL];
    static float real[BALL];
    int differ = 0, wrong = 0;
    tilecut_report report = {0};
    draw_ball(7, grey, seeds);
    for (int i = 0; i < BALL; i++) shifted[i] = (int16_t)(4 * grey[i] - 500), real[i] = (float)grey[i] / 1000;
    tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = grey};
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, &report), TILECUT_OK);
    ck_assert(report.certified == 1 && report.connectivity == 6 && report.flow == report.cut);
    for (int i = 0; i < BALL; i++) wrong += (mask[i] != 0) != in_ball(i, 12);
    ck_assert_msg(wrong < BALL / 100, "%d of %d voxels are wrong", wrong, BALL);

    tilecut_report short_report = {0}, real_report = {0};
    volume.voxels = shifted, volume.type = TILECUT_VOXEL_I16, volume.low = -500, volume.high = 520;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, other, &short_report), TILECUT_OK);
    for (int i = 0; i < BALL; i++) differ += mask[i] != other[i];
    ck_assert_msg(differ < 40, "%d voxels differ with 16 bits", differ);
    volume.voxels = real, volume.type = TILECUT_VOXEL_F32, volume.low = 0, volume.high = 0.255;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, &real_report), TILECUT_OK);
    ck_assert(memcmp(mask, other, sizeof mask) == 0 && real_report.flow == short_report.flow);
}

/* Packed bytes are read where they lie, other voxels are copied; seeds are copied if something is marked in them. The
 * mask is the same, and voxels and seeds stay as they were. */
TEST(voxels_read_in_place_give_the_same_mask)
{
    enum { ROW = SIDE + 3, SLICE = ROW * (SIDE + 1) };
    static uint8_t grey[2][BALL], seeds[2][BALL], apart[SLICE * SIDE], mask[BALL], other[BALL];
    for (int i = 0; i < 2; i++) draw_ball(9, grey[i], seeds[i]);
    for (int i = 0; i < BALL; i++) apart[i / SIDE / SIDE * SLICE + i / SIDE % SIDE * ROW + i % SIDE] = grey[0][i];
    for (int i = 0; i < 8; i++) {
        const tilecut_params params = {.connectivity = i & 1 ? 26 : 6, .spatial = i & 2 ? TILECUT_NONE : 0,
                                       .iterations = i & 4 ? 2 : TILECUT_NONE};
        tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = grey[0]};
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds[0], &params, mask, NULL), TILECUT_OK);
        volume.voxels = apart, volume.row_stride = ROW, volume.slice_stride = SLICE;
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds[0], &params, other, NULL), TILECUT_OK);
        ck_assert_mem_eq(mask, other, BALL);
        ck_assert_mem_eq(grey[0], grey[1], BALL);
        ck_assert_mem_eq(seeds[0], seeds[1], BALL);
    }
}

/* The only background seeds are a ring around the ball in one slice, and the only foreground seeds a dot of 8 or 32
 * voxels. */
TEST(a_dot_with_a_ring_around_finds_the_ball)
{
    static uint8_t grey[BALL], seeds[BALL], mask[BALL];
    const tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = grey};
    for (uint64_t k = 0; k < 6; k++) {
        draw_ball(20 + k, grey, seeds);
        int both = 0, either = 0;
        for (int i = 0; i < BALL; i++) {
            const bool ring = i / SIDE / SIDE == SIDE / 2 && !in_ball(i, 15) && in_ball(i, 17);
            seeds[i] = in_ball(i, k % 2 ? 1.7 : 1) ? TILECUT_FOREGROUND : ring ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
        }
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_OK);
        for (int i = 0; i < BALL; i++) both += mask[i] && in_ball(i, 12), either += mask[i] || in_ball(i, 12);
        ck_assert_msg(both > 0.9 * either, "ball %d: %d voxels of %d", (int)k, both, either);
    }
}

/* Checks that a cut of the volume's capacities gives the mask, and that the confidence in the mask is high. */
static void check_energy(const tilecut_volume *volume, const uint8_t *seeds, const uint8_t *mask)
{
    static int32_t source[BALL], sink[BALL], links[3 * BALL];
    static uint8_t other[BALL], cut[BALL];
    const tilecut_volume_arrays arrays = {.width = SIDE, .height = SIDE, .depth = SIDE, .source = source, .sink = sink,
                                          .to = {links, links + BALL, links + 2 * BALL}};
    const tilecut_params all = {.islands = 1};
    tilecut_doubt doubt = {0};
    ck_assert_int_eq(tilecut_volume_confidence(volume, seeds, mask, NULL, NULL, &doubt), TILECUT_OK);
    ck_assert_double_lt(doubt.unsure, 0.5);
    ck_assert_int_eq(tilecut_volume_segment(volume, seeds, &all, other, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_capacities(volume, seeds, &all, source, sink, links, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_solve(&arrays, NULL, cut, NULL), TILECUT_OK);
    ck_assert_mem_eq(cut, other, BALL);
}

/* The only foreground seed is one voxel in a ball, a twelfth of the volume, whose colours also occur outside. A session
 * and other solvers give the same answer. In the second turn the only background seeds are the faces of the volume. */
LOOP_TEST(a_click_finds_the_ball, 0, 2)
{
    static uint8_t grey[BALL], seeds[BALL], mask[BALL], other[BALL];
    const tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = grey};
    const uint64_t first = RANDOM_TIMES > 1 ? 0 : 2 * (uint64_t)_i, end = RANDOM_TIMES > 1 ? 4 : first + 2;
    for (uint64_t k = first; k < end; k++) {
        tilecut_volume_session *session = NULL;
        const tilecut_params params = {.solver = solvers[k % SOLVERS]};
        uint64_t state = 70 + k;
        int both = 0, either = 0;
        for (int i = 0; i < BALL; i++) {
            grey[i] = (uint8_t)((in_ball(i, 10) ? 130 : 90) + random_below(&state, 60));
            const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
            const bool face = x % (SIDE - 1) == 0 || y % (SIDE - 1) == 0 || z % (SIDE - 1) == 0;
            seeds[i] = _i ? face ? TILECUT_OUTSIDE : TILECUT_UNKNOWN
                          : in_ball(i, 25) ? TILECUT_UNKNOWN : TILECUT_BACKGROUND;
        }
        seeds[(18 * SIDE + 16 + k) * SIDE + 18] = TILECUT_FOREGROUND;
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, NULL), TILECUT_OK);
        for (int i = 0; i < BALL; i++) both += mask[i] && in_ball(i, 10), either += mask[i] || in_ball(i, 10);
        ck_assert_msg(both > 0.85 * either, "ball %d: %d voxels of %d", (int)k, both, either);
        ck_assert_int_eq(tilecut_volume_session_create(&session, &volume), TILECUT_OK);
        for (int turn = 0; turn < 2; turn++) {
            ck_assert_int_eq(tilecut_volume_session_solve(session, seeds, NULL, other, NULL), TILECUT_OK);
            ck_assert(!memcmp(mask, other, BALL));
        }
        tilecut_volume_session_destroy(session);
        if (k == 0) check_energy(&volume, seeds, mask);
    }
}

enum { WIDE = 48, ALL = WIDE * WIDE * WIDE };

/* True if voxel i of a volume of WIDE voxels a side is within a distance along each axis of the middle, or, if `round`,
 * within that radius. */
static bool in_middle(int i, int distance, bool round)
{
    const int x = abs(i % WIDE - WIDE / 2), y = abs(i / WIDE % WIDE - WIDE / 2), z = abs(i / WIDE / WIDE - WIDE / 2);
    return round ? x * x + y * y + z * z <= distance * distance : x <= distance && y <= distance && z <= distance;
}

/* A stroke beside a click lies in the same cell of the copy as a part of the click. All other strokes are too far from
 * the object to learn from, but they still are background where the copy is searched. */
TEST(far_strokes_are_background_to_a_click)
{
    static uint8_t grey[ALL], seeds[ALL], mask[ALL];
    const tilecut_volume volume = {.width = WIDE, .height = WIDE, .depth = WIDE, .voxels = grey};
    uint64_t state = 5;
    int both = 0, either = 0;
    for (int i = 0; i < ALL; i++) {
        grey[i] = (uint8_t)((in_middle(i, 9, true) ? 130 : 70) + random_below(&state, 60));
        if (in_middle(i, 1, false)) seeds[i] = TILECUT_FOREGROUND;
        else if (i < WIDE) seeds[i] = TILECUT_BACKGROUND;
    }
    seeds[((WIDE / 2 - 1) * WIDE + WIDE / 2 - 1) * WIDE + WIDE / 2 - 2] = TILECUT_BACKGROUND;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_OK);
    for (int i = 0; i < ALL; i++) {
        const bool inside = in_middle(i, 9, true);
        both += inside && mask[i], either += inside || mask[i];
    }
    ck_assert_msg(both > 0.9 * either, "%d voxels of %d", both, either);
}

/* Draws a ball in colour: in each channel it is brighter or darker than the background by another amount, and the noise
 * has another pattern. */
static void draw_color_ball(uint64_t seed, uint8_t *color, uint8_t *seeds)
{
    static const int rise[] = {25, -20, 15};
    uint64_t state = seed;
    draw_ball(seed, color, seeds); /* of which only the seeds stay */
    for (int i = 0; i < 3 * BALL; i++)
        color[i] = (uint8_t)(100 + (in_ball(i / 3, 12) ? rise[i % 3] : 0) + random_below(&state, 50));
}

/* Adds strokes one by one: balls of seeds of either class, anywhere. */
LOOP_TEST(a_session_gives_the_answers_of_single_cuts, 0, 2)
{
    static uint8_t voxels[3 * BALL], seeds[BALL], mask[BALL], expected[BALL];
    tilecut_volume_session *session = NULL;
    uint64_t state = 5;
    if (_i) draw_color_ball(3, voxels, seeds);
    else draw_ball(3, voxels, seeds);
    const tilecut_volume volume = {.size = sizeof volume, .width = SIDE, .height = SIDE, .depth = SIDE,
                                   .voxels = voxels, .channels = _i ? 3 : 1};
    ck_assert_int_eq(tilecut_volume_session_create(&session, &volume), TILECUT_OK);
    for (int stroke = 0; stroke < 12; stroke++) {
        const tilecut_params params = {.solver = stroke % 3 ? NULL : solvers[stroke / 3 % SOLVERS],
                                       .threads = 1 + stroke % 3, .colors = stroke < 6 ? NULL : "none",
                                       .lambda = stroke == 9 ? 20 : 0};
        tilecut_report one = {0}, other = {0};
        ck_assert_msg(tilecut_volume_session_solve(session, seeds, &params, mask, &one) == TILECUT_OK, "%s",
                      tilecut_error_detail());
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, expected, &other), TILECUT_OK);
        ck_assert_msg(one.flow == other.flow && memcmp(mask, expected, BALL) == 0, "stroke %d", stroke);
        ck_assert(one.certified == 1 && !other.warm);
        if (stroke > 0 && stroke < 6) ck_assert_msg(one.warm == 1, "stroke %d", stroke);
        if (stroke == 9) ck_assert(!one.warm); /* another lambda changes the links, so the session starts again */
        const int at = random_below(&state, BALL - 200);
        memset(seeds + at, in_ball(at, 12) ? TILECUT_FOREGROUND : TILECUT_BACKGROUND, 5);
    }
    tilecut_volume_session_destroy(session);
    tilecut_volume_session_destroy(NULL);
}

TEST(one_slice_is_an_image)
{
    static uint8_t grey[BALL], seeds[BALL], mask[SIDE * SIDE], expected[SIDE * SIDE];
    draw_ball(11, grey, seeds);
    const size_t middle = (size_t)17 * SIDE * SIDE;
    for (int i = 0; i < SIDE; i++) seeds[middle + (size_t)i] = TILECUT_BACKGROUND;
    tilecut_params params = {.lambda = 8, .spatial = TILECUT_NONE, .iterations = TILECUT_NONE, .islands = 1};
    const tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = 1, .voxels = grey + middle};
    const tilecut_image image = {.width = SIDE, .height = SIDE, .channels = 1, .depth = 8, .pixels = grey + middle};
    tilecut_report one = {0}, other = {0};
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds + middle, &params, mask, &one), TILECUT_OK);
    ck_assert_int_eq(tilecut_segment(&image, seeds + middle, &params, expected, &other), TILECUT_OK);
    ck_assert(one.foreground > 100 && memcmp(mask, expected, sizeof mask) == 0);
    ck_assert(one.flow == other.flow && fabs(one.beta - other.beta) < 1e-12);
}

/* The three channels together show the ball better than any of them alone. */
TEST(a_ball_in_colour_is_found_by_all_channels)
{
    static uint8_t color[3 * BALL], grey[BALL], seeds[BALL], mask[BALL];
    tilecut_report report = {0};
    int wrong[4] = {0};
    draw_color_ball(4, color, seeds);
    tilecut_volume volume = {.size = sizeof volume, .width = SIDE, .height = SIDE, .depth = SIDE, .voxels = color,
                             .channels = 3};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; k < 3 && i < BALL; i++) grey[i] = color[3 * i + k];
        volume.voxels = k < 3 ? grey : color, volume.channels = k < 3 ? k % 2 : 3;
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, &report), TILECUT_OK);
        for (int i = 0; i < BALL; i++) wrong[k] += (mask[i] != 0) != in_ball(i, 12);
    }
    ck_assert_msg(wrong[3] < BALL / 300 && wrong[3] < wrong[0] && wrong[3] < wrong[1] && wrong[3] < wrong[2],
                  "%d voxels are wrong, and with one channel %d, %d and %d", wrong[3], wrong[0], wrong[1], wrong[2]);
}

/* A volume whose slices have one row is an image whose rows are the slices: both have 4 neighbours. */
LOOP_TEST(slices_of_one_row_are_the_rows_of_an_image, 0, 24)
{
    static const char *const models[] = {"gmm", "hist", "none"};
    enum { W = 41, H = 37, N = W * H };
    const int channels = _i % 2 ? 3 : 1, depth = _i / 2 % 2 ? 16 : 8;
    uint64_t state = 90 + (uint64_t)_i;
    uint16_t wide[3 * N];
    uint8_t narrow[3 * N], seeds[N] = {0}, mask[N], expected[N];
    const tilecut_params params = {.colors = models[_i / 4 % 3], .lambda = 12, .sigma = _i < 12 ? 9 : 0, .islands = 1,
                                   .spatial = TILECUT_NONE, .iterations = TILECUT_NONE,
                                   .solver = solvers[_i % SOLVERS]};
    tilecut_report one = {0}, other = {0};
    for (int i = 0; i < N * channels; i++) {
        const int x = i / channels % W - 20, y = i / channels / W - 18;
        narrow[i] = (uint8_t)(90 + (x * x + y * y < 130 ? 40 - 15 * (i % channels) : 0) + random_below(&state, 60));
        wide[i] = (uint16_t)(narrow[i] << 8 | random_below(&state, 256));
    }
    memset(seeds, TILECUT_BACKGROUND, W);
    memset(seeds + 18 * W + 15, TILECUT_FOREGROUND, 9);
    tilecut_volume volume = {.size = sizeof volume, .width = W, .height = 1, .depth = H, .channels = channels,
                             .voxels = narrow};
    tilecut_image image = {.width = W, .height = H, .channels = channels, .depth = depth, .pixels = narrow};
    if (depth == 16) image.pixels = volume.voxels = wide, volume.type = TILECUT_VOXEL_U16, volume.high = 65535;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, &one), TILECUT_OK);
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, expected, &other), TILECUT_OK);
    ck_assert(one.foreground > 8 && one.foreground < N - W);
    ck_assert_mem_eq(mask, expected, N);
    ck_assert(one.flow == other.flow && one.cut == other.cut && one.energy == other.energy);
    ck_assert(one.quantum == other.quantum && fabs(one.beta - other.beta) < 1e-12);
}

/* Two columns along z and x, each between hard seeds, have one weak spot. With a larger spacing of the slices, a cut
 * between them costs less. */
TEST(weights_go_by_distance)
{
    static const uint8_t grey[8] = {10, 10, 10, 10, 10, 10, 10, 10};
    uint8_t seeds[8] = {0}, mask[8];
    tilecut_params params = {.lambda = 1000, .sigma = 10, .colors = "none"};
    int64_t flow[2];
    for (int k = 0; k < 2; k++) {
        tilecut_report report = {0};
        tilecut_volume volume = {.width = 2, .height = 2, .depth = 2, .voxels = grey, .spacing = {1, 1, k ? 4 : 1}};
        memset(seeds, TILECUT_FOREGROUND, 4);
        memset(seeds + 4, TILECUT_BACKGROUND, 4);
        ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, &report), TILECUT_OK);
        flow[k] = report.flow;
    }
    ck_assert(flow[0] > 0 && flow[0] == 4 * flow[1]);
}

TEST(what_cannot_be_is_refused)
{
    static const float lost[1] = {NAN};
    static const int32_t zero[1];
    uint8_t seeds[1] = {TILECUT_FOREGROUND}, mask[1] = {7}, grey[4] = {0};
    tilecut_volume volume = {.width = 1, .height = 1, .depth = 1, .voxels = grey};
    tilecut_params params = {.solver = "wave"};
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_ESEEDS);
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, NULL), TILECUT_EINVAL);
    volume.type = TILECUT_VOXEL_F32, volume.voxels = lost;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_str_eq(tilecut_error_detail(), "voxel 0,0,0 is not a finite number");
    volume.type = 9;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    volume = (tilecut_volume){.width = 1, .height = 1, .depth = 1, .voxels = grey, .spacing = {1, 0, 1}};
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    volume = (tilecut_volume){.width = 65536, .height = 65536, .depth = 9, .voxels = grey};
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    tilecut_volume_arrays arrays = {.width = 1, .height = 1, .depth = 1, .source = zero, .sink = zero};
    ck_assert_int_eq(tilecut_volume_solve(&arrays, NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(mask[0], 7);
}

int main(void) { return run_suite((test_suite){.name = "volume", .seconds = 120}); }
