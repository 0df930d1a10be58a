/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_session.c - terminals that change on a solved graph. After every edit a session gives the mask and flow of a
 * solve from scratch, for every sequence of solvers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_solver.h"
#include "run_suite.h"

enum { SIDE = 40, SEQUENCES = RANDOM_CASES(1000), EDITS = 5 };

/* Checks that the session's answer equals that of a new solve of its graph. Returns true if the session has continued
 * from its flow. */
static int check_answer(tilecut_session *session, const tilecut_graph *graph, const tilecut_arrays *arrays,
                        uint64_t *state, uint64_t seed)
{
    static uint8_t warm_mask[SIDE * SIDE], cold_mask[SIDE * SIDE];
    tilecut_params params = tilecut_params_default();
    tilecut_report warm = {0}, cold = {0};
    int width, height, connectivity;

    tilecut_graph_size(graph, &width, &height, &connectivity);
    const size_t n = (size_t)width * (size_t)height;
    ck_assert_msg(tilecut_graph_solve(graph, NULL, cold_mask, &cold) == TILECUT_OK, "seed %llu: %s",
                  (unsigned long long)seed, tilecut_error_detail());
    params.solver = random_solver(state, connectivity);
    params.threads = 1 + random_below(state, 3);
    ck_assert_msg(tilecut_session_solve(session, &params, warm_mask, &warm) == TILECUT_OK, "seed %llu, %s: %s",
                  (unsigned long long)seed, params.solver, tilecut_error_detail());
    ck_assert_msg(memcmp(warm_mask, cold_mask, n) == 0, "seed %llu: %s differs", (unsigned long long)seed,
                  params.solver);
    ck_assert(warm.certified && !cold.warm);
    ck_assert_int_eq(warm.flow, cold.flow);
    ck_assert_int_eq(warm.foreground, cold.foreground);
    if (arrays) ck_assert_int_eq(warm.cut, mask_cost(arrays, connectivity, warm_mask));
    return warm.warm;
}

/* Changes the terminals of some pixels to values of the same magnitude. */
static void edit_terminals(random_graph *graph, uint64_t *state)
{
    const int n = graph->arrays.width * graph->arrays.height;
    int32_t *source = (int32_t *)(uintptr_t)graph->arrays.source, *sink = (int32_t *)(uintptr_t)graph->arrays.sink;
    for (int edits = 1 + random_below(state, random_below(state, 4) ? 5 : n); edits > 0; edits--) {
        const int p = random_below(state, n);
        const int32_t was = source[p];
        switch (random_below(state, 4)) {
        case 0: source[p] = sink[p] = 0; break;
        case 1: source[p] = sink[p], sink[p] = was; break;
        case 2: source[p] /= 2; break;
        default: sink[p] /= 2; break;
        }
    }
}

TEST(edits_of_arrays_equal_cold_solves)
{
    int warm = 0, solves = 0;
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++) {
        random_graph random;
        tilecut_graph *graph;
        tilecut_session *session;
        uint64_t state = seed;
        random_graph_draw(&random, seed, seed % 10 ? 12 : SIDE, seed % 10 ? 12 : SIDE);
        ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        ck_assert(!check_answer(session, graph, &random.arrays, &state, seed));
        for (int i = 0; i < EDITS; i++, solves++) {
            edit_terminals(&random, &state);
            warm += check_answer(session, graph, &random.arrays, &state, seed);
        }
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
    ck_assert_int_eq(warm, solves);
}

TEST(other_links_begin_anew)
{
    random_graph random;
    tilecut_graph *graph;
    tilecut_session *session;
    uint64_t state = 1;
    random_graph_init(&random, 4, SIDE, SIDE, 4);
    int32_t *right = (int32_t *)(uintptr_t)random.arrays.to[TILECUT_RIGHT];
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    check_answer(session, graph, &random.arrays, &state, 4);
    ck_assert(check_answer(session, graph, &random.arrays, &state, 4));
    for (int i = 0; i < 20; i++) {
        const int p = random_below(&state, SIDE * (SIDE - 1));
        right[p] = right[p] > 0 ? right[p] - 1 : 1;
        ck_assert_msg(p % SIDE == SIDE - 1 || !check_answer(session, graph, &random.arrays, &state, 4), "pixel %d", p);
    }
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}

/* ---- Seeds ------------------------------------------------------------------------------------ */

typedef struct scene {
    tilecut_image image;
    tilecut_graph *graph;
    tilecut_session *session;
    uint8_t pixels[3 * SIDE * SIDE], seeds[SIDE * SIDE];
} scene;

static void scene_init(scene *s, uint64_t seed, const tilecut_params *params)
{
    uint64_t state = seed;
    const int width = 2 + random_below(&state, SIDE - 1), height = 2 + random_below(&state, SIDE - 1);
    memset(s->seeds, TILECUT_UNKNOWN, sizeof s->seeds);
    for (int p = 0; p < width * height; p++)
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)(random_below(&state, 90) + (p % width < width / 2 ? 100 : 60));
    s->seeds[0] = TILECUT_FOREGROUND;
    s->seeds[width * height - 1] = TILECUT_BACKGROUND;
    s->image = (tilecut_image){0, width, height, 3, 8, 0, s->pixels};
    ck_assert_int_eq(tilecut_graph_from_image(&s->graph, &s->image, s->seeds, params), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&s->session, s->graph), TILECUT_OK);
}

static void scene_free(scene *s)
{
    tilecut_session_destroy(s->session);
    tilecut_graph_destroy(s->graph);
}

TEST(edits_of_seeds_equal_cold_solves)
{
    for (uint64_t seed = 1; seed <= SEQUENCES / 2; seed++) {
        tilecut_params params = tilecut_params_default();
        uint64_t state = seed;
        scene s;
        params.connectivity = seed % 5 ? 4 : 8;
        params.colors = seed % 2 ? "hist" : "gmm";
        params.soft_seeds = seed % 7 == 0;
        scene_init(&s, seed, &params);
        const int n = s.image.width * s.image.height;
        check_answer(s.session, s.graph, NULL, &state, seed);
        for (int i = 0; i < EDITS; i++) {
            /* changes the caller's array in place, as an editor would */
            for (int k = random_below(&state, 12); k >= 0; k--)
                s.seeds[1 + random_below(&state, n - 1)] = (uint8_t)random_below(&state, 4);
            s.seeds[n - 1] = TILECUT_BACKGROUND;
            ck_assert_int_eq(tilecut_session_reseed(s.session, s.seeds, NULL), TILECUT_OK);
            /* after the third edit there is no solve, so the next one has two edits */
            if (i != 2) ck_assert(check_answer(s.session, s.graph, NULL, &state, seed));
        }
        scene_free(&s);
    }
}

TEST(a_failure_leaves_a_session_of_use)
{
    tilecut_params params = tilecut_params_default();
    const tilecut_flag cancel = {1};
    uint8_t mask[SIDE * SIDE], bad[SIDE * SIDE];
    uint64_t state = 3;
    scene s;
    scene_init(&s, 3, NULL);
    check_answer(s.session, s.graph, NULL, &state, 3);

    memset(bad, TILECUT_FOREGROUND, sizeof bad);
    ck_assert_int_eq(tilecut_session_reseed(s.session, bad, NULL), TILECUT_ESEEDS);
    bad[0] = 17;
    ck_assert_int_eq(tilecut_session_reseed(s.session, bad, NULL), TILECUT_EINVAL);
    ck_assert(check_answer(s.session, s.graph, NULL, &state, 3));

    params.solver = "nobody";
    ck_assert_int_eq(tilecut_session_solve(s.session, &params, mask, NULL), TILECUT_EINVAL);
    params.solver = "push";
    params.cancel = &cancel;
    s.seeds[1] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tilecut_session_reseed(s.session, s.seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(s.session, &params, mask, NULL), TILECUT_ECANCELLED);
    ck_assert(!check_answer(s.session, s.graph, NULL, &state, 3));
    ck_assert(check_answer(s.session, s.graph, NULL, &state, 3));
    scene_free(&s);
}

TEST(nulls_and_arrays_are_refused)
{
    random_graph random;
    tilecut_graph *graph;
    tilecut_session *session;
    uint8_t some[4] = {0};
    random_graph_init(&random, 1, 2, 2, 4);
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(NULL, graph), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_create(&session, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_reseed(session, some, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_reseed(NULL, some, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_solve(NULL, NULL, some, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, NULL, NULL), TILECUT_EINVAL);
    tilecut_session_destroy(session);
    tilecut_session_destroy(NULL);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}

int main(void) { return run_suite((test_suite){.name = "session", .seconds = 300}); }
