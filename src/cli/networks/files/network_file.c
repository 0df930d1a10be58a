/* SPDX-License-Identifier: MIT */
#include "network_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gzip.h"
#include "lines.h"
#include "machine.h"
#include "table_shape.h"

static const network_format *const formats[] = {
#define NETWORK_FORMAT(name) &network_format_##name,
#include "network_formats.def"
#undef NETWORK_FORMAT
};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *network_format_line(int index)
{
    return index >= 0 && index < FORMATS ? formats[index]->line : NULL;
}

void saved_network_free(saved_network *network)
{
    arcs_clear(&network->list);
    memset(network, 0, sizeof *network);
}

void saved_network_hint(const saved_network *network, const char *name, notes *log, failure *why)
{
    const size_t used = strlen(why->text);
    if (!*network->hint) return;
    if (why->status == EXIT_DONE) note(log, "%s: %s", name, network->hint);
    else if (why->status == EXIT_INPUT) snprintf(why->text + used, sizeof why->text - used, " (%s)", network->hint);
}

int64_t saved_network_node(const saved_network *network, int64_t node)
{
    const int64_t pixels = network->list.nodes - 2;
    if (!network->numbers.format) return node + network->base;
    if (node < pixels) return saved_graph_node(&network->numbers, (size_t)node);
    return node == pixels ? network->numbers.source_id : network->numbers.sink_id;
}

void saved_network_print(const saved_network *network, int64_t node)
{
    const int64_t number = saved_network_node(network, node), source = network->list.nodes - 2;
    if (network->numbers.format && node >= source && !number) printf(" %c", node == source ? 's' : 't');
    else printf(" %" PRId64, number);
}

void saved_network_print_value(const saved_network *network, int64_t value)
{
    char text[SCALED_TEXT];
    scaled_text(text, value, network->list.decimals);
    printf(" %s", text);
}

/* ---- what src/cli/graphs hands on ------------------------------------------------------------- */

static int begin_graph(void *into, const char *name, int64_t nodes, int64_t arcs, failure *why)
{
    saved_network *const out = into;
    out->list.nodes = nodes;
    if (nodes > TILECUT_NETWORK_NODES)
        return fail(why, EXIT_INPUT, "%s: %lld nodes; a graph that is no grid has %d at most", name, (long long)nodes,
                    TILECUT_NETWORK_NODES);
    if (!arcs_reserve(&out->list, arcs, true)) return network_full(out, name, arcs, why);
    if (!arcs_put_source(&out->list, nodes - 2) || !arcs_put_sink(&out->list, nodes - 1))
        return network_full(out, name, arcs, why);
    return EXIT_DONE;
}

static bool put_arc(void *into, int64_t tail, int64_t head, int64_t capacity)
{
    saved_network *const out = into;
    return arcs_put(&out->list, tail, head, capacity);
}

/* True if the library takes the grid. A grid that the library cannot hold exactly is solved as a graph of any shape. */
static bool grid_holds(const saved_graph *grid)
{
    const tilecut_volume_arrays volume = saved_graph_volume(grid);
    tilecut_graph *graph = NULL;
    if (grid->connectivity == 6) return tilecut_volume_check(&volume) == TILECUT_OK;
    const bool held = tilecut_graph_create(&graph, &grid->arrays) == TILECUT_OK;
    tilecut_graph_destroy(graph);
    return held;
}

static int decode_graph(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                        saved_network *out, saved_graph *grid, failure *why)
{
    saved_graph found = {0};
    graph_any any = {.always = options->always || options->halves, .halves = options->halves,
                     .begin = begin_graph, .put = put_arc, .into = out};
    if (options->undirected)
        return fail(why, EXIT_USAGE, "--undirected: %s says of each arc where it leads; it is for lists of edges and "
                    "matrices", name);
    if (options->matrix || options->edges)
        return fail(why, EXIT_USAGE, "--%s: %s is no table of numbers; it says itself what it holds",
                    options->matrix ? "matrix" : "edges", name);
    int status = graph_decode(name, data, size, options->most_bytes, &any, &found, why);
    const bool untold = options->flow && (found.settled || found.connectivity == 6);
    /* The graph looks like a grid, but some arcs or capacities do not fit one, so read it as a graph of any shape. */
    if (!any.taken && (status != EXIT_DONE || untold || !grid_holds(&found)) && status != EXIT_RESOURCES) {
        failure again = {0};
        saved_graph_free(&found);
        any.always = true;
        const int second = graph_decode(name, data, size, options->most_bytes, &any, &found, &again);
        if (any.taken || status == EXIT_DONE) {
            status = second;
            *why = again;
        }
    }
    if (status == EXIT_DONE && any.taken) {
        out->format = found.format;
        out->terminals = true;
        out->list.decimals = any.decimals;
        out->numbers = found;
        return EXIT_DONE;
    }
    if (status == EXIT_DONE && grid) {
        *grid = found;
        return EXIT_DONE;
    }
    saved_graph_free(&found);
    if (status != EXIT_DONE) return status;
    return fail(why, EXIT_INPUT, "%s: a grid file of tilecut, which lists no arcs; save it as .max", name);
}

int network_reading_check(bool matrix, bool edges, failure *why)
{
    if (!matrix || !edges) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--matrix: and --edges; a table of numbers is one of them");
}

int network_decode(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                   saved_network *out, saved_graph *grid, failure *why)
{
    int status = EXIT_INPUT;
    *out = (saved_network){.list = {.most_bytes = options->most_bytes, .named = options->named,
                                    .costs = options->sides && options->costs}};
    for (int i = 0; i < FORMATS; i++) {
        if (!formats[i]->probe(data, size, options)) continue;
        status = formats[i]->decode(name, data, size, options, out, why);
        if (status == EXIT_DONE) out->format = formats[i]->name;
        else saved_network_free(out);
        return status;
    }
    if (graph_known(data, size) && options->sides)
        return fail(why, EXIT_INPUT, "%s: a graph of flow or another DIMACS problem, not of pairs; lists of edges, "
                    "tables of numbers, Matrix Market files and DIMACS asn and min files are read", name);
    if (graph_known(data, size)) {
        status = decode_graph(name, data, size, options, out, grid, why);
        if (status != EXIT_DONE) saved_network_free(out);
        return status;
    }
    lines word;
    if (table_headed(name, data, size, &word, why))
        return lines_refuse_word(&word, "a table or a list of edges holds numbers alone, without names of its columns");
    return fail(why, EXIT_INPUT, "%s: not a graph that tilecut reads; it reads DIMACS files, .bbk files, its own grid "
                "files, Matrix Market files, lists of edges and tables of numbers", name);
}

/* True if the library takes values of this size. */
static bool in_range(const saved_network *network, const network_reading *options)
{
    const arc_list *const list = &network->list;
    const int64_t most = (INT64_C(1) << 58) / (list->nodes > 0 ? list->nodes : 1);
    int64_t sum = 0;
    for (int64_t a = 0; list->value && a < list->arcs; a++) {
        const int64_t value = list->value[a];
        if (options->costs && (value > most || value < -most)) return false;
        if (!options->costs && value != TILECUT_INFINITE && __builtin_add_overflow(sum, value, &sum)) return false;
    }
    return true;
}

/* Reads a file with fractions once more, as doubles, all multiplied by the same power of two. */
static int decode_halves(const char *name, const bytes *file, const network_reading *options, saved_network *out)
{
    file_halves halves = {.measuring = true};
    network_reading doubles = *options;
    failure ignored = {0};
    doubles.halves = &halves;
    int status = network_decode(name, file->data, file->size, &doubles, out, NULL, &ignored);
    saved_network_free(out);
    if (status != EXIT_DONE || !halves.bits) return EXIT_INPUT;
    halves.measuring = false;
    status = network_decode(name, file->data, file->size, &doubles, out, NULL, &ignored);
    if (status == EXIT_DONE && !in_range(out, options)) status = EXIT_INPUT;
    if (status != EXIT_DONE) return saved_network_free(out), status;
    const size_t used = strlen(out->hint);
    out->list.decimals = -halves.bits;
    snprintf(out->hint + used, sizeof out->hint - used, "%sno power of ten makes all its values whole, so they are "
             "read as doubles, of which 2^%d does", used ? "; " : "", halves.bits);
    return EXIT_DONE;
}

int network_read(const char *path, const network_reading *options, saved_network *out, saved_graph *grid, failure *why)
{
    const char *const name = file_input_name(path);
    network_reading bounded = *options;
    bytes file = {0};
    if (!options->most_bytes) bounded.most_bytes = machine_memory();
    int status = graph_load(path, bounded.most_bytes, &file, why);
    if (status == EXIT_DONE && gzip_probe(file.data, file.size))
        status = gzip_unpack(name, &file, bounded.most_bytes, why);
    const bool loaded = status == EXIT_DONE;
    if (loaded) status = network_decode(name, file.data, file.size, &bounded, out, grid, why);
    const bool fine = status == EXIT_DONE && (out->list.decimals <= 0 || in_range(out, options));
    saved_network again = {.format = NULL};
    if (loaded && !fine && status != EXIT_RESOURCES && decode_halves(name, &file, &bounded, &again) == EXIT_DONE) {
        if (status == EXIT_DONE) saved_network_free(out);
        *out = again;
        *why = (failure){0};
        status = EXIT_DONE;
    }
    bytes_free(&file);
    return status;
}
