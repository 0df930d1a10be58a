/* SPDX-License-Identifier: MIT
 *
 * wbpr.cu - the four solvers of Hsieh, Lin & Kuo 2024 (WBPR). Either each node has a thread, or each active node has a
 * warp. Either forward and reversed arcs are in separate rows (RCSR), or a row holds both directions (BCSR). In the
 * authors' code a kernel runs as many cycles as there are nodes, most of them idle; here it runs CYCLES at a time, as
 * in He & Hong.
 */
#include "cuda_network.h"
#include "paper_run.cuh"
#include "sorted_rows.cuh"

enum { CYCLES = 4096 };

/* ---- RCSR ------------------------------------------------------------------------------------- */

enum { RCSR_ARRAYS = 7, OTHERS = 2 /* the other two arrays hold excess and heights */ };

static rcsr rcsr_of(const mirror *a, bool device)
{
    void *at[RCSR_ARRAYS];
    for (int k = 0; k < RCSR_ARRAYS; k++) at[k] = device ? a[k].device : a[k].host;
    return {(int *)at[0], (int *)at[1], (int *)at[2], (int *)at[3], (int *)at[4], (long long *)at[5],
            (long long *)at[6]};
}

static tilecut_status solve_rcsr(tc_net *net, const void *kernel, bool cooperative, tc_net_run *run)
{
    const device_scope scope(0);
    const size_t row = ((size_t)net->nodes + 1) * sizeof(int);
    tilecut_status status = TILECUT_OK;
    paper_run p = {};
    tc_rcsr rows = {};
    size_t arcs = 0;
    TRY(paper_open(&p, net, run));
    TRY(tc_rcsr_init(&rows, net, run->threads));
    run->bytes += tc_rcsr_bytes(&rows);
    arcs = (size_t)rows.arcs;
    paper_add(&p, rows.first, row, false);
    paper_add(&p, rows.back, row, false);
    paper_add(&p, rows.head, arcs * sizeof(int), false);
    paper_add(&p, rows.tail, arcs * sizeof(int), false);
    paper_add(&p, rows.arc, arcs * sizeof(int), false);
    paper_add(&p, rows.room, arcs * sizeof(long long), true);
    paper_add(&p, rows.used, arcs * sizeof(long long), true);
    saturate_on_host(rcsr_of(p.array + OTHERS, false), net->source, net->sink, p.excess);
    TRY(paper_place(&p, run));
    TRY(paper_loop(&p, rcsr_of(p.array + OTHERS, false), rcsr_of(p.array + OTHERS, true), kernel, cooperative, CYCLES,
                   run));
    tc_rcsr_hand_back(&rows, net, run->threads);
done:
    tc_rcsr_free(&rows);
    paper_close(&p);
    return status;
}

/* ---- BCSR ------------------------------------------------------------------------------------- */

static bcsr bcsr_of(const mirror *a, bool device)
{
    void *at[4];
    for (int k = 0; k < 4; k++) at[k] = device ? a[k].device : a[k].host;
    return {(int *)at[0], (int *)at[1], (int *)at[2], (long long *)at[3]};
}

static tilecut_status solve_bcsr(tc_net *net, const void *kernel, bool cooperative, tc_net_run *run)
{
    const device_scope scope(0);
    const size_t slots = (size_t)net->first[net->nodes];
    tilecut_status status = TILECUT_OK;
    paper_run p = {};
    sorted_rows rows = {};
    TRY(paper_open(&p, net, run));
    TRY(rows_init(&rows, net));
    run->bytes += slots * (3 * sizeof(int) + sizeof(long long));
    paper_add(&p, net->first, ((size_t)net->nodes + 1) * sizeof(int), false);
    paper_add(&p, rows.head, slots * sizeof(int), false);
    paper_add(&p, rows.pair, slots * sizeof(int), false);
    paper_add(&p, rows.room, slots * sizeof(long long), true);
    saturate_on_host(bcsr_of(p.array + OTHERS, false), net->source, net->sink, p.excess);
    TRY(paper_place(&p, run));
    TRY(paper_loop(&p, bcsr_of(p.array + OTHERS, false), bcsr_of(p.array + OTHERS, true), kernel, cooperative, CYCLES,
                   run));
    for (size_t i = 0; i < slots; i++) net->slot[rows.slot[i]].room = rows.room[i];
done:
    rows_free(&rows);
    paper_close(&p);
    return status;
}

/* ---- The rows --------------------------------------------------------------------------------- */

extern "C" tilecut_status tc_net_solve_thread_rcsr(tc_net *net, tc_net_run *run)
{
    return solve_rcsr(net, (const void *)thread_kernel<rcsr>, false, run);
}

extern "C" tilecut_status tc_net_solve_vertex_rcsr(tc_net *net, tc_net_run *run)
{
    return solve_rcsr(net, (const void *)vertex_kernel<rcsr>, true, run);
}

extern "C" tilecut_status tc_net_solve_thread_bcsr(tc_net *net, tc_net_run *run)
{
    return solve_bcsr(net, (const void *)thread_kernel<bcsr>, false, run);
}

extern "C" tilecut_status tc_net_solve_vertex_bcsr(tc_net *net, tc_net_run *run)
{
    return solve_bcsr(net, (const void *)vertex_kernel<bcsr>, true, run);
}
