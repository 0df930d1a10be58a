/* SPDX-License-Identifier: MIT */
#include "nested.h"

#include <stdlib.h>
#include <string.h>

#include "islands.h"
#include "simd.h"
#include "status.h"

/* If foreground disappeared without a stroke that removes it, it is restored, unless it is more than this share of the
 * mask before. Smaller changes are wrong as often as right (docs/lab/quality.md). */
#define LARGE_CHANGE 0.2

/* Marks in `changed`, by 255, the pixels that differ and are now foreground, or now background. */
TC_VECTOR_LOOP static void mark_changed(size_t pixels, const uint8_t *restrict before, const uint8_t *restrict mask,
                                        bool foreground, uint8_t *restrict changed)
{
    for (size_t p = 0; p < pixels; p++) {
        const bool now = (mask[p] != 0) == foreground;
        changed[p] = ((mask[p] != before[p]) & now) ? 255 : 0;
    }
}

/* Marks the changed regions that contain strokes, by another number than 255. Returns false if there is no memory. */
static bool reach_strokes(tc_islands *changed, const uint8_t *seeds, size_t first, size_t end)
{
    const uint8_t *next;
    for (size_t p = first; p < end && (next = memchr(changed->mask + p, 255, end - p)) != NULL;)
        for (p = (size_t)(next - changed->mask); p < end && changed->mask[p] == 255; p++) {
            const bool stroke = seeds[p] == TILECUT_FOREGROUND || seeds[p] == TILECUT_BACKGROUND;
            if (stroke && !tc_islands_reach(changed, p)) return false;
        }
    return true;
}

enum { CHUNK = 1 << 15 };

/* Counts the pixels before; changed pixels without strokes; background strokes on `before`; all changed pixels. */
TC_VECTOR_LOOP static void count_pixels(size_t pixels, const uint8_t *restrict before, const uint8_t *restrict changed,
                                        const uint8_t *restrict seeds, int64_t count[4])
{
    for (int k = 0; k < 4; k++) count[k] = 0;
    for (size_t first = 0; first < pixels; first += CHUNK) {
        const size_t end = pixels - first < CHUNK ? pixels : first + CHUNK;
        uint16_t all = 0, free = 0, strokes = 0, gone = 0; /* narrow, so that a vector has many */
        for (size_t p = first; p < end; p++) {
            all = (uint16_t)(all + (before[p] != 0));
            free = (uint16_t)(free + (changed[p] == 255));
            gone = (uint16_t)(gone + (changed[p] != 0));
            strokes = (uint16_t)(strokes + ((before[p] != 0) & (seeds[p] == TILECUT_BACKGROUND)));
        }
        count[0] += all, count[1] += free, count[2] += strokes, count[3] += gone;
    }
}

TC_VECTOR_LOOP static void take_back(size_t pixels, const uint8_t *restrict before, const uint8_t *restrict changed,
                                     uint8_t *restrict mask)
{
    for (size_t p = 0; p < pixels; p++) mask[p] = changed[p] == 255 ? before[p] : mask[p];
}

/* Leaves the pixels marked that have no background stroke. */
TC_VECTOR_LOOP static void leave_strokes(size_t pixels, const uint8_t *restrict seeds, uint8_t *restrict changed)
{
    for (size_t p = 0; p < pixels; p++) {
        const bool other = (changed[p] != 0) & (seeds[p] != TILECUT_BACKGROUND);
        changed[p] = other ? 255 : 0;
    }
}

/* Restores the regions that changed to `label`, 0 or 255, and contain no stroke. changed->mask is scratch memory, which
 * must be 0 in rows of other parts. */
static tilecut_status restore(const tc_nested *n, uint8_t label, tc_islands *changed, int64_t *foreground)
{
    const size_t width = (size_t)n->width;
    const tc_own_rows own = tc_own_rows_of(n->comm, n->height);
    const size_t first = (size_t)own.first * width, end = (size_t)own.end * width;
    uint8_t *const marks = changed->mask + first;
    int64_t count[4];

    mark_changed(end - first, n->before + first, n->mask + first, label != 0, marks);
    if (!reach_strokes(changed, n->seeds, first, end))
        return tc_fail(TILECUT_ENOMEM, "no memory to compare two masks of %zu pixels", end - first);
    NEED(tc_islands_across(changed, n->comm));
    count_pixels(end - first, n->before + first, marks, n->seeds + first, count);
    NEED(tc_comm_allreduce(n->comm, count, 4));
    if (!label && n->doubted && n->least * *foreground < count[0]) {
        leave_strokes(end - first, n->seeds + first, marks);
        count[1] = count[3] - count[2];
    } else if (!label && n->doubted && count[2] && (double)count[1] > LARGE_CHANGE * (double)count[0]) {
        return TILECUT_OK;
    }
    take_back(end - first, n->before + first, marks, n->mask + first);
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
