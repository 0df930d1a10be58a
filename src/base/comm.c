/* SPDX-License-Identifier: MIT
 *
 * comm.c - see comm.h. All sums are of whole numbers in 64 bits, so the number and order of parts do not matter.
 */
#include "comm.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

static tilecut_status left(tc_comm *comm, int broken)
{
    comm->broken = broken != 0;
    return tc_comm_check(comm);
}

tilecut_status tc_comm_check(const tc_comm *comm)
{
    if (!comm || !comm->broken) return TILECUT_OK;
    return tc_fail(TILECUT_ECANCELLED, "another part of the image has failed");
}

/* Called when the part begins an exchange with the other parts and may have to wait for them. */
static void begin_collective(tc_comm *comm)
{
    if (comm->rest) comm->rest(comm->idle);
    comm->report.meetings++;
}

tilecut_status tc_comm_allreduce(tc_comm *comm, int64_t *values, size_t count)
{
    if (!comm || comm->broken) return tc_comm_check(comm);
    begin_collective(comm);
    comm->report.sent += (int64_t)(count * sizeof *values);
    return left(comm, comm->with->sum(comm->with->context, values, count));
}

/* The sums of 32-bit or floating point numbers are made in pieces of this many numbers, because parts that wait for
 * others still hold their memory. */
enum { AT_A_TIME = 1 << 16 };

/* Adds either `words` or `numbers` over all parts; the other one is NULL. If there is no memory, this part fails and
 * leaves the exchange later. */
static tilecut_status sum_narrow(tc_comm *comm, uint32_t *words, double *numbers, size_t count)
{
    if (!comm) return TILECUT_OK;
    tilecut_status status = TILECUT_OK;
    int64_t *const sums = malloc((count < AT_A_TIME ? count + 1 : AT_A_TIME) * sizeof *sums);
    if (!sums) return tc_fail(TILECUT_ENOMEM, "no memory to add %zu numbers of several parts", count);
    for (size_t first = 0; status == TILECUT_OK && first < count; first += AT_A_TIME) {
        const size_t some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        for (size_t i = 0; i < some; i++) sums[i] = words ? words[first + i] : (int64_t)numbers[first + i];
        status = tc_comm_allreduce(comm, sums, some);
        for (size_t i = 0; status == TILECUT_OK && i < some; i++)
            if (words) words[first + i] = (uint32_t)sums[i];
            else numbers[first + i] = (double)sums[i];
    }
    free(sums);
    return status;
}

tilecut_status tc_comm_allreduce32(tc_comm *comm, uint32_t *values, size_t count)
{
    return sum_narrow(comm, values, NULL, count);
}

tilecut_status tc_comm_allreduce_whole(tc_comm *comm, double *values, size_t count)
{
    return sum_narrow(comm, NULL, values, count);
}

tilecut_status tc_comm_any(tc_comm *comm, bool *any)
{
    int64_t count = *any;
    const tilecut_status status = tc_comm_allreduce(comm, &count, 1);
    *any = count > 0;
    return status;
}

tilecut_status tc_comm_allgather(tc_comm *comm, const int64_t *values, size_t count, int64_t *all)
{
    memset(all, 0, (size_t)comm->with->parts * count * sizeof *all);
    memcpy(all + (size_t)comm->with->part * count, values, count * sizeof *all);
    return tc_comm_allreduce(comm, all, (size_t)comm->with->parts * count);
}

tilecut_status tc_comm_range(tc_comm *comm, double range[2])
{
    int64_t own[2];
    if (!comm) return TILECUT_OK;
    const size_t parts = (size_t)comm->with->parts;
    int64_t *const all = calloc(2 * parts, sizeof *all);
    tilecut_status status = TILECUT_OK;
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    memcpy(own, range, sizeof own); /* copies the bits of both numbers */
    TRY(tc_comm_allgather(comm, own, 2, all));
    for (size_t i = 0; i < parts; i++) {
        double of[2];
        memcpy(of, all + 2 * i, sizeof of);
        range[0] = of[0] < range[0] ? of[0] : range[0];
        range[1] = of[1] > range[1] ? of[1] : range[1];
    }
done:
    free(all);
    return status;
}

tilecut_status tc_comm_broadcast(tc_comm *comm, int from, int64_t *words, size_t count)
{
    if (comm && comm->with->part != from) memset(words, 0, count * sizeof *words);
    return tc_comm_allreduce(comm, words, count);
}

tilecut_status tc_comm_exchange_halo(tc_comm *comm, const void *to_above, const void *to_below, void *from_above,
                              void *from_below, size_t bytes)
{
    if (comm->broken) return tc_comm_check(comm);
    begin_collective(comm);
    comm->report.sent += (int64_t)bytes * ((tc_has_above(comm) && to_above) + (tc_has_below(comm) && to_below));
    return left(comm, comm->with->swap(comm->with->context, to_above, to_below, from_above, from_below, bytes));
}

tilecut_status tc_comm_exchange_halo_device(tc_comm *comm, const void *to_above, const void *to_below, void *from_above,
                                   void *from_below, size_t bytes)
{
    const int64_t sent = (int64_t)bytes * (tc_has_above(comm) + tc_has_below(comm));
    const tilecut_exchange *const with = comm->with;
    if (comm->broken) return tc_comm_check(comm);
    begin_collective(comm);
    comm->report.sent += sent;
    comm->report.direct += sent;
    const int result = with->swap_there(with->context, to_above, to_below, from_above, from_below, bytes);
    /* a negative result means that the error has been reported */
    return result < 0 ? TILECUT_EDEVICE : left(comm, result);
}

/* ---- Boxes around labels ------------------------------------------------------------------------ */

/* Returns the last column after `least` that has the label, or `least` if there is none. Tests eight columns at a time:
 * only a byte that is 0 leaves a high bit in the word. */
static int last_column(const uint8_t *seed, int width, int least, uint8_t label)
{
    const uint64_t ones = UINT64_MAX / UINT8_MAX;
    int last = width - 1;
    for (; last - 7 > least; last -= 8) {
        uint64_t word;
        memcpy(&word, seed + last - 7, sizeof word);
        word ^= ones * label;
        if ((word - ones) & ~word & ones << 7) break;
    }
    while (last > least && seed[last] != label) last--;
    return last;
}

/* Reads only pixels that could widen the box. */
tc_extent tc_extent_of(const uint8_t *seeds, int width, int height, uint8_t label)
{
    tc_extent box = {width, -1, height, -1};
    for (int y = 0; y < height; y++) {
        const uint8_t *const seed = seeds + (size_t)y * (size_t)width;
        const uint8_t *const first = memchr(seed, label, (size_t)width);
        if (!first) continue;
        const int last = last_column(seed, width, box.x1, label);
        if (first - seed < box.x0) box.x0 = (int)(first - seed);
        if (last > box.x1) box.x1 = last;
        if (y < box.y0) box.y0 = y;
        box.y1 = y;
    }
    return box;
}

tilecut_status tc_extent_across(tc_extent *box, tc_comm *comm)
{
    if (!comm) return TILECUT_OK;
    const int64_t above = comm->above + comm->first;
    const int64_t own[4] = {box->x0, box->x1, box->y0 + above, box->y1 + above};
    const size_t parts = (size_t)comm->with->parts;
    int64_t *const all = malloc(parts * sizeof own);
    tilecut_status status = TILECUT_OK;
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    TRY(tc_comm_allgather(comm, own, 4, all));
    *box = (tc_extent){INT32_MAX, -1, INT32_MAX, -1};
    for (size_t i = 0; i < parts; i++) {
        const int64_t *const of = &all[4 * i];
        const tc_extent one = {(int)of[0], (int)of[1], (int)of[2], (int)of[3]};
        if (one.x1 >= one.x0) tc_extent_join(box, &one);
    }
done:
    free(all);
    return status;
}

/* Finds the bounding box of a label in this part's slices: columns and rows in `across`, slices in `along`, where each
 * slice counts as `unit` rows. */
static void box_of_own(const uint8_t *seeds, const tc_slices *l, uint8_t label, int unit, tc_extent of[2])
{
    tc_extent *const across = &of[0], *const along = &of[1];
    *across = (tc_extent){l->width, -1, l->rows, -1};
    *along = (tc_extent){0, -1, 0, -1};
    for (int z = 0; z < l->slices; z++) {
        const tc_extent box = tc_extent_of(seeds + (size_t)z * (size_t)l->rows * (size_t)l->width, l->width,
                                           l->rows, label);
        if (box.x1 < box.x0) continue;
        if (along->x1 < 0) *along = (tc_extent){0, 0, z * unit, z * unit};
        along->y1 = z * unit;
        tc_extent_join(across, &box);
    }
}

tilecut_status tc_box_in_space(const uint8_t *seeds, const tc_slices *l, uint8_t label, tc_comm *comm,
                               bool by_slices, tc_block *box)
{
    const int unit = by_slices ? 1 : l->rows;
    tc_extent of[2], rows;
    box_of_own(seeds, l, label, unit, of);
    /* rows of a slice are the same in all parts, as columns are, so they are passed as columns */
    rows = (tc_extent){of[0].y0, of[0].y1, 0, 0};
    NEED(tc_extent_across(&of[1], comm));
    NEED(tc_extent_across(&rows, comm));
    NEED(tc_extent_across(&of[0], comm));
    *box = (tc_block){.x = 0};
    if (of[0].x1 >= of[0].x0)
        *box = (tc_block){of[0].x0, rows.x0, of[1].y0 / unit, of[0].x1 - of[0].x0 + 1, rows.x1 - rows.x0 + 1,
                          (of[1].y1 - of[1].y0) / unit + 1};
    return TILECUT_OK;
}
