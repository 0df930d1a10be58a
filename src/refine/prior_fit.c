/* SPDX-License-Identifier: MIT
 *
 * prior_fit.c - see prior_fit.h. Each pixel belongs to a ring: the smallest move with which it becomes foreground. The
 * costs of each ring are summed once; then every move takes one addition.
 */
#include "prior_fit.h"

#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "parallel.h"
#include "status.h"

enum { MOST = TC_PRIOR_FARTHEST, RINGS = 2 * MOST + 2 }; /* rings -MOST .. MOST + 1; pixels of the last one never become
                                                            foreground */

/* Writes the distance of each pixel of a class to the nearest pixel of the other class. */
static void measure(const uint8_t *prior, int width, int height, bool foreground, uint16_t *map)
{
    for (size_t p = 0; p < (size_t)width * (size_t)height; p++)
        map[p] = (prior[p] >= 128) == foreground ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer(map, width, height);
}

/* Finds the ring of each pixel. */
static tilecut_status find_rings(const uint8_t *prior, int width, int height, int8_t *ring)
{
    const size_t pixels = (size_t)width * (size_t)height;
    uint16_t *const map = malloc(pixels * sizeof *map);
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", width, height);
    measure(prior, width, height, true, map);
    for (size_t p = 0; p < pixels; p++) {
        const int away = (map[p] + TC_CHAMFER_PIXEL - 1) / TC_CHAMFER_PIXEL - 1;
        ring[p] = (int8_t)(away > MOST ? -MOST : -away);
    }
    measure(prior, width, height, false, map);
    for (size_t p = 0; p < pixels; p++) {
        const int away = (map[p] + TC_CHAMFER_PIXEL - 1) / TC_CHAMFER_PIXEL;
        if (away > 0) ring[p] = (int8_t)(away > MOST + 1 ? MOST + 1 : away);
    }
    free(map);
    return TILECUT_OK;
}

/* Sums over the rings, by ring + MOST. */
typedef struct sums {
    int64_t foreground[RINGS], background[RINGS]; /* the cost of giving all pixels of a ring that label */
    int64_t links[RINGS];                         /* links that are cut from this ring on, minus links that are cut up
                                                     to this ring */
    int64_t pixels[RINGS];
} sums;

static void add_links(sums *s, const int8_t *a, const int8_t *b, const int32_t *capacity, int n)
{
    for (int x = 0; x < n; x++) {
        if (a[x] == b[x]) continue;
        s->links[(a[x] < b[x] ? a[x] : b[x]) + MOST] += capacity[x];
        s->links[(a[x] < b[x] ? b[x] : a[x]) + MOST] -= capacity[x];
    }
}

/* What threads that sum rows need. */
typedef struct summing {
    const tilecut_graph *graph; /* without the costs of the prior mask itself */
    const int8_t *ring;
    tilecut_row *row; /* [threads] a row of capacities for each */
    sums *of;         /* [threads] what each has summed         */
} summing;

static void sum_row(void *context, int y, int worker)
{
    const summing *const all = context;
    const tilecut_graph *const graph = all->graph;
    const int width = graph->width;
    const int8_t *const at = all->ring + (size_t)y * (size_t)width, *const below = at + width;
    tilecut_row *const row = &all->row[worker];
    sums *const s = &all->of[worker];
    tc_graph_row(graph, y, row);
    for (int x = 0; x < width; x++) {
        s->foreground[at[x] + MOST] += row->sink[x];
        s->background[at[x] + MOST] += row->source[x];
        s->pixels[at[x] + MOST]++;
    }
    add_links(s, at, at + 1, row->to[TILECUT_RIGHT], width - 1);
    if (y + 1 < graph->height) add_links(s, at, below, row->to[TILECUT_DOWN], width);
    if (y + 1 == graph->height || graph->connectivity != 8) return;
    add_links(s, at, below + 1, row->to[TILECUT_DOWN_RIGHT], width - 1);
    add_links(s, at + 1, below, row->to[TILECUT_DOWN_LEFT] + 1, width - 1);
}

static void add_sums(sums *s, const sums *other)
{
    for (int i = 0; i < RINGS; i++) {
        s->foreground[i] += other->foreground[i], s->background[i] += other->background[i];
        s->links[i] += other->links[i], s->pixels[i] += other->pixels[i];
    }
}

static tilecut_status sum_rings(const tilecut_graph *graph, const int8_t *ring, sums *s)
{
    const int threads = tc_threads_that_pay(graph->energy.training.threads, (int64_t)graph->width * graph->height);
    tilecut_graph view = *graph;
    tilecut_status status = TILECUT_OK;
    summing all = {&view, ring, calloc((size_t)threads, sizeof *all.row), calloc((size_t)threads, sizeof *all.of)};

    view.energy.nearness = NULL;
    memset(s, 0, sizeof *s);
    if (!all.row || !all.of) TRY(tc_fail(TILECUT_ENOMEM, "no memory to sum up rings with %d threads", threads));
    for (int i = 0; i < threads; i++) TRY(tc_row_init(&all.row[i], graph->width));
    tc_parallel_workers(threads, graph->height, sum_row, &all);
    for (int i = 0; i < threads; i++) add_sums(s, &all.of[i]);
done:
    for (int i = 0; all.row && i < threads; i++) tc_row_free(&all.row[i]);
    free(all.row);
    free(all.of);
    return status;
}

/* Writes the energy, and the number of foreground pixels, for each move. */
static void sum_up(const sums *s, int64_t *energy, int64_t *inside)
{
    int64_t foreground = 0, background = 0, links = 0, pixels = 0;
    for (int i = 0; i < RINGS; i++) background += s->background[i];
    for (int i = 0; i < RINGS; i++) {
        foreground += s->foreground[i], background -= s->background[i];
        links += s->links[i], pixels += s->pixels[i];
        energy[i] = foreground + background + links;
        inside[i] = pixels;
    }
}

/* Returns the move with the least energy. If the outline is off by less than LEAST, it is left to the cut. A move
 * always leaves at least one KEPT-th of the foreground. */
static int least_of(const sums *s)
{
    enum { LEAST = 3, KEPT = 4 };
    int64_t energy[RINGS], inside[RINGS];
    int best = MOST;
    sum_up(s, energy, inside);
    for (int i = 0; i + 1 < RINGS; i++)
        if (energy[i] < energy[best] && KEPT * inside[i] >= inside[MOST]) best = i;
    return abs(best - MOST) < LEAST ? 0 : best - MOST;
}

tilecut_status tc_prior_fit(const tilecut_graph *graph, int *pixels)
{
    const tc_energy *const energy = &graph->energy;
    tilecut_status status = TILECUT_OK;
    int8_t *ring = NULL;
    sums s;

    *pixels = 0;
    if (!energy->color_bits) return TILECUT_OK;
    ring = malloc((size_t)graph->width * (size_t)graph->height);
    if (!ring) return tc_fail(TILECUT_ENOMEM, "no memory for rings of %dx%d pixels", graph->width, graph->height);
    TRY(find_rings(energy->prior, graph->width, graph->height, ring));
    TRY(sum_rings(graph, ring, &s));
    *pixels = least_of(&s);
done:
    free(ring);
    return status;
}

tilecut_status tc_prior_move(uint8_t *prior, int width, int height, int pixels)
{
    const size_t count = (size_t)width * (size_t)height;
    int8_t *const ring = malloc(count);
    tilecut_status status = TILECUT_OK;
    if (!ring) return tc_fail(TILECUT_ENOMEM, "no memory for rings of %dx%d pixels", width, height);
    TRY(find_rings(prior, width, height, ring));
    for (size_t p = 0; p < count; p++)
        if ((prior[p] >= 128) != (ring[p] <= pixels)) prior[p] = (uint8_t)(255 - prior[p]);
done:
    free(ring);
    return status;
}
