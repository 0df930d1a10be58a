/* SPDX-License-Identifier: MIT
 *
 * graph.c - reads graphs as streams of rows.
 */
#include "graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "sized.h"
#include "status.h"

/* Steps to the neighbour at the far end of each forward link. */
static const int step_x[TILECUT_LINKS] = {1, 0, 1, -1};
static const int step_y[TILECUT_LINKS] = {0, 1, 1, 1};

tilecut_status tc_row_init(tilecut_row *row, int width)
{
    const size_t line = ((size_t)width + TC_TILE - 1) & ~(size_t)(TC_TILE - 1);
    int32_t *const memory = calloc((2 + 2 * TILECUT_LINKS) * line, sizeof *memory);
    *row = (tilecut_row){.source = memory};
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", width);
    row->sink = memory + line;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        row->to[k] = memory + (size_t)(2 + k) * line;
        row->from[k] = memory + (size_t)(2 + TILECUT_LINKS + k) * line;
    }
    return TILECUT_OK;
}

void tc_row_free(tilecut_row *row)
{
    free(row->source);
    *row = (tilecut_row){0};
}

/* Reads row `y`. If it has to be computed, it is in `own`, and valid until `own` is used again. */
static tc_row_view view_row(const tilecut_graph *graph, int y, tilecut_row *own)
{
    tc_row_view view = {0};
    if (graph->from_image) {
        tc_energy_row(&graph->energy, y, own);
        view.source = own->source;
        view.sink = own->sink;
        for (int k = 0; k < graph->connectivity / 2; k++) view.to[k] = view.from[k] = own->to[k]; /* symmetric */
        return view;
    }
    const size_t at = (size_t)y * (size_t)graph->width;
    view.source = graph->arrays.source + at;
    view.sink = graph->arrays.sink + at;
    for (int k = 0; k < graph->connectivity / 2; k++) {
        view.to[k] = graph->arrays.to[k] + at;
        view.from[k] = graph->arrays.from[k] ? graph->arrays.from[k] + at : view.to[k];
    }
    return view;
}

/* ---- Streaming -------------------------------------------------------------------------------- */

typedef struct stream {
    const tilecut_graph *graph;
    void (*visit)(void *context, const tc_two_rows *rows, int tile_row);
    void *context;
    tilecut_row (*row)[2]; /* [threads]: for the current row and the one above it, in turns */
    uint8_t *room;         /* [threads][step]: to squeeze in, and for copies of what rests  */
    size_t step;
} stream;

/* `view`: the graph, or a copy of it whose energy begins at row `first`. */
static void stream_tile_row(const stream *s, const tilecut_graph *view, int first, int tile_row, int worker)
{
    const int height = s->graph->height, from = tile_row * TC_TILE;
    const int to = height - from < TC_TILE ? height : from + TC_TILE;
    tc_two_rows rows = {0};

    if (from > 0) rows.here = view_row(view, from - 1 - first, &s->row[worker][(from - 1) & 1]);
    for (rows.y = from; rows.y < to; rows.y++) {
        rows.above = rows.here;
        rows.here = view_row(view, rows.y - first, &s->row[worker][rows.y & 1]);
        s->visit(s->context, &rows, tile_row);
    }
}

static void stream_one(void *context, int tile_row, int worker)
{
    const stream *const s = context;
    stream_tile_row(s, s->graph, 0, tile_row, worker);
}

static_assert(TC_BAND % TC_TILE == 0, "rows of tiles fill a band");

/* The rows of tiles of a band of what rests. */
static void stream_band(void *context, int band, int worker)
{
    enum { TILE_ROWS = TC_BAND / TC_TILE };
    const stream *const s = context;
    tc_rest *const rest = s->graph->rest;
    uint8_t *const room = s->room + (size_t)worker * s->step;
    const int tile_rows = (s->graph->height + TC_TILE - 1) / TC_TILE, end = (band + 1) * TILE_ROWS;
    tilecut_graph view = *s->graph;
    int first = 0;

    if (rest->asleep) tc_rest_read(rest, band, room, &view.energy, &first);
    for (int i = band * TILE_ROWS; i < tile_rows && i < end; i++) stream_tile_row(s, &view, first, i, worker);
    if (!rest->asleep) tc_rest_band(rest, band, room);
}

tilecut_status tc_graph_stream(const tilecut_graph *graph, int threads,
                               void (*visit)(void *context, const tc_two_rows *rows, int tile_row), void *context)
{
    tc_rest *const rest = graph->rest;
    const int unit = rest ? TC_BAND : TC_TILE, turns = (graph->height + unit - 1) / unit;
    tilecut_status status = TILECUT_OK;
    stream s = {.graph = graph, .visit = visit, .context = context, .step = rest ? tc_rest_room(rest) : 0};

    if (threads > turns) threads = turns;
    s.row = calloc((size_t)threads, sizeof *s.row);
    s.room = malloc((size_t)threads * s.step + 1);
    if (!s.row || !s.room) TRY(tc_fail(TILECUT_ENOMEM, "no memory for rows of %d pixels", graph->width));
    for (int i = 0; graph->from_image && i < 2 * threads; i++) TRY(tc_row_init(&s.row[i / 2][i % 2], graph->width));
    tc_parallel_workers(threads, turns, rest ? stream_band : stream_one, &s);
    if (rest) rest->asleep = true;
done:
    for (int i = 0; s.row && i < 2 * threads; i++) tc_row_free(&s.row[i / 2][i % 2]);
    free(s.row);
    free(s.room);
    return status;
}

static bool has_gap(const tilecut_row *row)
{
    bool gap = !row->source || !row->sink;
    for (int k = 0; k < TILECUT_LINKS; k++) gap = gap || !row->to[k] || !row->from[k];
    return gap;
}

/* Gives `row` an array of `spare` wherever it has none. */
static void fill_gaps(tilecut_row *row, const tilecut_row *spare)
{
    if (!row->source) row->source = spare->source;
    if (!row->sink) row->sink = spare->sink;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        if (!row->to[k]) row->to[k] = spare->to[k];
        if (!row->from[k]) row->from[k] = spare->from[k];
    }
}

tilecut_status tilecut_graph_row(const tilecut_graph *graph, int y, const tilecut_row *out)
{
    tilecut_status status = TILECUT_OK;
    tilecut_row row, spare = {0};

    if (!graph || !out) return tc_fail(TILECUT_EINVAL, "%s is NULL", graph ? "row" : "graph");
    if (y < 0 || y >= graph->height)
        return tc_fail(TILECUT_EINVAL, "row %d of a graph with rows 0 to %d", y, graph->height - 1);
    TRY(TC_READ(&row, out, row));
    if (has_gap(&row)) TRY(tc_row_init(&spare, graph->width));
    fill_gaps(&row, &spare);
    tc_graph_row(graph, y, &row);
done:
    tc_row_free(&spare);
    return status;
}

void tc_graph_row(const tilecut_graph *graph, int y, tilecut_row *row)
{
    const size_t size = (size_t)graph->width * sizeof(int32_t);
    tc_row_view view;

    if (graph->from_image) { /* computed in the caller's arrays */
        tc_energy_row(&graph->energy, y, row);
        for (int k = 0; k < graph->connectivity / 2; k++) memcpy(row->from[k], row->to[k], size);
    } else {
        view = view_row(graph, y, NULL);
        memcpy(row->source, view.source, size);
        memcpy(row->sink, view.sink, size);
        for (int k = 0; k < graph->connectivity / 2; k++) {
            memcpy(row->to[k], view.to[k], size);
            memcpy(row->from[k], view.from[k], size);
        }
    }
    for (int k = graph->connectivity / 2; k < TILECUT_LINKS; k++) {
        memset(row->to[k], 0, size);
        memset(row->from[k], 0, size);
    }
    for (int k = 0; k < graph->connectivity / 2; k++) {
        const bool last = y + step_y[k] >= graph->height;
        const int edge = step_x[k] > 0 ? graph->width - 1 : 0;
        if (last) {
            memset(row->to[k], 0, size);
            memset(row->from[k], 0, size);
        } else if (step_x[k] != 0) {
            row->to[k][edge] = row->from[k][edge] = 0;
        }
    }
}

void tc_graph_row_part(const tilecut_graph *graph, int x, int y, int n, tilecut_row *row)
{
    const tilecut_arrays *const a = &graph->arrays;
    const size_t at = (size_t)y * (size_t)graph->width + (size_t)x, size = (size_t)n * sizeof(int32_t);
    if (graph->from_image) tc_energy_row_part(&graph->energy, x, y, n, row);
    else memcpy(row->source, a->source + at, size), memcpy(row->sink, a->sink + at, size);
    for (int k = 0; k < graph->connectivity / 2; k++) {
        if (!graph->from_image) memcpy(row->to[k], a->to[k] + at, size);
        if (graph->from_image || !a->from[k]) row->from[k] = row->to[k];
        else memcpy(row->from[k], a->from[k] + at, size);
    }
}

double tilecut_graph_quantum(const tilecut_graph *graph)
{
    return graph->from_image ? graph->energy.quantum : 1;
}

void tilecut_graph_size(const tilecut_graph *graph, int *width, int *height, int *connectivity)
{
    *width = graph->width;
    *height = graph->height;
    *connectivity = graph->connectivity;
}

void tilecut_graph_destroy(tilecut_graph *graph)
{
    if (graph) tc_seeds_close(&graph->seeds);
    tc_graph_free(graph);
}

void tc_graph_free(tilecut_graph *graph)
{
    if (!graph) return;
    if (graph->from_image) tc_energy_free(&graph->energy);
    free(graph);
}
