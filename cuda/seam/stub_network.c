/* SPDX-License-Identifier: MIT
 *
 * stub_network.c - the same as stub.c for graphs of any shape. Apart from it, so that a test may stand in for one of
 * the two.
 */
#include "cuda_device.h"
#include "cuda_network.h"
#include "cuda_pairs.h"

#define CUDA_NETWORK(name, function, can, summary)        \
    tilecut_status function(tc_net *net, tc_net_run *run) \
    {                                                     \
        (void)net, (void)run;                             \
        return tc_cuda_device(0, NULL, 0);                \
    }
#include "cuda_network.def"
#undef CUDA_NETWORK

tc_net_schedule tc_net_schedule_default(void)
{
    return (tc_net_schedule){0};
}

tilecut_status tc_net_solve_cuda_at(tc_net *net, const tc_net_schedule *plan, tc_net_run *run)
{
    (void)net, (void)plan, (void)run;
    return tc_cuda_device(0, NULL, 0);
}

/* ---- Pairs and levels ------------------------------------------------------------------------- */

tilecut_status tc_match_graft_cuda(const tc_bipartite *graph, tc_matching *matching, int threads,
                                   const tilecut_flag *cancel)
{
    (void)graph, (void)matching, (void)threads, (void)cancel;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_levels_cuda(const tc_bipartite *graph, int32_t from, tc_search_way way, const tilecut_flag *cancel,
                              int32_t *level, tc_search_told *told, tc_pairs_run *run)
{
    (void)graph, (void)from, (void)way, (void)cancel, (void)level, (void)told, (void)run;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_assign_scaling_cuda(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
                                      int threads, const tilecut_flag *cancel, bool *held)
{
    (void)graph, (void)matching, (void)price, (void)first_pairs, (void)threads, (void)cancel, (void)held;
    return tc_cuda_device(0, NULL, 0);
}
