/* SPDX-License-Identifier: MIT
 *
 * film_windows.c - see film_windows.h.
 */
#include "film_windows.h"

#include <stdlib.h>
#include <string.h>

#include "engine.h"

int windows_begin(windows *w, const tilecut_film_shape *shape, const tilecut_params *params, failure *why)
{
    w->window = shape->window;
    w->room = shape->window + shape->ahead + 1;
    w->frame = calloc((size_t)w->room, sizeof *w->frame);
    if (!w->frame) return fail(why, EXIT_RESOURCES, "not enough memory for windows of %d frames", shape->window);
    const tilecut_status status = tilecut_film_create(&w->film, shape, params);
    return status == TILECUT_OK ? EXIT_DONE : engine_failure(status, NULL, why);
}

static void forget(waiting *one)
{
    seeds_free(&one->painted);
    notes_free(&one->log);
    *one = (waiting){0};
}

void windows_end(windows *w)
{
    for (int i = 0; w->frame && i < w->room; i++) forget(&w->frame[i]);
    free(w->frame);
    tilecut_film_destroy(w->film);
    *w = (windows){0};
}

waiting *windows_next(windows *w) { return &w->frame[w->added % w->room]; }
waiting *windows_first(windows *w) { return &w->frame[w->taken % w->room]; }

int windows_add(windows *w, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior, int *ready,
                failure *why)
{
    const tilecut_status status = frame ? tilecut_film_add(w->film, frame, labels, prior, ready)
                                        : tilecut_film_end(w->film, ready);
    if (status != TILECUT_OK) return engine_failure(status, NULL, why);
    w->added += frame != NULL;
    return EXIT_DONE;
}

int windows_take(windows *w, size_t pixels, uint8_t *mask, uint8_t *before, followed *out, failure *why)
{
    *out = (followed){.update = windows_first(w)->marked, .report = {.size = sizeof out->report}};
    memcpy(before, mask, pixels);
    const tilecut_status status = tilecut_film_take(w->film, mask, &out->report);
    if (status != TILECUT_OK) return engine_failure(status, NULL, why);
    out->cut = out->report.certified != 0;
    out->foreground = out->report.foreground;
    for (size_t p = 0; p < pixels; p++) out->changed += mask[p] != before[p];
    return EXIT_DONE;
}

void windows_done(windows *w)
{
    forget(windows_first(w));
    w->taken++;
}

uint64_t windows_bytes(const tilecut_film_shape *shape)
{
    enum { AHEAD = 3 + 3, A_FRAME = AHEAD + 20 + 48 + 1, ONCE = 150 }; /* bytes, masks; capacities, grid; trails */
    return (uint64_t)A_FRAME * (uint64_t)shape->window + (uint64_t)AHEAD * (uint64_t)shape->ahead + ONCE;
}
