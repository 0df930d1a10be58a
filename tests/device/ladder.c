/* SPDX-License-Identifier: MIT
 *
 * ladder.c - compares every GPU solver with the CPU, on a machine with a GPU: same flow, same mask, and each run is
 * certified by the library. Needs no test framework, so it builds wherever nvcc is.
 *
 *     ladder          all parts but `lost`: 1800 random graphs, all families up to 2048^2, 200 runs of the same graph,
 *                     and what follows
 *     ladder PART [N] one part, with N instances: solvers, families (N is the largest side), repeat, indexes, tofro
 *                     (solves that change between the devices), images, volumes, boxes, networks, parts (images and
 *                     volumes in parts on all devices), labels, pairs (matching, assignment, breadth-first search),
 *                     lost (a device that fails in the middle of a call)
 *     ladder time [PHOTO.ppm LABELS.pgm]...
 *                     times of all rungs by image size (docs/lab/gpu.md); photos are rescaled to 1, 4 and 16
 *                     megapixels; labels are 0 unknown, 1 background, 2 foreground
 *     ladder hybrid [FROM] [PHOTO.ppm LABELS.pgm], ladder hybrid-8 ...
 *                     times of `hybrid` and its decisions, with the times of `cuda` and the CPU, for all families and
 *                     the photo; sides are FROM (64), twice that, and so on up to 2048
 *     ladder scans [NAME WIDTH HEIGHT DEPTH]...
 *                     times of scans: 8-bit voxels in NAME.vox or 16-bit voxels in NAME.i16, seeds in NAME.lab
 *     ladder aslant [PHOTO.ppm LABELS.pgm]...
 *                     times of `cuda` with 8 and with 4 neighbours
 *     ladder pair-times [with=NAME,NAME] [runs=N] [threads=N] FAMILY:SIZE[xDEPTH[xDEGREE]]...
 *     ladder network-times [all|best|tune] [SECONDS] FAMILY:SIZE[xDEPTH[xDEGREE]]...
 *                     times of the device's solvers and of the CPU's
 *     ladder whole [PHOTO.ppm LABELS.pgm]...
 *                     times of `cuda` from image to mask, at 1, 4 and 16 megapixels
 *     ladder quick [PHOTO.ppm LABELS.pgm]...
 *                     the same without the CPU's times
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synthetic.h"
#include "ladder.h"
#include "random_graph.h"
#include "solver.h"

static int failures;
static bool quick, whole;

uint8_t *ladder_solve(const tilecut_graph *graph, const char *solver, size_t pixels, tilecut_report *report)
{
    tilecut_params params = tilecut_params_default();
    uint8_t *mask = malloc(pixels);
    params.solver = solver;
    params.threads = 4;
    if (mask && tilecut_graph_solve(graph, &params, mask, report) == TILECUT_OK) return mask;
    printf("FAILED %s: %s\n", solver, mask ? tilecut_error_detail() : "out of memory");
    failures++;
    free(mask);
    return NULL;
}

bool ladder_agrees(const tilecut_graph *graph, const char *solver, size_t pixels, const uint8_t *expected,
                   int64_t flow, tilecut_report *report)
{
    uint8_t *mask = ladder_solve(graph, solver, pixels, report);
    const bool same = mask && report->flow == flow && memcmp(mask, expected, pixels) == 0;
    if (mask && !same) {
        printf("DIFFERS %s: flow %lld, expected %lld; mask %s\n", solver, (long long)report->flow, (long long)flow,
               memcmp(mask, expected, pixels) ? "differs" : "is the same");
        failures++;
    }
    free(mask);
    return same;
}

/* Uses 4 neighbours and, for `cuda` and `hybrid`, 8 as well. */
static void random_graphs(const tc_solver *row, int count)
{
    const bool both = row->can & TC_SOLVES_8;
    const char *const solver = row->name;
    static const int thin[][2] = {{1, 1},  {1, 300}, {300, 1}, {31, 33}, {32, 32},  {33, 31},
                                  {64, 1}, {65, 97}, {128, 5}, {5, 128}, {160, 130}};
    int good = 0, tried = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)count; seed++) {
        const int *size = thin[seed / 2 % (sizeof thin / sizeof *thin)];
        random_graph random;
        tilecut_graph *graph = NULL;
        tilecut_report report = {0};
        if (seed % 2) random_graph_draw(&random, seed, 70, 50);
        else random_graph_init(&random, seed, size[0], size[1], both && seed % 4 == 2 ? 8 : 4);
        const size_t pixels = (size_t)random.arrays.width * (size_t)random.arrays.height;
        if ((both || random.connectivity == 4) && tilecut_graph_create(&graph, &random.arrays) == TILECUT_OK) {
            uint8_t *expected = ladder_solve(graph, "bk", pixels, &report);
            const bool same = expected && ladder_agrees(graph, solver, pixels, expected, report.flow, &report);
            if (!same)
                printf("  seed %llu, %dx%d\n", (unsigned long long)seed, random.arrays.width, random.arrays.height);
            good += same;
            tried++;
            free(expected);
        }
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
    printf("%-14s random graphs up to 300 a side: %d of %d agree with bk\n", solver, good, tried);
}

enum { SOLVERS_MOST = 32, LONG_MS = 250 };

/* Runs all rungs on one instance. last_ms[row] is the time of a solver at the previous size, 0 at first. If it was
 * long, a historic solver is skipped, since it might take sixteen times as long. */
static void family_instance(const family *kind, int size, double last_ms[SOLVERS_MOST])
{
    const family_request request = {.size = size, .seed = 1, .lambda = -1};
    const bool maze = strcmp(kind->name, "maze") == 0;
    instance it;
    tilecut_graph *graph = NULL;
    tilecut_report reference = {0}, report = {0};
    failure why;
    memset(&it, 0, sizeof it);
    if (instance_make(kind, &request, &it, &why) != EXIT_DONE || instance_graph(&it, NULL, &graph) != TILECUT_OK) {
        printf("FAILED %s %d: could not be made\n", kind->name, size);
        failures++;
        instance_free(&it);
        return;
    }
    const size_t pixels = (size_t)it.width * (size_t)it.height;
    uint8_t *expected = ladder_solve(graph, size > 512 || maze ? "push" : "bk", pixels, &reference);
    for (const tc_solver *row = tc_solvers; expected && row->name; row++) {
        const bool winner = strcmp(row->name, "cuda") == 0 || strcmp(row->name, "hybrid") == 0;
        double *const last = &last_ms[row - tc_solvers];
        if (!(row->can & TC_ON_CUDA) || (!winner && *last > LONG_MS)) continue;
        const bool same = ladder_agrees(graph, row->name, pixels, expected, reference.flow, &report);
        *last = report.solve_ms;
        printf("%-14s %-8s %4d  %9.3f ms  flow %-11lld %s\n", row->name, kind->name, size, report.solve_ms,
               (long long)report.flow, same ? "agrees" : "DIFFERS");
    }
    free(expected);
    tilecut_graph_destroy(graph);
    instance_free(&it);
}

/* Runs one case repeatedly. Order and timing may differ, but the mask must not. */
static void repeat(int runs)
{
    const family_request request = {.size = 512, .seed = 2, .lambda = -1};
    instance it;
    tilecut_graph *graph = NULL;
    tilecut_report first = {0}, report = {0};
    failure why;
    int same = 0;
    memset(&it, 0, sizeof it);
    if (instance_make(family_find("random"), &request, &it, &why) == EXIT_DONE &&
        instance_graph(&it, NULL, &graph) == TILECUT_OK) {
        const size_t pixels = (size_t)it.width * (size_t)it.height;
        uint8_t *mask = ladder_solve(graph, "cuda", pixels, &first);
        for (int i = 0; mask && i < runs; i++) same += ladder_agrees(graph, "cuda", pixels, mask, first.flow, &report);
        free(mask);
    }
    printf("%-14s random 512: %d of %d runs give the same mask\n", "cuda", same, runs);
    failures += same != runs;
    tilecut_graph_destroy(graph);
    instance_free(&it);
}

/* ---- Times ------------------------------------------------------------------------------------ */

enum { RUNS = 20 };

int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints the median time of solving a grid that is already on the device: RUNS runs, fewer if it is slow, after a first
 * one that does not count. */
static void time_solver(const tilecut_graph *graph, const char *solver, const char *what, int runs)
{
    int width, height, connectivity, done = 0;
    double times[RUNS], sum = 0, copy = 0;
    tilecut_report report = {0};
    tilecut_graph_size(graph, &width, &height, &connectivity);
    for (int i = 0; i <= runs && (i < 2 || sum < 4000); i++) {
        uint8_t *mask = ladder_solve(graph, solver, (size_t)width * (size_t)height, &report);
        if (!mask) return;
        if (i > 0) times[done++] = report.solve_ms, copy = report.copy_ms;
        sum += report.solve_ms;
        free(mask);
    }
    qsort(times, (size_t)done, sizeof *times, by_value);
    printf("%-14s %-22s %5dx%-5d %10.3f ms (%.3f .. %.3f, %d runs; around it %.1f)  flow %lld\n", solver, what, width,
           height, times[done / 2], times[0], times[done - 1], done, copy, (long long)report.flow);
}

typedef enum contestants { CUDA_ALONE, CUDA_AND_BK, ALL_OF_THEM } contestants;

static void time_instance(const family *kind, const family_request *request, const char *what, contestants who)
{
    instance it;
    tilecut_graph *graph = NULL;
    failure why;
    memset(&it, 0, sizeof it);
    if (instance_make(kind, request, &it, &why) == EXIT_DONE && instance_graph(&it, NULL, &graph) == TILECUT_OK) {
        for (const tc_solver *row = tc_solvers; row->name; row++)
            if ((who == ALL_OF_THEM && !quick) || strcmp(row->name, "cuda") == 0 ||
                (who == CUDA_AND_BK && !quick && strcmp(row->name, "bk") == 0))
                time_solver(graph, row->name, what, row->can & TC_ON_CUDA ? RUNS : 3);
    } else {
        printf("FAILED %s: could not be made\n", what);
        failures++;
    }
    tilecut_graph_destroy(graph);
    instance_free(&it);
}

/* Reads a binary PNM file of 8 bits: P5 or P6 without comments. Returns NULL for other files. */
static uint8_t *read_pnm(const char *path, int *width, int *height, int *channels)
{
    FILE *file = fopen(path, "rb");
    uint8_t *pixels = NULL;
    char kind;
    if (!file) return NULL;
    if (fscanf(file, "P%c %d %d 255", &kind, width, height) == 3 && fgetc(file) != EOF) {
        *channels = kind == '6' ? 3 : 1;
        const size_t size = (size_t)*width * (size_t)*height * (size_t)*channels;
        pixels = malloc(size);
        if (pixels && fread(pixels, 1, size, file) != size) free(pixels), pixels = NULL;
    }
    fclose(file);
    return pixels;
}

/* Times `cuda` from image to mask at the three sizes. */
static void time_whole(const family_photo *photo, const char *name)
{
    for (int size = 1024; size <= 4096; size *= 2) {
        const family_request request = {.size = size, .seed = 1, .lambda = 50, .photo = photo};
        instance it;
        failure why;
        char what[64];
        const tilecut_params defaults = tilecut_params_default();
        const bool made = instance_make(family_find("photo"), &request, &it, &why) == EXIT_DONE;
        snprintf(what, sizeof what, "%.10s %d %s", name, size, it.params.colors);
        if (!made || !image_times(&it, &it.params, what)) failures++;
        snprintf(what, sizeof what, "%.10s %d", name, size);
        if (!made || !image_times(&it, &defaults, what)) failures++;
        if (made && size == 1024 && !lesson_times(&it, what)) failures++;
        instance_free(&it);
    }
}

/* Reads the photo `path` and its labels; the caller frees the memory. Returns false on failure, after printing and
 * counting it. */
static bool read_photo(const char *path, const char *labels_path, family_photo *out)
{
    int width, height, one;
    out->pixels = read_pnm(path, &out->width, &out->height, &out->channels);
    out->labels = read_pnm(labels_path, &width, &height, &one);
    if (out->pixels && out->labels && width == out->width && height == out->height && one == 1) return true;
    printf("FAILED %s: no binary PPM or PGM, or its labels do not fit\n", path);
    failures++;
    return false;
}

static void free_photo(family_photo *photo)
{
    free((void *)photo->pixels);
    free((void *)photo->labels);
}

static void time_photo(const char *path, const char *labels_path, bool first)
{
    family_photo photo = {0};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (read_photo(path, labels_path, &photo)) {
        if (whole) time_whole(&photo, name);
        for (int k = 0; !whole && k < 4; k++) {
            char what[64];
            const family_request request = {.size = 1024 << (k < 3 ? k : 0), .seed = 1, .lambda = k < 3 ? 50 : 200,
                                            .photo = &photo};
            snprintf(what, sizeof what, "%.16s l%.0f", name, request.lambda);
            time_instance(family_find("photo"), &request, what,
                          k > 0 ? CUDA_ALONE : first ? ALL_OF_THEM : CUDA_AND_BK);
        }
    }
    free_photo(&photo);
}

/* Times `cuda` with 4 and with 8 neighbours, on the graph alone and from image to mask, and on families with
 * diagonals. */
static void time_aslant(const char *path, const char *labels_path)
{
    static const struct {
        int size;
        double lambda;
    } cases[] = {{1024, 10}, {1024, 50}, {1024, 200}, {2048, 50}, {4096, 50}};
    family_photo photo = {0};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (read_photo(path, labels_path, &photo))
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            for (int neighbours = 4; neighbours <= 8; neighbours += 4) {
                char what[64];
                const family_request request = {.size = cases[k].size, .seed = 1, .lambda = cases[k].lambda,
                                                .photo = &photo, .connectivity = neighbours};
                instance it;
                failure why;
                const bool made = instance_make(family_find("photo"), &request, &it, &why) == EXIT_DONE;
                it.params.connectivity = neighbours;
                snprintf(what, sizeof what, "%.10s %d l%.0f, %d", name, cases[k].size, cases[k].lambda, neighbours);
                if (!made || !image_times(&it, &it.params, what)) failures++;
                instance_free(&it);
            }
    free_photo(&photo);
}

static void time_all(int count, char **photos)
{
    static const char *const others[] = {"spot", "frame", "random", "checker"};
    for (int size = 256; size <= 4096; size *= 2) {
        const family_request request = {.size = size, .seed = 1, .lambda = -1};
        time_instance(family_find("hussein"), &request, "hussein", ALL_OF_THEM);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const family_request request = {.size = 1024, .seed = 1, .lambda = -1};
        time_instance(family_find(others[i]), &request, others[i], CUDA_AND_BK);
    }
    for (int i = 0; i + 1 < count; i += 2) time_photo(photos[i], photos[i + 1], i == 0);
}

static int hybrid(int count, char **words, int connectivity)
{
    const int from = count > 0 ? atoi(words[0]) : 0;
    const int at = from > 0;
    family_photo photo = {0};
    const bool given = count - at >= 2 && read_photo(words[at], words[at + 1], &photo);
    failures += hybrid_to_and_fro(60);
    failures += hybrid_times(at ? from : 64, 2048, connectivity, given ? &photo : NULL);
    free_photo(&photo);
    return failures ? 1 : 0;
}

/* ---- Answers ------------------------------------------------------------------------------------ */

/* Random graphs for each solver of the device. */
static int solver_answers(int count)
{
    const int before = failures;
    for (const tc_solver *row = tc_solvers; row->name; row++)
        if (row->can & TC_ON_CUDA) random_graphs(row, count);
    return failures - before;
}

/* All families with sides from 64 to `largest`. */
static int family_answers(int largest)
{
    const int before = failures;
    for (const family *kind = families; kind->name; kind++) {
        double last_ms[SOLVERS_MOST] = {0};
        for (int size = 64; size <= largest && !kind->needs_photo; size *= 2) family_instance(kind, size, last_ms);
    }
    return failures - before;
}

static int repeat_answers(int runs)
{
    const int before = failures;
    repeat(runs);
    return failures - before;
}

/* Asks for a missing device, too, which memcheck reports as an error. */
static int index_answers(int count)
{
    (void)count;
    return device_indexes();
}

static int lost_answers(int count)
{
    (void)count;
    return device_lost();
}

/* The parts, in the order in which they run, each with how much it does unless a number is given. */
static const struct part {
    const char *name;
    int (*answers)(int count);
    int count;
    bool alone; /* true: the process has no device afterwards, so only a process of its own runs it */
} parts[] = {
    {"solvers", solver_answers, 300, false}, {"families", family_answers, 2048, false},
    {"repeat", repeat_answers, 200, false},  {"indexes", index_answers, 1, false},
    {"tofro", hybrid_to_and_fro, 60, false}, {"images", image_answers, 300, false},
    {"volumes", volume_answers, 300, false}, {"boxes", box_answers, 12, false},
    {"networks", network_answers, 600, false}, {"parts", part_answers, 300, false},
    {"labels", label_answers, 60, false},    {"pairs", pair_answers, 600, false},
    {"lost", lost_answers, 1, true},
};

/* Runs the part with that name or, if `name` is NULL, all but those that run alone. Returns -1 if there is none of that
 * name, or else the number of wrong answers. */
static int answers_of(const char *name, int count)
{
    bool found = false;
    int wrong = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (name ? strcmp(name, parts[i].name) != 0 : parts[i].alone) continue;
        wrong += parts[i].answers(count > 0 ? count : parts[i].count);
        found = true;
    }
    return found ? wrong : -1;
}

int main(int argc, char **argv)
{
    const char *const name = argc > 1 ? argv[1] : NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const int wrong = answers_of(name, argc > 2 ? atoi(argv[2]) : 0);
    if (wrong >= 0) {
        printf("ladder: %d failures\n", wrong);
        return wrong ? 1 : 0;
    }
    if (strcmp(name, "hybrid") == 0) return hybrid(argc - 2, argv + 2, 4);
    if (strcmp(name, "hybrid-8") == 0) return hybrid(argc - 2, argv + 2, 8);
    quick = strcmp(name, "quick") == 0;
    whole = strcmp(name, "whole") == 0;
    if (strcmp(name, "pair-times") == 0) return pair_times(argc - 2, argv + 2) ? 1 : 0;
    if (strcmp(name, "network-times") == 0) return network_times(argc - 2, argv + 2) ? 1 : 0;
    for (int i = 2; i + 3 < argc && strcmp(name, "scans") == 0; i += 4)
        failures += !volume_times(argv[i], atoi(argv[i + 1]), atoi(argv[i + 2]), atoi(argv[i + 3]));
    for (int i = 2; i + 1 < argc && strcmp(name, "aslant") == 0; i += 2) time_aslant(argv[i], argv[i + 1]);
    for (int i = 2; i + 1 < argc && whole; i += 2) time_photo(argv[i], argv[i + 1], false);
    if (quick || strcmp(name, "time") == 0) {
        time_all(argc - 2, argv + 2);
    } else if (!whole && strcmp(name, "scans") && strcmp(name, "aslant")) {
        printf("ladder: there is no part '%s'\n", name);
        return 2;
    }
    return failures ? 1 : 0;
}
