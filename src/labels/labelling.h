/* SPDX-License-Identifier: MIT
 *
 * labelling.h - an energy of K labels on a lattice, in whole numbers of quanta, and a labelling of it.
 *
 * The lattice may be a part of a larger one (setup.comm): own rows or slices with a halo (tilecut_parts.h). All parts
 * then call the same functions, and get the labels of one part, bit for bit. A part counts own pixels, and links that
 * begin at them; of the halo only `label`, `fixed`, `group` and the links count.
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
    int32_t *data;            /* [labels][pixels] costs of a label; the least of a pixel is 0                 */
    int32_t *link[TC_LINKS];  /* [pixels] by kind of link (lattice.h): what it costs if the ends of the link that
                                 begins at the pixel have two labels; 0: no link */
    int32_t tie;              /* more than all links of a pixel together                                      */
    uint8_t *label;           /* [pixels] the label that each pixel has                                       */
    uint8_t *fixed;           /* [pixels] 1: the label is given, or the same in every minimum                 */
    int32_t *group;           /* [pixels] the group of a pixel that is not fixed; else -1; owned                */
    tc_block *box;            /* [groups] around each group, grown by one pixel; owned                          */
    int groups, block;        /* number of groups; side of the blocks by which components are joined to groups  */
    int shared;               /* groups 0 .. shared - 1 lie in several parts. All parts have them in this order, and
                                 their boxes count the layers of the whole lattice; 0 without parts             */
    void *memory;             /* of all other arrays; owned                                                     */
    tc_setup setup;           /* the solver and more with which cuts are made: solver, device, threads, cancel */
    int64_t cuts, moves;
    const char *solver;       /* of the last cut                                                              */
} tc_labelling;

/* Allocates a labelling of that size, all zero but for `data`. ENOMEM. Free it after a failure, too. */
tilecut_status tc_labelling_init(tc_labelling *l, int width, int height, int depth, int connectivity, int labels,
                                 const tc_setup *setup);
void tc_labelling_free(tc_labelling *l);

/* The energy of the labelling, in quanta. */
tilecut_status tc_labelling_energy(tc_labelling *l, int64_t *energy);

/* Fixes pixels whose label is the same in every minimum, by one cut for each label. The cut decides between that label
 * and the cheapest of the others at each pixel. Pixels that take the label have it in every minimum (Kovtun, Partial
 * optimal labeling search for a NP-hard subclass of (max,+) problems, 2003), so they are fixed and left out of the next
 * cuts. All other pixels get their cheapest label; of equal ones the least. */
tilecut_status tc_labelling_fix(tc_labelling *l);

/* ---- Parts: of a lattice that is none, all layers are own ones and nothing is exchanged ---------- */

/* A layer is a row, or a slice of a volume, as parts count them. */
static inline bool tc_labelling_flat(const tc_labelling *l)
{
    return l->connectivity == 4 || l->connectivity == 8;
}

/* The pixels of a layer; own layers, and own pixels: first .. end - 1. */
size_t tc_labelling_layer(const tc_labelling *l);
tc_own_rows tc_labelling_own(const tc_labelling *l);
typedef struct tc_label_range {
    size_t first, end;
} tc_label_range;
tc_label_range tc_labelling_own_pixels(const tc_labelling *l);

/* Whether this part is the one that counts what all of these parts have done together. */
static inline bool tc_label_counts(const tc_comm *comm)
{
    return !comm || !comm->with->part;
}

/* Gives the halo of array [pixels], of `bytes` a pixel, what the neighbours have there. */
tilecut_status tc_labelling_meet(const tc_labelling *l, void *array, size_t bytes);

/* Divides the pixels that are not fixed into groups that touch each other nowhere. With the fixed pixels as they are,
 * groups do not depend on each other: each is labelled, and bounded, by cuts of its own box. */
tilecut_status tc_labelling_divide(tc_labelling *l);

/* Makes expansion moves in each group, label after label, until none lowers the energy. `settled`: NULL, or a map;
 * groups in which it is 0 nowhere are left alone, because no move would lower their energy. */
tilecut_status tc_labelling_expand(tc_labelling *l, const uint8_t *settled);

/* *bound: no labelling with the fixed labels has a smaller energy, in halves of a quantum. Rounds of a supergradient on
 * the multipliers of "each pixel has one label", in each group until that is so close that all are together within the
 * share `enough` of the energy; without rounds, what the fixed pixels cost among themselves. After
 * tc_labelling_expand(). */
tilecut_status tc_labelling_bound(tc_labelling *l, int rounds, double enough, int64_t *bound);
