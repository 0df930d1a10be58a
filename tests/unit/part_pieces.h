/* SPDX-License-Identifier: MIT
 *
 * part_pieces.h - one image or volume cut by several threads, each with some of its rows (of a volume: slices) and the
 * halo around them. What a thread calls is the test's.
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

/* Cuts rows from .. from + rows - 1 of p->of into p->mask, and fills in p->status, report and more. */
typedef void piece_cutter(piece *p);

struct piece {
    const void *of;
    piece_cutter *cut;
    int number;
    tilecut_part part;
    int from, rows; /* halo included                   */
    size_t row;     /* bytes of a row in masks        */
    uint8_t *mask;  /* of its rows                    */
    uint8_t *whole; /* of all rows                    */
    tilecut_status status;
    tilecut_report report;
    tilecut_part_report more;
    char detail[320];
    pthread_t thread;
};

/* Cuts all rows in `parts` parts. `mask`: all rows; each part writes its own, and 99 stays where none has written. Odd
 * and even numbers of parts take turns in keeping grids in files. `by_host`: rows are exchanged through the host, not
 * from device to device. */
void pieces_cut(piece pieces[MOST_PIECES], int parts, int height, size_t row, piece_cutter *cut, const void *of,
                uint8_t *mask, bool by_host);

/* What differs between the piece's answer and that of one part, or the piece's error; NULL: they are equal. */
const char *piece_differs(const piece *p, const tilecut_report *one);

/* Copies the piece's rows out of all rows, so that sanitizers see reads beyond them. NULL if `all` is NULL. */
void *piece_rows(const piece *p, const void *all, size_t bytes);

#ifdef __cplusplus
}
#endif
