/* SPDX-License-Identifier: MIT
 *
 * graph_file.c - see graph_file.h: the table of formats, and what all formats share.
 */
#include "graph_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>

extern const graph_format graph_format_grid, graph_format_dimacs, graph_format_bbk;

/* The first row is the format for standard output. */
static const graph_format *const formats[] = {&graph_format_grid, &graph_format_dimacs,
                                              &graph_format_bbk};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *graph_format_line(int index)
{
    return index >= 0 && index < FORMATS ? formats[index]->line : NULL;
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Bytes per pixel besides the capacities: terminals while reading, then the grid and a running solver. */
enum { BESIDE_4 = 40, BESIDE_8 = 56 };

int saved_graph_init(saved_graph *graph, const char *name, int64_t width, int64_t height,
                     int connectivity, bool symmetric, failure *why)
{
    const uint64_t most = graph->max_bytes;
    graph_any *const any = graph->any;
    *graph = (saved_graph){.max_bytes = most, .any = any};
    if (width < 1 || height < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE)
        return fail(why, EXIT_INPUT,
                    "%s: a grid of %lldx%lld; sides must be 1 to %d", name, (long long)width, (long long)height,
                    TILECUT_MAX_SIDE);
    const size_t pixels = (size_t)(width * height);
    const int links = connectivity / 2;
    const size_t planes = 2 + (size_t)links * (symmetric ? 1 : 2);
    const uint64_t need = (uint64_t)pixels * (planes * sizeof(int32_t) + (connectivity == 8 ? BESIDE_8 : BESIDE_4));
    if (most && need > most)
        return fail(why, EXIT_RESOURCES,
                    "%s: cutting a graph of %lldx%lld takes about %.0f MB of memory, but only %.0f MB may be used",
                    name, (long long)width, (long long)height, (double)need / 1e6, (double)most / 1e6);
    int32_t *cells = calloc(pixels * planes, sizeof *cells);
    if (!cells)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for a graph of %lldx%lld (%zu MB)", name,
                    (long long)width, (long long)height, pixels * planes * sizeof *cells >> 20);
    *graph = (saved_graph){.width = (int)width, .height = (int)height, .connectivity = connectivity,
                           .quantum = 1, .cells = cells, .max_bytes = most, .any = any,
                           .arrays = {.width = (int)width, .height = (int)height,
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

int graph_decode(const char *name, const uint8_t *data, size_t size, uint64_t max_bytes, saved_graph *out,
                 failure *why)
{
    return graph_decode_any(name, data, size, max_bytes, NULL, out, why);
}

int graph_decode_any(const char *name, const uint8_t *data, size_t size, uint64_t max_bytes, graph_any *any,
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
    return fail(why, EXIT_INPUT,
                "%s: not a graph that tilecut reads; it reads DIMACS max-flow files, .bbk files and "
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

int graph_read(const char *path, uint64_t max_bytes, saved_graph *out, failure *why)
{
    bytes file = {0};
    *out = (saved_graph){0};
    int status = graph_load(path, max_bytes, &file, why);
    if (status == EXIT_DONE)
        status = graph_decode(file_input_name(path), file.data, file.size, max_bytes, out, why);
    bytes_free(&file);
    return status;
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
            if (*e == ' ' && length && !strncasecmp(e + 1, dot, length) && e[1 + length] == ' ')
                return formats[i];
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
    return fail(why, EXIT_USAGE,
                "%s: no format of graphs has this extension; there is .max (DIMACS), .bbk and .tcg "
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
static void survey_row(graph_source *source)
{
    const tilecut_row *row = &source->row;
    for (int x = 0; x < source->width; x++)
        source->terminals += (row->source[x] > 0) + (row->sink[x] > 0);
    for (int k = 0; k < source->connectivity / 2; k++)
        for (int x = 0; x < source->width; x++) {
            source->links += (row->to[k][x] > 0) + (row->from[k][x] > 0);
            if (row->to[k][x] != row->from[k][x]) source->symmetric = false;
        }
}

int graph_encode(const char *path, const tilecut_graph *graph, double quantum, bytes *out, failure *why)
{
    const graph_format *format = format_of(path);
    graph_source source = {.graph = graph, .quantum = quantum, .symmetric = true};
    const int status = graph_can_write(path, why);
    if (status != EXIT_DONE) return status;
    tilecut_graph_size(graph, &source.width, &source.height, &source.connectivity);
    const bool held = alloc_row(&source.row, source.width);
    for (int y = 0; held && y < source.height; y++) {
        tilecut_graph_row(graph, y, &source.row);
        survey_row(&source);
    }
    const bool made = held && format->encode(&source, out);
    free_row(&source.row);
    return made ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for writing it", path);
}

int graph_write(const char *path, const tilecut_graph *graph, double quantum, failure *why)
{
    bytes file = {0};
    int status = graph_encode(path, graph, quantum, &file, why);
    if (status == EXIT_DONE) status = file_write(path, file.data, file.size, why);
    bytes_free(&file);
    return status;
}
