/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_limits.c - input that the library refuses because of its size or range, and the flag that stops a call.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "halves_scene.h"
#include "params.h"
#include "run_suite.h"
#include "solver.h"
#include "tilecut_correct.h"
#include "tilecut_labels.h"
#include "tilecut_volume.h"

/* ---- Ranges ----------------------------------------------------------------------------------- */

TEST(numbers_out_of_range_are_refused)
{
    static const double bad[] = {-2, -0.5, -1e-300, 1.01e12, (double)INFINITY, -(double)INFINITY, (double)NAN};
    tc_setup setup;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const tilecut_params each[] = {{.lambda = bad[i]}, {.data_weight = bad[i]}, {.spatial = bad[i]},
                                       {.sigma = bad[i]}, {.prior_weight = bad[i]}};
        static const char *const name[] = {"lambda", "data_weight", "spatial", "sigma", "prior_weight"};
        for (int k = 0; k < 5; k++) {
            ck_assert_int_eq(tc_setup_resolve(&setup, &each[k]), TILECUT_EINVAL);
            says(name[k]);
        }
    }
    const tilecut_params others[] = {{.data_weight = TILECUT_NONE}, {.device = -1}, {.threads = 257}, {.effort = 4},
                                     {.connectivity = 6}, {.iterations = TILECUT_MAX_ITERATIONS + 1}};
    for (int k = 0; k < 6; k++) ck_assert_int_eq(tc_setup_resolve(&setup, &others[k]), TILECUT_EINVAL);
}

/* Parameters about a prior are refused where there is none. */
static const tilecut_params of_no_prior[] = {{.prior_reach = 3}, {.prior_stride = W}, {.prior_weight = 3},
                                             {.prior_weight = TILECUT_NONE}};
static const char *const no_prior[] = {"prior_reach is 3, but it is about the outline of a prior, and there is none",
                                       "prior_stride is 37, but it is about the rows of a prior, and there is none",
                                       "prior_weight is 3, but it is the weight of a prior, and there is none",
                                       "prior_weight is 0, but it is the weight of a prior, and there is none"};

LOOP_TEST(what_is_about_a_prior_is_refused_without_one_by_all_doors, 0, 4)
{
    tilecut_params params = of_no_prior[_i];
    params.size = sizeof params;
    const tilecut_film_shape film_shape = {.width = 16, .height = 16, .channels = 3};
    tilecut_graph *graph = NULL;
    tilecut_film *film = NULL;
    tilecut_corrected corrected = {0};
    uint8_t mask[N] = {0};
    scene s;
    scene_init(&s, 5);
    const tilecut_volume volume = {.width = W, .height = H, .depth = 1, .voxels = s.grey, .type = TILECUT_VOXEL_U8};
    const tilecut_status refused[] = {
        tilecut_segment(&s.image, s.seeds, &params, mask, NULL),
        tilecut_graph_from_image(&graph, &s.image, s.seeds, &params),
        tilecut_correct(&s.image, s.seeds, &params, TILECUT_BY_STROKES, mask, &corrected, NULL),
        tilecut_volume_segment(&volume, s.seeds, &params, mask, NULL),
        tilecut_film_create(&film, &film_shape, &params)};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) ck_assert_int_eq(refused[i], TILECUT_EINVAL);
    says(no_prior[_i]);
    for (int p = 0; p < N; p++) mask[p] = p % 16 < 8;
    ck_assert_int_eq(tilecut_labels_refine(&s.image, &params, 0, mask, NULL), TILECUT_OK);
}

/* The default weight is fine without a prior, in a full struct, too; and in a session any weight is, because its own
 * mask can be the prior. */
TEST(the_weight_of_a_prior_is_fine_by_default_and_in_sessions)
{
    tilecut_params params = tilecut_params_default();
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    uint8_t mask[N] = {0};
    scene s;
    scene_init(&s, 5);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    params.prior_weight = 5;
    ck_assert_int_eq(tilecut_session_solve(session, &params, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_advance(session, &s.image, NULL, &params), TILECUT_OK);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

TEST(a_sigma_that_is_too_small_is_no_bug_in_a_solver)
{
    static const double small[] = {0.99e-3, 1e-10, 1e-100, 1e-154, 1e-155, 1e-160, 1e-200, 5e-324, 1.01e6, 1e300};
    static const double good[] = {1e-3, 1e6};
    scene s;
    uint8_t mask[N];
    tilecut_report report = {0};
    for (int flat = 0; flat < 2; flat++) {
        scene_init(&s, 5);
        if (flat) memset(s.grey, 0, N);
        for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
            const tilecut_params params = {.sigma = small[i]};
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_EINVAL);
            says("sigma");
        }
        for (int i = 0; i < 2; i++) {
            const tilecut_params params = {.sigma = good[i]};
            ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &report), TILECUT_OK);
            ck_assert(report.certified && isfinite(report.beta) && isfinite(report.energy));
        }
    }
}

/* ---- Sizes ------------------------------------------------------------------------------------ */

TEST(a_solver_refuses_by_name_what_it_cannot_number)
{
    for (const tc_solver *row = tc_solvers; row->name; row++) {
        const int64_t most = tilecut_solver_nodes((int)(row - tc_solvers));
        ck_assert_int_gt(most, INT64_C(1) << 28);
        /* 2^28 pixels are within the limit of each solver */
        ck_assert_int_eq(tc_solver_check(row, 4, 16384, 16384), TILECUT_OK);
        ck_assert_int_eq(tc_solver_check(row, 4, 32000, 32000), TILECUT_OK);
        const bool takes_all = most >= (int64_t)TILECUT_MAX_SIDE * TILECUT_MAX_SIDE;
        ck_assert_int_eq(takes_all, (row->can & TC_WIDE) != 0);
        ck_assert_int_eq(tc_solver_check(row, 4, 65536, 65536), takes_all ? TILECUT_OK : TILECUT_EINVAL);
        if (!takes_all) says(row->name);
    }
    ck_assert_int_eq(tilecut_solver_nodes(-1), 0);
    ck_assert_int_eq(tilecut_solver_nodes(1000), 0);
    ck_assert_int_eq(tc_solver_check_any(4, 65536, 65536), TILECUT_OK);
    ck_assert_int_eq(tc_solver_check_any(8, 65536, 65536), TILECUT_EINVAL);
    ck_assert_int_eq(tc_solver_check_any(8, 40000, 40000), TILECUT_OK);
}

TEST(auto_takes_a_solver_that_can)
{
    const tc_grid small = {.connectivity = 4, .nodes = 1 << 20}, huge = {.connectivity = 4, .nodes = (size_t)1 << 32};
    static const char *const names[TC_ROLES] = {"cascade", "push", "bk", "bk"};
    for (int role = 0; role < TC_ROLES; role++) {
        ck_assert_str_eq(tc_solver_for((tc_role)role, &small)->name, names[role]);
        ck_assert(tc_solver_for((tc_role)role, &huge)->can & TC_WIDE);
    }
    ck_assert(tc_solver_again(&huge, true)->can & TC_WIDE);
    ck_assert(tc_solver_again(&huge, false)->can & TC_WIDE);
}

/* The image is refused before any pixel is read: its memory cannot be read. */
TEST(too_large_for_a_solver_is_refused_at_the_door)
{
    uint8_t *const nothing = mmap(NULL, (size_t)1 << 32, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (nothing == MAP_FAILED) return; /* skips the test if the machine lacks address space */
    const tilecut_image image = {.width = 65536, .height = 65536, .channels = 1, .depth = 8, .pixels = nothing};
    tilecut_params params = {.solver = "cascade"};
    ck_assert_int_eq(tilecut_segment(&image, nothing, &params, nothing, NULL), TILECUT_EINVAL);
    says("cascade");
    params = (tilecut_params){.connectivity = 8};
    ck_assert_int_eq(tilecut_segment(&image, nothing, &params, nothing, NULL), TILECUT_EINVAL);
    says("8 neighbours");
    munmap(nothing, (size_t)1 << 32);
}

TEST(node_numbers_are_right_beyond_32_bits)
{
    enum { TILES = TILECUT_MAX_SIDE / TC_TILE };
    static const int at[][2] = {{0, 0}, {65535, 65535}, {1, 65535}, {65535, 1}, {40000, 50001}, {31, 32768}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        int x, y;
        const size_t p = tc_index(TILES, at[i][0], at[i][1]);
        tc_position(TILES, p, &x, &y);
        ck_assert(x == at[i][0] && y == at[i][1] && p < (size_t)1 << 32);
        if (x + 1 < TILECUT_MAX_SIDE)
            ck_assert_uint_eq((size_t)tc_neighbour(TILES, (ptrdiff_t)p, TC_RIGHT), tc_index(TILES, x + 1, y));
        if (y + 1 < TILECUT_MAX_SIDE)
            ck_assert_uint_eq((size_t)tc_neighbour(TILES, (ptrdiff_t)p, TC_DOWN), tc_index(TILES, x, y + 1));
        if (x > 0) ck_assert_uint_eq((size_t)tc_neighbour(TILES, (ptrdiff_t)p, TC_LEFT), tc_index(TILES, x - 1, y));
        if (y > 0) ck_assert_uint_eq((size_t)tc_neighbour(TILES, (ptrdiff_t)p, TC_UP), tc_index(TILES, x, y - 1));
    }
    ck_assert_uint_eq(tc_index(TILES, 65535, 65535), ((size_t)1 << 32) - 1);
}

/* ---- Arrays that change ----------------------------------------------------------------------- */

TEST(arrays_that_became_too_large_are_refused_by_a_session)
{
    static const int32_t bad[] = {INT32_MAX, INT32_MIN, -1, 1 << 24};
    int32_t source[4] = {5, 0, 0, 0}, sink[4] = {0, 0, 0, 5}, right[4] = {2, 0, 2, 0}, down[4] = {2, 2, 0, 0};
    const tilecut_arrays arrays = {.width = 2, .height = 2, .source = source, .sink = sink, .to = {right, down}};
    uint8_t mask[4];
    tilecut_graph *graph;
    tilecut_session *session;
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    int32_t *const places[] = {&source[1], &sink[2], &right[0], &down[1]};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t before = *places[k];
            *places[k] = bad[i];
            ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_ERANGE);
            *places[k] = before;
            ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
        }
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

/* ---- The flag --------------------------------------------------------------------------------- */

static tilecut_flag flag;

static void on_alarm(int number)
{
    (void)number;
    tilecut_flag_raise(&flag);
}

static void *raise_it(void *unused)
{
    (void)unused;
    tilecut_flag_raise(&flag);
    return NULL;
}

TEST(a_flag_is_raised_from_anywhere)
{
    pthread_t thread;
    tilecut_flag_lower(&flag);
    ck_assert_int_eq(tilecut_flag_raised(&flag), 0);
    ck_assert(signal(SIGUSR1, on_alarm) != SIG_ERR && raise(SIGUSR1) == 0);
    ck_assert_int_eq(tilecut_flag_raised(&flag), 1);
    tilecut_flag_lower(&flag);
    ck_assert_int_eq(pthread_create(&thread, NULL, raise_it, NULL), 0);
    while (!tilecut_flag_raised(&flag)) {}
    pthread_join(thread, NULL);
    ck_assert_int_eq(tilecut_flag_raised(&flag), 1);
}

static void *cut_until_stopped(void *context)
{
    const tilecut_params params = {.solver = "push", .threads = 2, .cancel = &flag};
    const tilecut_graph *const graph = context;
    static uint8_t mask[300 * 300];
    tilecut_status status = TILECUT_OK;
    while (status == TILECUT_OK) status = tilecut_graph_solve(graph, &params, mask, NULL);
    return (void *)(uintptr_t)status;
}

TEST(a_flag_stops_a_call_of_another_thread)
{
    random_graph made;
    tilecut_graph *graph;
    pthread_t thread;
    void *status;
    random_graph_init(&made, 5, 300, 300, 4);
    ck_assert_int_eq(tilecut_graph_create(&graph, &made.arrays), TILECUT_OK);
    tilecut_flag_lower(&flag);
    ck_assert_int_eq(pthread_create(&thread, NULL, cut_until_stopped, graph), 0);
    tilecut_flag_raise(&flag);
    pthread_join(thread, &status);
    ck_assert_int_eq((int)(uintptr_t)status, TILECUT_ECANCELLED);
    tilecut_graph_destroy(graph);
    random_graph_free(&made);
}

int main(void) { return run_suite((test_suite){.name = "limits"}); }
