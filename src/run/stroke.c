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

/* Returns the block between two corners, clipped to the graph. */
static tc_block clip(const tilecut_graph *graph, const int from[3], const int to[3])
{
    const int x0 = tc_most(from[0], 0), y0 = tc_most(from[1], 0), z0 = tc_most(from[2], 0);
    return (tc_block){x0, y0, z0, tc_least(to[0], graph->width) - x0, tc_least(to[1], graph->height) - y0,
                      tc_least(to[2], graph->depth) - z0};
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
    return clip(graph, (int[]){s->x - margin, y[0] - margin, z[0] - margin},
                (int[]){s->x + s->width + margin, y[1] + margin, z[1] + margin});
}

/* Doubles the window on the sides where `change` reaches its edge, if it can grow there. Returns false if it does not
 * grow. */
static bool grow_window(const tilecut_graph *graph, const tc_stroke_change *change, tc_block *window)
{
    const tc_block w = *window;
    const int size[3] = {w.width, w.height, w.depth}, first[3] = {w.x, w.y, w.z};
    const uint8_t *c = change->changed;
    bool low[3] = {false}, high[3] = {false};
    int from[3], to[3];
    for (int z = 0; z < w.depth; z++)
        for (int y = 0; y < w.height; y++)
            for (int x = 0; x < w.width; x++) {
                const int at[3] = {x, y, z};
                if (!*c++) continue;
                for (int k = 0; k < 3; k++) low[k] |= at[k] == 0, high[k] |= at[k] == size[k] - 1;
            }
    for (int k = 0; k < 3; k++) from[k] = first[k] - low[k] * size[k], to[k] = first[k] + size[k] + high[k] * size[k];
    *window = clip(graph, from, to);
    return memcmp(&w, window, sizeof w) != 0;
}

/* The state of a change while it spreads from the stroke. */
typedef struct spreading {
    const tc_stroke_window *in;
    const uint8_t *cut; /* the labels of the window in the cut */
    uint8_t *changed;
    size_t *queue, tail;
} spreading;

/* Adds pixel q to the change, if it changes. */
static void spread(spreading *s, size_t q)
{
    if (q == TC_BLOCK_NONE || s->in->role[q] != TC_ROLE_FREE || s->changed[q]) return;
    if ((s->cut[q] != 0) != s->in->foreground) return;
    s->changed[q] = 1;
    s->queue[s->tail++] = q;
}

/* Keeps those changes in `cut`, the labels of the window, that are connected to the stroke. */
static tilecut_status keep_connected(const tc_stroke_window *in, const uint8_t *cut, tc_stroke_change *change)
{
    const size_t pixels = tc_block_pixels(&in->window);
    spreading s = {.in = in, .cut = cut, .changed = calloc(pixels, 1), .queue = malloc(pixels * sizeof *s.queue)};

    change->changed = s.changed;
    if (!s.queue || !s.changed) {
        free(s.queue);
        return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke changes");
    }
    for (size_t p = 0; p < pixels; p++)
        if (in->role[p] == TC_ROLE_STROKE || in->role[p] == TC_ROLE_STROKE_SAME) s.queue[s.tail++] = p;
    for (size_t i = 0; i < s.tail; i++) s.changed[s.queue[i]] = 1;
    for (size_t head = 0; head < s.tail; head++)
        for (int d = 0; d < in->connectivity; d++)
            spread(&s, tc_block_neighbour(&in->window, s.queue[head], in->connectivity, d));
    change->pixels = 0;
    for (size_t i = 0; i < s.tail; i++) {
        /* the label changes only if the pixel did not have it before */
        change->changed[s.queue[i]] = in->role[s.queue[i]] != TC_ROLE_STROKE_SAME;
        change->pixels += change->changed[s.queue[i]];
    }
    free(s.queue);
    return TILECUT_OK;
}

/* Finds the change when only pixels in `window` may change. */
static tilecut_status cut_window(const tc_stroke_task *task, tc_block window, const tc_setup *params,
                                 tc_stroke_change *change, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_stroke_window in = {0};
    tilecut_report result = {0};
    uint8_t *cut = NULL;
    double clock = tc_now_ms();

    TRY(tc_stroke_window_init(&in, task, window, params->threads));
    const double build_ms = tc_lap_ms(&clock);
    cut = malloc(tc_block_pixels(&window));
    if (!cut) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for labels of a stroke");
        goto done;
    }
    TRY(tc_solve(&in.graph, params, NULL, cut, NULL, &result));
    clock = tc_now_ms();
    TRY(keep_connected(&in, cut, change));
    change->window = window;
    change->slice_rows = task->graph->height;
    change->depth = in.depth;
    result.graph_ms += build_ms;
    result.certify_ms += tc_lap_ms(&clock);
    tc_report_add_times(&result, report);
    *report = result;
done:
    free(cut);
    tc_stroke_window_free(&in);
    return status;
}

/* Sets *held to a map of the leak (stroke_leak.h). Leaves it NULL if there is no leak, or if the graph has no colours,
 * as a graph from arrays. */
static tilecut_status find_leak(const tc_stroke_task *task, const tc_stroke_change *change, uint8_t **held)
{
    const tilecut_graph *const graph = task->graph;
    const size_t pixels = tc_graph_pixels(graph);
    tc_spread spread = {change->window, graph->height, graph->energy.slice_rows ? graph->energy.spacing : NULL,
                        change->changed, change->pixels, 0, change->depth ? change->depth : INT_MAX};
    if (!graph->from_image || !graph->energy.color_bits) return TILECUT_OK;
    for (size_t p = 0; p < pixels; p++) spread.object += task->mask[p] != 0;
    return tc_stroke_leak(&spread, task->stroke, held);
}

tilecut_status tc_stroke_cut(const tc_stroke_task *task, const tc_setup *params, tc_stroke_change *change,
                             tilecut_report *report)
{
    tc_stroke_task t = *task;
    tc_block window = first_window(t.graph, t.stroke);
    tilecut_status status = TILECUT_OK;
    bool more = true;

    t.held = NULL;
    memset(report, 0, sizeof *report);
    memset(change, 0, sizeof *change);
    while (more) {
        tc_stroke_change_free(change);
        TRY(cut_window(&t, window, params, change, report));
        more = grow_window(t.graph, change, &window);
    }
    TRY(find_leak(&t, change, &t.held));
    if (t.held) {
        tc_stroke_change_free(change);
        TRY(cut_window(&t, window, params, change, report));
    }
done:
    free(t.held);
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

/* Marks the seeds of a label that contradict the mask. Returns how many strokes they are; *flood has their regions. */
static tilecut_status find_strokes(const tc_all_strokes *s, int label, tc_islands *flood, int *strokes)
{
    const size_t pixels = tc_graph_pixels(s->graph);
    const bool foreground = label == TILECUT_FOREGROUND;
    for (size_t p = 0; p < pixels; p++)
        flood->mask[p] = s->seeds[p] == label && (s->before[p] != 0) != foreground ? 255 : 0;
    *strokes = 0;
    for (size_t p = 0; p < pixels && *strokes <= TC_MOST_STROKES; p++) {
        if (flood->mask[p] != 255) continue;
        if (!tc_islands_reach(flood, p)) return tc_fail(TILECUT_ENOMEM, "no memory for strokes in %zu pixels", pixels);
        ++*strokes;
    }
    for (size_t p = 0; p < pixels; p++) flood->mask[p] = flood->mask[p] ? 255 : 0;
    return TILECUT_OK;
}

/* Moves the next stroke from flood->mask to `painted`; all that are left if `all` is true. Sets *more to false if there
 * is none. */
static tilecut_status next_stroke(tc_islands *flood, bool all, uint8_t *painted, bool *more)
{
    const size_t pixels = (size_t)flood->width * (size_t)flood->height;
    uint8_t *const first = memchr(flood->mask, 255, pixels);
    *more = first != NULL;
    if (!first) return TILECUT_OK;
    if (!all && !tc_islands_reach(flood, (size_t)(first - flood->mask)))
        return tc_fail(TILECUT_ENOMEM, "no memory for a stroke in %zu pixels", pixels);
    for (size_t p = 0; p < pixels; p++) {
        painted[p] = all ? flood->mask[p] == 255 : flood->mask[p] == TC_ON_LAND;
        if (painted[p]) flood->mask[p] = 0;
    }
    return TILECUT_OK;
}

/* Sets *held to a map of the window, 1 where nothing has changed, if strokes of the other label lie in the change. */
static tilecut_status hold_for_others(const tc_all_strokes *s, int label, const tc_stroke_change *change,
                                      uint8_t **held)
{
    const tc_block *const w = &change->window;
    const int other = label == TILECUT_FOREGROUND ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
    const size_t pixels = tc_block_pixels(w);
    bool any = false;
    uint8_t *const map = malloc(pixels), *seeds = map;
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke changes");
    tc_block_read(s->seeds, s->graph->width, s->graph->height, w, seeds);
    for (size_t p = 0; p < pixels; p++) {
        any |= change->changed[p] && seeds[p] == other; // NOLINT(clang-analyzer-unix.Malloc)
        map[p] = !change->changed[p];
    }
    if (any) *held = map;
    else free(map);
    return TILECUT_OK;
}

/* Cuts what one stroke changes, and changes it in `mask`. `graph` has learnt from it. */
static tilecut_status cut_one(const tc_all_strokes *s, const tilecut_graph *graph, const tilecut_stroke *stroke,
                              const tc_setup *params, uint8_t *mask, tilecut_report *report)
{
    tc_stroke_task task = {graph, s->open, stroke, s->before, NULL, true};
    tilecut_status status = TILECUT_OK;
    tc_stroke_change change = {0};
    NEED(tc_stroke_cut(&task, params, &change, report));
    task.seeds = s->seeds;
    TRY(hold_for_others(s, stroke->label, &change, &task.held));
    if (task.held) {
        const tc_block window = change.window;
        tc_stroke_change_free(&change);
        TRY(cut_window(&task, window, params, &change, report));
    }
    const tc_block *const w = &change.window;
    const uint8_t *changed = change.changed;
    for (int z = w->z; z < w->z + w->depth; z++)
        for (int y = w->y; y < w->y + w->height; y++)
            for (int x = w->x; x < w->x + w->width; x++)
                if (*changed++) // NOLINT(clang-analyzer-unix.Malloc)
                    mask[((size_t)z * (size_t)graph->height + (size_t)y) * (size_t)graph->width + (size_t)x] =
                        stroke->label == TILECUT_FOREGROUND ? 255 : 0;
done:
    free(task.held);
    tc_stroke_change_free(&change);
    return status;
}

/* Does the same with the colours that `graph` learns from the stroke alone. Adds to *report. */
static tilecut_status correct_by_one(const tc_all_strokes *s, const uint8_t *painted, int label,
                                     const tc_setup *params, uint8_t *mask, tilecut_report *report)
{
    const int width = s->graph->width;
    const tc_extent box = tc_extent_of(painted, width, s->graph->height * s->graph->depth, 1);
    const tilecut_stroke stroke = {.x = box.x0, .y = box.y0, .width = box.x1 - box.x0 + 1,
                                   .height = box.y1 - box.y0 + 1, .stride = (size_t)width, .label = label,
                                   .painted = painted + (size_t)box.y0 * (size_t)width + (size_t)box.x0};
    const tilecut_report so_far = *report;
    tilecut_graph graph = *s->graph;
    tc_model_update update = {0};
    tilecut_report result = {0};
    tilecut_status status = TILECUT_OK;
    TRY(tc_model_update_add(&update, &s->graph->energy, &stroke));
    graph.energy = tc_model_update_energy(&update, &s->graph->energy);
    TRY(cut_one(s, &graph, &stroke, params, mask, &result));
    *report = result;
    tc_report_add_times(report, &so_far);
    report->flow += so_far.flow, report->cut += so_far.cut, report->energy += so_far.energy;
done:
    tc_model_update_free(&update);
    return status;
}

tilecut_status tc_strokes_correct(const tc_all_strokes *s, const tc_setup *params, uint8_t *mask,
                                  tilecut_report *report)
{
    const int width = s->graph->width, rows = s->graph->height * s->graph->depth;
    const size_t pixels = tc_graph_pixels(s->graph);
    tilecut_status status = TILECUT_OK;
    int strokes;
    uint8_t *const painted = malloc(2 * pixels);
    if (!painted) return tc_fail(TILECUT_ENOMEM, "no memory for strokes in %zu pixels", pixels);
    const int slice_rows = s->graph->depth > 1 ? s->graph->height : 0;
    tc_islands flood = {.mask = painted + pixels, .width = width, .height = rows, .slice_rows = slice_rows,
                        .connectivity = slice_rows ? 26 : 8};
    memcpy(mask, s->before, pixels);
    for (int i = 0; i < 2; i++) {
        const int label = i ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
        TRY(find_strokes(s, label, &flood, &strokes));
        for (bool more = true; more;) {
            TRY(next_stroke(&flood, strokes > TC_MOST_STROKES, painted, &more));
            if (more) TRY(correct_by_one(s, painted, label, params, mask, report));
        }
    }
    report->foreground = 0;
    for (size_t p = 0; p < pixels; p++) report->foreground += mask[p] != 0;
done:
    free(flood.at);
    free(painted);
    return status;
}
