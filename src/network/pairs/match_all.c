/* SPDX-License-Identifier: MIT
 *
 * match_all.c - enlarges a matching to the largest (Pothen & Fan, ACM TOMS 16, 1990). In each phase every free row
 * starts one depth-first search, and each column is visited at most once. A row first looks ahead for a free column.
 * It never looks at the same edge twice for this, because a matched column never becomes free. In every second phase
 * rows go through their edges backwards, so that a search that went astray does not do so again (Duff, Kaya & Ucar,
 * ACM TOMS 38, 2011).
 */
#include <stdlib.h>

#include "bipartite.h"
#include "status.h"

typedef struct search {
    const tc_bipartite *graph;
    tc_matching *matching;
    int32_t *ahead;   /* [rows] the edge at which the look-ahead continues    */
    int32_t *edge;    /* [rows] edges of this phase that are done             */
    int32_t *visited; /* [columns] the last phase that visited it             */
    int32_t *path;    /* [rows] rows on the path                              */
    int32_t *open;    /* [rows] free rows that may still find a partner       */
    int32_t phase;
} search;

static bool search_alloc(search *s)
{
    const size_t rows = (size_t)s->graph->rows;
    s->ahead = malloc(rows * sizeof *s->ahead);
    s->edge = malloc(rows * sizeof *s->edge);
    s->path = malloc(rows * sizeof *s->path);
    s->open = malloc(rows * sizeof *s->open);
    s->visited = calloc((size_t)s->graph->columns, sizeof *s->visited);
    return s->ahead && s->edge && s->path && s->open && s->visited;
}

static void search_free(search *s)
{
    free(s->ahead);
    free(s->edge);
    free(s->path);
    free(s->open);
    free(s->visited);
}

/* A free column of that row; -1: there is none, and there will be none. */
static int32_t look_ahead(search *s, int32_t row)
{
    const int32_t end = s->graph->first[row + 1];
    while (s->ahead[row] < end) {
        const int32_t column = s->graph->column[s->ahead[row]++];
        if (s->matching->row_of[column] < 0) return column;
    }
    return -1;
}

/* The next column of that row that was not visited in this phase; -1: none. */
static int32_t next_column(search *s, int32_t row)
{
    const int32_t low = s->graph->first[row], count = s->graph->first[row + 1] - low;
    while (s->edge[row] < count) {
        const int32_t at = s->edge[row]++;
        const int32_t column = s->graph->column[s->phase % 2 ? low + at : low + count - 1 - at];
        if (s->visited[column] != s->phase) return column;
    }
    return -1;
}

/* Each row on the path gives its column to the row before it; the last one gets the free column. */
static void turn(search *s, int32_t length, int32_t column)
{
    for (int32_t k = length - 1; k >= 0; k--) {
        const int32_t row = s->path[k], before = s->matching->column_of[row];
        s->matching->column_of[row] = column;
        s->matching->row_of[column] = row;
        column = before;
    }
    s->matching->pairs++;
}

static bool augment(search *s, int32_t row)
{
    int32_t length = 0;
    s->path[length++] = row;
    s->edge[row] = 0;
    while (length) {
        const int32_t at = s->path[length - 1], found = look_ahead(s, at);
        if (found >= 0) {
            s->visited[found] = s->phase;
            turn(s, length, found);
            return true;
        }
        const int32_t column = next_column(s, at);
        if (column < 0) {
            length--;
            continue;
        }
        s->visited[column] = s->phase;
        const int32_t next = s->matching->row_of[column];
        s->edge[next] = 0;
        s->path[length++] = next;
    }
    return false;
}

tilecut_status tc_match_all(const tc_bipartite *graph, tc_matching *matching, const tilecut_flag *cancel)
{
    tilecut_status status = TILECUT_OK;
    search s = {.graph = graph, .matching = matching};
    int32_t open = 0;
    bool found = true;
    if (!search_alloc(&s)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d rows", (int)graph->rows);
    for (int32_t r = 0; status == TILECUT_OK && r < graph->rows; r++) {
        s.ahead[r] = graph->first[r];
        if (matching->column_of[r] < 0) s.open[open++] = r;
    }
    while (status == TILECUT_OK && found && open) {
        int32_t left = 0;
        found = false;
        s.phase++;
        for (int32_t i = 0; i < open; i++) {
            if (augment(&s, s.open[i])) found = true;
            else s.open[left++] = s.open[i];
        }
        open = left;
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two phases");
    }
    search_free(&s);
    return status;
}
