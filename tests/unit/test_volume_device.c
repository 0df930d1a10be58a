/* SPDX-License-Identifier: MIT
 *
 * test_volume_device.c - what the library makes of a device that cuts volumes: the report, refusals, a device that
 * gives up or lies. The device is made of software: what cuda_volume.h declares is done by the host's code, in place of
 * the stub.
 * Device: its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "cuda_volume.h"
#include "cut.h"
#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"
#include "status.h"
#include "volume.h"

/* ---- The device ------------------------------------------------------------------------------- */

static struct {
    int made, solved, fetched, open;
    bool gives_up, lies, full;
} device;

struct tc_cuda_volume {
    tc_volume volume;
    tilecut_graph arrays;
    const tilecut_graph *graph; /* either's */
    tc_grid grid;
};

static tc_cuda_volume *new_volume(void)
{
    tc_cuda_volume *const v = calloc(1, sizeof *v);
    ck_assert_ptr_nonnull(v);
    device.made++, device.open++;
    return v;
}

static void build(tc_cuda_volume *v, const tilecut_graph *graph)
{
    v->graph = graph;
    ck_assert_int_eq(tc_grid_init_volume(&v->grid, graph->width, graph->height, graph->depth, 6), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&v->grid, graph, 1), TILECUT_OK);
}

tilecut_status tc_cuda_volume_learn(tc_cuda_volume **volume, const tilecut_volume *voxels, const double distance[3],
                                    const uint8_t *seeds, const tc_setup *setup, tc_cuda_volume_origin *origin)
{
    *volume = NULL;
    *origin = (tc_cuda_volume_origin){.copy_ms = 1, .model_ms = 2, .build_ms = 4};
    ck_assert_double_ge(distance[0] * distance[1] * distance[2], 1);
    if (device.full) return tc_fail(TILECUT_ENOMEM, "not enough device memory");
    tc_cuda_volume *const v = new_volume();
    const tilecut_status status = tc_volume_open(&v->volume, voxels, seeds, setup);
    if (status != TILECUT_OK) {
        tc_cuda_volume_destroy(v);
        return tc_fail(status, "the device says less");
    }
    *volume = v;
    build(v, v->volume.graph);
    origin->beta = v->graph->energy.beta, origin->quantum = v->graph->energy.quantum;
    return TILECUT_OK;
}

tilecut_status tc_cuda_volume_take(tc_cuda_volume **volume, const tilecut_volume_arrays *arrays, bool checked,
                                   int index, tc_cuda_volume_origin *origin)
{
    tilecut_graph graph;
    (void)index;
    ck_assert(!checked);
    *volume = NULL;
    *origin = (tc_cuda_volume_origin){.copy_ms = 1, .build_ms = 4};
    ck_assert_int_eq(tc_graph_of_volume(&graph, arrays), TILECUT_OK);
    if (device.full) return tc_fail(TILECUT_ENOMEM, "not enough device memory");
    const tilecut_status status = tc_graph_check(&graph, 0, graph.height * graph.depth, 0, 1);
    if (status != TILECUT_OK) return tc_fail(status, "the device says less");
    *volume = new_volume();
    (*volume)->arrays = graph;
    build(*volume, &(*volume)->arrays);
    return TILECUT_OK;
}

void tc_cuda_volume_destroy(tc_cuda_volume *volume)
{
    if (!volume) return;
    device.open--;
    tc_grid_free(&volume->grid);
    tc_volume_close(&volume->volume);
    free(volume);
}

tilecut_status tc_cuda_volume_solve(tc_cuda_volume *volume, const tc_solve_params *params,
                                    tc_cuda_volume_answer *answer)
{
    tc_solve_stats stats = {0};
    *answer = (tc_cuda_volume_answer){.unfinished = device.gives_up, .solve_ms = 8, .bytes = 1000};
    device.solved++;
    return device.gives_up ? TILECUT_OK : tc_solver_solve(tc_solver_find("bk"), &volume->grid, params, &stats);
}

tilecut_status tc_cuda_volume_conclude(tc_cuda_volume *volume, uint8_t *mask, tc_cuda_volume_answer *answer)
{
    tilecut_status status = TILECUT_OK;
    tc_labels labels = {0};
    TRY(tc_cut(&volume->grid, 1, &labels));
    TRY(tc_certify(&volume->grid, volume->graph, &labels, 1, &answer->flow, &answer->cut));
    answer->cut += device.lies;
    answer->certify_ms = 16;
    if (!device.lies) answer->foreground = tc_labels_mask(&volume->grid, &labels, 1, mask);
done:
    tc_labels_free(&labels);
    return status;
}

tilecut_status tc_cuda_volume_fetch(const tc_cuda_volume *volume, tc_grid *grid)
{
    ck_assert_int_eq(tc_grid_build(grid, volume->graph, 1), TILECUT_OK);
    device.fetched++;
    return TILECUT_OK;
}

/* ---- What is cut ------------------------------------------------------------------------------- */

enum { W = 37, H = 20, D = 5, N = W * H * D };

static struct {
    float voxels[N];
    uint8_t seeds[N], here[N], there[N];
    int32_t capacity[5][N];
    tilecut_volume scan;
    tilecut_volume_arrays arrays;
    tilecut_params params;
} s;

static void set_up(void)
{
    uint64_t state = 5;
    memset(&device, 0, sizeof device);
    memset(&s, 0, sizeof s);
    for (int i = 0; i < N; i++) {
        s.voxels[i] = (float)(i % W < W / 2 ? 40 : 90) + (float)random_below(&state, 30);
        for (int k = 0; k < 5; k++) s.capacity[k][i] = random_below(&state, k < 2 ? 40 : 20);
    }
    s.seeds[N / 2 + 3] = TILECUT_FOREGROUND, s.seeds[N / 2 + W - 4] = TILECUT_BACKGROUND;
    s.scan = (tilecut_volume){.width = W, .height = H, .depth = D, .type = TILECUT_VOXEL_F32, .voxels = s.voxels,
                              .spacing = {1, 1, 3}};
    s.arrays = (tilecut_volume_arrays){.width = W, .height = H, .depth = D, .source = s.capacity[0],
                                       .sink = s.capacity[1], .to = {s.capacity[2], s.capacity[3], s.capacity[4]}};
    s.params = tilecut_params_default();
    s.params.spatial = s.params.iterations = TILECUT_NONE, s.params.islands = 1; /* else the host learns */
}

/* By voxels, or by arrays. */
static tilecut_status cut(bool arrays, const char *solver, uint8_t *mask, tilecut_report *report)
{
    s.params.solver = solver;
    return arrays ? tilecut_volume_solve(&s.arrays, &s.params, mask, report)
                  : tilecut_volume_segment(&s.scan, s.seeds, &s.params, mask, report);
}

/* ---- Tests ------------------------------------------------------------------------------------- */

LOOP_TEST(cut_there, 0, 4)
{
    tilecut_report here = {0}, there = {0};
    const bool arrays = _i & 1;
    set_up();
    device.gives_up = _i & 2;
    ck_assert_int_eq(cut(arrays, "bk", s.here, &here), TILECUT_OK);
    ck_assert_int_eq(device.made, 0);
    ck_assert_msg(cut(arrays, "cuda", s.there, &there) == TILECUT_OK, "%s", tilecut_error_detail());
    ck_assert_mem_eq(s.here, s.there, N);
    ck_assert_int_eq(device.made, 1);
    ck_assert_int_eq(device.solved, 1);
    ck_assert_int_eq(device.fetched, device.gives_up);
    ck_assert_int_eq(device.open, 0);
    ck_assert_int_eq(there.flow, here.flow);
    ck_assert_int_eq(there.cut, here.cut);
    ck_assert_int_eq(there.foreground, here.foreground);
    ck_assert_int_eq(there.certified, 1);
    ck_assert_int_eq(there.connectivity, 6);
    ck_assert_str_eq(there.solver, "cuda");
    ck_assert_str_eq(there.device, "cuda");
    ck_assert_str_eq(there.colors, here.colors);
    ck_assert_double_eq(there.quantum, here.quantum);
    ck_assert_double_eq(there.beta, here.beta);
    ck_assert_double_eq(there.lambda, here.lambda);
    ck_assert_double_eq(there.energy, here.energy);
    ck_assert_double_eq(there.copy_ms, 1);
    ck_assert_double_eq(there.graph_ms, 4);
    ck_assert_double_ge(there.solve_ms, 8);
    ck_assert_double_eq_tol(there.bytes_per_pixel, 1000.0 / N, 1e-9);
}

LOOP_TEST(a_lie_is_not_believed, 0, 2)
{
    set_up();
    device.lies = true;
    memset(s.there, 9, N);
    ck_assert_int_eq(cut(_i, "cuda", s.there, NULL), TILECUT_EUNPROVEN);
    ck_assert_int_eq(s.there[0], 9);
    ck_assert_int_eq(device.open, 0);
}

/* In the words of the CPU, with the voxel where it is; of seeds in those of the device. */
LOOP_TEST(refused_alike, 0, 6)
{
    char words[256];
    set_up();
    if (_i == 0) s.voxels[N - 7] = NAN;
    if (_i == 1) s.capacity[3][9] = -1;
    if (_i == 2) s.capacity[0][N - 1] = 1 << 24;
    if (_i == 3) s.scan.type = 7;
    if (_i == 4) s.seeds[3] = 9;
    if (_i == 5) s.seeds[N / 2 + 3] = TILECUT_UNKNOWN;
    const tilecut_status expected = cut(_i == 1 || _i == 2, "bk", s.here, NULL);
    snprintf(words, sizeof words, "%s", tilecut_error_detail());
    ck_assert_int_ne(expected, TILECUT_OK);
    ck_assert_int_eq(cut(_i == 1 || _i == 2, "cuda", s.there, NULL), expected);
    ck_assert_str_eq(_i < 4 ? words : "the device says less", tilecut_error_detail());
}

/* Arrays that do not fit leave it to the grid of the host, whose device there is not here. */
TEST(a_full_device)
{
    set_up();
    device.full = true;
    ck_assert_int_eq(cut(false, "cuda", s.there, NULL), TILECUT_ENOMEM);
    ck_assert_int_ne(cut(true, "cuda", s.there, NULL), TILECUT_OK);
    ck_assert_int_eq(device.made, 0);
}

/* 26 neighbours are for `bk`; a session solves there, but keeps its grid here. */
TEST(not_there)
{
    tilecut_volume_session *session;
    set_up();
    s.params.connectivity = 26;
    ck_assert_int_eq(cut(false, "cuda", s.there, NULL), TILECUT_EINVAL);
    s.params.connectivity = 0;
    ck_assert_int_eq(tilecut_volume_session_create(&session, &s.scan), TILECUT_OK);
    (void)tilecut_volume_session_solve(session, s.seeds, &s.params, s.there, NULL);
    tilecut_volume_session_destroy(session);
    ck_assert_int_eq(device.made, 0);
}

int main(void) { return run_suite((test_suite){.name = "volumes on a device"}); }
