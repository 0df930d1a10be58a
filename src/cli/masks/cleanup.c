/* SPDX-License-Identifier: MIT
 *
 * cleanup.c - see cleanup.h. Each step floods the regions of one colour in reading order and repaints those to which
 * its rule applies. A pixel enters the queue once per step.
 */
#include "cleanup.h"

#include <stdlib.h>
#include <string.h>

#include "tilecut.h"

const option cleanup_options[] = {
    OPTION_HEADING("Clean-up of the mask, in this order; what is seeded stays"),
    {.name = "keep-largest", .help = "drop all foreground but the largest region",
     .at = offsetof(cleanup, keep_largest)},
    {.name = "min-area", .argument = "N", .help = "drop foreground regions of fewer than N pixels",
     .parse = option_count, .at = offsetof(cleanup, min_area)},
    {.name = "fill-holes", .argument = "N", .help = "fill holes of at most N pixels", .parse = option_count,
     .at = offsetof(cleanup, fill_holes)},
    {.name = "connected", .help = "drop foreground regions without a foreground seed",
     .at = offsetof(cleanup, connected)},
    OPTIONS_END
};

enum { BACKGROUND = 0, FOREGROUND = 255 };

typedef struct field {
    const uint8_t *seeds;
    int width, height;
    uint8_t *mask;
    uint8_t *seen;   /* visited in this step */
    int32_t *queue;  /* the pixels of the region that was flooded last */
} field;

typedef struct region {
    int32_t first;
    int64_t area;
    bool seeded;     /* has a seed of its own label          */
    bool at_border;  /* touches the border of the image      */
} region;

static bool is_seed_of(uint8_t label, uint8_t color)
{
    if (color == FOREGROUND) return label == TILECUT_FOREGROUND;
    return label == TILECUT_BACKGROUND || label == TILECUT_OUTSIDE;
}

/* Floods the region of `first`. Its pixels are then queue[0 .. area - 1]. */
static region flood(field *f, int32_t first)
{
    const uint8_t color = f->mask[first];
    region r = {.first = first, .area = 1};
    f->queue[0] = first;
    f->seen[first] = 1;
    for (int64_t next = 0; next < r.area; next++) {
        const int32_t p = f->queue[next];
        const int x = p % f->width, y = p / f->width;
        r.seeded = r.seeded || is_seed_of(f->seeds[p], color);
        r.at_border = r.at_border || x == 0 || y == 0 || x == f->width - 1 || y == f->height - 1;
        const int below = y + 1 < f->height ? 1 : 0, right = x + 1 < f->width ? 1 : 0;
        for (int dy = y > 0 ? -1 : 0; dy <= below; dy++)
            for (int dx = x > 0 ? -1 : 0; dx <= right; dx++) {
                const int32_t q = p + dy * f->width + dx;
                if (f->seen[q] || f->mask[q] != color || (color == BACKGROUND && dx && dy)) continue;
                f->seen[q] = 1;
                f->queue[r.area++] = q;
            }
    }
    return r;
}

/* Finds the next region of `color` that is not seen yet, from pixel *p on; false: there is none. */
static bool next_region(field *f, uint8_t color, int32_t *p, region *out)
{
    const int32_t pixels = f->width * f->height;
    while (*p < pixels && (f->seen[*p] || f->mask[*p] != color)) ++*p;
    if (*p == pixels) return false;
    *out = flood(f, *p);
    return true;
}

static void begin_step(field *f) { memset(f->seen, 0, (size_t)f->width * (size_t)f->height); }

/* Gives the region that was flooded last the other colour. It stays seen, so the region that it joins is not visited
 * twice. */
static void repaint(field *f, const region *r, cleaned *done)
{
    const uint8_t color = f->mask[r->first];
    for (int64_t i = 0; i < r->area; i++) f->mask[f->queue[i]] = (uint8_t)(FOREGROUND - color);
    *(color ? &done->regions_dropped : &done->holes_filled) += 1;
    *(color ? &done->pixels_dropped : &done->pixels_filled) += r->area;
}

static int32_t find_largest(field *f)
{
    region r, best = {.first = -1};
    begin_step(f);
    for (int32_t p = 0; next_region(f, FOREGROUND, &p, &r);)
        if (r.area > best.area) best = r;
    return best.first;
}

/* Drops unseeded regions of fewer than `least` pixels, except the one that begins at `spared`. */
static void drop(field *f, int64_t least, int32_t spared, cleaned *done)
{
    region r;
    begin_step(f);
    for (int32_t p = 0; next_region(f, FOREGROUND, &p, &r);)
        if (!r.seeded && r.area < least && r.first != spared) repaint(f, &r, done);
}

static void fill(field *f, int64_t most, cleaned *done)
{
    region r;
    begin_step(f);
    for (int32_t p = 0; next_region(f, BACKGROUND, &p, &r);)
        if (!r.seeded && !r.at_border && r.area <= most) repaint(f, &r, done);
}

bool cleanup_wanted(const cleanup *what)
{
    return what->keep_largest || what->min_area || what->fill_holes || what->connected;
}

bool cleanup_mask(const cleanup *what, const uint8_t *seeds, int width, int height, uint8_t *mask, cleaned *done)
{
    const size_t pixels = (size_t)width * (size_t)height;
    field f = {seeds, width, height, mask, malloc(pixels), malloc(pixels * sizeof(int32_t))};
    const bool room = f.seen && f.queue;
    *done = (cleaned){0};
    if (room) {
        if (what->keep_largest) drop(&f, INT64_MAX, find_largest(&f), done);
        if (what->min_area) drop(&f, what->min_area, -1, done);
        if (what->fill_holes) fill(&f, what->fill_holes, done);
        if (what->connected) drop(&f, INT64_MAX, -1, done);
    }
    free(f.seen);
    free(f.queue);
    return room;
}
