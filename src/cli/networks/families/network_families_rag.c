/* SPDX-License-Identifier: MIT
 *
 * network_families_rag.c - the regions of a photo as a network (a region adjacency graph). The photo is divided into a
 * grid of cells. Each cell has a marker at the pixel where the picture changes least, and regions grow from the markers
 * over all pixels, flat pixels first (a watershed by flooding, as Meyer 1991 describes it). Regions that touch are
 * joined both ways, the more strongly the more alike they are along their border. The source feeds the regions in the
 * middle ninth; the regions along the frame are joined to the sink.
 */
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "network_families.h"
#include "synthetic.h"

enum { LEVELS = 256 };

typedef struct picture {
    int64_t width, height, channels;
    const uint8_t *pixels;
    uint8_t *drawn; /* the drawn pixels; owned; NULL: a photo was given */
    int64_t cell, across, down; /* the side of a cell in pixels, and the numbers of cells across and down */
} picture;

static bool lay_out_picture(const network_request *request, picture *p)
{
    const family_photo *const photo = request->photo;
    *p = (picture){.width = photo ? photo->width : request->size, .height = photo ? photo->height : request->size,
                   .channels = photo ? photo->channels : 1, .pixels = photo ? photo->pixels : NULL,
                   .cell = request->degree};
    p->across = (p->width + p->cell - 1) / p->cell;
    p->down = (p->height + p->cell - 1) / p->cell;
    return p->width <= INT32_MAX / p->height; /* pixel numbers have 32 bits */
}

/* Draws a photo: discs of many greys that overlap, and noise. */
static bool draw(const network_request *request, picture *p)
{
    enum { DISCS = 60, NOISE = 13 };
    chance dice = chance_of(request->seed, 20);
    const int side = (int)p->width;
    p->pixels = p->drawn = malloc((size_t)side * (size_t)side);
    if (!p->drawn) return false;
    memset(p->drawn, 128, (size_t)side * (size_t)side);
    for (int k = 0; k < DISCS; k++) {
        const int64_t x = chance_below(&dice, side), y = chance_below(&dice, side);
        const int64_t r = 1 + chance_below(&dice, side / 5 + 1);
        const uint8_t grey = (uint8_t)(NOISE + chance_below(&dice, LEVELS - 2 * NOISE));
        for (int64_t v = y > r ? y - r : 0; v < side && v <= y + r; v++)
            for (int64_t u = x > r ? x - r : 0; u < side && u <= x + r; u++)
                if ((u - x) * (u - x) + (v - y) * (v - y) <= r * r) p->drawn[v * side + u] = grey;
    }
    for (int64_t i = 0; i < (int64_t)side * side; i++)
        p->drawn[i] = (uint8_t)(p->drawn[i] + chance_below(&dice, NOISE) - NOISE / 2);
    return true;
}

/* Returns the largest difference between two pixels in any channel. */
static int differ(const picture *p, int64_t a, int64_t b)
{
    int most = 0;
    for (int64_t c = 0; c < p->channels; c++) {
        const int d = abs(p->pixels[a * p->channels + c] - p->pixels[b * p->channels + c]);
        if (d > most) most = d;
    }
    return most;
}

static int steepness(const picture *p, int64_t x, int64_t y)
{
    const int64_t left = x ? x - 1 : x, right = x + 1 < p->width ? x + 1 : x;
    const int64_t above = y ? y - 1 : y, below = y + 1 < p->height ? y + 1 : y;
    const int across = differ(p, y * p->width + left, y * p->width + right);
    const int down = differ(p, above * p->width + x, below * p->width + x);
    return across > down ? across : down;
}

/* ---- flooding --------------------------------------------------------------------------------- */

typedef struct flood {
    const picture *p;
    /* for each pixel, its region (-1: not flooded), and the next pixel in its queue */
    int32_t *region, *next;
    int32_t first[LEVELS], last[LEVELS]; /* a queue of pixels for each steepness; `first` is -1 if the queue is empty */
    int level;
} flood;

static void flood_pixel(flood *f, int64_t at, int32_t region, int level)
{
    const int32_t pixel = (int32_t)at;
    f->region[pixel] = region;
    f->next[pixel] = -1;
    if (f->first[level] < 0) f->first[level] = pixel;
    else f->next[f->last[level]] = pixel;
    f->last[level] = pixel;
    if (level < f->level) f->level = level;
}

static void put_markers(flood *f)
{
    const picture *const p = f->p;
    for (int64_t row = 0; row < p->down; row++)
        for (int64_t column = 0; column < p->across; column++) {
            int64_t best = row * p->cell * p->width + column * p->cell;
            int least = steepness(p, column * p->cell, row * p->cell);
            for (int64_t y = row * p->cell; y < (row + 1) * p->cell && y < p->height; y++)
                for (int64_t x = column * p->cell; x < (column + 1) * p->cell && x < p->width; x++) {
                    const int steep = steepness(p, x, y);
                    if (steep >= least) continue;
                    least = steep;
                    best = y * p->width + x;
                }
            flood_pixel(f, best, (int32_t)(row * p->across + column), least);
        }
}

static void spread_region(flood *f, int32_t pixel)
{
    const picture *const p = f->p;
    const int64_t x = pixel % p->width, y = pixel / p->width;
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    for (int k = 0; k < 4; k++) {
        const int64_t u = x + dx[k], v = y + dy[k];
        if (u < 0 || v < 0 || u >= p->width || v >= p->height || f->region[v * p->width + u] >= 0) continue;
        flood_pixel(f, v * p->width + u, f->region[pixel], steepness(p, u, v));
    }
}

static void flood_all(flood *f)
{
    memset(f->region, 255, (size_t)(f->p->width * f->p->height) * sizeof *f->region);
    memset(f->first, 255, sizeof f->first);
    f->level = LEVELS;
    put_markers(f);
    while (f->level < LEVELS) {
        const int32_t pixel = f->first[f->level];
        if (pixel < 0) {
            f->level++;
            continue;
        }
        f->first[f->level] = f->next[pixel];
        spread_region(f, pixel);
    }
}

/* ---- arcs ------------------------------------------------------------------------------------- */

/* The border between regions a and b, or a piece of it; a < b. */
typedef struct border {
    int32_t a, b;
    int64_t alike;
} border;

static int by_regions(const void *left, const void *right)
{
    const border *const x = left, *const y = right;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static void note_border(const flood *f, int64_t p, int64_t q, border *out, int64_t *count)
{
    enum { ALIKE = 1000, HALF = 64 };
    const int32_t a = f->region[p], b = f->region[q], d = differ(f->p, p, q);
    if (a == b) return;
    out[(*count)++] = (border){a < b ? a : b, a < b ? b : a, 1 + ALIKE * HALF / (HALF + d * d)};
}

/* Returns all borders, one entry per pair of regions that touch; the caller owns the list. NULL: no memory. */
static border *find_borders(const flood *f, int64_t *count)
{
    const picture *const p = f->p;
    border *list = malloc((size_t)(2 * p->width * p->height) * sizeof *list);
    int64_t found = 0, kept = 0;
    for (int64_t y = 0; list && y < p->height; y++)
        for (int64_t x = 0; x < p->width; x++) {
            const int64_t at = y * p->width + x;
            if (x + 1 < p->width) note_border(f, at, at + 1, list, &found);
            if (y + 1 < p->height) note_border(f, at, at + p->width, list, &found);
        }
    if (list) qsort(list, (size_t)found, sizeof *list, by_regions);
    for (int64_t k = 0; k < found; k++) {
        if (kept && !by_regions(&list[kept - 1], &list[k])) list[kept - 1].alike += list[k].alike;
        else list[kept++] = list[k];
    }
    *count = kept;
    return list;
}

/* Sends the arcs of the terminals. Each has the capacity of all borders of its region together, so cutting it never
 * costs less than cutting off the region. */
static bool put_terminals(const picture *p, const int64_t *all, const arc_sink *sink)
{
    const int64_t regions = p->across * p->down;
    for (int64_t r = 0; r < regions; r++) {
        const int64_t x = r % p->across, y = r / p->across;
        const bool frame = !x || !y || x + 1 == p->across || y + 1 == p->down;
        const bool middle = x >= p->across / 3 && x < p->across - p->across / 3 && y >= p->down / 3 &&
                            y < p->down - p->down / 3;
        if (frame && !sink->put(sink->into, r, regions + 1, all[r])) return false;
        if (!frame && middle && !sink->put(sink->into, regions, r, all[r])) return false;
    }
    return true;
}

static bool put_all(const picture *p, const border *list, int64_t count, const arc_sink *sink)
{
    int64_t *all = calloc((size_t)(p->across * p->down), sizeof *all);
    bool going = all != NULL;
    for (int64_t k = 0; going && k < count; k++) {
        const border *const it = &list[k];
        all[it->a] += it->alike;
        all[it->b] += it->alike;
        going = sink->put(sink->into, it->a, it->b, it->alike) && sink->put(sink->into, it->b, it->a, it->alike);
    }
    going = going && put_terminals(p, all, sink);
    free(all);
    return going;
}

bool network_rag(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    picture p;
    flood f = {.p = &p};
    int64_t count = 0;
    if (!lay_out_picture(request, &p)) return false;
    const int64_t regions = p.across * p.down;
    *shape = (network_shape){.nodes = regions + 2, .source = regions, .sink = regions + 1};
    if (!sink) return true;
    f.region = malloc((size_t)(p.width * p.height) * sizeof *f.region);
    f.next = malloc((size_t)(p.width * p.height) * sizeof *f.next);
    border *list = NULL;
    bool going = f.region && f.next && (p.pixels || draw(request, &p));
    if (going) {
        flood_all(&f);
        list = find_borders(&f, &count);
    }
    going = list && put_all(&p, list, count, sink);
    free(list);
    free(f.region);
    free(f.next);
    free(p.drawn);
    return going;
}
