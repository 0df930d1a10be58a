/* SPDX-License-Identifier: MIT
 *
 * job_part_turns.h - lets the parts of one process work one after the other, when memory does not suffice for all at
 * once. A part keeps its data in a nameless temporary file of its own; they are in memory only during its turns. A turn
 * ends whenever the part waits for data from the others.
 */
#pragma once

#include "failure.h"
#include "spill.h"
#include "tilecut_parts.h"

typedef struct turns turns;

/* The state of one part that takes turns. */
typedef struct turn_slot turn_slot;

/* Prepares turns for the parts of `inner`, an array of exchanges that the caller owns and keeps open. Temporary files
 * lie in the folder TMPDIR or, if that is not set, beside the file `output` or, if that is NULL, in /tmp. */
int turns_open(turns **out, const tilecut_exchange *inner, const char *output, failure *why);
void turns_close(turns *all); /* NULL is fine */

turn_slot *turns_slot(turns *all, int part);

/* Returns the exchange that the part must use in place of the inner one. */
const tilecut_exchange *turn_slot_exchange(const turn_slot *own);

/* Returns the temporary file with the part's data. Its descriptor, spill_file(), is for tilecut_part.store. */
spill *turn_slot_spill(const turn_slot *own);

/* turn_slot_begin() starts the part's first turn, after waiting for others if need be; turn_slot_end() ends its last
 * turn. */
void turn_slot_begin(turn_slot *own);
void turn_slot_end(turn_slot *own);
