/* SPDX-License-Identifier: MIT
 *
 * graph.c - graphs as streams of rows. A graph from arrays is checked here once, so that everything after
 * may rely on exact float32 arithmetic.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "parallel.h"
#include "params.h"
#include "status.h"

/* Steps to the neighbour at the far end of each forward link. */
static const int step_x[TILECUT_LINKS] = {1, 0, 1, -1};
static const int step_y[TILECUT_LINKS] = {0, 1, 1, 1};

/* Memory for a row that has to be computed. */
typedef struct row_buffer {
    int32_t *memory;
    tilecut_row row;
} row_buffer;

static tilecut_status row_buffer_init(row_buffer *buffer, const tilecut_graph *graph)
{
    /* Widened to whole vectors so that loops over a row need no careful tail. */
    const size_t width = ((size_t)graph->width + 31) & ~(size_t)31;
    memset(buffer, 0, sizeof *buffer);
    if (!graph->from_image) return TILECUT_OK;
    buffer->memory = calloc(width * (2 + TILECUT_LINKS), sizeof *buffer->memory);
    if (!buffer->memory) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", graph->width);
    buffer->row.source = buffer->memory;
    buffer->row.sink = buffer->memory + width;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        buffer->row.to[k] = buffer->memory + width * (size_t)(2 + k);
        buffer->row.from[k] = buffer->row.to[k]; /* an energy is symmetric */
    }
    return TILECUT_OK;
}

static void row_buffer_free(row_buffer *buffer)
{
    free(buffer->memory);
    memset(buffer, 0, sizeof *buffer);
}

/* Row `y`; valid until the buffer's next use. */
static tc_row_view view_row(const tilecut_graph *graph, int y, row_buffer *buffer)
{
    tc_row_view view = {0};
    if (graph->from_image) {
        tc_energy_row(&graph->energy, y, &buffer->row);
        view.source = buffer->row.source;
        view.sink = buffer->row.sink;
        for (int k = 0; k < graph->connectivity / 2; k++) view.to[k] = view.from[k] = buffer->row.to[k];
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
    row_buffer (*buffer)[2]; /* [threads]: a row and the one above it take turns */
} stream;

static void stream_tile_row(void *context, int tile_row, int worker)
{
    const stream *s = context;
    const int height = s->graph->height, from = tile_row * TC_TILE;
    const int to = height - from < TC_TILE ? height : from + TC_TILE;
    tc_two_rows rows = {0};

    if (from > 0) rows.here = view_row(s->graph, from - 1, &s->buffer[worker][(from - 1) & 1]);
    for (rows.y = from; rows.y < to; rows.y++) {
        rows.above = rows.here;
        rows.here = view_row(s->graph, rows.y, &s->buffer[worker][rows.y & 1]);
        s->visit(s->context, &rows, tile_row);
    }
}

tilecut_status tc_graph_stream(const tilecut_graph *graph, int threads,
                               void (*visit)(void *context, const tc_two_rows *rows, int tile_row), void *context)
{
    const int tile_rows = (graph->height + TC_TILE - 1) / TC_TILE;
    tilecut_status status = TILECUT_OK;
    stream s = {graph, visit, context, NULL};

    if (threads > tile_rows) threads = tile_rows;
    s.buffer = calloc((size_t)threads, sizeof *s.buffer);
    if (!s.buffer) return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d pixels", graph->width);
    for (int i = 0; i < threads; i++)
        for (int k = 0; k < 2; k++) TRY(row_buffer_init(&s.buffer[i][k], graph));
    tc_parallel(threads, tile_rows, stream_tile_row, &s);
done:
    for (int i = 0; i < threads; i++)
        for (int k = 0; k < 2; k++) row_buffer_free(&s.buffer[i][k]);
    free(s.buffer);
    return status;
}

tilecut_status tc_row_init(tilecut_row *row, int width)
{
    int32_t *const memory = malloc((2 + 2 * TILECUT_LINKS) * (size_t)width * sizeof *memory);
    *row = (tilecut_row){.source = memory};
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", width);
    row->sink = memory + width;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        row->to[k] = memory + (size_t)(2 + k) * (size_t)width;
        row->from[k] = memory + (size_t)(2 + TILECUT_LINKS + k) * (size_t)width;
    }
    return TILECUT_OK;
}

void tc_row_free(tilecut_row *row)
{
    free(row->source);
    *row = (tilecut_row){0};
}

void tilecut_graph_row(const tilecut_graph *graph, int y, tilecut_row *row)
{
    tc_graph_row(graph, y, row);
}

void tc_graph_row(const tilecut_graph *graph, int y, tilecut_row *row)
{
    const size_t size = (size_t)graph->width * sizeof(int32_t);
    tc_row_view view;
    row_buffer buffer = {.row = *row};

    if (graph->from_image) { /* straight into the caller's arrays */
        tc_energy_row(&graph->energy, y, row);
        for (int k = 0; k < graph->connectivity / 2; k++) memcpy(row->from[k], row->to[k], size);
    } else {
        view = view_row(graph, y, &buffer);
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
    tc_graph_free(graph);
}

void tc_graph_free(tilecut_graph *graph)
{
    if (!graph) return;
    if (graph->from_image) tc_energy_free(&graph->energy);
    free(graph);
}

/* ---- From arrays ------------------------------------------------------------------------------ */

static tilecut_status check_size(int width, int height)
{
    if (width < 1 || height < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE)
        return tc_fail(TILECUT_EINVAL, "a grid of %dx%d; each side must be 1 to %d", width, height,
                       TILECUT_MAX_SIDE);
    if ((int64_t)width * height > TILECUT_MAX_PIXELS)
        return tc_fail(TILECUT_EINVAL, "a grid of %dx%d; at most %d pixels", width, height,
                       TILECUT_MAX_PIXELS);
    return TILECUT_OK;
}

static inline int32_t link(const int32_t *array, size_t p)
{
    return array ? array[p] : 0;
}

/* The sum of magnitudes at pixel (x, y) that bounds every value arising there, or -1 if one is negative. */
static int64_t pixel_load(const tilecut_arrays *a, int links, int x, int y)
{
    const size_t p = (size_t)y * (size_t)a->width + (size_t)x;
    int64_t load = llabs((int64_t)a->source[p] - a->sink[p]);
    if (a->source[p] < 0 || a->sink[p] < 0) return -1;
    for (int k = 0; k < links; k++) {
        const int32_t *back = a->from[k] ? a->from[k] : a->to[k];
        const int ahead_x = x + step_x[k], ahead_y = y + step_y[k];
        const int behind_x = x - step_x[k], behind_y = y - step_y[k];
        if (ahead_x >= 0 && ahead_x < a->width && ahead_y < a->height) {
            const int32_t to = link(a->to[k], p), from = link(back, p);
            if (to < 0 || from < 0) return -1;
            load += (int64_t)to + from;
        }
        if (behind_x >= 0 && behind_x < a->width && behind_y >= 0) {
            const size_t q = (size_t)behind_y * (size_t)a->width + (size_t)behind_x;
            load += (int64_t)link(a->to[k], q) + link(back, q);
        }
    }
    return load;
}

static tilecut_status check_capacities(const tilecut_arrays *a, int links)
{
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            const size_t p = (size_t)y * (size_t)a->width + (size_t)x;
            const int64_t load = pixel_load(a, links, x, y);
            if (load < 0)
                return tc_fail(TILECUT_ERANGE, "a capacity at pixel %d,%d is negative", x, y);
            if (load >= TC_EXACT_LIMIT || a->source[p] >= TC_EXACT_LIMIT || a->sink[p] >= TC_EXACT_LIMIT)
                return tc_fail(TILECUT_ERANGE,
                               "capacities at pixel %d,%d add up to %lld; below %d they are exact", x, y,
                               (long long)load, TC_EXACT_LIMIT);
        }
    }
    return TILECUT_OK;
}

tilecut_status tilecut_graph_create(tilecut_graph **out, const tilecut_arrays *arrays)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    int links = 2;

    if (!out) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    *out = NULL;
    if (!arrays || !arrays->source || !arrays->sink || !arrays->to[0] || !arrays->to[1])
        return tc_fail(TILECUT_EINVAL, "source, sink, to[0] and to[1] must be given");
    if (!arrays->to[2] != !arrays->to[3])
        return tc_fail(TILECUT_EINVAL, "to[2] and to[3] go together: 4 or 8 neighbours");
    TRY(check_size(arrays->width, arrays->height));
    if (arrays->to[2]) links = 4;
    TRY(check_capacities(arrays, links));
    graph = calloc(1, sizeof *graph);
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph");
    graph->width = arrays->width;
    graph->height = arrays->height;
    graph->connectivity = 2 * links;
    graph->arrays = *arrays;
    *out = graph;
done:
    return status;
}

/* ---- From an image ---------------------------------------------------------------------------- */

tilecut_status tc_image_check(const tilecut_image *image)
{
    if (!image || !image->pixels) return tc_fail(TILECUT_EINVAL, "the image has no pixels");
    if (image->channels != 1 && image->channels != 3)
        return tc_fail(TILECUT_EINVAL, "an image of %d channels; 1 or 3 are understood", image->channels);
    if (image->depth != 8 && image->depth != 16)
        return tc_fail(TILECUT_EINVAL, "an image of %d bits a sample; 8 or 16 are understood", image->depth);
    if (tc_image_stride(image) < tc_image_row_bytes(image))
        return tc_fail(TILECUT_EINVAL, "a stride of %zu bytes is shorter than a row", image->stride);
    return check_size(image->width, image->height);
}

tilecut_status tc_graph_from_image(tilecut_graph **out, const tilecut_image *image, const uint8_t *seeds,
                                   const tilecut_params *params)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = calloc(1, sizeof *graph);

    *out = NULL;
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph");
    graph->from_image = true;
    TRY(tc_energy_init(&graph->energy, image, seeds, params));
    graph->width = image->width;
    graph->height = image->height;
    graph->connectivity = graph->energy.connectivity;
    *out = graph;
    graph = NULL;
done:
    tc_graph_free(graph);
    return status;
}

tilecut_status tilecut_graph_from_image(tilecut_graph **out, const tilecut_image *image,
                                        const uint8_t *seeds, const tilecut_params *params)
{
    const tilecut_params defaults = tc_params_default();
    tilecut_status status = TILECUT_OK;

    if (!out) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    *out = NULL;
    if (!seeds) return tc_fail(TILECUT_EINVAL, "seeds is NULL");
    TRY(tc_image_check(image));
    TRY(tc_graph_from_image(out, image, seeds, params ? params : &defaults));
done:
    return status;
}
