/* SPDX-License-Identifier: MIT
 *
 * choice.c - see choice.h. An edge of the image is where links are weak. Means over links are compared, so that a long
 * outline is not worse than a short one: those that an outline cuts, and those around it. A part that does not touch
 * the outline, a hole or an island, is not taken: nothing speaks against the mask there.
 */
#include "choice.h"

#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "prior_outline.h"
#include "status.h"

/* An outline lies on edges if its links have less than half of the strength of those around. If the mask's does not,
 * all parts are taken whose new outline is better. If it does, those parts are where it does not, clearly worse than
 * what is offered, and no specks (docs/lab/quality.md). */
#define ON_EDGES 0.5
#define OFF_EDGES 0.6
#define BETTER 0.8
#define CLEARLY_BETTER 0.5
enum { AROUND_FROM = 3, AROUND_TO = 10, SPECKS = 100 };

/* Links: the sum of their capacities, and how many. */
typedef struct links {
    double sum;
    int64_t count;
} links;

/* A connected part that gets a new label, and links between unlike labels: before, and after. */
typedef struct part {
    links before, after;
    int64_t pixels;
} part;

typedef struct parts {
    const uint8_t *mask, *offer;
    int width, height;
    int32_t *number; /* [pixels] from 1 on; 0: no change */
    size_t *queue;
    part *of;        /* [0]: all that does not change */
    uint16_t *away;  /* [pixels] from the outline of `mask`, see chamfer.h */
    int unit;
    links outline, around; /* of the whole mask */
    int64_t foreground;
} parts;

static void add(links *l, int32_t capacity)
{
    l->sum += capacity;
    l->count++;
}

static double mean(const links *l)
{
    return l->count ? l->sum / (double)l->count : 0;
}

static bool changes(const parts *c, size_t p)
{
    return (c->mask[p] != 0) != (c->offer[p] != 0);
}

static void number_from(const parts *c, size_t first, int32_t number)
{
    const size_t width = (size_t)c->width, pixels = width * (size_t)c->height;
    size_t head = 0, tail = 0;
    c->queue[tail++] = first;
    c->number[first] = number;
    while (head < tail) {
        const size_t p = c->queue[head++], x = p % width;
        const size_t next[4] = {x ? p - 1 : p, x + 1 < width ? p + 1 : p, p >= width ? p - width : p,
                                p + width < pixels ? p + width : p};
        for (int d = 0; d < 4; d++) {
            if (c->number[next[d]] || !changes(c, next[d]) || (c->mask[next[d]] != 0) != (c->mask[p] != 0)) continue;
            c->number[next[d]] = number;
            c->queue[tail++] = next[d];
        }
    }
}

static tilecut_status find_parts(parts *c, int32_t *count)
{
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    *count = 0;
    for (size_t p = 0; p < pixels; p++)
        if (!c->number[p] && changes(c, p)) number_from(c, p, ++*count);
    c->of = calloc((size_t)*count + 1, sizeof *c->of);
    return c->of ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for %d parts of a mask", *count);
}

/* Finds how far all pixels are from the outline of the mask. */
static void find_away(const parts *c)
{
    const size_t width = (size_t)c->width, pixels = width * (size_t)c->height;
    for (size_t p = 0; p < pixels; p++) c->away[p] = TC_CHAMFER_NOWHERE;
    for (size_t p = 0; p < pixels; p++) {
        const size_t next[2] = {(p + 1) % width ? p + 1 : p, p + width < pixels ? p + width : p};
        for (int d = 0; d < 2; d++)
            if ((c->mask[p] != 0) != (c->mask[next[d]] != 0)) c->away[p] = c->away[next[d]] = 0;
    }
    tc_chamfer(c->away, c->width, c->height);
}

/* Counts a link for the parts at its ends, and for the mask. */
static void add_link(parts *c, size_t p, size_t q, int32_t capacity)
{
    const int32_t ends[2] = {c->number[p], c->number[q]};
    const bool before = (c->mask[p] != 0) != (c->mask[q] != 0), after = (c->offer[p] != 0) != (c->offer[q] != 0);
    const int one = TC_CHAMFER_PIXEL * c->unit;
    if (before) add(&c->outline, capacity);
    else if (c->away[p] > AROUND_FROM * one && c->away[p] < AROUND_TO * one) add(&c->around, capacity);
    for (int i = 0; i < 2; i++) {
        if (!ends[i] || (i && ends[1] == ends[0])) continue;
        if (before) add(&c->of[ends[i]].before, capacity);
        if (after) add(&c->of[ends[i]].after, capacity);
    }
}

static tilecut_status measure(parts *c, const tilecut_graph *graph)
{
    const size_t width = (size_t)c->width;
    tilecut_status status = TILECUT_OK;
    tilecut_row row = {0};
    find_away(c);
    TRY(tc_row_init(&row, c->width));
    for (int y = 0; y < c->height; y++) {
        const size_t first = (size_t)y * width;
        tc_graph_row(graph, y, &row);
        for (size_t x = 0; x < width; x++) {
            c->of[c->number[first + x]].pixels++;
            c->foreground += c->mask[first + x] != 0;
            if (x + 1 < width) add_link(c, first + x, first + x + 1, row.to[TILECUT_RIGHT][x]);
            if (y + 1 < c->height) add_link(c, first + x, first + x + width, row.to[TILECUT_DOWN][x]);
        }
    }
done:
    tc_row_free(&row);
    return status;
}

static bool is_taken(const parts *c, const part *a)
{
    const double before = mean(&a->before), after = mean(&a->after), around = mean(&c->around);
    if (!a->before.count || !a->after.count) return false;
    if (mean(&c->outline) > ON_EDGES * around) return after < BETTER * before;
    return before > OFF_EDGES * around && after < CLEARLY_BETTER * before && SPECKS * a->pixels > c->foreground;
}

tilecut_status tc_choose_parts(const tilecut_graph *graph, uint8_t *offer, uint8_t *mask)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    parts c = {.mask = mask, .offer = offer, .width = graph->width, .height = graph->height};
    tilecut_status status = TILECUT_OK;
    int32_t count;

    c.unit = tc_outline_unit(c.width, c.height);
    c.number = calloc(pixels, sizeof *c.number);
    c.queue = malloc(pixels * sizeof *c.queue);
    c.away = malloc(pixels * sizeof *c.away);
    if (!c.number || !c.queue || !c.away) TRY(tc_fail(TILECUT_ENOMEM, "no memory for parts of a mask"));
    TRY(find_parts(&c, &count));
    TRY(measure(&c, graph));
    for (size_t p = 0; p < pixels; p++) {
        const bool take = c.number[p] && is_taken(&c, &c.of[c.number[p]]);
        if (take) mask[p] = offer[p];
        offer[p] = take ? 255 : 0;
    }
done:
    free(c.of);
    free(c.away);
    free(c.queue);
    free(c.number);
    return status;
}
