/* SPDX-License-Identifier: MIT
 *
 * cuda_pairs.h - matching, assignment and breadth-first search on a CUDA device, for their tables. See cuda_device.h.
 * Edges are copied to the device and answers are copied back; proofs are made on the host, as for answers of the CPU.
 */
#pragma once

#include "levels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How cost scaling on the device divides its time. */
typedef struct tc_scaling_schedule {
    int bids;    /* bids of a warp in a launch, before prices are updated    */
    int rounds;  /* the most rounds of an update; a longer update is dropped */
    int share;   /* eps is divided by this from phase to phase               */
    int blocks;  /* blocks per multiprocessor in a launch; 0: as many as fit */
} tc_scaling_schedule;

tc_scaling_schedule tc_scaling_schedule_default(void);

/* Figures about a call; each call sets those that apply to it. */
typedef struct tc_pairs_run {
    double device_ms; /* without copies                                               */
    int64_t steps;    /* steps that all blocks took together; for assignments, launches of bids */
    int64_t bids, updates, rounds; /* for assignments: numbers of bids, of updates of prices, and of rounds in them */
    bool held;        /* for assignments: false if prices left the range of numbers   */
} tc_pairs_run;

/* Do the same as tc_match_graft() and tc_levels(); `method` is TC_SEARCH_ALL_CUDA or TC_SEARCH_LIST_CUDA. `run` may be
 * NULL. */
tilecut_status tc_match_graft_cuda_run(const tc_bipartite *graph, tc_matching *matching, const tilecut_flag *cancel,
                                       tc_pairs_run *run);
tilecut_status tc_levels_cuda(const tc_bipartite *graph, int32_t from, tc_search_method method,
                              const tilecut_flag *cancel, int32_t *level, tc_search_report *report,
                              tc_pairs_run *run);

/* Does the same as tc_assign_scaling(), for graphs that tc_scaling_applies() accepts. `plan` may be NULL. */
tilecut_status tc_assign_scaling_cuda_at(const tc_bipartite *graph, tc_matching *matching, int64_t span, int64_t *price,
                                         const tc_scaling_schedule *plan, const tilecut_flag *cancel,
                                         tc_pairs_run *run);

#ifdef __cplusplus
}
#endif
