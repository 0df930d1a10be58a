/* SPDX-License-Identifier: MIT
 *
 * ladder_image_times.c - times of images that stay on the device from pixels to mask.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "parallel.h"
#include "synthetic.h"

enum { RUNS = 20, STAGES = 6 };

/* Prints medians of RUNS runs in milliseconds: the whole call, and its stages as reported. */
static void print_stages(const char *what, double times[STAGES][RUNS])
{
    static const char *const names[STAGES] = {"all", "model", "graph", "copy", "solve", "certify"};
    printf("%-28s", what);
    for (int k = 0; k < STAGES; k++) {
        qsort(times[k], RUNS, sizeof times[k][0], by_value);
        printf("  %s %.3f", names[k], times[k][RUNS / 2]);
    }
    printf("  least %.3f ms\n", times[0][0]);
}

static void note_stages(double times[STAGES][RUNS], int run, double all, const tilecut_report *report)
{
    const double stage[STAGES] = {all, report->model_ms, report->graph_ms, report->copy_ms, report->solve_ms,
                                  report->certify_ms};
    for (int k = 0; run >= 0 && k < STAGES; k++) times[k][run] = stage[k];
}

/* Moves every hundredth label: down by four rows, or back up. */
static void move_seeds(const instance *it, uint8_t *seeds, bool away)
{
    const size_t n = (size_t)it->width * (size_t)it->height, shift = 4 * (size_t)it->width;
    memcpy(seeds, it->labels, n);
    for (size_t p = 0; away && p + shift < n; p++)
        if (it->labels[p] && p / 16 % 100 == 0) seeds[p] = TILECUT_UNKNOWN, seeds[p + shift] = it->labels[p];
}

static bool time_session(const instance *it, const tilecut_params *own_params, const tilecut_graph *graph,
                         const char *name, uint8_t *mask)
{
    tilecut_params params = *own_params;
    tilecut_session *session = NULL;
    tilecut_report report = {0};
    double times[STAGES][RUNS];
    char what[64];
    uint8_t *seeds = malloc((size_t)it->width * (size_t)it->height);
    params.solver = "cuda";
    bool good = seeds && tilecut_session_create(&session, (tilecut_graph *)(uintptr_t)graph) == TILECUT_OK &&
                tilecut_session_solve(session, &params, mask, &report) == TILECUT_OK;
    for (int run = -2; good && run < RUNS; run++) {
        move_seeds(it, seeds, run % 2 != 0);
        const double start = tc_now_ms();
        good = tilecut_session_reseed(session, seeds, NULL) == TILECUT_OK &&
               tilecut_session_solve(session, &params, mask, &report) == TILECUT_OK && report.warm;
        note_stages(times, run, tc_now_ms() - start, &report);
    }
    snprintf(what, sizeof what, "%.20s, moved", name);
    if (good) print_stages(what, times);
    tilecut_session_destroy(session);
    free(seeds);
    return good;
}

/* Returns the least time of some runs of cutting `it` with `seeds`, in milliseconds, or a negative value on failure.
 * Times all of tilecut_segment(), or only the part after the CPU has learnt the energy. */
static double least_time(const instance *it, const uint8_t *seeds, const tilecut_params *params, bool learn_here,
                         uint8_t *mask)
{
    const tilecut_image image = {0, it->width, it->height, it->channels, 8, 0, it->pixels};
    double least = -1;
    for (int run = 0; run < 4; run++) {
        const double start = tc_now_ms();
        tilecut_graph *graph = NULL;
        bool good = true;
        if (!learn_here) good = tilecut_segment(&image, seeds, params, mask, NULL) == TILECUT_OK;
        else good = tilecut_graph_from_image(&graph, &image, seeds, params) == TILECUT_OK &&
                    tilecut_graph_segment(graph, params, mask, NULL) == TILECUT_OK;
        tilecut_graph_destroy(graph);
        const double ms = tc_now_ms() - start;
        if (!good) return -1;
        if (least < 0 || ms < least) least = ms;
    }
    return least;
}

/* The kinds of seeds that lesson_times() measures. */
enum { STROKES, FIVE_ITERATIONS, BOX, BOX_AND_STROKES, BEGINNINGS };

static const char *const beginnings[BEGINNINGS] = {"strokes", "5 iterations", "box alone", "box and strokes"};

static void seed_beginning(const instance *it, int beginning, uint8_t *seeds)
{
    const size_t n = (size_t)it->width * (size_t)it->height;
    if (beginning < BOX) memcpy(seeds, it->labels, n);
    else draw_box(seeds, it->width, it->height);
    for (size_t p = 0; beginning == BOX_AND_STROKES && p < n; p++)
        if (it->labels[p] == TILECUT_FOREGROUND && seeds[p] == TILECUT_UNKNOWN) seeds[p] = TILECUT_FOREGROUND;
}

bool lesson_times(const instance *it, const char *name)
{
    const size_t n = (size_t)it->width * (size_t)it->height;
    uint8_t *mask = malloc(2 * n), *const seeds = mask + n;
    bool good = mask != NULL;
    for (int k = 0; good && k < BEGINNINGS; k++) {
        tilecut_params params = tilecut_params_default();
        seed_beginning(it, k, seeds);
        params.iterations = k == FIVE_ITERATIONS ? 5 : 0;
        params.solver = "cuda";
        const double there = least_time(it, seeds, &params, false, mask);
        const double here = least_time(it, seeds, &params, true, mask);
        params.solver = NULL, params.threads = 16;
        const double cpu = least_time(it, seeds, &params, false, mask);
        printf("%-20s %-16s  cuda %.2f  learnt by the CPU %.2f  CPU alone, 16 threads %.2f ms\n", name,
               beginnings[k], there, here, cpu);
        good = there > 0 && here > 0 && cpu > 0;
    }
    free(mask);
    return good;
}

bool image_times(const instance *it, const tilecut_params *own_params, const char *name)
{
    tilecut_params params = *own_params;
    const tilecut_image image = {0, it->width, it->height, it->channels, 8, 0, it->pixels};
    tilecut_graph *graph = NULL;
    tilecut_report report = {0};
    double times[STAGES][RUNS];
    uint8_t *mask = malloc((size_t)it->width * (size_t)it->height);
    bool good = mask != NULL;
    params.solver = "cuda";
    for (int run = -2; good && run < RUNS; run++) {
        const double start = tc_now_ms();
        good = tilecut_segment(&image, it->labels, &params, mask, &report) == TILECUT_OK;
        note_stages(times, run, tc_now_ms() - start, &report);
    }
    if (good) print_stages(name, times);
    good = good && tilecut_graph_from_image(&graph, &image, it->labels, &params) == TILECUT_OK &&
           time_session(it, &params, graph, name, mask);
    if (!good) printf("FAILED %s: %s\n", name, tilecut_error_detail());
    tilecut_graph_destroy(graph);
    free(mask);
    return good;
}
