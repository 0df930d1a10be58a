/* SPDX-License-Identifier: MIT
 *
 * match_cuda.cu - the host's side of the largest matching on the device.
 */
#include "cuda_pairs.h"
#include "device_room.cuh"
#include "graft_kernel.cuh"

#include "match_side.h"

enum { GRAFT_SLICE = 20000 /* steps per launch */ };

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_trees(const tc_side *side, char *base, graft_work *w)
{
    const size_t nodes = (size_t)side->nodes, others = (size_t)side->others, edges = (size_t)side->first[nodes] + 1;
    const size_t length[GRAFT_LISTS] = {nodes, nodes, others, others};
    size_t total = 0;
    w->nodes = side->nodes, w->others = side->others;
    lay(&w->first, base, &total, nodes + 1);
    lay(&w->other, base, &total, edges);
    lay(&w->other_first, base, &total, others + 1);
    lay(&w->other_node, base, &total, edges);
    lay(&w->partner, base, &total, nodes);
    lay(&w->partner_of_other, base, &total, others);
    lay(&w->parent, base, &total, others);
    lay(&w->root, base, &total, nodes);
    lay(&w->leaf, base, &total, nodes);
    for (int k = 0; k < GRAFT_LISTS; k++) lay(&w->list[k], base, &total, 2 * length[k]);
    lay(&w->state, base, &total, 1);
    return total;
}

static tilecut_status copy_there(const tc_side *side, const device_room *room, const graft_work *w)
{
    const size_t nodes = (size_t)side->nodes, others = (size_t)side->others;
    const size_t edges = (size_t)side->first[nodes] * sizeof(int);
    graft_plan plan = {};
    plan.step = GRAFT_MATCH, plan.items = side->nodes;
    NEED(device_room_put(room, (void *)w->first, side->first, (nodes + 1) * sizeof(int)));
    NEED(device_room_put(room, (void *)w->other, side->other, edges));
    NEED(device_room_put(room, (void *)w->other_first, side->other_first, (others + 1) * sizeof(int)));
    NEED(device_room_put(room, (void *)w->other_node, side->other_node, edges));
    NEED(device_room_fill(room, w->partner, 255, nodes * sizeof(int)));
    NEED(device_room_fill(room, w->partner_of_other, 255, others * sizeof(int)));
    NEED(device_room_fill(room, w->parent, 255, others * sizeof(int)));
    NEED(device_room_fill(room, w->root, 255, nodes * sizeof(int)));
    NEED(device_room_fill(room, w->leaf, 255, nodes * sizeof(int)));
    NEED(device_room_put(room, &w->state->plan, &plan, sizeof plan));
    CUDA_NEED(cudaStreamSynchronize(room->stream)); /* `plan` must live until it is copied */
    return TILECUT_OK;
}

/* As many lanes share a node as nodes have edges on average. */
static const void *kernel_for(const tc_side *side)
{
    const int edges = side->first[side->nodes] / side->nodes;
    if (edges <= 4) return (const void *)graft_kernel<4>;
    if (edges <= 8) return (const void *)graft_kernel<8>;
    return (const void *)graft_kernel<32>;
}

static tilecut_status grow_trees(const device_room *room, graft_work w, const void *kernel, tc_pairs_run *run)
{
    graft_plan seen = {};
    int slice = GRAFT_SLICE, blocks = 0;
    void *arguments[] = {&w, &slice};
    seen.step = GRAFT_MATCH;
    NEED(blocks_at_once(kernel, STEP_BLOCK, &blocks));
    NEED(stopwatch_start(&room->watch, room->stream));
    while (seen.step != GRAFT_OVER) {
        NEED(device_room_go_on(room));
        NEED(device_room_fill(room, &w.state->launch, 0, sizeof w.state->launch));
        NEED(device_room_launch(room, {kernel, blocks, STEP_BLOCK, arguments}));
        NEED(device_room_get(room, &seen, &w.state->plan, sizeof seen));
    }
    NEED(stopwatch_stop(&room->watch, room->stream));
    if (run) NEED(stopwatch_read(&room->watch, &run->device_ms));
    if (run) run->steps = seen.steps;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_match_graft_cuda_run(const tc_bipartite *graph, tc_matching *matching,
                                                  const tilecut_flag *cancel, tc_pairs_run *run)
{
    const device_scope scope(0);
    const tc_side side = tc_match_side(graph, matching);
    tilecut_status status = TILECUT_OK;
    device_room room;
    graft_work w = {};
    TRY(device_room_open(&room, lay_out_trees(&side, LAYOUT_TRIAL, &w), cancel));
    (void)lay_out_trees(&side, room.base, &w);
    for (int32_t v = 0; v < side.others; v++) w.reachable += side.other_first[v] < side.other_first[v + 1];
    TRY(copy_there(&side, &room, &w));
    TRY(grow_trees(&room, w, kernel_for(&side), run));
    TRY(device_room_get(&room, side.partner, w.partner, (size_t)side.nodes * sizeof(int)));
    TRY(device_room_get(&room, side.partner_of_other, w.partner_of_other, (size_t)side.others * sizeof(int)));
    matching->pairs = 0;
    for (int32_t v = 0; v < side.nodes; v++) matching->pairs += side.partner[v] >= 0;
done:
    device_room_close(&room);
    return status;
}

extern "C" tilecut_status tc_match_graft_cuda(const tc_bipartite *graph, tc_matching *matching, int threads,
                                              const tilecut_flag *cancel)
{
    (void)threads;
    return tc_match_graft_cuda_run(graph, matching, cancel, NULL);
}
