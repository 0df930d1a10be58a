/* SPDX-License-Identifier: MIT
 *
 * correction_learning.c - corrections by learning anew, see tilecut_correct.h. What is learnt from few seeds may be far
 * off anywhere; the mask so far has been looked at, and the user has corrected what was worst in it. Regions that would
 * change for a class are not neighbours of each other, so what one costs does not depend on which others are taken.
 * Around a region all pixels are as they were learnt, or have the region's new label already. So it is a minimum cut of
 * what was learnt, all other pixels fixed.
 */
#include <math.h>
#include <stdlib.h>

#include "correction.h"
#include "owned.h"
#include "segment.h"
#include "solve.h"
#include "status.h"

/* A connected part of what changes for one class. */
typedef struct region {
    int64_t size;
    int64_t seeds;   /* of them, those that contradict the mask */
    double x, y;     /* sums, then means, of where those are    */
    double away;     /* squared distance from there to the middle: the nearest of those seeds */
    int32_t middle;  /* how deep the middle lies in the region  */
    int32_t deepest; /* how deep any pixel does                 */
} region;

typedef struct learning {
    const tilecut_image *image;
    const uint8_t *seeds;
    const tc_setup *setup;
    int width, height;
    size_t pixels;
    uint8_t *mask;
    uint8_t *learnt;   /* the mask of all seeds                                                     */
    uint8_t *other;    /* room for seeds                                                            */
    int32_t *number;   /* of each pixel: that of its region, from 1 on; 0: it does not change       */
    int32_t *depth;    /* distance to the nearest pixel that does not change, in fifths of a pixel  */
    size_t *queue;
    region *regions;   /* [count + 1]                                                               */
    int32_t count;
    tc_owned held;
} learning;

static uint8_t label_of(bool foreground)
{
    return foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
}

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

/* ---- Regions ---------------------------------------------------------------------------------- */

enum { UNNUMBERED = -1 };

/* Numbers all pixels that are connected to `first` and have no number yet. */
static void flood(learning *l, size_t first, int32_t number)
{
    const int directions = l->setup->connectivity == 8 ? 8 : 4;
    static const int dx[8] = {1, -1, 0, 0, 1, -1, -1, 1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    size_t head = 0, tail = 0;
    l->queue[tail++] = first;
    l->number[first] = number;
    while (head < tail) {
        const size_t p = l->queue[head++];
        const int x = (int)(p % (size_t)l->width), y = (int)(p / (size_t)l->width);
        for (int d = 0; d < directions; d++) {
            if (x + dx[d] < 0 || x + dx[d] >= l->width || y + dy[d] < 0 || y + dy[d] >= l->height) continue;
            const size_t q = (size_t)(y + dy[d]) * (size_t)l->width + (size_t)(x + dx[d]);
            if (l->number[q] != UNNUMBERED) continue;
            l->number[q] = number;
            l->queue[tail++] = q;
        }
    }
}

/* Whether pixel p would get the class's label: it is such a seed, or what was learnt says so and no seed objects. */
static bool would_change(const learning *l, size_t p, bool foreground)
{
    if ((l->mask[p] != 0) == foreground) return false;
    if (l->seeds[p] == label_of(foreground)) return true;
    const bool free = l->seeds[p] == TILECUT_UNKNOWN || (l->seeds[p] == TILECUT_OUTSIDE && !foreground);
    return free && (l->learnt[p] != 0) == foreground;
}

/* Numbers the regions that change for a class, and makes room for what is known of them. */
static tilecut_status find_regions(learning *l, bool foreground)
{
    for (size_t p = 0; p < l->pixels; p++) l->number[p] = would_change(l, p, foreground) ? UNNUMBERED : 0;
    l->count = 0;
    for (size_t p = 0; p < l->pixels; p++)
        if (l->number[p] == UNNUMBERED) flood(l, p, ++l->count);
    free(l->regions);
    l->regions = calloc((size_t)l->count + 1, sizeof *l->regions);
    return l->regions ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for %d regions", l->count);
}

/* The distance of a pixel by way of the four neighbours that a sweep has passed; d: 1 down, -1 up. */
static int32_t nearer(const learning *l, int x, int y, int d)
{
    enum { STRAIGHT = 5, SLANTED = 7 }; /* chamfer distances; what lies outside the photo does not change */
    const bool row = y - d >= 0 && y - d < l->height, back = x - d >= 0 && x - d < l->width;
    const bool ahead = x + d >= 0 && x + d < l->width;
    const int32_t *const here = l->depth + (size_t)y * (size_t)l->width + (size_t)x;
    const int32_t *const before = here - (ptrdiff_t)d * l->width;
    const int32_t by[4] = {back ? here[-d] + STRAIGHT : STRAIGHT, row ? before[0] + STRAIGHT : STRAIGHT,
                           row && back ? before[-d] + SLANTED : SLANTED, row && ahead ? before[d] + SLANTED : SLANTED};
    int32_t least = *here;
    for (int i = 0; i < 4; i++) least = by[i] < least ? by[i] : least;
    return least;
}

/* Finds how deep each pixel lies in its region. */
static void measure_depth(learning *l)
{
    const size_t width = (size_t)l->width;
    for (size_t p = 0; p < l->pixels; p++) l->depth[p] = l->number[p] ? INT32_MAX / 2 : 0;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) l->depth[(size_t)y * width + (size_t)x] = nearer(l, x, y, 1);
    for (int y = l->height - 1; y >= 0; y--)
        for (int x = l->width - 1; x >= 0; x--) l->depth[(size_t)y * width + (size_t)x] = nearer(l, x, y, -1);
}

/* ---- In the middle of what is wrong ------------------------------------------------------------ */

/* Finds the sizes of all regions, how deep they are, and where the mean of their seeds is. */
static void measure_regions(learning *l, bool foreground)
{
    for (size_t p = 0; p < l->pixels; p++) {
        region *const r = &l->regions[l->number[p]];
        r->size++;
        r->deepest = l->depth[p] > r->deepest ? l->depth[p] : r->deepest;
        if (!contradicts(l, p, foreground)) continue;
        r->seeds++;
        r->x += (double)(p % (size_t)l->width);
        r->y += (double)(p / (size_t)l->width);
    }
    for (int32_t i = 1; i <= l->count; i++) {
        region *const r = &l->regions[i];
        if (r->seeds) r->x /= (double)r->seeds, r->y /= (double)r->seeds;
        r->away = INFINITY;
    }
}

/* Finds the seed in the middle of each region's seeds, and how deep it lies. */
static void find_middles(learning *l, bool foreground)
{
    for (size_t p = 0; p < l->pixels; p++) {
        region *const r = &l->regions[l->number[p]];
        if (!contradicts(l, p, foreground)) continue;
        const double dx = (double)(p % (size_t)l->width) - r->x, dy = (double)(p / (size_t)l->width) - r->y;
        if (dx * dx + dy * dy >= r->away) continue;
        r->away = dx * dx + dy * dy;
        r->middle = l->depth[p];
    }
}

/* Where the middle of the seeds is less deep in a region than this part of the region's depth, the region is not what
 * the user has corrected (docs/lab/quality.md). */
#define MIDDLE 0.7

/* Whether all regions with seeds are believed; *largest: the largest of them. */
static bool are_meant(learning *l, bool foreground, int64_t *largest)
{
    bool meant = true;
    *largest = 0;
    measure_depth(l);
    measure_regions(l, foreground);
    find_middles(l, foreground);
    for (int32_t i = 1; i <= l->count; i++) {
        const region *const r = &l->regions[i];
        if (!r->seeds) continue;
        meant = meant && r->middle >= MIDDLE * r->deepest;
        *largest = r->size > *largest ? r->size : *largest;
    }
    return meant;
}

/* ---- Corrections ------------------------------------------------------------------------------ */

/* Corrects the mask by the seeds of one class alone, without what was learnt. */
static tilecut_status stroke(learning *l, bool foreground, tilecut_corrected *out, tilecut_report *report)
{
    const tc_correction c = {l->image, l->other, l->setup, l->mask};
    tilecut_corrected one = {0};
    tilecut_report told = {0};
    for (size_t p = 0; p < l->pixels; p++)
        l->other[p] = contradicts(l, p, !foreground) ? TILECUT_UNKNOWN : l->seeds[p];
    NEED(tc_correct(&c, &one, &told));
    tc_report_add_times(&told, report);
    *report = told;
    *(foreground ? &out->added : &out->removed) += foreground ? one.added : one.removed;
    return TILECUT_OK;
}

/* Gives the class all regions of at most `most` pixels without seeds and, if `meant`, those with seeds. */
static void take(learning *l, bool foreground, bool meant, int64_t most, tilecut_corrected *out)
{
    int64_t *const count = foreground ? &out->added : &out->removed;
    for (size_t p = 0; p < l->pixels; p++) {
        const region *const r = &l->regions[l->number[p]];
        if (!l->number[p] || (l->mask[p] != 0) == foreground || (r->seeds ? !meant : r->size > most)) continue;
        l->mask[p] = foreground ? 255 : 0;
        ++*count;
    }
}

static tilecut_status correct_class(learning *l, bool foreground, tilecut_corrected *out, tilecut_report *report)
{
    int64_t most;
    if (!any_contradicts(l, foreground)) return TILECUT_OK;
    tilecut_status status = find_regions(l, foreground);
    if (status != TILECUT_OK) return status;
    const bool meant = are_meant(l, foreground, &most);
    if (!meant) {
        status = stroke(l, foreground, out, report);
        most = foreground ? out->added : out->removed;
    }
    if (status == TILECUT_OK) take(l, foreground, meant, most, out);
    return status;
}

static tilecut_status take_memory(learning *l)
{
    l->learnt = tc_own(&l->held, malloc(l->pixels));
    l->other = tc_own(&l->held, malloc(l->pixels));
    l->number = tc_own(&l->held, malloc(l->pixels * sizeof *l->number));
    l->depth = tc_own(&l->held, malloc(l->pixels * sizeof *l->depth));
    l->queue = tc_own(&l->held, malloc(l->pixels * sizeof *l->queue));
    return !l->held.lacks ? TILECUT_OK
                          : tc_fail(TILECUT_ENOMEM, "no memory to learn from seeds in %zu pixels", l->pixels);
}

tilecut_status tc_correct_learning(const tc_correction *c, tilecut_corrected *out, tilecut_report *report)
{
    learning l = {.image = c->image, .seeds = c->seeds, .setup = c->setup, .width = c->image->width,
                  .height = c->image->height, .mask = c->mask};
    l.pixels = (size_t)l.width * (size_t)l.height;
    tilecut_status status = TILECUT_OK;
    tc_setup anew = *c->setup;

    anew.wish = NULL;
    if (!any_contradicts(&l, true) && !any_contradicts(&l, false)) return tc_correct(c, out, report);
    TRY(take_memory(&l));
    TRY(tc_segment(&(tc_source){c->image, c->seeds, NULL}, &anew, l.learnt, report));
    TRY(correct_class(&l, true, out, report));
    TRY(correct_class(&l, false, out, report));
    report->foreground = 0;
    for (size_t p = 0; p < l.pixels; p++) report->foreground += l.mask[p] != 0;
done:
    tc_owned_free(&l.held);
    free(l.regions);
    return status;
}
