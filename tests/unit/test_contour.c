/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_contour.c - recognising a contour, with gaps of one and two pixels, around large and small areas. If a contour
 * lies between the terminals, solvers reverse the grid and give the same answer.
 */
#include <stdbool.h>
#include <string.h>

#include "build_grid.h"
#include "contour.h"
#include "run_suite.h"
#include "solver.h"

enum { SIDE = 100, STRONG = 90, WEAK = 3, FAIR = 30 };

/* A spot of sources in the middle, sinks along the border of the image, and strong links. Only links across the outline
 * of a square with sides of `inside` pixels are weaker; `hole` of them are as strong as the others. */
typedef struct picture {
    int32_t source[SIDE * SIDE], sink[SIDE * SIDE], right[SIDE * SIDE], down[SIDE * SIDE];
} picture;

static bool in_square(int x, int y, int inside)
{
    const int first = (SIDE - inside) / 2;
    return x >= first && x < first + inside && y >= first && y < first + inside;
}

static void draw(picture *p, int inside, int hole, int32_t strong)
{
    memset(p, 0, sizeof *p);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int i = y * SIDE + x;
            const bool here = in_square(x, y, inside), open = x >= SIDE / 2 && x < SIDE / 2 + hole;
            p->right[i] = here != in_square(x + 1, y, inside) ? WEAK : strong;
            p->down[i] = here != in_square(x, y + 1, inside) && !open ? WEAK : strong;
            if (in_square(x, y, 6)) p->source[i] = 1000;
            if (x < 2 || y < 2 || x >= SIDE - 2 || y >= SIDE - 2) p->sink[i] = 1000;
        }
}

static tilecut_graph *graph_of(const picture *p)
{
    const tilecut_arrays arrays = {.width = SIDE, .height = SIDE, .source = p->source, .sink = p->sink,
                                   .to = {p->right, p->down}};
    tilecut_graph *graph = NULL;
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    return graph;
}

static void build(const picture *p, bool by_rows, tc_grid *grid)
{
    tilecut_graph *const graph = graph_of(p);
    ck_assert_int_eq(tc_grid_init(grid, SIDE, SIDE, 4), TILECUT_OK);
    grid->by_rows = by_rows;
    ck_assert_int_eq(tc_grid_build(grid, graph, 1), TILECUT_OK);
    tilecut_graph_destroy(graph);
}

/* True if a contour is found; both layouts of the links must agree. */
static bool holds(const picture *p)
{
    bool found[2];
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        tc_grid grid;
        build(p, by_rows, &grid);
        found[by_rows] = tc_contour_holds(&grid);
        tc_grid_free(&grid);
    }
    ck_assert(found[0] == found[1]);
    return found[0];
}

TEST(a_contour_around_a_fair_part_holds)
{
    picture p;
    for (int inside = 50; inside <= 76; inside += 2) {
        draw(&p, inside, 0, STRONG);
        ck_assert(holds(&p));
    }
}

TEST(holes_of_one_pixel_do_not_matter)
{
    picture p;
    draw(&p, 60, 1, STRONG);
    ck_assert(holds(&p));
    draw(&p, 60, 2, STRONG);
    ck_assert(!holds(&p));
}

TEST(around_little_or_nearly_all_it_says_nothing)
{
    picture p;
    draw(&p, 30, 0, STRONG);
    ck_assert(!holds(&p));
    draw(&p, 90, 0, STRONG);
    ck_assert(!holds(&p));
    draw(&p, 0, 0, STRONG);
    ck_assert(!holds(&p));
}

TEST(what_is_strong_depends_on_the_strongest)
{
    picture p;
    draw(&p, 60, 0, WEAK); /* no link is stronger than those across the contour */
    ck_assert(!holds(&p));
    draw(&p, 60, 0, FAIR);
    /* This link is in a row that is sampled. The others are just strong enough compared with it. */
    p.right[16 * SIDE + 5] = 3 * FAIR - 1;
    ck_assert(holds(&p));
    p.right[16 * SIDE + 5] = 3 * FAIR + 1;
    ck_assert(!holds(&p));
}

/* Replaces the terminals by a smaller spot of sources, and sinks only in the corners. */
static void leave_spots(picture *p)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE;
        if ((x >= 3 && x < SIDE - 3) || (y >= 3 && y < SIDE - 3)) p->sink[i] = 0;
        if (!in_square(x, y, 4)) p->source[i] = 0;
    }
}

/* Returns the number of pixels whose sink capacity has moved, which happens when a solver reverses the grid. */
static int moved_room(const picture *p, const tc_solver *solver)
{
    const tc_solve_params params = {.threads = 1};
    tc_solve_stats stats = {0};
    tc_grid grid;
    int count = 0;
    build(p, true, &grid);
    ck_assert_int_eq(tc_solver_run(&solver, &grid, &params, &stats), TILECUT_OK);
    for (int i = 0; i < SIDE * SIDE; i++)
        count += p->sink[i] == 0 && grid.excess[tc_grid_at(&grid, i % SIDE, i / SIDE)] < 0;
    tc_grid_free(&grid);
    return count;
}

TEST(spots_with_a_contour_between_are_turned_round)
{
    static const char *const names[] = {"cascade", "push"};
    static uint8_t expected[SIDE * SIDE], mask[SIDE * SIDE];
    tilecut_params params = tilecut_params_default();
    picture p;
    /* in the last case, with 80, the area inside is too large for a contour */
    for (int inside = 40; inside <= 80; inside += 10) {
        draw(&p, inside, 0, STRONG);
        leave_spots(&p);
        tilecut_graph *const graph = graph_of(&p);
        params.solver = "bk";
        ck_assert_int_eq(tilecut_graph_solve(graph, &params, expected, NULL), TILECUT_OK);
        for (int i = 0; i < 2; i++) {
            params.solver = names[i];
            ck_assert_int_eq(tilecut_graph_solve(graph, &params, mask, NULL), TILECUT_OK);
            ck_assert_msg(memcmp(mask, expected, sizeof mask) == 0, "%s: %d inside", names[i], inside);
            const int moved = moved_room(&p, tc_solver_find(names[i]));
            ck_assert_msg((moved > 0) == (inside >= 50 && inside < 80), "%s: %d inside, %d", names[i], inside, moved);
        }
        tilecut_graph_destroy(graph);
    }
}

int main(void) { return run_suite((test_suite){.name = "contour"}); }
