/* SPDX-License-Identifier: MIT */
#include "session_history.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_list.h"
#include "status.h"

static size_t row_bytes(const tc_patch *patch) { return ((size_t)patch->window.width + 7) / 8; }

/* The place where an image has changed: given by `change` or, if that is NULL, by the pixels where two maps of labels
 * differ. */
typedef struct difference {
    const tc_stroke_change *change;
    const uint8_t *before, *after; /* masks before and after the step, used if `change` is NULL */
    int width;
} difference;

static bool differs(const difference *d, int x, int y)
{
    if (d->change) {
        const tc_block *const w = &d->change->window;
        const int row = y % d->change->slice_rows, slice = y / d->change->slice_rows;
        return tc_block_has(w, x, row, slice) && d->change->changed[tc_block_at(w, x, row, slice)];
    }
    const size_t p = (size_t)y * (size_t)d->width + (size_t)x;
    return d->before[p] != d->after[p];
}

/* Returns the bounding box of all pixels of `window` that differ. */
static tc_window find_bounds(const difference *d, tc_window window, int64_t *pixels)
{
    int x0 = window.x + window.width, x1 = window.x, y0 = window.y + window.height, y1 = window.y;
    *pixels = 0;
    for (int y = window.y; y < window.y + window.height; y++)
        for (int x = window.x; x < window.x + window.width; x++) {
            if (!differs(d, x, y)) continue;
            ++*pixels;
            if (x < x0) x0 = x;
            if (x >= x1) x1 = x + 1;
            if (y < y0) y0 = y;
            if (y >= y1) y1 = y + 1;
        }
    return *pixels ? (tc_window){x0, y0, x1 - x0, y1 - y0} : (tc_window){window.x, window.y, 0, 0};
}

tc_window tc_changed_window(const uint8_t *before, const uint8_t *after, int width, int height, int64_t *pixels)
{
    const difference d = {.before = before, .after = after, .width = width};
    return find_bounds(&d, (tc_window){0, 0, width, height}, pixels);
}

static tilecut_status make_patch(const difference *d, tc_window window, tc_patch *patch)
{
    const tc_window *const w = &patch->window;
    patch->bits = NULL;
    patch->window = find_bounds(d, window, &patch->pixels);
    if (!patch->pixels) return TILECUT_OK;
    patch->bits = calloc(row_bytes(patch) * (size_t)w->height, 1);
    if (!patch->bits) return tc_fail(TILECUT_ENOMEM, "no memory to undo a change of %dx%d", w->width, w->height);
    for (int y = 0; y < w->height; y++)
        for (int x = 0; x < w->width; x++)
            if (differs(d, w->x + x, w->y + y))
                patch->bits[(size_t)y * row_bytes(patch) + (size_t)x / 8] |= (uint8_t)(1u << x % 8);
    return TILECUT_OK;
}

tilecut_status tc_patch_of_change(const tc_stroke_change *change, tc_patch *patch)
{
    const difference d = {.change = change};
    const tc_block *const w = &change->window;
    const tc_window rows = {w->x, w->z * change->slice_rows + w->y, w->width,
                            (w->depth - 1) * change->slice_rows + w->height};
    return make_patch(&d, rows, patch);
}

tilecut_status tc_patch_of_masks(const uint8_t *before, const uint8_t *after, int width, int height, tc_patch *patch)
{
    const difference d = {.before = before, .after = after, .width = width};
    return make_patch(&d, (tc_window){0, 0, width, height}, patch);
}

void tc_patch_apply(const tc_patch *patch, int width, uint8_t *mask)
{
    const tc_window *const w = &patch->window;
    for (int y = 0; y < w->height; y++) {
        const uint8_t *const bits = patch->bits + (size_t)y * row_bytes(patch);
        uint8_t *const row = mask + (size_t)(w->y + y) * (size_t)width + (size_t)w->x;
        for (int x = 0; x < w->width; x++)
            if (bits[x / 8] >> x % 8 & 1) row[x] ^= 0xff;
    }
}

tilecut_status tc_history_make_room(tc_history *history)
{
    tc_step *const step = tc_list_grow(history->step, (size_t)history->count, &history->room, sizeof *step);
    if (!step) return tc_fail(TILECUT_ENOMEM, "no memory to undo more than %d steps", history->count);
    history->step = step;
    return TILECUT_OK;
}

void tc_step_free(tc_step *step)
{
    free(step->patch.bits);
    free(step->seeds);
    tc_energy_free(&step->energy);
    tc_model_update_free(&step->trainings);
}

void tc_history_free(tc_history *history)
{
    for (int i = 0; i < history->count; i++) tc_step_free(&history->step[i]);
    free(history->step);
    memset(history, 0, sizeof *history);
}
