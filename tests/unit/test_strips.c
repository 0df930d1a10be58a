/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_strips.c - images so wide that the strips along the borders of their parts hold only some columns, in several
 * groups. Flow and mask equal those of one part, and only these columns are sent.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_parts.h"

enum { MOST = 5, CASES = 2 + RANDOM_CASES(30) };

typedef struct piece {
    const tilecut_arrays *arrays;
    const tilecut_params *params;
    const tilecut_exchange *exchange;
    uint8_t *mask; /* mask of the whole image */
    tilecut_status status;
    tilecut_report report;
    tilecut_part_report more;
    pthread_t thread;
} piece;

static void *cut_piece(void *context)
{
    piece *const p = context;
    const int parts = p->exchange->parts, number = p->exchange->part;
    tilecut_part part = {.height = p->arrays->height, .exchange = p->exchange};
    tilecut_part_rows(part.height, parts, number, &part.first, &part.rows);
    const int above = number > 0, rows = part.rows + above + (number + 1 < parts);
    const size_t width = (size_t)p->arrays->width;
    const tilecut_arrays some = rows_of_arrays(p->arrays, part.first - above, rows);
    uint8_t *const mask = malloc((size_t)rows * width);
    p->status = tilecut_part_solve(&part, &some, p->params, mask, &p->report, &p->more);
    if (p->status == TILECUT_OK)
        memcpy(p->mask + (size_t)part.first * width, mask + (size_t)above * width, (size_t)part.rows * width);
    free(mask);
    return NULL;
}

/* Cuts in `parts` parts, and compares with one part. */
static void check_parts(const tilecut_arrays *arrays, const tilecut_params *params, int parts, unsigned long seed,
                        piece pieces[MOST])
{
    const size_t pixels = (size_t)arrays->width * (size_t)arrays->height;
    uint8_t *const one = malloc(pixels), *const many = malloc(pixels);
    tilecut_exchange *exchanges;
    tilecut_report report = {0};
    tilecut_graph *graph;
    ck_assert_int_eq(tilecut_graph_create(&graph, arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, NULL, one, &report), TILECUT_OK);
    ck_assert_int_eq(tilecut_exchange_threads(&exchanges, parts), TILECUT_OK);
    /* neighbours exchange rows in one direction after the other, or in both at once; the answer must be the same */
    for (int i = 0; i < parts; i++) exchanges[i].one_way = seed % 2 == 1;
    for (int i = 0; i < parts; i++) {
        pieces[i] = (piece){.arrays = arrays, .params = params, .exchange = &exchanges[i], .mask = many};
        ck_assert_int_eq(pthread_create(&pieces[i].thread, NULL, cut_piece, &pieces[i]), 0);
    }
    for (int i = 0; i < parts; i++) pthread_join(pieces[i].thread, NULL);
    for (int i = 0; i < parts; i++) {
        ck_assert_msg(pieces[i].status == TILECUT_OK, "seed %lu: part %d of %d failed", seed, i, parts);
        ck_assert_msg(pieces[i].report.flow == report.flow, "seed %lu: another flow in %d parts", seed, parts);
    }
    ck_assert_msg(!memcmp(one, many, pixels), "seed %lu: another mask in %d parts", seed, parts);
    tilecut_exchange_free(exchanges);
    tilecut_graph_destroy(graph);
    free(one);
    free(many);
}

/* Removes all sources except near some columns. */
static void keep_sources(random_graph *r, uint64_t *state)
{
    const int width = r->arrays.width, height = r->arrays.height, groups = 1 + random_below(state, 3);
    int32_t *const source = r->memory; /* the sources are the first array in memory */
    bool *const kept = calloc((size_t)width, sizeof *kept);
    for (int i = 0; i < groups; i++) {
        const int middle = random_below(state, width), reach = 1 + random_below(state, 50);
        for (int x = middle - reach; x <= middle + reach; x++)
            if (x >= 0 && x < width) kept[x] = true;
    }
    for (int p = 0; p < width * height; p++)
        if (!kept[p % width]) source[p] = 0;
    free(kept);
}

LOOP_TEST(strips_of_some_columns_change_no_answer, 0, CASES)
{
    static const char *const solvers[] = {"auto", "push", "bk", "cascade"};
    uint64_t state = (uint64_t)_i;
    static piece pieces[MOST];
    random_graph r;
    const tilecut_params params = {.solver = solvers[_i % 4], .threads = 1 + _i % 3};
    random_graph_init(&r, (uint64_t)_i, 400 + random_below(&state, 900), 40 + random_below(&state, 260),
                      _i / 4 % 2 ? 4 : 8);
    keep_sources(&r, &state);
    for (int parts = 2; parts <= MOST; parts++) check_parts(&r.arrays, &params, parts, (unsigned long)_i, pieces);
    random_graph_free(&r);
}

/* Cuts an image with two distant groups of sources ("springs") above the border of two parts, and sinks below it. Each
 * spring has some sinks next to it or, if `far`, the second one has all of them. */
static void check_springs(bool far, piece pieces[MOST])
{
    enum { W = 2048, H = 256 };
    static int32_t source[W * H], sink[W * H], link[W * H];
    static const int spring[] = {300, 1700};
    const tilecut_params params = {.threads = 1};
    tilecut_arrays arrays = {.width = W, .height = H, .source = source, .sink = sink};
    memset(source, 0, sizeof source);
    memset(sink, 0, sizeof sink);
    for (int k = 0; k < 2; k++) arrays.to[k] = arrays.from[k] = link;
    for (int p = 0; p < W * H; p++) link[p] = p % W + 1 < W && p / W + 1 < H ? 3 : 0;
    for (int i = 0; i < 2; i++)
        for (int x = spring[i]; x < spring[i] + 8; x++) {
            source[(H / 2 - 3) * W + x] = far && i == 1 ? 1 : 20;
            sink[(H / 2 + 5) * W + x] = !far ? 2 : i == 0 ? 0 : 100;
        }
    check_parts(&arrays, &params, 2, 0, pieces);
}

TEST(strips_have_the_columns_with_excess_alone)
{
    static piece pieces[MOST];
    check_springs(false, pieces);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pieces[i].report.flow, 2 * 8 * 2);
        ck_assert_int_eq(pieces[i].more.waves, 0);
        ck_assert_int_eq(pieces[i].more.solves, i == 0 ? 2 : 1); /* part 0 solves its own rows and the strip */
        ck_assert_int_lt(pieces[i].more.sent, 20 * 2048 * 64);   /* less than all columns of 64 rows */
    }
}

TEST(columns_that_are_no_neighbours_do_not_touch)
{
    static piece pieces[MOST];
    check_springs(true, pieces);
    /* limited by the links into the sinks: most flow comes from the far spring */
    ck_assert_int_eq(pieces[0].report.flow, 18 * 3);
}

int main(void) { return run_suite((test_suite){.name = "strips", .seconds = 3600}); }
