/* SPDX-License-Identifier: MIT
 *
 * stroke.c - see stroke.h. A window around the stroke becomes a graph of its own (stroke_window.h). If the change
 * reaches the window's rim, this is repeated in a larger window. So the mask depends on the windows; but these depend
 * only on the stroke and on answers, so they are the same with every solver, thread count and device.
 *
 * Changed pixels that are not connected to the stroke are dropped. The rest is still a minimum cut: regions that
 * change are not neighbours, so the cost of each does not depend on the others, and fixing the dropped ones makes no
 * other choice for the rest cheaper.
 */
#include "stroke.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "solve.h"
#include "status.h"
#include "stroke_window.h"

/* The first window extends this many pixels around the stroke, or as many as the stroke is long, if that is more. */
enum { MARGIN = 96 };

static int min_int(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static tc_window clip(const tilecut_graph *graph, int x0, int y0, int x1, int y1)
{
    x0 = most(x0, 0), y0 = most(y0, 0);
    return (tc_window){x0, y0, min_int(x1, graph->width) - x0, min_int(y1, graph->height) - y0};
}

static tc_window first_window(const tilecut_graph *graph, const tilecut_stroke *stroke)
{
    const int margin = most(MARGIN, most(stroke->width, stroke->height));
    return clip(graph, stroke->x - margin, stroke->y - margin, stroke->x + stroke->width + margin,
                stroke->y + stroke->height + margin);
}

/* Doubles the window on the sides where `change` reaches its rim, if it can grow there. False: it does not grow. */
static bool grow_window(const tilecut_graph *graph, const tc_stroke_change *change, tc_window *window)
{
    const tc_window w = *window;
    const uint8_t *const c = change->changed;
    bool left = false, right = false, up = false, down = false;
    for (int y = 0; y < w.height; y++) {
        left |= c[(size_t)y * (size_t)w.width];
        right |= c[(size_t)(y + 1) * (size_t)w.width - 1];
    }
    for (int x = 0; x < w.width; x++) {
        up |= c[x];
        down |= c[(size_t)(w.height - 1) * (size_t)w.width + (size_t)x];
    }
    *window = clip(graph, w.x - left * w.width, w.y - up * w.height, w.x + w.width + right * w.width,
                   w.y + w.height + down * w.height);
    return memcmp(&w, window, sizeof w) != 0;
}

/* Keeps those changes in `cut`, the labels of the window, that are connected to the stroke. */
static tilecut_status keep_connected(const tc_stroke_window *in, const uint8_t *cut, tc_stroke_change *change)
{
    const int w = in->window.width, h = in->window.height, directions = in->connectivity;
    static const int dx[8] = {1, -1, 0, 0, 1, -1, -1, 1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    const size_t pixels = (size_t)w * (size_t)h;
    size_t *const queue = malloc(pixels * sizeof *queue);
    size_t head = 0, tail = 0;

    change->changed = calloc(pixels, 1);
    if (!queue || !change->changed) {
        free(queue);
        return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke changes");
    }
    for (size_t p = 0; p < pixels; p++)
        if (in->role[p] == TC_ROLE_STROKE || in->role[p] == TC_ROLE_STROKE_SAME) queue[tail++] = p;
    for (size_t i = 0; i < tail; i++) change->changed[queue[i]] = 1;
    while (head < tail) {
        const size_t p = queue[head++];
        const int x = (int)(p % (size_t)w), y = (int)(p / (size_t)w);
        for (int d = 0; d < directions; d++) {
            if (x + dx[d] < 0 || x + dx[d] >= w || y + dy[d] < 0 || y + dy[d] >= h) continue;
            const size_t q = (size_t)(y + dy[d]) * (size_t)w + (size_t)(x + dx[d]);
            if (in->role[q] != TC_ROLE_FREE || change->changed[q] || (cut[q] != 0) != in->foreground) continue;
            change->changed[q] = 1;
            queue[tail++] = q;
        }
    }
    change->pixels = 0;
    for (size_t i = 0; i < tail; i++) {
        change->changed[queue[i]] = in->role[queue[i]] != TC_ROLE_STROKE_SAME; /* that one had the label before */
        change->pixels += change->changed[queue[i]];
    }
    free(queue);
    return TILECUT_OK;
}

/* Finds the change if only pixels in `window` may change. */
static tilecut_status cut_window(const tc_stroke_task *task, tc_window window, const tc_setup *params,
                                 tc_stroke_change *change, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_stroke_window in = {0};
    tilecut_report result = {0};
    uint8_t *cut = NULL;
    double clock = tc_now_ms();

    TRY(tc_stroke_window_init(&in, task, window, params->threads));
    const double build_ms = tc_lap_ms(&clock);
    cut = malloc((size_t)window.width * (size_t)window.height);
    if (!cut) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for labels of a stroke");
        goto done;
    }
    TRY(tc_solve(&in.graph, params, NULL, cut, NULL, &result));
    clock = tc_now_ms();
    TRY(keep_connected(&in, cut, change));
    change->window = window;
    result.graph_ms += build_ms;
    result.certify_ms += tc_lap_ms(&clock);
    tc_report_add_times(&result, report);
    *report = result;
done:
    free(cut);
    tc_stroke_window_free(&in);
    return status;
}

tilecut_status tc_stroke_cut(const tilecut_graph *graph, const uint8_t *seeds, const tilecut_stroke *stroke,
                             const tc_setup *params, const uint8_t *mask, tc_stroke_change *change,
                             tilecut_report *report)
{
    const tc_stroke_task task = {graph, seeds, stroke, mask};
    tc_window window = first_window(graph, stroke);
    tilecut_status status = TILECUT_OK;
    tc_setup setup = *params;
    bool more = true;

    memset(report, 0, sizeof *report);
    memset(change, 0, sizeof *change);
    while (more) {
        tc_stroke_change_free(change);
        TRY(cut_window(&task, window, &setup, change, report));
        more = grow_window(graph, change, &window);
    }
done:
    if (status != TILECUT_OK) tc_stroke_change_free(change);
    return status;
}

void tc_stroke_change_free(tc_stroke_change *change)
{
    free(change->changed);
    memset(change, 0, sizeof *change);
}
