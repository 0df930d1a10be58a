/* SPDX-License-Identifier: MIT
 *
 * ribbon.h - the unknown pixels of a trimap, stored close together: a matte is unknown along an edge only, and vectors
 * over the whole photo would be nearly empty.
 *
 * A ribbon has a place for every unknown pixel and for every pixel within RIBBON_REACH rows and columns of one, in the
 * order of rows. Unknown pixels next to each other in a row form a run. The places of a run are consecutive, and so
 * are, in each of the four rows around it, the places of the pixels from RIBBON_REACH left of it to RIBBON_REACH
 * right: a loop along a run meets its neighbours by constant offsets. Places of known pixels, and of pixels beyond the
 * border of the photo, hold zeros in every vector.
 */
#ifndef TC_RIBBON_H
#define TC_RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RIBBON_REACH = 2, RIBBON_ROWS = 2 * RIBBON_REACH + 1 };

typedef struct ribbon_run {
    int x, y, length;          /* pixels x .. x + length - 1 of row y                               */
    int32_t at[RIBBON_ROWS];   /* the place of pixel x in rows y - 2 .. y + 2; at[2] is the run's own */
} ribbon_run;

typedef struct ribbon {
    int width, height;         /* of the photo                                                      */
    int32_t places;            /* length of a vector                                                */
    int64_t unknown;           /* pixels                                                            */
    ribbon_run *run;           /* [runs], by rows                                                   */
    int runs;
    int *piece;                /* [pieces + 1]: runs piece[i] .. piece[i + 1] - 1 are whole rows, and one turn of a
                                  parallel loop; they depend on the trimap alone                    */
    int pieces;
} ribbon;

/* Lays the ribbon of `unknown` (width * height bytes, nonzero where unknown) out. False: no memory, or more than 2^30
 * places; then `r` is empty. */
bool tc_ribbon_init(ribbon *r, const uint8_t *unknown, int width, int height);
void tc_ribbon_free(ribbon *r);

#endif
