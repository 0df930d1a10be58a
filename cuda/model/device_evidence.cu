/* SPDX-License-Identifier: MIT
 *
 * device_evidence.cu - what is seen of a mask on the device, see cuda_backend.h.
 */
#include <algorithm>

#include "device_graph.cuh"
#include "evidence_kernels.cuh"

static_assert(sizeof(device_tally) <= LANE_LETTER, "it comes in a letter");

/* The counts lie in scratch memory, which nothing uses between a cut and the next lesson. */
extern "C" tilecut_status tc_cuda_graph_look(const tc_cuda_graph *graph, tc_box_tally *tally)
{
    enum { MOST_BLOCKS = 128 };
    const device_scope scope(graph->device);
    device_tally *const there = (device_tally *)graph->scratch;
    device_tally seen;

    CUDA_NEED(cudaMemsetAsync(there, 0, sizeof *there, graph->stream));
    LAUNCH_NEED(tally_kernel, std::min(ceil_div(graph_pixels(graph), TALLY_BLOCK), (int)MOST_BLOCKS), TALLY_BLOCK,
                graph->stream, graph->energy, graph->kept, there);
    NEED(lane_fetch(graph->lane, &seen, there, sizeof seen));
    for (int i = 0; i < TC_TALLY_BINS; i++) tally->mask[i] = seen.mask[i], tally->outside[i] = seen.outside[i];
    tally->in_mask = (int64_t)seen.in_mask, tally->in_ring = (int64_t)seen.in_ring;
    tally->open = (int64_t)seen.open;
    tally->links = (int64_t)seen.links, tally->across = (int64_t)seen.across;
    return TILECUT_OK;
}
