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
    tc_kept kept;
    bool has_mask;
    uint8_t *mask;           /* the last one, if it has one                                          */
    int64_t foreground;      /* pixels of it                                                         */
    uint8_t *strokes;        /* of a graph from arrays: labels of what was painted; NULL: nothing    */
    tc_taught taught;        /* what strokes since the last lesson have                              */
    tc_history history;      /* of strokes and lessons                                               */
};

/* `mask` is the session's from now on, and there is nothing to undo. */
tilecut_status tc_session_set_mask(tilecut_session *session, const uint8_t *mask);

/* Before seeds or the model become others: the flow that is kept is not of this graph any more. */
void tc_session_loosen(tilecut_session *session);

#endif
