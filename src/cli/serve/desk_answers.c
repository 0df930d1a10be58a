/* SPDX-License-Identifier: MIT
 *
 * desk_answers.c - helpers of all calls of a desk, see desk_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "desk.h"
#include "desk_parts.h"

bool desk_refuse(answer *out, int http, int status, const char *text)
{
    out->http = http;
    fail(&out->why, status, "%s", text);
    return false;
}

/* Answers that a cut failed. The page shows the reason. */
bool desk_failed(answer *out)
{
    out->http = ANSWER_FAILED;
    return false;
}

/* True if the photo or scan belongs to the tab that asks, and the program is not about to end. Otherwise refuses the
 * call. Also refuses a call for a photo if a scan has been opened meanwhile, and the other way round. */
static bool has_photo(const desk *d, const desk_call *call, const message *m, answer *out)
{
    int tab = 0;
    const bool asked = message_numbers(m, "tab", 1, &tab) && tab == d->tab && !d->done;
    if (asked && call->of != OF_BOTH && (call->of == OF_SCAN) != (d->scan != NULL))
        return desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken");
    if (asked && (d->photo.pixels || d->scan)) return true;
    return desk_refuse(out, 403, EXIT_USAGE,
                       d->done ? "the program is ending"
                       : asked ? "no photo is open"
                               : d->scan ? "this scan has been opened in another tab; that one has it now"
                                         : "this photo has been opened in another tab; that one has it now");
}

bool desk_read_options(const message *m, edit_options *options, answer *out)
{
    char text[EDIT_OPTION_BYTES];
    if (!message_value(m, "options", text, sizeof text))
        return desk_refuse(out, 400, EXIT_USAGE, "the request has no line of options, or one that is too long");
    if (!edit_read_options(text, strlen(text), options, &out->why)) return true;
    out->http = 400;
    return false;
}

void desk_stop_cut(desk *d)
{
    d->version++;
    tilecut_flag_raise(&d->cancel);
}

bool desk_with_copies(desk *d, const message *m, answer *out,
                      bool (*make)(desk *d, const message *m, uint8_t *labels, uint8_t *mask, answer *out))
{
    uint8_t *const labels = malloc(d->area), *const mask = malloc(d->area);
    const bool done = labels && mask && make(d, m, labels, mask, out);
    free(labels);
    free(mask);
    return done;
}

void desk_run(desk *d, const desk_call *call, const message *m, answer *out)
{
    const bool locks = call->asks != ASKS_UNLOCKED;
    if (locks) pthread_mutex_lock(&d->mutex);
    const bool done = (call->asks != ASKS_OWNER || has_photo(d, call, m, out)) && call->run(d, m, out);
    if (locks) pthread_mutex_unlock(&d->mutex);
    if (done || out->http != 200) return;
    bytes_free(&out->data);
    desk_refuse(out, 500, EXIT_RESOURCES, "not enough memory for the answer");
}
