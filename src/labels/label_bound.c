/* SPDX-License-Identifier: MIT
 *
 * label_bound.c - a lower bound of the energy of K labels, see tc_labelling_bound().
 */
#include <stdlib.h>

#include "label_cut.h"
#include "labelling.h"
#include "status.h"

/* A lower bound by prices. Let x_l be 1 where a pixel has label l, and 0 elsewhere. A link of weight w between two
 * labels is cut in both of their x_l, so each of the two pays half of w. Hence twice the energy is a sum over labels:
 * sum 2 D(l) x_l + sum w |x_l - x_l'|. The labels depend on each other only because each pixel has exactly one. With a
 * price for that at each pixel, a Lagrange multiplier, they become K independent minimum cuts. The costs of these cuts
 * and all prices add up to a lower bound: the dual of the uniform metric labelling relaxation (Kleinberg & Tardos, JACM
 * 2002). Prices follow the supergradient with Polyak's step. */
typedef struct pricing {
    tc_label_cut *cut;
    int64_t *price, *taken; /* [pixels of the box] prices, in half quanta; and how many labels take each pixel */
    tc_kept_flow *kept;     /* [labels] the flow of each label's last cut. NULL: a cut starts from the flow of the label
                               before */
    int64_t unused;         /* the cost of the links between fixed pixels of unused labels and other pixels, in half
                               quanta */
} pricing;

/* Returns the cost of the cut's answer in own rows, in half quanta. Also adds 1 to taken[] of each pixel that takes the
 * label. */
static int64_t cost_of_answer(const pricing *g)
{
    const tc_label_cut *const cut = g->cut;
    const tc_labelling *const l = cut->of;
    const tc_own_rows own = tc_label_cut_own(cut);
    int64_t cost = 0;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
        const bool counts = row >= own.first && row < own.end;
        for (size_t x = 0; x < (size_t)cut->box.width; x++)
            if (!cut->mask[at + x]) {
                g->taken[at + x] += tc_label_cut_free(cut, i + x);
                if (counts) cost += 2 * (int64_t)l->data[(size_t)cut->alpha * l->pixels + i + x] - g->price[at + x];
            }
        for (int k = 0; counts && k < l->connectivity / 2; k++) {
            const tc_label_links e = tc_label_cut_links(cut, k, row);
            for (size_t p = at + (size_t)e.first; p < at + (size_t)e.end; p++)
                if (cut->mask[p] != cut->mask[(ptrdiff_t)p + e.in_box]) cost += l->link[k][i + (p - at)];
        }
    }
    return cost;
}

static void swap_kept(const pricing *g, int label)
{
    const tc_kept_flow one = g->cut->kept;
    g->cut->kept = g->kept[label], g->kept[label] = one;
}

/* One round: computes the bound of the box for the current prices. *uneven is the sum over pixels of (number of labels
 * that take the pixel - 1)^2. */
static tilecut_status bound_of_box(pricing *g, int64_t *bound, int64_t *uneven)
{
    const tc_label_cut *const cut = g->cut;
    const tc_own_rows own = tc_label_cut_own(cut);
    const size_t width = (size_t)cut->box.width;
    int64_t sums[2] = {g->unused, 0};
    for (int row = 0; row < tc_label_cut_rows(cut); row++)
        for (size_t x = 0; x < width; x++) /* a pixel that is not free is taken by exactly one label */
            g->taken[(size_t)row * width + x] = !tc_label_cut_free(cut, tc_label_cut_row(cut, row) + x);
    for (int alpha = 0; alpha < cut->of->labels; alpha++) {
        if (cut->unused[alpha]) continue;
        if (g->kept) swap_kept(g, alpha);
        const tilecut_status status = tc_label_cut_solve(g->cut, TC_CHOICE_PRICE, alpha);
        if (g->kept) swap_kept(g, alpha);
        NEED(status);
        sums[0] += cost_of_answer(g);
    }
    for (size_t at = (size_t)own.first * width; at < (size_t)own.end * width; at++) {
        sums[0] += g->price[at];
        sums[1] += (1 - g->taken[at]) * (1 - g->taken[at]);
    }
    NEED(tc_comm_allreduce(cut->comm, sums, 2));
    *bound = sums[0], *uneven = sums[1];
    return TILECUT_OK;
}

/* Sets the first prices: twice the cost of the pixel's own label, plus its links to other labels. */
static void first_prices(pricing *g)
{
    const tc_label_cut *const cut = g->cut;
    const tc_labelling *const l = cut->of;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
        for (size_t x = 0; x < (size_t)cut->box.width; x++)
            if (tc_label_cut_free(cut, i + x))
                g->price[at + x] += 2 * (int64_t)l->data[l->label[i + x] * l->pixels + i + x];
        for (int k = 0; k < l->connectivity / 2; k++) {
            const tc_label_links e = tc_label_cut_links(cut, k, row);
            for (int x = e.first; x < e.end; x++) {
                const size_t p = i + (size_t)x, q = (size_t)((ptrdiff_t)p + e.in_lattice), here = at + (size_t)x;
                if (l->label[p] == l->label[q]) continue;
                if (tc_label_cut_free(cut, p)) g->price[here] += l->link[k][p];
                if (tc_label_cut_free(cut, q)) g->price[(ptrdiff_t)here + e.in_box] += l->link[k][p];
            }
        }
    }
}

/* Limits a price to what cuts hold exactly, together with costs and links. Any price gives a valid bound. */
static int64_t within(int64_t price)
{
    const int64_t most = 1 << 23;
    return price > most ? most : price < -most ? -most : price;
}

/* How tight the bound has to be, and the bound that was found. */
typedef struct bounding {
    int rounds;
    int64_t enough; /* a group gets no more rounds when its own gap is this small, in half quanta                 */
    int64_t spare;  /* by how much the labelling of all groups that this part counts may cost more than the best one, in
                       half quanta */
} bounding;

/* True if each label may keep a flow of its own. That is so in small groups only, whose flows together take about as
 * much memory as one flow of the whole lattice. */
static bool may_keep(const tc_label_cut *cut)
{
    return !cut->comm && cut->pixels * (size_t)cut->of->labels <= cut->of->pixels;
}

/* Sets *two to true if at most two labels are in use and every pixel of the group has one of them already. */
static tilecut_status has_two(const tc_label_cut *cut, bool *two)
{
    bool has[TILECUT_MAX_LABELS], more = false;
    int count = 0;
    NEED(tc_label_cut_find_present(cut, has));
    for (int k = 0; k < cut->of->labels; k++) {
        count += !cut->unused[k];
        more |= has[k] && cut->unused[k];
    }
    *two = count <= 2 && !more;
    return TILECUT_OK;
}

/* Bounds one group. With two labels no rounds are needed: energies of two labels are submodular, so a labelling that no
 * move improves is a minimum. */
static tilecut_status bound_group(tc_label_cut *cut, void *context)
{
    tc_labelling *const l = cut->of;
    bounding *const b = context;
    tilecut_status status = TILECUT_OK;
    pricing g = {.cut = cut};
    int64_t uneven = 1, energy, spare = 0;
    bool two;
    TRY(tc_label_cut_find_unused(cut, false));
    TRY(has_two(cut, &two));
    if (two) goto done;
    g.price = calloc(cut->pixels, 2 * sizeof *g.price);
    if (!g.price) TRY(tc_fail(TILECUT_ENOMEM, "no memory for prices of %zu pixels", cut->pixels));
    g.taken = g.price + cut->pixels;
    cut->price = g.price;
    /* if there is no memory for flows, they are computed anew each time, which is slower */
    if (may_keep(cut)) g.kept = calloc((size_t)l->labels, sizeof *g.kept);
    first_prices(&g);
    for (int k = 0; k < l->labels; k++) {
        if (!cut->unused[k]) continue;
        tc_label_cut_none(cut, TC_CHOICE_PRICE, k);
        g.unused += cost_of_answer(&g);
    }
    TRY(tc_label_cut_energy(cut, false, &energy));
    energy *= 2;
    for (int round = 0; round < b->rounds && uneven; round++) {
        int64_t bound;
        TRY(bound_of_box(&g, &bound, &uneven));
        if (round == 0 || energy - bound < spare) spare = energy - bound;
        if (spare <= b->enough) break;
        const int64_t step = uneven ? (energy - bound) / uneven : 0;
        for (size_t at = 0; at < cut->pixels; at++)
            g.price[at] = within(g.price[at] + (step > 0 ? step : 1) * (1 - g.taken[at]));
    }
    if (tc_label_counts(cut->comm)) tc_label_add(&b->spare, spare);
done:
    for (int k = 0; g.kept && k < l->labels; k++) tc_kept_flow_free(&g.kept[k]);
    free(g.kept);
    free(g.price);
    return status;
}

tilecut_status tc_labelling_bound(tc_labelling *l, int rounds, double enough, int64_t *bound)
{
    int64_t least, groups;
    NEED(tc_labelling_energy_of(l, true, &least));
    NEED(tc_labelling_divide(l));
    NEED(tc_labelling_energy(l, bound));
    groups = l->groups - (tc_label_counts(l->setup.comm) ? 0 : l->shared); /* counts shared groups only once */
    NEED(tc_comm_allreduce(l->setup.comm, &groups, 1));
    *bound *= 2, least *= 2;
    bounding b = {.rounds = rounds, .enough = groups ? (int64_t)(enough * (double)*bound / (double)groups) : 0};
    if (rounds) NEED(tc_label_cut_each(l, NULL, bound_group, &b));
    NEED(tc_comm_allreduce(l->setup.comm, &b.spare, 1));
    *bound -= b.spare;
    if ((!rounds && groups) || *bound < least) *bound = least;
    return TILECUT_OK;
}
