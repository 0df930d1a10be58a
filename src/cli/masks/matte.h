/* SPDX-License-Identifier: MIT
 *
 * matte.h - a soft edge for the cutout: what share of each pixel along the cut is object (alpha), and of which
 * colour that share is. The mask itself stays hard.
 */
#ifndef CLI_MATTE_H
#define CLI_MATTE_H

#include <stdint.h>

#include "failure.h"
#include "image.h"

enum {
    MATTE_MOST = 32,  /* the largest radius */
    MATTE_BYTES = 28  /* memory a pixel at most while it is made, painted and encoded, without matte_workspace() */
};

typedef struct matte {
    image alpha;  /* one channel of the photo's depth                                          */
    image colors; /* the photo with the colours of the band's half-transparent pixels replaced;
                     pixels NULL: not asked for                                                */
} matte;

/* The alpha of `photo` along `mask` (0 or 255 a pixel). Only pixels within `radius` (1 .. MATTE_MOST) of one of the
 * other label, and not seeded (`seeds`: labels of tilecut.h, or NULL), become soft; all others are exactly 0 or the
 * largest value. With `clean`, colours too. EXIT_RESOURCES: no memory, and `out` is empty. */
int matte_make(const image *photo, const uint8_t *mask, const uint8_t *seeds, int radius, bool clean, matte *out,
               failure *why);
void matte_free(matte *m);

/* Bytes of the workspace for one tile. */
uint64_t matte_workspace(int radius);

#endif
