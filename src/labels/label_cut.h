/* SPDX-License-Identifier: MIT
 *
 * label_cut.h - two-label cuts, from which a labelling is built: each decides which pixels take one given label.
 */
#pragma once

#include "graph.h"
#include "labelling.h"
#include "solve.h"

/* What a cut decides for each pixel. "Taken": the pixel takes label `alpha`; that is the background side of the cut. */
typedef enum tc_label_choice {
    TC_CHOICE_EXPAND, /* taken, or the pixel keeps its label                                               */
    TC_CHOICE_BEST,   /* taken, or the pixel gets the cheapest of the other labels                         */
    TC_CHOICE_PRICE   /* taken, at its cost less the pixel's price, or not taken, at no cost; in half quanta */
} tc_label_choice;

/* The box of a group, whose pixels alone are free; all others in it keep their label. What lies outside touches no
 * pixel of the group. A group that several parts share is cut by all of them; each has its layers of the box. */
typedef struct tc_label_cut {
    tc_labelling *of;
    tc_comm *comm;        /* the parts that have layers of the box; NULL: this one alone */
    int group;            /* the group's number; -1: all pixels that are not fixed, in the whole lattice */
    tc_block box;
    size_t pixels;
    int32_t *source, *sink, *to[TC_LINKS], *from[TC_LINKS]; /* [pixels] */
    bool linked;          /* to[] and from[] hold the links as every choice but an expansion needs them */
    uint8_t *mask;        /* [pixels] 0: taken */
    const int64_t *price; /* [pixels] prices of free pixels, for TC_CHOICE_PRICE */
    void *memory;
    tc_kept kept;         /* of a group: the flow of its last cut, for the next one if its links are the same */
    tc_label_choice choice;
    int alpha;
} tc_label_cut;

/* What is done with an open cut of a group. */
typedef tilecut_status tc_label_work(tc_label_cut *cut, void *context);

/* Opens a cut of a group, lets `work` do what it does, and closes it. Parts that have no layers of a shared group's box
 * stand by meanwhile. */
tilecut_status tc_label_cut_with(tc_labelling *l, int group, tc_label_work *work, void *context);

/* Writes the answer of one cut to cut->mask: of all minimum cuts the one in which the fewest pixels take `alpha`. In a
 * group nothing is solved if no pixel can gain by taking it, whatever its neighbours do; then none takes it. */
tilecut_status tc_label_cut_solve(tc_label_cut *cut, tc_label_choice choice, int alpha);

/* Writes the answer in which no pixel that may choose takes `alpha`. */
void tc_label_cut_none(tc_label_cut *cut, tc_label_choice choice, int alpha);

/* Whether the label of pixel i of the lattice is decided by the cut. */
static inline bool tc_label_cut_free(const tc_label_cut *cut, size_t i)
{
    return !cut->of->fixed[i] && (cut->group < 0 || cut->of->group[i] == cut->group);
}

/* Rows of the box, counted through its slices. */
static inline int tc_label_cut_rows(const tc_label_cut *cut)
{
    return cut->box.height * cut->box.depth;
}

/* Of these rows, those that this part has to count. */
static inline tc_own_rows tc_label_cut_own(const tc_label_cut *cut)
{
    const int lines = tc_labelling_flat(cut->of) ? 1 : cut->box.height;
    const tc_own_rows own = tc_own_rows_of(cut->comm, tc_label_cut_rows(cut) / lines);
    return (tc_own_rows){own.first * lines, own.end * lines};
}

/* The number of the first pixel of row (y, z) of the box, in the lattice. */
static inline size_t tc_label_cut_row(const tc_label_cut *cut, int row)
{
    const tc_labelling *const l = cut->of;
    const int y = cut->box.y + row % cut->box.height, z = cut->box.z + row / cut->box.height;
    return ((size_t)z * (size_t)l->height + (size_t)y) * (size_t)l->width + (size_t)cut->box.x;
}

/* Whether links of kind k lead from row `row` of the box to another row of it. Also finds how far they lead, counted in
 * the lattice and in the box, and from which columns of the row. */
static inline bool tc_label_cut_linked(const tc_label_cut *cut, int k, int row, ptrdiff_t *in_lattice,
                                       ptrdiff_t *in_box, tc_span *linked)
{
    const tc_labelling *const l = cut->of;
    const tc_link_steps s = tc_link_step(l->connectivity, k);
    const int y = row % cut->box.height + s.y, z = row / cut->box.height + s.z;
    *in_lattice = ((ptrdiff_t)s.z * l->height + s.y) * l->width + s.x;
    *in_box = ((ptrdiff_t)s.z * cut->box.height + s.y) * cut->box.width + s.x;
    *linked = tc_linked(0, cut->box.width, s.x, cut->box.width);
    return y >= 0 && y < cut->box.height && z < cut->box.depth;
}

/* The energy of the labelling within the box of `cut`. With `fixed_only`, only that of fixed pixels and of links
 * between them. The second function: the energy in the whole lattice. */
tilecut_status tc_label_cut_energy(const tc_label_cut *cut, bool fixed_only, int64_t *energy);
tilecut_status tc_labelling_energy_of(tc_labelling *l, bool fixed_only, int64_t *energy);
