/* SPDX-License-Identifier: MIT
 *
 * seeds_place.c - the position of a pixel in the whole, and sums over all parts.
 */
#include <stdio.h>

#include "seeds_parts.h"

const char *seeds_place(const claims *all, int64_t p, char text[SEEDS_PLACE])
{
    const int64_t at = all->above * all->width + p, x = at % all->width, row = at / all->width;
    if (all->slice)
        snprintf(text, SEEDS_PLACE, "%lld,%lld,%lld", (long long)x, (long long)(row % all->slice),
                 (long long)(row / all->slice));
    else snprintf(text, SEEDS_PLACE, "%lld,%lld", (long long)x, (long long)row);
    return text;
}

const char *picture_place(const picture *pic, const claims *all, size_t p, char text[SEEDS_PLACE])
{
    claims file = *all;
    file.width = pic->image.width, file.above = pic->stack.above;
    if (pic->stack.slice) file.slice = pic->stack.slice;
    return seeds_place(&file, (int64_t)p, text);
}

const char *seeds_size(const claims *all, char text[SEEDS_PLACE])
{
    if (all->slice)
        snprintf(text, SEEDS_PLACE, "%dx%dx%lld", all->width, all->slice, (long long)(all->whole_height / all->slice));
    else snprintf(text, SEEDS_PLACE, "%dx%lld", all->width, (long long)all->whole_height);
    return text;
}

int seeds_sum(const seeds_rows *rows, int64_t *values, size_t count, failure *why)
{
    return rows->sum && rows->sum(rows->context, values, count)
               ? fail(why, EXIT_RUNTIME, "another part has failed") : EXIT_DONE;
}
