/* SPDX-License-Identifier: MIT
 *
 * levels_cuda.cu - the host's side of breadth-first search on the device.
 */
#include "cuda_pairs.h"
#include "device_room.cuh"
#include "levels_kernel.cuh"

enum { LEVELS_SLICE = 10000 /* levels per launch */ };

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_levels(const tc_bipartite *graph, char *base, levels_work *w)
{
    const size_t nodes = (size_t)graph->rows, arcs = (size_t)graph->first[nodes];
    size_t total = 0;
    w->nodes = graph->rows;
    lay(&w->first, base, &total, nodes + 1);
    lay(&w->head, base, &total, arcs + 1);
    lay(&w->level, base, &total, nodes);
    lay(&w->queue, base, &total, nodes);
    lay(&w->state, base, &total, 1);
    return total;
}

static const void *kernel_for(const tc_bipartite *graph, tc_search_method method)
{
    const int arcs = graph->first[graph->rows] / graph->rows;
    if (method == TC_SEARCH_ALL_CUDA) return (const void *)levels_all_kernel;
    if (arcs < 4) return (const void *)levels_list_kernel<4>;
    if (arcs < 16) return (const void *)levels_list_kernel<8>;
    return (const void *)levels_list_kernel<32>;
}

static tilecut_status copy_there(const tc_bipartite *graph, int32_t from, const device_room *room, const levels_work *w)
{
    const size_t nodes = (size_t)graph->rows;
    static const int zero = 0;
    const levels_state begin = {{0, {}}, 0, 0, 1, 0};
    NEED(device_room_put(room, (void *)w->first, graph->first, (nodes + 1) * sizeof(int)));
    NEED(device_room_put(room, (void *)w->head, graph->column, (size_t)graph->first[nodes] * sizeof(int)));
    NEED(device_room_fill(room, w->level, 255, nodes * sizeof(int)));
    NEED(device_room_put(room, w->level + from, &zero, sizeof zero));
    NEED(device_room_put(room, w->queue, &from, sizeof from));
    NEED(device_room_put(room, w->state, &begin, sizeof begin));
    CUDA_NEED(cudaStreamSynchronize(room->stream)); /* `begin` must live until it is copied */
    return TILECUT_OK;
}

static tilecut_status search_levels(const device_room *room, levels_work w, const void *kernel, tc_pairs_run *run)
{
    levels_state seen = {};
    int slice = LEVELS_SLICE, blocks = 0;
    void *arguments[] = {&w, &slice};
    NEED(blocks_at_once(kernel, STEP_BLOCK, &blocks));
    NEED(device_room_until_done(room, {kernel, blocks, STEP_BLOCK, arguments}, w.state, &seen,
                                run ? &run->device_ms : NULL));
    if (run) run->steps = seen.depth;
    return TILECUT_OK;
}

static void count_levels(const int32_t *level, int32_t nodes, tc_search_report *report)
{
    *report = {};
    for (int32_t v = 0; v < nodes; v++) {
        report->reached += level[v] >= 0;
        if (level[v] > report->deepest) report->deepest = level[v];
    }
    report->downs = report->deepest + 1; /* the last level finds no nodes */
}

extern "C" tilecut_status tc_levels_cuda(const tc_bipartite *graph, int32_t from, tc_search_method method,
                                         const tilecut_flag *cancel, int32_t *level, tc_search_report *report,
                                         tc_pairs_run *run)
{
    const device_scope scope(0);
    tilecut_status status = TILECUT_OK;
    device_room room;
    levels_work w;
    TRY(device_room_open(&room, lay_out_levels(graph, LAYOUT_TRIAL, &w), cancel));
    (void)lay_out_levels(graph, room.base, &w);
    TRY(copy_there(graph, from, &room, &w));
    TRY(search_levels(&room, w, kernel_for(graph, method), run));
    TRY(device_room_get(&room, level, w.level, (size_t)graph->rows * sizeof *level));
    count_levels(level, graph->rows, report);
done:
    device_room_close(&room);
    return status;
}
