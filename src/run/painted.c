/* SPDX-License-Identifier: MIT
 *
 * painted.c - see painted.h.
 */
#include "painted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "islands.h"
#include "iterate.h"
#include "reach.h"
#include "solve.h"
#include "status.h"

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

/* Whether the box holds nearly all of the image, and so says next to nothing. */
static bool is_vague(const tc_painting *p)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    const int width = p->image->width, height = p->image->height;
    tc_window box;
    return memchr(p->seeds, TILECUT_FOREGROUND, pixels) && tc_box_rectangle(p->seeds, width, height, &box) &&
           width - box.width <= 2 + width / 50 && height - box.height <= 2 + height / 50;
}

/* What is nearer to the foreground's strokes than to all background. In a smaller copy, unless that loses strokes. */
static tilecut_status guess_by_reach(const tc_painting *p, uint8_t *guess, tc_setup *with)
{
    const double enough = 40000; /* cells */
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    const int factor = (int)ceil(sqrt((double)pixels / enough));
    tilecut_status status = TILECUT_OK;
    tc_coarse coarse;
    TRY(tc_coarse_init(&coarse, p->image, p->seeds, factor));
    if (!tc_coarse_will_do(&coarse, p->seeds, pixels)) {
        tc_coarse_free(&coarse);
        TRY(tc_coarse_init(&coarse, p->image, p->seeds, 1));
    }
    status = tc_reach(&coarse.image, coarse.seeds, guess);
    with->guess_width = coarse.image.width;
    with->guess_height = coarse.image.height;
    tc_coarse_free(&coarse);
done:
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

/* Gives back to p->mask what the box's own mask has, wherever the two differ and no stroke lies. What is left is the
 * minimum cut with those pixels fixed, and all others, too, that have not changed: around a region that has changed
 * both masks agree, so what it costs does not depend on other regions. Nothing is given back if that would be a large
 * part of the box's mask. *foreground counts p->mask. */
static tilecut_status keep_what_was_asked_for(const tc_painting *p, const uint8_t *of_box, int directions,
                                              int64_t *foreground)
{
    const int width = p->image->width, height = p->image->height;
    const size_t pixels = (size_t)width * (size_t)height;
    tc_islands changed = {.mask = malloc(pixels), .width = width, .height = height, .connectivity = directions};
    size_t of_mask = 0, not_asked = 0;
    bool done = changed.mask != NULL;

    for (size_t at = 0; done && at < pixels; at++) changed.mask[at] = p->mask[at] != of_box[at] ? 255 : 0;
    for (size_t at = 0; done && at < pixels; at++)
        if (p->seeds[at] != TILECUT_UNKNOWN) done = tc_islands_reach(&changed, at);
    for (size_t at = 0; done && at < pixels; at++) of_mask += of_box[at] != 0, not_asked += changed.mask[at] == 255;
    const bool large = (double)not_asked > LARGE_CHANGE * (double)of_mask;
    for (size_t at = 0; done && at < pixels && !large; at++) {
        if (changed.mask[at] != 255) continue;
        *foreground += of_box[at] ? 1 : -1;
        p->mask[at] = of_box[at];
    }
    free(changed.at);
    free(changed.mask);
    return done ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory to compare two masks of %zu pixels", pixels);
}

/* Where learning may begin. */
typedef enum start { FROM_THE_ELLIPSE, BOX_ALONE, STROKES_ALONE, BY_REACH, STARTS } start;

/* Points with->guess to the guess of a start. *found: false if there is none. */
static tilecut_status begin_at(const tc_painting *p, start where, const tc_setup *how, uint8_t *guesses, tc_setup *with,
                               tilecut_report *told, bool *found)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    uint8_t *const guess = guesses + (where == STROKES_ALONE ? pixels : 0);
    with->guess = where == FROM_THE_ELLIPSE ? NULL : guess;
    with->guess_width = p->image->width;
    with->guess_height = p->image->height;
    *found = true;
    if (where == FROM_THE_ELLIPSE) return TILECUT_OK;
    if (where == BY_REACH) return guess_by_reach(p, guess, with);
    return guess_from(p, where == STROKES_ALONE, how, guess, told, found);
}

tilecut_status tc_segment_painted(const tc_painting *p, uint8_t *guesses, tc_setup *how, tilecut_report *report)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    const tc_source source = {p->image, p->seeds, NULL};
    const bool vague = is_vague(p);
    uint8_t *const mask = malloc(pixels);
    tilecut_status status = TILECUT_OK;
    tilecut_report all = {0}, best = {0};
    tc_setup with = *how, chosen = *how;
    bool found, boxed = false, any = false;

    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    for (start where = FROM_THE_ELLIPSE; where < STARTS; where++) {
        tilecut_report told = {0};
        if (vague ? where == BOX_ALONE || where == FROM_THE_ELLIPSE : where == BY_REACH) continue;
        TRY(begin_at(p, where, how, guesses, &with, &all, &found));
        if (!found) continue;
        boxed |= where == BOX_ALONE;
        TRY(tc_segment_whole(&source, &with, mask, &told));
        tc_report_add_times(&all, &told);
        if (any && energy_of(&told) >= energy_of(&best)) continue;
        any = true;
        best = told;
        memcpy(p->mask, mask, pixels);
        chosen = with;
    }
    *how = chosen;
    *report = best;
    report->model_ms = all.model_ms, report->graph_ms = all.graph_ms, report->copy_ms = all.copy_ms;
    report->solve_ms = all.solve_ms, report->certify_ms = all.certify_ms;
    if (boxed) TRY(keep_what_was_asked_for(p, guesses, how->connectivity, &report->foreground));
    if (vague) TRY(tc_drop_islands(p->seeds, p->image->width, p->image->height, how->connectivity, p->mask,
                                   &report->foreground));
done:
    free(mask);
    return status;
}
