/* SPDX-License-Identifier: MIT
 *
 * labelling.h - an energy of K labels on a lattice, in whole numbers of quanta, and a labelling of it.
 */
#ifndef TC_LABELLING_H
#define TC_LABELLING_H

#include "lattice.h"
#include "params.h"
#include "tilecut_labels.h"

/* Labels are numbered 0 .. labels - 1, in ascending order of their values; `background` is one of them. */
typedef struct tc_labelling {
    int width, height, depth, connectivity;
    int labels;
    size_t pixels;
    int32_t *data;            /* [labels][pixels] costs of a label; the least of a pixel is 0                 */
    int32_t *link[TC_LINKS];  /* [pixels] cost of two labels along the link of each kind (lattice.h) that begins at the
                                 pixel; 0 where there is none                                                 */
    int32_t tie;              /* more than all links of a pixel together                                      */
    uint8_t *label;           /* [pixels] the labelling                                                       */
    uint8_t *fixed;           /* [pixels] 1: the label is given, or the same in every minimum                 */
    int32_t *group;           /* [pixels] of which group a pixel is that is not fixed; else -1; owned           */
    tc_block *box;        /* [groups] around each group, grown by one pixel; owned                          */
    int groups, block;        /* how many; sides of the blocks in which groups are joined                       */
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
int64_t tc_labelling_energy(tc_labelling *l);

/* Fixes pixels whose label is the same in every minimum, by one cut a label: each decides between that label and the
 * cheapest of the others (Kovtun, Partial optimal labeling search for a NP-hard subclass of (max,+) problems, 2003).
 * What one cut has fixed is left out of the next: minima have it, and in them all that the next one takes is right.
 * Others get their cheapest label, of equal ones the least. */
tilecut_status tc_labelling_fix(tc_labelling *l);

/* Divides the pixels that are not fixed into groups that touch each other nowhere. With the fixed pixels as they are,
 * groups do not depend on each other: each is labelled, and bounded, by cuts of its own box. */
tilecut_status tc_labelling_divide(tc_labelling *l);

/* Expansion moves in each group, label after label, until none lowers the energy. `settled`: NULL, or groups are left
 * alone in which it is nowhere 0, as no move would lower their energy. */
tilecut_status tc_labelling_expand(tc_labelling *l, const uint8_t *settled);

/* *bound: no labelling with the fixed labels has a smaller energy, in halves of a quantum. Rounds of a supergradient on
 * the multipliers of "each pixel has one label", in each group until that is so close that all are together within the
 * share `enough` of the energy; without rounds, what the fixed pixels cost among themselves. After
 * tc_labelling_expand(). */
tilecut_status tc_labelling_bound(tc_labelling *l, int rounds, double enough, int64_t *bound);

#endif
