/* SPDX-License-Identifier: MIT
 *
 * tilecut.c - the calls of tilecut.h that pass on what they are given.
 */
#include "solve.h"
#include "status.h"
#include "cuda_device.h"

#define STRING(x) #x
#define DOTTED(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *tilecut_version(void)
{
    return DOTTED(TILECUT_VERSION_MAJOR, TILECUT_VERSION_MINOR, TILECUT_VERSION_PATCH);
}

tilecut_status tilecut_cuda_device(char *name, size_t size)
{
    return tc_cuda_device(name, size);
}

int tilecut_cuda_built(void)
{
    return tc_cuda_built;
}

tilecut_status tilecut_graph_solve(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                   tilecut_report *report)
{
    return tc_solve(graph, params, NULL, mask, NULL, report);
}

tilecut_status tilecut_graph_flow(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                  const tilecut_flow *flow, tilecut_report *report)
{
    if (!flow || !flow->source || !flow->sink || !flow->to[TILECUT_RIGHT] || !flow->to[TILECUT_DOWN])
        return tc_fail(TILECUT_EINVAL, "flow is NULL, or an array of it is");
    if (graph && graph->connectivity == 8 && (!flow->to[TILECUT_DOWN_RIGHT] || !flow->to[TILECUT_DOWN_LEFT]))
        return tc_fail(TILECUT_EINVAL, "the flow of a graph with 8 neighbours needs arrays for diagonals");
    return tc_solve(graph, params, NULL, mask, flow, report);
}
