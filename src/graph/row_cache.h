/* SPDX-License-Identifier: MIT
 *
 * row_cache.h - keeps what an energy reads of every pixel in less memory while it is not needed (row_pack.h).
 * Capacities are read twice: to build the grid, and to certify the answer. In between the solver needs most memory, and
 * pixels, seeds and levels of nearness need only 5 of some 27 bytes a pixel.
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
    size_t work, copies;              /* bytes that a thread needs for compressing, and for copies */
    uint8_t *desk;                    /* [threads][work]                                           */
    int threads;
    bool compressed;                  /* all bands are compressed                              */
} tc_row_cache;

/* Prepares for compressing. `given`: the caller's pixels and seeds may be overwritten meanwhile, and not only the
 * levels. *rest is NULL if too little memory would be saved. */
tilecut_status tc_row_cache_init(tc_row_cache **rest, const tc_energy *energy, bool given, int threads);

/* Bytes of work space that a thread needs to compress and to read. */
size_t tc_row_cache_room(const tc_row_cache *rest);

/* Compresses band `band`: rows TC_BAND * band and following. Meanwhile others may read the first and the last row of
 * each band. */
void tc_row_cache_band(tc_row_cache *rest, int band, uint8_t *room);

/* Makes `view` read the rows of a compressed band, the row above and the row below them from copies in `room`. Its row
 * 0 is row *first of the image. */
void tc_row_cache_read(const tc_row_cache *rest, int band, uint8_t *room, tc_energy *view, int *first);

/* Restores the seeds, and the pixels if they are needed again; frees the cache. NULL is fine. */
void tc_row_cache_end(tc_row_cache *rest, bool pixels);
