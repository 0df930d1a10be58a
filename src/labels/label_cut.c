/* SPDX-License-Identifier: MIT
 *
 * label_cut.c - see label_cut.h. Pixels that keep their label stay in the graph, with terminals that are dearer than
 * all their links.
 */
#include "label_cut.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "parallel.h"
#include "solve.h"
#include "status.h"

tilecut_status tc_label_cut_open(tc_label_cut *cut, tc_labelling *of, int group)
{
    const size_t links = (size_t)of->connectivity / 2;
    *cut = (tc_label_cut){.of = of, .group = group};
    cut->box = group < 0 ? (tc_label_box){0, 0, 0, of->width, of->height, of->depth} : of->box[group];
    cut->pixels = (size_t)cut->box.width * (size_t)cut->box.height * (size_t)cut->box.depth;
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

void tc_label_cut_close(tc_label_cut *cut)
{
    free(cut->memory);
    cut->memory = NULL;
}

/* ---- Capacities -------------------------------------------------------------------------------- */

static int32_t cheapest_other(const tc_labelling *l, size_t i, int alpha)
{
    int32_t least = INT32_MAX;
    for (int j = 0; j < l->labels; j++) {
        const int32_t cost = l->data[(size_t)j * l->pixels + i];
        if (j != alpha && cost < least) least = cost;
    }
    return least;
}

/* The terminals of pixel `at` of the box, which is `i` of the lattice; its links to come may add to them. */
static void set_terminals(const tc_label_cut *cut, size_t at, size_t i)
{
    const tc_labelling *const l = cut->of;
    const int label = l->label[i];
    const int32_t taken = l->data[(size_t)cut->alpha * l->pixels + i];
    cut->source[at] = cut->sink[at] = 0;
    if (!tc_label_cut_free(cut, i) || (cut->choice == TC_CHOICE_EXPAND && label == cut->alpha)) return;
    if (cut->choice == TC_CHOICE_PRICE) {
        const int64_t cost = 2 * (int64_t)taken - cut->price[at];
        if (cost > 0) cut->source[at] = (int32_t)cost;
        else cut->sink[at] = (int32_t)-cost;
    } else {
        const int32_t other = cut->choice == TC_CHOICE_BEST ? cheapest_other(l, i, cut->alpha)
                                                            : l->data[(size_t)label * l->pixels + i];
        if (taken > other) cut->source[at] = taken - other;
        else cut->sink[at] = other - taken;
    }
}

/* Links of weight w cost that where one end takes `alpha`. Between two pixels of different other labels, though, an
 * expansion costs w unless both take it: w if the first keeps its label, and w if the first takes alpha alone. */
static void set_links(const tc_label_cut *cut, size_t at, size_t i, int k, ptrdiff_t to)
{
    const tc_labelling *const l = cut->of;
    const int32_t w = l->link[k][i];
    const int one = l->label[i], two = l->label[(ptrdiff_t)i + to];
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
    for (int k = 0; k < l->connectivity / 2; k++) {
        ptrdiff_t to, unused;
        tc_span linked;
        const bool on = tc_label_cut_linked(cut, k, row, &to, &unused, &linked);
        memset(cut->to[k] + at, 0, width * sizeof *cut->to[k]);
        memset(cut->from[k] + at, 0, width * sizeof *cut->from[k]);
        for (int x = linked.first; on && x < linked.end; x++) set_links(cut, at + (size_t)x, i + (size_t)x, k, to);
    }
}

/* Ties all that is not free to its side, by more than all its links in the lattice. */
static void tie_row(void *context, int row)
{
    const tc_label_cut *const cut = context;
    const tc_labelling *const l = cut->of;
    const size_t width = (size_t)cut->box.width, at = (size_t)row * width, i = tc_label_cut_row(cut, row);
    for (size_t x = 0; x < width; x++) {
        const bool taken = l->label[i + x] == cut->alpha;
        if (tc_label_cut_free(cut, i + x) && !(cut->choice == TC_CHOICE_EXPAND && taken)) continue;
        cut->source[at + x] = taken ? 0 : l->tie;
        cut->sink[at + x] = taken ? l->tie : 0;
    }
}

tilecut_status tc_label_cut_solve(tc_label_cut *cut, tc_label_choice choice, int alpha)
{
    tc_labelling *const l = cut->of;
    tilecut_graph graph = {.width = cut->box.width, .height = cut->box.height, .depth = cut->box.depth,
                           .connectivity = l->connectivity, .arrays = {.source = cut->source, .sink = cut->sink}};
    tilecut_report report = {0};
    cut->choice = choice;
    cut->alpha = alpha;
    tc_parallel(l->setup.threads, tc_label_cut_rows(cut), build_row, cut);
    tc_parallel(l->setup.threads, tc_label_cut_rows(cut), tie_row, cut);
    for (int k = 0; k < l->connectivity / 2; k++) graph.arrays.to[k] = cut->to[k], graph.arrays.from[k] = cut->from[k];
    NEED(tc_graph_check(&graph, 0, graph.height * graph.depth, 0, l->setup.threads));
    NEED(tc_solve(&graph, &l->setup, NULL, cut->mask, NULL, &report));
    l->cuts++;
    l->solver = report.solver;
    return TILECUT_OK;
}
