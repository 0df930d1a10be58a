/* SPDX-License-Identifier: MIT
 *
 * palette.h - the colours of a lattice that an image has: some thousands out of a quarter of a million. Found once,
 * and shared by all models that learn from that image.
 */
#ifndef TC_PALETTE_H
#define TC_PALETTE_H

#include "whole.h"

typedef struct tc_palette {
    int holders;       /* how many use it; all belong to one graph, and so to one thread at a time */
    int bits;          /* of the lattice, see tc_color_bins()                             */
    size_t count;
    uint32_t *bin;     /* [count] in ascending order                                      */
    uint32_t *entry;   /* [bins] the entry of a bin; meaningless for colours that do not occur */
    double *x, *y, *z; /* [count] the colours, as tc_gmm_color() has them                 */
} tc_palette;

/* Makes the palette of an image, with one holder; of the whole image if this is a part of it. */
tilecut_status tc_palette_init(tc_palette **palette, const tilecut_image *image, int bits, tc_whole *whole);
/* Makes the palette of all colours of the lattice, with one holder. */
tilecut_status tc_palette_whole(tc_palette **palette, int channels, int bits);
tc_palette *tc_palette_hold(tc_palette *palette); /* one more holder; returns it; NULL is fine */
void tc_palette_drop(tc_palette *palette);        /* one holder less; the last one frees it    */

#endif
