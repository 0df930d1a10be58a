/* SPDX-License-Identifier: MIT
 *
 * click_choice.c - chooses the best of the masks around a click, see click_sizes.h. The score of a mask estimates its
 * IoU: a weighted sum of four measurements, with weights fitted to photos with known masks (docs/lab/quality.md).
 */
#include <stdlib.h>

#include "chamfer.h"
#include "click_sizes.h"
#include "alloc_list.h"
#include "status.h"

/* A mask is likely to be right if it is similar to most others, has edges inside, and has the click deep inside; it is
 * likely to be a flood if its colours occur nowhere outside of it. */
#define LIKE_OTHERS 1.443
#define EDGES_INSIDE 0.217
#define IN_THE_MIDDLE 0.132
#define COLORS_APART -0.232

/* The last mask was not cut from a disc, and is either right or a flood, so it has its own score. If it is right, the
 * click lies deep inside and its outline follows edges. Other masks must be better than it by 0.08, which the constant
 * includes. */
#define EDGES_AND_MIDDLE 0.891
#define LAST_LIKE_OTHERS 0.659
#define LAST_LESS 0.038

/* Used instead of LAST_LESS after several clicks; it favours the other masks. The last mask is not lost if another one
 * is chosen, because correction_learning.c compares the two. */
#define SEVERAL_LESS 0.188

/* The IoU of two masks; 1 if both are empty. */
static double alike(const uint8_t *a, const uint8_t *b, size_t cells)
{
    size_t both = 0, either = 0;
    for (size_t p = 0; p < cells; p++) {
        both += a[p] && b[p];
        either += a[p] || b[p];
    }
    return either ? (double)both / (double)either : 1;
}

/* The mean difference of neighbours, 0 to 1: of pairs across the outline with `along`, else of pairs in the mask. */
static double edges(const tc_click_scene *s, const uint8_t *mask, bool along)
{
    double sum = 0, links = 1;
    for (size_t p = 0; p < s->cells; p++)
        for (int d = 0; d < s->links; d++) {
            const size_t q = tc_click_next(s, p, d);
            if (q == TC_BLOCK_NONE) continue;
            if (along ? !mask[p] != !mask[q] : mask[p] && mask[q]) sum += 1 - s->same[d][p], links++;
        }
    return sum / links;
}

/* The click's distance to the outline, divided by the deepest cell's distance; above 0, at most 1. Cells of the frame
 * count as background. depth: [cells] scratch memory. */
static double in_the_middle(const tc_click_scene *s, const uint8_t *mask, uint16_t *depth)
{
    const int least = (TC_CHAMFER_PIXEL + 1) / 2;
    for (size_t p = 0; p < s->cells; p++) depth[p] = mask[p] && !tc_click_is_frame(s, p) ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer_space(depth, s->width, s->height, s->depth, s->spacing);
    const int deepest = tc_chamfer_deepest(depth, mask, s->cells);
    return (double)(depth[s->click] > least ? depth[s->click] : least) / (deepest > least ? deepest : least);
}

/* The total variation distance between the colour histograms of a mask and of the rest: 0 if they are the same, 1 if
 * they have no colour in common. other: [cells], colors: [3][s->colors], both scratch memory. */
static double colors_apart(const tc_click_scene *s, const uint8_t *mask, uint8_t *other, double *colors)
{
    double *const in = colors, *const out = colors + s->colors, *const count = colors + 2 * s->colors;
    double sum = 0;
    for (size_t p = 0; p < s->cells; p++) other[p] = mask[p] ? 1 : 2;
    tc_click_colors(s, other, 1, in, count);
    tc_click_colors(s, other, 2, out, count);
    for (int b = 0; b < s->colors; b++) sum += in[b] > out[b] ? in[b] - out[b] : out[b] - in[b];
    return sum / 2;
}

/* Adds to like[i] the mean IoU of mask i with all `count` masks, including itself. */
static void find_alike(const tc_click_scene *s, const uint8_t *masks, int count, double *like)
{
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            const double by = alike(masks + (size_t)i * s->cells, masks + (size_t)j * s->cells, s->cells);
            like[i] += by / count;
            if (j != i) like[j] += by / count;
        }
}

tilecut_status tc_click_choose(const tc_click_scene *s, const uint8_t *masks, int count, int *best)
{
    const int last = count - 1;
    const uint8_t *const last_mask = masks + (size_t)last * s->cells;
    double like[TC_CLICK_MASKS] = {0}, most = 0;
    tc_alloc_list held = {0};
    uint16_t *const depth = tc_own(&held, malloc(s->cells * sizeof *depth));
    uint8_t *const other = tc_own(&held, malloc(s->cells));
    double *const colors = tc_own(&held, malloc(3 * (size_t)s->colors * sizeof *colors));
    const bool lacks = held.lacks;

    *best = last;
    if (!lacks) {
        find_alike(s, masks, count, like);
        most = EDGES_AND_MIDDLE * edges(s, last_mask, true) * in_the_middle(s, last_mask, depth) +
               LAST_LIKE_OTHERS * like[last] - (s->several ? SEVERAL_LESS : LAST_LESS);
    }
    for (int i = 0; i < last && !lacks; i++) {
        const uint8_t *const mask = masks + (size_t)i * s->cells;
        const double score = LIKE_OTHERS * like[i] + EDGES_INSIDE * edges(s, mask, false) +
                             IN_THE_MIDDLE * in_the_middle(s, mask, depth) +
                             COLORS_APART * colors_apart(s, mask, other, colors);
        if (score > most) most = score, *best = i;
    }
    tc_alloc_list_free(&held);
    return lacks ? tc_fail(TILECUT_ENOMEM, "no memory to compare the masks around a click") : TILECUT_OK;
}
