/* SPDX-License-Identifier: MIT */
#include "stroke_leak.h"

#include <stdlib.h>

#include "rows.h"
#include "status.h"

enum { VANISHES = 10 }; /* less than 1 / VANISHES of the object would be left */

/* Maps of the window. */
typedef struct looking {
    const tc_spread *spread;
    size_t pixels;
    uint16_t *depth, *reach; /* distance to unchanged pixels; reach of the discs around the stroke */
    uint8_t *painted;
} looking;

/* Marks the painted pixels. In space a stroke lies in one plane, of any direction, so nothing counts as a line
 * there. */
static bool paint(const looking *l, const tilecut_stroke *s)
{
    const tc_block *const w = &l->spread->window;
    const int rows = l->spread->slice_rows;
    int64_t count = 0;
    for (int i = 0; i < s->height; i++)
        for (int x = 0; x < s->width; x++)
            if (tc_stroke_row(s, i)[x])
                l->painted[tc_block_at(w, s->x + x, (s->y + i) % rows, (s->y + i) / rows)] = 1;
    if (w->depth > 1) return false;
    for (size_t p = 0; p < l->pixels; p++) count += l->painted[p];
    tc_chamfer_within(l->reach, l->painted, w->width, w->height, 1, l->spread->spacing);
    return tc_is_line(count, tc_chamfer_deepest(l->reach, l->painted, l->pixels));
}

/* Leaves in l->painted the changed pixels beyond the discs. Returns true if they are a leak. */
static bool find_beyond(const looking *l, bool line, bool background)
{
    const tc_spread *const s = l->spread;
    const tc_block *const w = &s->window;
    int64_t beyond = 0;
    tc_chamfer_within(l->depth, s->changed, w->width, w->height, w->depth, s->spacing);
    const int most = tc_chamfer_deepest(l->depth, s->changed, l->pixels);
    const int own = tc_chamfer_deepest(l->depth, l->painted, l->pixels);
    for (size_t p = 0; p < l->pixels; p++)
        l->reach[p] = l->painted[p] && l->depth[p] ? (uint16_t)(most - l->depth[p]) : TC_CHAMFER_NOWHERE;
    tc_chamfer_space(l->reach, w->width, w->height, w->depth, s->spacing);
    for (size_t p = 0; p < l->pixels; p++) beyond += l->painted[p] = s->changed[p] && l->reach[p] >= most;
    if (!own) return false;
    if (background && VANISHES * (s->object - s->pixels) < s->object) return beyond > 0;
    const bool little = 5 * beyond > 3 * s->pixels, larger = w->depth == 1 && 5LL * s->depth < 4LL * most;
    return line ? little : 10 * own < 7 * most && (4 * beyond > s->object || (little && larger));
}

tilecut_status tc_stroke_leak(const tc_spread *spread, const tilecut_stroke *stroke, uint8_t **held)
{
    looking l = {.spread = spread, .pixels = tc_block_pixels(&spread->window)};
    l.depth = malloc(2 * l.pixels * sizeof *l.depth);
    l.painted = calloc(l.pixels, 1);
    const bool failed = !l.depth || !l.painted;
    if (!failed) {
        l.reach = l.depth + l.pixels;
        const bool line = paint(&l, stroke);
        if (find_beyond(&l, line, stroke->label == TILECUT_BACKGROUND)) *held = l.painted, l.painted = NULL;
    }
    free(l.depth);
    free(l.painted);
    return failed ? tc_fail(TILECUT_ENOMEM, "no memory for what a stroke reaches in %zu pixels", l.pixels) : TILECUT_OK;
}
