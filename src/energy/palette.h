/* SPDX-License-Identifier: MIT
 *
 * palette.h - which colours of a lattice an image has: thousands out of a quarter of a million. Found once, and
 * shared by all who learn from that image.
 */
#ifndef TC_PALETTE_H
#define TC_PALETTE_H

#include "tilecut.h"

typedef struct tc_palette {
    int holders;       /* of one graph, so of one thread at a time                        */
    int bits;          /* of the lattice, see tc_color_bins()                             */
    size_t count;
    uint32_t *bin;     /* [count] in ascending order                                      */
    uint32_t *entry;   /* [bins] which entry a bin is; those of no pixel: of no meaning   */
    double *x, *y, *z; /* [count] the colours                                             */
} tc_palette;

/* With one holder; colours as tc_gmm_color() has them. */
tilecut_status tc_palette_init(tc_palette **palette, const tilecut_image *image, int bits);
/* The same of all colours of the lattice. */
tilecut_status tc_palette_whole(tc_palette **palette, int channels, int bits);
tc_palette *tc_palette_hold(tc_palette *palette); /* one more; NULL is none */
void tc_palette_drop(tc_palette *palette);        /* one less: the last one frees it */

#endif
