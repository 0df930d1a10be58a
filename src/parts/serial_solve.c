/* SPDX-License-Identifier: MIT
 *
 * serial_solve.c - see serial_solve.h. Rows go to the first part and back as sums, to which each part contributes its
 * own rows and zeros elsewhere: a sum is the only exchange between parts that are not neighbours.
 */
#include "serial_solve.h"

#include <stdlib.h>
#include <string.h>

#include "packed_rows.h"
#include "status.h"

/* WAVES: after this many waves, one part solves alone. MOST_NODES: the most nodes, in whole tiles, for that (a photo of
 * a megapixel; the first part then needs less memory than all parts did together). SENT_WORDS: words sent at a time. */
enum { WAVES = 16, MOST_NODES = 1 << 20, SENT_WORDS = 1 << 16 };

typedef struct gathering {
    tc_part *part;
    const tc_solve_params *params;
    tc_grid grid;        /* the grid of the whole image; only the first part has it                                   */
    int *column, tiles;  /* [tiles] the numbers of the columns of tiles: 0, 1, ...; how many columns there are      */
    int lines;           /* rows of pixels of the whole image                                                         */
    /* the part's own rows are rows first .. end - 1 of the whole image; row `first` is row `own` of the part's grid */
    int first, end, own;
    size_t row;          /* number of packed words of a row                                                           */
    int most;            /* how many rows are sent at a time                                                          */
    double *sent;        /* [most][row]                                                                               */
    float *packed;       /* [most][row]                                                                               */
} gathering;

static bool is_first(const gathering *g)
{
    return g->part->cut->with->part == 0;
}

/* Sets *can to true if all parts can send rows, and the whole image is small. */
static tilecut_status can_gather(const tc_part *part, bool *can)
{
    const int64_t across = (part->width / part->lines + TC_TILE - 1) / TC_TILE, tall = part->volume ? part->lines
                                                                                                   : part->cut->height;
    const int64_t slices = part->volume ? part->cut->height : 1;
    bool cannot = !tc_part_has_strips(part) || part->comm.store;
    NEED(tc_comm_any(part->cut, &cannot));
    *can = !cannot && across * ((tall + TC_TILE - 1) / TC_TILE) * TC_TILE_NODES * slices <= MOST_NODES;
    return TILECUT_OK;
}

static tilecut_status open_gathering(gathering *g)
{
    const tc_part *const part = g->part;
    const tc_comm *const cut = part->cut;
    g->tiles = (part->width / part->lines + TC_TILE - 1) / TC_TILE;
    g->row = tc_packed_words(part) * (size_t)g->tiles;
    g->most = (int)(SENT_WORDS / g->row) + 1;
    g->lines = cut->height * part->lines;
    g->first = (cut->above + cut->first) * part->lines;
    g->end = g->first + cut->rows * part->lines;
    g->own = cut->first * part->lines;
    g->column = malloc((size_t)g->tiles * sizeof *g->column);
    g->sent = malloc((size_t)g->most * g->row * sizeof *g->sent);
    g->packed = malloc((size_t)g->most * g->row * sizeof *g->packed);
    if (!g->column || !g->sent || !g->packed)
        return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d columns", part->width);
    for (int i = 0; i < g->tiles; i++) g->column[i] = i;
    return is_first(g) ? tc_rows_init(part, part->width / part->lines, cut->height, &g->grid) : TILECUT_OK;
}

static void close_gathering(gathering *g)
{
    tc_grid_free(&g->grid);
    free(g->column);
    free(g->sent);
    free(g->packed);
}

/* With `out`, copies packed words to the words that are sent, beginning at word `at`; else copies them back. */
static void move_packed(gathering *g, size_t at, int rows, bool out)
{
    for (size_t i = 0; i < (size_t)rows * g->row; i++)
        if (out) g->sent[at + i] = g->packed[i];
        else g->packed[i] = (float)g->sent[at + i];
}

/* Sends rows y .. y + count - 1 of the whole image from the parts to the first part's grid or, with `back`, from there
 * to the parts. */
static tilecut_status send_some(gathering *g, int y, int count, bool back)
{
    tc_part *const part = g->part;
    const int from = y > g->first ? y : g->first, to = y + count < g->end ? y + count : g->end;
    const int threads = g->params->threads;
    const tc_strip_rows all = {y, count, g->column, g->tiles};
    const tc_strip_rows own = {g->own + from - g->first, to - from, g->column, g->tiles};
    const size_t at = (size_t)(from - y) * g->row;
    memset(g->sent, 0, (size_t)count * g->row * sizeof *g->sent);
    if (back && is_first(g)) {
        tc_rows_copy(&g->grid, &all, g->packed, true, threads);
        move_packed(g, 0, count, true);
    } else if (!back && from < to) {
        NEED(part->backend->copy(part, &own, g->packed, true, threads));
        move_packed(g, at, own.count, true);
    }
    NEED(tc_comm_allreduce_whole(part->cut, g->sent, (size_t)count * g->row));
    if (!back && is_first(g)) {
        move_packed(g, 0, count, false);
        tc_rows_copy(&g->grid, &all, g->packed, false, threads);
    } else if (back && from < to) {
        move_packed(g, at, own.count, false);
        NEED(part->backend->copy(part, &own, g->packed, false, threads));
    }
    return TILECUT_OK;
}

static tilecut_status send_all(gathering *g, bool back)
{
    for (int y = 0; y < g->lines; y += g->most)
        NEED(send_some(g, y, g->lines - y < g->most ? g->lines - y : g->most, back));
    return TILECUT_OK;
}

tilecut_status tc_serial_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                                 tc_solve_stats *stats, bool *done)
{
    gathering g = {.part = part, .params = params};
    tilecut_status status = TILECUT_OK;

    *done = false;
    if (part->waves != WAVES || part->cut->with->parts == 1) return TILECUT_OK;
    NEED(can_gather(part, done));
    if (!*done) return TILECUT_OK;
    TRY(open_gathering(&g));
    TRY(send_all(&g, false));
    if (is_first(&g)) TRY(tc_rows_solve(part, &g.grid, solver, params, stats));
    TRY(send_all(&g, true));
done:
    close_gathering(&g);
    return status;
}
