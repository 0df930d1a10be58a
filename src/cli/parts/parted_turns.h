/* SPDX-License-Identifier: MIT
 *
 * parted_turns.h - parts of one process that work one after the other, because there is no memory for all of them at
 * once. What a part needs again later lies in a file of its own, without a name, and is in memory only in its turns. A
 * turn ends whenever a part meets the others.
 */
#ifndef CLI_PARTED_TURNS_H
#define CLI_PARTED_TURNS_H

#include "failure.h"
#include "spill.h"
#include "tilecut_parts.h"

typedef struct turns turns;

/* One part's side of it. */
typedef struct seat seat;

/* For the parts of `inner`, which stays the caller's and open. Files lie in the folder TMPDIR, or beside the file
 * `output`, or, if that is NULL, in /tmp. */
int turns_open(turns **out, const tilecut_exchange *inner, const char *output, failure *why);
void turns_close(turns *all); /* NULL is fine */

seat *turns_seat(turns *all, int part);

/* The exchange of a part, in place of the inner one. */
const tilecut_exchange *seat_exchange(const seat *own);

/* Where it keeps what need not be in memory while others work; its file is for tilecut_part.store. */
spill *seat_room(const seat *own);

/* Waits for the first turn; ends the last one. */
void seat_begin(seat *own);
void seat_end(seat *own);

#endif
