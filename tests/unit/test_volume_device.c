/* SPDX-License-Identifier: MIT
 *
 * test_volume_device.c - how the library uses a device for volumes: the report, refusals, and a device that gives up,
 * returns a wrong answer or runs out of memory. The device is simulated in software.
 * Device: its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "software_device.h"
#include "tilecut_labels.h"
#include "tilecut_volume.h"
#include "volume.h"

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
    for (int i = 0; i <= TC_CLICK_ACROSS; i++) s.seeds[N / 2 + 3 + i] = TILECUT_FOREGROUND; /* no click */
    s.seeds[N / 2 + W - 4] = TILECUT_BACKGROUND;
    s.scan = (tilecut_volume){.width = W, .height = H, .depth = D, .type = TILECUT_VOXEL_F32, .voxels = s.voxels,
                              .spacing = {1, 1, 3}};
    s.arrays = (tilecut_volume_arrays){.width = W, .height = H, .depth = D, .source = s.capacity[0],
                                       .sink = s.capacity[1], .to = {s.capacity[2], s.capacity[3], s.capacity[4]}};
    s.params = tilecut_params_default();
}

/* Cuts from capacities if `arrays`, or else from voxels. */
static tilecut_status cut(bool arrays, const char *solver, uint8_t *mask, tilecut_report *report)
{
    s.params.solver = solver;
    return arrays ? tilecut_volume_solve(&s.arrays, &s.params, mask, report)
                  : tilecut_volume_segment(&s.scan, s.seeds, &s.params, mask, report);
}

static void check_same_figures(const tilecut_report *there, const tilecut_report *here)
{
    ck_assert_int_eq(there->flow, here->flow);
    ck_assert_double_eq(there->quantum, here->quantum);
    ck_assert_double_eq(there->lambda, here->lambda);
    ck_assert_double_eq(there->energy, here->energy);
}

/* ---- Tests ------------------------------------------------------------------------------------- */

LOOP_TEST(cut_there, 0, 8)
{
    tilecut_report here = {0}, there = {0};
    const bool arrays = _i & 1, plain = _i & 4, learns = !arrays;
    set_up();
    device.gives_up = (_i & 2) / 2;
    if (plain) s.params.spatial = s.params.iterations = TILECUT_NONE, s.params.islands = 1;
    ck_assert_int_eq(cut(arrays, "bk", s.here, &here), TILECUT_OK);
    ck_assert_int_eq(device.created, 0);
    ck_assert_msg(cut(arrays, "cuda", s.there, &there) == TILECUT_OK, "%s", tilecut_error_detail());
    ck_assert_mem_eq(s.here, s.there, N);
    /* a graph learnt on the device is made again from the host's tables if the device gives up */
    ck_assert_int_eq(device.learnt, learns);
    ck_assert_int_eq(device.created, !learns || device.gives_up);
    ck_assert_int_eq(device.solved, device.learnt + device.created);
    ck_assert_int_eq(device.fetched, (_i & 2) / 2);
    ck_assert_int_eq(device.open, 0);
    check_same_figures(&there, &here);
    ck_assert_int_eq(there.cut, here.cut);
    ck_assert_int_eq(there.foreground, here.foreground);
    ck_assert_int_eq(there.certified, 1);
    ck_assert_int_eq(there.connectivity, 6);
    ck_assert_str_eq(there.solver, "cuda");
    ck_assert_str_eq(there.device, "cuda");
    ck_assert_str_eq(there.colors, here.colors);
    ck_assert_double_eq(there.beta, here.beta);
    ck_assert_double_ge(there.copy_ms, 1);
    ck_assert_double_eq(there.graph_ms, 4);
    ck_assert_double_ge(there.solve_ms, 8);
    ck_assert_double_eq_tol(there.bytes_per_pixel, 45, 1e-9);
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

/* Refuses invalid input with the same message as the CPU, which says where the fault is. */
LOOP_TEST(refused_alike, 0, 12)
{
    char words[256];
    set_up();
    if (_i >= 6) s.params.spatial = s.params.iterations = TILECUT_NONE, s.params.islands = 1;
    _i %= 6;
    if (_i == 0) s.voxels[N - 7] = NAN;
    if (_i == 1) s.capacity[3][9] = -1;
    if (_i == 2) s.capacity[0][N - 1] = 1 << 24;
    if (_i == 3) s.scan.type = 7;
    if (_i == 4) s.seeds[3] = 9;
    if (_i == 5) memset(s.seeds + N / 2, TILECUT_UNKNOWN, W - 5);
    const tilecut_status expected = cut(_i == 1 || _i == 2, "bk", s.here, NULL);
    snprintf(words, sizeof words, "%s", tilecut_error_detail());
    ck_assert_int_ne(expected, TILECUT_OK);
    ck_assert_int_eq(cut(_i == 1 || _i == 2, "cuda", s.there, NULL), expected);
    ck_assert_str_eq(words, tilecut_error_detail());
}

/* The device learns a click before and after the search around it. */
LOOP_TEST(a_click, 0, 6)
{
    tilecut_report here = {0}, there = {0};
    set_up();
    memset(s.seeds + N / 2, TILECUT_UNKNOWN, W - 5);
    for (int i = 0; i < (_i & 1 ? TC_CLICK_ACROSS : 1); i++) s.seeds[N / 2 + 3 + i] = TILECUT_FOREGROUND;
    if (_i & 2) s.seeds[N - 1] = TILECUT_BACKGROUND; /* far away */
    device.gives_up = (_i & 4) / 4;
    ck_assert_int_eq(cut(false, "bk", s.here, &here), TILECUT_OK);
    ck_assert_int_eq(cut(false, "cuda", s.there, &there), TILECUT_OK);
    ck_assert_mem_eq(s.here, s.there, N);
    ck_assert_double_eq(there.energy, here.energy);
    ck_assert_int_eq(device.learnt, 1);
    ck_assert_int_eq(device.open, 0);
}

/* A box is learnt in its window. */
LOOP_TEST(a_box, 0, 4)
{
    tilecut_report here = {0}, there = {0};
    set_up();
    for (int i = 0; i < N; i++) {
        if (i % W < 3 || i % W > W - 9 || i / W % H < 2) s.seeds[i] = TILECUT_OUTSIDE;
        else if (_i & 1) s.seeds[i] = TILECUT_UNKNOWN;
    }
    device.gives_up = (_i & 2) / 2;
    ck_assert_int_eq(cut(false, "bk", s.here, &here), TILECUT_OK);
    ck_assert_msg(cut(false, "cuda", s.there, &there) == TILECUT_OK, "%s", tilecut_error_detail());
    ck_assert_mem_eq(s.here, s.there, N);
    ck_assert_int_eq(device.learnt, _i & 1 ? 1 : 2); /* with strokes, the box alone is cut, too */
    ck_assert_int_eq(there.iterations, here.iterations);
    ck_assert_double_eq(there.lambda, here.lambda);
    ck_assert_double_eq(there.energy, here.energy);
    ck_assert_int_eq(device.open, 0);
}

/* The device learns a single slice whose pixels are squares of side 1, the least of the distances along three axes. */
LOOP_TEST(a_slice, 0, 6)
{
    tilecut_report here = {0}, there = {0};
    set_up();
    s.scan.depth = 1, s.scan.height *= D;
    if (_i & 1) s.scan.spacing[1] = 1.5;
    if (_i & 4) s.scan.spacing[2] = 0.5;
    for (int i = 0; _i & 2 && i < N; i++)
        if (i % W < 3 || i % W > W - 9) s.seeds[i] = TILECUT_OUTSIDE;
    ck_assert_int_eq(cut(false, "bk", s.here, &here), TILECUT_OK);
    ck_assert_int_eq(cut(false, "cuda", s.there, &there), TILECUT_OK);
    ck_assert_mem_eq(s.here, s.there, N);
    ck_assert_double_eq(there.energy, here.energy);
    ck_assert_int_eq(there.connectivity, 6);
    ck_assert_int_eq(there.iterations, here.iterations);
    ck_assert_int_eq(device.learnt, !(_i & 5));
}

/* Two labels are one cut, which is learnt on the device. */
TEST(two_labels)
{
    tilecut_labels_report here = {0}, there = {0};
    set_up();
    ck_assert_int_eq(tilecut_volume_labels(&s.scan, s.seeds, &s.params, NULL, s.here, &here), TILECUT_OK);
    s.params.solver = "cuda";
    ck_assert_int_eq(tilecut_volume_labels(&s.scan, s.seeds, &s.params, NULL, s.there, &there), TILECUT_OK);
    ck_assert_mem_eq(s.here, s.there, N);
    ck_assert_double_eq(there.energy, here.energy);
    ck_assert_double_eq(there.lambda, here.lambda);
    ck_assert_int_eq(device.learnt, 1);
    ck_assert_int_eq(device.created, 0);
}

/* A graph that does not fit on the device is built on the host, and `cuda` solves that grid. */
LOOP_TEST(a_full_device, 0, 4)
{
    tilecut_report there = {0};
    set_up();
    if (_i & 2) s.params.spatial = s.params.iterations = TILECUT_NONE, s.params.islands = 1;
    device.full = true;
    ck_assert_int_eq(cut(_i & 1, "bk", s.here, NULL), TILECUT_OK);
    ck_assert_int_eq(cut(_i & 1, "cuda", s.there, &there), TILECUT_OK);
    ck_assert_mem_eq(s.here, s.there, N);
    ck_assert_str_eq(there.device, "cuda");
    ck_assert_int_eq(device.created + device.learnt, 0);
    s.capacity[3][9] = -1;
    ck_assert_int_eq(cut(true, "cuda", s.there, NULL), TILECUT_ERANGE);
}

TEST(wide_neighbourhoods_are_refused)
{
    set_up();
    s.params.connectivity = 26;
    ck_assert_int_eq(cut(false, "cuda", s.there, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(device.created, 0);
}

/* The device learns and makes every solve of a session, or only makes it if it has no memory to learn. */
LOOP_TEST(sessions, 0, 2)
{
    tilecut_volume_session *session;
    set_up();
    device.full = _i;
    ck_assert_int_eq(tilecut_volume_session_create(&session, &s.scan), TILECUT_OK);
    for (int i = 1; i <= 3; i++) {
        s.seeds[N / 2 + 40 * i] = TILECUT_FOREGROUND;
        ck_assert_int_eq(cut(false, "bk", s.here, NULL), TILECUT_OK);
        s.params.solver = "cuda";
        ck_assert_int_eq(tilecut_volume_session_solve(session, s.seeds, &s.params, s.there, NULL), TILECUT_OK);
        ck_assert_mem_eq(s.here, s.there, N);
        ck_assert_int_eq(device.learnt, _i ? 0 : i);
        ck_assert_int_eq(device.created, 0);
        ck_assert_int_eq(device.open, 0);
    }
    tilecut_volume_session_destroy(session);
    ck_assert_int_eq(device.open, 0);
}

/* ---- Calls of all kinds ----------------------------------------------------------------------- */

typedef enum call {
    CLICK, STROKES, BOX_AND_STROKES, SLICE, SESSION, TWO_LABELS, MASK, CORRECTION, LEARNING, CALLS
} call;

/* Draws a ball with seeds for a call. */
static void draw(call kind, uint64_t *state)
{
    static uint8_t ball[N];
    const int x0 = 10 + random_below(state, 15), y0 = 6 + random_below(state, 8), z0 = random_below(state, D);
    const int noise = 1 + random_below(state, 60), radius = 3 + random_below(state, 4), wide = kind == CLICK ? 0 : 8;
    set_up();
    memset(s.seeds, TILECUT_UNKNOWN, N);
    for (int i = 0; i < N; i++) {
        const int x = i % W - x0, y = i / W % H - y0, z = i / W / H - z0, far = x * x + y * y + z * z;
        ball[i] = far < radius * radius ? 255 : 0;
        s.voxels[i] = (float)((ball[i] ? 90 : 50) + random_below(state, noise));
        s.there[i] = far < radius * radius / 2 ? 255 : 0; /* a mask to correct */
        if (2 * abs(x) <= wide && y == 0 && z == 0) s.seeds[i] = TILECUT_FOREGROUND;
        else if (kind == BOX_AND_STROKES && (abs(x) > radius + 2 || abs(y) > radius + 2)) s.seeds[i] = TILECUT_OUTSIDE;
        else if (!random_below(state, 200)) s.seeds[i] = TILECUT_BACKGROUND;
    }
    memcpy(s.here, s.there, N);
    if (kind == SLICE) s.scan.depth = 1, s.scan.height *= D;
    if (kind == MASK) s.params.prior = ball;
    s.params.iterations = random_below(state, 4) ? 0 : 2;
    s.params.colors = random_below(state, 3) ? "gmm" : "hist";
    s.params.islands = random_below(state, 2);
}

static tilecut_status make_call(call kind, const char *solver, uint8_t *mask, tilecut_report *report)
{
    tilecut_volume_session *session = NULL;
    s.params.solver = solver;
    if (kind == CORRECTION || kind == LEARNING)
        return tilecut_volume_correct(&s.scan, s.seeds, &s.params, kind == LEARNING, mask, NULL, report);
    if (kind == TWO_LABELS) return tilecut_volume_labels(&s.scan, s.seeds, &s.params, NULL, mask, NULL);
    if (kind != SESSION) return tilecut_volume_segment(&s.scan, s.seeds, &s.params, mask, report);
    tilecut_status status = tilecut_volume_session_create(&session, &s.scan);
    for (int i = 0; i < 2 && status == TILECUT_OK; i++)
        status = tilecut_volume_session_solve(session, s.seeds, &s.params, mask, report);
    tilecut_volume_session_destroy(session);
    return status;
}

LOOP_TEST(calls_of_all_kinds, 0, 8 * CALLS)
{
    const call kind = (call)(_i % CALLS);
    tilecut_report here = {0}, there = {0};
    uint64_t state = 100 + (uint64_t)_i;
    draw(kind, &state);
    const tilecut_status expected = make_call(kind, NULL, s.here, &here);
    ck_assert_int_eq(make_call(kind, "cuda", s.there, &there), expected);
    ck_assert_mem_eq(s.here, s.there, N);
    check_same_figures(&there, &here);
    ck_assert_int_eq(there.iterations, here.iterations);
    ck_assert_int_eq(device.open, 0);
    /* a correction cuts nothing if no stroke contradicts the mask */
    ck_assert(expected != TILECUT_OK || device.solved > 0 || kind == CORRECTION || kind == LEARNING);
}

int main(void) { return run_suite((test_suite){.name = "volumes on a device"}); }
