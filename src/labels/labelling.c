/* SPDX-License-Identifier: MIT
 *
 * labelling.c - see labelling.h.
 */
#include "labelling.h"

#include <stdlib.h>
#include <string.h>

#include "label_cut.h"
#include "large.h"
#include "status.h"

tilecut_status tc_labelling_init(tc_labelling *l, int width, int height, int depth, int connectivity, int labels,
                                 const tc_setup *setup)
{
    const size_t n = (size_t)width * (size_t)height * (size_t)depth, links = (size_t)connectivity / 2;
    *l = (tc_labelling){.width = width, .height = height, .depth = depth, .connectivity = connectivity,
                        .labels = labels, .pixels = n, .block = 32, .setup = *setup};
    l->memory = tc_large_alloc(n * (((size_t)labels + links) * sizeof(int32_t) + 2));
    if (!l->memory) return tc_fail(TILECUT_ENOMEM, "no memory for %d labels of %zu pixels", labels, n);
    l->data = l->memory;
    int32_t *next = l->data + (size_t)labels * n;
    memset(next, 0, n * (links * sizeof(int32_t) + 2));
    for (size_t k = 0; k < links; k++, next += n) l->link[k] = next;
    l->label = (uint8_t *)next;
    l->fixed = l->label + n;
    return TILECUT_OK;
}

void tc_labelling_free(tc_labelling *l)
{
    free(l->memory);
    free(l->group);
    free(l->box);
    l->memory = l->group = NULL;
    l->box = NULL;
}

/* ---- Energies ---------------------------------------------------------------------------------- */

/* The energy of the labelling within the box of `cut`; `fixed_only`: of fixed pixels, and pairs of them. */
static int64_t energy_in_box(const tc_label_cut *cut, bool fixed_only)
{
    const tc_labelling *const l = cut->of;
    int64_t energy = 0;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t i = tc_label_cut_row(cut, row);
        for (size_t p = i; p < i + (size_t)cut->box.width; p++)
            if (!fixed_only || l->fixed[p]) energy += l->data[l->label[p] * l->pixels + p];
        for (int k = 0; k < l->connectivity / 2; k++) {
            ptrdiff_t to, unused;
            tc_span linked;
            if (!tc_label_cut_linked(cut, k, row, &to, &unused, &linked)) continue;
            for (size_t p = i + (size_t)linked.first; p < i + (size_t)linked.end; p++)
                if (l->label[p] != l->label[(ptrdiff_t)p + to] &&
                    (!fixed_only || (l->fixed[p] && l->fixed[(ptrdiff_t)p + to])))
                    energy += l->link[k][p];
        }
    }
    return energy;
}

static int64_t energy_of_all(tc_labelling *l, bool fixed_only)
{
    const tc_label_cut all = {.of = l, .group = -1, .box = {0, 0, 0, l->width, l->height, l->depth}};
    return energy_in_box(&all, fixed_only);
}

int64_t tc_labelling_energy(tc_labelling *l)
{
    return energy_of_all(l, false);
}

/* ---- Groups ------------------------------------------------------------------------------------ */

/* Pixels that are connected are of one group, and so are those of which the first pixel lies in one block of the
 * lattice: many small cuts would take longer than a larger one. */
typedef struct dividing {
    tc_labelling *l;
    int32_t *of_block; /* [blocks] the group, or -1 */
    int across, down;
    size_t *stack;
    size_t waiting;
} dividing;

static void grow_box(tc_block *b, int x, int y, int z)
{
    if (x < b->x) b->width += b->x - x, b->x = x;
    if (y < b->y) b->height += b->y - y, b->y = y;
    if (z < b->z) b->depth += b->z - z, b->z = z;
    if (x >= b->x + b->width) b->width = x - b->x + 1;
    if (y >= b->y + b->height) b->height = y - b->y + 1;
    if (z >= b->z + b->depth) b->depth = z - b->z + 1;
}

static void reach(dividing *d, int32_t group, int x, int y, int z)
{
    tc_labelling *const l = d->l;
    if (x < 0 || x >= l->width || y < 0 || y >= l->height || z < 0 || z >= l->depth) return;
    const size_t i = ((size_t)z * (size_t)l->height + (size_t)y) * (size_t)l->width + (size_t)x;
    if (l->fixed[i] || l->group[i] >= 0) return;
    l->group[i] = group;
    grow_box(&l->box[group], x, y, z);
    d->stack[d->waiting++] = i;
}

static void fill_group(dividing *d, size_t first)
{
    tc_labelling *const l = d->l;
    const size_t width = (size_t)l->width, height = (size_t)l->height;
    int x = (int)(first % width), y = (int)(first / width % height), z = (int)(first / width / height);
    int32_t *const group = d->of_block + ((size_t)(z / l->block) * (size_t)d->down + (size_t)(y / l->block)) *
                                             (size_t)d->across + (size_t)(x / l->block);
    if (*group < 0) l->box[*group = l->groups++] = (tc_block){x, y, z, 1, 1, 1};
    reach(d, *group, x, y, z);
    while (d->waiting) {
        const size_t i = d->stack[--d->waiting];
        x = (int)(i % width), y = (int)(i / width % height), z = (int)(i / width / height);
        for (int k = 0; k < l->connectivity; k++) {
            const tc_link_steps s = tc_link_step(l->connectivity, k / 2);
            const int sign = k & 1 ? -1 : 1;
            reach(d, *group, x + sign * s.x, y + sign * s.y, z + sign * s.z);
        }
    }
}

/* Adds one pixel to the box on each side where the lattice goes on. */
static void pad_box(const tc_labelling *l, tc_block *b)
{
    grow_box(b, b->x > 0 ? b->x - 1 : 0, b->y > 0 ? b->y - 1 : 0, b->z > 0 ? b->z - 1 : 0);
    const int x = b->x + b->width, y = b->y + b->height, z = b->z + b->depth;
    grow_box(b, x < l->width ? x : x - 1, y < l->height ? y : y - 1, z < l->depth ? z : z - 1);
}

tilecut_status tc_labelling_divide(tc_labelling *l)
{
    tilecut_status status = TILECUT_OK;
    dividing d = {.l = l, .across = (l->width - 1) / l->block + 1,
                  .down = (l->height - 1) / l->block + 1};
    const size_t blocks = (size_t)d.across * (size_t)d.down * (size_t)((l->depth - 1) / l->block + 1);
    size_t open = 0;
    for (size_t i = 0; i < l->pixels; i++) open += !l->fixed[i];
    free(l->group);
    free(l->box);
    l->groups = 0;
    l->group = tc_large_alloc(l->pixels * sizeof *l->group);
    l->box = malloc(blocks * sizeof *l->box);
    d.of_block = malloc(blocks * sizeof *d.of_block);
    d.stack = malloc((open + 1) * sizeof *d.stack);
    if (!l->group || !l->box || !d.of_block || !d.stack)
        TRY(tc_fail(TILECUT_ENOMEM, "no memory to divide %zu pixels", l->pixels));
    memset(l->group, -1, l->pixels * sizeof *l->group);
    memset(d.of_block, -1, blocks * sizeof *d.of_block);
    for (size_t i = 0; i < l->pixels; i++)
        if (!l->fixed[i] && l->group[i] < 0) fill_group(&d, i);
    for (int g = 0; g < l->groups; g++) pad_box(l, &l->box[g]);
done:
    free(d.of_block);
    free(d.stack);
    return status;
}

/* ---- Labels that are certain ------------------------------------------------------------------- */

static int cheapest(const tc_labelling *l, size_t i)
{
    int least = 0;
    for (int j = 1; j < l->labels; j++)
        if (l->data[(size_t)j * l->pixels + i] < l->data[(size_t)least * l->pixels + i]) least = j;
    return least;
}

/* Fixes the pixels that take the label of the cut. */
static void fix_taken(const tc_label_cut *cut)
{
    tc_labelling *const l = cut->of;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const uint8_t *const mask = cut->mask + (size_t)row * (size_t)cut->box.width;
        const size_t i = tc_label_cut_row(cut, row);
        for (size_t x = 0; x < (size_t)cut->box.width; x++)
            if (!mask[x] && tc_label_cut_free(cut, i + x)) l->label[i + x] = (uint8_t)cut->alpha, l->fixed[i + x] = 1;
    }
}

/* One cut of a group, or with -1 of the whole lattice, for each label but `except`. */
static tilecut_status fix_group(tc_labelling *l, int group, int first, int end, int except)
{
    tilecut_status status = TILECUT_OK;
    tc_label_cut cut;
    TRY(tc_label_cut_open(&cut, l, group));
    for (int alpha = first; alpha < end; alpha++) {
        if (alpha == except) continue;
        TRY(tc_label_cut_solve(&cut, TC_CHOICE_BEST, alpha));
        fix_taken(&cut);
    }
done:
    tc_label_cut_close(&cut);
    return status;
}

/* The label that is the cheapest of the most pixels is cut first, in the whole lattice. The other cuts are of what that
 * leaves. */
tilecut_status tc_labelling_fix(tc_labelling *l)
{
    int64_t count[TILECUT_MAX_LABELS] = {0};
    int first = 0;
    for (size_t i = 0; i < l->pixels; i++)
        if (!l->fixed[i]) count[l->label[i] = (uint8_t)cheapest(l, i)]++;
    for (int k = 1; k < l->labels; k++)
        if (count[k] > count[first]) first = k;
    NEED(fix_group(l, -1, first, first + 1, -1));
    NEED(tc_labelling_divide(l));
    for (int group = 0; group < l->groups; group++) NEED(fix_group(l, group, 0, l->labels, first));
    return TILECUT_OK;
}

/* ---- Expansion --------------------------------------------------------------------------------- */

/* Gives the pixels that the cut takes its label and keeps their old labels in `before`; or (`back`) restores their old
 * labels. */
static void move(const tc_label_cut *cut, uint8_t *before, bool back)
{
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t at = (size_t)row * (size_t)cut->box.width;
        uint8_t *const label = cut->of->label + tc_label_cut_row(cut, row);
        for (size_t x = 0; x < (size_t)cut->box.width; x++) {
            if (back) label[x] = before[at + x];
            else before[at + x] = label[x];
            if (!back && !cut->mask[at + x]) label[x] = (uint8_t)cut->alpha;
        }
    }
}

/* Stops when no label improves the labelling any more. */
static tilecut_status expand_group(tc_labelling *l, int group)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *before = NULL;
    tc_label_cut cut;
    TRY(tc_label_cut_open(&cut, l, group));
    before = malloc(cut.pixels);
    if (!before) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu labels", cut.pixels));
    int64_t least = energy_in_box(&cut, false);
    for (int alpha = 0, in_vain = 0; in_vain < l->labels; alpha = (alpha + 1) % l->labels) {
        TRY(tc_label_cut_solve(&cut, TC_CHOICE_EXPAND, alpha));
        move(&cut, before, false);
        const int64_t energy = energy_in_box(&cut, false);
        if (energy < least) in_vain = 1, least = energy, l->moves++;
        else in_vain++, move(&cut, before, true);
    }
done:
    tc_label_cut_close(&cut);
    free(before);
    return status;
}

tilecut_status tc_labelling_expand(tc_labelling *l, const uint8_t *settled)
{
    NEED(tc_labelling_divide(l));
    uint8_t *const at_rest = calloc((size_t)l->groups + 1, 1);
    if (!at_rest) return tc_fail(TILECUT_ENOMEM, "no memory for %d groups", l->groups);
    if (settled) memset(at_rest, 1, (size_t)l->groups);
    for (size_t i = 0; settled && i < l->pixels; i++)
        if (!settled[i] && l->group[i] >= 0) at_rest[l->group[i]] = 0;
    tilecut_status status = TILECUT_OK;
    for (int group = 0; group < l->groups && status == TILECUT_OK; group++)
        if (!at_rest[group]) status = expand_group(l, group);
    free(at_rest);
    return status;
}

/* ---- A lower bound ----------------------------------------------------------------------------- */

/* With x_l = 1 where a pixel has label l, a pair costs the half of w for each of the two labels in which it differs. So
 * twice the energy is the sum over labels of sum 2 D(l) x_l + sum w |x_l - x_l'|, and labels depend on each other only
 * in that each pixel has one. Multipliers for that, `price`, make K independent minimum cuts of it, and the sum of
 * their costs and of the prices is a lower bound: the dual of the uniform metric labelling relaxation (Kleinberg &
 * Tardos, JACM 2002). Prices follow the supergradient with Polyak's step. */
typedef struct pricing {
    tc_label_cut cut;
    int64_t *price, *taken; /* [pixels of the box] in half quanta, of free pixels; by how many labels it is taken */
    bool used[TILECUT_MAX_LABELS]; /* labels that a minimum needs; no free pixel takes another one */
    int64_t unused;                /* cost of unused labels, in half quanta: their links to fixed pixels */
} pricing;

/* Whether another label that is in use does as well as `label` at every free pixel, even where that has links to fixed
 * pixels of it: then there is a minimum without it. cut->sink[at]: what these links cost. */
static bool is_dispensable(const tc_label_cut *cut, int label, const bool *used)
{
    const tc_labelling *const l = cut->of;
    bool fits = false;
    for (int other = 0; other < l->labels && !fits; other++) {
        const int32_t *const mine = l->data + (size_t)label * l->pixels;
        const int32_t *const its = l->data + (size_t)other * l->pixels;
        if (other == label || !used[other]) continue;
        fits = true;
        for (int row = 0; row < tc_label_cut_rows(cut) && fits; row++) {
            const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
            for (size_t x = 0; x < (size_t)cut->box.width && fits; x++)
                fits = !tc_label_cut_free(cut, i + x) || mine[i + x] - cut->sink[at + x] >= its[i + x];
        }
    }
    return fits;
}

/* Sets cut->sink[at] to the links between a free pixel and fixed ones of that label. */
static void sum_links_to(const tc_label_cut *cut, int label)
{
    const tc_labelling *const l = cut->of;
    memset(cut->sink, 0, cut->pixels * sizeof *cut->sink);
    for (int row = 0; row < tc_label_cut_rows(cut); row++)
        for (int k = 0; k < l->connectivity / 2; k++) {
            const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
            ptrdiff_t far, to;
            tc_span linked;
            if (!tc_label_cut_linked(cut, k, row, &far, &to, &linked)) continue;
            for (int x = linked.first; x < linked.end; x++) {
                const size_t p = i + (size_t)x, q = (size_t)((ptrdiff_t)p + far), here = at + (size_t)x;
                if (l->label[q] == label && !tc_label_cut_free(cut, q)) cut->sink[here] += l->link[k][p];
                if (l->label[p] == label && !tc_label_cut_free(cut, p))
                    cut->sink[(ptrdiff_t)here + to] += l->link[k][p];
            }
        }
}

/* Which labels a minimum needs in the group, and how many they are; `all`: whether its pixels have no others now. */
static int find_used(const tc_label_cut *cut, bool *used, bool *all)
{
    const tc_labelling *const l = cut->of;
    int count = l->labels;
    for (int k = 0; k < l->labels; k++) used[k] = true;
    for (int k = 0; k < l->labels; k++) {
        sum_links_to(cut, k);
        if (is_dispensable(cut, k, used)) used[k] = false, count--;
    }
    *all = true;
    for (int row = 0; row < tc_label_cut_rows(cut); row++)
        for (size_t x = 0, i = tc_label_cut_row(cut, row); x < (size_t)cut->box.width; x++)
            *all = *all && (!tc_label_cut_free(cut, i + x) || used[l->label[i + x]]);
    return count;
}

/* The cost of a cut's answer, in half quanta, and which pixels take its label. */
static int64_t cost_of_answer(const pricing *g)
{
    const tc_label_cut *const cut = &g->cut;
    const tc_labelling *const l = cut->of;
    int64_t cost = 0;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
        for (size_t x = 0; x < (size_t)cut->box.width; x++)
            if (!cut->mask[at + x]) {
                g->taken[at + x] += tc_label_cut_free(cut, i + x);
                cost += 2 * (int64_t)l->data[(size_t)cut->alpha * l->pixels + i + x] - g->price[at + x];
            }
        for (int k = 0; k < l->connectivity / 2; k++) {
            ptrdiff_t unused, to;
            tc_span linked;
            if (!tc_label_cut_linked(cut, k, row, &unused, &to, &linked)) continue;
            for (size_t p = at + (size_t)linked.first; p < at + (size_t)linked.end; p++)
                if (cut->mask[p] != cut->mask[(ptrdiff_t)p + to]) cost += l->link[k][i + (p - at)];
        }
    }
    return cost;
}

/* One round: the bound of the box with these prices. *uneven: the sum over pixels of (labels that take it - 1)^2. */
static tilecut_status bound_of_box(pricing *g, int64_t *bound, int64_t *uneven)
{
    const tc_label_cut *const cut = &g->cut;
    *bound = g->unused, *uneven = 0;
    for (int row = 0; row < tc_label_cut_rows(cut); row++)
        for (size_t x = 0; x < (size_t)cut->box.width; x++) /* a pixel that is not free is taken by exactly one label */
            g->taken[(size_t)row * (size_t)cut->box.width + x] =
                !tc_label_cut_free(cut, tc_label_cut_row(cut, row) + x);
    for (int alpha = 0; alpha < cut->of->labels; alpha++) {
        if (!g->used[alpha]) continue;
        NEED(tc_label_cut_solve(&g->cut, TC_CHOICE_PRICE, alpha));
        *bound += cost_of_answer(g);
    }
    for (size_t at = 0; at < cut->pixels; at++) {
        *bound += g->price[at];
        *uneven += (1 - g->taken[at]) * (1 - g->taken[at]);
    }
    return TILECUT_OK;
}

/* Prices at first: twice what the pixel's label costs, and its links to other labels. */
static void first_prices(pricing *g)
{
    const tc_label_cut *const cut = &g->cut;
    const tc_labelling *const l = cut->of;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
        for (size_t x = 0; x < (size_t)cut->box.width; x++)
            if (tc_label_cut_free(cut, i + x))
                g->price[at + x] += 2 * (int64_t)l->data[l->label[i + x] * l->pixels + i + x];
        for (int k = 0; k < l->connectivity / 2; k++) {
            ptrdiff_t far, to;
            tc_span linked;
            if (!tc_label_cut_linked(cut, k, row, &far, &to, &linked)) continue;
            for (int x = linked.first; x < linked.end; x++) {
                const size_t p = i + (size_t)x, q = (size_t)((ptrdiff_t)p + far), here = at + (size_t)x;
                if (l->label[p] == l->label[q]) continue;
                if (tc_label_cut_free(cut, p)) g->price[here] += l->link[k][p];
                if (tc_label_cut_free(cut, q)) g->price[(ptrdiff_t)here + to] += l->link[k][p];
            }
        }
    }
}

/* *spare: by how much the labelling of the group may be dearer than the best one, at most, in half quanta; rounds end
 * when that is `enough`. Of two labels that no move improves, it is a best one, as energies of two are submodular. */
static tilecut_status bound_group(tc_labelling *l, int group, int rounds, int64_t enough, int64_t *spare)
{
    tilecut_status status = TILECUT_OK;
    pricing g = {.price = NULL};
    int64_t uneven = 1;
    bool all;
    TRY(tc_label_cut_open(&g.cut, l, group));
    if (find_used(&g.cut, g.used, &all) <= 2 && all) goto done;
    g.price = calloc(g.cut.pixels, 2 * sizeof *g.price);
    if (!g.price) TRY(tc_fail(TILECUT_ENOMEM, "no memory for prices of %zu pixels", g.cut.pixels));
    g.taken = g.price + g.cut.pixels;
    g.cut.price = g.price;
    first_prices(&g);
    for (int k = 0; k < l->labels; k++) {
        if (g.used[k]) continue;
        tc_label_cut_none(&g.cut, TC_CHOICE_PRICE, k);
        g.unused += cost_of_answer(&g);
    }
    const int64_t energy = 2 * energy_in_box(&g.cut, false);
    for (int round = 0; round < rounds && uneven; round++) {
        int64_t bound;
        TRY(bound_of_box(&g, &bound, &uneven));
        if (round == 0 || energy - bound < *spare) *spare = energy - bound;
        if (*spare <= enough) break;
        const int64_t step = uneven ? (energy - bound) / uneven : 0;
        for (size_t at = 0; at < g.cut.pixels; at++) g.price[at] += (step > 0 ? step : 1) * (1 - g.taken[at]);
    }
done:
    tc_label_cut_close(&g.cut);
    free(g.price);
    return status;
}

tilecut_status tc_labelling_bound(tc_labelling *l, int rounds, double enough, int64_t *bound)
{
    const int64_t least = 2 * energy_of_all(l, true);
    NEED(tc_labelling_divide(l));
    *bound = 2 * tc_labelling_energy(l);
    const int64_t share = l->groups ? (int64_t)(enough * (double)*bound / l->groups) : 0;
    for (int group = 0; group < l->groups && rounds; group++) {
        int64_t spare = 0;
        NEED(bound_group(l, group, rounds, share, &spare));
        *bound -= spare;
    }
    if ((!rounds && l->groups) || *bound < least) *bound = least;
    return TILECUT_OK;
}
