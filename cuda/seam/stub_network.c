/* SPDX-License-Identifier: MIT
 *
 * stub_network.c - the same as stub.c for graphs of any shape. Apart from it, so that a test may stand in for one of
 * the two.
 */
#include "cuda_device.h"
#include "cuda_network.h"

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
