/* SPDX-License-Identifier: MIT
 *
 * row_pack.h - keeps rows of bytes (pixels, seeds, levels) in less memory while nobody needs them, exactly.
 *
 * Rows are compressed in place, in bands of TC_BAND. A row is written as its differences from the row below it; with
 * three channels, as those of green, and how red and blue differ from green. Of 64 differences at a time only as many
 * bits are kept as the largest has. Noise stays below its size that way, and most photographs need a third. The first
 * and the last row of a band stay as they are and where they are, so that neighbouring bands can be read while this one
 * is compressed. The memory that comes free in between is given back to the system.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TC_BAND = 64 }; /* rows */

typedef struct tc_row_pack {
    uint8_t *data;    /* [height][row]; in memory that reads as zero where it was given back       */
    size_t row;       /* bytes                                                                     */
    int height;
    int channels;     /* 3: each byte belongs to one of three channels, in turns; else 1                            */
    uint32_t *length; /* [height] bytes of each compressed row; equal to `row` if the row was not compressed; owned */
} tc_row_pack;

/* Prepares for rows at `data`, which lie side by side. False: no memory. */
bool tc_row_pack_init(tc_row_pack *s, void *data, size_t row, int height, int channels);
void tc_row_pack_free(tc_row_pack *s); /* leaves the rows alone */

/* Bytes of memory that one thread works in. */
size_t tc_row_pack_room(const tc_row_pack *s);

static inline int tc_row_pack_bands(const tc_row_pack *s)
{
    return (s->height + TC_BAND - 1) / TC_BAND;
}

/* Compresses a band. Bands may be compressed, read and opened by several threads at once, each band by one. */
void tc_row_pack_band(tc_row_pack *s, int band, uint8_t *room);

/* Writes the rows of a compressed band to `rows`, [rows of the band][row]. */
void tc_row_pack_read(const tc_row_pack *s, int band, uint8_t *room, uint8_t *rows);

/* Restores a compressed band in place. */
void tc_row_pack_open(tc_row_pack *s, int band, uint8_t *room);
