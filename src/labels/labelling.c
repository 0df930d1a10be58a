/* SPDX-License-Identifier: MIT */
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
    const tc_solver *const chosen = setup->solver && !setup->comm ? tc_solver_find(setup->solver) : NULL;
    l->group_solver = chosen && !(chosen->can & TC_ON_CUDA) ? setup->solver : NULL;
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

tilecut_status tc_label_cut_energy(const tc_label_cut *cut, bool fixed_only, int64_t *energy)
{
    const tc_labelling *const l = cut->of;
    const tc_own_rows own = tc_label_cut_own(cut);
    *energy = 0;
    for (int row = own.first; row < own.end; row++) {
        const size_t i = tc_label_cut_row(cut, row);
        for (size_t p = i; p < i + (size_t)cut->box.width; p++)
            if (!fixed_only || l->fixed[p]) *energy += l->data[l->label[p] * l->pixels + p];
        for (int k = 0; k < l->connectivity / 2; k++) {
            const tc_label_links e = tc_label_cut_links(cut, k, row);
            for (size_t p = i + (size_t)e.first; p < i + (size_t)e.end; p++) {
                const size_t q = (size_t)((ptrdiff_t)p + e.in_lattice);
                if (l->label[p] != l->label[q] && (!fixed_only || (l->fixed[p] && l->fixed[q])))
                    *energy += l->link[k][p];
            }
        }
    }
    return tc_comm_allreduce(cut->comm, energy, 1);
}

tilecut_status tc_labelling_energy_of(tc_labelling *l, bool fixed_only, int64_t *energy)
{
    const tc_label_cut all = {.of = l, .group = -1, .comm = l->setup.comm,
                              .box = {0, 0, 0, l->width, l->height, l->depth}};
    NEED(tc_labelling_meet(l, l->label, 1));
    NEED(tc_labelling_meet(l, l->fixed, 1));
    return tc_label_cut_energy(&all, fixed_only, energy);
}

tilecut_status tc_labelling_energy(tc_labelling *l, int64_t *energy)
{
    return tc_labelling_energy_of(l, false, energy);
}

/* ---- Labels that are certain ------------------------------------------------------------------- */

static int cheapest(const tc_labelling *l, size_t i)
{
    int least = 0;
    for (int j = 1; j < l->labels; j++)
        if (l->data[(size_t)j * l->pixels + i] < l->data[(size_t)least * l->pixels + i]) least = j;
    return least;
}

/* Gives `alpha` to the free pixels that take it in the cut, and fixes them if `fixes`. Returns true if any of them had
 * another label. */
static bool take_label(const tc_label_cut *cut, bool fixes)
{
    tc_labelling *const l = cut->of;
    bool any = false;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const uint8_t *const mask = cut->mask + (size_t)row * (size_t)cut->box.width;
        const size_t i = tc_label_cut_row(cut, row);
        for (size_t x = 0; x < (size_t)cut->box.width; x++) {
            if (mask[x] || !tc_label_cut_free(cut, i + x)) continue;
            any |= l->label[i + x] != cut->alpha;
            __atomic_store_n(&l->label[i + x], (uint8_t)cut->alpha, __ATOMIC_RELAXED); /* see tc_label_of() */
            if (fixes) l->fixed[i + x] = 1;
        }
    }
    return any;
}

/* The labels for which a group is cut: first .. end - 1, without `except`. */
typedef struct which {
    int first, end, except;
} which;

/* Labels that no minimum has in the group are not cut for, and not compared with. */
static tilecut_status fix_group(tc_label_cut *cut, void *context)
{
    const which *const labels = context;
    if (cut->group >= 0) NEED(tc_label_cut_find_unused(cut, true));
    for (int alpha = labels->first; alpha < labels->end; alpha++) {
        if (alpha == labels->except || cut->unused[alpha]) continue;
        NEED(tc_label_cut_solve(cut, TC_CHOICE_BEST, alpha));
        (void)take_label(cut, true);
    }
    return TILECUT_OK;
}

/* The first cut, of the whole lattice, is for the label that is cheapest at the most pixels. The other labels are cut
 * in the groups of pixels that are left. */
tilecut_status tc_labelling_fix(tc_labelling *l)
{
    const tc_label_range own = tc_labelling_own_pixels(l);
    int64_t count[TILECUT_MAX_LABELS] = {0};
    int first = 0;
    for (size_t i = 0; i < l->pixels; i++) {
        if (l->fixed[i]) continue;
        l->label[i] = (uint8_t)cheapest(l, i);
        count[l->label[i]] += i >= own.first && i < own.end;
    }
    NEED(tc_comm_allreduce(l->setup.comm, count, (size_t)l->labels));
    for (int k = 1; k < l->labels; k++)
        if (count[k] > count[first]) first = k;
    NEED(tc_labelling_meet(l, l->label, 1));
    NEED(tc_labelling_meet(l, l->fixed, 1));
    NEED(tc_label_cut_with(l, -1, fix_group, &(which){first, first + 1, -1}));
    NEED(tc_labelling_divide(l));
    return tc_label_cut_each(l, NULL, fix_group, &(which){0, l->labels, first});
}

/* ---- Expansion --------------------------------------------------------------------------------- */

/* Stops when no label improves the labelling. Labels that no minimum needs are left out, unless a pixel has one. */
static tilecut_status expand_group(tc_label_cut *cut, void *context)
{
    tc_labelling *const l = cut->of;
    bool has[TILECUT_MAX_LABELS];
    int count = 0;
    (void)context;
    NEED(tc_label_cut_find_unused(cut, false));
    NEED(tc_label_cut_find_present(cut, has));
    for (int k = 0; k < l->labels; k++) count += has[k] || !cut->unused[k];
    for (int alpha = 0, in_vain = 0; in_vain < count; alpha = (alpha + 1) % l->labels) {
        if (!has[alpha] && cut->unused[alpha]) continue;
        NEED(tc_label_cut_solve(cut, TC_CHOICE_EXPAND, alpha));
        /* of all minimum cuts this is the one that takes the fewest pixels, so any change lowers the energy */
        bool moved = take_label(cut, false);
        NEED(tc_comm_any(cut->comm, &moved));
        in_vain = moved ? 1 : in_vain + 1;
        tc_label_add(&l->moves, moved && tc_label_counts(cut->comm));
    }
    return TILECUT_OK;
}

/* Sets moves[group] to true if some pixel of the group is not settled, in any part. */
static tilecut_status find_moving(const tc_labelling *l, const uint8_t *settled, int64_t *moves)
{
    const tc_label_range own = tc_labelling_own_pixels(l);
    for (int group = 0; group < l->groups; group++) moves[group] = !settled;
    for (size_t i = own.first; settled && i < own.end; i++)
        if (!settled[i] && l->group[i] >= 0) moves[l->group[i]] = 1;
    return tc_comm_allreduce(l->shared ? l->setup.comm : NULL, moves, (size_t)l->shared);
}

tilecut_status tc_labelling_expand(tc_labelling *l, const uint8_t *settled)
{
    NEED(tc_labelling_divide(l));
    int64_t *const moves = calloc((size_t)l->groups + 1, sizeof *moves);
    if (!moves) return tc_fail(TILECUT_ENOMEM, "no memory for %d groups", l->groups);
    tilecut_status status = find_moving(l, settled, moves);
    if (status == TILECUT_OK) status = tc_label_cut_each(l, moves, expand_group, NULL);
    free(moves);
    return status;
}
