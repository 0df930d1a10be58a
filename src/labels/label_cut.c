/* SPDX-License-Identifier: MIT
 *
 * label_cut.c - see label_cut.h. Pixels that keep their label stay in the graph, with terminal links that cost more
 * than all their other links together.
 */
#include "label_cut.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "parallel.h"
#include "status.h"
#include "window_parts.h"

/* True if the group is so large that several threads cut it together. If the lattice is not in parts, a device may cut
 * it instead. Such groups are cut one after the other, because a device does one thing at a time. */
static bool is_large(const tc_labelling *l, int group)
{
    return tc_threads_that_pay(2, (int64_t)tc_block_pixels(&l->box[group])) > 1;
}

static tilecut_status open_cut(tc_label_cut *cut)
{
    const size_t links = (size_t)cut->of->connectivity / 2;
    cut->pixels = tc_block_pixels(&cut->box);
    cut->memory = tc_large_alloc(cut->pixels * ((2 + 2 * links) * sizeof(int32_t) + 1));
    if (!cut->memory) return tc_fail(TILECUT_ENOMEM, "no memory for a cut of %zu pixels", cut->pixels);
    int32_t *next = cut->memory;
    cut->source = next, cut->sink = next += cut->pixels;
    for (size_t k = 0; k < links; k++) {
        cut->to[k] = next += cut->pixels;
        cut->from[k] = next += cut->pixels;
    }
    cut->mask = (uint8_t *)(next + cut->pixels);
    return TILECUT_OK;
}

static tilecut_status work_on(tc_label_cut *cut, tc_label_work *work, void *context)
{
    tilecut_status status = TILECUT_OK;
    TRY(open_cut(cut));
    TRY(work(cut, context));
done:
    tc_kept_flow_free(&cut->kept);
    free(cut->memory);
    return status;
}

tilecut_status tc_label_cut_with(tc_labelling *l, int group, tc_label_work *work, void *context)
{
    tc_label_cut cut = {.of = l, .group = group};
    const bool flat = tc_labelling_flat(l);
    tc_window_parts w;
    if (group < 0) cut.comm = l->setup.comm, cut.box = (tc_block){0, 0, 0, l->width, l->height, l->depth};
    else cut.box = l->box[group];
    if (group < 0 || group >= l->shared) return work_on(&cut, work, context);
    NEED(tc_window_begin(&w, l->setup.comm, flat ? cut.box.y : cut.box.z, flat ? cut.box.height : cut.box.depth));
    if (!w.takes_part) return tc_window_stand_by(&w);
    if (flat) cut.box.y = w.from, cut.box.height = w.rows;
    else cut.box.z = w.from, cut.box.depth = w.rows;
    cut.comm = &w.comm;
    NEED(work_on(&cut, work, context));
    return tc_window_end(&w);
}

/* A loop over groups. */
typedef struct each {
    tc_labelling *l;
    tc_label_work *work;
    void *context;
    const int *group;
    tc_failures failures;
} each;

static void work_on_one(each *e, int group)
{
    tc_failures_add(&e->failures, group, tc_label_cut_with(e->l, group, e->work, e->context));
}

static void work_on_next(void *context, int i)
{
    each *const e = context;
    if (!tc_failures_any(&e->failures)) work_on_one(e, e->group[i]);
}

tilecut_status tc_label_cut_each(tc_labelling *l, const int64_t *wanted, tc_label_work *work, void *context)
{
    each e = {.l = l, .work = work, .context = context, .failures = TC_NO_FAILURE};
    int *const small = malloc(((size_t)l->groups + 1) * sizeof *small);
    int count = 0;
    if (!small) return tc_fail(TILECUT_ENOMEM, "no memory for %d groups", l->groups);
    e.group = small;
    for (int group = 0; group < l->groups && !tc_failures_any(&e.failures); group++) {
        if (wanted && !wanted[group]) continue;
        if (group < l->shared || is_large(l, group)) work_on_one(&e, group);
        else small[count++] = group;
    }
    tc_parallel(l->setup.threads, count, work_on_next, &e);
    free(small);
    return tc_failures_raise(&e.failures);
}

/* ---- Capacities -------------------------------------------------------------------------------- */

/* Returns the least cost of the other labels in use. If there are none, the pixel takes `alpha`. */
static int32_t cheapest_other(const tc_label_cut *cut, size_t i)
{
    const tc_labelling *const l = cut->of;
    int32_t least = INT32_MAX;
    for (int j = 0; j < l->labels; j++) {
        const int32_t cost = l->data[(size_t)j * l->pixels + i];
        if (j != cut->alpha && cost < least && !cut->unused[j]) least = cost;
    }
    return least < INT32_MAX ? least : l->data[(size_t)cut->alpha * l->pixels + i] + l->tie;
}

/* Sets the terminal links of a pixel, which has number `at` in the box and number `i` in the lattice. Links between
 * pixels may add to them afterwards. */
static void set_terminals(const tc_label_cut *cut, size_t at, size_t i)
{
    const tc_labelling *const l = cut->of;
    const int label = tc_label_of(l, i);
    cut->source[at] = cut->sink[at] = 0;
    if (!tc_label_cut_free(cut, i) || (cut->choice == TC_CHOICE_EXPAND && label == cut->alpha)) return;
    const int32_t taken = l->data[(size_t)cut->alpha * l->pixels + i];
    if (cut->choice == TC_CHOICE_PRICE) {
        const int64_t cost = 2 * (int64_t)taken - cut->price[at];
        if (cost > 0) cut->source[at] = (int32_t)cost;
        else cut->sink[at] = (int32_t)-cost;
    } else {
        const int32_t other = cut->choice == TC_CHOICE_BEST ? cheapest_other(cut, i)
                                                            : l->data[(size_t)label * l->pixels + i];
        if (taken > other) cut->source[at] = taken - other;
        else cut->sink[at] = other - taken;
    }
}

/* Sets links of kind k from a pixel. In general a link costs its weight w if exactly one of its ends takes `alpha`. In
 * an expansion, if the ends have two different labels and neither is `alpha`, it costs w unless both take `alpha`. This
 * is built from two terms: w if the first end keeps its label, and w if only the first end takes `alpha`. */
static void set_links(const tc_label_cut *cut, size_t at, size_t i, int k, ptrdiff_t to)
{
    const tc_labelling *const l = cut->of;
    const int32_t w = l->link[k][i];
    const int one = tc_label_of(l, i), two = tc_label_of(l, (size_t)((ptrdiff_t)i + to));
    const bool apart = cut->choice == TC_CHOICE_EXPAND && one != two && one != cut->alpha && two != cut->alpha;
    cut->to[k][at] = apart ? 0 : w;
    cut->from[k][at] = w;
    if (apart) cut->sink[at] += w;
}

static void build_row(void *context, int row)
{
    const tc_label_cut *const cut = context;
    const tc_labelling *const l = cut->of;
    const size_t width = (size_t)cut->box.width, at = (size_t)row * width, i = tc_label_cut_row(cut, row);
    for (size_t x = 0; x < width; x++) set_terminals(cut, at + x, i + x);
    for (int k = 0; k < l->connectivity / 2 && !cut->linked; k++) {
        const tc_label_links e = tc_label_cut_links(cut, k, row);
        memset(cut->to[k] + at, 0, width * sizeof *cut->to[k]);
        memset(cut->from[k] + at, 0, width * sizeof *cut->from[k]);
        for (int x = e.first; x < e.end; x++) set_links(cut, at + (size_t)x, i + (size_t)x, k, e.in_lattice);
    }
}

/* True if pixel i of the lattice is on the side of `alpha` in every cut. */
static bool is_taken(const tc_label_cut *cut, size_t i)
{
    return tc_label_of(cut->of, i) == cut->alpha && (cut->choice == TC_CHOICE_EXPAND || !tc_label_cut_free(cut, i));
}

/* Ties each pixel that is not free to its side, with a terminal larger than the sum of all its links. */
static void tie_row(void *context, int row)
{
    const tc_label_cut *const cut = context;
    const tc_labelling *const l = cut->of;
    const size_t width = (size_t)cut->box.width, at = (size_t)row * width, i = tc_label_cut_row(cut, row);
    for (size_t x = 0; x < width; x++) {
        const bool taken = is_taken(cut, i + x);
        if (!taken && tc_label_cut_free(cut, i + x)) continue;
        cut->source[at + x] = taken ? 0 : l->tie;
        cut->sink[at + x] = taken ? l->tie : 0;
    }
}

/* ---- Cuts that need not be solved -------------------------------------------------------------- */

/* The most that link k of a pixel may save if the pixel takes `alpha`. That is w if its other end has `alpha`. In an
 * expansion it is also w if the two ends have different labels; this is counted at the end where the link begins. */
static int64_t gain_of_link(const tc_label_cut *cut, size_t i, int k, ptrdiff_t to, bool begins)
{
    const tc_labelling *const l = cut->of;
    const size_t far = (size_t)((ptrdiff_t)i + to);
    const bool apart = begins && cut->choice == TC_CHOICE_EXPAND && tc_label_of(l, i) != tc_label_of(l, far);
    return apart || is_taken(cut, far) ? l->link[k][begins ? i : far] : 0;
}

/* True if a row of the box has a pixel that may gain by taking `alpha`. */
static bool row_gains(const tc_label_cut *cut, int row)
{
    const tc_labelling *const l = cut->of;
    const int kinds = l->connectivity / 2, width = cut->box.width, height = cut->box.height;
    const size_t at = (size_t)row * (size_t)width, i = tc_label_cut_row(cut, row);
    for (int x = 0; x < width; x++) {
        const size_t p = i + (size_t)x;
        if (!tc_label_cut_free(cut, p) || is_taken(cut, p)) continue;
        set_terminals(cut, at + (size_t)x, p);
        int64_t gain = (int64_t)cut->sink[at + (size_t)x] - cut->source[at + (size_t)x];
        if (gain <= -l->tie) continue; /* the change costs more than the links of the pixel can save */
        for (int k = 0; k < 2 * kinds; k++) {
            const tc_link_steps s = tc_link_step(l->connectivity, k % kinds);
            const int sign = k < kinds ? 1 : -1;
            const int ax = x + sign * s.x, ay = row % height + sign * s.y, az = row / height + sign * s.z;
            const ptrdiff_t to = sign * (((ptrdiff_t)s.z * l->height + s.y) * l->width + s.x);
            if (ax < 0 || ax >= width || ay < 0 || ay >= height || az < 0 || az >= cut->box.depth) continue;
            gain += gain_of_link(cut, p, k % kinds, to, k < kinds);
        }
        if (gain > 0) return true;
    }
    return false;
}

/* Sets *any to true if taking `alpha` may lower the energy. It cannot if no single pixel can gain by it, whatever its
 * neighbours do. */
static tilecut_status find_gains(const tc_label_cut *cut, bool *any)
{
    const tc_own_rows own = tc_label_cut_own(cut);
    *any = false;
    for (int row = own.first; row < own.end && !*any; row++) *any = row_gains(cut, row);
    return tc_comm_any(cut->comm, any);
}

void tc_label_cut_none(tc_label_cut *cut, tc_label_choice choice, int alpha)
{
    cut->choice = choice, cut->alpha = alpha;
    for (int row = 0; row < tc_label_cut_rows(cut); row++) {
        const size_t width = (size_t)cut->box.width, at = (size_t)row * width, i = tc_label_cut_row(cut, row);
        for (size_t x = 0; x < width; x++) cut->mask[at + x] = is_taken(cut, i + x) ? 0 : 255;
    }
}

tilecut_status tc_label_cut_solve(tc_label_cut *cut, tc_label_choice choice, int alpha)
{
    tc_labelling *const l = cut->of;
    tilecut_graph graph = {.width = cut->box.width, .height = cut->box.height, .depth = cut->box.depth,
                           .connectivity = l->connectivity, .arrays = {.source = cut->source, .sink = cut->sink}};
    tilecut_report report = {0};
    tc_setup setup = l->setup;
    const tc_own_rows own = tc_label_cut_own(cut);
    const bool as_given = cut->group < 0 && choice != TC_CHOICE_EXPAND; /* all links go in unchanged */
    bool gains = true;
    cut->linked = as_given || (cut->linked && choice != TC_CHOICE_EXPAND);
    cut->choice = choice;
    cut->alpha = alpha;
    setup.comm = cut->comm;
    if (cut->group >= 0 && !cut->comm && (l->setup.comm || !is_large(l, cut->group)))
        setup.solver = l->group_solver;
    if (cut->group >= 0) NEED(find_gains(cut, &gains));
    if (!gains) {
        tc_label_cut_none(cut, choice, alpha);
        return TILECUT_OK;
    }
    tc_parallel(l->setup.threads, tc_label_cut_rows(cut), build_row, cut);
    tc_parallel(l->setup.threads, tc_label_cut_rows(cut), tie_row, cut);
    cut->linked = choice != TC_CHOICE_EXPAND;
    for (int k = 0; k < l->connectivity / 2; k++) {
        graph.arrays.to[k] = as_given ? l->link[k] : cut->to[k];
        graph.arrays.from[k] = as_given ? l->link[k] : cut->from[k];
    }
    NEED(tc_graph_check(&graph, own.first, own.end, 0, setup.threads));
    NEED(tc_solve(&graph, &setup, cut->group < 0 ? NULL : &cut->kept, cut->mask, NULL, &report));
    if (cut->group < 0) l->solver = report.solver;
    tc_label_add(&l->cuts, tc_label_counts(cut->comm));
    return TILECUT_OK;
}
