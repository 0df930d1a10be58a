/* SPDX-License-Identifier: MIT
 *
 * bench.c - the verb `bench`: compares solvers with each other and with other programs ("peers"), on instances that
 * everybody can reproduce. The plan is complete before the first measurement. If it is stopped, finished rows are kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_work.h"
#include "signals.h"
#include "verbs.h"

/* ---- the plan --------------------------------------------------------------------------------- */

/* Returns the kinds of problems that solvers of that name can solve; several tables may have the name. */
static unsigned solved_by(const char *name, nearest *near)
{
    unsigned solves = strcmp(name, "auto") ? 0 : BENCH_GRIDS | BENCH_FLOWS | BENCH_PAIRS | BENCH_LABELLINGS;
    for (const bench_table *table = bench_tables; table < bench_tables + BENCH_TABLES; table++)
        for (int i = 0; table->of->name(i); i++) {
            if (!strcmp(name, table->of->name(i))) solves |= table->solves;
            nearest_try(near, table->of->name(i));
        }
    return solves;
}

static int add_solver(const bench_wanted *my, const char *name, bench_work *w, failure *why)
{
    nearest near = {.word = name};
    const unsigned solves = solved_by(name, &near);
    if (!solves)
        return fail(why, EXIT_USAGE, "--solvers: no solver '%s'%s%s%s", name, near.best ? "; did you mean '" : "",
                    near.best ? near.best : "", near.best ? "'?" : "; 'tilecut info' lists them");
    for (int i = 0; i < w->entrants; i++)
        if (!strcmp(w->entrant[i].name, name)) return EXIT_DONE; /* the name was added before */
    for (int t = 0; t < my->threads.count; t++) {
        bench_contestant it = {.name = name, .threads = (int)my->threads.item[t], .solves = solves};
        w->entrant[w->entrants++] = it;
        it.solves &= BENCH_GRIDS;
        it.way = BENCH_WARM;
        if (my->request.move > 0 && it.solves) w->entrant[w->entrants++] = it;
        it.way = BENCH_WHOLE;
        if (my->request.whole && it.solves) w->entrant[w->entrants++] = it;
    }
    return EXIT_DONE;
}

static int choose_solvers(const bench_wanted *my, bench_work *w, failure *why)
{
    int status = EXIT_DONE;
    const bool all = !my->solvers.count || (my->solvers.count == 1 && !strcmp(my->solvers.item[0], "all"));
    if (all) {
        status = add_solver(my, "auto", w, why);
        for (int t = 0; t < BENCH_TABLES; t++)
            for (int i = 0; bench_tables[t].of->name(i) && i < BENCH_LIST_MOST / 2 && status == EXIT_DONE; i++)
                status = add_solver(my, bench_tables[t].of->name(i), w, why);
    }
    for (int i = 0; !all && i < my->solvers.count && status == EXIT_DONE; i++)
        status = add_solver(my, my->solvers.item[i], w, why);
    return status;
}

static bool listed(const bench_words *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->item[i], name)) return true;
    return false;
}

/* Returns the kinds of problems in the plan; a saved graph of any shape counts as both a grid and a flow. */
static unsigned problems_of(const bench_plan *plan)
{
    unsigned all = 0;
    for (int i = 0; i < plan->count; i++) {
        const bench_spec *spec = &plan->specs[i];
        if (spec->network) all |= 1u << bench_family_problem(spec->network);
        else if (spec->many.name) all |= BENCH_LABELLINGS;
        else if (spec->kind || spec->space) all |= BENCH_GRIDS;
        else all |= spec->file == BENCH_GRID ? BENCH_GRIDS | BENCH_FLOWS : 1u << spec->file;
    }
    return all;
}

/* Adds the peer of row `one`, and those of later rows with the same name, if they have been built. */
static int add_peer(const bench_peer *one, unsigned problems, bool wanted, bench_work *w, failure *why)
{
    char path[4096];
    bool found = false;
    for (const bench_peer *peer = one; peer->name; peer++) {
        if (strcmp(peer->name, one->name) != 0 || !(peer->solves & problems) ||
            !bench_peer_find(peer, path, sizeof path))
            continue;
        found = true;
        const bool report = !peer->variable || getenv(peer->variable);
        if (!report && wanted)
            return fail(why, EXIT_RESOURCES, "--peers: %s needs the variable %s, which names its program", one->name,
                        peer->variable);
        if (!report) continue;
        w->entrant[w->entrants++] = (bench_contestant){.name = peer->name, .threads = 1, .peer = peer,
                                                       .solves = peer->solves};
    }
    if (found || (!wanted && one->variable)) return EXIT_DONE;
    if (wanted)
        return fail(why, EXIT_RESOURCES, "--peers: %s is not built; 'make peers' builds it (Debian package %s)",
                    one->name, one->package);
    note(&w->notes, "peer %s is not built and left out; 'make peers' builds it (Debian package %s)", one->name,
         one->package);
    return EXIT_DONE;
}

/* True if an earlier row has the same name and solves one of the problems. */
static bool seen_before(const bench_peer *peer, unsigned problems)
{
    for (const bench_peer *old = bench_peers; old < peer; old++)
        if (!strcmp(old->name, peer->name) && old->solves & problems) return true;
    return false;
}

static int choose_peers(const bench_wanted *my, bench_work *w, failure *why)
{
    const bool all = !my->peers.count || (my->peers.count == 1 && listed(&my->peers, "auto"));
    const unsigned problems = problems_of(&w->plan);
    int status = EXIT_DONE;
    if (my->peers.count == 1 && listed(&my->peers, "none")) return EXIT_DONE;
    for (int i = 0; !all && i < my->peers.count; i++) {
        const bench_peer *peer = bench_peers;
        while (peer->name && strcmp(peer->name, my->peers.item[i])) peer++;
        if (!peer->name)
            return fail(why, EXIT_USAGE, "--peers: no peer '%s'; there is bk, boost, lemon, igraph, scipy, wbpr, "
                        "expansion, swap, icm and trws, or auto, or none", my->peers.item[i]);
    }
    for (const bench_peer *peer = bench_peers; peer->name && status == EXIT_DONE; peer++)
        if ((all || listed(&my->peers, peer->name)) && peer->solves & problems && !seen_before(peer, problems))
            status = add_peer(peer, problems, !all, w, why);
    return status;
}

static int plan_outputs(const bench_wanted *my, bench_work *w, failure *why)
{
    const option_list *const files[] = {&my->request.graphs, &my->request.matches, &my->request.assigns};
    const option_list *const marked = &my->request.in.files;
    const char *read[2 * BENCH_LIST_MOST + 2];
    int count = 0;
    if (my->request.image) read[count++] = my->request.image;
    for (int i = 0; i < marked->count && count < BENCH_LIST_MOST; i++) read[count++] = marked->items[i];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < files[k]->count && count < 2 * BENCH_LIST_MOST; i++) read[count++] = files[k]->items[i];
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

static int write_results(const bench_wanted *my, bench_work *w, failure *why)
{
    const bench_context story = {.machine = w->machine, .rounds = my->runs, .interrupted = signals_caught != 0,
                                 .notes = &w->notes};
    int status = EXIT_DONE;
    if (w->csv_out && !bench_csv(&w->rows, &w->csv_out->data))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for writing it", my->csv);
    if (w->plot_out) status = bench_plot(&w->rows, my->plot, &w->plot_out->data, why);
    /* The figures are written even if the plot failed. */
    if (status != EXIT_DONE && w->plot_out) w->plot_out->done = true;
    failure other = {0};
    const int written = outputs_write(&w->outputs, w->json_out, &other);
    const int report = w->json_out ? bench_json(&w->rows, &story, my->common.json, &other) : EXIT_DONE;
    if (status == EXIT_DONE && (written || report)) {
        *why = other;
        status = written ? written : report;
    }
    return status;
}

/* Fails if no wanted row could be measured, and gives the reason. */
static int check_rows(const bench_rows *rows, failure *why)
{
    const bench_row *said = NULL;
    for (int i = 0; i < rows->count; i++) {
        if (!rows->row[i].unwanted) return EXIT_DONE;
        if (!said || said->no_device) said = &rows->row[i];
    }
    if (!said) return EXIT_DONE;
    if (said->problem == BENCH_ASSIGN && !said->no_device) /* the library counts rows from 0, the file from 1 */
        return fail(why, EXIT_INPUT, "%s: nothing was measured; 'tilecut assign' says what is wrong with it",
                    said->name);
    return fail(why, said->no_device ? EXIT_RESOURCES : EXIT_INPUT, "%s: nothing was measured; %s: %s", said->name,
                said->solver, said->reason);
}

static int bench(bench_wanted *my, bench_work *w, failure *why)
{
    bench_wanted_fill_in(my);
    int status = choose_solvers(my, w, why);
    if (status == EXIT_DONE) status = plan_outputs(my, w, why);
    if (status == EXIT_DONE) status = bench_plan_make(&my->request, &w->plan, &w->notes, why);
    for (int i = 0; i < w->plan.count && status == EXIT_DONE; i++) {
        const bench_spec *spec = &w->plan.specs[i];
        if (spec->path && !spec->kind) continue; /* a file, whose kind of problem is not known yet */
        status = bench_check_solvers(w, spec->network     ? bench_family_problem(spec->network)
                                        : spec->many.name ? BENCH_LABELS : BENCH_GRID, spec, why);
    }
    if (status == EXIT_DONE) status = choose_peers(my, w, why);
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
        status = bench_measure_instance(my, w, i, why);
    if (status == EXIT_DONE && !signals_caught) status = check_rows(&w->rows, why);
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
    return status == EXIT_DONE ? file_finish_lines(why) : status;
}

int verb_bench(int argc, char **argv, failure *why)
{
    bench_wanted my = {.runs = 5, .limit = 60, .request = {.seed = 1, .labels = 8}};
    bench_work w = {0};
    int status;
    const syntax usage = {
        .verb = "bench", .synopsis = "[options]",
        .about = "Measures the solvers against each other and against other people's programs, on the same capacities\n"
                 "in memory and in turns; all must find the same flow and the same cut.",
        .operands = "no operand",
        .sets = {{bench_options, &my}, {input_options, &my.request.in}, {common_options, &my.common}}};
    inputs_init(&my.request.in);
    if (options_parse(&usage, &argc, argv, &status, why)) status = bench(&my, &w, why);
    if (w.folder[0]) rmdir(w.folder);
    outputs_free(&w.outputs);
    notes_free(&w.notes);
    bench_plan_free(&w.plan);
    free(w.rows.row);
    bench_wanted_free(&my);
    return status;
}
