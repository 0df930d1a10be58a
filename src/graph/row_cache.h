/* SPDX-License-Identifier: MIT
 *
 * row_cache.h - what an energy reads of every pixel, kept in less memory while nobody reads it (row_pack.h).
 * Capacities are read twice: to build the grid, and to certify the answer. In between, while the solver needs
 * most memory, pixels, seeds and levels of nearness only wait: 5 bytes a pixel of some 27.
 *
 * They fall asleep band by band as the grid is built (tc_row_cache_band()), and are then read through copies of
 * single bands (tc_row_cache_read()). graph.c does both.
 */
#ifndef TC_ROW_CACHE_H
#define TC_ROW_CACHE_H

#include "energy.h"
#include "row_pack.h"

typedef struct tc_row_cache {
    const tc_energy *energy;
    tc_row_pack pixels, seeds, levels; /* data is NULL: they are not squeezed                  */
    size_t work, copies;              /* bytes that a thread needs to squeeze, and for copies */
    uint8_t *desk;                    /* [threads][work]                                      */
    int threads;
    bool asleep;                      /* all bands are squeezed                               */
} tc_row_cache;

/* Prepares for that. `given`: the pixels and the seeds may be written, too, which are the caller's, and not only the
 * levels. *rest is NULL if that saves too little. */
tilecut_status tc_row_cache_init(tc_row_cache **rest, const tc_energy *energy, bool given, int threads);

/* Bytes of memory in which a thread squeezes and reads. */
size_t tc_row_cache_room(const tc_row_cache *rest);

/* Squeezes band `band`: rows TC_BAND * band and following. Meanwhile others may read the first and the last row of each
 * band. */
void tc_row_cache_band(tc_row_cache *rest, int band, uint8_t *room);

/* Makes `view` read the rows of a squeezed band, the row above and the row below them from copies in `room`. Its row 0
 * is row *first of the image. */
void tc_row_cache_read(const tc_row_cache *rest, int band, uint8_t *room, tc_energy *view, int *first);

/* Makes the seeds what they were, and the pixels if they are needed again; ends it. NULL is fine. */
void tc_row_cache_end(tc_row_cache *rest, bool pixels);

#endif
