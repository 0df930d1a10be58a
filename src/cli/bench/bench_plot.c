/* SPDX-License-Identifier: MIT
 *
 * bench_plot.c - draws plots through gnuplot. Each family with several sizes gets a plot of time and one of memory
 * against pixels or arcs, on logarithmic axes, with a line per solver. Below, bars show how much faster than libmaxflow
 * each solver is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

bool bench_can_plot(void)
{
    /* Ask the shell, because popen() uses the shell, too. */
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

enum { SERIES_MOST = 40, PANELS_MOST = 64, PANEL_W = 760, PANEL_H = 480 };

/* A line of a panel: the rows that differ from `first` only in size. */
typedef struct series {
    const bench_row *first;
} series;

typedef struct panel {
    const bench_row *first; /* its family, instance and lambda are those of all rows in the panel */
} panel;

static bool same_panel(const bench_row *a, const bench_row *b)
{
    return bench_same_family(a, b) && !strcmp(a->name, b->name) && !(a->lambda < b->lambda) &&
           !(a->lambda > b->lambda);
}

static bool size_differs(const bench_row *a, const bench_row *b)
{
    return a->nodes != b->nodes || a->arcs != b->arcs;
}

/* Finds the panels whose rows have more than one size. Returns their number. */
static int find_panels(const bench_rows *rows, panel *panels)
{
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        bool known = false, several = false;
        for (int k = 0; k < i; k++) known = known || same_panel(&rows->row[k], &rows->row[i]);
        for (int k = i; k < rows->count; k++)
            several = several || (same_panel(&rows->row[k], &rows->row[i]) &&
                                  size_differs(&rows->row[k], &rows->row[i]));
        if (!known && several && count < PANELS_MOST) panels[count++].first = &rows->row[i];
    }
    return count;
}

static int find_series(const bench_rows *rows, const bench_row *of, series *list)
{
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->row[i];
        bool known = !row->runs || (of && !same_panel(row, of));
        for (int k = 0; k < count; k++) known = known || bench_same_solver(list[k].first, row);
        if (!known && count < SERIES_MOST) list[count++].first = row;
    }
    return count;
}

/* Writes `text` for use within double quotes in gnuplot, leaving out characters that gnuplot would interpret. */
static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++) // NOLINT(clang-analyzer-core.NullDereference): rows that run have names
        if (*text != '\\' && *text != '"' && *text != '`') fputc(*text, out);
}

static void put_title(FILE *out, const bench_row *row)
{
    fputc('"', out);
    put_quoted(out, row->solver);
    if (row->threads > 1) fprintf(out, ", %d threads", row->threads);
    fputc('"', out);
}

/* ---- lines ------------------------------------------------------------------------------------ */

static void put_points(FILE *out, const bench_rows *rows, const bench_row *of, const bench_row *solver, bool memory)
{
    for (int i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->row[i];
        if (!row->runs || !same_panel(row, of) || !bench_same_solver(row, solver)) continue;
        const double megabytes = row->bytes_per_pixel * bench_size(row) / 1048576;
        fprintf(out, "%.0f %.6g\n", bench_size(row), memory ? megabytes : row->total);
    }
    fprintf(out, "e\n");
}

static void put_lines(FILE *out, const bench_rows *rows, const bench_row *of, bool memory)
{
    series list[SERIES_MOST];
    const int count = find_series(rows, of, list);
    fprintf(out, "set title \"%s %s", of->family, memory ? "memory, " : "time, ");
    put_quoted(out, of->name);
    if (of->lambda >= 0) fprintf(out, ", lambda %g", of->lambda);
    fprintf(out, "\"\nset logscale xy\nset format x '%%.0s%%c%s'\nset xlabel '%s'\nset ylabel '%s'\nset grid\n",
            of->arcs ? "" : "px", of->arcs ? "arcs" : "pixels",
            memory ? "graph and solver, MB" : "build + copy + solve, ms");
    fprintf(out, "set key outside right\nplot ");
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s'-' using 1:2 with linespoints lw 2 title ", i ? ", " : "");
        put_title(out, list[i].first);
    }
    fprintf(out, "\n");
    for (int i = 0; i < count; i++) put_points(out, rows, of, list[i].first, memory);
    fprintf(out, "unset logscale\nset format x\n");
}

/* ---- bars ------------------------------------------------------------------------------------- */

static bool same_instance(const bench_row *a, const bench_row *b)
{
    return same_panel(a, b) && a->width == b->width && a->height == b->height &&
           a->slices == b->slices && a->problem == b->problem;
}

static void put_label(FILE *out, const bench_row *row)
{
    char size[32];
    fputc('"', out);
    put_quoted(out, row->family);
    fputc(' ', out);
    put_quoted(out, row->name);
    if (row->lambda >= 0) fprintf(out, " l%g", row->lambda);
    if (row->arcs) bench_size_text(row, size, sizeof size);
    else snprintf(size, sizeof size, "%.0f", sqrt(bench_size(row)));
    fprintf(out, " %s", size);
    fputc('"', out);
}

/* True if the row has the largest size of its panel. Bars show only these rows; the others are points of the
 * lines above. */
static bool is_largest(const bench_rows *rows, const bench_row *one)
{
    for (int i = 0; i < rows->count; i++)
        if (same_panel(&rows->row[i], one) && bench_size(&rows->row[i]) > bench_size(one)) return false;
    return true;
}

static void put_bars_of(FILE *out, const bench_rows *rows, const bench_row *solver)
{
    for (int i = 0; i < rows->count; i++) {
        const bench_row *one = &rows->row[i], *found = NULL;
        if (i && same_instance(one, one - 1)) continue; /* one group of bars per instance */
        if (!is_largest(rows, one)) continue;
        for (int k = i; k < rows->count && same_instance(&rows->row[k], one); k++)
            if (rows->row[k].runs && rows->row[k].ratio_bk > 0 && bench_same_solver(&rows->row[k], solver))
                found = &rows->row[k];
        put_label(out, one);
        if (found) fprintf(out, " %.6g\n", found->ratio_bk);
        else fprintf(out, " NaN\n");
    }
    fprintf(out, "e\n");
}

/* Sets the axis of the bars. It is logarithmic and bars start at its lower end, so that end must lie well below the
 * shortest bar, and below 1. */
static void put_range(FILE *out, const bench_rows *rows)
{
    double least = 1, most = 1;
    for (int i = 0; i < rows->count; i++) {
        const double ratio = rows->row[i].runs ? rows->row[i].ratio_bk : -1;
        if (!(ratio > 0)) continue;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    fprintf(out, "set yrange [%.6g:%.6g]\n", least / 2, most * 2);
}

static void put_bars(FILE *out, const bench_rows *rows)
{
    series list[SERIES_MOST];
    const int count = find_series(rows, NULL, list);
    put_range(out, rows);
    fprintf(out, "set title \"times as fast as libmaxflow (build + copy + solve)\"\nset style data histograms\n"
                 "set style histogram clustered gap 1\nset style fill solid 0.8\nset boxwidth 0.9\nset logscale y\n"
                 "set xtics rotate by -35\nset xlabel ''\nset ylabel 'speed-up'\nset grid y\n"
                 "set key outside right\nplot ");
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s'-' using 2:xtic(1) title ", i ? ", " : "");
        put_title(out, list[i].first);
    }
    fprintf(out, ", 1 with lines lc 'black' notitle\n");
    for (int i = 0; i < count; i++) put_bars_of(out, rows, list[i].first);
}

/* ---- the picture ------------------------------------------------------------------------------ */

static bool any_ratio(const bench_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].runs && rows->row[i].ratio_bk > 0) return true;
    return false;
}

/* Draws two plots for each panel, time and memory. With more than three panels, two panels share a line. */
static bool draw(const bench_rows *rows, const panel *panels, int count, const char *path)
{
    const bool bars = any_ratio(rows);
    const int across = count > 3 ? 2 : 1, lines = (count + across - 1) / across + bars;
    const double width = 0.5 / across, height = 1.0 / lines;
    FILE *out = popen("gnuplot", "w");
    if (!out) return false;
    fprintf(out, "set terminal pngcairo size %d,%d font ',10' noenhanced\nset output '%s'\nset multiplot\n",
            2 * across * PANEL_W, lines * PANEL_H, path);
    for (int i = 0; i < 2 * count; i++) {
        fprintf(out, "set origin %g,%g\nset size %g,%g\n", i % (2 * across) * width,
                1 - (i / (2 * across) + 1) * height, width, height);
        put_lines(out, rows, panels[i / 2].first, i % 2);
    }
    fprintf(out, "set origin 0,0\nset size 1,%g\n", height);
    if (bars) put_bars(out, rows);
    fprintf(out, "unset multiplot\nset output\n");
    const bool written = !ferror(out);
    return pclose(out) == 0 && written;
}

int bench_plot(const bench_rows *rows, const char *name, bytes *png, failure *why)
{
    panel panels[PANELS_MOST];
    const int count = find_panels(rows, panels);
    char path[BENCH_TEMPORARY];
    if (!count && !any_ratio(rows))
        return fail(why, EXIT_RUNTIME,
                    "%s: nothing to plot; it takes several --sizes, or the peer bk to compare with", name);
    bench_temporary(path);
    const int file = strchr(path, '\'') ? -1 : mkstemp(path); /* gnuplot gets the name in single quotes */
    if (file < 0) return fail(why, EXIT_RUNTIME, "%s: no temporary file could be made", path);
    close(file);
    const bool drawn = draw(rows, panels, count, path);
    int status = drawn ? file_read(path, 0, png, why) : fail(why, EXIT_RUNTIME, "%s: gnuplot failed", name);
    unlink(path);
    return status;
}
