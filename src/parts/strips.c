/* SPDX-License-Identifier: MIT
 *
 * strips.c - see strips.h. A strip is solved on the host, wherever the parts lie.
 */
#include "strips.h"

#include <stdlib.h>

#include "packed_rows.h"
#include "status.h"

/* The most rows (in a volume, slices) of a strip on each side of its border: ROWS_WIDE, or ROWS_NARROW if it has at
 * most half of all columns; twice as many in the second turn. A strip has the columns of tiles with excess and up to
 * BESIDE columns next to them (docs/lab/parts.md). */
enum { ROWS_WIDE = 192, ROWS_NARROW = 256, SLICES = 16, TURNS = 2, BESIDE = 4, BESIDE_SLICES = 1 };
enum { BYTES_SENT = 1 << 20 /* about how many bytes are sent at a time */ };

/* A closed link out of the strip, and its residual. */
typedef struct shut_link {
    ptrdiff_t p;
    int direction;
    float residual;
} shut_link;

/* The state of one call: a part with its two borders. */
typedef struct visit {
    tc_part *part;
    const tc_solve_params *params;
    /* columns of tiles of the image; depth of a strip in rows or slices, on each side of a border */
    int tiles, depth;
    int lines;                 /* `depth` in rows of pixels                               */
    int *column[TC_SIDES], columns[TC_SIDES]; /* columns of tiles of the strips along both borders */
    int *all;                  /* [tiles] 0, 1, ...: the columns of a strip's grid                            */
    int most_columns;          /* the most columns of any strip in all parts                                  */
    tc_grid strip;             /* the grid of the strip along the border below; its columns are adjacent */
    shut_link *shut;           /* [shuts]                                                                     */
    size_t shuts;
    size_t row;                /* number of packed words of a row of pixels, the same in all parts */
    int most;                  /* how many rows of pixels are sent at a time                  */
    float *out, *in, *unused;  /* [most][row] */
} visit;

/* ---- Which columns ---------------------------------------------------------------------------- */

/* Lists the marked columns and all columns within `beside` of a marked one. Returns their number. The list is the same
 * in both parts. */
static int list_columns(const uint8_t *marked, int tiles, int beside, int *column)
{
    int count = 0, near = 0; /* near: how many of the next columns are within `beside` of the last marked one */
    for (int x = 0; x < tiles; x++) {
        bool take = near-- > 0;
        for (int k = x; k <= x + beside && k < tiles; k++) take |= marked[k];
        if (marked[x]) near = beside;
        if (take) column[count++] = x;
    }
    return count;
}

/* Finds the columns of both strips: those where either of the two parts has excess that reaches a sink. */
static tilecut_status find_columns(visit *v, int rows)
{
    tc_part *const part = v->part;
    const size_t tiles = (size_t)v->tiles;
    const int beside = part->volume ? BESIDE_SLICES : BESIDE;
    uint8_t *const marks = calloc(2 * TC_SIDES * tiles, 1);
    if (!marks) return tc_fail(TILECUT_ENOMEM, "no memory for the borders of a part of %d columns", part->width);
    uint8_t *const theirs = marks + TC_SIDES * tiles;
    for (int s = 0; s < TC_SIDES; s++)
        if (part->side[s].exists) part->backend->active(part, s, rows, marks + (size_t)s * tiles);
    const tilecut_status status = tc_comm_exchange_halo(part->cut, marks, marks + tiles, theirs, theirs + tiles, tiles);
    for (size_t i = 0; i < TC_SIDES * tiles; i++) marks[i] |= theirs[i];
    for (int s = 0; s < TC_SIDES; s++)
        if (part->side[s].exists)
            v->columns[s] = list_columns(marks + (size_t)s * tiles, v->tiles, beside, v->column[s]);
    free(marks);
    return status;
}

/* Over all parts, sets *least to the smallest own[0] and *most to the greatest own[1]. */
static tilecut_status agree(visit *v, const int64_t own[2], int *least, int *most)
{
    const size_t parts = (size_t)v->part->cut->with->parts;
    int64_t *const all = calloc(2 * parts, sizeof *all);
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    const tilecut_status status = tc_comm_allgather(v->part->cut, own, 2, all);
    for (size_t i = 0; i < parts; i++) {
        if (i == 0 || all[2 * i] < *least) *least = (int)all[2 * i];
        if (i == 0 || all[2 * i + 1] > *most) *most = (int)all[2 * i + 1];
    }
    free(all);
    return status;
}

/* Chooses the columns of strips, and their depth so that the two strips of a part do not overlap. A part on disk offers
 * no rows; then no part has strips. */
static tilecut_status choose(visit *v, int turn)
{
    const tc_comm *const cut = v->part->cut;
    const bool volume = v->part->volume;
    const int rows = v->part->comm.store ? 0 : cut->rows / 2;
    const int narrow = (volume ? SLICES : ROWS_NARROW) << turn, wide = (volume ? SLICES : ROWS_WIDE) << turn;
    int least = 0;
    NEED(find_columns(v, rows < narrow ? rows : narrow));
    NEED(agree(v, (int64_t[2]){rows, v->columns[TC_BELOW]}, &least, &v->most_columns));
    v->depth = v->most_columns <= v->tiles / 2 ? narrow : wide;
    if (v->depth > least) v->depth = least;
    if (v->most_columns == 0) v->depth = 0;
    v->lines = v->depth * v->part->lines;
    return TILECUT_OK;
}

/* ---- To and fro ------------------------------------------------------------------------------- */

/* Returns up to v->most rows to copy, beginning with row first + y. Rows first .. first + v->lines - 1 are half a
 * strip. */
static tc_strip_rows rows_of(const visit *v, int first, int y, const int *column, int columns)
{
    return (tc_strip_rows){first + y, v->lines - y < v->most ? v->lines - y : v->most, column, columns};
}

/* Copies the part's own rows next to the border below into the strip, or back. */
static tilecut_status copy_own(visit *v, bool back)
{
    const tc_part_backend *const backend = v->part->backend;
    const int first = (v->part->side[TC_BELOW].own + 1 - v->depth) * v->part->lines, threads = v->params->threads;
    const int columns = v->columns[TC_BELOW];
    for (int y = 0; y < v->lines; y += v->most) {
        const tc_strip_rows own = rows_of(v, first, y, v->column[TC_BELOW], columns);
        const tc_strip_rows strip = rows_of(v, 0, y, v->all, columns);
        if (back) tc_rows_copy(&v->strip, &strip, v->out, true, threads);
        NEED(backend->copy(v->part, &own, v->out, !back, threads));
        if (!back) tc_rows_copy(&v->strip, &strip, v->out, false, threads);
    }
    return TILECUT_OK;
}

/* Returns `rows` if they are needed. Otherwise returns NULL if the exchange can send one way only, and `of_no_use` if
 * it cannot. */
static float *if_needed(const visit *v, bool needed, float *rows, float *of_no_use)
{
    if (needed) return rows;
    return v->part->cut->with->one_way ? NULL : of_no_use;
}

/* Sends the rows along the border above to the part above, and copies the rows from below into the strip or, with
 * `back`, the other way. */
static tilecut_status send_rows(visit *v, bool back)
{
    tc_part *const part = v->part;
    const tc_part_backend *const backend = part->backend;
    const bool above = v->columns[TC_ABOVE] > 0, below = v->columns[TC_BELOW] > 0;
    const int threads = v->params->threads, first = part->side[TC_ABOVE].own * part->lines;
    for (int y = 0; y < v->lines; y += v->most) {
        const tc_strip_rows own = rows_of(v, first, y, v->column[TC_ABOVE], v->columns[TC_ABOVE]);
        const tc_strip_rows strip = rows_of(v, v->lines, y, v->all, v->columns[TC_BELOW]);
        if (back && below) tc_rows_copy(&v->strip, &strip, v->out, true, threads);
        if (!back && above) NEED(backend->copy(part, &own, v->out, true, threads));
        NEED(tc_comm_exchange_halo(part->cut, if_needed(v, !back && above, v->out, v->out),
                           if_needed(v, back && below, v->out, v->out),
                           if_needed(v, back && above, v->in, back ? v->in : v->unused),
                           if_needed(v, !back && below, v->in, back ? v->unused : v->in),
                           (size_t)own.count * v->row * sizeof(float)));
        if (back && above) NEED(backend->copy(part, &own, v->in, false, threads));
        if (!back && below) tc_rows_copy(&v->strip, &strip, v->in, false, threads);
    }
    return TILECUT_OK;
}

/* ---- The strip -------------------------------------------------------------------------------- */

/* Closes the link of pixel x of row `line` in direction d, and records its residual. */
static void shut_link_of(visit *v, int x, int line, int d)
{
    const ptrdiff_t p = (ptrdiff_t)tc_packed_at(&v->strip, x, line);
    float *const link = tc_residual(&v->strip, p, d);
    if (*link == 0) return;
    v->shut[v->shuts++] = (shut_link){p, d, *link};
    *link = 0;
}

/* Closes the links of a row or slice over one side. The next function closes those of a column of pixels in some
 * directions. */
static void shut_row(visit *v, int y, int side)
{
    const int lines = v->part->lines;
    for (int line = y * lines; line < (y + 1) * lines; line++)
        for (int x = 0; x < v->strip.width; x++)
            for (int k = 0; k < v->part->kinds; k++)
                shut_link_of(v, x, line, tc_side_link_of(v->part, side, k).direction);
}

static void shut_column(visit *v, int x, const int direction[TC_KINDS])
{
    for (int line = 0; line < 2 * v->lines; line++)
        for (int k = 0; k < v->part->kinds; k++) shut_link_of(v, x, line, direction[k]);
}

/* Closes all links that lead out of the strip, and those between columns that are no neighbours in the image. */
static tilecut_status shut_strip(visit *v)
{
    static const int left[TC_KINDS] = {TC_LEFT, TC_UP_LEFT, TC_DOWN_LEFT};
    static const int right[TC_KINDS] = {TC_RIGHT, TC_UP_RIGHT, TC_DOWN_RIGHT};
    const int *const column = v->column[TC_BELOW], count = v->columns[TC_BELOW];
    const size_t across = 2 * (size_t)v->strip.width * (size_t)v->part->lines;
    const size_t along = 2 * (size_t)count * 2 * (size_t)v->lines;
    v->shut = malloc((across + along) * (size_t)v->part->kinds * sizeof *v->shut);
    if (!v->shut) return tc_fail(TILECUT_ENOMEM, "no memory for the edges of a strip of %d columns", v->strip.width);
    shut_row(v, 0, TC_ABOVE);
    shut_row(v, 2 * v->depth - 1, TC_BELOW);
    for (int i = 0; i < count; i++) {
        if (i == 0 || column[i - 1] != column[i] - 1) shut_column(v, i * TC_TILE, left);
        if (i == count - 1 || column[i + 1] != column[i] + 1) shut_column(v, (i + 1) * TC_TILE - 1, right);
    }
    return TILECUT_OK;
}

static void open_strip(visit *v)
{
    for (size_t i = 0; i < v->shuts; i++) {
        const shut_link *const s = &v->shut[i];
        *tc_residual(&v->strip, s->p, s->direction) = s->residual;
    }
}

static tilecut_status solve_strip(visit *v, const tc_solver *solver, tc_solve_stats *stats)
{
    NEED(copy_own(v, false));
    NEED(shut_strip(v));
    NEED(tc_rows_solve(v->part, &v->strip, solver, v->params, stats));
    open_strip(v);
    return copy_own(v, true);
}

/* ---- A visit ---------------------------------------------------------------------------------- */

static tilecut_status open_visit(visit *v)
{
    v->tiles = (v->part->width / v->part->lines + TC_TILE - 1) / TC_TILE;
    v->all = calloc((TC_SIDES + 1) * (size_t)v->tiles, sizeof *v->all);
    if (!v->all) return tc_fail(TILECUT_ENOMEM, "no memory for the borders of a part of %d columns", v->part->width);
    for (int s = 0; s < TC_SIDES; s++) v->column[s] = v->all + (s + 1) * v->tiles;
    for (int i = 0; i < v->tiles; i++) v->all[i] = i;
    return TILECUT_OK;
}

static tilecut_status open_strips(visit *v)
{
    const tc_part *const part = v->part;
    const size_t bytes = tc_packed_words(part) * (size_t)v->most_columns * sizeof(float);
    v->row = bytes / sizeof(float);
    v->most = (int)(BYTES_SENT / bytes) + 1;
    if (v->most > v->lines) v->most = v->lines;
    v->out = calloc(3 * (size_t)v->most * v->row, sizeof *v->out);
    if (!v->out) return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d columns", part->width);
    v->in = v->out + (size_t)v->most * v->row;
    v->unused = v->in + (size_t)v->most * v->row;
    if (!v->columns[TC_BELOW]) return TILECUT_OK;
    return tc_rows_init(part, v->columns[TC_BELOW] * TC_TILE, 2 * v->depth, &v->strip);
}

tilecut_status tc_strips_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats, bool *done)
{
    visit v = {.part = part, .params = params};
    tilecut_status status = TILECUT_OK;

    *done = false;
    if (!tc_part_has_strips(part) || part->strips == TURNS || part->cut->with->parts == 1) return TILECUT_OK;
    /* a volume needs a wave before the second turn: docs/lab/parts.md */
    if (part->volume && part->strips > part->waves) return TILECUT_OK;
    TRY(open_visit(&v));
    TRY(choose(&v, part->strips++));
    if (v.depth == 0 || (!part->volume && v.depth <= part->depth)) goto done;
    *done = true;
    part->depth = v.depth;
    TRY(open_strips(&v));
    TRY(send_rows(&v, false));
    if (v.columns[TC_BELOW]) TRY(solve_strip(&v, solver, stats));
    TRY(send_rows(&v, true));
done:
    tc_grid_free(&v.strip);
    free(v.shut);
    free(v.out);
    free(v.all);
    return status;
}
