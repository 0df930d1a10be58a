/* SPDX-License-Identifier: MIT
 *
 * ladder_parts.c - random graphs and pictures in 1, 2, 3, 5 and 8 parts on all devices there are, and on one: mask,
 * flow and energy are those of `bk` in one part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "part_pieces.h"
#include "random_graph.h"

typedef struct problem {
    int width, height, channels; /* channels: 0 for a graph */
    random_graph graph;
    uint8_t *pixels, *seeds, *expected, *mask;
    tilecut_params params;
    tilecut_report report; /* of one part */
    int devices;           /* to use      */
} problem;

static tilecut_image image_of(const problem *p, int first, int rows)
{
    return (tilecut_image){.width = p->width, .height = rows, .channels = p->channels, .depth = 8,
                           .pixels = p->pixels + (size_t)first * (size_t)(p->width * p->channels)};
}

static void cut_piece(piece *p)
{
    const problem *const whole = p->of;
    tilecut_params params = whole->params;
    params.solver = "cuda";
    params.device = p->number % whole->devices;
    if (whole->channels) {
        const tilecut_image image = image_of(whole, p->from, p->rows);
        p->status = tilecut_part_segment(&p->part, &image, whole->seeds + (size_t)p->from * p->row, &params, p->mask,
                                         &p->report, &p->more);
    } else {
        const tilecut_arrays some = rows_of_arrays(&whole->graph.arrays, p->from, p->rows);
        p->status = tilecut_part_solve(&p->part, &some, &params, p->mask, &p->report, &p->more);
    }
}

/* What is wrong with the answer of so many parts; NULL: nothing. */
static const char *try_parts(const problem *p, int parts, int *waves)
{
    static piece pieces[MOST_PIECES];
    pieces_cut(pieces, parts, p->height, (size_t)p->width, cut_piece, p, p->mask, false);
    const char *const why = pieces_differ_on_device(pieces, parts, &p->report);
    *waves += pieces[0].more.waves;
    if (why) return why;
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
