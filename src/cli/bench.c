/* SPDX-License-Identifier: MIT
 *
 * bench.c - the verb `bench`: solvers against each other and against peers, on instances that everyone can
 * make again. The plan is complete before the first run; rows are kept as they finish.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"
#include "engine.h"
#include "machine.h"
#include "outputs.h"
#include "signals.h"
#include "verbs.h"

enum { LIST_MOST = 32, LONG_RUN_MS = 10000 };

/* Words separated by commas. */
typedef struct words {
    char *text; /* owned: a copy cut into pieces */
    const char *item[LIST_MOST];
    int count;
} words;

typedef struct numbers {
    double item[LIST_MOST];
    int count;
} numbers;

typedef struct wanted {
    common common;
    bench_wish wish;
    words families, solvers, peers;
    numbers sizes, lambdas, threads;
    int side[LIST_MOST]; /* sizes, as wish.sizes has them */
    int runs;
    double limit;
    const char *csv, *plot;
} wanted;

/* ---- options ---------------------------------------------------------------------------------- */

static const char *parse_words(const char *text, void *field)
{
    words *list = field;
    list->text = strdup(text);
    if (!list->text) return option_no_memory;
    for (char *rest = list->text, *word; (word = strsep(&rest, ","));) {
        if (!*word || list->count == LIST_MOST) return "a list of at most 32 names, separated by commas";
        list->item[list->count++] = word;
    }
    return NULL;
}

static bool parse_numbers(const char *text, numbers *list, double least, double most, bool whole)
{
    char word[40];
    for (;;) {
        const size_t length = strcspn(text, ",");
        double value;
        if (!length || length >= sizeof word || list->count == LIST_MOST) return false;
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

static const char *parse_runs(const char *text, void *field)
{
    int64_t value;
    if (!parse_integer(text, 1, BENCH_RUNS_MOST, &value)) return "a number of runs from 1 to 99";
    *(int *)field = (int)value;
    return NULL;
}

static const char *parse_seed(const char *text, void *field)
{
    return parse_integer(text, 0, INT64_MAX, field) ? NULL : "a whole number of at least 0";
}

static const option bench_options[] = {
    OPTION_HEADING("Instances"),
    {.name = "family", .argument = "A,B", .help = "families to make ('tilecut help make' lists them;\ndefault: all)",
     .parse = parse_words, .at = offsetof(wanted, families)},
    {.name = "sizes", .argument = "N,N", .help = "sides in pixels, 64 to 8192 (default 512,1024)",
     .parse = parse_sizes, .at = offsetof(wanted, sizes)},
    {.name = "lambdas", .argument = "F,F", .help = "for photos: weights of the boundary term (default 50)",
     .parse = parse_lambdas, .at = offsetof(wanted, lambdas)},
    {.name = "seed", .argument = "N", .help = "of the families (default 1)", .parse = parse_seed,
     .at = offsetof(wanted, wish.seed)},
    {.name = "graph", .argument = "FILE", .help = "a saved graph; repeatable", .parse = option_texts,
     .at = offsetof(wanted, wish.graphs), .repeatable = true},
    {.name = "image", .argument = "FILE",
     .help = "a photo for the family photo, with --seeds (default:\nthe project's own, in images/), or for spot and "
             "frame",
     .parse = option_file, .at = offsetof(wanted, wish.image)},
    OPTION_HEADING("Contestants"),
    {.name = "solvers", .argument = "A,B", .help = "all, or names; auto is one (default all)", .parse = parse_words,
     .at = offsetof(wanted, solvers), .choice = tilecut_solver_name, .choice_summary = tilecut_solver_summary},
    {.name = "peers", .argument = "A,B", .help = "auto: those that 'make peers' built; none; or names\n"
     "(bk, boost, lemon, igraph; default auto)", .parse = parse_words, .at = offsetof(wanted, peers)},
    {.name = "threads", .argument = "N,N", .help = "worker threads of the solvers (default 1)",
     .parse = parse_threads, .at = offsetof(wanted, threads)},
    {.name = "move", .argument = "P",
     .help = "photos: also solve again after P % of the seeds have\nmoved, from the flow there was (rows SOLVER+warm)",
     .parse = parse_percent, .at = offsetof(wanted, wish.move)},
    {.name = "whole", .help = "photos: also from pixels and seeds to the mask (rows\nSOLVER+whole)",
     .at = offsetof(wanted, wish.whole)},
    OPTION_HEADING("Measuring"),
    {.name = "runs", .argument = "N",
     .help = "rounds that count, after one to warm up (default 5); what\ntakes more than 10 s is run once",
     .parse = parse_runs, .at = offsetof(wanted, runs)},
    {.name = "limit", .argument = "S", .help = "seconds that one run may take (default 60)",
     .parse = option_positive, .at = offsetof(wanted, limit)},
    {.name = "csv", .argument = "FILE", .help = "the rows as CSV (-: standard output)", .parse = option_file,
     .at = offsetof(wanted, csv)},
    {.name = "plot", .argument = "FILE",
     .help = "a PNG: time and memory against size, and speed-ups\n(needs gnuplot)", .parse = option_file,
     .at = offsetof(wanted, plot)},
    OPTIONS_END
};

/* ---- the plan --------------------------------------------------------------------------------- */

typedef struct contestant {
    const char *name;       /* of the solver; "auto" too */
    int threads;
    const bench_peer *peer; /* NULL: a solver            */
    enum bench_way way;
} contestant;

typedef struct work {
    bench_plan plan;
    contestant field[3 * LIST_MOST * LIST_MOST + LIST_MOST]; /* in three ways; peers */
    int contestants;
    bool peers;
    outputs outputs;
    output *csv_out, *json_out, *plot_out;
    notes notes;
    bench_rows rows;
    char machine[160];
    /* Temporary, for peers; "": not made. */
    char folder[BENCH_TEMPORARY], graph_path[BENCH_TEMPORARY + 16], mask_path[BENCH_TEMPORARY + 16];
    bool disagreed, table;
} work;

static int add_solver(const wanted *my, const char *name, work *w, failure *why)
{
    bool known = !strcmp(name, "auto");
    nearest near = {.word = name};
    for (int i = 0; tilecut_solver_name(i); i++) {
        known = known || !strcmp(name, tilecut_solver_name(i));
        nearest_try(&near, tilecut_solver_name(i));
    }
    if (!known)
        return fail(why, EXIT_USAGE, "--solvers: no solver '%s'%s%s%s", name, near.best ? "; did you mean '" : "",
                    near.best ? near.best : "", near.best ? "'?" : "; 'tilecut info' lists them");
    for (int t = 0; t < my->threads.count; t++) {
        const contestant cold = {.name = name, .threads = (int)my->threads.item[t]};
        w->field[w->contestants++] = cold;
        if (my->wish.move > 0)
            w->field[w->contestants++] = (contestant){.name = name, .threads = cold.threads, .way = BENCH_WARM};
        if (my->wish.whole)
            w->field[w->contestants++] = (contestant){.name = name, .threads = cold.threads, .way = BENCH_WHOLE};
    }
    return EXIT_DONE;
}

static int choose_solvers(const wanted *my, work *w, failure *why)
{
    int status = EXIT_DONE;
    const bool all = !my->solvers.count || (my->solvers.count == 1 && !strcmp(my->solvers.item[0], "all"));
    if (all) {
        status = add_solver(my, "auto", w, why);
        for (int i = 0; tilecut_solver_name(i) && i < LIST_MOST - 1 && status == EXIT_DONE; i++)
            status = add_solver(my, tilecut_solver_name(i), w, why);
    }
    for (int i = 0; !all && i < my->solvers.count && status == EXIT_DONE; i++)
        status = add_solver(my, my->solvers.item[i], w, why);
    return status;
}

static bool listed(const words *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->item[i], name)) return true;
    return false;
}

static int choose_peers(const wanted *my, work *w, failure *why)
{
    char path[4096];
    const bool all = !my->peers.count || (my->peers.count == 1 && listed(&my->peers, "auto"));
    if (my->peers.count == 1 && listed(&my->peers, "none")) return EXIT_DONE;
    for (int i = 0; !all && i < my->peers.count; i++) {
        const bench_peer *peer = bench_peers;
        while (peer->name && strcmp(peer->name, my->peers.item[i])) peer++;
        if (!peer->name)
            return fail(why, EXIT_USAGE,
                        "--peers: no peer '%s'; there is bk, boost, lemon and igraph, or auto, or none",
                        my->peers.item[i]);
    }
    for (const bench_peer *peer = bench_peers; peer->name; peer++) {
        if (!all && !listed(&my->peers, peer->name)) continue;
        if (bench_peer_find(peer, path, sizeof path)) {
            w->field[w->contestants++] = (contestant){.name = peer->name, .threads = 1, .peer = peer};
            w->peers = true;
        } else if (!all)
            return fail(why, EXIT_RESOURCES, "--peers: %s is not built; 'make peers' builds it (Debian package %s)",
                        peer->name, peer->package);
        else
            note(&w->notes, "peer %s is not built and left out; 'make peers' builds it (Debian package %s)",
                 peer->name, peer->package);
    }
    return EXIT_DONE;
}

static int plan_outputs(const wanted *my, work *w, failure *why)
{
    const char *read[LIST_MOST + 2];
    int count = 0;
    if (my->wish.image) read[count++] = my->wish.image;
    for (int i = 0; i < my->wish.graphs.count && count < LIST_MOST; i++) read[count++] = my->wish.graphs.items[i];
    w->csv_out = outputs_add(&w->outputs, "--csv", my->csv, false);
    w->plot_out = outputs_add(&w->outputs, "--plot", my->plot, true);
    w->json_out = outputs_add(&w->outputs, "--json", my->common.json, false);
    w->table = !my->common.quiet;
    for (int i = 0; i < w->outputs.count; i++)
        if (!strcmp(w->outputs.item[i].path, "-")) w->table = false;
    if (my->plot && !bench_can_plot())
        return fail(why, EXIT_RESOURCES,
                    "--plot: gnuplot is not installed (Debian package gnuplot-nox); --csv keeps the figures");
    return outputs_check(&w->outputs, read, count, why);
}

/* What --family left open, and what follows from other options. */
static void fill_in(wanted *my)
{
    static const double usual_sizes[] = {512, 1024};
    if (!my->sizes.count) {
        memcpy(my->sizes.item, usual_sizes, sizeof usual_sizes);
        my->sizes.count = 2;
    }
    if (!my->lambdas.count) my->lambdas = (numbers){{50}, 1};
    if (!my->threads.count) my->threads = (numbers){{1}, 1};
    /* A photo or a graph alone is meant alone. */
    if (!my->families.count && my->wish.image) my->families = (words){NULL, {"photo"}, 1};
    if (!my->families.count && !my->wish.graphs.count)
        for (int i = 0; family_name(i); i++) my->families.item[my->families.count++] = family_name(i);
    for (int i = 0; i < my->sizes.count; i++) my->side[i] = (int)my->sizes.item[i];
    my->wish.families = (option_list){my->families.item, my->families.count};
    my->wish.sizes = my->side;
    my->wish.size_count = my->sizes.count;
    my->wish.lambdas = my->lambdas.item;
    my->wish.lambda_count = my->lambdas.count;
}

/* ---- measuring -------------------------------------------------------------------------------- */

static int make_temporaries(const bench_instance *it, work *w, failure *why)
{
    if (!w->folder[0]) {
        bench_temporary(w->folder);
        if (!mkdtemp(w->folder)) {
            w->folder[0] = 0;
            return fail(why, EXIT_RUNTIME, "no folder for the files of peers could be made in TMPDIR or /tmp");
        }
    }
    snprintf(w->graph_path, sizeof w->graph_path, "%s/graph.tcg", w->folder);
    snprintf(w->mask_path, sizeof w->mask_path, "%s/mask", w->folder);
    return graph_write(w->graph_path, it->graph, it->quantum, why);
}

static void remove_temporaries(work *w)
{
    if (w->graph_path[0]) unlink(w->graph_path);
    if (w->mask_path[0]) unlink(w->mask_path);
}

static const char *const suffix[] = {[BENCH_COLD] = "", [BENCH_WARM] = "+warm", [BENCH_WHOLE] = "+whole"};

static bench_row *add_row(work *w, const bench_spec *spec, const bench_instance *it, const contestant *who)
{
    bench_row *rows = realloc(w->rows.row, ((size_t)w->rows.count + 1) * sizeof *rows);
    if (!rows) return NULL;
    w->rows.row = rows;
    bench_row *row = &rows[w->rows.count++];
    *row = (bench_row){.width = it->width, .height = it->height, .threads = who->threads, .lambda = it->lambda,
                       .way = who->way, .device = "", .certified = -1};
    memcpy(row->family, spec->family, sizeof row->family);
    memcpy(row->name, spec->name, sizeof row->name);
    snprintf(row->solver, sizeof row->solver, "%s%s%s", who->peer ? "peer:" : "", who->name, suffix[who->way]);
    return row;
}

/* Who was too slow for an instance of a family is not asked again for one as large. */
static void skip_hopeless(work *w, int first)
{
    for (int i = first; i < w->rows.count; i++) {
        bench_row *row = &w->rows.row[i];
        for (int k = 0; k < first && !row->reason[0]; k++) {
            const bench_row *old = &w->rows.row[k];
            if (old->overtime && !strcmp(old->family, row->family) && !strcmp(old->solver, row->solver) &&
                old->threads == row->threads &&
                (int64_t)old->width * old->height <= (int64_t)row->width * row->height) {
                snprintf(row->reason, sizeof row->reason, "too slow for %s %dx%d", old->name, old->width, old->height);
                row->overtime = true;
            }
        }
    }
}

/* One run of one contestant. Answers of later runs must be those of the first. */
static void run_once(const wanted *my, work *w, const bench_instance *it, const contestant *who, bench_row *row,
                     bool counts)
{
    bench_times times;
    const bench_row before = *row;
    const double start = machine_ms();
    const bool done = who->peer ? bench_run_peer(who->peer, w->graph_path, w->mask_path, my->limit, row, &times)
                                : bench_run_solver(it, who->name, my->limit, row, &times);
    if (!done) {
        row->runs = 0;
        if (signals_caught) row->reason[0] = 0; /* stopped, not beaten: the row is unfinished */
        return;
    }
    if (before.device[0] && (before.flow != row->flow || strcmp(before.mask_sha256, row->mask_sha256)))
        row->differs = true;
    if (counts || machine_ms() - start > LONG_RUN_MS) row->run[row->runs++] = times;
}

/* A long run needs no warming up and is not repeated. */
static bool enough(const wanted *my, const bench_row *row)
{
    const bench_times *one = &row->run[0];
    return row->runs >= my->runs || (row->runs && one->build + one->copy + one->solve > LONG_RUN_MS);
}

static void progress(const wanted *my, const work *w, int index, const bench_row *row, int round)
{
    if (my->common.quiet || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K[%d/%d] %s %s %dx%d: round %d of %d, %s", index + 1, w->plan.count, row->family,
            row->name, row->width, row->height, round, my->runs, row->solver);
}

/* Memory that a large process left is in small pieces, and what nobody has used for a while a host may have taken back:
 * whoever comes next would pay for having it put together, up to ten times what building a graph takes. Nobody's time,
 * so everyone's memory is made ready before his turn. Not more than there is: who asks for that is told in his own
 * turn, and a process that only made ready is not to be killed for it. */
static void gather_memory(size_t size)
{
    if (size > machine_memory() / 4 * 3) return;
    void *const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
    memset(memory, 1, size);
    (void)munmap(memory, size);
}

/* Rounds: everyone once to warm up, then everyone in turn, each round beginning with another one. */
static void measure(const wanted *my, work *w, const bench_instance *it, int index, int first)
{
    enum { OURS = 36, OF_A_PEER = 176 }; /* bytes a pixel */
    const size_t pixels = (size_t)it->width * (size_t)it->height;
    for (int round = 0; round <= my->runs && !signals_caught; round++)
        for (int i = 0; i < w->contestants && !signals_caught; i++) {
            const int turn = round > 0 ? (i + round - 1) % w->contestants : i;
            bench_row *row = &w->rows.row[first + turn];
            const contestant *who = &w->field[turn];
            if (row->reason[0] || enough(my, row) || (!round && who->peer)) continue;
            progress(my, w, index, row, round);
            gather_memory(pixels * (who->peer ? OF_A_PEER : OURS));
            run_once(my, w, it, who, row, round > 0);
        }
}

static void tell(const wanted *my, work *w, int index, int first)
{
    if (!my->common.quiet && isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
    else if (!my->common.quiet && !w->table)
        fprintf(stderr, "tilecut: [%d/%d] %s %s %dx%d\n", index + 1, w->plan.count, w->rows.row[first].family,
                w->rows.row[first].name, w->rows.row[first].width, w->rows.row[first].height);
    for (int i = first; i < w->rows.count; i++) {
        const bench_row *row = &w->rows.row[i];
        if (row->differs || row->certified == 0) {
            fprintf(stderr, "tilecut: %s %s %dx%d: %s: %s\n", row->family, row->name, row->width, row->height,
                    row->solver, row->differs ? "another flow or mask than the first row" : row->reason);
        }
        if (w->table && !row->unwanted) bench_print_row(row);
    }
    if (w->table) fflush(stdout);
}

/* Drops the rows of an instance that an interrupt left unfinished. */
static void drop_unfinished(const wanted *my, work *w, int first)
{
    for (int i = first; i < w->rows.count; i++)
        if (!enough(my, &w->rows.row[i]) && !w->rows.row[i].reason[0]) w->rows.count = first;
}

static int one_instance(wanted *my, work *w, int index, failure *why)
{
    const bench_spec *spec = &w->plan.specs[index];
    bench_instance it = {0};
    const int first = w->rows.count;
    int status = bench_instance_make(spec, &my->wish, &it, why);
    if (status == EXIT_DONE && w->peers) status = make_temporaries(&it, w, why);
    for (int i = 0; i < w->contestants && status == EXIT_DONE; i++)
        if (!add_row(w, spec, &it, &w->field[i])) status = fail(why, EXIT_RESOURCES, "not enough memory");
    if (status == EXIT_DONE) {
        skip_hopeless(w, first);
        measure(my, w, &it, index, first);
        if (signals_caught) drop_unfinished(my, w, first);
        for (int i = first; i < w->rows.count; i++) w->rows.row[i].flow += it.saved.settled;
        if (!bench_summarise(&w->rows, first)) w->disagreed = true;
        if (w->rows.count > first) tell(my, w, index, first);
    }
    remove_temporaries(w);
    bench_instance_free(&it);
    return status;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static void name_machine(char *out, size_t room)
{
    char line[300];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, room, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !value) continue;
        snprintf(out, room, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        break;
    }
    if (file) fclose(file);
}

static int write_results(const wanted *my, work *w, failure *why)
{
    const bench_story story = {.machine = w->machine, .rounds = my->runs, .interrupted = signals_caught != 0,
                               .notes = &w->notes};
    int status = EXIT_DONE;
    if (w->csv_out && !bench_csv(&w->rows, &w->csv_out->data))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for writing it", my->csv);
    if (w->json_out) w->json_out->done = true; /* by bench_json() */
    if (w->plot_out) status = bench_plot(&w->rows, my->plot, &w->plot_out->data, why);
    /* Figures are kept even if they could not be drawn. */
    if (status != EXIT_DONE && w->plot_out) w->plot_out->done = true;
    failure other = {0};
    const int written = outputs_write(&w->outputs, &other);
    const int told = w->json_out ? bench_json(&w->rows, &story, my->common.json, &other) : EXIT_DONE;
    if (status == EXIT_DONE && (written || told)) {
        *why = other;
        status = written ? written : told;
    }
    return status;
}

static int bench(wanted *my, work *w, failure *why)
{
    fill_in(my);
    int status = choose_solvers(my, w, why);
    if (status == EXIT_DONE) status = choose_peers(my, w, why);
    if (status == EXIT_DONE) status = plan_outputs(my, w, why);
    if (status == EXIT_DONE) status = bench_plan_make(&my->wish, &w->plan, &w->notes, why);
    if (status != EXIT_DONE) return status;
    name_machine(w->machine, sizeof w->machine);
    for (int i = 0; !my->common.quiet && i < w->notes.count; i++)
        fprintf(stderr, "tilecut: note: %s\n", w->notes.text[i]);
    if (w->table) {
        printf("tilecut %s on %s; medians of %d runs in ms, x bk: times as fast as libmaxflow\n", tilecut_version(),
               w->machine, my->runs);
        bench_print_head();
    }
    signals_hold(true);
    for (int i = 0; i < w->plan.count && status == EXIT_DONE && !signals_caught; i++)
        status = one_instance(my, w, i, why);
    if (w->table && w->plan.count > 1) bench_print_summary(&w->rows);
    failure later = {0};
    const int written = write_results(my, w, &later);
    signals_hold(false);
    if (status == EXIT_DONE && written != EXIT_DONE) {
        *why = later;
        status = written;
    }
    if (w->disagreed) return fail(why, EXIT_UNPROVEN, "answers differ or are not proven; no ratio is told of these");
    if (signals_caught) return fail(why, signals_status(), "interrupted; %d finished rows are kept", w->rows.count);
    if (status == EXIT_DONE && (fflush(stdout) || ferror(stdout)))
        return fail(why, EXIT_RUNTIME, "standard output: could not be written");
    return status;
}

static void wanted_free(wanted *my)
{
    free(my->families.text);
    free(my->solvers.text);
    free(my->peers.text);
    free(my->wish.graphs.items);
    inputs_free(&my->wish.in);
}

int verb_bench(int argc, char **argv, failure *why)
{
    wanted my = {.runs = 5, .limit = 60, .wish = {.seed = 1}};
    work w = {0};
    int status;
    const syntax usage = {
        .verb = "bench", .synopsis = "[options]",
        .about = "Measures the solvers against each other and against other people's programs, on the same capacities\n"
                 "in memory and in turns; all must find the same flow and the same cut.",
        .operands = "no operand",
        .sets = {{bench_options, &my}, {input_options, &my.wish.in}, {common_options, &my.common}}};
    inputs_init(&my.wish.in);
    if (options_parse(&usage, &argc, argv, &status, why)) status = bench(&my, &w, why);
    if (w.folder[0]) rmdir(w.folder);
    outputs_free(&w.outputs);
    notes_free(&w.notes);
    bench_plan_free(&w.plan);
    free(w.rows.row);
    wanted_free(&my);
    return status;
}
