/* SPDX-License-Identifier: MIT
 *
 * row_cache.h - compresses the pixel data of an energy while it is not needed (row_pack.h). Capacities are computed
 * from it twice: to build the grid, and to certify the answer. In between, the solver needs most memory. Pixels, seeds
 * and levels of nearness are 5 of some 27 bytes a pixel.
 *
 * Bands of rows are compressed one by one as the grid is built (tc_row_cache_band()), and are then read through copies
 * of single bands (tc_row_cache_read()). graph.c does both.
 */
#pragma once

#include "energy.h"
#include "row_pack.h"

typedef struct tc_row_cache {
    const tc_energy *energy;
    tc_row_pack pixels, seeds, levels; /* compressed rows; if `data` is NULL, that array is not compressed */
    size_t work, copies;              /* bytes that a thread needs for compressing, and for decompressed copies */
    uint8_t *desk;                    /* [threads][work]                                           */
    int threads;
    bool compressed;                  /* true: all bands are compressed                        */
} tc_row_cache;

/* Prepares for compressing. With `given`, the caller's pixels and seeds may be overwritten meanwhile; otherwise only
 * the levels. *rest is NULL if too little memory would be saved. */
tilecut_status tc_row_cache_init(tc_row_cache **rest, const tc_energy *energy, bool given, int threads);

/* Returns the bytes of work space that a thread needs to compress and to read. */
size_t tc_row_cache_room(const tc_row_cache *rest);

/* Compresses band `band`: the rows that begin with row TC_BAND * band. Meanwhile other threads may read the first and
 * the last row of each band. */
void tc_row_cache_band(tc_row_cache *rest, int band, uint8_t *room);

/* Makes `view` read the rows of a compressed band, and the rows just above and below it, from copies in `room`. Its row
 * 0 is row *first of the image. */
void tc_row_cache_read(const tc_row_cache *rest, int band, uint8_t *room, tc_energy *view, int *first);

/* Restores the seeds and, with `pixels`, the pixels; then frees the cache. NULL is allowed. */
void tc_row_cache_end(tc_row_cache *rest, bool pixels);
