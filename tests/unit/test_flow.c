/* SPDX-License-Identifier: MIT
 *
 * test_flow.c - flows from tilecut_graph_flow() stay within capacities, are conserved at every pixel, and have the
 * value in the report.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

enum { ROUNDS = RANDOM_CASES(200) };
static const int dx[TILECUT_LINKS] = {1, 0, 1, -1}, dy[TILECUT_LINKS] = {0, 1, 1, 1};

typedef struct arrays {
    tilecut_flow flow;
    uint8_t *mask;
    int32_t *cells;
} arrays;

static arrays arrays_for(size_t pixels)
{
    arrays a = {.mask = malloc(pixels), .cells = calloc(pixels * 6, sizeof *a.cells)};
    a.flow.source = a.cells;
    a.flow.sink = a.cells + pixels;
    for (size_t k = 0; k < TILECUT_LINKS; k++) a.flow.to[k] = a.cells + pixels * (2 + k);
    return a;
}

/* Returns the inflow of pixel (x, y) minus its outflow. Fails if a capacity is exceeded. */
static int64_t balance(const random_graph *random, const tilecut_flow *flow, int x, int y, uint64_t seed)
{
    const tilecut_arrays *capacity = &random->arrays;
    const int width = capacity->width, height = capacity->height;
    const int p = y * width + x;
    int64_t sum = (int64_t)flow->source[p] - flow->sink[p];
    ck_assert_msg(flow->source[p] >= 0 && flow->source[p] <= capacity->source[p] && flow->sink[p] >= 0 &&
                      flow->sink[p] <= capacity->sink[p],
                  "seed %llu: terminals of %d,%d", (unsigned long long)seed, x, y);
    for (int k = 0; k < random->connectivity / 2; k++) {
        const bool inside = x + dx[k] >= 0 && x + dx[k] < width && y + dy[k] < height;
        const int32_t *from = capacity->from[k] ? capacity->from[k] : capacity->to[k];
        if (inside)
            ck_assert_msg(flow->to[k][p] <= capacity->to[k][p] && -flow->to[k][p] <= from[p],
                          "seed %llu: link %d of %d,%d", (unsigned long long)seed, k, x, y);
        else ck_assert_int_eq(flow->to[k][p], 0);
        sum -= flow->to[k][p];
        const int sx = x - dx[k], sy = y - dy[k];
        if (sx >= 0 && sx < width && sy >= 0) sum += flow->to[k][sy * width + sx];
    }
    return sum;
}

static void check_flow(const random_graph *random, const char *solver, uint64_t seed)
{
    const int width = random->arrays.width, height = random->arrays.height;
    arrays a = arrays_for((size_t)width * (size_t)height);
    tilecut_params params = tilecut_params_default();
    tilecut_graph *graph;
    tilecut_report report = {0};
    int64_t leaves = 0, arrives = 0;
    params.solver = solver;
    ck_assert_int_eq(tilecut_graph_create(&graph, &random->arrays), TILECUT_OK);
    ck_assert_msg(tilecut_graph_flow(graph, &params, a.mask, &a.flow, &report) == TILECUT_OK, "seed %llu: %s",
                  (unsigned long long)seed, tilecut_error_detail());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            ck_assert_msg(balance(random, &a.flow, x, y, seed) == 0, "seed %llu: %d,%d is not in balance",
                          (unsigned long long)seed, x, y);
            leaves += a.flow.source[y * width + x];
            arrives += a.flow.sink[y * width + x];
        }
    ck_assert_msg(leaves == report.flow && arrives == report.flow, "seed %llu", (unsigned long long)seed);
    tilecut_graph_destroy(graph);
    free(a.mask);
    free(a.cells);
}

TEST(flows_are_flows)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        random_graph random;
        random_graph_draw(&random, seed, 45, 40);
        check_flow(&random, NULL, seed);
        /* These solvers leave much excess at pixels from which it cannot move. */
        check_flow(&random, seed % 2 || random.connectivity == 8 ? "push" : "wave", seed);
        random_graph_free(&random);
    }
}

/* Solvers may reverse graphs with few sinks (reverse.h) and give links more capacity, but not if a flow is asked
 * for. */
TEST(flows_with_few_sinks_are_flows)
{
    for (uint64_t seed = 0; seed < ROUNDS / 4; seed++) {
        static const char *const solvers[] = {"cascade", "push"};
        random_graph random;
        random_graph_few_sinks(&random, seed, 45, 40, seed % 2 ? 8 : 4);
        check_flow(&random, solvers[seed % 2], seed);
        random_graph_free(&random);
    }
}

TEST(missing_arrays_are_refused)
{
    random_graph random;
    tilecut_graph *graph;
    random_graph_init(&random, 1, 5, 5, 8);
    arrays a = arrays_for(25);
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    a.flow.to[TILECUT_DOWN_LEFT] = NULL;
    ck_assert_int_eq(tilecut_graph_flow(graph, NULL, a.mask, &a.flow, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_flow(graph, NULL, a.mask, NULL, NULL), TILECUT_EINVAL);
    a.flow.to[TILECUT_DOWN_LEFT] = a.flow.to[TILECUT_DOWN];
    ck_assert_int_eq(tilecut_graph_flow(NULL, NULL, a.mask, &a.flow, NULL), TILECUT_EINVAL);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
    free(a.mask);
    free(a.cells);
}

int main(void) { return run_suite((test_suite){.name = "flow", .seconds = 120}); }
