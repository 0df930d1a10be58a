/* SPDX-License-Identifier: MIT
 *
 * row_pack.h - lossless compression of rows of bytes (pixels, seeds, levels) while they are not needed.
 *
 * Rows are compressed in place, in bands of TC_BAND. A row is stored as its differences from the row below it; with
 * three channels, as the differences of green, and those of red and blue relative to green. Each block of 64
 * differences is stored with as many bits as its largest one needs. Even noisy images become smaller that way, and most
 * photographs need a third of their size. The first and the last row of a band stay uncompressed and in place, so that
 * neighbouring bands can be read while this one is compressed. The memory that becomes free in between is returned to
 * the system.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TC_BAND = 64 }; /* rows */

typedef struct tc_row_pack {
    uint8_t *data;    /* [height][row] the rows. Pages returned to the system read as zero                 */
    size_t row;       /* bytes                                                                     */
    int height;
    int channels;     /* 3: bytes belong to three channels in turn; else 1                                          */
    uint32_t *length; /* [height] bytes of each compressed row; equal to `row` if the row is not compressed; owned */
} tc_row_pack;

/* Prepares for rows at `data`, which lie one after the other. Returns false if there is no memory. */
bool tc_row_pack_init(tc_row_pack *s, void *data, size_t row, int height, int channels);
void tc_row_pack_free(tc_row_pack *s); /* does not free the rows */

/* The bytes of work space that one thread needs. */
size_t tc_row_pack_room(const tc_row_pack *s);

static inline int tc_row_pack_bands(const tc_row_pack *s)
{
    return (s->height + TC_BAND - 1) / TC_BAND;
}

/* Compresses a band. Several threads may compress, read and open different bands at the same time. */
void tc_row_pack_band(tc_row_pack *s, int band, uint8_t *room);

/* Decompresses a band to `rows`, [rows of the band][row]. */
void tc_row_pack_read(const tc_row_pack *s, int band, uint8_t *room, uint8_t *rows);

/* Restores a compressed band in place. */
void tc_row_pack_open(tc_row_pack *s, int band, uint8_t *room);
