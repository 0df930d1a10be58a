/* SPDX-License-Identifier: MIT
 *
 * bfs.c - the verb `bfs`: counts the arcs from a node of a graph to all others.
 */
#include <stddef.h>

#include "levels_run.h"
#include "options.h"
#include "verbs.h"

static const option bfs_options[] = {
    OPTION_HEADING("Output"),
    {.name = "levels", .help = "also print 'l NODE LEVEL' for each node that is reached",
     .at = offsetof(levels_options, levels)},
    OPTION_HEADING("Method"),
    {.name = "source", .argument = "NODE", .help = "where to begin (default the file's source, or the tail of\nits "
     "first arc)", .kind = OPTION_INT64, .most = INT32_MAX, .wanted = "the number of a node",
     .at = offsetof(levels_options, source)},
    {.name = "way", .argument = "NAME", .help = "method; all find the same levels (default both)",
     .kind = OPTION_NAME, .wanted = "a way to search ('tilecut help bfs' lists them)",
     .at = offsetof(levels_options, way), .choice = tilecut_network_levels_way,
     .choice_summary = tilecut_network_levels_summary},
    OPTION_HEADING("Reading"),
    OPTIONS_TABLE(levels_options),
    {.name = "undirected", .help = "treat edges of a list or a matrix as undirected",
     .at = offsetof(levels_options, undirected)},
    OPTION_MAX_MEMORY(levels_options),
    OPTIONS_END
};

int verb_bfs(int argc, char **argv, failure *why)
{
    levels_options my = {.source = -1};
    int status;
    const syntax usage = {
        .verb = "bfs", .synopsis = "GRAPH [options]",
        .about = "Searches a graph breadth first and prints 's REACHED DEEPEST': how many nodes can be reached, and\n"
                 "how many arcs away the farthest is. GRAPH is any file that maxflow reads but .tcg, or - for\n"
                 "standard input; arcs without capacity, into a source and out of a sink that the file names do\n"
                 "not count. The levels are checked against every arc.",
        .operands_min = 1, .operands_max = 1, .operands = "one GRAPH",
        .sets = {{bfs_options, &my}, {threads_options, &my.common}, {common_options, &my.common}}};
    return options_parse(&usage, &argc, argv, &status, why) ? levels_run(&my, argv[0], why) : status;
}
