/* SPDX-License-Identifier: MIT
 *
 * net_lockfree.cu - the two solvers of He & Hong 2010. network-lockfree is a kernel without locks and with one thread
 * per node. After some thousand cycles the CPU relabels, and residual capacities and excess are copied each time.
 *
 * network-hybrid is the same, but takes turns with highest-label push-relabel on the CPU, because a GPU is mostly idle
 * while few nodes have excess. Before each turn, the number of active nodes is compared with T Cg Cc / (Cg - Cc). T is
 * the time to copy the data to the device, and Cg and Cc are the pushes and lifts per millisecond of the GPU and the
 * CPU. All three are measured during the run.
 */
#include "cuda_network.h"
#include "paper_run.cuh"

#include "push_high.h"

extern "C" {
#include "parallel.h"
}

/* Cycles per launch, as in the paper: CYCLES_DENSE if nodes have more than DENSE slots on average, else CYCLES. */
enum { CYCLES = 4096, CYCLES_DENSE = 32, DENSE = 256 };

static int cycles_for(const tc_net *net)
{
    return net->first[net->nodes] / net->nodes > DENSE ? CYCLES_DENSE : CYCLES;
}

static stored_mates layout_of(const mirror *a, bool device)
{
    return {(const int *)(device ? a[0].device : a[0].host), (tc_slot *)(device ? a[1].device : a[1].host)};
}

static tilecut_status open(paper_run *p, tc_net *net, tc_net_run *run)
{
    NEED(paper_open(p, net, run));
    paper_add(p, net->first, ((size_t)net->nodes + 1) * sizeof(int), false);
    paper_add(p, net->slot, (size_t)net->first[net->nodes] * sizeof(tc_slot), true);
    saturate_on_host(layout_of(p->array + 2, false), net->source, net->sink, p->excess);
    return paper_place(p, run);
}

extern "C" tilecut_status tc_net_solve_lockfree(tc_net *net, tc_net_run *run)
{
    const device_scope scope(0);
    tilecut_status status = TILECUT_OK;
    paper_run p = {};
    TRY(open(&p, net, run));
    TRY(paper_loop(&p, layout_of(p.array + 2, false), layout_of(p.array + 2, true),
                   (const void *)thread_kernel<stored_mates>, false, cycles_for(net), run));
done:
    paper_close(&p);
    return status;
}

/* ---- With the arbitrator ---------------------------------------------------------------------- */

typedef struct arbitrator {
    double overhead_ms, cpu, gpu; /* cpu, gpu: pushes and lifts per millisecond; 0: not measured yet */
    double threshold;             /* the GPU takes a turn if at least this many nodes are active */
} arbitrator;

static void weigh(arbitrator *a)
{
    if (!(a->cpu > 0) || !(a->gpu > 0)) return;
    a->threshold = a->gpu > a->cpu ? a->overhead_ms * a->gpu * a->cpu / (a->gpu - a->cpu) : 1e300;
}

/* The CPU's turn: it ends when labels have been made exact once more. */
static bool pause(tc_net_run *run, int32_t active)
{
    (void)active;
    return run->rounds > 1;
}

static tilecut_status take_turn_cpu(arbitrator *a, paper_run *p, tc_net *net, tc_net_run *run)
{
    tc_net_run turn = {};
    turn.threads = run->threads;
    turn.cancel = run->cancel;
    turn.pause = pause;
    const double start = tc_now_ms();
    const tilecut_status status = tc_push_high(net, (int64_t *)p->excess, net->sink, net->source, &turn);
    const double ms = tc_now_ms() - start;
    if (ms > 0) a->cpu = (double)(turn.pushes + turn.relabels) / ms;
    run->pushes += turn.pushes;
    run->relabels += turn.relabels;
    p->excess[net->sink] = 0;
    p->stale = true;
    return status;
}

static tilecut_status take_turn_gpu(arbitrator *a, paper_run *p, void **arguments, tc_net_run *run)
{
    const double start = tc_now_ms(), before = run->device_ms;
    long long steps = 0;
    NEED(paper_launch(p, (const void *)thread_kernel<stored_mates>, false, arguments, run));
    a->overhead_ms = tc_now_ms() - start - (run->device_ms - before);
    NEED(paper_steps(p, &steps));
    if (run->device_ms > before) a->gpu = (double)steps / (run->device_ms - before);
    return TILECUT_OK;
}

extern "C" tilecut_status tc_net_solve_hybrid(tc_net *net, tc_net_run *run)
{
    const device_scope scope(0);
    tilecut_status status = TILECUT_OK;
    paper_run p = {};
    arbitrator a = {0, 0, 0, 1000};
    int cycles = cycles_for(net), active;
    stored_mates host, there;
    void *arguments[] = {&there, &p.there, &cycles};
    TRY(open(&p, net, run));
    host = layout_of(p.array + 2, false);
    there = layout_of(p.array + 2, true);
    while ((active = relabel_on_host(host, p.nodes, p.source, p.sink, p.excess, p.height, p.queue)) > 0) {
        if (tc_flag_raised(run->cancel)) TRY(tc_fail(TILECUT_ECANCELLED, "cancelled between two turns"));
        if (active > a.threshold) TRY(take_turn_gpu(&a, &p, arguments, run));
        else TRY(take_turn_cpu(&a, &p, net, run));
        weigh(&a);
    }
done:
    paper_close(&p);
    return status;
}
