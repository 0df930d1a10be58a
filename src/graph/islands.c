/* SPDX-License-Identifier: MIT
 *
 * islands.c - see islands.h. Floods the mask pixel by pixel, starting from the foreground's seeds.
 */
#include "islands.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

enum { REACHED = 1 }; /* a third value in a mask of 0 and 255 */

typedef struct flood {
    uint8_t *mask;
    int width, height;
    size_t *at; /* stack of pixels that were reached and whose neighbours were not visited yet */
    size_t count, room;
} flood;

static bool reach(flood *f, size_t pixel)
{
    if (f->mask[pixel] != 255) return true;
    if (f->count == f->room) {
        const size_t room = 2 * f->room + 1024;
        size_t *const at = realloc(f->at, room * sizeof *at);
        if (!at) return false;
        f->at = at, f->room = room;
    }
    f->mask[pixel] = REACHED;
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

tilecut_status tc_drop_islands(const uint8_t *seeds, int width, int height, int connectivity, uint8_t *mask,
                               int64_t *foreground)
{
    const size_t pixels = (size_t)width * (size_t)height;
    flood f = {.mask = mask, .width = width, .height = height};
    bool seeded = false, done = true;
    int64_t kept = 0;

    for (size_t p = 0; done && p < pixels; p++) {
        if (seeds[p] != TILECUT_FOREGROUND) continue;
        seeded = true;
        done = reach(&f, p);
        while (done && f.count) done = reach_from(&f, f.at[--f.count], connectivity == 8);
    }
    free(f.at);
    for (size_t p = 0; p < pixels; p++) {
        if (mask[p]) mask[p] = mask[p] == REACHED || !seeded || !done ? 255 : 0;
        kept += mask[p] != 0;
    }
    if (!done) return tc_fail(TILECUT_ENOMEM, "no memory to find the regions of a mask of %dx%d pixels", width, height);
    *foreground = kept;
    return TILECUT_OK;
}
