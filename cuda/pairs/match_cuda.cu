/* SPDX-License-Identifier: MIT
 *
 * match_cuda.cu - the largest matching on the device, on the host's side.
 */
#include "cuda_pairs.h"
#include "device_room.cuh"
#include "graft_kernel.cuh"

#include "match_side.h"

enum { GRAFT_SLICE = 20000 /* steps of a launch */ };

typedef struct layout {
    size_t first, other, other_first, other_node, partner, partner_of_other, parent, root, leaf;
    size_t list[GRAFT_LISTS], state, total;
} layout;

static layout lay_out(const tc_side *side)
{
    const size_t nodes = (size_t)side->nodes, others = (size_t)side->others, edges = (size_t)side->first[nodes] + 1;
    const size_t length[GRAFT_LISTS] = {nodes, nodes, others, others};
    layout l = {};
    l.first = take(&l.total, (nodes + 1) * sizeof(int));
    l.other = take(&l.total, edges * sizeof(int));
    l.other_first = take(&l.total, (others + 1) * sizeof(int));
    l.other_node = take(&l.total, edges * sizeof(int));
    l.partner = take(&l.total, nodes * sizeof(int));
    l.partner_of_other = take(&l.total, others * sizeof(int));
    l.parent = take(&l.total, others * sizeof(int));
    l.root = take(&l.total, nodes * sizeof(int));
    l.leaf = take(&l.total, nodes * sizeof(int));
    for (int k = 0; k < GRAFT_LISTS; k++) l.list[k] = take(&l.total, 2 * length[k] * sizeof(int));
    l.state = take(&l.total, sizeof(graft_state));
    return l;
}

static graft_work work_of(const tc_side *side, const device_room *room, const layout *l)
{
    char *const base = room->base;
    graft_work w = {};
    w.nodes = side->nodes, w.others = side->others;
    for (int32_t v = 0; v < side->others; v++) w.reachable += side->other_first[v] < side->other_first[v + 1];
    w.first = (int *)(base + l->first), w.other = (int *)(base + l->other);
    w.other_first = (int *)(base + l->other_first), w.other_node = (int *)(base + l->other_node);
    w.partner = (int *)(base + l->partner), w.partner_of_other = (int *)(base + l->partner_of_other);
    w.parent = (int *)(base + l->parent), w.root = (int *)(base + l->root), w.leaf = (int *)(base + l->leaf);
    for (int k = 0; k < GRAFT_LISTS; k++) w.list[k] = (int *)(base + l->list[k]);
    w.state = (graft_state *)(base + l->state);
    return w;
}

static tilecut_status copy_there(const tc_side *side, const device_room *room, const graft_work *w)
{
    const size_t nodes = (size_t)side->nodes, others = (size_t)side->others;
    const size_t edges = (size_t)side->first[nodes] * sizeof(int);
    graft_plan plan = {};
    plan.step = GRAFT_GREET, plan.items = side->nodes;
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
    CUDA_NEED(cudaStreamSynchronize(room->stream)); /* `plan` is this function's */
    return TILECUT_OK;
}

/* As many lanes share a node as it has edges on average. */
static const void *kernel_for(const tc_side *side)
{
    const int edges = side->first[side->nodes] / side->nodes;
    if (edges <= 4) return (const void *)graft_kernel<4>;
    if (edges <= 8) return (const void *)graft_kernel<8>;
    return (const void *)graft_kernel<32>;
}

static tilecut_status grow(const device_room *room, graft_work w, const void *kernel, tc_pairs_run *run)
{
    graft_plan seen = {};
    int slice = GRAFT_SLICE, blocks = 0;
    void *arguments[] = {&w, &slice};
    seen.step = GRAFT_GREET;
    NEED(blocks_at_once(kernel, STEP_BLOCK, &blocks));
    NEED(stopwatch_start(&room->watch, room->stream));
    while (seen.step != GRAFT_OVER) {
        NEED(device_room_go_on(room));
        NEED(device_room_fill(room, &w.state->launch, 0, sizeof w.state->launch));
        NEED(device_room_launch(room, kernel, blocks, STEP_BLOCK, arguments));
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
    const device_scope here(0);
    const tc_side side = tc_match_side(graph, matching);
    const layout l = lay_out(&side);
    tilecut_status status = TILECUT_OK;
    device_room room;
    graft_work w;
    TRY(device_room_open(&room, l.total, cancel));
    w = work_of(&side, &room, &l);
    TRY(copy_there(&side, &room, &w));
    TRY(grow(&room, w, kernel_for(&side), run));
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
