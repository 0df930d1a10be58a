/* SPDX-License-Identifier: MIT
 *
 * edit_divide.c - see edit.h: cuts all objects of a photo together.
 */
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "tilecut_labels.h"

static tilecut_status divide(const image *photo, const edit_division *d, const edit_options *options,
                             const tilecut_params *params)
{
    const size_t area = (size_t)photo->width * (size_t)photo->height;
    const tilecut_labels_params how = {.size = sizeof how, .background = d->background,
                                       .bound_rounds = TILECUT_NONE};
    tilecut_params all = *params;
    tilecut_image view;
    uint8_t *copy = NULL;
    model_apply(&options->model, &all);
    if (!matting_opaque(photo, &view, &copy, NULL)) return TILECUT_ENOMEM;
    if (d->way == EDIT_CORRECT) memcpy(d->map, d->body + area, area);
    const tilecut_status status = d->way == EDIT_CORRECT
                                      ? tilecut_labels_correct(&view, d->body, &all, d->map, NULL)
                                      : tilecut_labels(&view, d->body, &all, &how, d->map, NULL);
    free(copy);
    return status;
}

int edit_divide(const image *photo, const edit_division *d, const edit_options *options, const tilecut_params *params,
                edit_answer *answer, failure *why)
{
    const size_t area = (size_t)photo->width * (size_t)photo->height;
    *answer = (edit_answer){.report = {.certified = 1}};
    if (d->way < EDIT_DIVIDE || d->way > EDIT_TAKE || d->shown < 1 || d->shown > 255 || d->background < 1 ||
        d->background > 255 || d->size != area * (d->way == EDIT_CORRECT ? 2 : 1))
        return fail(why, EXIT_USAGE, "the request does not say how the photo is divided");
    if (d->way == EDIT_TAKE) memcpy(d->map, d->body, area);
    const tilecut_status status = d->way == EDIT_TAKE ? TILECUT_OK : divide(photo, d, options, params);
    if (status) return edit_failure(status, why);
    for (size_t p = 0; p < area; p++)
        answer->report.foreground += (d->mask[p] = d->map[p] == d->shown ? 255 : 0) != 0;
    return EXIT_DONE;
}
