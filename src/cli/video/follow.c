/* SPDX-License-Identifier: MIT */
#include "follow.h"

#include <stdlib.h>
#include <string.h>

#include "engine.h"

static size_t area(const follow *f) { return (size_t)f->width * (size_t)f->height; }

int follow_begin(follow *f, int width, int height, failure *why)
{
    f->width = width, f->height = height;
    f->mask = calloc(area(f), 1);
    f->before = calloc(area(f), 1);
    f->labels = malloc(area(f));
    f->prior = malloc(area(f));
    if (f->mask && f->before && f->labels && f->prior) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "not enough memory for masks of %dx%d", width, height);
}

static void forget(follow *f)
{
    tilecut_session_destroy(f->session);
    tilecut_graph_destroy(f->graph);
    f->session = NULL;
    f->graph = NULL;
}

void follow_end(follow *f)
{
    forget(f);
    free(f->mask);
    free(f->before);
    free(f->labels);
    free(f->prior);
}

static void set_labels(follow *f, const uint8_t *labels)
{
    if (labels) memcpy(f->labels, labels, area(f));
    else memset(f->labels, TILECUT_UNKNOWN, area(f));
}

/* Learns the model from the seeds and, if there is one, from the last mask or `prior`. */
static tilecut_status learn_frame(follow *f, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior,
                                  tilecut_report *report)
{
    tilecut_params own_params = f->params;
    tilecut_status status;
    forget(f);
    set_labels(f, labels);
    if (prior || f->known) own_params.prior = f->prior;
    if (own_params.prior) memcpy(f->prior, prior ? prior : f->before, area(f));
    if (own_params.prior) own_params.prior_weight = f->carry > 0 ? f->carry : TILECUT_NONE;
    status = tilecut_graph_from_image(&f->graph, frame, f->labels, &own_params);
    if (status == TILECUT_OK) status = tilecut_graph_segment(f->graph, &own_params, f->mask, report);
    if (status == TILECUT_OK) status = tilecut_session_create(&f->session, f->graph);
    return status;
}

static tilecut_status go_on(follow *f, const tilecut_image *frame, tilecut_report *report)
{
    tilecut_params own_params = f->params;
    own_params.prior_weight = f->carry > 0 ? f->carry : TILECUT_NONE;
    const tilecut_status status = tilecut_session_advance(f->session, frame, NULL, &own_params);
    return status == TILECUT_OK ? tilecut_session_solve(f->session, &own_params, f->mask, report) : status;
}

/* Drops foreground that is connected neither to the last mask nor to a stroke, because other things may have the same
 * colours as the object. Here the last mask serves as seeds. */
static bool drop_islands(follow *f, followed *out)
{
    static const cleanup islands = {.connected = true};
    const cleanup_lattice rows = {.width = f->width, .height = f->height};
    tilecut_cleaned done = {0};
    for (size_t p = 0; p < area(f); p++)
        if (f->before[p]) f->labels[p] = TILECUT_FOREGROUND;
    const bool room = cleanup_mask(&islands, f->labels, &rows, f->mask, &done);
    out->dropped = done.pixels_dropped;
    return room;
}

/* Applies the clean-up that the user asked for, except --connected, which drop_islands() does. */
static bool clean_up(follow *f, const uint8_t *labels, followed *out)
{
    const cleanup_lattice rows = {.width = f->width, .height = f->height};
    cleanup what = *f->cleanup;
    what.connected = false;
    if (!cleanup_wanted(&what)) return true;
    set_labels(f, labels);
    return cleanup_mask(&what, f->labels, &rows, f->mask, &out->cleaned);
}

static void count_pixels(const follow *f, followed *out)
{
    out->changed = out->foreground = 0;
    for (size_t p = 0; p < area(f); p++) {
        out->changed += f->mask[p] != f->before[p];
        out->foreground += f->mask[p] != 0;
    }
}

static int no_room(const follow *f, failure *why)
{
    return fail(why, EXIT_RESOURCES, "not enough memory to clean a mask of %dx%d", f->width, f->height);
}

int follow_clean(follow *f, const uint8_t *labels, followed *out, failure *why)
{
    const bool begun = labels || memchr(f->before, 255, area(f));
    if (!cleanup_wanted(f->cleanup)) return EXIT_DONE;
    set_labels(f, labels);
    if ((f->cleanup->connected && begun && !drop_islands(f, out)) || !clean_up(f, labels, out)) return no_room(f, why);
    count_pixels(f, out);
    return EXIT_DONE;
}

int follow_frame(follow *f, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior, followed *out,
                 failure *why)
{
    const bool update = labels || prior;
    tilecut_status status;
    *out = (followed){0};
    if (!update && !f->known) return EXIT_DONE;
    memcpy(f->before, f->mask, area(f));
    status = update ? learn_frame(f, frame, labels, prior, &out->report) : go_on(f, frame, &out->report);
    if (status != TILECUT_OK) return engine_failure(status, NULL, why);
    if (!update) set_labels(f, NULL);
    if ((f->known && !f->islands && !drop_islands(f, out)) || !clean_up(f, labels, out)) return no_room(f, why);
    if (follow_again(f, why)) return why->status; /* the next frame begins from the cleaned mask */
    f->known = true;
    f->costs = f->graph;
    out->cut = true;
    out->update = update;
    count_pixels(f, out);
    return EXIT_DONE;
}

int follow_again(follow *f, failure *why)
{
    const tilecut_status status = tilecut_session_begin(f->session, f->mask, NULL);
    return status == TILECUT_OK ? EXIT_DONE : engine_failure(status, NULL, why);
}

int follow_confidence(const follow *f, uint8_t *sure, tilecut_doubt *doubt, failure *why)
{
    if (doubt) *doubt = (tilecut_doubt){0};
    memset(sure, 128, area(f));
    if (!f->known) return EXIT_DONE;
    const tilecut_status status = tilecut_session_confidence(f->session, &f->params, sure, doubt);
    return status == TILECUT_OK ? EXIT_DONE : engine_failure(status, NULL, why);
}
