/* SPDX-License-Identifier: MIT */
#include "random_graph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int random_below(uint64_t *state, int n)
{
    return (int)(random_next(state) >> 33) % n;
}

int random_side(uint64_t *state)
{
    static const int sides[] = {1, 31, 32, 33, 65};
    return random_below(state, 3) ? 1 + random_below(state, 9) : sides[random_below(state, 5)];
}

int count_unequal(const uint8_t *one, const uint8_t *other, int pixels)
{
    int count = 0;
    for (int p = 0; p < pixels; p++) count += one[p] != other[p];
    return count;
}

uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *const text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Draws one capacity of the given kind. With `terminal` it may be larger, and zero more often. */
static int32_t draw(uint64_t *state, int kind, int terminal)
{
    switch (kind) {
    case 0: return random_below(state, 3);                                   /* many ties */
    case 1: return terminal && random_below(state, 20) ? 0 : random_below(state, 100); /* sparse    */
    case 2: return random_below(state, 4) ? 0 : 1 + random_below(state, 5);  /* mostly zero         */
    case 3: return random_below(state, terminal ? 1 << 21 : 1 << 18);        /* the range of photos */
    case 4: return terminal ? random_below(state, 50) : 10;                  /* equal links         */
    default: return random_below(state, 1000);
    }
}

void random_graph_init(random_graph *graph, uint64_t seed, int width, int height, int connectivity)
{
    const size_t n = (size_t)width * (size_t)height;
    uint64_t state = seed;
    const int kind = random_below(&state, 6), symmetric = random_below(&state, 3) == 0;
    const int one_way = random_below(&state, 4) == 0;

    memset(graph, 0, sizeof *graph);
    graph->memory = malloc(10 * n * sizeof *graph->memory);
    if (!graph->memory) abort();
    for (size_t i = 0; i < 10 * n; i++) graph->memory[i] = draw(&state, kind, i < 2 * n);
    if (one_way) /* gives each link only one of its two directions */
        for (size_t i = 2 * n; i < 6 * n; i++)
            graph->memory[random_below(&state, 2) ? i : i + 4 * n] = 0;
    graph->connectivity = connectivity;
    graph->arrays.width = width;
    graph->arrays.height = height;
    graph->arrays.source = graph->memory;
    graph->arrays.sink = graph->memory + n;
    for (int k = 0; k < connectivity / 2; k++) {
        graph->arrays.to[k] = graph->memory + (size_t)(2 + k) * n;
        graph->arrays.from[k] = symmetric ? NULL : graph->memory + (size_t)(6 + k) * n;
    }
}

void random_graph_draw(random_graph *graph, uint64_t seed, int max_width, int max_height)
{
    uint64_t state = ~seed;
    const int width = 1 + random_below(&state, max_width), height = 1 + random_below(&state, max_height);
    random_graph_init(graph, seed, width, height, random_below(&state, 2) ? 8 : 4);
}

/* Adds terminals along a random walk, over pixels that have no terminal of the other kind. */
static void region(uint64_t *state, const tilecut_arrays *arrays, int32_t *terminal, const int32_t *other, int32_t room)
{
    static const int step_x[4] = {1, -1, 0, 0}, step_y[4] = {0, 0, 1, -1};
    int x = random_below(state, arrays->width), y = random_below(state, arrays->height);
    const int steps = random_below(state, 1 + arrays->width * arrays->height / 8);
    if (other[y * arrays->width + x]) return;
    terminal[y * arrays->width + x] = room;
    for (int i = 0; i < steps; i++) {
        const int d = random_below(state, 4), to_x = x + step_x[d], to_y = y + step_y[d];
        const bool inside = to_x >= 0 && to_y >= 0 && to_x < arrays->width && to_y < arrays->height;
        if (!inside || other[to_y * arrays->width + to_x]) continue;
        x = to_x, y = to_y;
        terminal[y * arrays->width + x] = room;
    }
}

void random_graph_regions(random_graph *graph, uint64_t seed, int width, int height)
{
    enum { ROOM = 4 * (1 << 18) + 1 }; /* the capacity of a hard terminal: more than four links of the widest range */
    const size_t n = (size_t)width * (size_t)height;
    uint64_t state = seed ^ 0x5eed;
    random_graph_init(graph, seed, width, height, 4);
    memset(graph->memory, 0, 2 * n * sizeof *graph->memory);
    region(&state, &graph->arrays, graph->memory, graph->memory + n, ROOM);
    region(&state, &graph->arrays, graph->memory + n, graph->memory, ROOM);
}

void random_graph_few_sinks(random_graph *graph, uint64_t seed, int width, int height, int connectivity)
{
    uint64_t state = seed;
    random_graph_init(graph, seed, width, height, connectivity);
    int32_t *const sink = graph->memory + (size_t)width * (size_t)height;
    for (int p = 0; p < width * height; p++)
        if (random_below(&state, 4)) sink[p] = 0;
}

void random_graph_free(random_graph *graph)
{
    free(graph->memory);
    memset(graph, 0, sizeof *graph);
}

int64_t mask_cost(const tilecut_arrays *a, int connectivity, const uint8_t *mask)
{
    static const int dx[TILECUT_LINKS] = {1, 0, 1, -1}, dy[TILECUT_LINKS] = {0, 1, 1, 1};
    int64_t cost = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            const int p = y * a->width + x;
            cost += mask[p] ? a->sink[p] : a->source[p];
            for (int k = 0; k < connectivity / 2; k++) {
                const int qx = x + dx[k], qy = y + dy[k], q = qy * a->width + qx;
                if (qx < 0 || qx >= a->width || qy >= a->height) continue;
                if (mask[p] && !mask[q]) cost += a->to[k][p];
                if (!mask[p] && mask[q]) cost += (a->from[k] ? a->from[k] : a->to[k])[p];
            }
        }
    }
    return cost;
}

tilecut_arrays rows_of_arrays(const tilecut_arrays *all, int first, int rows)
{
    const size_t at = (size_t)first * (size_t)all->width;
    tilecut_arrays some = *all;
    some.height = rows;
    some.source += at;
    some.sink += at;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        if (some.to[k]) some.to[k] += at;
        if (some.from[k]) some.from[k] += at;
    }
    return some;
}

int64_t brute_force(const random_graph *graph, uint8_t *best_mask)
{
    const int n = graph->arrays.width * graph->arrays.height;
    int64_t best = INT64_MAX;
    int most = -1; /* foreground pixels of the best labelling so far */
    uint8_t mask[20];

    if (n > 20) abort();
    for (uint32_t labels = 0; labels < 1u << n; labels++) {
        for (int p = 0; p < n; p++) mask[p] = labels >> p & 1 ? 255 : 0;
        const int64_t cost = mask_cost(&graph->arrays, graph->connectivity, mask);
        const int foreground = __builtin_popcount(labels);
        if (cost > best || (cost == best && foreground <= most)) continue;
        best = cost;
        most = foreground;
        memcpy(best_mask, mask, (size_t)n);
    }
    return best;
}
