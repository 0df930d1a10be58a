/* SPDX-License-Identifier: MIT
 *
 * painted.c - see painted.h.
 */
#include "painted.h"

#include <stdlib.h>
#include <string.h>

#include "solve.h"
#include "status.h"
#include "segment_whole.h"

bool tc_is_painted(const uint8_t *seeds, size_t pixels, const tc_setup *setup)
{
    if (setup->effort == 1 || setup->iterations < 0 || !memchr(seeds, TILECUT_OUTSIDE, pixels)) return false;
    return memchr(seeds, TILECUT_FOREGROUND, pixels) || memchr(seeds, TILECUT_BACKGROUND, pixels);
}

/* The box without its strokes. */
static void leave_out_strokes(const tc_painting *p, uint8_t *seeds)
{
    const int width = p->image->width, height = p->image->height;
    tc_window box;
    tc_box_rectangle(p->seeds, width, height, &box);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t at = (size_t)y * (size_t)width + (size_t)x;
            const bool in = x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
            const bool stroke = p->seeds[at] == TILECUT_FOREGROUND || p->seeds[at] == TILECUT_BACKGROUND;
            seeds[at] = !stroke ? p->seeds[at] : in ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
        }
}

/* The strokes without their box. */
static void leave_out_box(const tc_painting *p, uint8_t *seeds)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    for (size_t at = 0; at < pixels; at++) seeds[at] = p->seeds[at] == TILECUT_OUTSIDE ? 0 : p->seeds[at];
}

/* What one half of the evidence says alone: a guess for both. *found: false if that half is no evidence. */
static tilecut_status guess_from(const tc_painting *p, bool strokes, const tc_setup *setup, uint8_t *guess,
                                 tilecut_report *told, bool *found)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    tilecut_status status = TILECUT_OK;
    tilecut_report one = {0};
    uint8_t *const seeds = malloc(pixels);
    if (!seeds) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
    if (strokes) leave_out_box(p, seeds);
    else leave_out_strokes(p, seeds);
    *found = memchr(seeds, TILECUT_UNKNOWN, pixels) &&
             (!strokes || (memchr(seeds, TILECUT_FOREGROUND, pixels) && memchr(seeds, TILECUT_BACKGROUND, pixels)));
    if (!*found) goto done;
    TRY(tc_segment_whole(&(tc_source){p->image, seeds, NULL}, setup, guess, &one));
    tc_report_add_times(told, &one);
    *found = memchr(guess, 255, pixels) != NULL;
done:
    free(seeds);
    return status;
}

/* The energy of an answer, including the cost that all labellings share. */
static double energy_of(const tilecut_report *report)
{
    return report->iteration_energy[report->iterations];
}

/* ---- What the box said, unless strokes say otherwise ------------------------------------------ */

/* A change of the box's mask that no stroke asks for is taken only if it is more than this part of that mask: then the
 * box was wrong as a whole. Less is as often wrong as right (docs/lab/quality.md). */
#define LARGE_CHANGE 0.2

enum { SAME, CHANGED, ASKED_FOR };

/* Follows one region of changed pixels from `first`, and marks it as asked for. queue: [pixels]. */
static void follow(uint8_t *state, int width, int height, int directions, size_t first, size_t *queue)
{
    static const int dx[8] = {1, -1, 0, 0, 1, -1, -1, 1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    size_t head = 0, tail = 0;
    queue[tail++] = first;
    state[first] = ASKED_FOR;
    while (head < tail) {
        const size_t p = queue[head++];
        const int x = (int)(p % (size_t)width), y = (int)(p / (size_t)width);
        for (int d = 0; d < directions; d++) {
            const size_t q = (size_t)(y + dy[d]) * (size_t)width + (size_t)(x + dx[d]);
            if (x + dx[d] < 0 || x + dx[d] >= width || y + dy[d] < 0 || y + dy[d] >= height || state[q] != CHANGED)
                continue;
            state[q] = ASKED_FOR;
            queue[tail++] = q;
        }
    }
}

/* Gives back to p->mask what the box's own mask has, wherever the two differ and no stroke lies. What is left is the
 * minimum cut with those pixels fixed, and all others, too, that have not changed: around a region that has changed
 * both masks agree, so what it costs does not depend on other regions. Nothing is given back if that would be a large
 * part of the box's mask. *foreground counts p->mask. */
static tilecut_status keep_what_was_asked_for(const tc_painting *p, const uint8_t *of_box, int directions,
                                              int64_t *foreground)
{
    const int width = p->image->width, height = p->image->height;
    const size_t pixels = (size_t)width * (size_t)height;
    size_t *const queue = malloc(pixels * sizeof *queue);
    uint8_t *const state = malloc(pixels);
    size_t of_mask = 0, not_asked = 0;

    if (!queue || !state) {
        free(queue);
        free(state);
        return tc_fail(TILECUT_ENOMEM, "no memory to compare two masks of %zu pixels", pixels);
    }
    for (size_t at = 0; at < pixels; at++) state[at] = p->mask[at] != of_box[at] ? CHANGED : SAME;
    for (size_t at = 0; at < pixels; at++)
        if (state[at] == CHANGED && p->seeds[at] != TILECUT_UNKNOWN)
            follow(state, width, height, directions, at, queue);
    for (size_t at = 0; at < pixels; at++) of_mask += of_box[at] != 0, not_asked += state[at] == CHANGED;
    const bool large = (double)not_asked > LARGE_CHANGE * (double)of_mask;
    for (size_t at = 0; at < pixels && !large; at++) {
        if (state[at] != CHANGED) continue;
        *foreground += of_box[at] ? 1 : -1;
        p->mask[at] = of_box[at];
    }
    free(queue);
    free(state);
    return TILECUT_OK;
}

tilecut_status tc_segment_painted(const tc_painting *p, uint8_t *guesses, tc_setup *how, tilecut_report *report)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    const tc_source source = {p->image, p->seeds, NULL};
    uint8_t *const mask = malloc(pixels);
    tilecut_status status = TILECUT_OK;
    tilecut_report all = {0}, best = {0};
    enum { FROM_THE_ELLIPSE, BOX_ALONE, STROKES_ALONE, STARTS };
    tc_setup with = *how;
    const uint8_t *chosen = NULL;
    bool found, boxed = false, any = false;

    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    with.guess_width = p->image->width;
    with.guess_height = p->image->height;
    for (int start = 0; start < STARTS; start++) {
        uint8_t *const guess = guesses + (start == STROKES_ALONE ? pixels : 0);
        tilecut_report told = {0};
        if (start != FROM_THE_ELLIPSE) TRY(guess_from(p, start == STROKES_ALONE, how, guess, &all, &found));
        if (start != FROM_THE_ELLIPSE && !found) continue;
        boxed |= start == BOX_ALONE;
        with.guess = start == FROM_THE_ELLIPSE ? NULL : guess;
        TRY(tc_segment_whole(&source, &with, mask, &told));
        tc_report_add_times(&all, &told);
        if (any && energy_of(&told) >= energy_of(&best)) continue;
        any = true;
        best = told;
        memcpy(p->mask, mask, pixels);
        chosen = with.guess;
    }
    how->guess = chosen;
    how->guess_width = with.guess_width;
    how->guess_height = with.guess_height;
    *report = best;
    report->model_ms = all.model_ms, report->graph_ms = all.graph_ms, report->copy_ms = all.copy_ms;
    report->solve_ms = all.solve_ms, report->certify_ms = all.certify_ms;
    if (boxed) TRY(keep_what_was_asked_for(p, guesses, how->connectivity, &report->foreground));
done:
    free(mask);
    return status;
}
