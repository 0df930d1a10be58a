/* SPDX-License-Identifier: MIT
 *
 * part_pieces.h - cuts one image or volume by several threads. Each thread has some rows (slices of a volume) and the
 * halo around them, and calls a function of the test.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "tilecut_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_PIECES = 8 };

typedef struct piece piece;

/* Cuts rows p->from .. p->from + p->rows - 1 of p->of into p->mask, and sets p->status, p->report and p->more. */
typedef void piece_cutter(piece *p);

struct piece {
    const void *of;
    piece_cutter *cut;
    int number;
    tilecut_part part;
    int from, rows; /* with the halo */
    size_t row;     /* size of a row of the mask in bytes */
    uint8_t *mask;  /* mask of the part's own rows */
    uint8_t *whole; /* mask of all rows */
    tilecut_status status;
    tilecut_report report;
    tilecut_part_report more;
    char detail[320];
    pthread_t thread;
};

/* Cuts all rows in `parts` parts. `mask` holds all rows: each part writes its own, and 99 remains where no part has
 * written. If the number of parts is even, grids are kept in files. `by_host` exchanges rows through the host instead
 * of from device to device. */
void pieces_cut(piece pieces[MOST_PIECES], int parts, int height, size_t row, piece_cutter *cut, const void *of,
                uint8_t *mask, bool by_host);

/* Returns how the piece's answer differs from that of one part, or the piece's error; NULL if they are equal. */
const char *piece_differs(const piece *p, const tilecut_report *one);

/* Copies the piece's rows out of `all` into memory of its own, so that sanitizers see reads beyond them. Returns NULL
 * if `all` is NULL. */
void *piece_rows(const piece *p, const void *all, size_t bytes);

#ifdef __cplusplus
}
#endif
