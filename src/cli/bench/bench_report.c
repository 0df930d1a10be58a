/* SPDX-License-Identifier: MIT
 *
 * bench_report.c - prints rows as a table for people, as CSV and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "json.h"
#include "machine.h"

/* ---- table ------------------------------------------------------------------------------------ */

void bench_print_head(void)
{
    printf("%-11s %-14s %11s %6s  %-14s %3s %9s %9s %9s %9s %9s %7s %4s %7s\n", "family", "instance", "size", "lambda",
           "solver", "thr", "build", "copy", "solve", "least", "all", "B/px", "ok", "x bk");
}

static const char *verdict(const bench_row *row)
{
    return row->differs || row->certified == 0 ? "NO" : row->certified < 0 ? "-" : "yes";
}

void bench_print_row(const bench_row *row)
{
    char size[32], lambda[32] = "-", ratio[32] = "-", solver[2 * BENCH_NAME];
    const bool other = row->chosen && strcmp(row->chosen, row->solver); /* prints "auto (bk)" */
    snprintf(solver, sizeof solver, other ? "%s (%s)" : "%s", row->solver, row->chosen);
    bench_size_text(row, size, sizeof size);
    if (row->lambda >= 0) snprintf(lambda, sizeof lambda, "%g", row->lambda);
    printf("%-11s %-14s %11s %6s  %-14s %3d ", row->family, row->name, size, lambda, solver, row->threads);
    if (!row->runs) {
        printf("left out: %s\n", row->reason);
        return;
    }
    if (row->ratio_bk >= 0) snprintf(ratio, sizeof ratio, "%.2f", row->ratio_bk);
    printf("%9.2f %9.2f %9.2f %9.2f %9.2f %7.1f %4s %7s", row->median.build, row->median.copy, row->median.solve,
           row->solve_min, row->median.all, row->bytes_per_pixel, verdict(row), ratio);
    if (row->labels) printf("  energy %" PRId64, row->flow);
    if (row->bounded) printf(", at least %.15g", row->bound);
    putchar('\n');
}

/* ---- CSV -------------------------------------------------------------------------------------- */

static bool put_line(bytes *out, const bench_row *row)
{
    char line[600], lambda[40] = "", ratio[40] = "", bound[40] = "";
    if (row->lambda >= 0) snprintf(lambda, sizeof lambda, "%g", row->lambda);
    if (row->ratio_bk >= 0) snprintf(ratio, sizeof ratio, "%.3f", row->ratio_bk);
    if (row->bounded) snprintf(bound, sizeof bound, "%.15g", row->bound);
    const int length = snprintf(
        line, sizeof line, "%s,%s,%d,%d,%s,%s,%s,%d,%.3f,%.3f,%.3f,%.3f,%.2f,%" PRId64 ",%s,%s,%s,%.3f,%s,%" PRId64
        ",%" PRId64 ",%d,%d,%d,%s\n", row->family, row->name, row->width, row->height, lambda, row->solver, row->device,
        row->threads, row->median.build, row->median.copy, row->median.solve, row->solve_min, row->bytes_per_pixel,
        row->flow, row->mask_sha256, row->certified < 0 ? "" : row->certified && !row->differs ? "1" : "0", ratio,
        row->median.all, bench_problem_name(row->problem), row->nodes, row->arcs,
        row->slices, row->connectivity, row->labels, bound);
    return bytes_append(out, line, (size_t)length);
}

bool bench_csv(const bench_rows *rows, bytes *out)
{
    static const char head[] = "family,instance,width,height,lambda,solver,device,threads,build_ms,copy_ms,solve_ms,"
                               "solve_ms_min,bytes_per_pixel,flow,mask_sha256,certified,ratio_bk,all_ms,problem,"
                               "nodes,arcs,slices,connectivity,labels,bound\n";
    bool held = bytes_append(out, head, sizeof head - 1);
    for (int i = 0; held && i < rows->count; i++)
        if (rows->row[i].runs) held = put_line(out, &rows->row[i]);
    return held;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void put_optional(json *j, const char *key, double value)
{
    json_real(j, key, value >= 0 ? value : NAN);
}

static void put_runs(json *j, const bench_row *row)
{
    json_open(j, "runs", '[');
    for (int i = 0; i < row->runs; i++) {
        json_open(j, NULL, '[');
        json_real(j, NULL, row->run[i].build);
        json_real(j, NULL, row->run[i].copy);
        json_real(j, NULL, row->run[i].solve);
        json_close(j, ']');
    }
    json_close(j, ']');
}

static void put_result(json *j, const bench_row *row)
{
    JSON_MEMBERS(j, row, chosen, device);
    json_real(j, "build_ms", row->median.build);
    json_real(j, "copy_ms", row->median.copy);
    json_real(j, "solve_ms", row->median.solve);
    json_real(j, "solve_ms_min", row->solve_min);
    json_real(j, "all_ms", row->median.all);
    json_real(j, "total_ms", row->total);
    json_real(j, "total_ms_min", row->total_min);
    JSON_MEMBERS(j, row, bytes_per_pixel, flow);
    json_real(j, "bound", row->bounded ? row->bound : NAN);
    json_text(j, "mask_sha256", row->mask_sha256[0] ? row->mask_sha256 : NULL);
    if (row->certified < 0) json_null(j, "certified");
    else json_bool(j, "certified", row->certified);
    json_bool(j, "agrees", !row->differs);
    put_optional(j, "ratio_bk", row->ratio_bk);
    put_optional(j, "ratio_bk_min", row->ratio_bk_min);
    put_runs(j, row);
}

static void put_row(json *j, const bench_row *row)
{
    json_open(j, NULL, '{');
    json_text(j, "family", row->family);
    json_text(j, "instance", row->name);
    JSON_MEMBERS(j, row, width, height);
    put_optional(j, "lambda", row->lambda);
    json_text(j, "problem", bench_problem_name(row->problem));
    JSON_MEMBERS(j, row, nodes, arcs, slices, connectivity, labels, solver, threads);
    if (row->runs) put_result(j, row);
    else json_text(j, "left_out", row->reason);
    json_close(j, '}');
}

int bench_json(const bench_rows *rows, const bench_context *story, const char *path, failure *why)
{
    json j = {0};
    json_begin(&j);
    json_text(&j, "machine", story->machine);
    json_integer(&j, "processors", machine_processors());
    json_integer(&j, "rounds", story->rounds);
    json_bool(&j, "interrupted", story->interrupted);
    json_open(&j, "rows", '[');
    for (int i = 0; i < rows->count; i++) put_row(&j, &rows->row[i]);
    json_close(&j, ']');
    json_warnings(&j, story->notes);
    return json_write(&j, path, why);
}
