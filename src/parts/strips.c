/* SPDX-License-Identifier: MIT
 *
 * strips.c - see strips.h. A strip is solved on the host, wherever the parts lie.
 */
#include "strips.h"

#include <stdlib.h>

#include "packed_rows.h"
#include "status.h"

/* Rows on either side, at most, the first time; twice as many the next time. Of eight images in four parts, six need
 * more after strips of 64 rows, two after 128. Those of 256 at once take more time than that (docs/design/parts.md). */
enum { ROWS_FIRST = 128, TURNS = 2, BYTES_SENT = 1 << 20 /* at a time */ };

/* Closes the links of a row of the strip that lead out of it. */
static void shut(const tc_grid *strip, int y, int side)
{
    for (int x = 0; x < strip->width; x++)
        for (int k = 0; k < (strip->diagonal ? TC_KINDS : 1); k++)
            *tc_residual(strip, (ptrdiff_t)tc_grid_at(strip, x, y), tc_side_direction[side][k]) = 0;
}

/* All that a part does with its two borders. */
typedef struct visit {
    tc_part *part;
    const tc_solve_params *params;
    int depth;
    tc_grid strip;             /* along the border below */
    size_t row, most;          /* words of a row; rows that are sent at a time */
    float *out, *in, *unused;  /* [most][row] */
} visit;

/* Copies the part's own rows beside the border below into the strip, or back. */
static tilecut_status copy_own(visit *v, bool back)
{
    const tc_ground *const ground = v->part->ground;
    const int first = v->part->side[TC_BELOW].own + 1 - v->depth, threads = v->params->threads;
    for (int y = 0; y < v->depth; y += (int)v->most) {
        const int some = v->depth - y < (int)v->most ? v->depth - y : (int)v->most;
        if (back) tc_rows_pack(&v->strip, y, some, v->out, threads);
        else NEED(ground->pack(v->part, first + y, some, v->out, threads));
        if (back) NEED(ground->unpack(v->part, first + y, some, v->out, first, TC_ABOVE, threads));
        else tc_rows_unpack(&v->strip, y, some, v->out, -1, TC_ABOVE, threads);
    }
    return TILECUT_OK;
}

/* Sends the rows beside the border above to the part there, and takes those from below into the strip; or back. Each
 * part sends in both directions at once; what goes the other way is of no use. */
static tilecut_status send_rows(visit *v, bool back)
{
    tc_part *const part = v->part;
    const tc_ground *const ground = part->ground;
    const bool above = part->side[TC_ABOVE].there, below = part->side[TC_BELOW].there;
    const int threads = v->params->threads, last = part->side[TC_ABOVE].own + v->depth - 1;
    for (int y = 0; y < v->depth; y += (int)v->most) {
        const int some = v->depth - y < (int)v->most ? v->depth - y : (int)v->most;
        const int own = part->side[TC_ABOVE].own + y, strip = v->depth + y;
        if (back && below) tc_rows_pack(&v->strip, strip, some, v->out, threads);
        if (!back && above) NEED(ground->pack(part, own, some, v->out, threads));
        NEED(tc_whole_swap(part->cut, v->out, v->out, back ? v->in : v->unused, back ? v->unused : v->in,
                           (size_t)some * v->row * sizeof(float)));
        if (back && above) NEED(ground->unpack(part, own, some, v->in, last, TC_BELOW, threads));
        if (!back && below) tc_rows_unpack(&v->strip, strip, some, v->in, -1, TC_BELOW, threads);
    }
    return TILECUT_OK;
}

static tilecut_status solve_strip(visit *v, const tc_solver *solver, tc_solve_stats *stats)
{
    tc_solve_stats now = {0};
    NEED(copy_own(v, false));
    shut(&v->strip, 0, TC_ABOVE);
    shut(&v->strip, 2 * v->depth - 1, TC_BELOW);
    if (!solver || solver->can & TC_ON_CUDA) solver = tc_solver_again(&v->strip, true);
    NEED(tc_solver_solve(solver, &v->strip, v->params, &now));
    v->part->whole.told.solves++;
    now.bytes += tc_grid_bytes(&v->strip);
    if (now.bytes > stats->bytes) stats->bytes = now.bytes;
    return copy_own(v, true);
}

/* How many rows strips have on either side: in no part two of them overlap. A part on disk offers none, and then there
 * are no strips. */
static tilecut_status agree_depth(tc_part *part, int turn, int *depth)
{
    tc_whole *const cut = part->cut;
    const size_t parts = (size_t)cut->with->parts;
    const int64_t own = part->whole.store ? 0 : cut->rows / 2;
    int64_t *const all = calloc(parts, sizeof *all);
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    const tilecut_status status = tc_whole_gather(cut, &own, 1, all);
    *depth = ROWS_FIRST << turn;
    for (size_t i = 0; i < parts; i++)
        if (all[i] < *depth) *depth = (int)all[i];
    free(all);
    return status;
}

static tilecut_status open_visit(visit *v)
{
    const tc_part *const part = v->part;
    v->row = tc_packed_words(part->width, part->kinds);
    v->most = BYTES_SENT / (v->row * sizeof(float)) + 1;
    if (v->most > (size_t)v->depth) v->most = (size_t)v->depth;
    v->out = calloc(3 * v->most * v->row, sizeof *v->out);
    if (!v->out) return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d columns", part->width);
    v->in = v->out + v->most * v->row;
    v->unused = v->in + v->most * v->row;
    if (!part->side[TC_BELOW].there) return TILECUT_OK;
    NEED(tc_grid_init(&v->strip, part->width, 2 * v->depth, part->kinds > 1 ? 8 : 4));
    v->strip.by_rows = true;
    return TILECUT_OK;
}

tilecut_status tc_strips_solve(tc_part *part, int turn, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats, bool *done)
{
    visit v = {.part = part, .params = params};
    tilecut_status status = TILECUT_OK;

    *done = false;
    if (turn >= TURNS || part->cut->with->parts == 1) return TILECUT_OK;
    NEED(agree_depth(part, turn, &v.depth));
    if (v.depth <= (turn ? ROWS_FIRST << (turn - 1) : 0)) return TILECUT_OK; /* none, or no deeper than before */
    *done = true;
    TRY(open_visit(&v));
    TRY(send_rows(&v, false));
    if (part->side[TC_BELOW].there) TRY(solve_strip(&v, solver, stats));
    TRY(send_rows(&v, true));
done:
    tc_grid_free(&v.strip);
    free(v.out);
    return status;
}
