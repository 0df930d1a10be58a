/* SPDX-License-Identifier: MIT
 *
 * edit_options.c - reads the options that the page sends, and describes answers for the page.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "edit.h"
#include "options.h"

static const option more_options[] = {
    {.name = "previous", .help = "strokes correct the mask", .at = offsetof(edit_options, corrects)},
    {.name = "learn", .help = "and learn from all of them", .at = offsetof(edit_options, learns)},
    {.name = "edge", .argument = "KIND", .help = "hard, soft or matte edge of the cutout", .parse = edge_parse,
     .at = offsetof(edit_options, edge)},
    {.name = "feather", .argument = "R", .help = "soft edge of the cutout", .parse = edge_parse_feather,
     .at = offsetof(edit_options, edge)},
    {.name = "matte", .argument = "BAND", .help = "soft edge by matting", .parse = edge_parse_matte,
     .at = offsetof(edit_options, edge)},
    {.name = "keep-colors", .help = "do not remove the background's colour from it",
     .at = offsetof(edit_options, keep_colors)},
    {.name = "snap", .help = "move the outline of what is saved", .at = offsetof(edit_options, snap)},
    OPTIONS_END
};

enum { WORDS = 64 };

int edit_read_options(const char *text, size_t size, edit_options *out, failure *why)
{
    char copy[EDIT_OPTION_BYTES + 1], *words[WORDS];
    int count = 0, status = EXIT_DONE;
    *out = (edit_options){0};
    model_init(&out->model);
    if (size > EDIT_OPTION_BYTES) return fail(why, EXIT_USAGE, "options: are more than %d bytes", EDIT_OPTION_BYTES);
    if (memchr(text, 0, size)) return fail(why, EXIT_USAGE, "options: hold a byte that is zero");
    memcpy(copy, text, size);
    copy[size] = 0;
    for (char *at = copy; *at;) {
        const size_t length = strcspn(at, " \n");
        char *const next = at[length] ? at + length + 1 : at + length;
        at[length] = 0;
        if (length && count == WORDS) return fail(why, EXIT_USAGE, "options: are more than %d words", WORDS);
        if (length) words[count++] = at;
        at = next;
    }
    const syntax usage = {
        .verb = "edit", .synopsis = "IMAGE", .about = "", .operands = "no further word",
        .sets = {{model_options, &out->model}, {cleanup_options, &out->cleanup}, {more_options, out}}};
    const bool read = options_parse(&usage, &count, words, &status, why);
    if (!read && !status) return fail(why, EXIT_USAGE, "options: the page does not ask for help");
    return status ? status : edge_check(&out->edge, why);
}

void edit_describe(const edit_answer *answer, char text[EDIT_ANSWER_BYTES])
{
    const tilecut_report *const r = &answer->report;
    const tilecut_cleaned *const c = &answer->cleaned;
    snprintf(text, EDIT_ANSWER_BYTES,
             "flow\t%" PRId64 "\ncut\t%" PRId64 "\ncertified\t%d\nenergy\t%.17g\nquantum\t%.17g\nforeground\t%" PRId64
             "\nsolver\t%s\ndevice\t%s\ncolors\t%s\nthreads\t%d\niterations\t%d\ndropped\t%" PRId64 "\nfilled\t%" PRId64
             "\nms\t%.1f\n",
             r->flow, r->cut, r->certified, r->energy, r->quantum, r->foreground, r->solver ? r->solver : "",
             r->device ? r->device : "", r->colors ? r->colors : "", r->threads, r->iterations, c->pixels_dropped,
             c->pixels_filled,
             r->model_ms + r->graph_ms + r->copy_ms + r->solve_ms + r->certify_ms);
}
