/* SPDX-License-Identifier: MIT
 *
 * stroke.c - see stroke.h. A window around the stroke becomes a graph of its own (stroke_window.h). If the change
 * reaches the window's edge, this is repeated in a larger window. So the mask depends on the windows. But these depend
 * only on the stroke and on earlier answers, so they are the same with every solver, thread count and device.
 *
 * Changed pixels that are not connected to the stroke are dropped. The rest is still a minimum cut: regions that change
 * are not neighbours, so the cost of each does not depend on the others, and fixing the dropped regions does not make
 * another choice for the rest cheaper. If a part of the rest is a leak (stroke_leak.h), that part is fixed, and the
 * remainder is cut once more.
 *
 * Pixels that are fixed on all sides need no graph. So a window becomes as small as the pixels that may change in it
 * (stroke_window.h), and the next cut is made only where the last one has changed something.
 */
#include "stroke.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "islands.h"
#include "lattice.h"
#include "model_update.h"
#include "parallel.h"
#include "solve.h"
#include "status.h"
#include "stroke_leak.h"
#include "stroke_window.h"
#include "view.h"

/* The first window extends this many pixels around the stroke, or the stroke's length, whichever is more. In space
 * there are more pixels within the same distance, so the margin is smaller. */
enum { MARGIN = 96, MARGIN_IN_SPACE = 24 };

static tc_block all_of(const tilecut_graph *graph)
{
    return (tc_block){0, 0, 0, graph->width, graph->height, graph->depth};
}

static bool any_painted(const tilecut_stroke *s, int row)
{
    const uint8_t *const pixel = tc_stroke_row(s, row);
    for (int x = 0; x < s->width; x++)
        if (pixel[x]) return true;
    return false;
}

/* Finds the rows y[0] to y[1] - 1 that a stroke in a volume has painted, and likewise its slices. If nothing is
 * painted, these are all rows of one slice. */
static void find_extent(const tilecut_graph *graph, const tilecut_stroke *s, int y[2], int z[2])
{
    y[0] = graph->height, z[0] = graph->depth, y[1] = z[1] = 0;
    for (int i = 0; i < s->height; i++) {
        const int at = (s->y + i) % graph->height, slice = (s->y + i) / graph->height;
        if (!any_painted(s, i)) continue;
        y[0] = tc_least(y[0], at), y[1] = tc_most(y[1], at + 1);
        z[0] = tc_least(z[0], slice), z[1] = tc_most(z[1], slice + 1);
    }
    if (y[1] == 0) y[0] = 0, y[1] = graph->height, z[0] = s->y / graph->height, z[1] = z[0] + 1;
}

static tc_block first_window(const tilecut_graph *graph, const tilecut_stroke *s)
{
    int y[2] = {s->y, s->y + s->height}, z[2] = {0, 1};
    if (graph->depth > 1) find_extent(graph, s, y, z);
    const int longest = tc_most(s->width, tc_most(y[1] - y[0], z[1] - z[0]));
    const int margin = tc_most(graph->depth > 1 ? MARGIN_IN_SPACE : MARGIN, longest);
    const tc_block stroke = {s->x, y[0], z[0], s->width, y[1] - y[0], z[1] - z[0]}, all = all_of(graph);
    return tc_block_around(&stroke, margin, &all);
}

/* Doubles the range of `size` from `from` on at each end where the range of `count` from `at` on touches it. */
static void grow(int *from, int *size, int at, int count)
{
    const int by = *size, first = *from, end = first + by;
    if (at == first) *from -= by, *size += by;
    if (at + count == end) *size += by;
}

/* Doubles the block on the sides where the change in the window `in` reaches its edge, if it can grow there. Returns
 * false if it does not grow. */
static bool grow_block(const tc_stroke_window *in, tc_block *block)
{
    const tc_block before = *block, all = all_of(in->task->graph), *const reached = &in->open;
    if (reached->width < 1) return false;
    grow(&block->x, &block->width, reached->x, reached->width);
    grow(&block->y, &block->height, reached->y, reached->height);
    grow(&block->z, &block->depth, reached->z, reached->depth);
    *block = tc_block_around(block, 0, &all);
    return memcmp(&before, block, sizeof before) != 0;
}

/* The role of a free pixel to which the change has spread. */
enum { CHANGES = TC_ROLE_STROKE_SAME + 1 };

/* Leaves free only those pixels that change in `cut`, the labels of the window, and that are connected to the stroke
 * through such pixels. */
static tilecut_status keep_connected(tc_stroke_window *in, const uint8_t *cut)
{
    const size_t pixels = tc_block_pixels(&in->window);
    uint8_t *const role = in->role;
    size_t tail = 0;
    size_t *const queue = malloc(pixels * sizeof *queue);
    if (!queue) return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke changes");
    for (size_t p = 0; p < pixels; p++)
        if (tc_role_is_painted(role[p])) queue[tail++] = p;
    for (size_t head = 0; head < tail; head++)
        for (int d = 0; d < in->connectivity; d++) {
            const size_t q = tc_block_neighbour(&in->window, queue[head], in->connectivity, d);
            if (q == TC_BLOCK_NONE || role[q] != TC_ROLE_FREE || (cut[q] != 0) != in->foreground) continue;
            role[q] = CHANGES;
            queue[tail++] = q;
        }
    for (size_t p = 0; p < pixels; p++)
        if (role[p] == TC_ROLE_FREE || role[p] == CHANGES) role[p] = role[p] == CHANGES ? TC_ROLE_FREE : TC_ROLE_OTHER;
    free(queue);
    tc_stroke_window_shrink(in);
    return TILECUT_OK;
}

/* Writes what changes: the painted and free pixels of the window. */
static tilecut_status read_change(const tc_stroke_window *in, tc_stroke_change *change)
{
    const size_t pixels = tc_block_pixels(&in->window);
    *change = (tc_stroke_change){.window = in->window, .slice_rows = in->task->graph->height,
                                 .changed = malloc(pixels)};
    if (!change->changed) return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke changes");
    for (size_t p = 0; p < pixels; p++) {
        change->changed[p] = in->role[p] == TC_ROLE_FREE || in->role[p] == TC_ROLE_STROKE;
        change->pixels += change->changed[p];
    }
    return TILECUT_OK;
}

/* Cuts the window. Afterwards those pixels are free that change; no others can change in a later cut in which more are
 * held. `start` is the time at which work on the window began. */
static tilecut_status cut_window(tc_stroke_window *in, const tc_setup *params, double start, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report result = {0};
    uint8_t *const cut = malloc(tc_block_pixels(&in->window));
    double clock = start;

    if (!cut) return tc_fail(TILECUT_ENOMEM, "no memory for labels of a stroke");
    TRY(tc_stroke_window_build(in, params->threads));
    const double build_ms = tc_lap_ms(&clock);
    TRY(tc_solve(&in->graph, params, NULL, cut, NULL, &result));
    clock = tc_now_ms();
    TRY(keep_connected(in, cut));
    result.graph_ms += build_ms;
    result.certify_ms += tc_lap_ms(&clock);
    tc_report_add_times(&result, report);
    *report = result;
done:
    free(cut);
    return status;
}

/* Holds the leak (stroke_leak.h), and sets *any to true if there is one. A graph without colours, as a graph from
 * arrays, has none. */
static tilecut_status hold_leak(const tc_stroke_window *in, const tc_stroke_change *change, bool *any)
{
    const tilecut_graph *const graph = in->task->graph;
    const int depth = in->reach.depth;
    const tc_spread spread = {change->window, graph->height, graph->energy.slice_rows ? graph->energy.spacing : NULL,
                              change->changed, change->pixels, in->task->object, depth ? depth : INT_MAX};
    uint8_t *leak = NULL;
    if (!graph->from_image || !graph->energy.color_bits) return TILECUT_OK;
    NEED(tc_stroke_leak(&spread, in->task->stroke, &leak));
    *any = leak != NULL;
    for (size_t p = 0; leak && p < tc_block_pixels(&in->window); p++)
        if (leak[p] && in->role[p] == TC_ROLE_FREE) in->role[p] = TC_ROLE_OTHER;
    free(leak);
    return TILECUT_OK;
}

/* Holds strokes of the other label, and sets *any to true if they lie in the change. */
static void hold_others(const tc_stroke_window *in, bool *any)
{
    const tilecut_graph *const graph = in->task->graph;
    const int other = in->foreground ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
    const tc_block *const w = &in->window;
    uint8_t *role = in->role;
    for (int i = 0; i < w->height * w->depth; i++, role += w->width) {
        const size_t row = (size_t)(w->z + i / w->height) * (size_t)graph->height + (size_t)(w->y + i % w->height);
        const uint8_t *const seeds = in->task->others + row * (size_t)graph->width + (size_t)w->x;
        for (int x = 0; x < w->width; x++)
            if (seeds[x] == other && role[x] == TC_ROLE_FREE) role[x] = TC_ROLE_OTHER, *any = true;
    }
}

tilecut_status tc_stroke_cut(const tc_stroke_task *task, const tc_setup *params, tc_stroke_change *change,
                             tilecut_report *report)
{
    tc_block within = first_window(task->graph, task->stroke);
    tilecut_status status = TILECUT_OK;
    tc_stroke_window in = {.task = task};
    bool leak = false, others = false;

    memset(report, 0, sizeof *report);
    memset(change, 0, sizeof *change);
    for (bool more = true; more; more = grow_block(&in, &within)) {
        const double start = tc_now_ms();
        tc_stroke_window_free(&in);
        TRY(tc_stroke_window_init(&in, task, &within));
        TRY(cut_window(&in, params, start, report));
    }
    TRY(read_change(&in, change));
    TRY(hold_leak(&in, change, &leak));
    if (leak) TRY(cut_window(&in, params, tc_now_ms(), report));
    if (task->others) hold_others(&in, &others);
    if (others) TRY(cut_window(&in, params, tc_now_ms(), report));
    tc_stroke_change_free(change);
    TRY(read_change(&in, change));
done:
    tc_stroke_window_free(&in);
    if (status != TILECUT_OK) tc_stroke_change_free(change);
    return status;
}

/* The analyser takes the maps of two calls of cut_window() for one. */
void tc_stroke_change_free(tc_stroke_change *change)
{
    free(change->changed); // NOLINT(clang-analyzer-unix.Malloc)
    change->changed = NULL;
    change->pixels = 0;
}

/* ---- All strokes at once ---------------------------------------------------------------------- */

/* The strokes of a label that have not been cut yet: seeds that contradict the mask. */
typedef struct waiting {
    tc_islands flood; /* its mask is 255 at these seeds            */
    int label;
    bool as_one;      /* there are so many that they count as one  */
    size_t next;      /* all pixels before this one have been cut  */
    uint8_t *painted; /* memory for the next stroke                */
} waiting;

/* Returns the first pixel at or after `from` that is not cut yet; `pixels` if there is none. */
static size_t find_next(const tc_islands *flood, size_t from, size_t pixels)
{
    const uint8_t *const next = memchr(flood->mask + from, 255, pixels - from);
    return next ? (size_t)(next - flood->mask) : pixels;
}

static tilecut_status reach(tc_islands *flood, size_t pixel)
{
    if (tc_islands_reach(flood, pixel)) return TILECUT_OK;
    return tc_fail(TILECUT_ENOMEM, "no memory for a stroke in a mask of %dx%d", flood->width, flood->height);
}

/* Marks the strokes of w->label. */
static tilecut_status mark_strokes(const tc_all_strokes *s, waiting *w)
{
    const size_t pixels = tc_graph_pixels(s->graph);
    const bool foreground = w->label == TILECUT_FOREGROUND;
    int strokes = 0;
    for (size_t p = 0; p < pixels; p++)
        w->flood.mask[p] = s->seeds[p] == w->label && (s->before[p] != 0) != foreground ? 255 : 0;
    w->next = find_next(&w->flood, 0, pixels);
    for (size_t p = w->next; p < pixels && strokes <= TC_MOST_STROKES; p = find_next(&w->flood, p, pixels)) {
        NEED(reach(&w->flood, p));
        strokes++;
    }
    w->as_one = strokes > TC_MOST_STROKES;
    for (size_t p = w->next; p < pixels && strokes; p++) w->flood.mask[p] = w->flood.mask[p] ? 255 : 0;
    return TILECUT_OK;
}

/* Finds the next stroke. Its pixels are copied to w->painted. A connected stroke leaves out at most a slice's rows. */
static tilecut_status take_stroke(waiting *w, tilecut_stroke *stroke)
{
    tc_islands *const flood = &w->flood;
    const size_t width = (size_t)flood->width;
    const uint8_t mark = w->as_one ? 255 : TC_ON_LAND;
    const int first = (int)(w->next / width), gap = w->as_one ? flood->height : flood->slice_rows + 1;
    int last = first;
    if (!w->as_one) NEED(reach(flood, w->next));
    for (int y = first; y < flood->height && y <= last + gap; y++)
        if (memchr(flood->mask + (size_t)y * width, mark, width)) last = y;
    tc_extent box = tc_extent_of(flood->mask + (size_t)first * width, flood->width, last + 1 - first, mark);
    box.y0 += first, box.y1 += first;
    *stroke = (tilecut_stroke){.x = box.x0, .y = box.y0, .width = box.x1 - box.x0 + 1, .height = box.y1 - box.y0 + 1,
                               .label = w->label, .painted = w->painted};
    uint8_t *painted = w->painted;
    for (int y = box.y0; y <= box.y1; y++)
        for (int x = box.x0; x <= box.x1; x++) {
            uint8_t *const at = flood->mask + (size_t)y * width + (size_t)x;
            *painted++ = *at == mark;
            if (*at == mark) *at = 0;
        }
    return TILECUT_OK;
}

/* Changes in `mask` what one stroke changes. `update` is the model without strokes. Adds to *report. */
static tilecut_status correct_by_one(const tc_stroke_task *task, tc_model_update *update, const tc_setup *params,
                                     uint8_t *mask, tilecut_report *report)
{
    const uint8_t label = task->stroke->label == TILECUT_FOREGROUND ? 255 : 0;
    const tilecut_report so_far = *report;
    tilecut_graph graph = *task->graph;
    tc_stroke_task learnt = *task;
    tc_stroke_change change = {0};
    NEED(tc_model_update_add(update, &task->graph->energy, task->stroke));
    graph.energy = tc_model_update_energy(update, &task->graph->energy);
    learnt.graph = &graph;
    const tilecut_status status = tc_stroke_cut(&learnt, params, &change, report);
    tc_model_update_undo(update, 0);
    NEED(status);
    const tc_block *const w = &change.window;
    const uint8_t *changed = change.changed;
    for (int z = w->z; z < w->z + w->depth; z++)
        for (int y = w->y; y < w->y + w->height; y++)
            for (int x = w->x; x < w->x + w->width; x++)
                if (*changed++)
                    mask[((size_t)z * (size_t)graph.height + (size_t)y) * (size_t)graph.width + (size_t)x] = label;
    tc_stroke_change_free(&change);
    tc_report_add_times(report, &so_far);
    report->flow += so_far.flow, report->cut += so_far.cut, report->energy += so_far.energy;
    return TILECUT_OK;
}

tilecut_status tc_strokes_correct(const tc_all_strokes *s, const tc_setup *params, uint8_t *mask,
                                  tilecut_report *report)
{
    const tilecut_graph *const graph = s->graph;
    const int width = graph->width, rows = graph->height * graph->depth;
    const int slice_rows = graph->depth > 1 ? graph->height : 0;
    const size_t pixels = tc_graph_pixels(graph);
    tilecut_status status = TILECUT_OK;
    tilecut_stroke stroke;
    tc_model_update update = {0};
    tc_stroke_task task = {graph, s->open, &stroke, s->before, 0, s->seeds, true};
    uint8_t *const memory = malloc(2 * pixels);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for strokes in %zu pixels", pixels);
    waiting w = {.flood = {.mask = memory, .width = width, .height = rows, .slice_rows = slice_rows,
                           .connectivity = slice_rows ? 26 : 8}, .painted = memory + pixels};
    memcpy(mask, s->before, pixels);
    for (size_t p = 0; p < pixels; p++) task.object += s->before[p] != 0;
    for (int i = 0; i < 2; i++) {
        w.label = i ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
        TRY(mark_strokes(s, &w));
        for (; w.next < pixels; w.next = find_next(&w.flood, w.next, pixels)) {
            TRY(take_stroke(&w, &stroke));
            TRY(correct_by_one(&task, &update, params, mask, report));
        }
    }
    report->foreground = 0;
    for (size_t p = 0; p < pixels; p++) report->foreground += mask[p] != 0;
done:
    tc_model_update_free(&update);
    free(w.flood.at);
    free(memory);
    return status;
}
