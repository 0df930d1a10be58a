/* SPDX-License-Identifier: MIT
 *
 * test_volume_refine.c - a volume with an initial mask: a ball in noise, and its mask in coarse cells. The outline
 * moves to that of the ball, but no farther than allowed. Strokes added to it are nested, and all threads and solvers
 * give one mask.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_volume.h"

enum { W = 32, H = 30, D = 28, N = W * H * D, CELL = 4 };

static uint8_t voxels[N], truth[N], given[N], seeds[N], mask[N], other[N];
static const tilecut_volume volume = {.width = W, .height = H, .depth = D, .voxels = voxels, .spacing = {1, 1, 1}};

static int at(int x, int y, int z) { return (z * H + y) * W + x; }

static bool inside(int x, int y, int z)
{
    return (x - 15) * (x - 15) + (y - 14) * (y - 14) + (z - 13) * (z - 13) < 11 * 11;
}

/* Draws the ball and its mask. Each cell of the mask has the value at its centre. */
static void draw(void)
{
    uint64_t state = 7;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                const int p = at(x, y, z), half = CELL / 2;
                truth[p] = inside(x, y, z) ? 255 : 0;
                voxels[p] = (uint8_t)(80 + 60 * inside(x, y, z) + random_below(&state, 50));
                given[p] = inside(x / CELL * CELL + half, y / CELL * CELL + half, z / CELL * CELL + half) ? 255 : 0;
            }
    memset(seeds, TILECUT_UNKNOWN, N);
}

static int64_t wrong(const uint8_t *labels)
{
    int64_t sum = 0;
    for (int p = 0; p < N; p++) sum += labels[p] != truth[p];
    return sum;
}

static tilecut_report refine(tilecut_params params, const uint8_t *prior, uint8_t *to)
{
    tilecut_report report = {0};
    params.prior = prior;
    ck_assert_msg(tilecut_volume_segment(&volume, seeds, &params, to, &report) == TILECUT_OK, "%s",
                  tilecut_error_detail());
    ck_assert(report.certified && report.flow == report.cut);
    int64_t foreground = 0;
    for (int p = 0; p < N; p++) foreground += to[p] != 0;
    ck_assert_int_eq(report.foreground, foreground);
    return report;
}

TEST(cells_become_the_ball)
{
    draw();
    tilecut_params params = tilecut_params_default();
    tilecut_moved moved = {0};
    refine(params, given, mask);
    ck_assert_int_lt(4 * wrong(mask), wrong(given));
    ck_assert_int_eq(tilecut_volume_moved(&volume, given, mask, &moved), TILECUT_OK);
    ck_assert(moved.added > 0 && moved.removed > 0 && !moved.too_much);
    ck_assert(moved.most <= CELL + 1 && moved.edges > moved.edges_before);
    params.prior_reach = 1; /* one step from the outline; a voxel at a corner is nearly two steps away */
    refine(params, given, other);
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool near = false;
                for (int k = 0; k < 125; k++) {
                    const int u = x + k % 5 - 2, v = y + k / 5 % 5 - 2, w = z + k / 25 - 2;
                    near |= u >= 0 && u < W && v >= 0 && v < H && w >= 0 && w < D &&
                            given[at(u, v, w)] != given[at(x, y, z)];
                }
                ck_assert(near || other[at(x, y, z)] == given[at(x, y, z)]);
            }
    params.prior_reach = 0;
    refine(params, truth, other); /* an exact mask stays as it is */
    ck_assert_int_eq(memcmp(other, truth, N), 0);
    ck_assert_int_eq(tilecut_volume_moved(&volume, truth, other, &moved), TILECUT_OK);
    ck_assert(moved.added == 0 && moved.removed == 0 && moved.mean == 0 && moved.most == 0 && !moved.too_much);
}

TEST(distances_are_those_of_space)
{
    draw();
    tilecut_volume thick = volume;
    tilecut_moved moved = {0};
    memset(given, 0, N), memset(mask, 0, N);
    for (int z = 6; z < 22; z++)
        for (int y = 6; y < 22; y++)
            for (int x = 6; x < 22; x++) given[at(x, y, z)] = 255, mask[at(x, y, z + 2)] = 255;
    thick.spacing[2] = 3; /* two slices are six units apart */
    ck_assert_int_eq(tilecut_volume_moved(&thick, given, mask, &moved), TILECUT_OK);
    ck_assert_double_eq(moved.most, 6);
    ck_assert_int_eq(moved.added, 2 * 16 * 16);
    ck_assert_int_eq(moved.removed, 2 * 16 * 16);
}

/* Starting from the mask of cells, each further stroke only adds or only removes, wherever it is. */
TEST(strokes_are_nested)
{
    uint64_t state = 3;
    tilecut_params params = tilecut_params_default();
    draw();
    for (int z = 11; z < 16; z++)
        for (int y = 12; y < 17; y++)
            /* adds a block that does not belong to the object */
            for (int x = 26; x < 30; x++) given[at(x, y, z)] = 255;
    refine(params, given, mask);
    for (int turn = 0; turn < 3; turn++) {
        const uint8_t label = turn % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        const int x0 = turn % 2 ? 15 : 28, y0 = 14 + random_below(&state, 3) - 1, z0 = turn % 2 ? 24 : 13;
        for (int x = x0 - 1; x <= x0 + 1; x++) seeds[at(x, y0, z0)] = label;
        refine(params, given, other);
        for (int p = 0; p < N; p++) {
            ck_assert(label == TILECUT_FOREGROUND ? other[p] >= mask[p] : other[p] <= mask[p]);
            ck_assert(seeds[p] != TILECUT_FOREGROUND || other[p] == 255);
            ck_assert(seeds[p] != TILECUT_BACKGROUND || other[p] == 0);
        }
        memcpy(mask, other, N);
    }
    ck_assert_int_eq(mask[at(28, 13, 13)], 0); /* the whole block is gone */
}

TEST(one_answer)
{
    static const char *const solvers[] = {"cascade", "push", "bk"};
    draw();
    for (int wide = 0; wide < 2; wide++) {
        tilecut_params params = tilecut_params_default();
        params.connectivity = wide ? 26 : 6;
        seeds[at(15, 14, 13)] = TILECUT_FOREGROUND, seeds[at(25, 14, 13)] = TILECUT_BACKGROUND;
        refine(params, given, mask);
        for (int k = wide ? 2 : 0; k < 3; k++) {
            params.solver = solvers[k], params.threads = wide ? 1 : 1 + 3 * (k % 2);
            refine(params, given, other);
            ck_assert_int_eq(memcmp(mask, other, N), 0);
        }
    }
}

/* A session refines a prior mask like a single call, and can cut afterwards. Functions that have no use for a prior
 * mask refuse it. */
TEST(a_session_refines_and_others_refuse)
{
    static int32_t source[N], sink[N], links[3 * N];
    tilecut_params params = tilecut_params_default();
    tilecut_volume_session *session = NULL;
    draw();
    seeds[at(15, 14, 13)] = TILECUT_FOREGROUND, seeds[at(25, 14, 13)] = TILECUT_BACKGROUND;
    refine(params, given, mask);
    ck_assert_int_eq(tilecut_volume_session_create(&session, &volume), TILECUT_OK);
    for (int turn = 0; turn < 2; turn++) {
        params.prior = given;
        ck_assert_int_eq(tilecut_volume_session_solve(session, seeds, &params, other, NULL), TILECUT_OK);
        ck_assert_mem_eq(other, mask, N);
        ck_assert_int_eq(tilecut_volume_session_undo(session, other, NULL), TILECUT_OK);
        ck_assert_mem_eq(other, mask, N);
        params.prior = NULL;
        ck_assert_int_eq(tilecut_volume_session_solve(session, seeds, &params, other, NULL), TILECUT_OK);
        ck_assert(memcmp(other, mask, N));
    }
    tilecut_volume_session_destroy(session);
    params.prior = given;
    ck_assert_int_eq(tilecut_volume_capacities(&volume, seeds, &params, source, sink, links, NULL), TILECUT_EINVAL);
    params.soft_seeds = 1;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, other, NULL), TILECUT_EINVAL);
}

/* The confidence in a refined or corrected mask is computed from colours that are learnt from that mask. */
TEST(a_refined_mask_has_a_confidence)
{
    tilecut_params params = tilecut_params_default();
    tilecut_doubt doubt = {0};
    draw();
    refine(params, given, mask);
    params.prior = mask;
    for (int turn = 0; turn < 2; turn++) { /* without seeds, and with both classes */
        memset(other, 0, N);
        ck_assert_int_eq(tilecut_volume_confidence(&volume, seeds, mask, &params, other, &doubt), TILECUT_OK);
        ck_assert_int_gt(other[0], 240); /* far from the object */
        int64_t unsure = 0;
        for (int p = 0; p < N; p++) {
            unsure += other[p] < 230;
            if (seeds[p]) ck_assert_int_eq(other[p], 255);
        }
        ck_assert(unsure > 0 && unsure < N / 2);
        seeds[at(15, 14, 13)] = TILECUT_FOREGROUND, seeds[at(25, 14, 13)] = TILECUT_BACKGROUND;
    }
    ck_assert_int_eq(tilecut_volume_confidence(&volume, NULL, mask, &params, other, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_confidence(&volume, seeds, NULL, &params, other, NULL), TILECUT_EINVAL);
}

TEST(an_empty_mask_stays_empty)
{
    draw();
    memset(given, 0, N);
    refine(tilecut_params_default(), given, mask);
    ck_assert_int_eq(memcmp(mask, given, N), 0);
    seeds[at(15, 14, 13)] = TILECUT_FOREGROUND;
    refine(tilecut_params_default(), given, mask);
    ck_assert_int_eq(mask[at(15, 14, 13)], 255);
}

int main(void) { return run_suite((test_suite){.name = "volume_refine"}); }
