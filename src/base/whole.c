/* SPDX-License-Identifier: MIT
 *
 * whole.c - see whole.h. Every sum is of whole numbers in 64 bits, so the number and order of parts does not matter.
 */
#include "whole.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

static tilecut_status left(tc_whole *whole, int broken)
{
    whole->broken = broken != 0;
    return tc_whole_check(whole);
}

tilecut_status tc_whole_check(const tc_whole *whole)
{
    if (!whole || !whole->broken) return TILECUT_OK;
    return tc_fail(TILECUT_ECANCELLED, "another part of the image has failed");
}

/* The part meets the others, and may wait for them. */
static void meet(tc_whole *whole)
{
    if (whole->rest) whole->rest(whole->idle);
    whole->told.meetings++;
}

tilecut_status tc_whole_sum(tc_whole *whole, int64_t *values, size_t count)
{
    if (!whole || whole->broken) return tc_whole_check(whole);
    meet(whole);
    whole->told.sent += (int64_t)(count * sizeof *values);
    return left(whole, whole->with->sum(whole->with->context, values, count));
}

/* Narrow numbers are added some at a time, because parts that wait hold their memory. */
enum { AT_A_TIME = 1 << 16 };

/* Adds either `words` or `numbers`. Without memory this part has failed, and leaves later. */
static tilecut_status sum_narrow(tc_whole *whole, uint32_t *words, double *numbers, size_t count)
{
    if (!whole) return TILECUT_OK;
    tilecut_status status = TILECUT_OK;
    int64_t *const sums = malloc((count < AT_A_TIME ? count + 1 : AT_A_TIME) * sizeof *sums);
    if (!sums) return tc_fail(TILECUT_ENOMEM, "no memory to add %zu numbers of several parts", count);
    for (size_t first = 0; status == TILECUT_OK && first < count; first += AT_A_TIME) {
        const size_t some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        for (size_t i = 0; i < some; i++) sums[i] = words ? words[first + i] : (int64_t)numbers[first + i];
        status = tc_whole_sum(whole, sums, some);
        for (size_t i = 0; status == TILECUT_OK && i < some; i++)
            if (words) words[first + i] = (uint32_t)sums[i];
            else numbers[first + i] = (double)sums[i];
    }
    free(sums);
    return status;
}

tilecut_status tc_whole_sum32(tc_whole *whole, uint32_t *values, size_t count)
{
    return sum_narrow(whole, values, NULL, count);
}

tilecut_status tc_whole_sum_whole(tc_whole *whole, double *values, size_t count)
{
    return sum_narrow(whole, NULL, values, count);
}

tilecut_status tc_whole_any(tc_whole *whole, bool *any)
{
    int64_t count = *any;
    const tilecut_status status = tc_whole_sum(whole, &count, 1);
    *any = count > 0;
    return status;
}

tilecut_status tc_whole_gather(tc_whole *whole, const int64_t *values, size_t count, int64_t *all)
{
    memset(all, 0, (size_t)whole->with->parts * count * sizeof *all);
    memcpy(all + (size_t)whole->with->part * count, values, count * sizeof *all);
    return tc_whole_sum(whole, all, (size_t)whole->with->parts * count);
}

tilecut_status tc_whole_range(tc_whole *whole, double range[2])
{
    int64_t own[2];
    if (!whole) return TILECUT_OK;
    const size_t parts = (size_t)whole->with->parts;
    int64_t *const all = calloc(2 * parts, sizeof *all);
    tilecut_status status = TILECUT_OK;
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    memcpy(own, range, sizeof own); /* the bits of both numbers */
    TRY(tc_whole_gather(whole, own, 2, all));
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

tilecut_status tc_whole_share(tc_whole *whole, int from, int64_t *words, size_t count)
{
    if (whole && whole->with->part != from) memset(words, 0, count * sizeof *words);
    return tc_whole_sum(whole, words, count);
}

tilecut_status tc_whole_swap(tc_whole *whole, const void *to_above, const void *to_below, void *from_above,
                              void *from_below, size_t bytes)
{
    if (whole->broken) return tc_whole_check(whole);
    meet(whole);
    whole->told.sent += (int64_t)bytes * ((tc_has_above(whole) && to_above) + (tc_has_below(whole) && to_below));
    return left(whole, whole->with->swap(whole->with->context, to_above, to_below, from_above, from_below, bytes));
}

tilecut_status tc_whole_swap_there(tc_whole *whole, const void *to_above, const void *to_below, void *from_above,
                                   void *from_below, size_t bytes)
{
    const int64_t sent = (int64_t)bytes * (tc_has_above(whole) + tc_has_below(whole));
    const tilecut_exchange *const with = whole->with;
    if (whole->broken) return tc_whole_check(whole);
    meet(whole);
    whole->told.sent += sent;
    whole->told.direct += sent;
    const int result = with->swap_there(with->context, to_above, to_below, from_above, from_below, bytes);
    return result < 0 ? TILECUT_EDEVICE : left(whole, result); /* what failed in this part has been said */
}
