/* SPDX-License-Identifier: MIT
 *
 * bench_summary.c - summaries over many rows: geometric means of ratios by family, and `auto` against the fastest
 * solver.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

bool bench_same_solver(const bench_row *a, const bench_row *b)
{
    return !strcmp(a->solver, b->solver) && a->threads == b->threads;
}

bool bench_same_family(const bench_row *a, const bench_row *b)
{
    return a->file == b->file && !strcmp(a->family, b->family);
}

static bool report(const bench_row *row)
{
    return row->runs && row->ratio_bk > 0;
}

/* Prints the line for the family and solver of row `first`, unless an earlier row has the same family and solver. */
static void print_ratio(const bench_rows *rows, int first)
{
    const bench_row *one = &rows->row[first];
    double logs = 0, least = INFINITY;
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->row[i];
        if (!report(row) || !bench_same_family(row, one) || !bench_same_solver(row, one)) continue;
        if (i < first) return;
        logs += log(row->ratio_bk);
        least = fmin(least, row->ratio_bk);
        count++;
    }
    if (count)
        printf("  %-10s %-14s %3d thr  %8.2f  %8.2f  %4d\n", one->file ? one->name : one->family, one->solver,
               one->threads, exp(logs / count), least, count);
}

static bool same_instance(const bench_row *a, const bench_row *b)
{
    return bench_same_family(a, b) && !strcmp(a->name, b->name) && a->width == b->width &&
           a->height == b->height && a->slices == b->slices && a->arcs == b->arcs &&
           !(a->lambda < b->lambda) && !(a->lambda > b->lambda);
}

/* Returns the time of a row of auto divided by that of the fastest named solver with the same device and threads; 0 if
 * no such solver ran. */
static double loss_of(const bench_rows *rows, const bench_row *choice)
{
    double best = INFINITY;
    for (int i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->row[i];
        if (row->runs && row->chosen && row != choice && strcmp(row->solver, "auto") && row->way == BENCH_COLD &&
            row->threads == choice->threads && !strcmp(row->device, choice->device) && same_instance(row, choice))
            best = fmin(best, row->total);
    }
    return isinf(best) ? 0 : choice->total / best;
}

static void print_choice(const bench_rows *rows)
{
    const bench_row *worst = NULL;
    double most = 0;
    for (int i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->row[i];
        if (!row->runs || strcmp(row->solver, "auto")) continue;
        const double loss = loss_of(rows, row);
        if (loss > most) {
            most = loss;
            worst = row;
        }
    }
    if (!worst) return;
    char size[32];
    bench_size_text(worst, size, sizeof size);
    if (most > 1)
        printf("auto took at most %.2f times as long as the fastest solver beside it (it chose %s for %s %s %s)\n",
               most, worst->chosen, worst->family, worst->name, size);
    else
        printf("auto was faster than every solver beside it, by a factor of at least %.2f (%s on %s %s %s)\n", 1 / most,
               worst->chosen, worst->family, worst->name, size);
}

void bench_print_summary(const bench_rows *rows)
{
    bool any = false;
    for (int i = 0; i < rows->count; i++) any = any || report(&rows->row[i]);
    if (any) printf("times as fast as libmaxflow: geometric mean, least, instances\n");
    for (int i = 0; i < rows->count; i++)
        if (report(&rows->row[i])) print_ratio(rows, i);
    print_choice(rows);
}
