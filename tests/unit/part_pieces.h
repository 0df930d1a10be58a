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

/* Cuts all rows in so many parts. `mask`, of all rows, gets what each part has written to its own; 99 where it wrote
 * nothing. Every other number of parts keeps its grids in files. By the host: rows do not go from device to device. */
void pieces_cut(piece pieces[MOST_PIECES], int parts, int height, size_t row, piece_cutter *cut, const void *of,
                uint8_t *mask, bool by_host);

/* How the piece's answer is not that of one part, and what it says where it has none; NULL: it is. */
const char *piece_differs(const piece *p, const tilecut_report *one);

/* Bytes of the piece's rows, copied out of those of all rows: so reading beyond them is an error that sanitizers see.
 * NULL of NULL. */
void *piece_rows(const piece *p, const void *all, size_t bytes);

#ifdef __cplusplus
}
#endif
