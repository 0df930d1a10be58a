/* SPDX-License-Identifier: MIT */
#include "nested.h"

#include <stdlib.h>

#include "islands.h"
#include "status.h"

/* If foreground disappeared without a stroke that removes it, it is restored, unless it is more than this share of the
 * mask before. Smaller changes are wrong as often as right (docs/lab/quality.md). */
#define LARGE_CHANGE 0.2

/* Restores the regions that changed to `label`, 0 or 255, and contain no stroke. changed->mask is scratch memory, which
 * must be 0 in rows of other parts. */
static tilecut_status restore(const tc_nested *n, uint8_t label, tc_islands *changed, int64_t *foreground)
{
    const size_t width = (size_t)n->width;
    const tc_own_rows own = tc_own_rows_of(n->comm, n->height);
    const size_t first = (size_t)own.first * width, end = (size_t)own.end * width;
    int64_t count[3] = {0}; /* pixels before; changed pixels without strokes; background strokes on `before` */
    bool done = true;

    for (size_t p = first; p < end; p++)
        changed->mask[p] = n->mask[p] != n->before[p] && (n->mask[p] != 0) == (label != 0) ? 255 : 0;
    for (size_t p = first; p < end && done; p++)
        if (n->seeds[p] == TILECUT_FOREGROUND || n->seeds[p] == TILECUT_BACKGROUND) done = tc_islands_reach(changed, p);
    if (!done) return tc_fail(TILECUT_ENOMEM, "no memory to compare two masks of %zu pixels", end - first);
    NEED(tc_islands_across(changed, n->comm));
    for (size_t p = first; p < end; p++) {
        count[0] += n->before[p] != 0;
        count[1] += changed->mask[p] == 255;
        count[2] += n->before[p] && n->seeds[p] == TILECUT_BACKGROUND;
    }
    NEED(tc_comm_allreduce(n->comm, count, 3));
    if (!label && n->doubted && count[2] && (double)count[1] > LARGE_CHANGE * (double)count[0]) return TILECUT_OK;
    for (size_t p = first; p < end; p++)
        if (changed->mask[p] == 255) n->mask[p] = n->before[p];
    *foreground += label ? -count[1] : count[1];
    return TILECUT_OK;
}

tilecut_status tc_nest(const tc_nested *n, int64_t *foreground)
{
    const size_t pixels = (size_t)n->width * (size_t)n->height;
    tc_islands changed = {.mask = calloc(pixels, 1), .width = n->width, .height = n->height,
                          .connectivity = n->connectivity, .slice_rows = n->slice_rows};
    tilecut_status status = TILECUT_OK;
    if (!changed.mask) return tc_fail(TILECUT_ENOMEM, "no memory to compare two masks of %zu pixels", pixels);
    TRY(restore(n, 0, &changed, foreground));
    TRY(restore(n, 255, &changed, foreground));
done:
    free(changed.at);
    free(changed.mask);
    return status;
}
