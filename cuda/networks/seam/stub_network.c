/* SPDX-License-Identifier: MIT
 *
 * stub_network.c - does for graphs of any shape what stub.c does for grids. It is a file of its own, so that a test may
 * replace one of the two.
 */
#include "cuda_network.h"
#include "cuda_pairs.h"
#include "stub.h"

#define CUDA_NETWORK(name, function, can, summary) STUB_FAILS(function, tc_net *net, tc_net_run *run)
#include "cuda_network.def"
#undef CUDA_NETWORK

STUB_GIVES(tc_net_schedule, (tc_net_schedule){0}, tc_net_schedule_default, void)
STUB_FAILS(tc_net_solve_cuda_at, tc_net *net, const tc_net_schedule *plan, tc_net_run *run)

/* ---- Pairs and levels ------------------------------------------------------------------------- */

STUB_FAILS(tc_match_graft_cuda, const tc_bipartite *graph, tc_matching *matching, int threads,
           const tilecut_flag *cancel)
STUB_FAILS(tc_levels_cuda, const tc_bipartite *graph, int32_t from, tc_search_method method, const tilecut_flag *cancel,
           int32_t *level, tc_search_report *report, tc_pairs_run *run)
STUB_FAILS(tc_assign_scaling_cuda, tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
           int threads, const tilecut_flag *cancel, bool *held)
