/* SPDX-License-Identifier: MIT
 *
 * ribbon.h - stores the unknown pixels of a trimap close together. A matte is unknown only along an edge, so vectors
 * over the whole photo would be nearly empty.
 *
 * A place is an index into the vectors. Every unknown pixel has one, and so has every pixel within RIBBON_REACH rows
 * and columns of an unknown pixel; places are in the order of rows. Unknown pixels that are adjacent in a row form a
 * run, and the places of a run are consecutive. In each of the rows up to RIBBON_REACH above and below, the places
 * from RIBBON_REACH left of the run to RIBBON_REACH right of it are consecutive, too. So a loop along a run reaches
 * its neighbours by constant offsets. Places of known pixels, and of pixels beyond the photo's border, hold zero in
 * every vector.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { RIBBON_REACH = 2, RIBBON_ROWS = 2 * RIBBON_REACH + 1 };

typedef struct ribbon_run {
    int x, y, length;          /* pixels x .. x + length - 1 of row y                               */
    int32_t at[RIBBON_ROWS];   /* the place of pixel x in rows y - 2 .. y + 2; at[2] is the run's own place */
} ribbon_run;

typedef struct ribbon {
    int width, height;         /* size of the photo                                                 */
    int32_t places;            /* length of each vector                                             */
    int64_t unknown;           /* pixels                                                            */
    ribbon_run *run;           /* [runs], by rows                                                   */
    int runs;
    int *piece;                /* [pieces + 1]: runs piece[i] .. piece[i + 1] - 1 are whole rows, which are the work of
                                  one iteration of a parallel loop. Pieces depend only on the trimap */
    int pieces;
} ribbon;

/* Builds the ribbon of `unknown`, width * height bytes, nonzero where a pixel is unknown. Returns false if there is no
 * memory, or for more than 2^30 places; `r` is then empty. */
bool tc_ribbon_init(ribbon *r, const uint8_t *unknown, int width, int height);
void tc_ribbon_free(ribbon *r);
