/* SPDX-License-Identifier: MIT
 *
 * labelling.h - an energy of K labels on a lattice, in whole numbers of quanta, and a labelling of it.
 *
 * The lattice may be a part of a larger one (setup.comm): its own rows or slices, and a halo (tilecut_parts.h). All
 * parts then call the same functions, and get the same labels, bit for bit, as without parts. A part counts its own
 * pixels and the links that begin at them. In the halo only `label`, `fixed`, `group` and the links are valid.
 */
#pragma once

#include "comm.h"
#include "params.h"
#include "tilecut_labels.h"

/* Labels are numbered 0 .. labels - 1, in ascending order of their values; `background` is one of them. */
typedef struct tc_labelling {
    int width, height, depth, connectivity;
    int labels;
    size_t pixels;
    int32_t *data;            /* [labels][pixels] the cost of each label at each pixel; the smallest cost of a pixel is
                                 0 */
    int32_t *link[TC_LINKS];  /* [pixels] for each kind of link (lattice.h): the cost if the two ends of the link that
                                 begins at the pixel have different labels; 0: no link */
    int32_t tie;              /* a cost larger than the sum of all links of any pixel                         */
    uint8_t *label;           /* [pixels] the present label of each pixel                                     */
    uint8_t *fixed;           /* [pixels] 1: the label is given, or the same in every minimum                 */
    int32_t *group;           /* [pixels] the group of a pixel that is not fixed; -1 if it is fixed; owned      */
    tc_block *box;            /* [groups] the bounding box of each group, grown by one pixel; owned             */
    int groups, block;        /* number of groups; side of the blocks that join components to groups, in pixels */
    int shared;               /* groups 0 .. shared - 1 lie in several parts. All parts have them in this order, and the
                                 layers of their boxes are counted in the whole lattice. 0 without parts */
    void *memory;             /* the memory of all other arrays; owned                                          */
    tc_setup setup;           /* the settings with which cuts are made: solver, device, threads, cancel */
    const char *group_solver; /* the solver for groups that no other part has, but for large ones if the lattice is not
                                 in parts; NULL: to be chosen */
    int64_t cuts, moves;
    const char *solver;       /* the solver of the last cut of the whole lattice                              */
} tc_labelling;

/* Allocates a labelling of the given size. All arrays are zero except `data`, which is not set. Errors: ENOMEM. Free it
 * after a failure, too. */
tilecut_status tc_labelling_init(tc_labelling *l, int width, int height, int depth, int connectivity, int labels,
                                 const tc_setup *setup);
void tc_labelling_free(tc_labelling *l);

/* Computes the energy of the labelling, in quanta. */
tilecut_status tc_labelling_energy(tc_labelling *l, int64_t *energy);

/* Fixes pixels whose label is the same in every minimum, by one cut for each label. The cut decides between that label
 * and the cheapest of the others at each pixel. Pixels that take the label have it in every minimum (Kovtun, Partial
 * optimal labeling search for a NP-hard subclass of (max,+) problems, 2003), so they are fixed and left out of the next
 * cuts. All other pixels get their cheapest label, and the smallest of equally cheap ones. */
tilecut_status tc_labelling_fix(tc_labelling *l);

/* ---- Parts: of a lattice that is none, all layers are own ones and nothing is exchanged ---------- */

/* A layer is the unit in which parts are divided: a row of an image, or a slice of a volume. */
static inline bool tc_labelling_flat(const tc_labelling *l)
{
    return l->connectivity == 4 || l->connectivity == 8;
}

/* This part's own pixels: first .. end - 1. */
typedef struct tc_label_range {
    size_t first, end;
} tc_label_range;
tc_label_range tc_labelling_own_pixels(const tc_labelling *l);

/* True if this part is the one that counts a result of all parts together. */
static inline bool tc_label_counts(const tc_comm *comm)
{
    return !comm || !comm->with->part;
}

/* Copies the neighbours' own layers of `array` to this part's halo. `array` has `bytes` bytes per pixel. */
tilecut_status tc_labelling_meet(const tc_labelling *l, void *array, size_t bytes);

/* Divides the pixels that are not fixed into groups of which no two touch. While the fixed pixels stay as they are,
 * groups do not depend on each other: each is labelled, and bounded, by cuts of its own box. */
tilecut_status tc_labelling_divide(tc_labelling *l);

/* Makes expansion moves in each group, label after label, until none lowers the energy. `settled` may be NULL; groups
 * in which it is nonzero at every pixel are skipped, because no move would lower their energy. */
tilecut_status tc_labelling_expand(tc_labelling *l, const uint8_t *settled);

/* Computes a lower bound, in half quanta, of the energy of all labellings with the same fixed labels. Call it after
 * tc_labelling_expand(). Each group makes rounds of a supergradient method on the multipliers of "each pixel has one
 * label". The rounds end when the bound of all groups together is within the share `enough` of the energy. With 0
 * rounds, *bound is the cost of the fixed pixels among themselves. */
tilecut_status tc_labelling_bound(tc_labelling *l, int rounds, double enough, int64_t *bound);
