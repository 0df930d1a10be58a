/* SPDX-License-Identifier: MIT
 *
 * iterate.h - makes a mask from what a run has learnt from its seeds: learning, iterating, searching, cutting.
 */
#ifndef TC_ITERATE_H
#define TC_ITERATE_H

#include "backend.h"

/* Cuts what `run` has learnt. Then, as often as was asked for, learns anew from the cut and cuts again. run->told is
 * the report. If run->gave_up is set, `mask` is not written, and another learner is to try. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

/* All of an image, with the seeds as they are. Asks each learner that can learn the job, until one has done it.
 * setup->guess says where learning begins, if it does not begin where the seeds say. *report must be {0} on entry. */
tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

/* ---- In a smaller copy ------------------------------------------------------------------------- */

/* A search in a smaller copy of an image finds the same as a rule, and takes less time. There it is also looked for
 * parts in colours that no stroke names (unseen_parts.h). coarse_search.c has these two. */

/* How much smaller the copy is on each side. 1: no copy is needed, or wanted. */
int tc_copy_factor(const tc_run *run);

/* Searches in a copy that is `factor` times smaller; `run` goes on with its answer at full size. *told: of the copy.
 * *found: false if the copy would lose seeds. */
tilecut_status tc_copy_search(tc_run *run, int factor, int most, tilecut_report *told, bool *found);

/* ---- Inside ------------------------------------------------------------------------------------- */

enum { TC_RUN_MASKS = 4 }; /* that a search uses */

/* Points `masks` to memory, unless masks stay with the learner. *memory: to be freed. */
tilecut_status tc_run_masks(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory);

/* A run beside another, all zero; and its end. */
tilecut_status tc_run_beside(tc_run **out);
void tc_run_leave(tc_run *run); /* NULL is fine */

/* Whether a search compares masks by more than their energies: then it needs run->scene. */
bool tc_run_looks(const tc_run *run);

/* Cuts, iterates at most so often, and looks for another minimum of less energy. The answer is in run->masks[0]. */
tilecut_status tc_run_search(tc_run *run, int most);

#endif
