/* SPDX-License-Identifier: MIT
 *
 * test_pairs.c - matching and assignment: compared with every choice in tiny graphs, and with maximum flows in larger
 * ones.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_network.h"

enum { MOST = 300, MOST_EDGES = 4000, TINY = 6 };

typedef struct drawn {
    tilecut_network_edges edges, by_rows;
    int32_t row[MOST_EDGES], column[MOST_EDGES], sorted[MOST_EDGES], first[MOST + 1];
    int64_t cost[MOST_EDGES], sorted_cost[MOST_EDGES];
} drawn;

static void draw(drawn *d, uint64_t seed, int most, int most_edges)
{
    uint64_t state = seed * 77 + 5;
    const int rows = 1 + random_below(&state, most), columns = 1 + random_below(&state, most);
    const int span = random_below(&state, 2) ? 4 : 1000, edges = random_below(&state, most_edges + 1);
    const bool hubs = random_below(&state, 3) == 0;
    for (int e = 0; e < edges; e++) {
        d->row[e] = random_below(&state, rows);
        d->column[e] = hubs ? random_below(&state, 1 + random_below(&state, columns)) : random_below(&state, columns);
        d->cost[e] = random_below(&state, span) - span / 4;
    }
    d->edges = (tilecut_network_edges){.rows = rows, .columns = columns, .edges = edges, .row = d->row,
                                       .column = d->column, .cost = d->cost};
    int at = 0;
    for (int r = 0; r < rows; r++) {
        d->first[r] = at;
        for (int e = 0; e < edges; e++) {
            if (d->row[e] != r) continue;
            d->sorted[at] = d->column[e];
            d->sorted_cost[at++] = d->cost[e];
        }
    }
    d->first[rows] = at;
    d->by_rows = d->edges;
    d->by_rows.row = NULL;
    d->by_rows.first = d->first;
    d->by_rows.column = d->sorted;
    d->by_rows.cost = d->sorted_cost;
}

/* False for a method that needs a device if there is none; the device tests cover it. */
static bool runs_here(const char *device)
{
    return strcmp(device, "cuda") || tilecut_cuda_device(0, NULL, 0) == TILECUT_OK;
}

/* Returns the flow of unit capacities from a super source over the edges to a super sink. */
static int64_t flow_of(const tilecut_network_edges *edges)
{
    const int32_t rows = (int32_t)edges->rows, columns = (int32_t)edges->columns, inner = rows + columns;
    const int64_t arcs = edges->edges + inner;
    int32_t *tail = malloc((size_t)arcs * sizeof *tail), *head = malloc((size_t)arcs * sizeof *head);
    const int32_t source = inner, sink = inner + 1;
    int64_t at = 0;
    for (int64_t e = 0; e < edges->edges; e++, at++) {
        tail[at] = edges->row[e];
        head[at] = rows + edges->column[e];
    }
    for (int32_t v = 0; v < inner; v++, at++) {
        tail[at] = v < rows ? source : v;
        head[at] = v < rows ? v : sink;
    }
    const tilecut_network_arcs description = {.nodes = inner + 2, .arcs = arcs, .tail = tail, .head = head,
                                              .sources = &source, .sinks = &sink, .source_count = 1, .sink_count = 1};
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    ck_assert_int_eq(tilecut_network_create(&network, &description), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, NULL, NULL, &report), TILECUT_OK);
    tilecut_network_destroy(network);
    free(tail);
    free(head);
    return report.flow;
}

static int matchers(void)
{
    int count = 0;
    while (tilecut_network_matcher_name(count)) count++;
    return count;
}

static int assigners(void)
{
    int count = 0;
    while (tilecut_network_assigner_name(count)) count++;
    return count;
}

LOOP_TEST(matchings_are_as_large_as_flows, 0, matchers())
{
    static drawn d;
    if (!runs_here(tilecut_network_matcher_device(_i))) return;
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(600); seed++) {
        int32_t column_of[MOST];
        uint8_t cover[2 * MOST], again[2 * MOST];
        bool taken[MOST] = {false};
        int64_t pairs = 0, covered = 0;
        tilecut_network_pairs_report report = {0};
        draw(&d, seed, seed % 3 ? 12 : MOST, seed % 3 ? 40 : (int)(seed % 7 + 1) * 500);
        const tilecut_network_params params = {.solver = tilecut_network_matcher_name(_i)};
        ck_assert_msg(tilecut_network_match(&d.edges, &params, column_of, cover, &report) == TILECUT_OK,
                      "seed %llu: %s", (unsigned long long)seed, tilecut_error_detail());
        ck_assert_msg(report.pairs == flow_of(&d.edges), "seed %llu", (unsigned long long)seed);
        for (int64_t r = 0; r < d.edges.rows; r++) {
            if (column_of[r] < 0) continue;
            bool edge = false;
            for (int64_t e = 0; e < d.edges.edges; e++) edge |= d.row[e] == r && d.column[e] == column_of[r];
            ck_assert_msg(edge && !taken[column_of[r]], "seed %llu: row %d", (unsigned long long)seed, (int)r);
            taken[column_of[r]] = true;
            pairs++;
        }
        ck_assert_int_eq(pairs, report.pairs);
        for (int64_t e = 0; e < d.edges.edges; e++)
            ck_assert_msg(cover[d.row[e]] || cover[d.edges.rows + d.column[e]], "seed %llu: an edge is not covered",
                          (unsigned long long)seed);
        for (int64_t v = 0; v < d.edges.rows + d.edges.columns; v++) covered += cover[v];
        ck_assert_int_eq(covered, pairs);
        ck_assert_int_eq(tilecut_network_match(&d.by_rows, NULL, NULL, again, NULL), TILECUT_OK);
        ck_assert_msg(!memcmp(cover, again, (size_t)(d.edges.rows + d.edges.columns)), "seed %llu: another cover",
                      (unsigned long long)seed);
        ck_assert_int_le(report.first_pairs, report.pairs);
    }
}

/* Returns the least cost over all assignments of rows from `row` on to columns that are not in `used`, or INT64_MAX if
 * there is none. */
static int64_t try_all(const tilecut_network_edges *edges, int row, unsigned used)
{
    int64_t best = INT64_MAX;
    if (row == edges->rows) return 0;
    for (int64_t e = 0; e < edges->edges; e++) {
        if (edges->row[e] != row || used >> edges->column[e] & 1) continue;
        const int64_t rest = try_all(edges, row + 1, used | 1u << edges->column[e]);
        if (rest != INT64_MAX && rest + edges->cost[e] < best) best = rest + edges->cost[e];
    }
    return best;
}

/* There are so many edges and free nodes that all threads search. Sparse graphs have long paths, in which searches
 * meet. */
LOOP_TEST(threads_find_as_many_pairs_and_the_same_cover, 0, matchers())
{
    enum { ROWS = 60000, COLUMNS = 55000, EDGES = 3 * ROWS };
    static int32_t row[EDGES], column[EDGES], column_of[ROWS];
    static uint8_t cover[2][ROWS + COLUMNS], used[COLUMNS];
    if (!runs_here(tilecut_network_matcher_device(_i))) return;
    for (uint64_t seed = 1; seed <= RANDOM_LOOPS(3); seed++) {
        uint64_t state = seed;
        const int narrow = seed % 2 ? COLUMNS : COLUMNS / 20; /* with few columns, many rows have no partner */
        tilecut_network_pairs_report report[2] = {{0}};
        for (int e = 0; e < EDGES; e++) {
            row[e] = random_below(&state, ROWS);
            column[e] = random_below(&state, random_below(&state, 2) ? narrow : COLUMNS);
        }
        const tilecut_network_edges edges = {.rows = ROWS, .columns = COLUMNS, .edges = EDGES, .row = row,
                                             .column = column};
        for (int k = 0; k < 2; k++) {
            const tilecut_network_params params = {.solver = tilecut_network_matcher_name(_i), .threads = k ? 4 : 1};
            ck_assert_msg(tilecut_network_match(&edges, &params, column_of, cover[k], &report[k]) == TILECUT_OK,
                          "seed %llu: %s", (unsigned long long)seed, tilecut_error_detail());
        }
        ck_assert_int_eq(report[0].pairs, report[1].pairs);
        ck_assert_mem_eq(cover[0], cover[1], sizeof cover[0]);
        int64_t pairs = 0;
        memset(used, 0, sizeof used);
        for (int r = 0; r < ROWS; r++) {
            if (column_of[r] < 0) continue;
            ck_assert_msg(!used[column_of[r]]++, "seed %llu: a column twice", (unsigned long long)seed);
            pairs++;
        }
        ck_assert_int_eq(pairs, report[1].pairs);
    }
    ck_assert_int_eq(tilecut_network_match(&(tilecut_network_edges){.rows = 1, .columns = 1},
                                           &(tilecut_network_params){.threads = 257}, NULL, NULL, NULL),
                     TILECUT_EINVAL);
}

/* Returns the least cost of an assignment. If there are fewer columns than rows, each column gets a row. */
static int64_t least_cost(const tilecut_network_edges *edges)
{
    const tilecut_network_edges turned = {.rows = edges->columns, .columns = edges->rows, .edges = edges->edges,
                                          .row = edges->column, .column = edges->row, .cost = edges->cost};
    return try_all(edges->rows <= edges->columns ? edges : &turned, 0, 0);
}

/* Checks that the prices at the ends of every edge add up to at most its cost, and all prices to `cost`. On the longer
 * side, free nodes have the price 0 and no price is positive. */
static void check_prices(const tilecut_network_edges *edges, const int32_t *column_of, const int64_t *price,
                         int64_t cost)
{
    const int64_t rows = edges->rows, columns = edges->columns;
    int64_t sum = 0, pairs = 0;
    for (int64_t e = 0; e < edges->edges; e++)
        ck_assert_int_le(price[edges->row[e]] + price[rows + edges->column[e]], edges->cost[e]);
    for (int64_t v = 0; v < rows + columns; v++) sum += price[v];
    for (int64_t r = 0; r < rows; r++) {
        pairs += column_of[r] >= 0;
        if (rows > columns) ck_assert(column_of[r] < 0 ? !price[r] : price[r] <= 0);
    }
    ck_assert_int_eq(sum, cost);
    ck_assert_int_eq(pairs, rows < columns ? rows : columns);
}

LOOP_TEST(tiny_assignments_are_the_cheapest, 0, assigners())
{
    static drawn d;
    int32_t column_of[TINY];
    int64_t price[2 * TINY];
    const tilecut_network_params params = {.solver = tilecut_network_assigner_name(_i)};
    int found = 0;
    if (!runs_here(tilecut_network_assigner_device(_i))) return;
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(3000); seed++) {
        tilecut_network_pairs_report report = {0}, again = {0};
        draw(&d, seed, TINY, 30);
        const int64_t least = least_cost(&d.edges);
        const tilecut_status status = tilecut_network_assign(&d.edges, &params, column_of, price, &report);
        ck_assert_msg(status == (least == INT64_MAX ? TILECUT_EINVAL : TILECUT_OK), "seed %llu: %s",
                      (unsigned long long)seed, tilecut_error_detail());
        if (least == INT64_MAX) continue;
        found++;
        ck_assert_msg(report.cost == least, "seed %llu: %lld, not %lld", (unsigned long long)seed,
                      (long long)report.cost, (long long)least);
        check_prices(&d.edges, column_of, price, least);
        ck_assert_int_eq(tilecut_network_assign(&d.by_rows, &params, NULL, NULL, &again), TILECUT_OK);
        ck_assert_int_eq(again.cost, least);
    }
    ck_assert_int_gt(found, RANDOM_CASES(3000) / 20);
}

/* A full matrix in three forms; different code solves two of them. */
LOOP_TEST(full_matrices_cost_the_same_as_their_edges, 0, assigners())
{
    if (!runs_here(tilecut_network_assigner_device(_i))) return;
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(60); seed++) {
        uint64_t state = seed;
        const int few = 1 + random_below(&state, 50), many = few + (seed % 2 ? random_below(&state, 20) : 0);
        const int rows = seed % 4 == 3 ? many : few, columns = seed % 4 == 3 ? few : many;
        const int span = seed % 3 ? 1000000 : 5;
        static int64_t cost[50 * 70], turned[50 * 70], price[50 + 70];
        static int32_t row[50 * 70], column[50 * 70], column_of[70];
        int64_t edges = 0, taken = 0;
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) cost[edges++] = random_below(&state, span) - span / 3;
        for (int64_t e = 0; e < edges; e++) { /* lists the edges in another order than a matrix has */
            const int64_t from = edges - 1 - e;
            turned[e] = cost[from];
            row[e] = (int32_t)(from / columns);
            column[e] = (int32_t)(from % columns);
        }
        const tilecut_network_edges full = {.rows = rows, .columns = columns, .edges = edges, .cost = cost};
        const tilecut_network_edges list = {.rows = rows, .columns = columns, .edges = edges, .row = row,
                                            .column = column, .cost = turned};
        const tilecut_network_params params = {.solver = tilecut_network_assigner_name(_i)};
        tilecut_network_pairs_report a = {0}, b = {0};
        ck_assert_msg(tilecut_network_assign(&full, &params, column_of, price, &a) == TILECUT_OK, "seed %llu: %s",
                      (unsigned long long)seed, tilecut_error_detail());
        ck_assert_int_eq(tilecut_network_assign(&list, &params, NULL, NULL, &b), TILECUT_OK);
        ck_assert_msg(a.cost == b.cost, "seed %llu: %lld and %lld", (unsigned long long)seed, (long long)a.cost,
                      (long long)b.cost);
        for (int r = 0; r < rows; r++) {
            if (column_of[r] >= 0) taken += cost[r * columns + column_of[r]];
            for (int c = 0; c < columns; c++) ck_assert_int_le(price[r] + price[rows + c], cost[r * columns + c]);
        }
        ck_assert_int_eq(taken, a.cost);
    }
}

/* A matrix so large that threads share it: as a matrix, as a list of edges in order, and as a list in another order. */
TEST(threads_find_the_same_pairs_in_a_full_matrix)
{
    enum { ROWS = 520, MORE = 40, EDGES = ROWS * (ROWS + MORE) };
    static int64_t cost[EDGES];
    static int32_t row[EDGES], column[EDGES], column_of[3][ROWS];
    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint64_t state = seed;
        const int columns = ROWS + (seed > 2 ? MORE : 0), edges = ROWS * columns, span = seed % 2 ? 30 : 1000000;
        int64_t found[3];
        for (int e = 0; e < edges; e++) {
            cost[e] = random_below(&state, span) - span / 3;
            row[e] = e / columns;
            column[e] = e % columns;
        }
        for (int k = 0; k < 3; k++) {
            const tilecut_network_edges arrays = {.rows = ROWS, .columns = columns, .edges = edges, .cost = cost,
                                                 .row = k ? row : NULL, .column = k ? column : NULL};
            const tilecut_network_params params = {.solver = "shortest-paths", .threads = k ? 2 + k : 1};
            tilecut_network_pairs_report report = {0};
            if (k == 2) { /* swaps the first edge with the last one */
                const int64_t last = cost[edges - 1];
                cost[edges - 1] = cost[0];
                cost[0] = last;
                row[0] = ROWS - 1;
                column[0] = columns - 1;
                row[edges - 1] = column[edges - 1] = 0;
            }
            ck_assert_msg(tilecut_network_assign(&arrays, &params, column_of[k], NULL, &report) == TILECUT_OK,
                          "seed %llu: %s", (unsigned long long)seed, tilecut_error_detail());
            found[k] = report.cost;
        }
        ck_assert_mem_eq(column_of[0], column_of[1], sizeof column_of[0]);
        ck_assert_int_eq(found[0], found[1]);
        ck_assert_int_eq(found[0], found[2]);
    }
}

/* Draws costs of several kinds: many ties, some, few, or such that all rows prefer the same columns. */
static int64_t draw_cost(uint64_t *state, uint64_t seed, int row, int column)
{
    static const int spans[] = {2, 40, 3000, 20000};
    if (seed % 5 == 4) return (int64_t)(1 + row % 97) * (1 + column % 89) - 1000;
    return random_below(state, spans[seed % 5]) - spans[seed % 5] / 3;
}

/* Only wide matrices keep, for each row, a list of near columns. Here columns and rows that only pair with each other
 * make a matrix wide. It must get the same pairs and prices as the matrix without them, ties included. */
TEST(lists_of_near_columns_change_no_pair)
{
    enum { ROWS = 490, MORE = 30, WIDE = ROWS + 10 + MORE, DEAR = 1 << 30 };
    static int64_t narrow[ROWS * WIDE], wide[WIDE * WIDE], price[2][2 * WIDE];
    static int32_t column_of[2][WIDE];
    for (uint64_t seed = 0; seed < 2 + (uint64_t)RANDOM_CASES(18); seed++) {
        uint64_t state = seed + 1;
        const bool square = seed % 2;
        const int columns = square ? ROWS : ROWS + 10, all = columns + MORE, rows = square ? all : ROWS;
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < all; c++) {
                const bool inside = r < ROWS && c < columns;
                const int64_t cost = inside ? draw_cost(&state, seed / 2, r, c) : r - ROWS == c - columns ? 0 : DEAR;
                wide[r * all + c] = cost;
                if (inside) narrow[r * columns + c] = cost;
            }
        for (int k = 0; k < 3; k++) {
            const tilecut_network_edges arrays = {.rows = k ? rows : ROWS, .columns = k ? all : columns,
                                                 .edges = k ? rows * all : ROWS * columns, .cost = k ? wide : narrow};
            const tilecut_network_params params = {.solver = "shortest-paths", .threads = k == 2 ? 4 : 1};
            ck_assert_msg(tilecut_network_assign(&arrays, &params, column_of[k > 0], price[k > 0], NULL) == TILECUT_OK,
                          "seed %llu: %s", (unsigned long long)seed, tilecut_error_detail());
            ck_assert_mem_eq(column_of[0], column_of[k > 0], ROWS * sizeof column_of[0][0]);
            ck_assert_mem_eq(price[0], price[k > 0], ROWS * sizeof price[0][0]);
            ck_assert_mem_eq(price[0] + ROWS, price[k > 0] + (k ? rows : ROWS), (size_t)columns * sizeof price[0][0]);
        }
    }
}

/* Square graphs with many rows and an assignment, with similar and very different costs, and parallel edges. Several
 * threads solve them, and bid at the same time because there are so many rows. The prices prove that each cost is the
 * least. */
TEST(assigners_find_the_same_cost)
{
    static drawn d;
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(60); seed++) {
        uint64_t state = seed;
        const int rows = 1 + random_below(&state, MOST), edges = rows + random_below(&state, MOST_EDGES - rows + 1);
        static const int spans[] = {1, 3, 1000, 100000000};
        const int span = spans[seed % 4];
        for (int e = 0; e < edges; e++) {
            d.row[e] = e < rows ? e : random_below(&state, rows);
            d.column[e] = e < rows ? rows - 1 - e : random_below(&state, rows);
            d.cost[e] = (int64_t)(e < rows ? 2 : 1) * random_below(&state, span) - span / 2;
        }
        const tilecut_network_edges arrays = {.rows = rows, .columns = rows, .edges = edges, .row = d.row,
                                             .column = d.column, .cost = d.cost};
        int64_t least = 0;
        for (int i = 0; tilecut_network_assigner_name(i); i++) {
            const tilecut_network_params params = {.solver = tilecut_network_assigner_name(i),
                                                .threads = 1 + (int)(seed % 5)};
            tilecut_network_pairs_report report = {0};
            if (!runs_here(tilecut_network_assigner_device(i))) continue;
            ck_assert_msg(tilecut_network_assign(&arrays, &params, NULL, NULL, &report) == TILECUT_OK,
                          "%s, seed %llu: %s", params.solver, (unsigned long long)seed, tilecut_error_detail());
            ck_assert_str_eq(report.solver, params.solver);
            if (!i) least = report.cost;
            ck_assert_msg(report.cost == least, "%s, seed %llu", params.solver, (unsigned long long)seed);
        }
    }
}

/* If scaling cannot solve a problem, the first assigner solves it, and the report says so. */
TEST(another_assigner_takes_over)
{
    const int32_t row[] = {0, 1, 1}, column[] = {0, 0, 1};
    const int64_t cost[] = {5, 1, 4}, large[] = {INT64_C(1) << 55, 1, 4};
    const tilecut_network_params params = {.solver = "cost-scaling"};
    tilecut_network_edges edges = {.rows = 2, .columns = 3, .edges = 3, .row = row, .column = column, .cost = cost};
    for (int i = 0; i < 2; i++) {
        tilecut_network_pairs_report report = {0};
        ck_assert_int_eq(tilecut_network_assign(&edges, &params, NULL, NULL, &report), TILECUT_OK);
        ck_assert_str_eq(report.solver, "shortest-paths");
        ck_assert_int_eq(report.cost, i ? (INT64_C(1) << 55) + 4 : 9);
        edges.columns = 2;
        edges.cost = large;
    }
    edges.edges = 2; /* there is no assignment, because both rows have only the same column */
    edges.cost = cost;
    ck_assert_int_eq(tilecut_network_assign(&edges, &params, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_assign(&edges, &(tilecut_network_params){.solver = "magic"}, NULL, NULL, NULL),
                     TILECUT_EINVAL);
}

/* The build has no CUDA, or the machine has no device. */
TEST(a_device_that_is_not_there_is_said)
{
    const int32_t row[] = {0, 1}, column[] = {0, 1};
    const int64_t cost[] = {1, 2};
    const tilecut_network_edges edges = {.rows = 2, .columns = 2, .edges = 2, .row = row, .column = column,
                                         .cost = cost};
    for (int i = 0; tilecut_network_matcher_name(i); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_matcher_name(i)};
        ck_assert_int_eq(tilecut_network_match(&edges, &params, NULL, NULL, NULL),
                         runs_here(tilecut_network_matcher_device(i)) ? TILECUT_OK : TILECUT_ENODEVICE);
    }
    for (int i = 0; tilecut_network_assigner_name(i); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_assigner_name(i)};
        ck_assert_int_eq(tilecut_network_assign(&edges, &params, NULL, NULL, NULL),
                         runs_here(tilecut_network_assigner_device(i)) ? TILECUT_OK : TILECUT_ENODEVICE);
    }
    ck_assert_ptr_null(tilecut_network_matcher_device(-1));
    ck_assert_ptr_null(tilecut_network_assigner_device(100));
}

TEST(broken_contracts_are_refused)
{
    const int32_t row[] = {0, 1}, column[] = {0, 2};
    const int64_t cost[] = {1, 2}, huge[] = {1, INT64_MAX / 2};
    tilecut_network_edges edges = {.rows = 2, .columns = 2, .edges = 2, .row = row, .column = column, .cost = cost};
    ck_assert_int_eq(tilecut_network_match(&edges, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "edge 1"));
    edges.columns = 3;
    ck_assert_int_eq(tilecut_network_match(&edges, NULL, NULL, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_assign(&edges, NULL, NULL, NULL, NULL), TILECUT_OK);
    edges.cost = huge;
    ck_assert_int_eq(tilecut_network_assign(&edges, NULL, NULL, NULL, NULL), TILECUT_ERANGE);
    edges.cost = NULL;
    ck_assert_int_eq(tilecut_network_assign(&edges, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    edges.column = NULL;
    ck_assert_int_eq(tilecut_network_match(&edges, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    edges.rows = 0;
    ck_assert_int_eq(tilecut_network_match(&edges, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_match(NULL, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    edges = (tilecut_network_edges){.rows = 2, .columns = 3, .edges = 2, .row = row, .column = column};
    ck_assert_int_eq(tilecut_network_match(&edges, &(tilecut_network_params){.solver = "magic"}, NULL, NULL, NULL),
                     TILECUT_EINVAL);
}

int main(void) { return run_suite((test_suite){.name = "pairs", .seconds = 300}); }
