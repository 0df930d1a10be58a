/* SPDX-License-Identifier: MIT */
#include "part_pieces.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Like ck_assert(), but also works in programs without Check. */
static void need(bool good, const char *what)
{
    if (good) return;
    fprintf(stderr, "pieces: no %s\n", what);
    abort();
}

void *piece_rows(const piece *p, const void *all, size_t bytes)
{
    if (!all) return NULL;
    void *const copy = malloc((size_t)p->rows * bytes);
    return memcpy(copy, (const char *)all + (size_t)p->from * bytes, (size_t)p->rows * bytes);
}

static void *cut_piece(void *context)
{
    piece *const p = context;
    const int parts = p->part.exchange->parts, above = p->number > 0;
    FILE *const file = parts % 2 ? NULL : tmpfile();
    p->part.store = file ? fileno(file) : 0;
    tilecut_part_rows(p->part.height, parts, p->number, &p->part.first, &p->part.rows);
    p->from = p->part.first - above, p->rows = p->part.rows + above + (p->number + 1 < parts);
    p->mask = malloc((size_t)p->rows * p->row);
    memset(p->mask, 99, (size_t)p->rows * p->row);
    p->cut(p);
    snprintf(p->detail, sizeof p->detail, "%s", tilecut_error_detail());
    memcpy(p->whole + (size_t)p->part.first * p->row, p->mask + (size_t)above * p->row,
           (size_t)p->part.rows * p->row);
    free(p->mask);
    if (file) fclose(file);
    return NULL;
}

void pieces_cut(piece pieces[MOST_PIECES], int parts, int height, size_t row, piece_cutter *cut, const void *of,
                uint8_t *mask, bool by_host)
{
    tilecut_exchange *exchanges;
    need(tilecut_exchange_threads(&exchanges, parts) == TILECUT_OK, "exchange");
    memset(pieces, 0, MOST_PIECES * sizeof *pieces);
    for (int i = 0; i < parts; i++) {
        exchanges[i].one_way = parts % 2; /* The answer must not depend on whether rows go one way at a time. */
        if (by_host) exchanges[i].swap_there = NULL;
        pieces[i] = (piece){.of = of, .cut = cut, .number = i, .row = row, .whole = mask,
                            .part = {.height = height, .exchange = &exchanges[i]}};
    }
    for (int i = 0; i < parts; i++)
        need(pthread_create(&pieces[i].thread, NULL, cut_piece, &pieces[i]) == 0, "thread");
    for (int i = 0; i < parts; i++) pthread_join(pieces[i].thread, NULL);
    tilecut_exchange_free(exchanges);
}

const char *piece_differs(const piece *p, const tilecut_report *one)
{
    const tilecut_report *const r = &p->report;
    if (p->status != TILECUT_OK) return p->detail;
    if (r->flow != one->flow || r->cut != one->cut || !r->certified) return "another flow";
    if (r->energy != one->energy || r->foreground != one->foreground) return "another energy or foreground";
    if (r->beta != one->beta || r->quantum != one->quantum || r->lambda != one->lambda) return "another model";
    if (strcmp(r->colors, one->colors) || r->connectivity != one->connectivity) return "other colours or neighbours";
    return r->iterations != one->iterations || r->islands != one->islands ? "other iterations or islands" : NULL;
}
