/* SPDX-License-Identifier: MIT
 *
 * labelling.c - see labelling.h.
 */
#include "labelling.h"

#include <stdlib.h>
#include <string.h>

#include "label_cut.h"
#include "large.h"
#include "parallel.h"
#include "status.h"

tilecut_status tc_labelling_init(tc_labelling *l, int width, int height, int depth, int connectivity, int labels,
                                 const tc_setup *setup)
{
    const size_t n = (size_t)width * (size_t)height * (size_t)depth, links = (size_t)connectivity / 2;
    *l = (tc_labelling){.width = width, .height = height, .depth = depth, .connectivity = connectivity,
                        .labels = labels, .pixels = n, .setup = *setup};
    const size_t bytes = n * (((size_t)labels + links) * sizeof(int32_t) + 2);
    l->memory = tc_large_alloc(bytes);
    if (!l->memory) return tc_fail(TILECUT_ENOMEM, "no memory for %d labels of %zu pixels", labels, n);
    memset(l->memory, 0, bytes);
    l->data = l->memory;
    int32_t *next = l->data + (size_t)labels * n;
    for (size_t k = 0; k < links; k++, next += n) l->link[k] = next;
    l->label = (uint8_t *)next;
    l->fixed = l->label + n;
    return TILECUT_OK;
}

void tc_labelling_free(tc_labelling *l)
{
    free(l->memory);
    l->memory = NULL;
}

/* ---- Energies ---------------------------------------------------------------------------------- */

/* Sums over rows, by threads: which pairs count is up to `counts`. */
typedef struct sum {
    const tc_labelling *l;
    bool fixed_only; /* pixels that are fixed, and pairs of them */
    int64_t *row;    /* [height * depth] */
} sum;

static void sum_row(void *context, int row)
{
    const sum *const s = context;
    const tc_labelling *const l = s->l;
    const size_t i = (size_t)row * (size_t)l->width;
    int64_t energy = 0;
    for (size_t p = i; p < i + (size_t)l->width; p++)
        if (!s->fixed_only || l->fixed[p]) energy += l->data[l->label[p] * l->pixels + p];
    for (int k = 0; k < l->connectivity / 2; k++) {
        const tc_link_steps step = tc_link_step(l->connectivity, k);
        const ptrdiff_t to = ((ptrdiff_t)step.z * l->height + step.y) * l->width + step.x;
        for (size_t p = i; p < i + (size_t)l->width; p++) {
            if (!l->link[k][p] || l->label[p] == l->label[(ptrdiff_t)p + to]) continue;
            if (!s->fixed_only || (l->fixed[p] && l->fixed[(ptrdiff_t)p + to])) energy += l->link[k][p];
        }
    }
    s->row[row] = energy;
}

static tilecut_status energy_of(const tc_labelling *l, bool fixed_only, int64_t *energy)
{
    const int rows = l->height * l->depth;
    sum s = {.l = l, .fixed_only = fixed_only, .row = malloc((size_t)rows * sizeof *s.row)};
    if (!s.row) return tc_fail(TILECUT_ENOMEM, "no memory for sums of %d rows", rows);
    tc_parallel(l->setup.threads, rows, sum_row, &s);
    *energy = 0;
    for (int i = 0; i < rows; i++) *energy += s.row[i];
    free(s.row);
    return TILECUT_OK;
}

tilecut_status tc_labelling_energy(const tc_labelling *l, int64_t *energy)
{
    return energy_of(l, false, energy);
}

/* ---- Labels that are certain ------------------------------------------------------------------- */

static int cheapest(const tc_labelling *l, size_t i)
{
    int least = 0;
    for (int j = 1; j < l->labels; j++)
        if (l->data[(size_t)j * l->pixels + i] < l->data[(size_t)least * l->pixels + i]) least = j;
    return least;
}

/* Writes what a cut has decided: pixels that take its label are certain of it. They never contradict those of another
 * label, but are written after all cuts, as the cuts are of the same graph. */
static void note_certain(const tc_label_cut *cut, uint8_t *certain)
{
    for (int row = 0; row < cut->height * cut->depth; row++) {
        const uint8_t *const mask = cut->mask + (size_t)row * (size_t)cut->width;
        uint8_t *const to = certain + tc_label_cut_row(cut, row % cut->height, row / cut->height);
        for (int x = 0; x < cut->width; x++)
            if (!mask[x]) to[x] = (uint8_t)(cut->alpha + 1);
    }
}

tilecut_status tc_labelling_fix(tc_labelling *l)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *const certain = calloc(l->pixels, 1); /* the label + 1, or 0 */
    tc_label_cut cut = {0};
    if (!certain) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu labels", l->pixels));
    TRY(tc_label_cut_open(&cut, l, false));
    for (int alpha = 0; cut.width && alpha < l->labels; alpha++) {
        TRY(tc_label_cut_solve(&cut, TC_CHOICE_BEST, alpha));
        note_certain(&cut, certain);
    }
    for (size_t i = 0; i < l->pixels; i++) {
        if (l->fixed[i]) continue;
        l->fixed[i] = certain[i] != 0;
        l->label[i] = (uint8_t)(certain[i] ? certain[i] - 1 : cheapest(l, i));
    }
done:
    tc_label_cut_close(&cut);
    free(certain);
    return status;
}

/* ---- Expansion --------------------------------------------------------------------------------- */

/* Gives the pixels that the cut takes its label, and keeps what they had in `before`; or gives that back. */
static void move(const tc_label_cut *cut, uint8_t *before, bool back)
{
    const tc_labelling *const l = cut->of;
    for (int row = 0; row < cut->height * cut->depth; row++) {
        const size_t at = (size_t)row * (size_t)cut->width;
        uint8_t *const label = l->label + tc_label_cut_row(cut, row % cut->height, row / cut->height);
        for (size_t x = 0; x < (size_t)cut->width; x++) {
            if (back) label[x] = before[at + x];
            else before[at + x] = label[x];
            if (!back && !cut->mask[at + x]) label[x] = (uint8_t)cut->alpha;
        }
    }
}

tilecut_status tc_labelling_expand(tc_labelling *l)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *before = NULL;
    tc_label_cut cut;
    int64_t least;
    TRY(tc_label_cut_open(&cut, l, false));
    if (!cut.width) goto done;
    before = malloc(cut.pixels);
    if (!before) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu labels", cut.pixels));
    TRY(tc_labelling_energy(l, &least));
    /* Stops when every label has been offered to the same labelling in vain. */
    for (int alpha = 0, in_vain = 0; in_vain < l->labels; alpha = (alpha + 1) % l->labels) {
        int64_t energy;
        TRY(tc_label_cut_solve(&cut, TC_CHOICE_EXPAND, alpha));
        move(&cut, before, false);
        TRY(tc_labelling_energy(l, &energy));
        if (energy < least) in_vain = 1, least = energy, l->moves++;
        else in_vain++, move(&cut, before, true);
    }
done:
    tc_label_cut_close(&cut);
    free(before);
    return status;
}

/* ---- A lower bound ----------------------------------------------------------------------------- */

/* With x_l = 1 where a pixel has label l, a pair costs the half of w for each of the two labels in which it differs. So
 * twice the energy is the sum over labels of sum 2 D(l) x_l + sum w |x_l - x_l'|, and labels depend on each other only
 * in that each pixel has one. Multipliers for that, `price`, make K independent minimum cuts of it, and the sum of
 * their costs and of the prices is a lower bound: the dual of the uniform metric labelling relaxation (Kleinberg &
 * Tardos, JACM 2002). Prices follow the supergradient with Polyak's step. */
typedef struct pricing {
    tc_labelling *l;
    tc_label_cut cut;
    int64_t *price, *taken; /* [pixels] in half quanta; by how many labels the pixel is taken */
    int64_t inside;         /* the energy of the labelling within the box, times 2            */
} pricing;

/* The cost of a cut's answer, in half quanta, and who takes its label. */
static int64_t cost_of_answer(const pricing *g)
{
    const tc_label_cut *const cut = &g->cut;
    const tc_labelling *const l = g->l;
    int64_t cost = 0;
    for (int row = 0; row < cut->height * cut->depth; row++) {
        const size_t at = (size_t)row * (size_t)cut->width;
        const size_t i = tc_label_cut_row(cut, row % cut->height, row / cut->height);
        for (size_t x = 0; x < (size_t)cut->width; x++)
            if (!cut->mask[at + x]) {
                g->taken[i + x]++;
                cost += 2 * (int64_t)l->data[(size_t)cut->alpha * l->pixels + i + x] - g->price[i + x];
            }
        for (int k = 0; k < l->connectivity / 2; k++) {
            const tc_link_steps s = tc_link_step(l->connectivity, k);
            const ptrdiff_t to = ((ptrdiff_t)s.z * cut->height + s.y) * cut->width + s.x;
            for (size_t x = 0; x < (size_t)cut->width; x++) /* a link out of the box has the weight 0 */
                if (cut->to[k][at + x] && cut->mask[at + x] != cut->mask[(ptrdiff_t)(at + x) + to])
                    cost += cut->to[k][at + x];
        }
    }
    return cost;
}

/* One round: the bound of the box with these prices. *uneven: by how much pixels are not taken once, squared. */
static tilecut_status bound_of_box(pricing *g, int64_t *bound, int64_t *uneven)
{
    const tc_labelling *const l = g->l;
    *bound = *uneven = 0;
    memset(g->taken, 0, l->pixels * sizeof *g->taken);
    for (int alpha = 0; alpha < l->labels; alpha++) {
        NEED(tc_label_cut_solve(&g->cut, TC_CHOICE_PRICE, alpha));
        *bound += cost_of_answer(g);
    }
    for (size_t i = 0; i < l->pixels; i++) {
        if (l->fixed[i]) continue;
        *bound += g->price[i];
        *uneven += (1 - g->taken[i]) * (1 - g->taken[i]);
    }
    return TILECUT_OK;
}

/* Prices at first: twice what the pixel's label costs, and its links to other labels. Also the energy in the box. */
static void first_prices(pricing *g)
{
    const tc_labelling *const l = g->l;
    const tc_label_cut *const cut = &g->cut;
    for (int row = 0; row < cut->height * cut->depth; row++) {
        const int y = row % cut->height, z = row / cut->height;
        const size_t i = tc_label_cut_row(cut, y, z);
        for (size_t x = 0; x < (size_t)cut->width; x++) {
            const int64_t own = 2 * (int64_t)l->data[l->label[i + x] * l->pixels + i + x];
            if (!l->fixed[i + x]) g->price[i + x] += own;
            g->inside += own;
        }
        for (int k = 0; k < l->connectivity / 2; k++) {
            const tc_link_steps s = tc_link_step(l->connectivity, k);
            const ptrdiff_t to = ((ptrdiff_t)s.z * l->height + s.y) * l->width + s.x;
            if (y + s.y < 0 || y + s.y >= cut->height || z + s.z >= cut->depth) continue;
            const tc_span linked = tc_linked(0, cut->width, s.x, cut->width);
            for (int x = linked.first; x < linked.end; x++) {
                const size_t p = i + (size_t)x, q = (size_t)((ptrdiff_t)p + to);
                if (l->label[p] == l->label[q]) continue;
                g->inside += 2 * (int64_t)l->link[k][p];
                if (!l->fixed[p]) g->price[p] += l->link[k][p];
                if (!l->fixed[q]) g->price[q] += l->link[k][p];
            }
        }
    }
}

tilecut_status tc_labelling_bound(tc_labelling *l, int rounds, int64_t *bound)
{
    tilecut_status status = TILECUT_OK;
    pricing g = {.l = l};
    int64_t energy, best = 0, here = 0, uneven = 1;
    TRY(tc_labelling_energy(l, &energy));
    TRY(energy_of(l, true, bound));
    *bound *= 2;
    TRY(tc_label_cut_open(&g.cut, l, false));
    if (!g.cut.width || !rounds) goto done;
    g.price = calloc(l->pixels, 2 * sizeof *g.price);
    if (!g.price) TRY(tc_fail(TILECUT_ENOMEM, "no memory for prices of %zu pixels", l->pixels));
    g.taken = g.price + l->pixels;
    g.cut.price = g.price;
    first_prices(&g);
    for (int round = 0; round < rounds && uneven; round++) {
        TRY(bound_of_box(&g, &here, &uneven));
        if (round == 0 || here > best) best = here;
        const int64_t step = uneven ? (g.inside - here) / uneven : 0;
        for (size_t i = 0; i < l->pixels; i++)
            if (!l->fixed[i]) g.price[i] += (step > 0 ? step : 1) * (1 - g.taken[i]);
    }
    if (2 * energy - g.inside + best > *bound) *bound = 2 * energy - g.inside + best;
done:
    tc_label_cut_close(&g.cut);
    free(g.price);
    return status;
}
