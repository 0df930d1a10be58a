/* SPDX-License-Identifier: MIT
 *
 * assign_cuda.cu - the host's side of the cheapest assignment by cost scaling on the device: it runs the phases, and
 * decides how long rows bid before prices are updated.
 */
#include "cuda_pairs.h"
#include "device_room.cuh"
#include "scaling_update.cuh"

extern "C" {
#include "cuda_device.h"
}

#include <stdlib.h>

enum { SCALING_FIXED = 64 /* an edge that costs this many eps too much is put aside, as on the CPU */ };

/* The state of one call. */
typedef struct scaling_job {
    device_room room;
    scaling_view view;
    int *open[2]; /* two lists of open rows: the one that is read, and the one that is written */
    unsigned char *taken; /* [rows + 1] flags for find_shift() */
    long long *price;     /* [2 rows] final prices of columns and rows */
    int opens, processors, update_blocks;
    const tc_scaling_schedule *plan;
    scaling_state seen;
    int64_t updates, launches;
} scaling_job;

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_scaling(scaling_job *j, const tc_bipartite *graph, char *base)
{
    const size_t rows = (size_t)graph->rows, edges = (size_t)graph->first[rows];
    scaling_view *const a = &j->view;
    size_t total = 0;
    a->rows = graph->rows, a->columns = graph->columns, a->full = graph->full, a->scale = (long long)graph->rows + 1;
    lay(&a->first, base, &total, rows + 1);
    lay(&a->column, base, &total, graph->full ? 0 : edges);
    if (graph->full) a->column = NULL;
    lay(&a->cost, base, &total, edges);
    lay(&a->v, base, &total, rows), lay(&a->own, base, &total, rows);
    lay(&a->beyond, base, &total, rows), lay(&a->far, base, &total, rows);
    lay(&a->row_of, base, &total, rows), lay(&a->column_of, base, &total, rows);
    lay(&a->memory, base, &total, SCALING_MEMORY * rows);
    lay(&a->memory_column, base, &total, SCALING_MEMORY * rows);
    lay(&a->kept, base, &total, rows), lay(&a->next, base, &total, rows);
    lay(&a->kept_edge, base, &total, edges);
    for (int k = 0; k < 2; k++) lay(&j->open[k], base, &total, rows);
    lay(&j->taken, base, &total, rows + 1);
    lay(&j->price, base, &total, 2 * rows);
    lay(&a->state, base, &total, 1);
    return total;
}

/* The number of blocks to launch so that each row gets one warp, up to a limit. */
static int blocks_for(const scaling_job *j, int rows)
{
    const int each = j->plan->blocks ? j->plan->blocks : 8, wanted = ceil_div((size_t)rows * 32, SCALING_BLOCK);
    return wanted < each * j->processors ? wanted : each * j->processors;
}

static tilecut_status read_state(scaling_job *j)
{
    return device_room_get(&j->room, &j->seen, j->view.state, sizeof j->seen);
}

static tilecut_status open_job(scaling_job *j, const tc_bipartite *graph, const tilecut_flag *cancel)
{
    const size_t edges = (size_t)graph->first[graph->rows];
    NEED(device_room_open(&j->room, lay_out_scaling(j, graph, LAYOUT_TRIAL), cancel));
    (void)lay_out_scaling(j, graph, j->room.base);
    CUDA_NEED(cudaDeviceGetAttribute(&j->processors, cudaDevAttrMultiProcessorCount, 0));
    NEED(blocks_at_once((const void *)update_kernel, SCALING_BLOCK, &j->update_blocks));
    NEED(device_room_put(&j->room, (void *)j->view.first, graph->first, ((size_t)graph->rows + 1) * sizeof(int)));
    if (!graph->full) NEED(device_room_put(&j->room, (void *)j->view.column, graph->column, edges * sizeof(int)));
    NEED(device_room_put(&j->room, (void *)j->view.cost, graph->cost, edges * sizeof(int64_t)));
    return device_room_fill(&j->room, j->view.state, 0, sizeof *j->view.state);
}

/* ---- Phases ----------------------------------------------------------------------------------- */

static tilecut_status begin_scaling(scaling_job *j)
{
    const int blocks = blocks_for(j, j->view.rows);
    begin_kernel<<<blocks, SCALING_BLOCK, 0, j->room.stream>>>(j->view, j->open[0]);
    lower_kernel<<<blocks, SCALING_BLOCK, 0, j->room.stream>>>(j->view);
    LAUNCH_NEED(remember_kernel, blocks, SCALING_BLOCK, j->room.stream, j->view);
    j->opens = j->view.rows;
    return TILECUT_OK;
}

/* Exchanges the two lists: the rows that were left open are read next. */
static tilecut_status swap_open(scaling_job *j)
{
    int *const before = j->open[0];
    NEED(read_state(j));
    j->open[0] = j->open[1];
    j->open[1] = before;
    j->opens = j->seen.left;
    return TILECUT_OK;
}

static tilecut_status clear_counts(const scaling_job *j)
{
    return device_room_fill(&j->room, &j->view.state->taken, 0, 2 * sizeof(int));
}

static tilecut_status update(scaling_job *j)
{
    int rounds = j->plan->rounds;
    void *arguments[] = {&j->view, &rounds};
    NEED(device_room_fill(&j->room, &j->view.state->launch, 0, sizeof j->view.state->launch));
    NEED(device_room_launch(&j->room, {(const void *)update_kernel, j->update_blocks, SCALING_BLOCK, arguments}));
    j->updates++;
    return TILECUT_OK;
}

/* Alternates between bids and updates of prices, until no row is open or a price has fallen far too low. */
static tilecut_status refine(scaling_job *j, int64_t eps)
{
    while (j->opens && !j->seen.failed) {
        NEED(device_room_go_on(&j->room));
        NEED(clear_counts(j));
        LAUNCH_NEED(refine_kernel, blocks_for(j, j->opens), SCALING_BLOCK, j->room.stream, j->view, j->open[0],
                    j->opens, j->open[1], eps, j->plan->bids);
        NEED(swap_open(j));
        j->launches++;
        if (j->opens && !j->seen.failed) NEED(update(j));
    }
    return TILECUT_OK;
}

/* Opens the rows whose assignment does not satisfy the smaller eps. */
static tilecut_status set_free(scaling_job *j, int64_t eps, int64_t aside)
{
    NEED(clear_counts(j));
    LAUNCH_NEED(free_kernel, blocks_for(j, j->view.rows), SCALING_BLOCK, j->room.stream, j->view, j->open[1], eps,
                aside);
    return swap_open(j);
}

static tilecut_status bring_back(scaling_job *j)
{
    LAUNCH_NEED(remember_kernel, blocks_for(j, j->view.rows), SCALING_BLOCK, j->room.stream, j->view);
    return set_free(j, 1, 0);
}

static tilecut_status run_phases(scaling_job *j, int64_t span)
{
    const int64_t share = j->plan->share;
    int64_t eps = span * j->view.scale / share > 1 ? span * j->view.scale / share : 1;
    NEED(begin_scaling(j));
    for (bool more = true; more;) {
        NEED(refine(j, eps));
        if (j->seen.failed) break;
        if (eps == 1) {
            NEED(bring_back(j));
            more = j->opens > 0;
        } else {
            const int64_t next = eps > share ? eps / share : 1;
            NEED(set_free(j, next, SCALING_FIXED * eps));
            eps = next;
        }
    }
    return TILECUT_OK;
}

/* ---- The answer ------------------------------------------------------------------------------- */

/* Finds a remainder that no row's price has. One exists, because there are more remainders than rows. */
static tilecut_status find_shift(scaling_job *j, int64_t *shift)
{
    tilecut_status status = TILECUT_OK;
    const size_t bytes = (size_t)j->view.scale;
    unsigned char *const here = (unsigned char *)malloc(bytes);
    if (!here) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the prices"));
    TRY(device_room_fill(&j->room, j->taken, 0, bytes));
    LAUNCH_TRY(residues_kernel, blocks_for(j, j->view.rows), SCALING_BLOCK, j->room.stream, j->view, j->taken);
    TRY(device_room_get(&j->room, here, j->taken, bytes));
    for (*shift = 0; here[*shift]; ++*shift) continue;
done:
    free(here);
    return status;
}

/* Computes exact prices as round_prices() in assign_scaling.c does. */
static tilecut_status fetch(scaling_job *j, tc_matching *matching, int64_t *price)
{
    const size_t rows = (size_t)j->view.rows;
    int64_t shift = 0;
    NEED(find_shift(j, &shift));
    round_kernel<<<blocks_for(j, j->view.rows), SCALING_BLOCK, 0, j->room.stream>>>(j->view, shift, j->price);
    LAUNCH_NEED(price_kernel, blocks_for(j, j->view.rows), SCALING_BLOCK, j->room.stream, j->view, j->price);
    NEED(device_room_get(&j->room, price, j->price, 2 * rows * sizeof *price));
    NEED(device_room_get(&j->room, matching->column_of, j->view.column_of, rows * sizeof(int)));
    NEED(device_room_get(&j->room, matching->row_of, j->view.row_of, rows * sizeof(int)));
    matching->pairs = j->view.rows;
    return TILECUT_OK;
}

static tilecut_status report_run(scaling_job *j, tc_pairs_run *run)
{
    NEED(stopwatch_stop(&j->room.watch, j->room.stream));
    NEED(stopwatch_read(&j->room.watch, &run->device_ms));
    NEED(read_state(j));
    run->steps = j->launches;
    run->bids = (int64_t)j->seen.bids;
    run->updates = j->updates;
    run->rounds = (int64_t)j->seen.rounds;
    return TILECUT_OK;
}

extern "C" tc_scaling_schedule tc_scaling_schedule_default(void)
{
    return {100, 2000, 8, 8};
}

extern "C" tilecut_status tc_assign_scaling_cuda_at(const tc_bipartite *graph, tc_matching *matching,
                                                    int64_t span, int64_t *price, const tc_scaling_schedule *plan,
                                                    const tilecut_flag *cancel, tc_pairs_run *run)
{
    const device_scope scope(0);
    const tc_scaling_schedule usual = tc_scaling_schedule_default();
    tilecut_status status = TILECUT_OK;
    scaling_job j = {};
    j.plan = plan ? plan : &usual;
    TRY(open_job(&j, graph, cancel));
    TRY(stopwatch_start(&j.room.watch, j.room.stream));
    TRY(run_phases(&j, span));
    run->held = !j.seen.failed;
    if (run->held) TRY(fetch(&j, matching, price));
    TRY(report_run(&j, run));
done:
    device_room_close(&j.room);
    return status;
}

extern "C" tilecut_status tc_assign_scaling_cuda(tc_bipartite *graph, tc_matching *matching, int64_t *price,
                                                 int64_t *first_pairs, int threads, const tilecut_flag *cancel,
                                                 bool *held)
{
    tilecut_status status = tc_cuda_device(0, NULL, 0); /* tested first, because without a device the host has nothing
                                                           to do */
    tc_pairs_run run = {};
    int64_t span = 0;
    if (status == TILECUT_OK) status = tc_scaling_applies(graph, matching, threads, cancel, &span);
    *held = span;
    *first_pairs = 0;
    if (status != TILECUT_OK || !span) return status;
    status = tc_assign_scaling_cuda_at(graph, matching, span, price, NULL, cancel, &run);
    *held = run.held;
    return status;
}
