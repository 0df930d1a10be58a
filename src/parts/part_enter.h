/* SPDX-License-Identifier: MIT
 *
 * part_enter.h - begins and ends a part's call of tilecut_parts.h: reads the caller's description of the part, and
 * checks that the parts fit together. If a part fails, it leaves the exchange, and all others fail, too.
 */
#pragma once

#include "params.h"
#include "part.h"

/* The numbers that parts compare before they begin: first own row, number of own rows; height, width and kind of the
 * whole; and a hash of the parameters that must be equal in all parts. In a volume rows are slices, and height is its
 * depth. */
enum { TC_PART_WORDS = 6 };

/* Returns a hash of bytes, for comparing them. */
int64_t tc_part_hash(const void *bytes, size_t size);
int64_t tc_part_hash_setup(const tc_setup *setup); /* a hash of the parameters that must be equal in all parts */

/* Sets part->comm and part->exchange from the caller's description. Errors: EINVAL. */
tilecut_status tc_part_enter(tc_part *part, const tilecut_part *from);

/* Compares the parts. Returns EINVAL if they belong to different images or parameters, or do not cover the whole;
 * ECANCELLED if a part has left. */
tilecut_status tc_part_agree(tc_comm *comm, const int64_t own[TC_PART_WORDS], bool volume);

/* Checks that neighbours have the same rows at their border. hash[0] has the hashes of the part's first and last own
 * rows, and hash[1] those of the halo's rows above and below. Returns EINVAL if they differ; ECANCELLED if a part has
 * left. */
tilecut_status tc_part_check_halos(tc_comm *comm, int64_t hash[2][2], bool volume);

/* Closes the part. If `status` is TILECUT_OK, writes its report; otherwise leaves the exchange, so that all other parts
 * fail, too. Returns `status`. */
tilecut_status tc_part_leave(tc_part *part, tilecut_part_report *more, tilecut_status status);
