/* SPDX-License-Identifier: MIT
 *
 * box_prior.c - see box_prior.h.
 */
#include "box_prior.h"

#include <stdlib.h>

#include "islands.h"
#include "status.h"

/* Changes that no stroke asks for are kept only if they are more than this share of the box's mask: then that mask was
 * wrong as a whole. Smaller changes are as often wrong as right (docs/lab/quality.md). */
#define LARGE_CHANGE 0.2

tilecut_status tc_box_keep(const tc_box_prior *s, int64_t *foreground)
{
    const size_t width = (size_t)s->width, pixels = width * (size_t)s->height;
    const tc_own_rows own = tc_own_rows_of(s->comm, s->height);
    const size_t first = (size_t)own.first * width, end = (size_t)own.end * width;
    tc_islands changed = {.mask = calloc(pixels, 1), .width = s->width, .height = s->height,
                          .connectivity = s->connectivity};
    int64_t count[2] = {0, 0}, given_back = 0; /* count: pixels of the box's mask; changed ones away from strokes */
    tilecut_status status = TILECUT_OK;
    bool done = changed.mask != NULL;

    for (size_t at = first; done && at < end; at++) changed.mask[at] = s->mask[at] != s->of_box[at] ? 255 : 0;
    for (size_t at = first; done && at < end; at++)
        if (s->seeds[at] != TILECUT_UNKNOWN) done = tc_islands_reach(&changed, at);
    if (!done) TRY(tc_fail(TILECUT_ENOMEM, "no memory to compare two masks of %zu pixels", pixels));
    TRY(tc_islands_across(&changed, s->comm));
    for (size_t at = first; at < end; at++) count[0] += s->of_box[at] != 0, count[1] += changed.mask[at] == 255;
    TRY(tc_comm_allreduce(s->comm, count, 2));
    const bool large = (double)count[1] > LARGE_CHANGE * (double)count[0];
    for (size_t at = first; at < end && !large; at++) {
        if (changed.mask[at] != 255) continue;
        given_back += s->of_box[at] ? 1 : -1;
        s->mask[at] = s->of_box[at];
    }
    TRY(tc_comm_allreduce(s->comm, &given_back, 1));
    *foreground += given_back;
done:
    free(changed.at);
    free(changed.mask);
    return status;
}

tilecut_status tc_box_loss(const tc_box_prior *s, bool *loss)
{
    const size_t width = (size_t)s->width;
    const tc_own_rows own = tc_own_rows_of(s->comm, s->height);
    /* named: stroke pixels of the foreground outside the box's mask, less those in it; doubted: of background in it */
    int64_t all = 0, lost = 0, named = 0, doubted = 0;
    for (size_t at = (size_t)own.first * width; at < (size_t)own.end * width; at++) {
        all += s->of_box[at] != 0;
        lost += s->of_box[at] && !s->mask[at];
        if (s->strokes[at] == TILECUT_FOREGROUND) named += s->of_box[at] ? -1 : 1;
        doubted += s->strokes[at] == TILECUT_BACKGROUND && s->of_box[at];
    }
    int64_t sum[4] = {all, lost, named, doubted};
    NEED(tc_comm_allreduce(s->comm, sum, 4));
    *loss = (double)sum[1] > LARGE_CHANGE * (double)sum[0] && sum[2] > 0 && sum[3] == 0;
    return TILECUT_OK;
}
