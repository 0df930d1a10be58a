/* SPDX-License-Identifier: MIT
 *
 * islands.c - see islands.h. Floods the mask pixel by pixel, starting from the foreground's seeds.
 */
#include "islands.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

typedef tc_islands flood;

static bool reach(flood *f, size_t pixel)
{
    if (f->mask[pixel] != 255) return true;
    if (f->count == f->room) {
        const size_t room = 2 * f->room + 1024;
        size_t *const at = realloc(f->at, room * sizeof *at);
        if (!at) return false;
        f->at = at, f->room = room;
    }
    f->mask[pixel] = TC_ON_LAND;
    f->at[f->count++] = pixel;
    return true;
}

/* Reaches the neighbours of a pixel: those in its row, then those in the rows above and below. */
static bool reach_from(flood *f, size_t pixel, int diagonal)
{
    const int x = (int)(pixel % (size_t)f->width), y = (int)(pixel / (size_t)f->width);
    const int left = x > 0, right = x + 1 < f->width;
    bool done = (!left || reach(f, pixel - 1)) && (!right || reach(f, pixel + 1));
    for (int side = -1; done && side <= 1; side += 2) {
        if (y + side < 0 || y + side >= f->height) continue;
        const size_t next = side < 0 ? pixel - (size_t)f->width : pixel + (size_t)f->width;
        done = reach(f, next);
        if (done && diagonal) done = (!left || reach(f, next - 1)) && (!right || reach(f, next + 1));
    }
    return done;
}

bool tc_islands_reach(tc_islands *f, size_t pixel)
{
    bool done = reach(f, pixel);
    while (done && f->count) done = reach_from(f, f->at[--f->count], f->connectivity == 8);
    return done;
}

int64_t tc_islands_sink(tc_islands *f, bool none)
{
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    int64_t kept = 0;
    for (size_t p = 0; p < pixels; p++) {
        if (f->mask[p]) f->mask[p] = f->mask[p] == TC_ON_LAND || none ? 255 : 0;
        kept += f->mask[p] != 0;
    }
    free(f->at);
    f->at = NULL;
    return kept;
}

tilecut_status tc_drop_islands(const uint8_t *seeds, int width, int height, int connectivity, uint8_t *mask,
                               int64_t *foreground)
{
    const size_t pixels = (size_t)width * (size_t)height;
    tc_islands f = {.mask = mask, .width = width, .height = height, .connectivity = connectivity};
    bool seeded = false, done = true;

    for (size_t p = 0; done && p < pixels; p++) {
        if (seeds[p] != TILECUT_FOREGROUND) continue;
        seeded = true;
        done = tc_islands_reach(&f, p);
    }
    const int64_t kept = tc_islands_sink(&f, !seeded || !done);
    if (!done) return tc_fail(TILECUT_ENOMEM, "no memory to find the regions of a mask of %dx%d pixels", width, height);
    *foreground = kept;
    return TILECUT_OK;
}
