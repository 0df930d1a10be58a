/* SPDX-License-Identifier: MIT
 *
 * test_edge_sort.c - several threads sort the edges of a bipartite graph into the same order as one thread does. If
 * several edges are wrong, the first one is named. Some nodes have very many edges, and some have none.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>
#include <string.h>

#include "bipartite.h"
#include "random_graph.h"
#include "run_suite.h"

enum { ROWS = 3000, COLUMNS = 700, EDGES = 300000 };

typedef struct drawn {
    int32_t row[EDGES], column[EDGES];
    tilecut_network_edges edges;
} drawn;

static drawn *draw(uint64_t seed)
{
    drawn *const d = malloc(sizeof *d);
    uint64_t state = seed;
    for (int e = 0; e < EDGES; e++) {
        const int most = random_below(&state, 4) ? ROWS : 5; /* a quarter of the edges lie in the first five rows */
        d->row[e] = random_below(&state, most);
        d->column[e] = random_below(&state, 1 + random_below(&state, COLUMNS));
    }
    d->edges = (tilecut_network_edges){.rows = ROWS + 9, .columns = COLUMNS, .edges = EDGES, .row = d->row,
                                       .column = d->column};
    return d;
}

TEST(threads_sort_as_one_does)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        drawn *const d = draw(seed);
        tc_bipartite one, several;
        ck_assert_int_eq(tc_bipartite_init(&one, &d->edges, false, true, 1), TILECUT_OK);
        for (int threads = 2; threads <= 4; threads++) {
            ck_assert_int_eq(tc_bipartite_init(&several, &d->edges, false, true, threads), TILECUT_OK);
            ck_assert_mem_eq(one.first, several.first, ((size_t)one.rows + 1) * sizeof *one.first);
            ck_assert_mem_eq(one.column, several.column, EDGES * sizeof *one.column);
            ck_assert_mem_eq(one.edge_first, several.edge_first, ((size_t)one.columns + 1) * sizeof *one.edge_first);
            ck_assert_mem_eq(one.edge_row, several.edge_row, EDGES * sizeof *one.edge_row);
            tc_bipartite_free(&several);
        }
        tc_bipartite_free(&one);
        free(d);
    }
}

TEST(the_first_wrong_edge_is_named)
{
    drawn *const d = draw(1);
    tc_bipartite graph;
    for (int e = 77777; e < EDGES; e += 11111) d->row[e] = ROWS + 9;
    for (int threads = 1; threads <= 4; threads++) {
        ck_assert_int_eq(tc_bipartite_init(&graph, &d->edges, false, true, threads), TILECUT_EINVAL);
        ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "edge 77777 joins row 3009"));
    }
    free(d);
}

int main(void) { return run_suite((test_suite){.name = "edge_sort"}); }
