/* SPDX-License-Identifier: MIT
 *
 * correction_learning.c - corrections by learning anew, see tilecut_correct.h. A mask learnt from few seeds may be far
 * off anywhere, while the user has seen the present mask and corrected its worst errors. So several new masks are
 * computed as offers. One is learnt anew from seeds of both classes. Another is learnt the same way, but from a guess
 * of the object's size, if all strokes are clicks and at least one of them removes pixels (correction_clicks.h).
 * Further offers are the changes of a stroke whose colours are compared with those of the whole image, or only with
 * those around it. The offer is taken in whose changes the seeds lie best (correction_regions.h). If no offer is good
 * for a line, the line changes only pixels near it.
 *
 * The regions of an offer do not touch each other, so the cost of one does not depend on which others are taken. Each
 * pixel around a region has the learnt label, or already has the region's new label. So taking a region is a minimum
 * cut of the learnt energy with all other pixels fixed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "correction.h"
#include "correction_clicks.h"
#include "correction_regions.h"
#include "alloc_list.h"
#include "edges.h"
#include "segment.h"
#include "solve.h"
#include "status.h"
#include "stroke_leak.h"

/* The offers of a new mask. Two of them compare a stroke's colours only with those within a distance of it: this many
 * pixels, plus this many times its depth in the wrong label. There, colours can be told apart that occur in both
 * classes elsewhere (docs/lab/quality.md). */
enum { LEARNT, LEARNT_BY_SIZE, OF_ALL_COLORS, OF_COLORS_AROUND, OF_COLORS_NEAR, OFFERS };
static const struct { int pixels; double depths; } around[OFFERS] = {
    [OF_COLORS_AROUND] = {30, 6}, [OF_COLORS_NEAR] = {20, 1.5}};

typedef struct learning {
    const tilecut_image *image;
    const uint8_t *seeds;
    const tc_setup *setup;
    int width, height;
    size_t pixels;
    uint8_t *mask;
    uint8_t *learnt;   /* the mask that is learnt from all seeds                    */
    uint8_t *by_size;  /* the mask that is learnt from a guess of the object's size */
    bool sized;        /* true: there is a mask `by_size`, and it is clearly better */
    bool anew;         /* true: there are seeds of both classes, so that colours can be learnt from seeds alone */
    tilecut_report report[2]; /* the reports of LEARNT and LEARNT_BY_SIZE                */
    uint8_t *other;    /* memory for seeds                                                                */
    uint8_t *offer;    /* `mask` with all changes of an offer                                             */
    uint8_t *best;     /* `mask` with the best offer's changes in those regions in which they would be made */
    tc_window window;  /* the bounding box of the seeds that contradict the mask                          */
    double depth;      /* the greatest depth of these seeds in the wrong label                            */
    int strokes;       /* number of strokes so far; all that contradict the mask count as one, the last */
    double likely;     /* how large an error may be, as a share of the object                             */
    double object;     /* number of pixels of the object in `mask`                                        */
    tc_regions regions;
    tc_alloc_list held;
} learning;

static bool contradicts(const learning *l, size_t p, bool foreground)
{
    return tc_contradicts(l->seeds, l->mask, p, foreground);
}

static bool any_contradicts(const learning *l, bool foreground)
{
    for (size_t p = 0; p < l->pixels; p++)
        if (contradicts(l, p, foreground)) return true;
    return false;
}

/* ---- What is learnt ---------------------------------------------------------------------------- */

/* True if pixel p would get the class's label: it is a seed of this class, or the learnt mask has this label there and
 * no seed contradicts it. */
static bool would_change(const learning *l, const uint8_t *learnt, size_t p, bool foreground)
{
    if ((l->mask[p] != 0) == foreground) return false;
    if (l->seeds[p] == (foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND)) return true;
    const bool free = l->seeds[p] == TILECUT_UNKNOWN || (l->seeds[p] == TILECUT_OUTSIDE && !foreground);
    return free && (learnt[p] != 0) == foreground;
}

static void offer_learnt(learning *l, const uint8_t *learnt, bool foreground)
{
    for (size_t p = 0; p < l->pixels; p++)
        l->offer[p] = would_change(l, learnt, p, foreground) ? (foreground ? 255 : 0) : l->mask[p];
}

/* ---- What a stroke changes --------------------------------------------------------------------- */

/* Returns how deep the pixels marked in l->other lie in the region l->offer. There are no offers yet, so their memory
 * is free. */
static int deepest(const learning *l)
{
    return tc_chamfer_depth(l->regions.depth, l->other, l->offer, l->width, l->height);
}

/* Finds the bounding box of the seeds of a class that contradict the mask, how deep they lie in the wrong label, and
 * whether they are a line. The width of a line is measured on all seeds of the class, because it may continue where the
 * mask is right.
  */
static void find_seeds(learning *l, bool foreground)
{
    const uint8_t *const seeds = l->seeds, *const mask = l->mask;
    const uint8_t own = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    uint8_t *const offer = l->offer, *const other = l->other;
    const size_t pixels = l->pixels;
    int64_t count = 0;
    for (size_t p = 0; p < pixels; p++) {
        offer[p] = (mask[p] != 0) != foreground;
        count += other[p] = tc_contradicts(seeds, mask, p, foreground);
    }
    const tc_extent box = tc_extent_of(l->other, l->width, l->height, 1);
    l->window = (tc_window){box.x0, box.y0, box.x1 - box.x0 + 1, box.y1 - box.y0 + 1};
    l->depth = (double)deepest(l) / TC_CHAMFER_PIXEL;
    for (size_t p = 0; p < pixels; p++) offer[p] = seeds[p] == own;
    l->regions.line = tc_is_line(count, deepest(l));
}

/* Finds the surroundings of the seeds for an offer. Returns false if these are the whole image, or have only one label,
 * so that no colours can be compared. */
static bool find_window(const learning *l, int kind, bool foreground, tc_window *window)
{
    const int margin = (int)(around[kind].pixels + around[kind].depths * l->depth);
    *window = l->window;
    tc_widen(&window->x, &window->width, margin, l->width);
    tc_widen(&window->y, &window->height, margin, l->height);
    if (window->width == l->width && window->height == l->height) return false;
    for (int y = window->y; y < window->y + window->height; y++)
        for (int x = window->x; x < window->x + window->width; x++)
            if ((l->mask[(size_t)y * (size_t)l->width + (size_t)x] != 0) == foreground) return true;
    return false;
}

/* Copies all seeds except those of the other class that contradict the mask. */
static void write_seeds(learning *l, bool foreground)
{
    const uint8_t *const seeds = l->seeds, *const mask = l->mask;
    uint8_t *const other = l->other;
    const size_t pixels = l->pixels;
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t seed = seeds[p];
        other[p] = tc_contradicts(seeds, mask, p, !foreground) ? TILECUT_UNKNOWN : seed;
    }
}

/* Makes an offer in which all seeds of a class are applied as one stroke. *offered is false if there is no such
 * offer. */
static tilecut_status offer_stroke(learning *l, int kind, bool foreground, tilecut_report *report, bool *offered)
{
    const tc_correction c = {l->image, l->other, l->setup, l->offer, NULL};
    tc_window window;
    *offered = kind == OF_ALL_COLORS || find_window(l, kind, foreground, &window);
    if (!*offered) return TILECUT_OK;
    write_seeds(l, foreground);
    memcpy(l->offer, l->mask, l->pixels);
    return kind == OF_ALL_COLORS ? tc_correct(&c, report) : tc_correct_within(&c, &window, report);
}

/* ---- How large a fault may be ------------------------------------------------------------------ */

/* A user corrects the largest errors first, so the largest error that is left shrinks with each stroke. At the n-th
 * stroke it is at most about MOST / n^2 of the object in nine of ten cases, and the median is a fourth of that
 * (docs/lab/quality.md). */
#define MOST 8.0
#define MEDIAN 0.25

/* Counts the strokes, and estimates from their number how large an error can still be. All strokes that contradict the
 * mask count as one. */
static tilecut_status find_likely(learning *l)
{
    const uint8_t *const seeds = l->seeds;
    uint8_t *const painted = l->other;
    const size_t pixels = l->pixels;
    memset(l->offer, 0, pixels);
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t seed = seeds[p];
        painted[p] = seed == TILECUT_FOREGROUND || seed == TILECUT_BACKGROUND ? 255 : 0;
    }
    NEED(tc_regions_number(&l->regions, l->offer, painted));
    l->strokes = 1 + l->regions.count;
    for (size_t p = l->regions.first; p < l->regions.end; p++) {
        tc_region *const place = &l->regions.region[l->regions.number[p]];
        if (!painted[p] || place->size || (!contradicts(l, p, true) && !contradicts(l, p, false))) continue;
        place->size = 1; /* the region has been counted */
        l->strokes--;
    }
    l->likely = MOST / ((double)l->strokes * l->strokes);
    return TILECUT_OK;
}

/* A foreground click seldom adds more than this share of the object, even if it is one of the first. */
#define ADDS 0.75

/* Returns how large an error may be, in pixels: a share of the present mask, if that has foreground. Offers are not
 * used, because they are no evidence for it. */
static double likely_size(learning *l, bool foreground)
{
    const uint8_t *const mask = l->mask;
    const size_t pixels = l->pixels;
    int64_t count = 0;
    for (size_t p = 0; p < pixels; p++) count += mask[p] != 0;
    const double object = l->object = (double)count;
    l->regions.large = foreground && object > 0 ? fmin(ADDS, l->likely) * object : INFINITY;
    return object > 0 ? l->likely * object : INFINITY;
}

/* ---- The best of them -------------------------------------------------------------------------- */

/* Writes l->best: `mask` with the offer's changes in some regions. Regions that contain seeds are always changed. Of
 * the other regions, which no stroke asks for, those of at most `elsewhere` pixels are changed; but if these have more
 * than `most` pixels together, none of them is. A learnt mask that is promising may change more: each region may be as
 * large as the regions with seeds together and as a median error, and all together may be as large as the larger of
 * these two. An offer of a stroke changes no other regions. */
static void keep(learning *l, double elsewhere, double most)
{
    double all = 0;
    for (int32_t i = 1; i <= l->regions.count; i++) {
        const tc_region *const r = &l->regions.region[i];
        all += !r->seeds && (double)r->size <= elsewhere ? (double)r->size : 0;
    }
    if (all > most) elsewhere = 0;
    memcpy(l->best, l->mask, l->pixels);
    for (size_t p = l->regions.first; p < l->regions.end; p++) {
        const int32_t number = l->regions.number[p];
        const tc_region *const r = &l->regions.region[number];
        if (number && (r->seeds || (double)r->size <= elsewhere)) l->best[p] = l->offer[p];
    }
}

/* Writes an offer. *result is the report of the cut from which it comes. *offered is false if there is no such offer.
 * An offer by size is made only for background clicks; for foreground clicks it gains nothing (docs/lab/quality.md). */
static tilecut_status make_offer(learning *l, int kind, bool foreground, tilecut_report *result, bool *offered)
{
    *offered = kind == LEARNT ? l->anew : l->sized && !foreground;
    *result = (tilecut_report){0};
    if (kind > LEARNT_BY_SIZE) return offer_stroke(l, kind, foreground, result, offered);
    *result = l->report[kind];
    if (*offered) offer_learnt(l, kind == LEARNT ? l->learnt : l->by_size, foreground);
    return TILECUT_OK;
}

/* If no offer promises an improvement, a line changes only pixels near it: within half of its depth in the wrong label.
 * There the label is wrong in nine of ten cases, whatever the colours are. */
static tilecut_status change_near(learning *l, bool foreground, tilecut_report *best)
{
    memset(l->offer, foreground ? 255 : 0, l->pixels);
    NEED(tc_regions_find(&l->regions, l->mask, l->offer, l->seeds));
    const uint16_t reached = tc_regions_reach(&l->regions, l->offer, l->seeds, 2);
    for (size_t p = 0; p < l->pixels; p++) l->offer[p] = l->regions.reach[p] < reached ? 0 : 1;
    memcpy(l->best, l->mask, l->pixels);
    write_seeds(l, foreground);
    return tc_correct(&(tc_correction){l->image, l->other, l->setup, l->best, l->offer}, best);
}

/* Two clicks, on an object and on another thing of its colours, do not tell the two apart. What is learnt from them may
 * be background but for a block of pixels around the object's click, and the outline of such a block lies in open
 * ground. So a click removes more than half of the mask only if what is left lies better on edges than the mask did: it
 * is off edges (edges.h) by less than this share of what the mask was, or the mask had no outline, as that of a whole
 * photo. Lines are judged by what they fill. */
#define CLEARER 0.9

/* Finds whether an offer that was learnt anew for a background click is to be believed. */
static tilecut_status believe_learnt(const learning *l, bool *believed)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    tc_edges edges = {0};
    if (l->regions.line || 2 * (double)tc_regions_asked(&l->regions) <= l->object) return TILECUT_OK;
    TRY(tc_graph_from_image(&graph, l->image, l->seeds, l->setup));
    TRY(tc_edges_find(graph, l->image, l->mask, &edges));
    const double before = tc_edges_along(&edges, l->mask);
    *believed = !(before > 0) || tc_edges_along(&edges, l->offer) < CLEARER * before;
done:
    tc_edges_free(&edges);
    tc_graph_free(graph);
    return status;
}

static tilecut_status correct_class(learning *l, bool foreground, tilecut_report *report)
{
    double most = -INFINITY;
    tilecut_report best = {0};
    find_seeds(l, foreground);
    for (int kind = LEARNT; kind < OFFERS; kind++) {
        const bool learnt = kind <= LEARNT_BY_SIZE;
        tilecut_report result;
        bool offered;
        NEED(make_offer(l, kind, foreground, &result, &offered));
        if (!offered) continue;
        if (!learnt) tc_report_add_times(report, &result);
        NEED(tc_regions_find(&l->regions, l->mask, l->offer, l->seeds));
        const double asked = (double)tc_regions_asked(&l->regions);
        const double likely = likely_size(l, foreground), median = MEDIAN * likely;
        const double promise = tc_regions_promise(&l->regions, likely);
        if (kind == LEARNT && !foreground) NEED(believe_learnt(l, &offered));
        if (!offered || promise <= most) continue;
        most = promise;
        best = result;
        keep(l, learnt && promise > 0 ? fmin(asked, median) : 0, fmax(asked, median));
    }
    if (l->regions.line && most <= 0) {
        best = (tilecut_report){0};
        NEED(change_near(l, foreground, &best));
        tc_report_add_times(report, &best);
    }
    best.model_ms = report->model_ms, best.graph_ms = report->graph_ms, best.copy_ms = report->copy_ms;
    best.solve_ms = report->solve_ms, best.certify_ms = report->certify_ms;
    *report = best;
    return TILECUT_OK;
}

static tilecut_status correct_by(learning *l, bool foreground, tilecut_report *report)
{
    if (!any_contradicts(l, foreground)) return TILECUT_OK;
    NEED(correct_class(l, foreground, report));
    memcpy(l->mask, l->best, l->pixels);
    return TILECUT_OK;
}

static tilecut_status alloc_learning(learning *l)
{
    uint8_t **const rooms[] = {&l->learnt, &l->by_size, &l->other, &l->offer, &l->best};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) *rooms[i] = tc_own(&l->held, malloc(l->pixels));
    l->regions = (tc_regions){.width = l->width, .height = l->height, .connectivity = l->setup->connectivity};
    l->regions.number = tc_own(&l->held, malloc(l->pixels * sizeof *l->regions.number));
    l->regions.depth = tc_own(&l->held, malloc(tc_regions_room(l->width, l->height)));
    if (l->regions.depth) l->regions.reach = l->regions.depth + tc_regions_framed(l->width, l->height);
    return !l->held.lacks ? TILECUT_OK
                          : tc_fail(TILECUT_ENOMEM, "no memory to learn from seeds in %zu pixels", l->pixels);
}

/* With more strokes than this, sizes are not compared any more, because the object's size is known by then and only
 * small errors are left. */
enum { MOST_SIZED = 6 };

/* Learns from all seeds, as if there were no mask. Does nothing if there are no seeds of a class that only the mask
 * has. *report gets the times of all cuts. */
static tilecut_status learn_all(learning *l, tilecut_report *report)
{
    tc_setup anew = *l->setup;
    anew.prior = NULL;
    const bool box = memchr(l->seeds, TILECUT_OUTSIDE, l->pixels) && memchr(l->seeds, TILECUT_UNKNOWN, l->pixels);
    l->anew = (box || memchr(l->seeds, TILECUT_BACKGROUND, l->pixels)) &&
              (box || memchr(l->seeds, TILECUT_FOREGROUND, l->pixels));
    if (!l->anew) return TILECUT_OK;
    NEED(tc_segment(&(tc_source){.image = l->image, .seeds = l->seeds}, &anew, l->learnt, &l->report[LEARNT]));
    *report = l->report[LEARNT];
    if (l->strokes > MOST_SIZED || !any_contradicts(l, false)) return TILECUT_OK;
    const tc_correction c = {l->image, l->seeds, l->setup, l->mask, NULL};
    NEED(tc_learn_by_size(&c, l->learnt, l->by_size, &l->report[LEARNT_BY_SIZE], &l->sized));
    tc_report_add_times(report, &l->report[LEARNT_BY_SIZE]);
    return TILECUT_OK;
}

tilecut_status tc_correct_learning(const tc_correction *c, tilecut_report *report)
{
    learning l = {.image = c->image, .seeds = c->seeds, .setup = c->setup, .width = c->image->width,
                  .height = c->image->height, .mask = c->mask};
    l.pixels = (size_t)l.width * (size_t)l.height;
    tilecut_status status = TILECUT_OK;

    if (!any_contradicts(&l, true) && !any_contradicts(&l, false)) return tc_correct(c, report);
    TRY(alloc_learning(&l));
    TRY(find_likely(&l));
    TRY(learn_all(&l, report));
    TRY(correct_by(&l, true, report));
    TRY(correct_by(&l, false, report));
    report->foreground = 0;
    for (size_t p = 0; p < l.pixels; p++) report->foreground += l.mask[p] != 0;
done:
    tc_alloc_list_free(&l.held);
    tc_regions_free(&l.regions);
    return status;
}
