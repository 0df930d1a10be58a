/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_volume_wide.c - volumes with 26 neighbours: the cheapest labelling of tiny ones by trying all, the flow and the
 * cut of others by the solvers of networks, a proof that notices what is wrong, and the way from voxels to labels.
 */
#include <stdlib.h>
#include <string.h>

#include "tilecut_network.h"
#include "neighbourhoods.h"
#include "volume.h"

#include <check.h> /* last: it has a macro of the name fail */

#include "random_graph.h"
#include "run_suite.h"

typedef struct drawn {
    tc_volume volume;
    int32_t *cells;
} drawn;

static drawn draw(uint64_t seed, int width, int height, int depth)
{
    const size_t voxels = (size_t)width * (size_t)height * (size_t)depth;
    uint64_t state = seed;
    const int rare = 1 + random_below(&state, 8), shut = 1 + random_below(&state, 3);
    drawn d = {.cells = malloc((2 + TC_WIDE_LINKS) * voxels * sizeof *d.cells)};
    for (size_t i = 0; i < (2 + TC_WIDE_LINKS) * voxels; i++)
        d.cells[i] = random_below(&state, i < 2 * voxels ? rare : shut) ? 0
                                                                        : random_below(&state, i < 2 * voxels ? 99 : 9);
    d.volume = (tc_volume){.links = TC_WIDE_LINKS, .quantum = 1, .colors = "none",
                           .arrays = {.width = width, .height = height, .depth = depth, .source = d.cells,
                                      .sink = d.cells + voxels}};
    for (size_t k = 0; k < TC_WIDE_LINKS; k++) d.volume.to[k] = d.cells + (2 + k) * voxels;
    return d;
}

/* The other end of link k of voxel i; -1: there is none. */
static int64_t other_end(const tilecut_volume_arrays *a, size_t i, int k)
{
    const tc_wide_step s = tc_wide_steps[k];
    const int64_t w = a->width, h = a->height, x = (int64_t)i % w + s.x, y = (int64_t)i / w % h + s.y;
    const int64_t z = (int64_t)i / w / h + s.z;
    return x < 0 || x >= w || y < 0 || y >= h || z >= a->depth ? -1 : (z * h + y) * w + x;
}

static tilecut_status cut(const tc_volume *volume, int threads, uint8_t *mask, tilecut_report *report)
{
    const tc_setup setup = {.threads = threads};
    tilecut_status status = tc_wide_check(volume);
    if (status == TILECUT_OK) status = tc_volume_solve(volume, &setup, NULL, mask, report);
    return status;
}

/* ---- Against trying all ----------------------------------------------------------------------- */

static int64_t cost_of(const tc_volume *v, unsigned foreground)
{
    const size_t voxels = tc_volume_voxels(&v->arrays);
    int64_t cost = 0;
    for (size_t i = 0; i < voxels; i++) {
        cost += foreground >> i & 1 ? v->arrays.sink[i] : v->arrays.source[i];
        for (int k = 0; k < TC_WIDE_LINKS; k++) {
            const int64_t j = other_end(&v->arrays, i, k);
            if (j >= 0 && (foreground >> i & 1) != (foreground >> j & 1)) cost += v->to[k][i];
        }
    }
    return cost;
}

START_TEST(tiny_volumes_have_the_cheapest_labelling)
{
    static const int sizes[][3] = {{2, 2, 2}, {3, 2, 2}, {1, 3, 4}, {2, 3, 2}, {12, 1, 1}, {1, 1, 5}, {2, 1, 5}};
    const int *const size = sizes[_i % 7];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        drawn d = draw(1000 * (uint64_t)_i + seed, size[0], size[1], size[2]);
        const size_t voxels = tc_volume_voxels(&d.volume.arrays);
        uint8_t mask[16];
        tilecut_report report = {0};
        unsigned best = 0, answer = 0;
        int64_t least = INT64_MAX;
        /* Of all cheapest ones, that with the most foreground; it holds all others. */
        for (unsigned f = 0; f < 1u << voxels; f++) {
            const int64_t cost = cost_of(&d.volume, f);
            if (cost < least) best = f, least = cost;
            else if (cost == least) best |= f;
        }
        ck_assert_int_eq(cut(&d.volume, 1 + (int)seed % 3, mask, &report), TILECUT_OK);
        for (size_t i = 0; i < voxels; i++) answer |= mask[i] ? 1u << i : 0;
        ck_assert_msg(report.flow == least && answer == best, "%dx%dx%d, seed %d", size[0], size[1], size[2],
                      (int)seed);
        free(d.cells);
    }
}
END_TEST

/* ---- Against networks ------------------------------------------------------------------------- */

static int64_t by_network(const tc_volume *v, uint8_t *side)
{
    const int64_t voxels = (int64_t)tc_volume_voxels(&v->arrays);
    const size_t most = (size_t)voxels * (2 + 2 * TC_WIDE_LINKS);
    int32_t *const tail = malloc(most * sizeof *tail), *const head = malloc(most * sizeof *head);
    int64_t *const capacity = malloc(most * sizeof *capacity), arcs = 0;
    const int32_t source = (int32_t)voxels, sink = source + 1;
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    for (int32_t i = 0; i < source; i++) {
        tail[arcs] = source, head[arcs] = i, capacity[arcs++] = v->arrays.source[i];
        tail[arcs] = i, head[arcs] = sink, capacity[arcs++] = v->arrays.sink[i];
        for (int k = 0; k < TC_WIDE_LINKS; k++) {
            const int64_t j = other_end(&v->arrays, (size_t)i, k);
            if (j < 0) continue;
            tail[arcs] = i, head[arcs] = (int32_t)j, capacity[arcs++] = v->to[k][i];
            tail[arcs] = (int32_t)j, head[arcs] = i, capacity[arcs++] = v->to[k][i];
        }
    }
    const tilecut_network_arcs all = {.nodes = voxels + 2, .arcs = arcs, .tail = tail, .head = head,
                                      .capacity = capacity, .sources = &source, .source_count = 1, .sinks = &sink,
                                      .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&network, &all), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, side, NULL, &report), TILECUT_OK);
    tilecut_network_destroy(network);
    free(tail);
    free(head);
    free(capacity);
    return report.flow;
}

START_TEST(sizes_around_the_tile_agree_with_networks)
{
    static const int sizes[][3] = {{33, 3, 4}, {31, 34, 2}, {32, 32, 3}, {5, 33, 6}, {65, 2, 3}, {7, 8, 9}};
    const int *const size = sizes[_i];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        drawn d = draw(50 * (uint64_t)_i + seed, size[0], size[1], size[2]);
        const size_t voxels = tc_volume_voxels(&d.volume.arrays);
        uint8_t *const mask = malloc(voxels), *const side = malloc(voxels + 2);
        tilecut_report report = {0};
        ck_assert_int_eq(cut(&d.volume, 1 + (int)seed % 2, mask, &report), TILECUT_OK);
        ck_assert_int_eq(report.flow, by_network(&d.volume, side));
        ck_assert_int_eq(report.cut, report.flow);
        ck_assert_int_eq(report.connectivity, 26);
        for (size_t i = 0; i < voxels; i++) ck_assert_int_eq(mask[i] != 0, side[i] != 0);
        free(mask);
        free(side);
        free(d.cells);
    }
}
END_TEST

/* ---- The proof -------------------------------------------------------------------------------- */

START_TEST(a_wrong_answer_is_not_proven)
{
    drawn d = draw(77, 6, 5, 4);
    const tc_solve_params how = {.threads = 1};
    tc_solve_stats stats = {0};
    tc_labels labels = {0};
    tc_grid grid;
    int64_t flow, value;
    ck_assert_int_eq(tc_grid_init_volume(&grid, 6, 5, 4, 26), TILECUT_OK);
    tc_wide_build(&grid, &d.volume, 1);
    ck_assert_int_eq(tc_solver_find("bk") != NULL, 1);
    ck_assert_int_eq(tc_bk_solve_wide(&grid, &how, &stats), TILECUT_OK);
    ck_assert_int_eq(tc_wide_cut(&grid, &labels), TILECUT_OK);
    ck_assert_int_eq(tc_wide_certify(&grid, &d.volume, &labels, 1, &flow, &value), TILECUT_OK);
    const size_t p = tc_volume_at(&grid, 2, 2, 1);
    for (int d2 = 0; d2 < TC_WIDE_DIRECTIONS; d2++) { /* each residual counts */
        *tc_wide_residual(&grid, (ptrdiff_t)p, d2) += 1;
        ck_assert_int_eq(tc_wide_certify(&grid, &d.volume, &labels, 1, &flow, &value), TILECUT_EUNPROVEN);
        *tc_wide_residual(&grid, (ptrdiff_t)p, d2) -= 1;
    }
    grid.excess[p] += 1;
    ck_assert_int_eq(tc_wide_certify(&grid, &d.volume, &labels, 1, &flow, &value), TILECUT_EUNPROVEN);
    grid.excess[p] -= 1;
    for (int z = 0; z < 4; z++) labels.background[tc_volume_at(&grid, 0, 0, z) / TC_TILE] ^= 0x3f;
    ck_assert_int_eq(tc_wide_certify(&grid, &d.volume, &labels, 1, &flow, &value), TILECUT_EUNPROVEN);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    free(d.cells);
}
END_TEST

/* ---- From voxels ------------------------------------------------------------------------------ */

enum { SIDE = 24, VOXELS = SIDE * SIDE * SIDE };

static bool in_ball(int i)
{
    const int x = i % SIDE - SIDE / 2, y = i / SIDE % SIDE - SIDE / 2, z = i / SIDE / SIDE - SIDE / 2;
    return x * x + y * y + z * z < 60;
}

START_TEST(a_ball_is_found)
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
    seeds[VOXELS / 2 + SIDE * SIDE / 2 + SIDE / 2] = TILECUT_FOREGROUND;
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
END_TEST

int main(void)
{
    Suite *const suite = suite_create("volumes with 26 neighbours");
    TCase *const tests = tcase_create("wide");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, tiny_volumes_have_the_cheapest_labelling, 0, 7);
    tcase_add_loop_test(tests, sizes_around_the_tile_agree_with_networks, 0, 6);
    tcase_add_test(tests, a_wrong_answer_is_not_proven);
    tcase_add_test(tests, a_ball_is_found);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
