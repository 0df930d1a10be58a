/* SPDX-License-Identifier: MIT
 *
 * cuda_network.h - the network solvers on a CUDA device, for their table. See cuda_device.h.
 */
#pragma once

#include "net_solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A solver as in tc_net_solver: the network is copied to the device, and its residual capacities are copied back. */
#define CUDA_NETWORK(name, function, can, summary) tilecut_status function(tc_net *net, tc_net_run *run);
#include "cuda_network.def"
#undef CUDA_NETWORK

/* How network-cuda divides its time. */
typedef struct tc_net_schedule {
    int round_cost; /* cost of a round, as the number of slots that could be read in that time */
    int push_share; /* pushing continues until it has cost this much, in percent of a search */
    int tries;      /* how many times a node pushes in a round; it is lifted in between */
    int slice;      /* rounds per launch                                                */
    int blocks;     /* blocks per multiprocessor in a launch; 0: as many as can run at once */
    int lanes;      /* lanes that share a node: 4, 8, 16 or 32; 0: twice the average number of slots */
} tc_net_schedule;

tc_net_schedule tc_net_schedule_default(void);
tilecut_status tc_net_solve_cuda_at(tc_net *net, const tc_net_schedule *plan, tc_net_run *run);

#ifdef __cplusplus
}
#endif
