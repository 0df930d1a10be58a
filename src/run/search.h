/* SPDX-License-Identifier: MIT
 *
 * search.h - the functions from which iterate.c is built: the alternation of learning and cutting, the search among
 * several models, and the search in a smaller copy. Each file calls those above it in this list; coarse_search.c also
 * calls iterate.c.
 */
#pragma once

#include "backend.h"

/* ---- alternate.c --------------------------------------------------------------------------------- */

enum { TC_RUN_MASKS = 4 }; /* the number of masks that a search uses */

/* Cuts into `mask`, and removes islands from it. */
tilecut_status tc_run_cut_into(tc_run *run, uint8_t *mask, tilecut_report *result);

/* Cuts with the learnt model into masks[1], and keeps that cut: it is the first answer, and run->report is its
 * report. */
tilecut_status tc_cut_learnt(tc_run *run);

/* Iterates as long as that helps, until there have been `most` iterations. */
tilecut_status tc_iterate_on(tc_run *run, int most);

/* Calls tc_cut_learnt(), and then tc_iterate_on(). */
tilecut_status tc_cut_and_iterate(tc_run *run, int most);

/* Allocates `masks`; they are NULL if the learner keeps its masks. The caller frees *memory. */
tilecut_status tc_run_masks(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory);

/* Allocates a run, all zero, for use besides another one. tc_run_delete() closes and frees it. */
tilecut_status tc_run_new(tc_run **out);
void tc_run_delete(tc_run *run); /* NULL is allowed */

/* ---- branches.c ---------------------------------------------------------------------------------- */

/* Branches that are tried at the same time on several threads, before the search needs them. */
typedef struct tc_branches tc_branches;

tc_branches *tc_branches_new(void); /* NULL if there is no memory */
void tc_branches_free(tc_branches *a);

/* Frees the branches that no run has taken over, and the masks of all branches. */
void tc_branches_clear(tc_branches *a);

/* tc_tries_branches_at_once() is true if several branches of `run` are tried at a time: on the host if the graph is too
 * small for two threads, and on a device. The next function returns how many at most. */
bool tc_tries_branches_at_once(const tc_run *run);
int tc_most_branches(const tc_run *run);

/* Tries `count` branches of `run`, beginning with `first`. With `trunk` >= 0, cuts and iterates `run` itself at the
 * same time, at most `trunk` times. */
tilecut_status tc_try_branches(tc_branches *a, tc_run *run, tc_branch first, int count, int most, int trunk);

/* Returns the run of a branch that was tried in advance; NULL if it was not. */
const tc_run *tc_find_branch(tc_branches *a, tc_branch what);

/* Makes *other a branch of `run` that is cut and iterated. From then on it uses the flow of `run`. *other must be NULL
 * at first; call tc_run_delete() on it also after a failure, and before `a` is used again. */
tilecut_status tc_take_branch(tc_branches *a, const tc_run *run, tc_branch what, int most, tc_run **other);

/* ---- search.c ------------------------------------------------------------------------------------ */

/* True if a search compares masks by more than their energies (box_evidence.h). Then set run->looks; unless the learner
 * has a look() of its own, the search needs run->scene, too. */
bool tc_run_looks(const tc_run *run);

/* Cuts, iterates at most `most` times, and searches for another minimum with less energy. The answer is
 * run->masks[0]. */
tilecut_status tc_run_search(tc_run *run, int most);

/* ---- coarse_search.c ----------------------------------------------------------------------------- */

/* A search in a smaller copy of an image mostly finds the same mask and takes less time. It also searches for parts of
 * the object whose colours no stroke shows (unseen_parts.h). */

/* Returns the factor by which the copy of a search is smaller on each side; 1: no copy is needed or wanted. */
int tc_copy_factor(const tc_run *run);

/* Searches in a copy that is `factor` times smaller on each side, with at most `most` iterations; `run` takes over the
 * model and the enlarged mask. *result is the report of the search in the copy. *found is false if the copy would lose
 * seeds. */
tilecut_status tc_copy_search(tc_run *run, int factor, int most, tilecut_report *result, bool *found);
