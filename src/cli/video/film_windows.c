/* SPDX-License-Identifier: MIT */
#include "film_windows.h"

#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "memory.h"

int windows_begin(windows *w, int count, const tilecut_film_shape *shape, const tilecut_params *params, failure *why)
{
    w->window = shape->window;
    w->room = shape->window + shape->ahead + 1;
    w->frame = calloc((size_t)w->room, sizeof *w->frame);
    w->film = calloc((size_t)count, sizeof(tilecut_film *));
    if (!w->frame || !w->film)
        return fail(why, EXIT_RESOURCES, "not enough memory for windows of %d frames", shape->window);
    tilecut_status status = TILECUT_OK;
    for (; w->objects < count && status == TILECUT_OK; w->objects++)
        status = tilecut_film_create(&w->film[w->objects], shape, params);
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
    for (int i = 0; i < w->objects; i++) tilecut_film_destroy(w->film[i]);
    free(w->film);
    *w = (windows){0};
}

waiting *windows_next(windows *w) { return &w->frame[w->added % w->room]; }
waiting *windows_first(windows *w) { return &w->frame[w->taken % w->room]; }

int windows_add(windows *w, int object, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior,
                int *ready, failure *why)
{
    tilecut_film *const of = w->film[object];
    const tilecut_status status = frame ? tilecut_film_add(of, frame, labels, prior, ready)
                                        : tilecut_film_end(of, ready);
    if (status != TILECUT_OK) return engine_failure(status, NULL, why);
    w->added += frame && object == w->objects - 1;
    return EXIT_DONE;
}

int windows_confidence(windows *w, uint8_t *sure, tilecut_doubt *doubt, failure *why)
{
    if (doubt) *doubt = (tilecut_doubt){.size = sizeof *doubt};
    const tilecut_status status = tilecut_film_confidence(w->film[0], sure, doubt);
    return status == TILECUT_OK ? EXIT_DONE : engine_failure(status, NULL, why);
}

int windows_take(windows *w, int object, follow *f, followed *out, failure *why)
{
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    *out = (followed){.update = windows_first(w)->marked, .report = {.size = sizeof out->report}};
    memcpy(f->before, f->mask, pixels);
    const tilecut_status status = tilecut_film_take(w->film[object], f->mask, &out->report);
    if (status != TILECUT_OK) return engine_failure(status, NULL, why);
    out->cut = out->report.certified != 0;
    out->foreground = out->report.foreground;
    f->costs = NULL;
    if (out->cut) (void)tilecut_film_graph(w->film[object], &f->costs);
    for (size_t p = 0; p < pixels; p++) out->changed += f->mask[p] != f->before[p];
    return EXIT_DONE;
}

void windows_done(windows *w)
{
    forget(windows_first(w));
    w->taken++;
}

uint64_t windows_bytes(const tilecut_film_shape *shape, bool sure)
{
    const uint64_t held = MEMORY_FRAME + (sure ? 1 : 0);
    return (held + MEMORY_FRAME_CUT) * (uint64_t)shape->window + held * (uint64_t)shape->ahead + MEMORY_WINDOW;
}
