/* SPDX-License-Identifier: MIT
 *
 * desk_labels.c - see desk_parts.h: all objects of a photo, cut together. The page keeps strokes and label maps.
 */
#include <stdlib.h>
#include <string.h>

#include "desk_parts.h"
#include "tilecut_labels.h"

/* What the page asks for: "divide" is one of these, the label of the object that is shown, and the background's. The
 * body has labels of strokes; to correct, a label map behind them; or only the label map that there is. */
enum { DIVIDE = 1, CORRECT, TAKE };

static bool read_request(const message *m, int wanted[3]) { return message_numbers(m, "divide", 3, wanted); }

bool desk_divides(const message *m)
{
    int wanted[3];
    return read_request(m, wanted);
}

static tilecut_status divide(const desk *d, const message *m, const edit_options *options, const int wanted[3],
                             uint8_t *map)
{
    const tilecut_labels_params how = {.size = sizeof how, .background = wanted[2], .bound_rounds = TILECUT_NONE};
    tilecut_params params = d->whole;
    tilecut_image view;
    uint8_t *copy = NULL;
    params.cancel = (tilecut_flag *)(uintptr_t)&d->cancel;
    model_apply(&options->model, &params);
    if (!matting_opaque(&d->photo, &view, &copy, NULL)) return TILECUT_ENOMEM;
    if (wanted[0] == CORRECT) memcpy(map, m->body + d->area, d->area);
    const tilecut_status status = wanted[0] == CORRECT
                                      ? tilecut_labels_correct(&view, m->body, &params, map, NULL)
                                      : tilecut_labels(&view, m->body, &params, &how, map, NULL);
    free(copy);
    return status;
}

int desk_divide(const desk *d, const message *m, const edit_options *options, uint8_t *map, uint8_t *mask,
                edit_answer *got, failure *why)
{
    int wanted[3];
    *got = (edit_answer){.report = {.certified = 1}};
    if (!read_request(m, wanted) || wanted[0] < DIVIDE || wanted[0] > TAKE || wanted[1] < 1 || wanted[1] > 255 ||
        wanted[2] < 1 || wanted[2] > 255 || m->body_size != d->area * (wanted[0] == CORRECT ? 2 : 1))
        return fail(why, EXIT_USAGE, "the request does not say how the photo is divided");
    if (wanted[0] == TAKE) memcpy(map, m->body, d->area);
    const tilecut_status status = wanted[0] == TAKE ? TILECUT_OK : divide(d, m, options, wanted, map);
    if (status) return edit_failure(status, why);
    for (size_t p = 0; p < d->area; p++) got->report.foreground += (mask[p] = map[p] == wanted[1] ? 255 : 0) != 0;
    return EXIT_DONE;
}
