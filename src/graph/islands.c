/* SPDX-License-Identifier: MIT
 *
 * islands.c - see islands.h. Floods the mask run by run, starting from the foreground's seeds or from a prior mask.
 * Only small holes are flooded pixel by pixel.
 */
#include "islands.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_list.h"
#include "lattice.h"
#include "simd.h"
#include "status.h"

typedef tc_islands flood;

static bool push(flood *f, size_t number)
{
    size_t *const at = tc_list_grow(f->at, f->count, &f->room, sizeof *at);
    if (!at) return false;
    f->at = at;
    f->at[f->count++] = number;
    return true;
}

/* ---- By runs ---------------------------------------------------------------------------------- */

/* True if the eight bytes at `mask` are all foreground that has not been reached. */
static bool all_land(const uint8_t *mask)
{
    uint64_t word;
    memcpy(&word, mask, sizeof word);
    return word == UINT64_MAX;
}

/* Marks as reached the run of foreground around a pixel of the row that begins at index `row`. *end is the index after
 * the run. */
static bool reach_run(flood *f, size_t row, size_t pixel, size_t *end)
{
    const size_t row_end = row + (size_t)f->width;
    const uint8_t *const mask = f->mask;
    size_t from = pixel, to = pixel + 1;
    while (from - row >= 8 && all_land(mask + from - 8)) from -= 8;
    while (from > row && mask[from - 1] == 255) from--;
    while (row_end - to >= 8 && all_land(mask + to)) to += 8;
    while (to < row_end && mask[to] == 255) to++;
    memset(f->mask + from, TC_ON_LAND, to - from);
    *end = to;
    return push(f, from) && push(f, to);
}

/* Marks as reached the runs of the row at index `row` that touch its columns `from` to `to` - 1. */
static bool reach_beside(flood *f, size_t row, size_t from, size_t to)
{
    for (size_t at = row + from, end = row + to; at < end;) {
        const uint8_t *const next = memchr(f->mask + at, 255, end - at);
        if (!next) return true;
        if (!reach_run(f, row, (size_t)(next - f->mask), &at)) return false;
    }
    return true;
}

/* Marks as reached the runs of the rows around the row at index `row` that touch its columns `from` to `to` - 1. */
static bool reach_around(flood *f, size_t row, size_t from, size_t to)
{
    const bool all = f->connectivity == 8 || f->connectivity == 26;
    const size_t first = from - (all && from > 0), last = to + (all && to < (size_t)f->width);
    const int line = (int)(row / (size_t)f->width), rows = f->slice_rows ? f->slice_rows : f->height;
    const int slice = f->slice_rows ? 1 : 0, y = line % rows;
    for (int z = -slice; z <= slice; z++)
        for (int up = -1; up <= 1; up++) {
            const int64_t next = line + (int64_t)z * rows + up;
            if ((!z && !up) || (z && up && !all) || y + up < 0 || y + up >= rows || next < 0 || next >= f->height)
                continue;
            if (!reach_beside(f, (size_t)next * (size_t)f->width, first, last)) return false;
        }
    return true;
}

bool tc_islands_reach(tc_islands *f, size_t pixel)
{
    const size_t width = (size_t)f->width;
    size_t end;
    if (f->mask[pixel] != 255) return true;
    bool done = reach_run(f, pixel / width * width, pixel, &end);
    while (done && f->count) {
        const size_t to = f->at[--f->count], from = f->at[--f->count], row = from / width * width;
        done = reach_around(f, row, from - row, to - row);
    }
    return done;
}

bool tc_islands_reach_seeds(tc_islands *f, const uint8_t *seeds, size_t from, size_t end, bool *seeded)
{
    *seeded = false;
    while (from < end) {
        const uint8_t *const next = memchr(seeds + from, TILECUT_FOREGROUND, end - from);
        if (!next) return true;
        *seeded = true;
        from = (size_t)(next - seeds);
        if (!tc_islands_reach(f, from++)) return false;
    }
    return true;
}

/* ---- By pixels -------------------------------------------------------------------------------- */

static bool reach_pixel(flood *f, size_t pixel)
{
    if (pixel == TC_BLOCK_NONE || f->mask[pixel] != 255) return true;
    f->mask[pixel] = TC_ON_LAND;
    return push(f, pixel);
}

/* ---- Islands ---------------------------------------------------------------------------------- */

/* Does the same for a row. */
TC_VECTOR_LOOP static uint32_t sink_some(uint8_t *restrict mask, int count, uint8_t kept)
{
    uint32_t left = 0;
    for (int i = 0; i < count; i++) {
        mask[i] = mask[i] == TC_ON_LAND || mask[i] == kept ? 255 : 0;
        left += mask[i] & 1;
    }
    return left;
}

int64_t tc_islands_sink(tc_islands *f, bool none)
{
    const size_t width = (size_t)f->width;
    int64_t kept = 0;
    for (size_t y = 0; y < (size_t)f->height; y++)
        kept += sink_some(f->mask + y * width, f->width, none ? 255 : TC_ON_LAND);
    free(f->at);
    f->at = NULL;
    f->count = f->room = 0;
    return kept;
}

/* ---- Crumbs ----------------------------------------------------------------------------------- */

/* Marks the regions of a label that touch the prior mask's pixels of that label, or its seeds. In the mask the label is
 * 255. Sets *any to true if there are such pixels. */
static bool reach_from_prior(flood *f, const tc_prior_mask *w, bool foreground, bool *any)
{
    bool done = true;
    for (size_t p = 0; done && p < (size_t)f->width * (size_t)f->height; p++) {
        const bool known = w->seeds[p] != TILECUT_UNKNOWN;
        const bool is = (known ? w->seeds[p] == TILECUT_FOREGROUND : w->prior[p] >= 128) == foreground;
        if (!is || !f->mask[p]) continue;
        *any = true;
        done = tc_islands_reach(f, p);
    }
    return done;
}

/* Fills the hole around a pixel (255 becomes 0) if it has at most TC_LARGEST_SPECK pixels. Returns false if there is no
 * memory. */
static bool fill_speck(flood *f, size_t pixel)
{
    const int rows = f->slice_rows ? f->slice_rows : f->height;
    const tc_block all = {0, 0, 0, f->width, rows, f->height / rows};
    bool done = reach_pixel(f, pixel);
    for (size_t i = 0; done && i < f->count && f->count <= TC_LARGEST_SPECK; i++)
        for (int d = 0; done && d < f->connectivity; d++)
            done = reach_pixel(f, tc_block_neighbour(&all, f->at[i], f->connectivity, d));
    const uint8_t now = f->count <= TC_LARGEST_SPECK ? 0 : 255;
    while (f->count) f->mask[f->at[--f->count]] = now;
    return done;
}

/* Does the first half of tc_give_back_specks(), for foreground; fill_specks() does the second half. Returns false if
 * there is no memory. */
static bool drop_specks(flood *f, const tc_prior_mask *w)
{
    bool any = false;
    const bool done = reach_from_prior(f, w, true, &any);
    (void)tc_islands_sink(f, !done || !any);
    return done;
}

static bool fill_specks(flood *f, const tc_prior_mask *w)
{
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    bool any = false;
    for (size_t p = 0; p < pixels; p++) f->mask[p] ^= 255;
    bool done = reach_from_prior(f, w, false, &any);
    for (size_t p = 0; done && any && p < pixels; p++)
        if (f->mask[p] == 255) done = fill_speck(f, p);
    (void)tc_islands_sink(f, true);
    for (size_t p = 0; p < pixels; p++) f->mask[p] ^= 255;
    return done;
}

tilecut_status tc_give_back_specks(const tc_prior_mask *w, uint8_t *mask, int64_t *foreground, int64_t *changed)
{
    const size_t pixels = (size_t)w->width * (size_t)w->height;
    uint8_t *const before = malloc(pixels);
    flood f = {.mask = mask, .width = w->width, .height = w->height, .connectivity = w->connectivity,
               .slice_rows = w->slice_rows};

    if (before) memcpy(before, mask, pixels);
    const bool done = before && drop_specks(&f, w) && fill_specks(&f, w);
    *foreground = *changed = 0;
    for (size_t p = 0; done && p < pixels; p++) *foreground += mask[p] != 0, *changed += mask[p] != before[p];
    free(before);
    return done ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory to find the regions of a mask of %zu pixels", pixels);
}
