/* SPDX-License-Identifier: MIT
 *
 * session.h - the contents of a session, for session.c (solves of the whole image) and session_strokes.c (corrections).
 */
#pragma once

#include "session_history.h"
#include "solve.h"
#include "model_update.h"

struct tilecut_session {
    tilecut_graph *graph;    /* owned by the caller                                                  */
    const uint8_t *original; /* the seeds with which the graph was made; freeing the session gives them back to it */
    uint8_t *seeds;          /* the present seeds; NULL for a graph from arrays                      */
    uint8_t *prior;          /* prior mask from the last frame, if the session has advanced; else NULL */
    tc_kept_flow kept;
    bool has_mask;
    uint8_t *mask;           /* the current mask; valid if has_mask is set                           */
    int64_t foreground;      /* number of foreground pixels of the mask                              */
    uint8_t *strokes;        /* for a graph from arrays: the labels of painted pixels; NULL: nothing is painted */
    tc_model_update update;        /* the changes of the model by strokes since the last learning step     */
    tc_history history;      /* strokes and learning steps, so that they can be undone               */
};

/* The functions on a session for callers inside the library: structs have their full size, rows of seeds and mask are
 * packed, and reports and changes are {0} on entry. `mask` may be NULL, except for a solve. */
tilecut_status tc_session_new(tilecut_session **out, tilecut_graph *graph);
void tc_session_free(tilecut_session *session); /* NULL is allowed */
tilecut_status tc_session_reseed(tilecut_session *session, const uint8_t *seeds);
tilecut_status tc_session_advance(tilecut_session *session, const tilecut_image *image, const uint8_t *seeds,
                                  const tc_setup *setup);
tilecut_status tc_session_solve(tilecut_session *session, const tc_setup *setup, uint8_t *mask, tilecut_report *report);
/* Returns EINVAL for a stroke that does not lie within width x height pixels, or has no rows. */
tilecut_status tc_stroke_check(const tilecut_stroke *s, int width, int height);
tilecut_status tc_session_stroke(tilecut_session *session, const tilecut_stroke *stroke, const tc_setup *setup,
                                 uint8_t *mask, tilecut_change *change, tilecut_report *report);
/* Finds how many pixels a stroke would change. Does not change the session. */
tilecut_status tc_session_try(tilecut_session *session, const tilecut_stroke *stroke, const tc_setup *setup,
                              int64_t *pixels);
tilecut_status tc_session_learn(tilecut_session *session, const tc_setup *setup, uint8_t *mask, tilecut_change *change,
                                tilecut_report *report);
tilecut_status tc_session_undo(tilecut_session *session, uint8_t *mask, tilecut_change *change, bool *undone);

/* Makes a copy of `mask` the current mask. After that, nothing can be undone. */
tilecut_status tc_session_set_mask(tilecut_session *session, const uint8_t *mask);

/* Call this before seeds or the model change: it marks the flow in `kept` as the flow of another graph. */
void tc_session_loosen(tilecut_session *session);
