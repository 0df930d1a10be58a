/* SPDX-License-Identifier: MIT
 *
 * window_parts.h - a window of an image in parts. Only the parts whose rows lie in the window work on it, and exchange
 * data among themselves. An exchange always needs all parts, so the other parts stand by: they take part in each
 * exchange without adding anything.
 */
#pragma once

#include "comm.h"

typedef struct tc_window_parts {
    tc_comm comm; /* the communicator of the parts that have rows in the window */
    tilecut_exchange exchange;
    tc_comm *all;
    int lowest;     /* the lowest number of a part that has rows in the window */
    bool takes_part; /* true: this part has rows in the window */
    bool alone;     /* true: some parts have no rows in the window               */
    int from, rows; /* the window's rows, including the halo, within the part's image */
} tc_window_parts;

/* Begins a window of rows y .. y + height - 1 of the whole image. All parts call this. *w must not move. */
tilecut_status tc_window_begin(tc_window_parts *w, tc_comm *all, int y, int height);

/* Stands by until the parts that have rows in the window are done. Called by the other parts. */
tilecut_status tc_window_stand_by(tc_window_parts *w);

/* Announces to the parts that stand by that all is done. Called by the parts that have rows in the window. */
tilecut_status tc_window_end(tc_window_parts *w);
