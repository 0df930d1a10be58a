/* SPDX-License-Identifier: MIT
 *
 * graph_file.c - see graph_file.h: the table of formats, and what all formats share.
 */
#include "graph_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>

extern const graph_format graph_format_grid, graph_format_dimacs, graph_format_bbk;

/* The first row is the format for standard output. */
static const graph_format *const formats[] = {&graph_format_grid, &graph_format_dimacs, &graph_format_bbk};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *graph_format_line(int index)
{
    return index >= 0 && index < FORMATS ? formats[index]->line : NULL;
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Bytes per pixel besides the capacities: terminals while reading, then the grid and a running solver. */
enum { BESIDE_4 = 40, BESIDE_8 = 56 };

graph_step graph_step_of(int connectivity, int k)
{
    static const graph_step plane[TILECUT_LINKS] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const graph_step space[TILECUT_VOLUME_LINKS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return connectivity == 6 ? space[k] : plane[k];
}

void graph_shape_text(const graph_shape *s, char out[GRAPH_SHAPE_TEXT])
{
    const int used = snprintf(out, GRAPH_SHAPE_TEXT, "%lldx%lld", (long long)s->width, (long long)s->height);
    if (s->connectivity == 6) snprintf(out + used, GRAPH_SHAPE_TEXT - (size_t)used, "x%lld", (long long)s->depth);
}

static int check_shape(const char *name, const graph_shape *s, failure *why)
{
    const int64_t sides[3] = {s->width, s->height, s->depth};
    char size[GRAPH_SHAPE_TEXT];
    bool fits = true;
    graph_shape_text(s, size);
    for (int k = 0; k < 3; k++) fits = fits && sides[k] >= 1 && sides[k] <= TILECUT_MAX_SIDE;
    if (!fits) return fail(why, EXIT_INPUT, "%s: a grid of %s; sides must be 1 to %d", name, size, TILECUT_MAX_SIDE);
    if (s->connectivity == 6 && s->width * s->height >= (INT64_C(1) << 30) / s->depth)
        return fail(why, EXIT_INPUT, "%s: a grid of %s; in space there may be fewer than 2^30 voxels", name, size);
    return EXIT_DONE;
}

int saved_graph_init(saved_graph *graph, const char *name, const graph_shape *shape, bool symmetric, failure *why)
{
    const uint64_t most = graph->max_bytes;
    graph_any *const any = graph->any;
    char size[GRAPH_SHAPE_TEXT];
    *graph = (saved_graph){.max_bytes = most, .any = any};
    if (check_shape(name, shape, why)) return why->status;
    graph_shape_text(shape, size);
    const size_t pixels = (size_t)(shape->width * shape->height * shape->depth);
    const int links = shape->connectivity / 2;
    const size_t planes = 2 + (size_t)links * (symmetric ? 1 : 2);
    const uint64_t need = (uint64_t)pixels * (planes * sizeof(int32_t) +
                                              (shape->connectivity == 4 ? BESIDE_4 : BESIDE_8));
    if (most && need > most)
        return fail(why, EXIT_RESOURCES, "%s: cutting a graph of %s takes about %.0f MB of memory, but only %.0f MB "
                    "may be used", name, size, (double)need / 1e6, (double)most / 1e6);
    int32_t *cells = calloc(pixels * planes, sizeof *cells);
    if (!cells)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for a graph of %s (%zu MB)", name, size,
                    pixels * planes * sizeof *cells >> 20);
    *graph = (saved_graph){.width = (int)shape->width, .height = (int)shape->height, .depth = (int)shape->depth,
                           .connectivity = shape->connectivity, .quantum = 1, .cells = cells, .max_bytes = most,
                           .any = any, .arrays = {.width = (int)shape->width, .height = (int)shape->height,
                                                  .source = cells, .sink = cells + pixels}};
    for (int k = 0; k < links; k++) {
        graph->arrays.to[k] = cells + pixels * (size_t)(2 + k);
        if (!symmetric) graph->arrays.from[k] = cells + pixels * (size_t)(2 + links + k);
    }
    return EXIT_DONE;
}

void saved_graph_free(saved_graph *graph)
{
    free(graph->cells);
    *graph = (saved_graph){0};
}

tilecut_volume_arrays saved_graph_volume(const saved_graph *graph)
{
    const tilecut_arrays *const a = &graph->arrays;
    return (tilecut_volume_arrays){.width = graph->width, .height = graph->height, .depth = graph->depth,
                                   .source = a->source, .sink = a->sink, .to = {a->to[0], a->to[1], a->to[2]},
                                   .from = {a->from[0], a->from[1], a->from[2]}};
}

int32_t *saved_graph_to(const saved_graph *graph, int k, size_t p)
{
    return graph->cells + (graph->arrays.to[k] - graph->cells) + p;
}

int32_t *saved_graph_from(const saved_graph *graph, int k, size_t p)
{
    if (!graph->arrays.from[k]) return saved_graph_to(graph, k, p);
    return graph->cells + (graph->arrays.from[k] - graph->cells) + p;
}

int64_t saved_graph_node(const saved_graph *graph, size_t p)
{
    const int64_t low = graph->source_id < graph->sink_id ? graph->source_id : graph->sink_id;
    const int64_t high = graph->source_id < graph->sink_id ? graph->sink_id : graph->source_id;
    int64_t id = (int64_t)p;
    if (!low) return id;
    id += 1;
    id += id >= low;
    return id + (id >= high);
}

/* ---- reading ---------------------------------------------------------------------------------- */

bool graph_known(const uint8_t *data, size_t size)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->probe(data, size)) return true;
    return false;
}

int graph_decode(const char *name, const uint8_t *data, size_t size, uint64_t max_bytes, graph_any *any,
                 saved_graph *out, failure *why)
{
    *out = (saved_graph){.max_bytes = max_bytes, .any = any};
    for (int i = 0; i < FORMATS; i++) {
        if (!formats[i]->probe(data, size)) continue;
        const int status = formats[i]->decode(name, data, size, out, why);
        if (status != EXIT_DONE) saved_graph_free(out);
        out->format = status == EXIT_DONE ? formats[i]->name : NULL;
        return status;
    }
    return fail(why, EXIT_INPUT, "%s: not a graph that tilecut reads; it reads DIMACS max-flow files, .bbk files and "
                "its own grid files", name);
}

int graph_load(const char *path, uint64_t max_bytes, bytes *out, failure *why)
{
    struct stat about;
    /* A file over the limit ends with EXIT_RESOURCES everywhere, as a photo does. */
    if (max_bytes && strcmp(path, "-") && !stat(path, &about) && S_ISREG(about.st_mode) &&
        (uint64_t)about.st_size > max_bytes)
        return fail(why, EXIT_RESOURCES, "%s: is %lld bytes long; at most %llu are allowed", path,
                    (long long)about.st_size, (unsigned long long)max_bytes);
    return file_read(path, max_bytes, out, why);
}

/* ---- writing ---------------------------------------------------------------------------------- */

static const graph_format *format_of(const char *path)
{
    if (!strcmp(path, "-")) return formats[0];
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash)) return NULL;
    const size_t length = strlen(++dot);
    for (int i = 0; i < FORMATS; i++)
        for (const char *e = formats[i]->extensions; *e; e++)
            if (*e == ' ' && length && !strncasecmp(e + 1, dot, length) && e[1 + length] == ' ') return formats[i];
    return NULL;
}

bool graph_extension(const char *path)
{
    return strcmp(path, "-") && format_of(path);
}

uint64_t graph_file_bytes(const char *path, int connectivity)
{
    const graph_format *format = format_of(path);
    return !format ? 0 : (uint64_t)(connectivity == 8 ? format->bytes_8 : format->bytes_4);
}

int graph_can_write(const char *path, failure *why)
{
    if (format_of(path)) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: no format of graphs has this extension; there is .max (DIMACS), .bbk and .tcg "
                "(tilecut's own)", path);
}

static void free_row(tilecut_row *row)
{
    free(row->source); /* one block holds all arrays; this is its start */
}

static bool alloc_row(tilecut_row *row, int width)
{
    int32_t *cells = calloc((size_t)width * (2 + 2 * TILECUT_LINKS), sizeof *cells);
    if (!cells) return false;
    row->source = cells;
    row->sink = cells + width;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        row->to[k] = cells + (size_t)width * (size_t)(2 + k);
        row->from[k] = cells + (size_t)width * (size_t)(2 + TILECUT_LINKS + k);
    }
    return true;
}

/* Counts, in one row, what formats announce in their headers. */
static void count_row(graph_source *source)
{
    const tilecut_row *row = &source->row;
    for (int x = 0; x < source->width; x++) source->terminals += (row->source[x] > 0) + (row->sink[x] > 0);
    for (int k = 0; k < source->connectivity / 2; k++)
        for (int x = 0; x < source->width; x++) {
            source->links += (row->to[k][x] > 0) + (row->from[k][x] > 0);
            if (row->to[k][x] != row->from[k][x]) source->symmetric = false;
        }
}

bool graph_source_has(const graph_source *source, int x, int r, int k)
{
    const graph_step step = graph_step_of(source->connectivity, k);
    return x + step.x >= 0 && x + step.x < source->width && r % source->height + step.y < source->height &&
           r / source->height + step.z < source->depth;
}

static void volume_row(const graph_source *source, int r)
{
    const tilecut_volume_arrays *const v = source->volume;
    const tilecut_row *const row = &source->row;
    const size_t width = (size_t)source->width, first = (size_t)r * width;
    memcpy(row->source, v->source + first, width * sizeof *row->source);
    memcpy(row->sink, v->sink + first, width * sizeof *row->sink);
    for (int k = 0; k < TILECUT_VOLUME_LINKS; k++)
        for (size_t x = 0; x < width; x++) {
            const bool there = graph_source_has(source, (int)x, r, k);
            row->to[k][x] = there ? v->to[k][first + x] : 0;
            row->from[k][x] = there ? (v->from[k] ? v->from[k] : v->to[k])[first + x] : 0;
        }
}

void graph_source_row(const graph_source *source, int r)
{
    tilecut_row row = source->row;
    if (source->volume) volume_row(source, r);
    else tilecut_graph_row(source->graph, r, &row);
}

static int encode_file(const char *path, graph_source *source, bytes *out, failure *why)
{
    const graph_format *const format = format_of(path);
    const int status = graph_can_write(path, why);
    if (status != EXIT_DONE) return status;
    source->symmetric = true;
    const bool held = alloc_row(&source->row, source->width);
    for (int r = 0; held && r < graph_source_rows(source); r++) {
        graph_source_row(source, r);
        count_row(source);
    }
    const bool made = held && format->encode(source, out);
    free_row(&source->row);
    return made ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for writing it", path);
}

int graph_encode(const char *path, const tilecut_graph *graph, double quantum, bytes *out, failure *why)
{
    graph_source source = {.graph = graph, .depth = 1, .quantum = quantum};
    tilecut_graph_size(graph, &source.width, &source.height, &source.connectivity);
    return encode_file(path, &source, out, why);
}

int graph_encode_volume(const char *path, const tilecut_volume_arrays *volume, double quantum, bytes *out, failure *why)
{
    graph_source source = {.volume = volume, .width = volume->width, .height = volume->height,
                           .depth = volume->depth, .connectivity = 6, .quantum = quantum};
    return encode_file(path, &source, out, why);
}

/* Writes what encode_file() made, if it made it, and frees it. */
static int write_out(int status, const char *path, bytes *file, failure *why)
{
    if (status == EXIT_DONE) status = file_write(path, file->data, file->size, why);
    bytes_free(file);
    return status;
}

int graph_write_volume(const char *path, const tilecut_volume_arrays *volume, double quantum, failure *why)
{
    bytes file = {0};
    const int status = graph_encode_volume(path, volume, quantum, &file, why);
    return write_out(status, path, &file, why);
}

int graph_write(const char *path, const tilecut_graph *graph, double quantum, failure *why)
{
    bytes file = {0};
    const int status = graph_encode(path, graph, quantum, &file, why);
    return write_out(status, path, &file, why);
}
