/* SPDX-License-Identifier: MIT
 *
 * click_sizes.c - see click_sizes.h. docs/lab/quality.md says how the constants were chosen, and what else was tried.
 */
#include "click_sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "colors.h"
#include "colors_math.h"
#include "islands.h"
#include "nearness.h"
#include "parallel.h"
#include "alloc_list.h"
#include "status.h"

/* ---- One click --------------------------------------------------------------------------------- */

bool tc_is_one_click(const uint8_t *seeds, int width, int height)
{
    const size_t cells = (size_t)width * (size_t)height;
    const int most = (width + height) / 16 + 2; /* in cells */
    int x0 = width, x1 = -1, y0 = height, y1 = -1;
    bool open = false;
    for (size_t p = 0; p < cells; p++) {
        const int x = (int)(p % (size_t)width), y = (int)(p / (size_t)width);
        if (seeds[p] == TILECUT_BACKGROUND) return false;
        open |= seeds[p] == TILECUT_UNKNOWN;
        if (seeds[p] != TILECUT_FOREGROUND) continue;
        x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0, y1 = y;
    }
    return open && x1 >= 0 && x1 - x0 < most && y1 - y0 < most && x1 > 0 && y1 > 0 && x0 + 1 < width && y0 + 1 < height;
}

/* Where a cell is. */
typedef struct spot {
    int x, y, z;
} spot;

static spot spot_of(const tc_click_scene *s, size_t cell)
{
    const size_t w = (size_t)s->width, h = (size_t)s->height;
    return (spot){(int)(cell % w), (int)(cell / w % h), (int)(cell / w / h)};
}

bool tc_click_is_frame(const tc_click_scene *s, size_t cell)
{
    const spot at = spot_of(s, cell);
    const bool ends = s->links > 2 && (at.z == 0 || at.z + 1 == s->depth);
    return s->framed && (at.x == 0 || at.y == 0 || at.x + 1 == s->width || at.y + 1 == s->height || ends);
}

size_t tc_click_next(const tc_click_scene *s, size_t cell, int k)
{
    const tc_block all = {0, 0, 0, s->width, s->height, s->depth};
    return tc_block_neighbour(&all, cell, 2 * s->links, 2 * k);
}

static bool is_click(const tc_click_scene *s, size_t p)
{
    return s->seeds[p] == TILECUT_FOREGROUND && !tc_click_is_frame(s, p);
}

static bool is_background(const tc_click_scene *s, size_t p)
{
    return tc_click_is_frame(s, p) || (s->seeds[p] != TILECUT_FOREGROUND && s->seeds[p] != TILECUT_UNKNOWN);
}

bool tc_are_clicks(const uint8_t *seeds, int width, int height)
{
    return width > 0 && memchr(seeds, TILECUT_FOREGROUND, (size_t)width * (size_t)height);
}

/* The clicked cell that is nearest to (x, y). */
static size_t nearest_click(const tc_click_scene *s, double x, double y)
{
    double least = INFINITY;
    size_t nearest = 0;
    for (size_t p = 0; p < s->cells; p++) {
        const double dx = (double)(p % (size_t)s->width) - x, dy = (double)(p / (size_t)s->width) - y;
        if (!is_click(s, p) || dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        nearest = p;
    }
    return nearest;
}

/* Finds s->click and s->several. Returns false if no clicked cell lies inside the frame. */
static bool find_click(tc_click_scene *s)
{
    const size_t w = (size_t)s->width, h = (size_t)s->height;
    size_t count = 0, x = 0, y = 0, z = 0;
    for (size_t p = 0; p < s->cells; p++)
        if (is_click(s, p)) count++, x += p % w, y += p / w % h, z += p / w / h;
    s->several = s->links == 2 && !tc_is_one_click(s->seeds, s->width, s->height);
    if (!count) return false;
    if (s->several) s->click = nearest_click(s, (double)x / (double)count, (double)y / (double)count);
    else s->click = ((z + count / 2) / count * h + (y + count / 2) / count) * w + (x + count / 2) / count;
    return true;
}

/* ---- Colours ------------------------------------------------------------------------------------ */

enum { MOST_COLORS = 400, LEVELS = 64 };
#define BIN 20.4    /* the side of a bin, where lightness runs from 0 to 255      */
#define SPREAD 15.3 /* the standard deviation, in the same units, of the smoothing */

static void to_lab(const tilecut_image *image, double *lab)
{
    for (int y = 0; y < image->height; y++) {
        const void *const row = tc_image_row(image, y);
        for (int x = 0; x < image->width; x++, lab += 3) {
            for (int c = 0; c < 3; c++) {
                const int at = image->channels == 3 ? 3 * x + c : x;
                lab[c] = image->depth == 8 ? ((const uint8_t *)row)[at] : ((const uint16_t *)row)[at] / 257.0;
            }
            tc_to_lab(lab);
        }
    }
}

/* Sorts all cells into bins with sides of `side`. middle: [3 * s->colors] the mean colour of each occupied bin; bin:
 * scratch memory. Returns false if more than MOST_COLORS bins are occupied. */
static bool sort_into_bins(tc_click_scene *s, const double *lab, double side, uint16_t *bin, double *middle)
{
    double count[MOST_COLORS] = {0};
    memset(bin, 0, (size_t)LEVELS * LEVELS * LEVELS * sizeof *bin);
    memset(middle, 0, 3 * MOST_COLORS * sizeof *middle);
    s->colors = 0;
    for (size_t p = 0; p < s->cells; p++) {
        size_t at = 0;
        for (int c = 0; c < 3; c++) {
            const int level = (int)floor(lab[3 * p + (size_t)c] / side) + LEVELS / 2;
            at = at * LEVELS + (size_t)(level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level);
        }
        if (!bin[at] && s->colors == MOST_COLORS) return false;
        if (!bin[at]) bin[at] = (uint16_t)++s->colors;
        const int b = bin[at] - 1;
        s->color[p] = (uint16_t)b;
        count[b]++;
        for (int c = 0; c < 3; c++) middle[3 * b + c] += lab[3 * p + (size_t)c];
    }
    for (int b = 0; b < s->colors; b++)
        for (int c = 0; c < 3; c++) middle[3 * b + c] /= count[b];
    return true;
}

static double apart(const double *a, const double *b)
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/* Fills s->spread: the count of each bin is distributed over all bins by a Gaussian of their distance, with shares that
 * sum to 1. */
static void spread_bins(tc_click_scene *s, const double *middle)
{
    for (int b = 0; b < s->colors; b++) {
        double sum = 0;
        for (int to = 0; to < s->colors; to++) {
            const double part = tc_exp(-apart(middle + 3 * b, middle + 3 * to) / (2 * SPREAD * SPREAD));
            s->spread[to * s->colors + b] = part;
            sum += part;
        }
        for (int to = 0; to < s->colors; to++) s->spread[to * s->colors + b] /= sum;
    }
}

/* Fills s->same with exp(-d^2 / 2m), where d is the distance of two neighbours' colours and m the mean of d^2. */
static void compare_neighbours(tc_click_scene *s, const double *lab)
{
    double sum = 0, links = 0;
    for (size_t p = 0; p < s->cells; p++) {
        double all = 0;
        for (int k = 0; k < s->links; k++) {
            const size_t to = tc_click_next(s, p, k);
            s->same[k][p] = to != TC_BLOCK_NONE ? apart(lab + 3 * p, lab + 3 * to) : 0;
            all += s->same[k][p];
            links += to != TC_BLOCK_NONE;
        }
        sum += all;
    }
    const double scale = sum > 0 ? links / (2 * sum) : 0;
    for (int k = 0; k < s->links; k++)
        for (size_t p = 0; p < s->cells; p++) s->same[k][p] = tc_exp(-s->same[k][p] * scale);
}

void tc_click_colors(const tc_click_scene *s, const uint8_t *mask, uint8_t bit, double *share, double *count)
{
    double sum = 0;
    memset(count, 0, (size_t)s->colors * sizeof *count);
    for (size_t p = 0; p < s->cells; p++) {
        if (mask[p] & bit) count[s->color[p]]++, sum++;
    }
    for (int to = 0; to < s->colors; to++) {
        double seen = 0;
        for (int b = 0; b < s->colors; b++) seen += s->spread[to * s->colors + b] * count[b];
        share[to] = sum > 0 ? seen / sum : 0;
    }
}

static tilecut_status make_scene(tc_click_scene *s, const tilecut_image *image, tc_alloc_list *held)
{
    const size_t bins = (size_t)LEVELS * LEVELS * LEVELS, links = (size_t)s->links * s->cells;
    double *const lab = tc_own(held, malloc(3 * s->cells * sizeof *lab));
    double *const middle = tc_own(held, malloc(3 * MOST_COLORS * sizeof *middle));
    uint16_t *const bin = tc_own(held, malloc(bins * sizeof *bin));
    s->color = tc_own(held, malloc(s->cells * sizeof *s->color));
    s->spread = tc_own(held, malloc((size_t)MOST_COLORS * MOST_COLORS * sizeof *s->spread));
    s->same[0] = tc_own(held, malloc(links * sizeof *s->same[0]));
    if (held->lacks) return tc_fail(TILECUT_ENOMEM, "no memory for the colours around a click");
    for (int k = 1; k < s->links; k++) s->same[k] = s->same[k - 1] + s->cells;
    to_lab(image, lab);
    for (double side = BIN; !sort_into_bins(s, lab, side, bin, middle);) side *= 1.25;
    spread_bins(s, middle);
    compare_neighbours(s, lab);
    return TILECUT_OK;
}

/* ---- Masks of all sizes -------------------------------------------------------------------------- */

/* The smallest radius as a share of half the diagonal; each further radius is greater by the factor RATIO. */
#define SMALLEST 0.04
#define RATIO 1.570418
#define FLOOR 0.02 /* the share of a class's histogram that is uniform over all colours */
#define SMOOTH 3.0 /* the cost in nats of cutting a link between equal cells            */
#define SMOOTH_IN_SPACE 1.0 /* the same in a volume: a ball has more surface than a disc, and fewer cells across */
enum { QUANTA = 1000, FIXED = 60000, LEAST = 8 /* the least size of a mask, in cells */ };
enum { OBJECT = 1, AROUND = 2 }; /* bits of `update`: learnt as object, learnt as background */

/* place: the weight of the distance to the click, for each of the cuts of a disc. bias: nats that are added for the
 * object in the last cut, which is made once for each bias. */
static const double place[] = {1, 0.5, 0.25}, bias[TC_CLICK_BIASES] = {-0.8, -0.2, 0.4};
enum { CUTS = sizeof place / sizeof *place };

typedef struct cutter {
    const tc_click_scene *scene;
    tc_click_cut *cut;
    const void *context;
    spot click;        /* where scene->click lies */
    double radius;
    uint8_t *update;
    double *favour;    /* [colors] evidence for the object given by a colour, in nats */
    double *other;     /* [3 * colors] scratch memory                           */
    int32_t *arrays;   /* [(2 + links) * cells] capacities of the graph         */
} cutter;

/* The squared distance of a cell to the click, relative to the squared radius. */
static double away(const cutter *k, size_t p)
{
    const spot at = spot_of(k->scene, p);
    const double *const s = k->scene->spacing;
    const double dx = s[0] * (at.x - k->click.x), dy = s[1] * (at.y - k->click.y), dz = s[2] * (at.z - k->click.z);
    return (dx * dx + dy * dy + dz * dz) / (k->radius * k->radius);
}

/* Computes k->favour. The object's colours are learnt from the mask, or from the disc if `mask` is NULL, and from each
 * of several clicks. The background's colours are learnt from the surroundings up to 2.5 radii, and from the frame. */
static void learn_click_colors(cutter *k, const uint8_t *mask)
{
    const tc_click_scene *const s = k->scene;
    double *const object = k->other, *const around = k->other + s->colors, *const count = k->other + 2 * s->colors;
    for (size_t p = 0; p < s->cells; p++) {
        const double d = away(k, p);
        const bool in = (s->several && is_click(s, p)) || (mask ? mask[p] : d <= 1);
        const bool near = mask ? !mask[p] : d > 1.2 * 1.2;
        k->update[p] = (in && !is_background(s, p) ? OBJECT : 0) |
                       (((near && d <= 2.5 * 2.5) || tc_click_is_frame(s, p)) && !is_click(s, p) ? AROUND : 0);
    }
    tc_click_colors(s, k->update, OBJECT, object, count);
    tc_click_colors(s, k->update, AROUND, around, count);
    for (int b = 0; b < s->colors; b++)
        k->favour[b] = tc_log(((1 - FLOOR) * object[b] + FLOOR / s->colors) /
                              ((1 - FLOOR) * around[b] + FLOOR / s->colors));
}

/* Cuts with the learnt colours. The mask keeps only regions connected to a click. `counts` is the weight of the
 * distance to the click; `added` is added to the evidence for the object everywhere, in nats. */
static tilecut_status cut_with_colors(cutter *k, double counts, double added, uint8_t *mask)
{
    const tc_click_scene *const s = k->scene;
    int32_t *const source = k->arrays, *const sink = source + s->cells, *const link = sink + s->cells;
    tilecut_graph graph = {.width = s->width, .height = s->height, .depth = s->depth, .connectivity = 2 * s->links,
                           .arrays = {.source = source, .sink = sink}};
    const double smooth = s->links > 2 ? SMOOTH_IN_SPACE : SMOOTH;
    int64_t foreground;
    for (size_t p = 0; p < s->cells; p++) {
        const double near = 1 - away(k, p);
        const double nats = k->favour[s->color[p]] + counts * (near < -3 ? -3 : near) + added;
        const int32_t quanta = (int32_t)tc_round(QUANTA * nats);
        source[p] = is_click(s, p) ? FIXED : is_background(s, p) || quanta < 0 ? 0 : quanta;
        sink[p] = is_click(s, p) ? 0 : is_background(s, p) ? FIXED : quanta < 0 ? -quanta : 0;
    }
    for (int d = 0; d < s->links; d++) {
        int32_t *const to = link + (size_t)d * s->cells;
        for (size_t p = 0; p < s->cells; p++) to[p] = (int32_t)(QUANTA * smooth * s->same[d][p] / s->spacing[d]);
        graph.arrays.to[d] = graph.arrays.from[d] = to;
    }
    NEED(k->cut(k->context, &graph, mask));
    const tc_islands all = tc_islands_of(mask, s->width, s->height, s->depth, graph.connectivity);
    return tc_drop_islands(NULL, s->seeds, all, &foreground);
}

/* True if masks[count] differs from all `count` masks before it, and has at least LEAST cells. */
static bool is_new(const uint8_t *masks, int count, size_t cells)
{
    const uint8_t *const mask = masks + (size_t)count * cells;
    size_t size = 0;
    for (size_t p = 0; p < cells; p++) size += mask[p] != 0;
    for (int i = 0; i < count; i++)
        if (!memcmp(masks + (size_t)i * cells, mask, cells)) return false;
    return size >= LEAST;
}

/* Writes the masks of one disc, one for each bias. */
static tilecut_status cut_size(cutter *k, uint8_t *masks)
{
    for (int i = 0; i < CUTS; i++) {
        learn_click_colors(k, i ? masks : NULL);
        if (i + 1 < CUTS) NEED(cut_with_colors(k, place[i], 0, masks));
    }
    for (int i = 0; i < TC_CLICK_BIASES; i++)
        NEED(cut_with_colors(k, place[CUTS - 1], bias[i], masks + (size_t)i * k->scene->cells));
    return TILECUT_OK;
}

static double diagonal(const tc_click_scene *s)
{
    const double w = s->spacing[0] * s->width, h = s->spacing[1] * s->height, d = s->spacing[2] * s->depth;
    return sqrt(w * w + h * h + (s->links > 2 ? d * d : 0));
}

/* All discs, which threads cut side by side. */
typedef struct discs {
    const tc_click_scene *scene;
    tc_click_cut *cut;
    const void *context;
    uint8_t *masks;
    tc_failures failures;
} discs;

static tilecut_status cut_disc(const discs *all, int number)
{
    const tc_click_scene *const s = all->scene;
    const size_t colors = (size_t)s->colors;
    tilecut_status status = TILECUT_OK;
    tc_alloc_list held = {0};
    cutter k = {.scene = s, .cut = all->cut, .context = all->context, .click = spot_of(s, s->click)};
    k.update = tc_own(&held, malloc(s->cells));
    k.favour = tc_own(&held, malloc(colors * sizeof *k.favour));
    k.other = tc_own(&held, malloc(3 * colors * sizeof *k.other));
    k.arrays = tc_own(&held, malloc((size_t)(2 + s->links) * s->cells * sizeof *k.arrays));
    if (held.lacks) TRY(tc_fail(TILECUT_ENOMEM, "no memory to cut around a click"));
    k.radius = SMALLEST / 2 * diagonal(s);
    for (int i = 0; i < number; i++) k.radius *= RATIO;
    TRY(cut_size(&k, all->masks + (size_t)number * TC_CLICK_BIASES * s->cells));
done:
    tc_alloc_list_free(&held);
    return status;
}

static void cut_next(void *context, int number)
{
    discs *const all = context;
    const tilecut_status status = cut_disc(all, number);
    tc_failures_add(&all->failures, number, status);
}

/* Cuts all discs. Leaves out masks that are too small or already in the list. */
static tilecut_status cut_sizes(discs *all, int threads, int *count)
{
    const size_t cells = all->scene->cells;
    tc_parallel(tc_most(threads, 1), TC_CLICK_SIZES, cut_next, all);
    NEED(tc_failures_raise(&all->failures));
    for (int i = 0; i < TC_CLICK_SIZES * TC_CLICK_BIASES; i++) {
        memmove(all->masks + (size_t)*count * cells, all->masks + (size_t)i * cells, cells);
        *count += is_new(all->masks, *count, cells);
    }
    return TILECUT_OK;
}

/* ---- The guess ----------------------------------------------------------------------------------- */

/* The evidence of a mask grows with the distance to its outline, up to SURE nats at SURE_DEPTH cells and beyond. */
#define SURE 3.0
#define SURE_DEPTH 3.0

/* Turns a mask into a guess in the format of tc_guess_by_sizes(). */
static tilecut_status favour_on(const tc_click_scene *s, const uint8_t *mask, uint8_t *guess)
{
    uint16_t *const depth = malloc(2 * s->cells * sizeof *depth);
    if (!depth) return tc_fail(TILECUT_ENOMEM, "no memory for distances to the outline of a guess");
    for (int side = 0; side < 2; side++) {
        uint16_t *const map = depth + (size_t)side * s->cells;
        for (size_t p = 0; p < s->cells; p++) map[p] = (mask[p] != 0) == (side != 0) ? TC_CHAMFER_NOWHERE : 0;
        tc_chamfer_space(map, s->width, s->height, s->depth, s->spacing);
    }
    for (size_t p = 0; p < s->cells; p++) {
        const double d = (double)depth[mask[p] ? s->cells + p : p] / TC_CHAMFER_PIXEL / SURE_DEPTH;
        const int level = (int)tc_round(TC_EVIDENCE_MIDDLE * SURE / TC_EVIDENCE_NATS * (d < 1 ? d : 1));
        guess[p] = (uint8_t)(2 * (TC_EVIDENCE_MIDDLE + (mask[p] ? -level : level)) + (mask[p] != 0));
    }
    free(depth);
    return TILECUT_OK;
}

tilecut_status tc_guess_by_sizes(const tc_click_cells *cells, tc_click_cut *cut, const void *context,
                                 const uint8_t *mask, uint8_t *guess, bool *better)
{
    const int width = cells->image.width, rows = cells->image.height;
    const int depth = cells->slice_rows ? rows / cells->slice_rows : 1;
    tc_click_scene s = {.width = width, .height = rows / depth, .depth = depth, .links = cells->slice_rows ? 3 : 2,
                        .seeds = cells->seeds};
    tilecut_status status = TILECUT_OK;
    int count = 0, best;
    tc_alloc_list held = {0};

    *better = false;
    s.cells = (size_t)width * (size_t)rows;
    s.framed = s.links == 2 || !(memchr(s.seeds, TILECUT_BACKGROUND, s.cells) ||
                                 memchr(s.seeds, TILECUT_OUTSIDE, s.cells));
    for (int k = 0; k < 3; k++) s.spacing[k] = s.links > 2 ? cells->spacing[k] : 1;
    if (!find_click(&s)) return TILECUT_OK;
    uint8_t *const masks = tc_own(&held, malloc(TC_CLICK_MASKS * s.cells));
    if (held.lacks) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the masks around a click"));
    TRY(make_scene(&s, &cells->image, &held));
    TRY(cut_sizes(&(discs){&s, cut, context, masks, TC_NO_FAILURE}, cells->threads, &count));
    memcpy(masks + (size_t)count * s.cells, mask, s.cells);
    TRY(tc_click_choose(&s, masks, count + 1, &best));
    *better = best < count;
    if (*better) TRY(favour_on(&s, masks + (size_t)best * s.cells, guess));
done:
    tc_alloc_list_free(&held);
    return status;
}
