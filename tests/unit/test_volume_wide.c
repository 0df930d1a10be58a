/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_volume_wide.c - volumes with 26 neighbours: the cheapest labelling of tiny ones by trying all, flow and cut of
 * others compared with network solvers, a proof that notices every error, and the steps from voxels to labels.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "cut.h"
#include "neighbourhoods.h"
#include "tilecut_volume.h"
#include "wide.h"


#include "random_graph.h"
#include "run_suite.h"
#include "wide_scene.h"

/* ---- Against trying all ----------------------------------------------------------------------- */

LOOP_TEST(tiny_volumes_have_the_cheapest_labelling, 0, 7)
{
    static const int sizes[][3] = {{2, 2, 2}, {3, 2, 2}, {1, 3, 4}, {2, 3, 2}, {12, 1, 1}, {1, 1, 5}, {2, 1, 5}};
    const int *const size = sizes[_i % 7];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        wide_scene s;
        wide_scene_draw(&s, 1000 * (uint64_t)_i + seed, size[0], size[1], size[2]);
        const size_t voxels = wide_scene_voxels(&s);
        uint8_t mask[16];
        tilecut_report report = {0};
        unsigned best = 0, answer = 0;
        const int64_t least = wide_scene_try_all(&s, &best);
        ck_assert_int_eq(wide_scene_cut(&s, 1 + (int)seed % 3, mask, &report), TILECUT_OK);
        for (size_t i = 0; i < voxels; i++) answer |= mask[i] ? 1u << i : 0;
        ck_assert_msg(report.flow == least && answer == best, "%dx%dx%d, seed %d", size[0], size[1], size[2],
                      (int)seed);
        wide_scene_free(&s);
    }
}

/* ---- Against networks ------------------------------------------------------------------------- */

LOOP_TEST(sizes_around_the_tile_agree_with_networks, 0, 6)
{
    static const int sizes[][3] = {{33, 3, 4}, {31, 34, 2}, {32, 32, 3}, {5, 33, 6}, {65, 2, 3}, {7, 8, 9}};
    const int *const size = sizes[_i];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        wide_scene s;
        wide_scene_draw(&s, 50 * (uint64_t)_i + seed, size[0], size[1], size[2]);
        const size_t voxels = wide_scene_voxels(&s);
        uint8_t *const mask = malloc(voxels), *const side = malloc(voxels + 2);
        tilecut_report report = {0};
        ck_assert_int_eq(wide_scene_cut(&s, 1 + (int)seed % 2, mask, &report), TILECUT_OK);
        ck_assert_int_eq(report.flow, wide_scene_by_network(&s, side));
        ck_assert_int_eq(report.cut, report.flow);
        ck_assert_int_eq(report.connectivity, 26);
        for (size_t i = 0; i < voxels; i++) ck_assert_int_eq(mask[i] != 0, side[i] != 0);
        free(mask);
        free(side);
        wide_scene_free(&s);
    }
}

/* One of two tiles holds all sinks. They reach the other tile only across one edge. */
LOOP_TEST(a_flood_leaves_the_tile_of_its_sinks, 0, 2)
{
    wide_scene s;
    tc_grid grid;
    tc_labels labels;
    uint8_t mask[64 * 3 * 3];
    wide_scene_draw(&s, 1, 64, 3, 3);
    for (int i = 0; i < 64 * 3 * 3; i++) {
        s.source[i] = 0, s.sink[i] = i % 64 / 32 == _i ? 5 : 0;
        for (int k = 0; k < WIDE_SCENE_LINKS; k++) s.link[k][i] = 1;
    }
    const tilecut_graph graph = wide_scene_graph(&s);
    ck_assert_int_eq(tc_grid_init_volume(&grid, 64, 3, 3, 26), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&grid, &graph, 1), TILECUT_OK);
    ck_assert_int_eq(tc_cut(&grid, 1, &labels), TILECUT_OK);
    ck_assert_int_eq(tc_labels_mask(&grid, &labels, 1, mask), 0);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    wide_scene_free(&s);
}

/* ---- The proof -------------------------------------------------------------------------------- */

TEST(a_wrong_answer_is_not_proven)
{
    wide_scene s;
    const tc_solve_params params = {.threads = 1};
    tc_solve_stats stats = {0};
    tc_labels labels = {0};
    tc_grid grid;
    int64_t flow, value;
    wide_scene_draw(&s, 77, 6, 5, 4);
    const tilecut_graph graph = wide_scene_graph(&s);
    ck_assert_int_eq(tc_grid_init_volume(&grid, 6, 5, 4, 26), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&grid, &graph, 1), TILECUT_OK);
    ck_assert_int_eq(tc_bk_solve_wide(&grid, &params, &stats), TILECUT_OK);
    ck_assert_int_eq(tc_cut(&grid, 1, &labels), TILECUT_OK);
    ck_assert_int_eq(tc_certify(&grid, &graph, &labels, 1, &flow, &value), TILECUT_OK);
    const size_t p = tc_volume_at(&grid, 2, 2, 1);
    for (int d2 = 0; d2 < TC_WIDE_DIRECTIONS; d2++) { /* the proof reads every residual capacity */
        *tc_wide_residual(&grid, (ptrdiff_t)p, d2) += 1;
        ck_assert_int_eq(tc_certify(&grid, &graph, &labels, 1, &flow, &value), TILECUT_EUNPROVEN);
        *tc_wide_residual(&grid, (ptrdiff_t)p, d2) -= 1;
    }
    grid.excess[p] += 1;
    ck_assert_int_eq(tc_certify(&grid, &graph, &labels, 1, &flow, &value), TILECUT_EUNPROVEN);
    grid.excess[p] -= 1;
    for (int z = 0; z < 4; z++) labels.background[tc_volume_at(&grid, 0, 0, z) / TC_TILE] ^= 0x3f;
    ck_assert_int_eq(tc_certify(&grid, &graph, &labels, 1, &flow, &value), TILECUT_EUNPROVEN);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    wide_scene_free(&s);
}

/* ---- Solves that go on ------------------------------------------------------------------------ */

/* Changes the excess of some voxels, up or down, before or after a first solve. */
static void change(tc_grid *grid, const wide_scene *s, uint64_t *state)
{
    const int slice = s->width * s->height;
    for (int i = 0; i < slice * s->depth; i++) {
        const int32_t more = random_below(state, 3) ? 0 : random_below(state, 101) - 50;
        s->source[i] += more > 0 ? more : 0;
        s->sink[i] -= more < 0 ? more : 0;
        grid->excess[tc_volume_at(grid, i % s->width, i % slice / s->width, i / slice)] += (float)more;
    }
}

/* Solves a grid that already has a flow and whose terminals have changed. The result must equal that of a new graph
 * with these terminals: with both search trees, and with the tree of sources alone among the voxels that a flood has
 * reached. */
LOOP_TEST(a_solve_goes_on_from_any_flow, 0, 4)
{
    static const int sizes[][3] = {{7, 6, 5}, {33, 4, 3}, {5, 34, 2}, {9, 9, 9}};
    const int *const size = sizes[_i % 4];
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t state = seed;
        wide_scene s;
        tc_grid grid;
        tc_labels labels = {0};
        tc_solve_params params = {.threads = 1};
        tc_solve_stats stats = {0};
        int64_t flow, value;
        wide_scene_draw(&s, 400 * (uint64_t)_i + seed, size[0], size[1], size[2]);
        const size_t voxels = wide_scene_voxels(&s);
        const tilecut_graph graph = wide_scene_graph(&s);
        uint8_t *const mask = malloc(voxels), *const side = malloc(voxels + 2);
        ck_assert_int_eq(tc_grid_init_volume(&grid, size[0], size[1], size[2], 26), TILECUT_OK);
        ck_assert_int_eq(tc_grid_build(&grid, &graph, 1), TILECUT_OK);
        for (int turn = 0; turn < 3; turn++) {
            if (turn) change(&grid, &s, &state);
            tc_wide_flood flood;
            ck_assert_int_eq(tc_wide_flood_open(&flood, &grid), TILECUT_OK);
            tc_wide_flood_sinks(&flood);
            params.reached = seed % 2 ? flood.labels.background : NULL;
            tc_grid_clear(&grid);
            ck_assert_int_eq(tc_bk_solve_wide(&grid, &params, &stats), TILECUT_OK);
            tc_wide_flood_close(&flood);
            ck_assert_int_eq(tc_cut(&grid, 1, &labels), TILECUT_OK);
            ck_assert_int_eq(tc_certify(&grid, &graph, &labels, 1, &flow, &value), TILECUT_OK);
            (void)tc_labels_mask(&grid, &labels, 1, mask);
            tc_labels_free(&labels);
            ck_assert_int_eq(flow, wide_scene_by_network(&s, side));
            for (size_t i = 0; i < voxels; i++) ck_assert_int_eq(mask[i] != 0, side[i] != 0);
        }
        tc_grid_free(&grid);
        wide_scene_free(&s);
        free(mask);
        free(side);
    }
}

/* ---- From voxels ------------------------------------------------------------------------------ */

enum { SIDE = 24, VOXELS = SIDE * SIDE * SIDE };

static bool in_ball(int i)
{
    const int x = i % SIDE - SIDE / 2, y = i / SIDE % SIDE - SIDE / 2, z = i / SIDE / SIDE - SIDE / 2;
    return x * x + y * y + z * z < 60;
}

TEST(a_ball_is_found)
{
    static uint8_t voxels[VOXELS], seeds[VOXELS], mask[VOXELS];
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    uint64_t state = 3;
    int wrong = 0;
    for (int i = 0; i < VOXELS; i++) {
        voxels[i] = (uint8_t)((in_ball(i) ? 150 : 100) + random_below(&state, 20));
        seeds[i] = i < SIDE * SIDE ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
    /* the stroke covers several voxels, so that colours can be learnt */
    const int middle = VOXELS / 2 + SIDE * SIDE / 2 + SIDE / 2;
    for (int i = -1; i < 2; i++) seeds[middle + i] = seeds[middle + i * SIDE] = TILECUT_FOREGROUND;
    const tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = voxels,
                                   .spacing = {1, 1, 1.5}};
    params.connectivity = 26;
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, &report), TILECUT_OK);
    for (int i = 0; i < VOXELS; i++) wrong += (mask[i] != 0) != in_ball(i);
    ck_assert_int_lt(wrong, VOXELS / 200);
    ck_assert_int_eq(report.connectivity, 26);
    ck_assert_str_eq(report.solver, "bk");
    ck_assert(report.certified);
    params.solver = "push";
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, &report), TILECUT_EINVAL);
}

int main(void) { return run_suite((test_suite){.name = "volumes with 26 neighbours", .seconds = 120}); }
