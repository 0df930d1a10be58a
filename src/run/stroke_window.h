/* SPDX-License-Identifier: MIT
 *
 * stroke_window.h - the graph of the pixels in a window that a stroke may change.
 */
#ifndef TC_STROKE_WINDOW_H
#define TC_STROKE_WINDOW_H

#include <stdbool.h>

#include "stroke.h"

typedef struct tc_stroke_task {
    const tilecut_graph *graph;
    const uint8_t *seeds; /* NULL: none */
    const tilecut_stroke *stroke;
    const uint8_t *mask;
} tc_stroke_task;

/* What a pixel is to a stroke. All but the first are fixed. */
enum {
    TC_ROLE_FREE,        /* has the other label and no seed: may change          */
    TC_ROLE_SAME,        /* has the stroke's label already: keeps it             */
    TC_ROLE_OTHER,       /* is a seed of the other label: keeps it               */
    TC_ROLE_STROKE,      /* painted now: changes                                 */
    TC_ROLE_STROKE_SAME  /* painted now, but has that label already              */
};

typedef struct tc_stroke_window {
    tc_window window;
    int connectivity;
    bool foreground;     /* the label of the stroke */
    uint8_t *role;       /* [window] */
    int32_t *memory;     /* of the arrays */
    tilecut_graph graph; /* of arrays: fixed pixels have no links, those that free ones had to them are terminals */
} tc_stroke_window;

/* Its mask is `task`'s outside of the window, too, where all pixels are fixed. */
tilecut_status tc_stroke_window_init(tc_stroke_window *in, const tc_stroke_task *task, tc_window window, int threads);
void tc_stroke_window_free(tc_stroke_window *in);

#endif
