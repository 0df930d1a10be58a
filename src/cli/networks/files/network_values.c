/* SPDX-License-Identifier: MIT
 *
 * network_values.c - how all readers of graphs treat the values of a file; see network_file.h.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lines.h"
#include "network_file.h"
#include "table_shape.h"

int network_full(const saved_network *out, const char *name, int64_t arcs, failure *why)
{
    if (!out->list.too_large) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its arcs", name);
    return fail(why, EXIT_RESOURCES, "%s: solving %lld arcs and more takes over %.1f MB of memory, which is what may "
                "be used", name, (long long)arcs, (double)out->list.most_bytes / 1e6);
}

int network_value(lines *text, const network_reading *options, file_number *out)
{
    *out = (file_number){.digits = 1};
    const lines word = *text;
    const bool any = options->steps || (options->sides && !options->costs); /* any number is accepted, except inf */
    const char *const wrong = any ? file_number_sign(text, out) : file_number_read(text, out);
    const char *const what = options->costs ? "cost" : any ? "value" : "capacity";
    const bool counts = options->costs || !options->sides;
    if (wrong && !counts && !table_lacks(word)) { /* an edge without a value may have any word here */
        const char *end;
        *text = word;
        (void)lines_take(text, &end);
        *out = (file_number){.digits = 1};
    } else if (wrong) {
        char phrase[160];
        snprintf(phrase, sizeof phrase, "a %s that %s", what, wrong);
        return lines_refuse_word(&word, phrase);
    }
    if (options->costs && out->infinite && out->digits < 0)
        return lines_refuse(text, "a cost of -inf; inf forbids a pair, and no other cost is without limit");
    if (any && out->infinite && out->digits < 0)
        return lines_refuse(text, "a value of -inf; inf says that two nodes are not joined, and -inf says nothing");
    if (!options->costs && !any && out->digits < 0)
        return lines_refuse(text, "a capacity below 0; capacities go from 0 to 2^63 - 2, and inf has no limit");
    return EXIT_DONE;
}

int network_cell(lines *text, const network_reading *options, file_number *out, bool *none)
{
    const int status = network_value(text, options, out);
    *none = !options->costs && !out->digits;
    return status;
}

int network_put(lines *text, saved_network *out, const network_reading *options, int64_t tail, int64_t head,
                file_number value)
{
    int64_t number = TILECUT_INFINITE;
    const bool limitless = value.infinite || (!options->costs && value.digits == INT64_MAX && !value.decimals);
    if ((options->costs || options->sides || options->steps) && value.infinite) return EXIT_DONE;
    if (options->steps || (options->sides && !options->costs)) value = (file_number){.digits = 1};
    if (!limitless && !arcs_scale(&out->list, &value, &number))
        return fail(text->failure, EXIT_INPUT, "%s: line %" PRId64 ": with %d digits after the point, which a value "
                    "has, %s is larger than 64 bits hold; round the values to fewer digits", text->name, text->line,
                    value.decimals > out->list.decimals ? value.decimals : out->list.decimals,
                    value.decimals > out->list.decimals ? "another" : "this one");
    if (!arcs_put(&out->list, tail, head, number) ||
        (options->undirected && !arcs_put(&out->list, head, tail, number)))
        return network_full(out, text->name, out->list.arcs, text->failure);
    return EXIT_DONE;
}
