/* SPDX-License-Identifier: MIT
 *
 * click_choice.c - which of the masks around a click is best, see click_sizes.h. Each gets a score, a guess at its IoU:
 * a sum of four things, whose weights were fitted to photos with truth (docs/lab/quality.md).
 */
#include <stdlib.h>

#include "chamfer.h"
#include "click_sizes.h"
#include "alloc_list.h"
#include "status.h"

/* What most masks are like is likelier; edges belong to objects rather than to what is around them; the click was made
 * in the middle; and a mask that takes all there is of its colours is rather a flood. */
#define LIKE_OTHERS 1.443
#define EDGES_INSIDE 0.217
#define IN_THE_MIDDLE 0.132
#define COLORS_APART -0.232

/* The last was cut by other rules: it is a flood, or right. Where it is right the click lies in its middle, and edges
 * along its outline. Others must be better by 0.08, which is in the difference of the two sums' constants. */
#define EDGES_AND_MIDDLE 0.891
#define LAST_LIKE_OTHERS 0.659
#define LAST_LESS 0.038

/* After several clicks the others are preferred instead: the last mask remains one of the offers all the same
 * (correction_learning.c), and this one is taken only if it promises more. */
#define SEVERAL_LESS 0.188

/* How alike two masks are: their IoU. */
static double alike(const uint8_t *a, const uint8_t *b, size_t cells)
{
    size_t both = 0, either = 0;
    for (size_t p = 0; p < cells; p++) {
        both += a[p] && b[p];
        either += a[p] || b[p];
    }
    return either ? (double)both / (double)either : 1;
}

/* The mean difference of neighbours: those across a mask's outline, or those within the mask. */
static double edges(const tc_click_scene *s, const uint8_t *mask, bool along)
{
    const size_t step[2] = {1, (size_t)s->width};
    double sum = 0, links = 1;
    for (size_t p = 0; p < s->cells; p++)
        for (int d = 0; d < 2; d++) {
            const size_t q = p + step[d];
            if (d ? q >= s->cells : q % step[1] == 0) continue;
            if (along ? !mask[p] != !mask[q] : mask[p] && mask[q]) sum += 1 - s->same[d][p], links++;
        }
    return sum / links;
}

/* How deep the click lies in a mask, in parts of its deepest cell. The frame, which is background, is around it. */
static double in_the_middle(const tc_click_scene *s, const uint8_t *mask, uint16_t *depth)
{
    const int least = (TC_CHAMFER_PIXEL + 1) / 2;
    int deepest = least;
    for (size_t p = 0; p < s->cells; p++) depth[p] = mask[p] && !tc_click_is_frame(s, p) ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer(depth, s->width, s->height);
    for (size_t p = 0; p < s->cells; p++) deepest = depth[p] > deepest ? depth[p] : deepest;
    return (double)(depth[s->click] > least ? depth[s->click] : least) / deepest;
}

/* How little the colours of a mask and of all else have in common: 1 if nothing. other: room for cells, colors: for
 * three counts of them. */
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

/* The mean of how alike each mask is to all, itself among them. */
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
