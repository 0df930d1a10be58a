/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_dead_ends.c - dead ends are found, solved, closed and opened again. Mazes get the same flow and mask as when
 * search trees solve all of them.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "dead_ends.h"
#include "random_graph.h"
#include "run_suite.h"

enum { MOST = 90 };

typedef struct maze {
    int width, height;
    int32_t source[MOST * MOST], sink[MOST * MOST], right[MOST * MOST], down[MOST * MOST], left[MOST * MOST],
        up[MOST * MOST];
} maze;

static tilecut_graph *graph_of(const maze *m)
{
    const tilecut_arrays arrays = {.width = m->width, .height = m->height, .source = m->source, .sink = m->sink,
                                   .to = {m->right, m->down}, .from = {m->left, m->up}};
    tilecut_graph *graph = NULL;
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    return graph;
}

static void build(const maze *m, bool by_rows, tc_grid *grid)
{
    tilecut_graph *const graph = graph_of(m);
    ck_assert_int_eq(tc_grid_init(grid, m->width, m->height, 4), TILECUT_OK);
    grid->by_rows = by_rows;
    ck_assert_int_eq(tc_grid_build(grid, graph, 1), TILECUT_OK);
    tilecut_graph_destroy(graph);
}

/* Draws random walls, some one-way links, and a few terminals. */
static void draw(maze *m, uint64_t seed)
{
    uint64_t state = seed;
    memset(m, 0, sizeof *m);
    m->width = 1 + random_below(&state, MOST), m->height = 1 + random_below(&state, MOST);
    const int open = 10 + random_below(&state, 39), one_way = random_below(&state, 3) ? 0 : 20;
    for (int i = 0; i < m->width * m->height; i++) {
        int32_t *const out[2] = {&m->right[i], &m->down[i]}, *const back[2] = {&m->left[i], &m->up[i]};
        for (int k = 0; k < 2; k++) {
            if (random_below(&state, 100) >= open) continue;
            if (random_below(&state, 100) >= one_way) *out[k] = 1 + random_below(&state, 9);
            if (random_below(&state, 100) >= one_way) *back[k] = 1 + random_below(&state, 9);
        }
        if (random_below(&state, 100) < 4) (random_below(&state, 2) ? m->source : m->sink)[i] = 20;
    }
}

TEST(mazes_have_the_flow_and_mask_that_search_trees_find)
{
    static maze m;
    static uint8_t mask[2][MOST * MOST];
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(400); seed++) {
        draw(&m, seed);
        tilecut_graph *const graph = graph_of(&m);
        tilecut_report report[2] = {{0}};
        for (int i = 0; i < 2; i++) {
            tilecut_params params = tilecut_params_default();
            params.solver = i ? NULL : "bk";
            params.threads = 1 + (int)(seed % 3);
            ck_assert_msg(tilecut_graph_solve(graph, &params, mask[i], &report[i]) == TILECUT_OK, "seed %llu: %s",
                          (unsigned long long)seed, tilecut_error_detail());
        }
        ck_assert_msg(report[0].flow == report[1].flow &&
                      !memcmp(mask[0], mask[1], (size_t)m.width * (size_t)m.height), "seed %llu, %dx%d",
                      (unsigned long long)seed, m.width, m.height);
        const size_t n = (size_t)m.width * (size_t)m.height;
        int32_t *const room = malloc(4 * n * sizeof *room);
        const tilecut_flow flow = {.source = room, .sink = room + n, .to = {room + 2 * n, room + 3 * n}};
        ck_assert_msg(tilecut_graph_flow(graph, NULL, mask[1], &flow, &report[1]) == TILECUT_OK, "seed %llu: %s",
                      (unsigned long long)seed, tilecut_error_detail());
        ck_assert(report[1].flow == report[0].flow && !memcmp(mask[0], mask[1], n));
        free(room);
        tilecut_graph_destroy(graph);
    }
}

/* Checks that excess and links form a flow: the excess of a pixel has grown by its inflow minus its outflow. */
static void check_flow(const tc_grid *grid, const tc_grid *before, uint64_t seed)
{
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const ptrdiff_t p = (ptrdiff_t)tc_grid_at(grid, x, y);
            float came = 0;
            for (int d = 0; d < 4; d++) {
                const float out = *tc_residual(grid, p, d), was = *tc_residual(before, p, d);
                const ptrdiff_t q = tc_neighbour(grid->tiles_x, p, d);
                came += out - was;
                ck_assert_msg(out >= 0, "seed %llu", (unsigned long long)seed);
                ck_assert(out - was == *tc_residual(before, q, d ^ 1) - *tc_residual(grid, q, d ^ 1));
            }
            ck_assert_msg(grid->excess[p] == before->excess[p] + came, "seed %llu: %d,%d", (unsigned long long)seed, x,
                          y);
            ck_assert(before->excess[p] >= 0 || grid->excess[p] <= 0); /* no sink may get more flow than its capacity */
        }
}

TEST(what_was_shut_opens_as_a_flow)
{
    static maze m;
    size_t end_links = 0, offers = 0, solved = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tc_grid grid, before;
        tc_dead_ends ends = {0};
        draw(&m, seed);
        build(&m, seed % 2, &grid);
        build(&m, seed % 2, &before);
        tc_dead_ends_shut(&ends, &grid, 1 + (int)(seed % 3));
        end_links += ends.end_links;
        offers += ends.offers;
        solved += ends.solved;
        if (seed % 3 == 0) tc_grid_arrange(&grid, !grid.by_rows, 1), tc_grid_arrange(&before, !before.by_rows, 1);
        tc_dead_ends_open(&ends, &grid);
        check_flow(&grid, &before, seed);
        tc_grid_free(&grid);
        tc_grid_free(&before);
    }
    ck_assert(end_links > 1000 && offers > 1000 && solved > 5 && solved < 55);
}

/* In a ring with lanes that lead down from it, only the last links of the lanes are closed. */
TEST(lanes_are_shut_where_they_begin)
{
    static maze m;
    tc_grid grid;
    tc_dead_ends ends = {0};
    memset(&m, 0, sizeof m);
    m.width = 70, m.height = 66;
    for (int y = 0; y < 2; y++)
        for (int x = 0; x + 1 < m.width; x++) m.right[y * m.width + x] = m.left[y * m.width + x] = 3;
    m.down[0] = m.down[m.width - 1] = 3;
    for (int x = 2; x + 1 < m.width; x += 2)
        for (int y = 1; y + 1 < m.height; y++) (x % 4 ? m.up : m.down)[y * m.width + x] = 2;
    build(&m, true, &grid);
    tc_dead_ends_shut(&ends, &grid, 1);
    ck_assert_uint_eq(ends.end_links, 34);
    ck_assert(!ends.solved);
    for (int x = 0; x < m.width; x++) {
        const ptrdiff_t p = (ptrdiff_t)tc_grid_at(&grid, x, 1), below = (ptrdiff_t)tc_grid_at(&grid, x, 2);
        ck_assert(*tc_residual(&grid, p, TC_DOWN) == 0 && *tc_residual(&grid, below, TC_UP) == 0);
        ck_assert(*tc_residual(&grid, p, TC_RIGHT) == (x + 1 < m.width ? 3 : 0));
    }
    tc_dead_ends_open(&ends, &grid);
    tc_grid_free(&grid);
}

int main(void) { return run_suite((test_suite){.name = "dead ends", .seconds = 120}); }
