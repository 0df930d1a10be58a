/* SPDX-License-Identifier: MIT
 *
 * stroke_window.c - see stroke_window.h. A link between a free pixel p and a fixed one is cut if p takes the other
 * label, so it becomes a terminal link of p. Links between fixed pixels cost the same for every choice and are left
 * out. So a node's links and terminals add up to no more than in the graph, and what a change far from the stroke costs
 * (stroke_reach.h), which is at most the largest terminal. That is 2^23 + 2^21 in all, so the cut is exact.
 */
#include "stroke_window.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"
#include "stroke_reach.h"

enum { STRIP = 32 }; /* rows that one thread handles at a time */

typedef struct building {
    tc_stroke_window *in;
    const tc_stroke_task *task;
    int32_t *source, *sink, *to[TILECUT_LINKS], *from[TILECUT_LINKS]; /* of in->graph */
    /* [threads]: a row and the row above it, from column window.x - 1 to window.x + width as far as the image goes */
    tilecut_row (*part)[2];
    tc_stroke_reach reach;
} building;

/* ---- Roles ------------------------------------------------------------------------------------ */

static uint8_t painted(const tilecut_stroke *s, int x, int y)
{
    if (x < s->x || y < s->y || x >= s->x + s->width || y >= s->y + s->height) return 0;
    return s->painted[(size_t)(y - s->y) * (s->stride ? s->stride : (size_t)s->width) + (size_t)(x - s->x)];
}

static uint8_t role_of(const tc_stroke_task *task, int x, int y)
{
    const size_t p = (size_t)y * (size_t)task->graph->width + (size_t)x;
    const bool foreground = task->stroke->label == TILECUT_FOREGROUND;
    const bool same = (task->mask[p] != 0) == foreground;
    if (painted(task->stroke, x, y)) return same ? TC_ROLE_STROKE_SAME : TC_ROLE_STROKE;
    if (same) return TC_ROLE_SAME;
    if (task->seeds && task->seeds[p] != TILECUT_UNKNOWN && (task->seeds[p] == TILECUT_FOREGROUND) != foreground)
        return TC_ROLE_OTHER;
    return TC_ROLE_FREE;
}

/* The label to which a pixel is fixed, or -1. Outside the window all pixels are fixed to their label in the mask.
 * Painted pixels, which are inside, are fixed to the stroke's label. */
static int fixed_at(const building *b, int x, int y)
{
    const tc_window *const w = &b->in->window;
    const bool inside = x >= w->x && y >= w->y && x < w->x + w->width && y < w->y + w->height;
    if (!inside) return b->task->mask[(size_t)y * (size_t)b->task->graph->width + (size_t)x] != 0;
    switch (b->in->role[(size_t)(y - w->y) * (size_t)w->width + (size_t)(x - w->x)]) {
    case TC_ROLE_FREE: return -1;
    case TC_ROLE_OTHER: return !b->in->foreground;
    default: return b->in->foreground;
    }
}

/* ---- Capacities ------------------------------------------------------------------------------- */

/* Adds link k from (x, y), with those capacities, to the link or terminal of its end in row `here`. */
static void add_link(const building *b, int x, int y, int k, int32_t to, int32_t from, int dirty_row)
{
    const tc_window *const w = &b->in->window;
    const tc_link_steps step = tc_link_step(b->in->connectivity, k);
    const int fixed = fixed_at(b, x, y), far = fixed_at(b, x + step.x, y + step.y);
    const size_t p = (size_t)(y - w->y) * (size_t)w->width + (size_t)(x - w->x);
    const size_t q = p + (size_t)((ptrdiff_t)step.y * w->width + step.x);

    if (fixed >= 0 && far >= 0) return;
    if (fixed < 0 && far < 0) {
        if (dirty_row == y) b->to[k][p] = to, b->from[k][p] = from;
    } else if (fixed < 0 && dirty_row == y) {
        if (far) b->source[p] += from;
        else b->sink[p] += to;
    } else if (far < 0 && dirty_row == y + step.y) {
        if (fixed) b->source[q] += to;
        else b->sink[q] += from;
    }
}

/* The columns of the window and one on either side, as far as the graph goes. */
static int columns(const building *b, int *x0)
{
    const tc_window *const w = &b->in->window;
    *x0 = w->x > 0 ? w->x - 1 : 0;
    return w->x + w->width < b->task->graph->width ? w->x + w->width + 1 : b->task->graph->width;
}

/* Adds all links of row y that have an end in row `here` of the window. */
static void add_links(const building *b, int y, const tilecut_row *row, int dirty_row)
{
    const tilecut_graph *const graph = b->task->graph;
    int x0;
    const int x1 = columns(b, &x0);
    for (int k = 0; k < graph->connectivity / 2; k++) {
        const tc_link_steps step = tc_link_step(graph->connectivity, k);
        if (y + step.y >= graph->height || (y < dirty_row && step.y == 0)) continue;
        for (int x = x0; x < x1; x++) {
            if (x + step.x < x0 || x + step.x >= x1) continue;
            add_link(b, x, y, k, row->to[k][x - x0], row->from[k][x - x0], dirty_row);
        }
    }
}

static void read_part(const building *b, int y, tilecut_row *part)
{
    int x0;
    const int x1 = columns(b, &x0);
    tc_graph_row_part(b->task->graph, x0, y, x1 - x0, part);
}

/* Adds the terminals of the free pixels of row y: those of the graph, and what a change costs far from the stroke. A
 * free pixel has the other label than the stroke, so a foreground stroke's changes are paid for at the sink. */
static void add_terminals(const building *b, int y, const tilecut_row *row)
{
    const tc_window *const w = &b->in->window;
    int32_t *const stay = b->in->foreground ? b->sink : b->source;
    const int skip = w->x > 0;
    for (int x = 0; x < w->width; x++) {
        const size_t p = (size_t)(y - w->y) * (size_t)w->width + (size_t)x;
        const bool open = b->in->role[p] == TC_ROLE_FREE;
        b->source[p] = open ? row->source[x + skip] : 0;
        b->sink[p] = open ? row->sink[x + skip] : 0;
        stay[p] += open ? tc_stroke_reach_cost(&b->reach, p) : 0;
    }
}

static void build_strip(void *context, int strip, int worker)
{
    const building *b = context;
    const tc_window *const w = &b->in->window;
    const int from = w->y + strip * STRIP, end = w->y + w->height;
    const int to = end - from < STRIP ? end : from + STRIP;
    tilecut_row *const part = b->part[worker];

    if (from > 0) read_part(b, from - 1, &part[(from - 1) & 1]);
    for (int y = from; y < to; y++) {
        read_part(b, y, &part[y & 1]);
        add_terminals(b, y, &part[y & 1]);
        if (y > 0) add_links(b, y - 1, &part[(y - 1) & 1], y);
        add_links(b, y, &part[y & 1], y);
    }
}

/* ---- The whole -------------------------------------------------------------------------------- */

void tc_stroke_window_free(tc_stroke_window *in)
{
    free(in->role);
    free(in->memory);
    memset(in, 0, sizeof *in);
}

static tilecut_status alloc_window(tc_stroke_window *in, building *b)
{
    const size_t pixels = (size_t)in->window.width * (size_t)in->window.height;
    const int links = in->connectivity / 2;
    in->role = malloc(pixels);
    in->memory = calloc((size_t)(2 + 2 * links) * pixels, sizeof *in->memory);
    if (!in->role || !in->memory)
        return tc_fail(TILECUT_ENOMEM, "no memory for a graph of %dx%d", in->window.width, in->window.height);
    tc_capacities *const arrays = &in->graph.arrays;
    in->graph.width = in->window.width, in->graph.height = in->window.height, in->graph.depth = 1;
    in->graph.connectivity = in->connectivity;
    arrays->source = b->source = in->memory;
    arrays->sink = b->sink = in->memory + pixels;
    for (int k = 0; k < links; k++) {
        arrays->to[k] = b->to[k] = in->memory + (size_t)(2 + k) * pixels;
        arrays->from[k] = b->from[k] = in->memory + (size_t)(2 + links + k) * pixels;
    }
    return TILECUT_OK;
}

tilecut_status tc_stroke_window_init(tc_stroke_window *in, const tc_stroke_task *task, tc_window window, int threads)
{
    const int strips = (window.height + STRIP - 1) / STRIP;
    tilecut_status status = TILECUT_OK;
    building b = {.in = in, .task = task};

    *in = (tc_stroke_window){.window = window, .connectivity = task->graph->connectivity,
                             .foreground = task->stroke->label == TILECUT_FOREGROUND};
    if (threads > strips) threads = strips;
    b.part = calloc((size_t)threads, sizeof *b.part);
    if (!b.part) return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d pixels", window.width);
    TRY(alloc_window(in, &b));
    for (int i = 0; i < 2 * threads; i++) TRY(tc_row_init(&b.part[i / 2][i % 2], window.width + 2));
    for (int y = 0; y < window.height; y++)
        for (int x = 0; x < window.width; x++)
            in->role[(size_t)y * (size_t)window.width + (size_t)x] = role_of(task, window.x + x, window.y + y);
    TRY(tc_stroke_reach_init(&b.reach, in, task->graph));
    tc_parallel_workers(threads, strips, build_strip, &b);
done:
    tc_stroke_reach_free(&b.reach);
    for (int i = 0; i < 2 * threads; i++) tc_row_free(&b.part[i / 2][i % 2]);
    free(b.part);
    if (status != TILECUT_OK) tc_stroke_window_free(in);
    return status;
}
