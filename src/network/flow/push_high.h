/* SPDX-License-Identifier: MIT
 *
 * push_high.h - push-relabel with the highest label first, on one thread: excess wherever it lies goes to one node.
 * Used towards the sink for a maximum preflow, and towards the source to lead back what is stuck.
 */
#ifndef TC_PUSH_HIGH_H
#define TC_PUSH_HIGH_H

#include "net_solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pushes `excess` [nodes], changed in place, to `target` until no more of it reaches that; what is at `closed` or is
 * stuck stays. No path leads through `closed`. Source: Goldberg & Tarjan 1988; highest label, exact labels by a search
 * back from the target now and then, gaps: Cherkassky & Goldberg, Algorithmica 19, 1997. ENOMEM, ECANCELLED. */
tilecut_status tc_push_high(tc_net *net, int64_t *excess, int32_t target, int32_t closed, tc_net_run *run);

#ifdef __cplusplus
}
#endif
#endif
