/* SPDX-License-Identifier: MIT
 *
 * bench_options.c - the options of `bench`, and the defaults that depend on several of them.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench_work.h"

static const char *parse_words(const char *text, void *field)
{
    bench_words *list = field;
    list->text = strdup(text);
    if (!list->text) return option_no_memory;
    for (char *rest = list->text, *word; (word = strsep(&rest, ","));) {
        if (!*word || list->count == BENCH_LIST_MOST) return "a list of at most 32 names, separated by commas";
        list->item[list->count++] = word;
    }
    return NULL;
}

static bool parse_numbers(const char *text, bench_numbers *list, double least, double most, bool whole)
{
    char word[40];
    for (;;) {
        const size_t length = strcspn(text, ",");
        double value;
        if (!length || length >= sizeof word || list->count == BENCH_LIST_MOST) return false;
        memcpy(word, text, length);
        word[length] = 0;
        if (!parse_real(word, &value) || value < least || value > most) return false;
        if (whole && value != (double)(int)value) return false;
        list->item[list->count++] = value;
        if (!text[length]) return true;
        text += length + 1;
    }
}

static const char *parse_sizes(const char *text, void *field)
{
    return parse_numbers(text, field, FAMILY_SIZE_MIN, FAMILY_SIZE_MAX, true)
               ? NULL : "a list of sides from 64 to 8192, such as 256,512,1024";
}

static const char *parse_lambdas(const char *text, void *field)
{
    return parse_numbers(text, field, 0, 1e12, false) ? NULL : "a list of numbers from 0 to 1e12, such as 10,50,200";
}

static const char *parse_threads(const char *text, void *field)
{
    return parse_numbers(text, field, 1, 256, true) ? NULL : "a list of numbers of threads from 1 to 256, such as 1,2";
}

static const char *parse_percent(const char *text, void *field)
{
    double *percent = field;
    return parse_real(text, percent) && *percent > 0 && *percent <= 100 ? NULL : "a percentage above 0, up to 100";
}

const option bench_options[] = {
    OPTION_HEADING("Instances"),
    {.name = "family", .argument = "A,B",
     .help = "families to make ('tilecut help make' lists them;\ndefault: all of pictures). Networks may have a "
     "size:\ngenrmf:128x128; networks: all of them; volumes: all in\nspace; labels: all with many labels (stereo, "
     "noise,\nsuperpixels)",
     .parse = parse_words, .at = offsetof(bench_wanted, families)},
    {.name = "sizes", .argument = "N,N",
     .help = "sides in pixels, 64 to 8192 (default 512,1024;\nin space 64,128, up to 1000)",
     .parse = parse_sizes, .at = offsetof(bench_wanted, sizes)},
    {.name = "lambdas", .argument = "F,F", .help = "for photos: weights of the boundary term (default 50)",
     .parse = parse_lambdas, .at = offsetof(bench_wanted, lambdas)},
    {.name = "labels", .argument = "N", .help = "of families with many labels, 2 to 255 (default 8)",
     .kind = OPTION_INT, .least = 2, .most = TILECUT_MAX_LABELS, .wanted = "a number of labels from 2 to 255",
     .at = offsetof(bench_wanted, request.labels)},
    {.name = "connectivity", .argument = "N",
     .help = "neighbours of a pixel, 4 or 8 (default 4); names of\ninstances with 8 end in -8",
     .parse = option_connectivity, .at = offsetof(bench_wanted, request.connectivity)},
    {.name = "seed", .argument = "N", .help = "of the families (default 1)", .kind = OPTION_INT64,
     .most = INT64_MAX, .wanted = "a whole number of at least 0", .at = offsetof(bench_wanted, request.seed)},
    {.name = "graph", .argument = "FILE", .help = "a saved graph, a grid or of any shape; repeatable",
     .parse = option_texts, .at = offsetof(bench_wanted, request.graphs), .repeatable = true},
    {.name = "match", .argument = "FILE", .help = "a bipartite graph, as 'tilecut match' reads it; repeatable",
     .parse = option_texts, .at = offsetof(bench_wanted, request.matches), .repeatable = true},
    {.name = "assign", .argument = "FILE", .help = "costs, as 'tilecut assign' reads them; repeatable",
     .parse = option_texts, .at = offsetof(bench_wanted, request.assigns), .repeatable = true},
    {.name = "image", .argument = "FILE",
     .help = "a photo for the family photo, with --seeds (default:\nthe project's own, in images/), or for spot and "
             "frame",
     .parse = option_file, .at = offsetof(bench_wanted, request.image)},
    OPTION_HEADING("Contestants"),
    {.name = "solvers", .argument = "A,B",
     .help = "all, or names; auto is one (default all). Those of\nnetworks: 'tilecut help maxflow' lists them",
     .parse = parse_words, .at = offsetof(bench_wanted, solvers), .choice = tilecut_solver_name,
     .choice_summary = tilecut_solver_summary},
    {.name = "peers", .argument = "A,B", .help = "auto: those that 'make peers' built; none; or names\n"
     "(bk, boost, lemon, igraph; of networks also scipy, wbpr;\nof many "
     "labels expansion, swap, icm, trws; default auto)",
     .parse = parse_words, .at = offsetof(bench_wanted, peers)},
    {.name = "threads", .argument = "N,N", .help = "worker threads of the solvers (default 1)",
     .parse = parse_threads, .at = offsetof(bench_wanted, threads)},
    {.name = "move", .argument = "P",
     .help = "photos: also solve again after P % of the seeds have\nmoved, from the flow there was (rows SOLVER+warm)",
     .parse = parse_percent, .at = offsetof(bench_wanted, request.move)},
    {.name = "whole", .help = "photos: also from pixels and seeds to the mask (rows\nSOLVER+whole)",
     .at = offsetof(bench_wanted, request.whole)},
    OPTION_HEADING("Measuring"),
    {.name = "runs", .argument = "N",
     .help = "rounds that count, after one to warm up (default 5); what\ntakes more than 10 s is run once",
     .kind = OPTION_INT, .least = 1, .most = BENCH_RUNS_MOST, .wanted = "a number of runs from 1 to 99",
     .at = offsetof(bench_wanted, runs)},
    {.name = "limit", .argument = "S", .help = "seconds that one run may take (default 60)",
     .parse = option_positive, .at = offsetof(bench_wanted, limit)},
    {.name = "csv", .argument = "FILE", .help = "the rows as CSV (-: standard output)", .parse = option_file,
     .at = offsetof(bench_wanted, csv)},
    {.name = "plot", .argument = "FILE",
     .help = "a PNG: time and memory against size, and speed-ups\n(needs gnuplot)", .parse = option_file,
     .at = offsetof(bench_wanted, plot)},
    OPTIONS_END
};

void bench_wanted_free(bench_wanted *my)
{
    free(my->families.text);
    free(my->solvers.text);
    free(my->peers.text);
    free(my->request.graphs.items);
    free(my->request.matches.items);
    free(my->request.assigns.items);
    inputs_free(&my->request.in);
}

void bench_wanted_fill_in(bench_wanted *my)
{
    static const double usual_sizes[] = {512, 1024};
    if (!my->sizes.count) {
        memcpy(my->sizes.item, usual_sizes, sizeof usual_sizes);
        my->sizes.count = 2;
        my->request.usual_sizes = true;
    }
    if (!my->lambdas.count) my->lambdas = (bench_numbers){{50}, 1};
    if (!my->threads.count) my->threads = (bench_numbers){{1}, 1};
    /* A photo or a graph that is given without families runs alone. */
    if (!my->families.count && my->request.image) my->families = (bench_words){NULL, {"photo"}, 1};
    const int files = my->request.graphs.count + my->request.matches.count + my->request.assigns.count;
    if (!my->families.count && !files)
        for (int i = 0; family_name(i); i++) my->families.item[my->families.count++] = family_name(i);
    for (int i = 0; i < my->sizes.count; i++) my->side[i] = (int)my->sizes.item[i];
    my->request.families = (option_list){my->families.item, my->families.count};
    my->request.sizes = my->side;
    my->request.size_count = my->sizes.count;
    my->request.lambdas = my->lambdas.item;
    my->request.lambda_count = my->lambdas.count;
}
