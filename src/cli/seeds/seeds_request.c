/* SPDX-License-Identifier: MIT
 *
 * seeds_request.c - what seeds are asked for, and their memory, see seeds.h.
 */
#include <stdlib.h>
#include <string.h>

#include "seeds_parts.h"

void seeds_request_init(seeds_request *request)
{
    memset(request, 0, sizeof *request);
    request->format = SEEDS_AUTO;
    request->tolerance = 64;
    request->conflict = CONFLICT_ERROR;
    request->band = 20;
    request->brush = 3;
}

void seeds_request_free(seeds_request *request)
{
    if (!request) return;
    for (int i = 0; i < request->stroke_count; i++)
        free(request->strokes[i].points);
    free(request->strokes);
    request->strokes = NULL;
    request->stroke_count = 0;
}

void seeds_free(seeds *got)
{
    if (!got) return;
    free(got->label);
    free(got->part);
    memset(got, 0, sizeof *got);
}

bool seeds_are_clicks(const seeds_request *request)
{
    bool foreground = false, background = false, points = true;
    if (request->file_count || request->box_given || request->volume_box_given || request->mask_given) return false;
    for (int i = 0; i < request->stroke_count; i++) {
        foreground |= request->strokes[i].foreground;
        background |= !request->strokes[i].foreground;
        points &= request->strokes[i].count == 1;
    }
    return foreground && (points || !background);
}
