/* SPDX-License-Identifier: MIT
 *
 * graph_file.c - see graph_file.h: the table of formats, and the code that all formats share.
 */
#include "graph_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>

extern const graph_format graph_format_grid, graph_format_dimacs, graph_format_bbk;

/* Graphs written to standard output have the first of these formats. */
static const graph_format *const formats[] = {&graph_format_grid, &graph_format_dimacs, &graph_format_bbk};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *graph_format_line(int index)
{
    return index >= 0 && index < FORMATS ? formats[index]->line : NULL;
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
    /* A file over the memory limit always ends with EXIT_RESOURCES, as a photo does. */
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
    free(row->source); /* all arrays lie in one block of memory, which starts here */
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

/* Counts the links in one row for the headers of files. */
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

static int encode_file(const char *path, graph_source *source, bytes *out, failure *why)
{
    const graph_format *const format = format_of(path);
    STEP(graph_can_write(path, why));
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

/* Writes the file that encode_file() has made and frees it. If `status` says that encode_file() failed,
 * only frees it. */
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
