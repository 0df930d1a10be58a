/* SPDX-License-Identifier: MIT
 *
 * match.c - the verb `match`: finds a maximum matching in a bipartite graph.
 */
#include <stddef.h>

#include "options.h"
#include "pairs_run.h"
#include "verbs.h"

static const option match_options[] = {
    OPTION_HEADING("Output"),
    {.name = "pairs", .help = "also print 'm ROW COLUMN' for each pair", .at = offsetof(pairs_options, pairs)},
    {.name = "cover", .help = "also print the cover that proves it: 'r ROW' or 'c COLUMN' for each of its nodes",
     .at = offsetof(pairs_options, proof)},
    OPTION_HEADING("Method"),
    {.name = "matcher", .argument = "NAME", .help = "how; every one finds as many pairs, and the same cover\n"
     "(default auto: pothen-fan, or graft in large\ngraphs without hubs)",
     .kind = OPTION_NAME_OR_AUTO, .wanted = "a way to match ('tilecut help match' lists them) or auto",
     .at = offsetof(pairs_options, solver), .choice = tilecut_network_matcher_name,
     .choice_summary = tilecut_network_matcher_summary},
    OPTION_HEADING("Reading"),
    OPTIONS_TABLE(pairs_options),
    OPTION_MAX_MEMORY(pairs_options),
    OPTIONS_END
};

int verb_match(int argc, char **argv, failure *why)
{
    pairs_options my = {.costs = false};
    int status;
    const syntax usage = {
        .verb = "match", .synopsis = "GRAPH [options]",
        .about = "Finds the largest matching of a bipartite graph, which pairs as many rows with columns as possible,\n"
                 "and prints 's PAIRS'. GRAPH is a list of edges ROW COLUMN (KONECT), a table of numbers, where 0\n"
                 "is no edge, a Matrix Market file or a DIMACS assignment problem (p asn, or a p min that is one),\n"
                 "packed by gzip or not, or - for standard input. A cover of as many nodes proves the answer.",
        .operands_min = 1, .operands_max = 1, .operands = "one GRAPH",
        .sets = {{match_options, &my}, {threads_options, &my.common}, {common_options, &my.common}}};
    return options_parse(&usage, &argc, argv, &status, why) ? pairs_run(&my, argv[0], why) : status;
}
