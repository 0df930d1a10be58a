/* SPDX-License-Identifier: MIT
 *
 * part_enter.h - how a part begins a call of tilecut_parts.h, and how it ends one: it reads what the caller says, and
 * the parts compare what they have. A part that fails before all are done tells the others, who then fail, too.
 */
#ifndef TC_PART_ENTER_H
#define TC_PART_ENTER_H

#include "params.h"
#include "part.h"

/* What the parts compare before they begin: the first own row and how many there are; height, width and kind of the
 * whole; a hash of the parameters that must not differ. Of a volume rows are slices, and height is its depth. */
enum { TC_PART_WORDS = 6 };

/* A hash of bytes, for comparing them. */
int64_t tc_part_hash(const void *bytes, size_t size);
int64_t tc_part_hash_setup(const tc_setup *setup); /* of all of the parameters that must not differ */

/* Fills in part->comm from what the caller says. EINVAL. */
tilecut_status tc_part_enter(tc_part *part, const tilecut_part *given);

/* EINVAL if the parts are not of one whole, or not all of it; ECANCELLED. */
tilecut_status tc_part_agree(tc_comm *comm, const int64_t own[TC_PART_WORDS], bool volume);

/* Compares rows by hashes: [0] of the first and the last own one, [1] of the halo's. EINVAL, ECANCELLED. */
tilecut_status tc_part_check_rims(tc_comm *comm, int64_t hash[2][2], bool volume);

/* Closes the part and writes its report. Tells the others if this part has failed by itself; they find out about all
 * that they have in common. Returns `status`. */
tilecut_status tc_part_leave(tc_part *part, tilecut_part_report *more, tilecut_status status);

#endif
