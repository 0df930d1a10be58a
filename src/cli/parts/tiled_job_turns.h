/* SPDX-License-Identifier: MIT
 *
 * tiled_job_turns.h - lets the parts of one process work one after the other, when memory does not suffice for all at
 * once. A part keeps its data in a temporary file of its own, without a name, and in memory only during its turns. A
 * turn ends whenever the part waits for data from the others.
 */
#pragma once

#include "failure.h"
#include "spill.h"
#include "tilecut_parts.h"

typedef struct turns turns;

/* The state of one part. */
typedef struct seat seat;

/* Prepares turns for the parts of `inner`, an array of exchanges that the caller owns and keeps open. Temporary files
 * lie in the folder TMPDIR or else beside the file `output` or, if that is NULL, in /tmp. */
int turns_open(turns **out, const tilecut_exchange *inner, const char *output, failure *why);
void turns_close(turns *all); /* NULL is fine */

seat *turns_seat(turns *all, int part);

/* The exchange that the part is to use in place of the inner one. */
const tilecut_exchange *seat_exchange(const seat *own);

/* The temporary file with the part's data; its descriptor, spill_file(), is for tilecut_part.store. */
spill *seat_room(const seat *own);

/* Begins the part's first turn, which may wait for others; ends its last one. */
void seat_begin(seat *own);
void seat_end(seat *own);
