/* SPDX-License-Identifier: MIT
 *
 * session.h - what a session holds, for session.c (solves of the whole image) and session_strokes.c (corrections).
 */
#ifndef TC_SESSION_H
#define TC_SESSION_H

#include "session_history.h"
#include "solve.h"
#include "teach.h"

struct tilecut_session {
    tilecut_graph *graph;    /* the caller's                                                         */
    const uint8_t *original; /* its seeds, the caller's; it gets them back                           */
    uint8_t *seeds;          /* those of now; NULL for a graph from arrays                           */
    uint8_t *wish;           /* of the last frame, if it has advanced to one                         */
    tc_kept kept;
    bool has_mask;
    uint8_t *mask;           /* the last one, if it has one                                          */
    int64_t foreground;      /* pixels of it                                                         */
    uint8_t *strokes;        /* of a graph from arrays: labels of what was painted; NULL: nothing    */
    tc_taught taught;        /* what strokes since the last lesson have                              */
    tc_history history;      /* of strokes and lessons                                               */
};

/* Calls on a session behind the door: structs are complete, rows of seeds and mask follow each other, and reports and
 * changes come in as {0}. `mask` may be NULL but for a solve. */
tilecut_status tc_session_reseed(tilecut_session *session, const uint8_t *seeds);
tilecut_status tc_session_advance(tilecut_session *session, const tilecut_image *image, const uint8_t *seeds,
                                  const tc_setup *setup);
tilecut_status tc_session_solve(tilecut_session *session, const tc_setup *setup, uint8_t *mask, tilecut_report *report);
tilecut_status tc_session_stroke(tilecut_session *session, const tilecut_stroke *stroke, const tc_setup *setup,
                                 uint8_t *mask, tilecut_change *change, tilecut_report *report);
tilecut_status tc_session_learn(tilecut_session *session, const tc_setup *setup, uint8_t *mask, tilecut_change *change,
                                tilecut_report *report);
tilecut_status tc_session_undo(tilecut_session *session, uint8_t *mask, tilecut_change *change, bool *undone);

/* `mask` is the session's from now on, and there is nothing to undo. */
tilecut_status tc_session_set_mask(tilecut_session *session, const uint8_t *mask);

/* Before seeds or the model become others: the flow that is kept is not of this graph any more. */
void tc_session_loosen(tilecut_session *session);

#endif
