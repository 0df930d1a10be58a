/* SPDX-License-Identifier: MIT
 *
 * label_cut.h - the two-label cuts that a labelling is found with: "this label, or what the pixel has".
 */
#ifndef TC_LABEL_CUT_H
#define TC_LABEL_CUT_H

#include "graph.h"
#include "labelling.h"

/* What a cut decides. `taken` is label `alpha`, the background side of the cut. */
typedef enum tc_label_choice {
    TC_CHOICE_EXPAND, /* taken, or the pixel's label                                                       */
    TC_CHOICE_BEST,   /* taken, or the cheapest of the others                                              */
    TC_CHOICE_PRICE   /* taken at its cost less the pixel's price, or not for nothing; all in half quanta  */
} tc_label_choice;

/* The box of the lattice in which there are pixels that are not fixed, grown by one pixel. What lies outside touches
 * fixed pixels only. Empty if width is 0. */
typedef struct tc_label_cut {
    tc_labelling *of;
    int x, y, z, width, height, depth;
    size_t pixels;
    int32_t *source, *sink, *to[TC_LINKS], *from[TC_LINKS]; /* [pixels] */
    uint8_t *mask;        /* [pixels] 0: taken */
    const int64_t *price; /* [pixels of the lattice]; TC_CHOICE_PRICE */
    void *memory;
    tc_label_choice choice;
    int alpha;
} tc_label_cut;

/* `all`: the whole lattice. Close it after a failure, too. */
tilecut_status tc_label_cut_open(tc_label_cut *cut, tc_labelling *of, bool all);
void tc_label_cut_close(tc_label_cut *cut);

/* Solves one cut; cut->mask says the answer: of all minima the one in which the fewest pixels take `alpha`. */
tilecut_status tc_label_cut_solve(tc_label_cut *cut, tc_label_choice choice, int alpha);

/* The first pixel of row (y, z) of the box, in the lattice. */
static inline size_t tc_label_cut_row(const tc_label_cut *cut, int y, int z)
{
    const tc_labelling *const l = cut->of;
    return ((size_t)(cut->z + z) * (size_t)l->height + (size_t)(cut->y + y)) * (size_t)l->width + (size_t)cut->x;
}

#endif
