/* SPDX-License-Identifier: MIT
 *
 * drain_memory.c - the memory of drain.c.
 */
#include <stdlib.h>

#include "drain.h"

typedef tc_drain_worker worker;

/* How many tiles of the next row touch a tile. Each of them may list the tile once per level. */
enum { SENDERS = TC_DIAGONALS ? 3 : 1 };

static size_t places(const tc_drain *s)
{
    return (size_t)s->row_tiles * (size_t)(2 * s->rows + 4 * SENDERS);
}

size_t tc_drain_bytes(const tc_drain *s)
{
    const size_t rows = (size_t)s->rows, tiles = (size_t)s->row_tiles * rows;
    return tiles * sizeof *s->board + (size_t)s->threads * (places(s) * sizeof(int) + rows * sizeof(tc_drain_row) +
                                                            sizeof *s->worker);
}

static bool take_queues(worker *w)
{
    const size_t across = (size_t)w->s->row_tiles, rows = (size_t)w->s->rows;
    int *place = malloc(places(w->s) * sizeof *place);
    w->own.tile[0] = place;
    w->own.row = calloc(rows, sizeof *w->own.row);
    if (!place || !w->own.row) return false;
    w->own.tile[1] = place += rows * across;
    place += rows * across;
    for (int i = 0; i < 4; i++, place += SENDERS * across) w->noted[i / 2][i % 2] = place;
    w->queue = w->own;
    return true;
}

bool tc_drain_take(tc_drain *s)
{
    s->row_tiles = tc_row_tiles(s->grid);
    s->rows = tc_rows(s->grid);
    s->board = tc_boards_take(s->row_tiles * s->rows);
    s->worker = calloc((size_t)s->threads, sizeof *s->worker);
    s->weight = malloc((size_t)s->rows * sizeof *s->weight);
    s->first_row = malloc((size_t)(2 * s->threads + 1) * sizeof *s->first_row);
    if (!s->board || !s->worker || !s->weight || !s->first_row) return false;
    for (int i = 0; i < s->threads; i++) {
        worker *const w = &s->worker[i];
        w->s = s;
        w->mate = w, w->mates = 1;
        if (!take_queues(w)) return false;
    }
    return true;
}

void tc_drain_release(tc_drain *s)
{
    for (int i = 0; s->worker && i < s->threads; i++) {
        free(s->worker[i].own.tile[0]);
        free(s->worker[i].own.row);
    }
    free(s->worker);
    free(s->board);
    free(s->weight);
    free(s->first_row);
}
