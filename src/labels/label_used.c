/* SPDX-License-Identifier: MIT
 *
 * label_used.c - which labels a minimum needs in a group, see label_cut.h.
 */
#include <string.h>

#include "label_cut.h"
#include "status.h"

/* Sets *needed to false if, at every free pixel, some other label in use costs no more than `label`, even where `label`
 * would save links to fixed pixels: then `label` can be replaced by the other one everywhere. With `every` the other
 * label has to cost less. cut->sink[at] holds the cost of these links. */
static tilecut_status is_needed(const tc_label_cut *cut, int label, bool every, bool *needed)
{
    const tc_labelling *const l = cut->of;
    const tc_own_rows own = tc_label_cut_own(cut);
    *needed = true;
    for (int other = 0; other < l->labels && *needed; other++) {
        const int32_t *const mine = l->data + (size_t)label * l->pixels;
        const int32_t *const its = l->data + (size_t)other * l->pixels;
        if (other == label || cut->unused[other]) continue;
        *needed = false;
        for (int row = own.first; row < own.end && !*needed; row++) {
            const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
            for (size_t x = 0; x < (size_t)cut->box.width && !*needed; x++)
                *needed = tc_label_cut_free(cut, i + x) && mine[i + x] - cut->sink[at + x] < its[i + x] + every;
        }
        NEED(tc_comm_any(cut->comm, needed));
    }
    return TILECUT_OK;
}

/* Adds to cut->sink[at] the total weight of the links between a free pixel and fixed pixels with label `label`. */
static void sum_links_to(const tc_label_cut *cut, int label)
{
    const tc_labelling *const l = cut->of;
    for (int row = 0; row < tc_label_cut_rows(cut); row++)
        for (int k = 0; k < l->connectivity / 2; k++) {
            const size_t at = (size_t)row * (size_t)cut->box.width, i = tc_label_cut_row(cut, row);
            const tc_label_links e = tc_label_cut_links(cut, k, row);
            for (int x = e.first; x < e.end; x++) {
                const size_t p = i + (size_t)x, q = (size_t)((ptrdiff_t)p + e.in_lattice), here = at + (size_t)x;
                if (tc_label_of(l, q) == label && !tc_label_cut_free(cut, q)) cut->sink[here] += l->link[k][p];
                if (tc_label_of(l, p) == label && !tc_label_cut_free(cut, p))
                    cut->sink[(ptrdiff_t)here + e.in_box] += l->link[k][p];
            }
        }
}

tilecut_status tc_label_cut_find_unused(tc_label_cut *cut, bool every)
{
    memset(cut->unused, 0, sizeof cut->unused);
    for (int k = 0; k < cut->of->labels; k++) {
        bool needed;
        memset(cut->sink, 0, cut->pixels * sizeof *cut->sink);
        NEED(is_needed(cut, k, every, &needed)); /* mostly enough, and quick */
        if (needed) continue;
        sum_links_to(cut, k);
        NEED(is_needed(cut, k, every, &needed));
        cut->unused[k] = !needed;
    }
    return TILECUT_OK;
}

tilecut_status tc_label_cut_find_present(const tc_label_cut *cut, bool *has)
{
    const tc_own_rows own = tc_label_cut_own(cut);
    int64_t count[TILECUT_MAX_LABELS] = {0};
    for (int row = own.first; row < own.end; row++)
        for (size_t x = 0, i = tc_label_cut_row(cut, row); x < (size_t)cut->box.width; x++)
            if (tc_label_cut_free(cut, i + x)) count[tc_label_of(cut->of, i + x)] = 1;
    NEED(tc_comm_allreduce(cut->comm, count, (size_t)cut->of->labels));
    for (int k = 0; k < cut->of->labels; k++) has[k] = count[k] > 0;
    return TILECUT_OK;
}
