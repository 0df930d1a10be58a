/* SPDX-License-Identifier: MIT
 *
 * matte.h - a soft edge for the cutout. For each pixel along the cut it computes alpha, the share that is object, and
 * the colour of that share. The mask itself stays hard.
 */
#ifndef CLI_MATTE_H
#define CLI_MATTE_H

#include <stdint.h>

#include "failure.h"
#include "image.h"

enum {
    MATTE_MOST = 32,  /* the largest radius */
    MATTE_BYTES = 28  /* most memory per pixel to compute, paint and encode; without matte_workspace() */
};

typedef struct matte {
    image alpha;  /* one channel of the photo's depth                                          */
    image colors; /* the photo with object colours where the band is half-transparent;
                     pixels NULL: not asked for                                                */
} matte;

/* Reads a radius of 0 .. MATTE_MOST into an int; an option_parser. */
const char *matte_parse(const char *text, void *field);

/* The alpha of `photo` along `mask` (0 or 255 a pixel). Only pixels that are within `radius` (1 .. MATTE_MOST) of the
 * other label and not seeded (`seeds`: labels of tilecut_types.h, or NULL) become soft; all others are exactly 0 or the
 * largest value. With `clean`, computes colours, too. EXIT_RESOURCES: no memory, and `out` is empty. */
int matte_make(const image *photo, const uint8_t *mask, const uint8_t *seeds, int radius, bool clean, matte *out,
               failure *why);
void matte_free(matte *m);

/* Bytes of the workspace for one tile. */
uint64_t matte_workspace(int radius);

#endif
