/* SPDX-License-Identifier: MIT
 *
 * seeds_request.c - defaults of a request, the memory of seeds, and the check of their size, see seeds.h.
 */
#include <stdio.h>
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

enum seeds_format seeds_format_of(const seeds_request *request, int i)
{
    const bool named = request->formats && request->formats[i] != SEEDS_UNNAMED;
    return named ? request->formats[i] : request->format;
}

void seeds_free(seeds *got)
{
    if (!got) return;
    free(got->label);
    free(got->part);
    memset(got, 0, sizeof *got);
}

bool seeds_are_clicks(const seeds_request *request, bool volume)
{
    bool foreground = false, background = false, points = !volume;
    if (request->file_count || request->box_given || request->volume_box_given || request->mask_given) return false;
    for (int i = 0; i < request->stroke_count; i++) {
        foreground |= request->strokes[i].foreground;
        background |= !request->strokes[i].foreground;
        points &= request->strokes[i].count == 1;
    }
    return foreground && (points || !background);
}

/* If the sizes differ only by a quarter turn, EXIF is usually the reason. */
int seeds_check_size(const seeds_reading *r, const char *name, const image *got)
{
    const image *const photo = r->photo;
    failure *const why = r->why;
    const char *const have = r->map ? "a label map has" : "seeds must have", *const it = r->map ? "it" : "them";
    if (got->width == photo->width && got->height == photo->height) return EXIT_DONE;
    const int slice = r->rows->slice;
    if (slice && photo->height > slice)
        return fail(why, EXIT_SEEDS, "%s: is %dx%d but %s is %dx%dx%d; a picture of its seeds is %dx%d, one slice "
                    "below the other", name, got->width, got->height, r->photo_name, photo->width, slice,
                    photo->height / slice, photo->width, photo->height);
    char what[256];
    snprintf(what, sizeof what, "is %dx%d but %.150s is %dx%d", got->width, got->height, r->photo_name,
             photo->width, photo->height);
    if (got->width == photo->height && got->height == photo->width) {
        if (photo->orientation >= 5 || got->orientation >= 5)
            return fail(why, EXIT_SEEDS,
                        "%s: %s; only the EXIF rotation of %s differs (orientation %d); draw "
                        "seeds on the upright photo and use --exif apply, or on the pixels as "
                        "stored and use --exif ignore",
                        name, what, photo->orientation >= 5 ? "the photo" : r->map ? "the label map" : "the seeds",
                        photo->orientation >= 5 ? photo->orientation : got->orientation);
        return fail(why, EXIT_SEEDS, "%s: %s; %s turned by a quarter, turn %s back", name, what,
                    r->map ? "the label map is" : "seeds are", it);
    }
    if ((int64_t)got->width * photo->height == (int64_t)got->height * photo->width)
        return fail(why, EXIT_SEEDS, "%s: %s; %s the photo's size, scale %s by %g with nearest neighbour", name, what,
                    have, it, (double)photo->width / got->width);
    return fail(why, EXIT_SEEDS, "%s: %s; %s the photo's size", name, what, have);
}
