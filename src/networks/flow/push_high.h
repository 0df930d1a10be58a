/* SPDX-License-Identifier: MIT
 *
 * push_high.h - push-relabel with the highest label first, on one thread. It moves excess from all nodes to one node:
 * to the sink for a maximum preflow, or to the source to return excess that is stuck.
 */
#pragma once

#include "net_solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pushes `excess` [nodes], which is changed in place, to `target` until no more of it can reach it. Excess at `closed`,
 * and excess that is stuck, stays. No path leads through `closed`. Source: Goldberg & Tarjan 1988; highest label,
 * global relabelling and gaps: Cherkassky & Goldberg, Algorithmica 19, 1997. Errors: ENOMEM, ECANCELLED. */
tilecut_status tc_push_high(tc_net *net, int64_t *excess, int32_t target, int32_t closed, tc_net_run *run);

#ifdef __cplusplus
}
#endif
