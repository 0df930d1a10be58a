/* SPDX-License-Identifier: MIT
 *
 * network_file.c - see network_file.h.
 */
#include "network_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gzip.h"
#include "lines.h"
#include "machine.h"

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

static int full(const saved_network *out, const char *name, int64_t arcs, failure *why)
{
    if (!out->list.too_large) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its arcs", name);
    return fail(why, EXIT_RESOURCES, "%s: solving %lld arcs and more takes over %.1f MB of memory, which is what may "
                "be used", name, (long long)arcs, (double)out->list.most_bytes / 1e6);
}

const char *network_value(lines *text, const network_wish *wish, int64_t *out)
{
    if (wish->sides && !wish->costs) {
        text->at = text->eol;
        *out = 1;
        return NULL;
    }
    if (lines_whole(text, out) && (wish->costs || *out >= 0)) return NULL;
    return wish->costs ? "a cost that is not a whole number of 64 bits"
                       : "a capacity that is not a whole number from 0 to 2^63 - 1";
}

int network_put(saved_network *out, const char *name, const network_wish *wish, int64_t tail, int64_t head,
                int64_t value, failure *why)
{
    if (!arcs_put(&out->list, tail, head, value)) return full(out, name, out->list.arcs, why);
    if (wish->undirected && !arcs_put(&out->list, head, tail, value)) return full(out, name, out->list.arcs, why);
    return EXIT_DONE;
}

/* ---- what src/cli/graphs hands on ------------------------------------------------------------- */

static int begin(void *into, const char *name, int64_t nodes, int64_t arcs, failure *why)
{
    saved_network *const out = into;
    out->list.nodes = nodes;
    if (nodes > TILECUT_NETWORK_NODES)
        return fail(why, EXIT_INPUT, "%s: %lld nodes; a graph that is no grid has %d at most", name, (long long)nodes,
                    TILECUT_NETWORK_NODES);
    if (!arcs_reserve(&out->list, arcs, true)) return full(out, name, arcs, why);
    if (!arcs_put_source(&out->list, nodes - 2) || !arcs_put_sink(&out->list, nodes - 1))
        return full(out, name, arcs, why);
    return EXIT_DONE;
}

static bool put(void *into, int64_t tail, int64_t head, int64_t capacity)
{
    saved_network *const out = into;
    return arcs_put(&out->list, tail, head, capacity);
}

/* Whether the library takes the grid; what it cannot hold exactly is solved as any graph is. */
static bool grid_holds(const saved_graph *grid)
{
    const tilecut_volume_arrays volume = saved_graph_volume(grid);
    tilecut_graph *graph = NULL;
    if (grid->connectivity == 6) return tilecut_volume_check(&volume) == TILECUT_OK;
    const bool held = tilecut_graph_create(&graph, &grid->arrays) == TILECUT_OK;
    tilecut_graph_destroy(graph);
    return held;
}

static int decode_graph(const char *name, const uint8_t *data, size_t size, const network_wish *wish,
                        saved_network *out, saved_graph *grid, failure *why)
{
    saved_graph found = {0};
    graph_any any = {.always = wish->always, .begin = begin, .put = put, .into = out};
    if (wish->undirected)
        return fail(why, EXIT_USAGE, "--undirected: %s says of each arc where it leads; it is for lists of edges and "
                    "matrices", name);
    int status = graph_decode(name, data, size, wish->most_bytes, &any, &found, why);
    const bool untold = wish->flow && (found.settled || found.connectivity == 6);
    /* A grid by its looks, but not in all its arcs, or not with these capacities. */
    if (!any.taken && (status != EXIT_DONE || untold || !grid_holds(&found)) && status != EXIT_RESOURCES) {
        failure again = {0};
        saved_graph_free(&found);
        any.always = true;
        const int second = graph_decode(name, data, size, wish->most_bytes, &any, &found, &again);
        if (any.taken || status == EXIT_DONE) {
            status = second;
            *why = again;
        }
    }
    if (status == EXIT_DONE && any.taken) {
        out->format = found.format;
        out->terminals = true;
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

int network_decode(const char *name, const uint8_t *data, size_t size, const network_wish *wish, saved_network *out,
                   saved_graph *grid, failure *why)
{
    int status = EXIT_INPUT;
    *out = (saved_network){.list = {.most_bytes = wish->most_bytes, .named = wish->named,
                                    .costs = wish->sides && wish->costs}};
    for (int i = 0; i < FORMATS; i++) {
        if (!formats[i]->probe(data, size)) continue;
        status = formats[i]->decode(name, data, size, wish, out, why);
        if (status == EXIT_DONE) out->format = formats[i]->name;
        else saved_network_free(out);
        return status;
    }
    if (graph_known(data, size) && wish->sides)
        return fail(why, EXIT_INPUT, "%s: a graph of flow, not of pairs; lists of edges, Matrix Market files and "
                    "DIMACS asn and min files are read", name);
    if (graph_known(data, size)) {
        status = decode_graph(name, data, size, wish, out, grid, why);
        if (status != EXIT_DONE) saved_network_free(out);
        return status;
    }
    return fail(why, EXIT_INPUT, "%s: not a graph that tilecut reads; it reads DIMACS files, .bbk files, its own grid "
                "files, Matrix Market files and lists of edges", name);
}

int network_read(const char *path, const network_wish *wish, saved_network *out, saved_graph *grid, failure *why)
{
    const char *const name = file_input_name(path);
    network_wish bounded = *wish;
    bytes file = {0};
    if (!wish->most_bytes) bounded.most_bytes = machine_memory();
    int status = graph_load(path, bounded.most_bytes, &file, why);
    if (status == EXIT_DONE && gzip_probe(file.data, file.size))
        status = gzip_unpack(name, &file, bounded.most_bytes, why);
    if (status == EXIT_DONE) status = network_decode(name, file.data, file.size, &bounded, out, grid, why);
    bytes_free(&file);
    return status;
}
