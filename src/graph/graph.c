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

/* ---- Streaming -------------------------------------------------------------------------------- */

/* Memory for a row that has to be computed. */
typedef struct line {
    int32_t *memory, *source, *sink, *to[TC_LINKS], *back[TC_LINKS]; /* back: only for links to other slices */
} line;

static bool line_init(line *l, int width, int connectivity)
{
    /* rounded up, so that loops need no special tail */
    const size_t size = ((size_t)width + TC_TILE - 1) & ~(size_t)(TC_TILE - 1);
    size_t lines = 2 + (size_t)connectivity / 2;
    for (int k = 0; k < connectivity / 2; k++) lines += tc_link_step(connectivity, k).z != 0;
    int32_t *next = l->memory = calloc(lines * size, sizeof *l->memory);
    if (!next) return false;
    l->source = next, l->sink = next += size;
    for (int k = 0; k < connectivity / 2; k++) l->to[k] = next += size;
    for (int k = 0; k < connectivity / 2; k++)
        if (tc_link_step(connectivity, k).z) l->back[k] = next += size;
    return true;
}

typedef struct stream {
    const tilecut_graph *graph;
    void (*visit)(void *context, const tc_row_view *row, int tile_row);
    void *context;
    line (*line)[2]; /* [threads]: memory for the current row and for the row above, used alternately */
    uint8_t *room;   /* [threads][step]: work space for compressing, and copies of compressed rows    */
    size_t step;
} stream;

/* Computes row y of an energy, counted through all slices. `above` has the links of the row above it. */
static void compute_row(const tc_energy *energy, int y, const line *own, const line *above, tc_row_view *row)
{
    tc_energy_terminals(energy, y, energy->seeds + (size_t)y * (size_t)energy->image.width, own->source, own->sink);
    row->source = own->source, row->sink = own->sink;
    for (int k = 0; k < energy->connectivity / 2; k++) {
        const int from = tc_energy_near_row(energy, k, y);
        row->to[k] = row->from[k] = tc_energy_links(energy, k, y, own->to[k]) ? own->to[k] : NULL;
        row->back[k] = from < 0 ? NULL : from == y ? own->to[k] : own->back[k] ? own->back[k] : above->to[k];
        if (from >= 0 && own->back[k]) (void)tc_energy_links(energy, k, from, own->back[k]);
    }
}

/* Points `row` to row (row->y, row->z) of the caller's arrays. */
static void find_row(const tilecut_graph *graph, tc_row_view *row)
{
    const tc_capacities *const a = &graph->arrays;
    const ptrdiff_t width = graph->width, at = ((ptrdiff_t)row->z * graph->height + row->y) * width;
    row->source = a->source + at, row->sink = a->sink + at;
    for (int k = 0; k < graph->connectivity / 2; k++) {
        const tc_link_steps s = tc_link_step(graph->connectivity, k);
        const bool on = row->y + s.y >= 0 && row->y + s.y < graph->height && row->z + s.z < graph->depth;
        const bool back = row->y - s.y >= 0 && row->y - s.y < graph->height && row->z - s.z >= 0;
        row->to[k] = on ? a->to[k] + at : NULL;
        row->from[k] = on ? a->from[k] + at : NULL;
        row->back[k] = back ? a->from[k] + at - ((ptrdiff_t)s.z * graph->height + s.y) * width : NULL;
    }
}

/* Visits the pixel rows of a row of tiles. `energy` is that of the graph, or a view of it that begins at row
 * `first`. */
static void stream_tile_row(const stream *s, const tc_energy *energy, int first, int tile_row, int worker)
{
    const tilecut_graph *const graph = s->graph;
    const int rows = (graph->height + TC_TILE - 1) / TC_TILE, z = tile_row / rows, from = tile_row % rows * TC_TILE;
    const int to = graph->height - from < TC_TILE ? graph->height : from + TC_TILE;
    const int begin = z * graph->height - first;
    tc_row_view row = {.z = z};

    line *const own = graph->from_image ? s->line[worker] : NULL;
    for (int k = 1; own && from > 0 && k < graph->connectivity / 2; k++)
        if (!tc_link_step(graph->connectivity, k).z)
            (void)tc_energy_links(energy, k, begin + from - 1, own[(from - 1) & 1].to[k]);
    for (row.y = from; row.y < to; row.y++) {
        if (own) compute_row(energy, begin + row.y, &own[row.y & 1], &own[(row.y - 1) & 1], &row);
        else find_row(graph, &row);
        s->visit(s->context, &row, tile_row);
    }
}

static void stream_one(void *context, int tile_row, int worker)
{
    const stream *const s = context;
    stream_tile_row(s, &s->graph->energy, 0, tile_row, worker);
}

static_assert(TC_BAND % TC_TILE == 0, "rows of tiles fill a band");

/* Visits the rows of tiles of one band of an image whose rows are compressed. */
static void stream_band(void *context, int band, int worker)
{
    enum { TILE_ROWS = TC_BAND / TC_TILE };
    const stream *const s = context;
    tc_row_cache *const rest = s->graph->rest;
    uint8_t *const room = s->room + (size_t)worker * s->step;
    const int tile_rows = (s->graph->height + TC_TILE - 1) / TC_TILE, end = (band + 1) * TILE_ROWS;
    tc_energy view = s->graph->energy;
    int first = 0;

    if (rest->compressed) tc_row_cache_read(rest, band, room, &view, &first);
    for (int i = band * TILE_ROWS; i < tile_rows && i < end; i++) stream_tile_row(s, &view, first, i, worker);
    if (!rest->compressed) tc_row_cache_band(rest, band, room);
}

tilecut_status tc_graph_stream(const tilecut_graph *graph, int threads,
                               void (*visit)(void *context, const tc_row_view *row, int tile_row), void *context)
{
    tc_row_cache *const rest = graph->rest;
    const int unit = rest ? TC_BAND : TC_TILE, turns = (graph->height + unit - 1) / unit * graph->depth;
    tilecut_status status = TILECUT_OK;
    stream s = {.graph = graph, .visit = visit, .context = context, .step = rest ? tc_row_cache_room(rest) : 0};

    if (threads > turns) threads = turns;
    s.line = calloc((size_t)threads, sizeof *s.line);
    s.room = malloc((size_t)threads * s.step + 1);
    bool good = s.line && s.room;
    for (int i = 0; graph->from_image && good && i < 2 * threads; i++)
        good = line_init(&s.line[i / 2][i % 2], graph->width, graph->connectivity);
    if (!good) TRY(tc_fail(TILECUT_ENOMEM, "no memory for rows of %d pixels", graph->width));
    tc_parallel_workers(threads, turns, rest ? stream_band : stream_one, &s);
    if (rest) rest->compressed = true;
done:
    for (int i = 0; s.line && i < 2 * threads; i++) free(s.line[i / 2][i % 2].memory);
    free(s.line);
    free(s.room);
    return status;
}

/* ---- Single rows ------------------------------------------------------------------------------ */

static bool has_gap(const tilecut_row *row)
{
    bool gap = !row->source || !row->sink;
    for (int k = 0; k < TILECUT_LINKS; k++) gap = gap || !row->to[k] || !row->from[k];
    return gap;
}

/* Where `row` lacks an array, uses the array of `spare`. */
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
    const int links = graph->connectivity / 2;
    tc_row_view view = {.y = y};

    if (graph->from_image) { /* the row is computed directly in the caller's arrays */
        tc_energy_row(&graph->energy, y, row);
        for (int k = 0; k < links; k++) memcpy(row->from[k], row->to[k], size);
    } else {
        find_row(graph, &view);
        memcpy(row->source, view.source, size);
        memcpy(row->sink, view.sink, size);
        for (int k = 0; k < links; k++) {
            if (!view.to[k]) continue;
            memcpy(row->to[k], view.to[k], size);
            memcpy(row->from[k], view.from[k], size);
        }
    }
    for (int k = 0; k < TILECUT_LINKS; k++) {
        const tc_link_steps step = tc_link_step(graph->connectivity, k);
        const tc_span linked = tc_linked(0, graph->width, step.x, graph->width);
        const bool none = k >= links || y + step.y >= graph->height;
        const size_t end = none ? 0 : (size_t)linked.end, rest = size - end * sizeof(int32_t);
        if (linked.first && !none) row->to[k][0] = row->from[k][0] = 0;
        memset(row->to[k] + end, 0, rest);
        memset(row->from[k] + end, 0, rest);
    }
}

tilecut_status tc_row_arrays_init(tc_row_arrays *row, int width, int connectivity)
{
    const size_t row_size = ((size_t)width + TC_TILE - 1) & ~(size_t)(TC_TILE - 1), links = (size_t)connectivity / 2;
    int32_t *const memory = calloc((2 + 2 * links) * row_size, sizeof *memory);
    *row = (tc_row_arrays){.source = memory};
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", width);
    row->sink = memory + row_size;
    for (size_t k = 0; k < links; k++)
        row->to[k] = memory + (2 + k) * row_size, row->from[k] = memory + (2 + links + k) * row_size;
    return TILECUT_OK;
}

void tc_row_arrays_free(tc_row_arrays *row)
{
    free(row->source);
    *row = (tc_row_arrays){0};
}

void tc_graph_row_part(const tilecut_graph *graph, int x, int y, int n, const tc_row_arrays *row)
{
    const tc_capacities *const a = &graph->arrays;
    const size_t at = (size_t)y * (size_t)graph->width + (size_t)x, size = (size_t)n * sizeof(int32_t);
    if (graph->from_image) tc_energy_row_part(&graph->energy, x, y, n, row->source, row->sink, row->to);
    else memcpy(row->source, a->source + at, size), memcpy(row->sink, a->sink + at, size);
    for (int k = 0; k < graph->connectivity / 2; k++) {
        if (!graph->from_image) memcpy(row->to[k], a->to[k] + at, size);
        memcpy(row->from[k], graph->from_image ? row->to[k] : a->from[k] + at, size);
    }
}

double tilecut_graph_quantum(const tilecut_graph *graph)
{
    return !graph ? 0 : graph->from_image ? graph->energy.quantum : 1;
}

void tilecut_graph_size(const tilecut_graph *graph, int *width, int *height, int *connectivity)
{
    if (width) *width = graph ? graph->width : 0;
    if (height) *height = graph ? graph->height : 0;
    if (connectivity) *connectivity = graph ? graph->connectivity : 0;
}

void tilecut_graph_destroy(tilecut_graph *graph)
{
    if (graph) tc_bytes_close(&graph->seeds, false), tc_bytes_close(&graph->prior, false);
    tc_graph_free(graph);
}

void tc_graph_free(tilecut_graph *graph)
{
    if (!graph) return;
    if (graph->from_image) tc_energy_free(&graph->energy);
    free(graph);
}
