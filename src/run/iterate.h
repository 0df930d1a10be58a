/* SPDX-License-Identifier: MIT
 *
 * iterate.h - makes a mask from what a run has learnt from its seeds: learning, iterating, searching, cutting.
 */
#pragma once

#include "backend.h"

/* Cuts with the model that `run` has learnt. Then, as often as the setup asks for, learns anew from the cut and cuts
 * again. run->report is the report. If run->gave_up is set, `mask` is not written, and another learner is to try. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

/* Cuts a whole image, with the seeds as they are. Tries the learners that accept the job, one after the other, until
 * one succeeds. setup->guess, if not NULL, is the first guess. *report must be {0} on entry. */
tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

/* Learns like tc_segment_whole(), and makes on the host the graph that it would cut last. *graph: to be freed; it reads
 * image and seeds of the source. `room`: [pixels] for masks on the way. */
tilecut_status tc_segment_learn(const tc_source *source, const tc_setup *setup, uint8_t *room, tilecut_graph **graph);

/* ---- In a smaller copy ------------------------------------------------------------------------- */

/* A search in a smaller copy of an image mostly finds the same and takes less time. It also looks for parts of the
 * object whose colours no stroke shows (unseen_parts.h). These two functions are in coarse_search.c. */

/* By which factor the copy of a search is smaller on each side; 1: no copy is needed or wanted. */
int tc_copy_factor(const tc_run *run);

/* Searches in a copy that is `factor` times smaller on each side, with at most `most` iterations; `run` takes
 * over the model and the enlarged mask. *result: the report of the search in the copy. *found: false if the
 * copy would lose seeds.
 */
tilecut_status tc_copy_search(tc_run *run, int factor, int most, tilecut_report *result, bool *found);

/* ---- Inside ------------------------------------------------------------------------------------- */

enum { TC_RUN_MASKS = 4 }; /* the number of masks that a search uses */

/* Allocates `masks`; they are NULL if the learner keeps its masks. *memory: to be freed. */
tilecut_status tc_run_masks(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory);

/* Allocates a run, all zero, for use beside another one; closes and frees it. */
tilecut_status tc_run_beside(tc_run **out);
void tc_run_leave(tc_run *run); /* NULL is fine */

/* Whether a search compares masks by more than their energies (box_evidence.h). Then it needs run->scene. */
bool tc_run_looks(const tc_run *run);

/* Cuts, iterates at most `most` times, and searches for another minimum of less energy. The answer is run->masks[0]. */
tilecut_status tc_run_search(tc_run *run, int most);
