/* SPDX-License-Identifier: MIT
 *
 * tilecut.c - the calls of tilecut.h that do a whole job.
 */
#include "tilecut.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_backend.h"
#include "graph.h"
#include "resident_segment.h"
#include "status.h"

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

tilecut_params tilecut_params_default(void)
{
    return (tilecut_params){.lambda = 50, .spatial = 2};
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

tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                               uint8_t *mask, tilecut_report *report)
{
    const tilecut_params defaults = tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    const tc_solver *solver = NULL;
    bool done = false;

    if (!params) params = &defaults;
    TRY(tc_solve_check(params, params->connectivity, &solver)); /* before any work is done */
    if (tc_resident_can(params, solver))
        TRY(tc_resident_segment(image, seeds, params, solver, NULL, mask, report, &done));
    if (done) goto done;
    TRY(tilecut_graph_from_image(&graph, image, seeds, params));
    TRY(tilecut_graph_segment(graph, params, mask, report));
done:
    tilecut_graph_destroy(graph);
    return status;
}

/* Through host memory, for what the device leaves to the CPU. */
static tilecut_status segment_copies(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                     uint8_t *mask, void *stream, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_fetched here = {0};

    TRY(tc_image_fetch(image, seeds, stream, &here));
    TRY(tilecut_segment(&here.image, here.seeds, params, here.mask, report));
    TRY(tc_cuda_copy(mask, here.mask, (size_t)image->width * (size_t)image->height, stream));
done:
    free(here.memory);
    return status;
}

tilecut_status tilecut_segment_cuda(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                    uint8_t *mask, void *stream, tilecut_report *report)
{
    const tilecut_params defaults = tilecut_params_default();
    tilecut_params there = params ? *params : defaults;
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver = NULL;
    bool done = false;

    if (!there.solver || strcmp(there.solver, "auto") == 0) there.solver = "cuda";
    TRY(tc_solve_check(&there, there.connectivity, &solver));
    if (!seeds || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", seeds ? "mask" : "seeds");
    TRY(tc_image_check(image));
    if (tc_resident_can(&there, solver))
        TRY(tc_resident_segment(image, seeds, &there, solver, &stream, mask, report, &done));
    if (!done) TRY(segment_copies(image, seeds, &there, mask, stream, report));
done:
    return status;
}
