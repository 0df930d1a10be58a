/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_stroke_calls.c - extreme strokes: one whose change spans many windows, and calls that are refused.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "random_graph.h"
#include "run_suite.h"

/* ---- Windows ---------------------------------------------------------------------------------- */

/* A foreground path winds through an image that is many windows wide. A background dot at its end removes the whole
 * path. */
TEST(a_change_is_followed_beyond_the_window)
{
    enum { WIDE = 900, HIGH = 700, STEP = 40 };
    int32_t *const source = calloc((size_t)4 * WIDE * HIGH, sizeof *source), *const sink = source + WIDE * HIGH;
    int32_t *const link = sink + WIDE * HIGH;
    uint8_t *const mask = calloc(WIDE * HIGH, 1), dot = 1;
    ck_assert(source && mask);
    int64_t path = 0;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const int p = y * WIDE + x, row = y / STEP;
            const bool along = y % STEP == STEP / 2, across = x == (row % 2 ? 5 : WIDE - 6) && y % STEP >= STEP / 2;
            const bool further = x == (row % 2 ? WIDE - 6 : 5) && y % STEP < STEP / 2;
            const bool on = (along && x >= 5 && x < WIDE - 5) || across || further;
            path += on && y >= STEP / 2;
            source[p] = on ? 9 : 0, sink[p] = on ? 0 : 20, link[p] = 3;
            if (y < STEP / 2) source[p] = 0, sink[p] = 20;
        }
    const tilecut_arrays arrays = {.width = WIDE, .height = HIGH, .source = source, .sink = sink, .to = {link, link}};
    const tilecut_stroke stroke = {.x = 5, .y = STEP / 2, .width = 1, .height = 1, .label = TILECUT_FOREGROUND,
                                   .painted = &dot};
    tilecut_session *session;
    tilecut_graph *graph;
    tilecut_change change = {0};
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_begin(session, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_stroke(session, &stroke, NULL, mask, &change, NULL), TILECUT_OK);
    for (int p = 0; p < WIDE * HIGH; p++) ck_assert_int_eq(mask[p], source[p] ? 255 : 0);
    ck_assert_int_eq(change.pixels, path);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    free(source);
    free(mask);
}

/* ---- Refusals --------------------------------------------------------------------------------- */

TEST(strokes_that_are_none_are_refused)
{
    uint8_t mask[9] = {0}, painted[9] = {1};
    random_graph random;
    tilecut_graph *graph;
    tilecut_session *session;
    tilecut_stroke s = {.width = 1, .height = 1, .label = TILECUT_FOREGROUND, .painted = painted};
    random_graph_init(&random, 1, 3, 3, 4);
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    /* refused, because there is no mask yet */
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_undo(session, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_begin(session, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_begin(NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_begin(session, mask, NULL), TILECUT_OK);
    /* refused, because there is no colour model */
    ck_assert_int_eq(tilecut_session_learn(session, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    const tilecut_stroke good = s;
    s.label = TILECUT_OUTSIDE;
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    s = good, s.x = 3;
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    s = good, s.y = -1;
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    s = good, s.width = 4;
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    s = good, s.width = 2, s.stride = 1;
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    s = good, s.painted = NULL;
    ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_stroke(session, &good, NULL, mask, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(mask[0], 255);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}

int main(void) { return run_suite((test_suite){.name = "stroke calls", .seconds = 300}); }
