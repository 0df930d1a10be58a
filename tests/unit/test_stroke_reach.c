/* SPDX-License-Identifier: MIT
 *
 * test_stroke_reach.c - the cost of changes far from a stroke: compared with all labellings of tiny photos, using the
 * distances and costs of the definition.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "random_graph.h"
#include "run_suite.h"
#include "stroke_leak.h"

enum { TINY = 11, ROWS = 6 };

typedef struct photo {
    int width, height;
    uint8_t pixels[3 * TINY], seeds[TINY], mask[TINY], painted[TINY];
    bool foreground; /* class of the stroke */
} photo;

/* Draws a strip of noise, usually one pixel high, so that pixels are far apart. */
static void draw(photo *f, uint64_t *state)
{
    f->height = random_below(state, 3) ? 1 : 2;
    f->width = TINY / f->height - random_below(state, 3);
    const int n = f->width * f->height, noise = 1 + random_below(state, 250);
    f->foreground = random_below(state, 2);
    memset(f->seeds, TILECUT_UNKNOWN, sizeof f->seeds);
    for (int p = 0; p < 3 * n; p++) f->pixels[p] = (uint8_t)random_below(state, noise);
    for (int p = 0; p < n; p++) f->mask[p] = (uint8_t)-(random_below(state, 6) ? !f->foreground : f->foreground);
    for (int p = 0; p < n; p++) f->painted[p] = (uint8_t)!random_below(state, 7);
    const int seed = random_below(state, n);
    f->seeds[seed] = TILECUT_FOREGROUND;
    f->seeds[(seed + 1 + random_below(state, n - 1)) % n] = TILECUT_BACKGROUND;
}

/* Returns the distance of pixel p to the marked pixels, in fifths of a pixel, in a strip at most two pixels high; -1 if
 * none is marked. */
static int distance(const photo *f, const bool *marked, int p)
{
    int best = -1;
    for (int q = 0; q < f->width * f->height; q++) {
        const int dx = abs(p % f->width - q % f->width), dy = abs(p / f->width - q / f->width);
        const int slanted = dx < dy ? dx : dy, far = 7 * slanted + 5 * (dx + dy - 2 * slanted);
        if (marked[q] && (best < 0 || far < best)) best = far;
    }
    return best;
}

/* Computes the cost of changing each pixel, in quanta: nothing up to twice the stroke's depth, rising to four nats at
 * five times that depth. */
static void find_costs(const photo *f, const tc_energy *energy, int32_t *cost)
{
    const int n = f->width * f->height;
    bool same[TINY], stroke[TINY];
    int depth = 0;
    for (int p = 0; p < n; p++) same[p] = (f->mask[p] != 0) == f->foreground, stroke[p] = f->painted[p] && !same[p];
    bool known = false;
    for (int p = 0; p < n; p++) known |= same[p];
    for (int p = 0; p < n && known; p++)
        if (stroke[p] && distance(f, same, p) > depth) depth = distance(f, same, p);
    for (int p = 0; p < n; p++) {
        const int64_t most = (int64_t)(4 * energy->data_weight / energy->quantum + 0.5);
        const int d = distance(f, stroke, p);
        if (!known) cost[p] = 0;
        else if (d < 0 || d >= 5 * depth) cost[p] = d == 0 ? 0 : (int32_t)most;
        else cost[p] = d <= 2 * depth ? 0 : (int32_t)(most * (d - 2 * depth) / (3 * depth));
    }
}

/* Copies the capacities of a graph, and adds the costs of changes. */
static void take_arrays(const photo *f, const tilecut_graph *graph, int32_t memory[ROWS][TINY], tilecut_arrays *arrays)
{
    int32_t cost[TINY];
    for (int y = 0; y < f->height; y++) {
        int32_t *at[ROWS];
        for (int k = 0; k < ROWS; k++) at[k] = memory[k] + y * f->width;
        const tilecut_row row = {.source = at[0], .sink = at[1], .to = {at[2], at[3]}, .from = {at[4], at[5]}};
        ck_assert_int_eq(tilecut_graph_row(graph, y, &row), TILECUT_OK);
    }
    find_costs(f, &graph->energy, cost);
    for (int p = 0; p < f->width * f->height; p++) memory[f->foreground ? 1 : 0][p] += cost[p];
    *arrays = (tilecut_arrays){.width = f->width, .height = f->height, .source = memory[0], .sink = memory[1],
                               .to = {memory[2], memory[3]}, .from = {memory[4], memory[5]}};
}

/* Restricts the change in `found` to pixels connected to the stroke. */
static void connect(const photo *f, uint8_t *found)
{
    bool kept[TINY];
    const int n = f->width * f->height;
    for (int p = 0; p < n; p++) kept[p] = f->painted[p];
    for (int round = 0; round < n; round++)
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++) {
                const int steps = abs(p % f->width - q % f->width) + abs(p / f->width - q / f->width);
                if (kept[q] && steps == 1 && found[p] != f->mask[p]) kept[p] = true;
            }
    for (int p = 0; p < n; p++)
        if (!kept[p]) found[p] = f->mask[p];
}

/* Computes the mask that the stroke must give: least cost, then least background; of its changes, only those connected
 * to the stroke. */
static void expect(const photo *f, const tilecut_arrays *arrays, uint8_t *best)
{
    const int n = f->width * f->height;
    const uint8_t wanted = f->foreground ? 255 : 0;
    int open[TINY], count = 0, least_background = n + 1;
    int64_t least = INT64_MAX;
    uint8_t mask[TINY];
    for (int p = 0; p < n; p++) {
        const bool seeded = f->seeds[p] && (f->seeds[p] == TILECUT_FOREGROUND) != f->foreground;
        if (!f->painted[p] && f->mask[p] != wanted && !seeded) open[count++] = p;
    }
    for (uint32_t choice = 0; choice < 1u << count; choice++) {
        int background = 0;
        for (int p = 0; p < n; p++) mask[p] = f->painted[p] ? wanted : f->mask[p];
        for (int i = 0; i < count; i++)
            if (choice >> i & 1) mask[open[i]] = wanted;
        for (int p = 0; p < n; p++) background += !mask[p];
        const int64_t cost = mask_cost(arrays, 4, mask);
        if (cost > least || (cost == least && background >= least_background)) continue;
        least = cost, least_background = background;
        memcpy(best, mask, (size_t)n);
    }
    connect(f, best);
}

/* True if part of the change is held back as a leak, which test_stroke_leak covers. */
static bool leaks(const photo *f, const uint8_t *wanted)
{
    const int n = f->width * f->height;
    uint8_t changed[TINY], *held = NULL;
    tc_spread spread = {{0, 0, 0, f->width, f->height, 1}, f->height, NULL, changed, 0, 0, 0};
    const tilecut_stroke stroke = {.width = f->width, .height = f->height, .painted = f->painted,
                                   .label = f->foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND};
    for (int p = 0; p < n; p++) {
        changed[p] = wanted[p] != f->mask[p];
        spread.pixels += changed[p], spread.object += f->mask[p] != 0;
    }
    ck_assert_int_eq(tc_stroke_leak(&spread, &stroke, &held), TILECUT_OK);
    const bool any = held != NULL;
    free(held);
    return any;
}

TEST(a_change_far_from_the_stroke_is_paid_for)
{
    int found = 0; /* number of photos on which the costs decide; there are some among the first 110 */
    for (uint64_t seed = 1; seed <= 110 + RANDOM_CASES(100); seed++) {
        uint64_t state = seed;
        int32_t memory[ROWS][TINY];
        uint8_t after[TINY], wanted[TINY], free_of_cost[TINY];
        tilecut_arrays arrays;
        tilecut_session *session;
        tilecut_graph *graph;
        photo f;
        draw(&f, &state);
        const tilecut_image image = {.width = f.width, .height = f.height, .channels = 3, .depth = 8,
                                     .pixels = f.pixels};
        const tilecut_stroke stroke = {.width = f.width, .height = f.height, .painted = f.painted,
                                       .label = f.foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND};
        tilecut_params params = tilecut_params_default();
        params.colors = "hist"; /* strokes do not change the colour model `hist` */
        params.lambda = 1 + random_below(&state, 50);
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, f.seeds, &params), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_begin(session, f.mask, NULL), TILECUT_OK);
        take_arrays(&f, graph, memory, &arrays);
        expect(&f, &arrays, wanted);
        if (leaks(&f, wanted)) {
            tilecut_session_destroy(session);
            tilecut_graph_destroy(graph);
            continue;
        }
        ck_assert_int_eq(tilecut_session_stroke(session, &stroke, NULL, after, NULL, NULL), TILECUT_OK);
        ck_assert_msg(memcmp(after, wanted, (size_t)(f.width * f.height)) == 0, "seed %llu", (unsigned long long)seed);
        memset(memory[f.foreground ? 1 : 0], 0, sizeof memory[0]);
        for (int y = 0; y < f.height; y++) {
            const tilecut_row row = {.source = f.foreground ? NULL : memory[0] + y * f.width,
                                     .sink = f.foreground ? memory[1] + y * f.width : NULL};
            ck_assert_int_eq(tilecut_graph_row(graph, y, &row), TILECUT_OK);
        }
        expect(&f, &arrays, free_of_cost);
        found += memcmp(after, free_of_cost, (size_t)(f.width * f.height)) != 0;
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
    }
    ck_assert_int_gt(found, 0);
}

int main(void) { return run_suite((test_suite){.name = "stroke_reach"}); }
