/* SPDX-License-Identifier: MIT
 *
 * ladder_parts.c - random graphs and pictures in 1, 2, 3, 5 and 8 parts on all devices there are, and on one: mask,
 * flow and energy are those of `bk` in one part.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "random_graph.h"
#include "tilecut_parts.h"

enum { PARTS_MOST = 8 };

typedef struct problem {
    int width, height, channels; /* channels: 0 for a graph */
    random_graph graph;
    uint8_t *pixels, *seeds, *expected, *mask;
    tilecut_params params;
    tilecut_report report; /* of one part */
    int devices;           /* to use      */
} problem;

typedef struct piece {
    const problem *of;
    const tilecut_exchange *exchange;
    pthread_t thread;
    tilecut_status status;
    tilecut_report report;
    tilecut_part_report more;
    char why[200];
} piece;

static tilecut_image image_of(const problem *p, int first, int rows)
{
    return (tilecut_image){.width = p->width, .height = rows, .channels = p->channels, .depth = 8,
                           .pixels = p->pixels + (size_t)first * (size_t)(p->width * p->channels)};
}

static void *cut_piece(void *context)
{
    piece *const own = context;
    const problem *const p = own->of;
    const int number = own->exchange->part, parts = own->exchange->parts, above = number > 0;
    const size_t width = (size_t)p->width;
    tilecut_part part = {.height = p->height, .exchange = own->exchange};
    tilecut_params params = p->params;
    tilecut_part_rows(p->height, parts, number, &part.first, &part.rows);
    const int from = part.first - above, rows = part.rows + above + (number + 1 < parts);
    uint8_t *const mask = malloc((size_t)rows * width);
    params.solver = "cuda";
    params.device = number % p->devices;
    if (p->channels) {
        const tilecut_image image = image_of(p, from, rows);
        own->status = tilecut_part_segment(&part, &image, p->seeds + (size_t)from * width, &params, mask, &own->report,
                                           &own->more);
    } else {
        const tilecut_arrays some = rows_of_arrays(&p->graph.arrays, from, rows);
        own->status = tilecut_part_solve(&part, &some, &params, mask, &own->report, &own->more);
    }
    snprintf(own->why, sizeof own->why, "%s", tilecut_error_detail());
    if (own->status == TILECUT_OK)
        memcpy(p->mask + (size_t)part.first * width, mask + (size_t)above * width, (size_t)part.rows * width);
    free(mask);
    return NULL;
}

/* What is wrong with the answer of so many parts; NULL: nothing. */
static const char *try_parts(const problem *p, int parts, int *waves)
{
    static piece pieces[PARTS_MOST];
    tilecut_exchange *exchanges;
    if (tilecut_exchange_threads(&exchanges, parts) != TILECUT_OK) return "no exchange";
    memset(p->mask, 99, (size_t)p->width * (size_t)p->height);
    for (int i = 0; i < parts; i++) {
        pieces[i] = (piece){.of = p, .exchange = &exchanges[i]};
        pthread_create(&pieces[i].thread, NULL, cut_piece, &pieces[i]);
    }
    for (int i = 0; i < parts; i++) pthread_join(pieces[i].thread, NULL);
    tilecut_exchange_free(exchanges);
    for (int i = 0; i < parts; i++) {
        const tilecut_report *const r = &pieces[i].report;
        if (pieces[i].status != TILECUT_OK) return pieces[i].why;
        if (r->flow != p->report.flow || r->cut != p->report.cut || !r->certified) return "another flow";
        if (r->energy != p->report.energy || r->foreground != p->report.foreground) return "another energy";
        if (strcmp(r->device, "cuda")) return "not on the device";
    }
    *waves += pieces[0].more.waves;
    return memcmp(p->mask, p->expected, (size_t)p->width * (size_t)p->height) ? "another mask" : NULL;
}

static bool solve_whole(problem *p)
{
    tilecut_params params = p->params;
    const tilecut_image image = image_of(p, 0, p->height);
    tilecut_graph *graph = NULL;
    params.solver = "bk";
    if (p->channels) return tilecut_segment(&image, p->seeds, &params, p->expected, &p->report) == TILECUT_OK;
    const bool good = tilecut_graph_create(&graph, &p->graph.arrays) == TILECUT_OK &&
                      tilecut_graph_solve(graph, &params, p->expected, &p->report) == TILECUT_OK;
    tilecut_graph_destroy(graph);
    return good;
}

/* Blobs with noise, a stroke on one of them, background along the left edge; or a graph. */
static void draw(problem *p, uint64_t seed)
{
    static const char *const models[] = {"gmm", "none", "hist", "gmm"};
    uint64_t state = seed;
    p->params = tilecut_params_default();
    if (seed % 2) {
        random_graph_draw(&p->graph, seed, 300, seed % 8 == 1 ? 12 : 260);
        p->width = p->graph.arrays.width;
        p->height = p->graph.arrays.height;
    } else {
        p->width = 30 + random_below(&state, 300);
        p->height = 20 + random_below(&state, 300);
        p->channels = seed % 4 ? 3 : 1;
        p->params.colors = models[seed / 2 % 4];
        p->params.connectivity = seed % 3 ? 4 : 8;
        p->params.iterations = seed % 5 ? 0 : 2;
        p->params.soft_seeds = seed % 7 == 0;
    }
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    p->pixels = malloc(3 * pixels);
    p->seeds = malloc(pixels);
    p->expected = malloc(pixels);
    p->mask = malloc(pixels);
    const int x0 = random_below(&state, p->width), y0 = random_below(&state, p->height), radius = 5 + p->width / 4;
    for (int y = 0, i = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++, i++) {
            const int dx = (x - x0) % (3 * radius), dy = (y - y0) % (4 * radius);
            const bool in = dx * dx + dy * dy < radius * radius;
            for (int c = 0; c < p->channels; c++)
                p->pixels[i * p->channels + c] =
                    (uint8_t)((in ? 150 - 20 * c : 80 + 30 * c) + random_below(&state, 60));
            p->seeds[i] = abs(x - x0) + abs(y - y0) < 6 ? TILECUT_FOREGROUND
                                                        : x == 0 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
        }
    p->seeds[(size_t)(y0 ? 0 : p->height - 1) * (size_t)p->width] = TILECUT_BACKGROUND;
}

int part_answers(int count)
{
    static const int counts[] = {1, 2, 3, 5, 8};
    const size_t numbers = count < 10 ? 2 : sizeof counts / sizeof *counts; /* racecheck takes seconds for a cut */
    const int devices = tilecut_cuda_devices();
    int failures = 0, cuts = 0, waves = 0;
    for (int seed = 1; seed <= count; seed++) {
        problem p = {.devices = seed % 4 ? devices : 1};
        draw(&p, (uint64_t)seed);
        const char *why = solve_whole(&p) ? NULL : tilecut_error_detail();
        for (size_t k = 0; !why && k < numbers; k++) {
            if (counts[k] > p.height) continue;
            why = try_parts(&p, counts[k], &waves);
            cuts++;
            if (why) printf("parts: seed %d, %dx%d in %d: %s\n", seed, p.width, p.height, counts[k], why);
        }
        failures += why != NULL;
        random_graph_free(&p.graph);
        free(p.pixels);
        free(p.seeds);
        free(p.expected);
        free(p.mask);
    }
    printf("parts: %d cuts on %d device%s, %d waves, %d wrong\n", cuts, devices, devices == 1 ? "" : "s", waves,
           failures);
    return failures;
}
