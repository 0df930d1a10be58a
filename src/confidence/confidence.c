/* SPDX-License-Identifier: MIT
 *
 * confidence.c - see confidence.h: turns the cuts into a confidence for each pixel, and finds the place for a stroke.
 */
#include "confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "status.h"

enum { DEPTHS = 8 };

/* How often a pixel of each level and depth was right, in 255ths. Counted on half of 65 photos of three sets, each set
 * with the same weight. */
static const uint8_t SURE[MARGIN_LEVELS][DEPTHS] = {
    {114, 135, 135, 138, 150, 190, 215, 240}, {126, 146, 157, 160, 166, 210, 240, 250},
    {151, 177, 187, 195, 201, 215, 242, 252}, {196, 222, 227, 234, 244, 250, 253, 254},
    {226, 245, 247, 248, 250, 252, 254, 254}, {242, 254, 254, 254, 254, 254, 254, 254}};

/* The upper ends of the ranges of depths, in pixels of a square image with sides of SIDE pixels. */
static const double DEPTH_ENDS[DEPTHS - 1] = {1.5, 3, 6, 12, 24, 48, 96};
enum { SIDE = 400 };

/* At this distance from the nearest seed of its label, in the same pixels, the odds of a pixel are those of SURE. They
 * grow with the square root of that distance. Both were chosen on photos; docs/lab/quality.md shows the result on
 * others. */
enum { REACH_OF_SEED = 60 };

/* Two places count as near if they are no farther apart than this share of the side of a square image. */
static const double NEAR = 0.03;

/* The cells of one mask. */
typedef struct doubts {
    const tc_cells *cells;
    uint8_t *label;  /* [cells] 1: most of its pixels are foreground */
    uint8_t *level, *depth, *sure;
    uint16_t *far;   /* chamfer distances: to the outline; within a region */
    uint16_t *near[2]; /* [cells] distances to seeds of background, and to seeds of foreground */
    double unit;     /* chamfer distance that corresponds to a pixel of an image with sides of SIDE pixels */
    uint8_t *seen;
    int32_t *stack;
} doubts;

/* ---- labels and depths of cells --------------------------------------------------------------- */

static void label_cells(const doubts *d, const tilecut_graph *graph, const uint8_t *mask, int32_t *balance)
{
    memset(balance, 0, tc_cells_count(d->cells) * sizeof *balance);
    for (int y = 0; y < graph->height * graph->depth; y++) {
        const uint8_t *const row = mask + (size_t)y * (size_t)graph->width;
        for (int x = 0; x < graph->width; x++)
            balance[tc_cell_of(d->cells, graph->height, x, y)] += row[x] ? 1 : -1;
    }
    for (size_t c = 0; c < tc_cells_count(d->cells); c++) d->label[c] = balance[c] > 0;
}

/* True if a neighbour of cell (x, y) along x or y has another value. */
static bool at_border(const tilecut_graph *g, int x, int y, const uint8_t *row)
{
    const uint8_t *const p = row + x;
    return (x > 0 && p[-1] != *p) || (x + 1 < g->width && p[1] != *p) || (y > 0 && *(p - g->width) != *p) ||
           (y + 1 < g->height && p[g->width] != *p);
}

/* Computes in each slice the distance of each cell to the nearest place where `of` changes. */
static void measure(const doubts *d, const uint8_t *of)
{
    const tilecut_graph *const g = &d->cells->graph;
    for (int z = 0; z < g->depth; z++) {
        const size_t first = (size_t)z * (size_t)g->width * (size_t)g->height;
        for (int y = 0; y < g->height; y++)
            for (int x = 0; x < g->width; x++) {
                const size_t row = first + (size_t)y * (size_t)g->width;
                d->far[row + (size_t)x] = at_border(g, x, y, of + row) ? 0 : TC_CHAMFER_NOWHERE;
            }
        tc_chamfer(d->far + first, g->width, g->height);
    }
}

static void find_seeds(const doubts *d)
{
    const tilecut_graph *const g = &d->cells->graph;
    for (int label = 0; label < 2; label++) {
        for (size_t c = 0; c < tc_cells_count(d->cells); c++) {
            const uint8_t seed = d->cells->fixed[c];
            d->near[label][c] = seed && (seed == TILECUT_FOREGROUND) == label ? 0 : TC_CHAMFER_NOWHERE;
        }
        tc_chamfer_space(d->near[label], g->width, g->height, g->depth, NULL);
    }
}

/* Returns how sure a label of cell `c` is. Errors are far from strokes of their label. */
static uint8_t sureness(const doubts *d, size_t c, bool label, int level, int depth)
{
    const int counted = SURE[level][depth], near = d->near[label][c];
    if (near == TC_CHAMFER_NOWHERE) return (uint8_t)counted;
    const double wrong = (255 - counted) * sqrt((1 + near / d->unit) / REACH_OF_SEED);
    return (uint8_t)(255 * counted / (counted + wrong) + 0.5);
}

static void look_up(const doubts *d, const uint8_t *count)
{
    measure(d, d->label);
    for (size_t c = 0; c < tc_cells_count(d->cells); c++) {
        int depth = 0;
        while (depth < DEPTHS - 1 && d->far[c] + TC_CHAMFER_PIXEL / 2.0 >= DEPTH_ENDS[depth] * d->unit) depth++;
        d->depth[c] = (uint8_t)depth;
        d->level[c] = (uint8_t)tc_margin_level(count[c], d->label[c]);
        d->sure[c] = d->cells->fixed[c] ? 255 : sureness(d, c, d->label[c], d->level[c], depth);
    }
}

/* ---- the place where a stroke helps most -------------------------------------------------------- */

typedef struct region {
    int64_t cells, doubt; /* doubt: the number of cells that are expected to be wrong, in 255ths */
    size_t place;         /* the cell that is deep in the region and most doubtful */
    double score;
} region;

static bool doubtful(const doubts *d, size_t c, int level)
{
    return d->level[c] <= level && d->depth[c] > 0 && !d->cells->fixed[c];
}

static int weight(const doubts *d, size_t c) { return (255 - d->sure[c]) * (d->far[c] + 1); }

/* Finds the region of one label around a cell in which favour number `level` changes every cell. */
static region explore(const doubts *d, size_t from, int level)
{
    const tilecut_graph *const g = &d->cells->graph;
    const tc_block all = {0, 0, 0, g->width, g->height, g->depth};
    region r = {.place = from};
    size_t count = 1;
    d->stack[0] = (int32_t)from, d->seen[from] = 1;
    while (count) {
        const size_t c = (size_t)d->stack[--count];
        r.cells++, r.doubt += 255 - d->sure[c];
        if (weight(d, c) > weight(d, r.place) || (weight(d, c) == weight(d, r.place) && c < r.place)) r.place = c;
        for (int k = 0; k < 6; k++) {
            const size_t n = tc_block_neighbour(&all, c, 6, k);
            if (n == TC_BLOCK_NONE || d->seen[n] || d->label[n] != d->label[c] || !doubtful(d, n, level)) continue;
            d->seen[n] = 1;
            d->stack[count++] = (int32_t)n;
        }
    }
    r.score = (double)r.doubt * (double)r.doubt / (double)r.cells;
    return r;
}

/* True if the places of two regions are so near to each other that one stroke would decide both. */
static bool are_near(const doubts *d, const region *a, const region *b)
{
    const size_t w = (size_t)d->cells->graph.width, h = (size_t)d->cells->graph.height;
    const double x = (double)(a->place % w) - (double)(b->place % w);
    const double y = (double)(a->place / w % h) - (double)(b->place / w % h);
    const double z = (double)(a->place / w / h) - (double)(b->place / w / h);
    return d->label[a->place] == d->label[b->place] && fabs(x) + fabs(y) + fabs(z) <= NEAR * sqrt((double)(w * h));
}

/* Adds a region to the best ones, which are sorted. Of regions that are near to each other only one is kept. */
static int keep_region(const doubts *d, region best[PLACES_MOST], int count, const region *r)
{
    int at = 0, kept = 0;
    while (at < count && best[at].score >= r->score) {
        if (are_near(d, &best[at], r)) return count;
        at++;
    }
    if (at == PLACES_MOST) return count;
    for (int i = at; i < count; i++)
        if (!are_near(d, &best[i], r)) best[at + kept++] = best[i];
    if (at + kept == PLACES_MOST) kept--;
    memmove(&best[at + 1], &best[at], (size_t)kept * sizeof *best);
    best[at] = *r;
    return at + 1 + kept;
}

/* Finds the best regions of all levels, and returns their number. */
static int find_regions(const doubts *d, uint8_t *kind, region best[PLACES_MOST])
{
    const size_t cells = tc_cells_count(d->cells);
    int count = 0;
    for (int level = 0; level < MARGIN_LEVELS - 1; level++) {
        for (size_t c = 0; c < cells; c++) kind[c] = (uint8_t)(doubtful(d, c, level) ? 1 + d->label[c] : 0);
        measure(d, kind);
        memset(d->seen, 0, cells);
        for (size_t c = 0; c < cells; c++) {
            if (d->seen[c] || !kind[c]) continue;
            const region r = explore(d, c, level);
            if (r.score > 0) count = keep_region(d, best, count, &r);
        }
    }
    return count;
}

static int middle(size_t cell, int factor, int side)
{
    const int at = (int)cell * factor + factor / 2;
    return at < side ? at : side - 1;
}

static void find_places(const doubts *d, const tilecut_graph *graph, uint8_t *kind, tc_places *places)
{
    const size_t w = (size_t)d->cells->graph.width, h = (size_t)d->cells->graph.height;
    const int f = d->cells->factor;
    region best[PLACES_MOST];
    places->count = find_regions(d, kind, best);
    for (int i = 0; i < places->count; i++) {
        const region *const r = &best[i];
        const double doubt = (double)r->doubt / 255;
        places->at[i] = (struct tc_place){
            .x = middle(r->place % w, f, graph->width), .y = middle(r->place / w % h, f, graph->height),
            .z = middle(r->place / w / h, f, graph->depth),
            .label = d->label[r->place] ? TILECUT_BACKGROUND : TILECUT_FOREGROUND,
            .gain = doubt * f * f * (graph->depth > 1 ? f : 1), .wrong = doubt / (double)r->cells};
    }
}

tilecut_doubt tc_doubt_of(double unsure, const tc_places *places)
{
    const struct tc_place *const best = places->at;
    if (!places->count) return (tilecut_doubt){.unsure = unsure, .x = -1, .y = -1, .z = -1};
    return (tilecut_doubt){.unsure = unsure, .gain = best->gain, .x = best->x, .y = best->y, .z = best->z,
                           .label = best->label};
}

/* ---- the outline ------------------------------------------------------------------------------ */

/* Returns the share of the outline's cells that have cells within a few steps where the mask may well be wrong. */
static double unsure_outline(const doubts *d)
{
    enum { REACH = 4, UNSURE = 204 };
    const tilecut_graph *const g = &d->cells->graph;
    int64_t outline = 0, unsure = 0;
    for (int z = 0; z < g->depth; z++)
        for (int y = 0; y < g->height; y++)
            for (int x = 0; x < g->width; x++) {
                const size_t row = ((size_t)z * (size_t)g->height + (size_t)y) * (size_t)g->width;
                bool any = false;
                if (!at_border(g, x, y, d->label + row)) continue;
                for (int j = y - REACH; j <= y + REACH && !any; j += REACH)
                    for (int i = x - REACH; i <= x + REACH && !any; i += REACH) {
                        if (i < 0 || j < 0 || i >= g->width || j >= g->height) continue;
                        const size_t c = row + (size_t)((ptrdiff_t)(j - y) * g->width + i);
                        any = d->depth[c] > 0 && d->sure[c] < UNSURE;
                    }
                outline++, unsure += any;
            }
    return outline ? (double)unsure / (double)outline : 0;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Writes the confidence of the pixels. A pixel whose label differs from that of most of its cell lies at the
 * outline. */
static void write_pixels(const doubts *d, const tilecut_graph *graph, const uint8_t *mask, const uint8_t *count,
                         uint8_t *sure)
{
    for (int y = 0; y < graph->height * graph->depth; y++)
        for (int x = 0; x < graph->width; x++) {
            const size_t p = (size_t)y * (size_t)graph->width + (size_t)x;
            const size_t c = tc_cell_of(d->cells, graph->height, x, y);
            const bool label = mask[p] != 0;
            if (tc_is_bound(graph, p)) sure[p] = 255;
            else if (label != d->label[c]) sure[p] = sureness(d, c, label, tc_margin_level(count[c], label), 0);
            else sure[p] = d->cells->fixed[c] ? sureness(d, c, label, d->level[c], d->depth[c]) : d->sure[c];
        }
}

tilecut_status tc_confidence(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup, uint8_t *sure,
                             double *unsure, tc_places *places)
{
    tilecut_status status = TILECUT_OK;
    tc_cells cells;
    doubts d = {.cells = &cells};
    uint16_t *near = NULL;
    uint8_t *bytes = NULL;

    TRY(tc_cells_init(&cells, graph, tc_margin_steps[MARGIN_STEPS - 1]));
    const size_t count = tc_cells_count(&cells);
    d.unit = sqrt((double)cells.graph.width * (double)cells.graph.height) / SIDE * TC_CHAMFER_PIXEL;
    bytes = malloc(6 * count);
    d.stack = malloc(count * sizeof *d.stack);
    d.far = near = malloc(3 * count * sizeof *near);
    if (!bytes || !d.stack || !near) TRY(tc_fail(TILECUT_ENOMEM, "no memory for how sure a mask is"));
    d.label = bytes, d.level = bytes + count, d.depth = bytes + 2 * count, d.sure = bytes + 3 * count;
    d.seen = bytes + 4 * count;
    uint8_t *const cuts = bytes + 5 * count;
    TRY(tc_margin_count(&cells, setup, cuts));
    d.near[0] = near + count, d.near[1] = near + 2 * count;
    find_seeds(&d);
    label_cells(&d, graph, mask, d.stack);
    look_up(&d, cuts);
    *unsure = unsure_outline(&d);
    if (sure) write_pixels(&d, graph, mask, cuts, sure);
    if (places) find_places(&d, graph, cuts, places);
done:
    free(near);
    free(d.stack);
    free(bytes);
    tc_cells_free(&cells);
    return status;
}
