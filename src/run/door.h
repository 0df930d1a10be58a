/* SPDX-License-Identifier: MIT
 *
 * door.h - from what a caller hands in to what everybody behind the door works with: complete structs, parameters with
 * their defaults, rows that follow each other; and back. So a call of tilecut.h is: enter, do it, leave.
 */
#ifndef TC_DOOR_H
#define TC_DOOR_H

#include "graph.h"
#include "params.h"
#include "rows.h"
#include "sized.h"
#include "tilecut.h"

/* All zero at first. */
typedef struct tc_visit {
    tc_setup setup;
    tc_mask mask;           /* mask.pixel is where the answer goes                      */
    tilecut_report told;    /* and this                                                 */
    tilecut_report *report; /* the caller's                                             */
} tc_visit;

/* For an image or a graph of so many pixels. Outputs may be NULL, but for the mask if it is `needed`. */
tilecut_status tc_enter(tc_visit *v, const tilecut_params *params, int width, int height, uint8_t *mask, bool needed,
                        tilecut_report *report);

/* Hands out mask and report if `status`, which it returns, is that all went well. Always called. */
tilecut_status tc_leave(tc_visit *v, tilecut_status status);

#endif
