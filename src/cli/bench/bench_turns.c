/* SPDX-License-Identifier: MIT
 *
 * bench_turns.c - lets the contestants of a benchmark take turns on one instance.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench_work.h"
#include "machine.h"
#include "signals.h"

enum { LONG_RUN_MS = 10000 };

static int make_temporaries(const bench_instance *it, bench_work *w, failure *why)
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
    if (it->problem == BENCH_LABELS) return bench_labels_write(it, w->graph_path, why);
    if (it->problem != BENCH_GRID) return bench_network_write(it, w->graph_path, why);
    return it->slices ? graph_write_volume(w->graph_path, &it->volume, it->quantum, why)
                      : graph_write(w->graph_path, it->graph, it->quantum, why);
}

static void remove_temporaries(bench_work *w)
{
    if (w->graph_path[0]) unlink(w->graph_path);
    if (w->mask_path[0]) unlink(w->mask_path);
}

static const char *const suffix[] = {[BENCH_COLD] = "", [BENCH_WARM] = "+warm", [BENCH_WHOLE] = "+whole"};

static bench_row *add_row(bench_work *w, const bench_spec *spec, const bench_instance *it, const bench_contestant *who)
{
    bench_row *rows = realloc(w->rows.row, ((size_t)w->rows.count + 1) * sizeof *rows);
    if (!rows) return NULL;
    w->rows.row = rows;
    bench_row *row = &rows[w->rows.count++];
    const bool grid = it->problem == BENCH_GRID || it->problem == BENCH_LABELS;
    *row = (bench_row){.problem = it->problem, .width = it->width, .height = it->height, .slices = it->slices,
                       .connectivity = it->connectivity,
                       .threads = who->threads, .labels = it->many.labels,
                       .may_differ = it->problem == BENCH_LABELS && who->peer,
                       .lambda = it->lambda, .way = who->way, .device = "", .certified = -1,
                       .nodes = grid ? (int64_t)it->width * it->height * (it->slices ? it->slices : 1)
                                     : it->any.saved.list.nodes,
                       .arcs = it->any.saved.list.arcs};
    row->file = spec->path && !spec->kind && !spec->network ? (int)(spec - w->plan.specs) + 1 : 0;
    memcpy(row->family, spec->family, sizeof row->family);
    memcpy(row->name, spec->name, sizeof row->name);
    snprintf(row->solver, sizeof row->solver, "%s%s%s", who->peer ? "peer:" : "", who->name, suffix[who->way]);
    return row;
}

/* Returns true if `a` is of the family of `b` and at most as large in every direction: a network that is long and
 * narrow says nothing about one that is short and wide. */
static bool is_within(const bench_row *a, const bench_row *b)
{
    return bench_same_family(a, b) && a->width <= b->width && a->height <= b->height && bench_size(a) <= bench_size(b);
}

/* Skips contestants that were too slow for an instance that is_within() the new one. */
static void skip_slow(bench_work *w, int first)
{
    for (int i = first; i < w->rows.count; i++) {
        bench_row *row = &w->rows.row[i];
        for (int k = 0; k < first && !row->reason[0]; k++) {
            const bench_row *old = &w->rows.row[k];
            if (old->overtime && is_within(old, row) && !strcmp(old->solver, row->solver) &&
                old->threads == row->threads) {
                char size[32];
                bench_size_text(old, size, sizeof size);
                snprintf(row->reason, sizeof row->reason, "too slow for %s %s", old->name, size);
                row->overtime = true;
            }
        }
    }
}

/* Makes one run of one contestant. Its answer must equal that of its first run. */
static void run_once(const bench_wanted *my, bench_work *w, const bench_instance *it, const bench_contestant *who,
                     bench_row *row, bool counts)
{
    bench_times times;
    const bench_row before = *row;
    const double start = machine_ms();
    const bool apart = who->peer && who->peer->program;
    const bool done = apart ? bench_run_peer(who->peer, w->graph_path, w->mask_path, my->limit, row, &times)
                                : bench_run_solver(it, who->name, my->limit, row, &times);
    if (!done) {
        row->runs = 0;
        if (signals_caught) row->reason[0] = 0; /* the user stopped the run, so the row is unfinished, not too slow */
        return;
    }
    if (before.device[0] && (before.flow != row->flow || strcmp(before.mask_sha256, row->mask_sha256)))
        row->differs = true;
    if (apart && it->problem == BENCH_LABELS && !bench_labels_are(it, w->mask_path, row->flow)) row->differs = true;
    if (counts || machine_ms() - start > LONG_RUN_MS) row->run[row->runs++] = times;
}

/* True if no more runs are needed. A run that takes long is neither warmed up nor repeated. */
static bool enough(const bench_wanted *my, const bench_row *row)
{
    const bench_times *one = &row->run[0];
    return row->runs >= my->runs || (row->runs && one->build + one->copy + one->solve > LONG_RUN_MS);
}

static void progress(const bench_wanted *my, const bench_work *w, int index, const bench_row *row, int round)
{
    if (my->common.quiet || !isatty(STDERR_FILENO)) return;
    char size[32];
    bench_size_text(row, size, sizeof size);
    fprintf(stderr, "\r\033[K[%d/%d] %s %s %s: round %d of %d, %s", index + 1, w->plan.count, row->family, row->name,
            size, round, my->runs, row->solver);
}

/* Prepares memory before each run, so that all contestants find the same conditions. First gives the heap's free memory
 * back: otherwise a solver that follows another one with the same arrays would find its pages in place. Then touches
 * `size` bytes in large pages and gives them back, too: a large process leaves free memory in small pieces, and the
 * host of a virtual machine may have taken idle memory away. Restoring it can take ten times as long as building a
 * graph, and that time belongs to no contestant. Touches at most the free memory, so that this process is not killed; a
 * contestant that needs more fails in its own run. */
static void gather_memory(size_t size)
{
    machine_return_memory();
    if (size > machine_memory() / 4 * 3) return;
    void *const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memset(machine_large_pages(memory, size), 1, size);
    (void)munmap(memory, size);
}

/* Runs the rounds: the first warms up, the others count. Each round begins with another contestant. */
static void measure_rounds(const bench_wanted *my, bench_work *w, const bench_instance *it, int index, int first)
{
    enum { OURS = 40, OF_A_PEER = 176 }; /* bytes per pixel or arc */
    const size_t size = first < w->rows.count ? (size_t)bench_size(&w->rows.row[first]) : 0;
    for (int round = 0; round <= my->runs && !signals_caught; round++)
        for (int i = 0; i < w->contestants && !signals_caught; i++) {
            const int turn = round > 0 ? (i + round - 1) % w->contestants : i;
            bench_row *row = &w->rows.row[first + turn];
            const bench_contestant *who = &w->field[turn];
            if (row->reason[0] || enough(my, row) || (!round && who->peer)) continue;
            progress(my, w, index, row, round);
            gather_memory(size * (who->peer ? OF_A_PEER : OURS));
            run_once(my, w, it, who, row, round > 0);
        }
}

static void report_turn(const bench_wanted *my, bench_work *w, int index, int first)
{
    char size[32];
    bench_size_text(&w->rows.row[first], size, sizeof size);
    if (!my->common.quiet && isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
    else if (!my->common.quiet && !w->table)
        fprintf(stderr, "tilecut: [%d/%d] %s %s %s\n", index + 1, w->plan.count, w->rows.row[first].family,
                w->rows.row[first].name, size);
    for (int i = first; i < w->rows.count; i++) {
        const bench_row *row = &w->rows.row[i];
        if (row->differs || row->certified == 0) {
            fprintf(stderr, "tilecut: %s %s %s: %s: %s\n", row->family, row->name, size, row->solver,
                    !row->differs ? row->reason
                    : row->labels ? "other labels than the first row, or an energy that is none of its labels"
                                  : "another flow or mask than the first row");
        }
        if (w->table && !row->unwanted) bench_print_row(row);
    }
    if (w->table) fflush(stdout);
}

/* After an interrupt, drops all rows of the instance if one of them is unfinished. */
static void drop_unfinished(const bench_wanted *my, bench_work *w, int first)
{
    for (int i = first; i < w->rows.count; i++)
        if (!enough(my, &w->rows.row[i]) && !w->rows.row[i].reason[0]) w->rows.count = first;
}

/* Adds the flow that was settled when the graph was read to the flow of every row. */
static int add_settled(bench_work *w, int first, int64_t settled, const bench_spec *spec, failure *why)
{
    for (int i = first; i < w->rows.count; i++)
        if (__builtin_add_overflow(w->rows.row[i].flow, settled, &w->rows.row[i].flow)) {
            w->rows.count = first;
            return fail(why, EXIT_INPUT, "%s: the flow does not fit 64 bits", spec->path ? spec->path : spec->family);
        }
    return EXIT_DONE;
}

/* Chooses the contestants that can solve this problem. */
static int choose_field(bench_work *w, enum bench_problem problem, const bench_spec *spec, failure *why)
{
    w->contestants = 0;
    w->peers = false;
    for (int i = 0; i < w->entrants; i++) {
        if (!(w->entrant[i].solves >> problem & 1)) continue;
        w->field[w->contestants++] = w->entrant[i];
        w->peers = w->peers || (w->entrant[i].peer && w->entrant[i].peer->program);
    }
    return bench_check_solvers(w, problem, spec, why);
}

int bench_check_solvers(const bench_work *w, enum bench_problem problem, const bench_spec *spec, failure *why)
{
    for (int i = 0; i < w->entrants; i++)
        if (!w->entrant[i].peer && w->entrant[i].solves >> problem & 1) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--solvers: none of them solves %s, a problem of the kind %s; auto solves all",
                spec->path ? spec->path : spec->family, bench_problem_name(problem));
}

int bench_measure_instance(bench_wanted *my, bench_work *w, int index, failure *why)
{
    const bench_spec *spec = &w->plan.specs[index];
    bench_instance it = {0};
    const int first = w->rows.count;
    int status = bench_instance_make(spec, &my->request, &it, &w->notes, why);
    if (status == EXIT_DONE) status = choose_field(w, it.problem, spec, why);
    if (status == EXIT_DONE && w->peers) status = make_temporaries(&it, w, why);
    for (int i = 0; i < w->contestants && status == EXIT_DONE; i++)
        if (!add_row(w, spec, &it, &w->field[i])) status = fail(why, EXIT_RESOURCES, "not enough memory");
    if (status == EXIT_DONE) {
        skip_slow(w, first);
        measure_rounds(my, w, &it, index, first);
        if (signals_caught) drop_unfinished(my, w, first);
        status = add_settled(w, first, it.saved.settled, spec, why);
        if (!bench_summarise(&w->rows, first)) w->disagreed = true;
        if (w->rows.count > first) report_turn(my, w, index, first);
    }
    remove_temporaries(w);
    bench_instance_free(&it);
    return status;
}
