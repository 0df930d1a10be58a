/* SPDX-License-Identifier: MIT
 *
 * assign.c - the verb `assign`: finds the cheapest assignment of columns to rows, one column for each row.
 */
#include <stddef.h>

#include "options.h"
#include "pairs_run.h"
#include "verbs.h"

static const option assign_options[] = {
    OPTION_HEADING("Output"),
    {.name = "pairs", .help = "also print 'm ROW COLUMN' for each pair", .at = offsetof(pairs_options, pairs)},
    {.name = "prices", .help = "also print the prices that prove it: 'u ROW PRICE' and 'v COLUMN PRICE'",
     .at = offsetof(pairs_options, proof)},
    OPTION_HEADING("Method"),
    {.name = "assigner", .argument = "NAME", .help = "how; every one finds the same cost; where one does not\n"
     "apply, the first does it (default auto: shortest-paths)", .kind = OPTION_NAME_OR_AUTO,
     .wanted = "a way to assign ('tilecut help assign' lists them) or auto", .at = offsetof(pairs_options, solver),
     .choice = tilecut_network_assigner_name, .choice_summary = tilecut_network_assigner_summary},
    OPTION_HEADING("Reading"),
    OPTIONS_TABLE(pairs_options),
    OPTION_MAX_MEMORY(pairs_options),
    OPTIONS_END
};

int verb_assign(int argc, char **argv, failure *why)
{
    pairs_options my = {.costs = true};
    int status;
    const syntax usage = {
        .verb = "assign", .synopsis = "GRAPH [options]",
        .about = "Gives every row a column of its own so that the sum of the costs is lowest, and prints 's COST'.\n"
                 "If there are more rows than columns, every column gets a row. GRAPH is a DIMACS assignment problem\n"
                 "(p asn, or a p min that is one), a Matrix Market file (coordinate or array), a table of costs or\n"
                 "a list of edges ROW COLUMN COST, packed by gzip or not, or - for standard input. Costs may be\n"
                 "fractions; inf forbids a pair. Prices prove the answer.",
        .operands_min = 1, .operands_max = 1, .operands = "one GRAPH",
        .sets = {{assign_options, &my}, {threads_options, &my.common}, {common_options, &my.common}}};
    return options_parse(&usage, &argc, argv, &status, why) ? pairs_run(&my, argv[0], why) : status;
}
