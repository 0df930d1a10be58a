/* SPDX-License-Identifier: MIT */
#include "correction_clicks.h"

#include <stdlib.h>

#include "islands.h"
#include "iterate.h"
#include "box_and_strokes.h"
#include "status.h"

tilecut_status tc_learn_by_size(const tc_correction *c, uint8_t *learnt, uint8_t *mask, tilecut_report *report,
                                bool *found)
{
    const int width = c->image->width, height = c->image->height;
    const tc_painting clicks = {.image = c->image, .seeds = c->seeds, .mask = learnt};
    tilecut_status status = TILECUT_OK;
    tc_setup with = *c->setup;

    *found = false;
    with.prior = NULL;
    if (!tc_is_painted(c->seeds, width, height, &with) || !tc_box_is_vague(c->image, c->seeds, NULL)) return TILECUT_OK;
    uint8_t *const guess = malloc((size_t)width * (size_t)height);
    if (!guess) return tc_fail(TILECUT_ENOMEM, "no memory for a guess of %dx%d pixels", width, height);
    TRY(tc_guess_by_clicks(&clicks, tc_are_clicks, guess, &with, found));
    if (!*found) goto done;
    with.effort = 2; /* the effort is 2 for all clicks, see box_and_strokes.c */
    with.guess = guess;
    with.guess_of_all = with.guess_has_evidence = true;
    TRY(tc_segment_whole(&(tc_source){.image = c->image, .seeds = c->seeds}, &with, mask, report));
    TRY(tc_drop_islands(NULL, c->seeds, tc_islands_of(mask, width, height, 1, with.connectivity), &report->foreground));
done:
    free(guess);
    return status;
}
