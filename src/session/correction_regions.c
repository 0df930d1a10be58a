/* SPDX-License-Identifier: MIT */
#include "correction_regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "lattice.h"
#include "status.h"

enum { UNNUMBERED = -1 };

/* ---- Which there are --------------------------------------------------------------------------- */

/* Numbers all pixels that are connected to `first` and have no number yet. */
static void flood(tc_regions *r, size_t first, int32_t number)
{
    const tc_block all = {0, 0, 0, r->width, r->height, 1};
    const int directions = r->connectivity == 8 ? 8 : 4;
    uint32_t *const queue = (void *)r->depth; /* depths and reach are not known yet */
    size_t tail = 0;
    queue[tail++] = (uint32_t)first;
    r->number[first] = number;
    for (size_t head = 0; head < tail; head++)
        for (int d = 0; d < directions; d++) {
            const size_t q = tc_block_neighbour(&all, queue[head], directions, d);
            if (q == TC_BLOCK_NONE || r->number[q] != UNNUMBERED) continue;
            r->number[q] = number;
            queue[tail++] = (uint32_t)q;
        }
}

/* Marks the pixels of a row that change. Returns true if there are any. */
static bool mark_changes(const uint8_t *restrict before, const uint8_t *restrict after, size_t width,
                         int32_t *restrict number)
{
    int32_t any = 0;
    for (size_t x = 0; x < width; x++) any |= number[x] = (before[x] != 0) != (after[x] != 0) ? UNNUMBERED : 0;
    return any != 0;
}

tilecut_status tc_regions_number(tc_regions *r, const uint8_t *before, const uint8_t *after)
{
    const size_t width = (size_t)r->width, pixels = width * (size_t)r->height;
    r->first = r->end = 0;
    for (size_t p = 0; p < pixels; p += width) {
        if (!mark_changes(before + p, after + p, width, r->number + p)) continue;
        if (!r->end) r->first = p;
        r->end = p + width;
    }
    r->count = 0;
    for (size_t p = r->first; p < r->end; p++)
        if (r->number[p] == UNNUMBERED) flood(r, p, ++r->count);
    free(r->region);
    r->region = calloc((size_t)r->count + 1, sizeof *r->region);
    return r->region ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for %d regions", r->count);
}

/* ---- How deep they are -------------------------------------------------------------------------- */

/* Finds how deep each pixel lies in its region. Everything around the rows with changes stays unchanged: it is a frame
 * of zeros while distances are computed. */
static void measure_depth(tc_regions *r)
{
    const size_t width = (size_t)r->width, height = (r->end - r->first) / width, framed = width + 2;
    uint16_t *const depth = r->depth;
    memset(depth, 0, tc_regions_framed(r->width, (int)height) * sizeof *depth);
    for (size_t y = 0; y < height; y++) {
        const int32_t *const number = r->number + r->first + y * width;
        for (size_t x = 0; x < width; x++)
            depth[(y + 1) * framed + x + 1] = number[x] ? TC_CHAMFER_NOWHERE : 0;
    }
    tc_chamfer(depth, r->width + 2, (int)height + 2);
    for (size_t y = 0; y < height; y++)
        memmove(depth + y * width, depth + (y + 1) * framed + 1, width * sizeof *depth);
}

/* ---- Where their seeds are ---------------------------------------------------------------------- */

/* True if pixel p is a seed of the label that it has in `after`. */
static bool asks(const uint8_t *after, const uint8_t *seeds, size_t p)
{
    return seeds[p] == (after[p] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND);
}

/* Finds the sizes and the depths of all regions, and the mean position of each region's seeds. */
static void measure_regions(tc_regions *r, const uint8_t *after, const uint8_t *seeds)
{
    for (size_t p = r->first; p < r->end; p++) {
        tc_region *const g = &r->region[r->number[p]];
        const uint16_t depth = r->depth[p - r->first];
        if (!r->number[p]) continue;
        g->size++;
        g->deepest = depth > g->deepest ? depth : g->deepest;
        if (!asks(after, seeds, p)) continue;
        g->seeds++;
        g->x += (double)(p % (size_t)r->width);
        g->y += (double)(p / (size_t)r->width);
    }
    for (int32_t i = 1; i <= r->count; i++) {
        tc_region *const g = &r->region[i];
        if (g->seeds) g->x /= (double)g->seeds, g->y /= (double)g->seeds;
        g->away = INFINITY;
    }
}

/* Finds the seed in the middle of each region's seeds, and how deep it lies. */
static void find_middles(tc_regions *r, const uint8_t *after, const uint8_t *seeds)
{
    for (size_t p = r->first; p < r->end; p++) {
        tc_region *const g = &r->region[r->number[p]];
        if (!r->number[p] || !asks(after, seeds, p)) continue;
        const double dx = (double)(p % (size_t)r->width) - g->x, dy = (double)(p / (size_t)r->width) - g->y;
        if (dx * dx + dy * dy >= g->away) continue;
        g->away = dx * dx + dy * dy;
        g->middle = r->depth[p - r->first];
    }
}

uint16_t tc_regions_reach(tc_regions *r, const uint8_t *after, const uint8_t *seeds, int part)
{
    const size_t pixels = (size_t)r->width * (size_t)r->height;
    int32_t most = 0;
    for (int32_t i = 1; i <= r->count; i++) most = r->region[i].deepest > most ? r->region[i].deepest : most;
    for (size_t p = 0; p < pixels; p++) r->reach[p] = TC_CHAMFER_NOWHERE;
    for (size_t p = r->first; p < r->end; p++)
        if (r->number[p] && asks(after, seeds, p)) r->reach[p] = (uint16_t)(most - r->depth[p - r->first] / part);
    tc_chamfer(r->reach + r->first, r->width, (int)((r->end - r->first) / (size_t)r->width)); /* no disc leaves them */
    return (uint16_t)most;
}

/* Finds how much of each region a line fills. */
static void fill(tc_regions *r, const uint8_t *after, const uint8_t *seeds)
{
    const uint16_t reached = tc_regions_reach(r, after, seeds, 1);
    for (size_t p = r->first; p < r->end; p++) r->region[r->number[p]].filled += r->reach[p] < reached;
}

tilecut_status tc_regions_find(tc_regions *r, const uint8_t *before, const uint8_t *after, const uint8_t *seeds)
{
    NEED(tc_regions_number(r, before, after));
    measure_depth(r);
    measure_regions(r, after, seeds);
    find_middles(r, after, seeds);
    if (r->line) fill(r, after, seeds);
    return TILECUT_OK;
}

void tc_regions_free(tc_regions *r)
{
    free(r->region);
    r->region = NULL;
}

/* A region is not promising if the seed in the middle of its seeds lies less deep than this share of the greatest depth
 * (docs/lab/quality.md). */
#define EVEN 0.65

/* A region that contains a line is also not promising if the line fills at most this share of it (see `filled`). */
#define EVEN_FILLED 0.5

/* A click is evidence for the disc around it that fits into its region, and hardly for pixels beyond. A large region
 * with more than KNOWN times the area of that disc counts as entirely wrong. */
#define KNOWN 6.5

/* True if a region is so large that a click in it is too little evidence for it. */
static bool is_beyond(const tc_regions *r, const tc_region *g)
{
    const double radius = (double)g->middle / TC_CHAMFER_PIXEL, size = (double)g->size;
    return !r->line && size > r->large && size > KNOWN * 3.14159265358979 * radius * radius;
}

/* Returns how many pixels a region counts for: all of them up to `likely`. A larger region counts for less, the larger
 * it is. */
static double counts(const tc_region *g, double likely)
{
    const double size = (double)g->size, part = likely / size;
    return part < 1 ? likely * part * part : size;
}

int64_t tc_regions_asked(const tc_regions *r)
{
    int64_t asked = 0;
    for (int32_t i = 1; i <= r->count; i++) asked += r->region[i].seeds ? r->region[i].size : 0;
    return asked;
}

double tc_regions_promise(const tc_regions *r, double likely)
{
    double least = 1, all = 0, counted = 0, filled = 0;
    bool beyond = false;
    for (int32_t i = 1; i <= r->count; i++) {
        const tc_region *const g = &r->region[i];
        if (!g->seeds) continue;
        const double part = (double)g->middle / g->deepest;
        least = part < least ? part : least;
        all += (double)g->size;
        filled += (double)g->filled;
        counted += counts(g, likely);
        beyond |= is_beyond(r, g);
    }
    if (beyond) return -all;
    const double over = r->line && all > 0 ? filled / all - EVEN_FILLED : least - EVEN;
    return (over > 0 ? counted : all) * over;
}
