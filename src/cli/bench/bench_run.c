/* SPDX-License-Identifier: MIT
 *
 * bench_run.c - makes one run of one solver within a time limit, and computes the figures from several runs.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "bench.h"
#include "machine.h"
#include "signals.h"

/* ---- the time limit --------------------------------------------------------------------------- */

/* The flag that solvers poll. A coarse timer raises it at the time limit and after Ctrl-C. The limit refers to the
 * clock that times the runs, so under tools/processor-time it is processor time. */
static tilecut_flag stop;
static double deadline; /* time in machine_ms() at which the run is stopped; written only while no timer runs */

static void on_tick(int number)
{
    (void)number;
    if (signals_caught || machine_ms() > deadline) tilecut_flag_raise(&stop);
}

enum { TICK_MS = 50 };

static void watch(double seconds)
{
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    const struct itimerval tick = {.it_interval = {.tv_usec = TICK_MS * 1000}, .it_value = {.tv_usec = TICK_MS * 1000}};
    const struct itimerval none = {0};
    sigemptyset(&action.sa_mask);
    tilecut_flag_lower(&stop);
    setitimer(ITIMER_REAL, &none, NULL);
    deadline = machine_ms() + seconds * 1000;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, seconds > 0 ? &tick : &none, NULL);
}

/* ---- one run ---------------------------------------------------------------------------------- */

static bool leave_out(bench_row *row, tilecut_status status, double seconds)
{
    const char *detail = tilecut_error_detail();
    /* It is no error if the solver cannot take this graph or needs a device that is missing. */
    row->unwanted = status == TILECUT_EINVAL || status == TILECUT_ENODEVICE;
    row->no_device = status == TILECUT_ENODEVICE;
    row->overtime = status == TILECUT_ECANCELLED;
    if (row->overtime)
        snprintf(row->reason, sizeof row->reason, "took more than %g s", seconds);
    else
        snprintf(row->reason, sizeof row->reason, "%s", *detail ? detail : tilecut_strerror(status));
    if (status == TILECUT_EUNPROVEN) row->certified = 0;
    return false;
}

/* First solves with moved seeds. Then moves them back and solves again; report and mask are those of the
 * second solve. */
static tilecut_status solve_again(const bench_instance *it, const tilecut_params *params, uint8_t *mask,
                                  tilecut_report *report, double *all)
{
    tilecut_session *session = NULL;
    tilecut_status status = tilecut_session_create(&session, it->photo);
    if (status == TILECUT_OK) status = tilecut_session_reseed(session, it->moved, NULL);
    if (status == TILECUT_OK) status = tilecut_session_solve(session, params, mask, NULL);
    const double start = machine_ms();
    if (status == TILECUT_OK) status = tilecut_session_reseed(session, it->made.labels, NULL);
    const double reseeding = machine_ms() - start;
    if (status == TILECUT_OK) status = tilecut_session_solve(session, params, mask, report);
    *all = machine_ms() - start;
    report->graph_ms += reseeding;
    tilecut_session_destroy(session);
    return status;
}

static tilecut_status solve_whole(const bench_instance *it, const tilecut_params *own_params, uint8_t *mask,
                                  tilecut_report *report)
{
    const instance *made = &it->made;
    const tilecut_image photo = {.width = made->width, .height = made->height, .channels = made->channels, .depth = 8,
                                 .pixels = made->pixels};
    tilecut_params params = made->params;
    params.iterations = TILECUT_NONE; /* one cut, as in the other rows */
    params.islands = 1;               /* keep all islands, as the other rows do */
    params.solver = own_params->solver;
    params.threads = own_params->threads;
    params.cancel = own_params->cancel;
    return tilecut_segment(&photo, made->labels, &params, mask, report);
}

/* Makes one run. *all becomes the milliseconds of the timed call. */
static tilecut_status solve_as(enum bench_method way, const bench_instance *it, const tilecut_params *params,
                               uint8_t *mask, tilecut_report *report, double *all)
{
    const double start = machine_ms();
    tilecut_status status;
    if (way == BENCH_WARM) return solve_again(it, params, mask, report, all);
    if (way == BENCH_WHOLE) status = solve_whole(it, params, mask, report);
    else if (it->slices) status = tilecut_volume_solve(&it->volume, params, mask, report);
    else status = tilecut_graph_solve(it->graph, params, mask, report);
    *all = machine_ms() - start;
    return status;
}

bool bench_run_solver(const bench_instance *it, const char *solver, double seconds, bench_row *row, bench_times *times)
{
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    double all = 0;
    const size_t pixels = (size_t)row->nodes;
    if (row->way != BENCH_COLD && !it->photo) {
        snprintf(row->reason, sizeof row->reason, row->way == BENCH_WARM ? "no seeds to move" : "no photo");
        row->unwanted = true;
        return false;
    }
    if (it->problem != BENCH_GRID) {
        watch(seconds);
        const tilecut_status status = (it->problem == BENCH_LABELS ? bench_run_labels : bench_run_network)(
            it, solver, &stop, row, times);
        watch(0);
        return status == TILECUT_OK || leave_out(row, status, seconds);
    }
    uint8_t *mask = malloc(pixels);
    if (!mask) return leave_out(row, TILECUT_ENOMEM, seconds);
    params.solver = solver;
    params.threads = row->threads;
    params.cancel = &stop;
    watch(seconds);
    const tilecut_status status = solve_as(row->way, it, &params, mask, &report, &all);
    watch(0);
    if (status == TILECUT_OK) {
        const double model = row->way == BENCH_WHOLE ? report.model_ms : 0;
        *times = (bench_times){model + report.graph_ms, report.copy_ms, report.solve_ms, all};
        row->flow = report.flow;
        row->certified = report.certified;
        row->bytes_per_pixel = report.bytes_per_pixel;
        row->device = report.device;
        row->chosen = report.solver;
        sha256(mask, pixels, row->mask_sha256);
    }
    free(mask);
    return status == TILECUT_OK || leave_out(row, status, seconds);
}

void bench_temporary(char out[BENCH_TEMPORARY])
{
    static const char name[] = "tilecut-bench-" "XX" "XX" "XX";
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || strlen(folder) + sizeof name + 1 > BENCH_TEMPORARY) folder = "/tmp";
    snprintf(out, BENCH_TEMPORARY, "%s/%s", folder, name);
}

/* ---- the figures of several runs --------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    /* cppcheck-suppress uninitvar ; the caller filled `count` of them */
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void summarise_row(bench_row *row)
{
    double build[BENCH_RUNS_MOST], copy[BENCH_RUNS_MOST], solve[BENCH_RUNS_MOST], total[BENCH_RUNS_MOST];
    double all[BENCH_RUNS_MOST];
    for (int i = 0; i < row->runs; i++) {
        build[i] = row->run[i].build;
        copy[i] = row->run[i].copy;
        solve[i] = row->run[i].solve;
        total[i] = build[i] + copy[i] + solve[i];
        all[i] = row->run[i].all;
    }
    row->median = (bench_times){median(build, row->runs), median(copy, row->runs), median(solve, row->runs),
                                median(all, row->runs)};
    row->total = median(total, row->runs);
    row->solve_min = solve[0]; /* median() has sorted them */
    row->total_min = total[0];
}

double bench_size(const bench_row *row)
{
    return row->arcs ? (double)row->arcs : (double)row->nodes;
}

void bench_size_text(const bench_row *row, char *out, size_t room)
{
    if (row->slices) snprintf(out, room, "%dx%dx%d", row->width, row->height, row->slices);
    else if (row->height) snprintf(out, room, "%dx%d", row->width, row->height);
    else if (row->width) snprintf(out, room, "%d", row->width);
    else snprintf(out, room, "-");
}

static bool agrees(const bench_row *a, const bench_row *b)
{
    return a->flow == b->flow && (!a->mask_sha256[0] || !b->mask_sha256[0] || !strcmp(a->mask_sha256, b->mask_sha256));
}

/* True if the row's energy is below a lower bound that a contestant has found for the same instance. */
static bool is_below(const bench_rows *rows, int first, const bench_row *row)
{
    for (int i = first; i < rows->count; i++)
        if (rows->row[i].runs && rows->row[i].bounded && (double)row->flow < rows->row[i].bound) return true;
    return false;
}

bool bench_summarise(bench_rows *rows, int first)
{
    const bench_row *one = NULL, *bk = NULL;
    bool agreed = true;
    for (int i = first; i < rows->count; i++) {
        bench_row *row = &rows->row[i];
        row->ratio_bk = row->ratio_bk_min = -1;
        if (!row->runs) {
            agreed = agreed && row->certified != 0;
            continue;
        }
        summarise_row(row);
        if (!one && !row->may_differ) one = row;
        row->differs = row->differs || is_below(rows, first, row) || (one && !row->may_differ && !agrees(one, row));
        agreed = agreed && !row->differs;
        if (!strcmp(row->solver, "peer:bk")) bk = row;
    }
    /* If any answer is wrong, the instance has no ratios. */
    for (int i = first; agreed && bk && i < rows->count; i++) {
        bench_row *row = &rows->row[i];
        if (!row->runs) continue;
        row->ratio_bk = bk->total / row->total;
        row->ratio_bk_min = bk->total_min / row->total_min;
    }
    return agreed;
}
