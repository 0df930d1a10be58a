/* SPDX-License-Identifier: MIT */
#include "hybrid_decide.h"

#include <math.h>

/* The default costs, measured on the machine of gpu.md: copies of pageable memory, and the slower kinds of graphs on
 * one CPU thread (performance.md). With 8 neighbours a pixel takes 2.5 times as long; in volumes, from a fifth to four
 * times as long. */
tc_costs tc_costs_default(int connectivity)
{
    const double cpu_ns = connectivity == 8 ? 250 : 100;
    return (tc_costs){.bytes_per_ms = 6e6, .latency_ms = 0.1, .cpu_ns = cpu_ns, .patience = 0.25, .margin = 0.7,
                      .slice = 512, /* enough rounds for photographs */
                      .rounds_most = 40960, .tiny = 3000, .local = 3 << 12};
}

tc_decider tc_decide_begin(const tc_costs *costs, int64_t pixels)
{
    return (tc_decider){.costs = *costs, .pixels = pixels};
}

static double move_ms(const tc_decider *a, int64_t bytes)
{
    return a->costs.latency_ms + (double)bytes / a->costs.bytes_per_ms;
}

bool tc_decide_start(const tc_decider *a, bool walled, int64_t active, int64_t bytes, tilecut_decision *out)
{
    const tc_costs *const c = &a->costs;
    /* there are many active pixels, all near a sink */
    const bool local = a->pixels < c->local && 16 * active > a->pixels;
    const bool small = a->pixels < c->tiny || local;
    const bool cpu = walled || small;
    *out = (tilecut_decision){
        .next = cpu ? "cpu" : "cuda",
        .reason = walled  ? "few terminals between walls: long ways"
                  : small ? "too little to do at a time"
                          : "enough to do at a time",
        .active = active, .bytes = cpu ? 0 : bytes, .threshold = INFINITY,
        .cpu_rate = (double)active / ((double)a->pixels * a->costs.cpu_ns * 1e-6)};
    return cpu;
}

void tc_decide_note(tc_decider *a, double ms, int64_t active)
{
    a->device_ms += ms;
    a->at_ms[a->noted % TC_PACE] = a->device_ms;
    a->active[a->noted % TC_PACE] = (double)active;
    a->noted++;
}

bool tc_decide_due(const tc_decider *a)
{
    return a->device_ms >= a->costs.patience * (double)a->pixels * a->costs.cpu_ns * 1e-6;
}

/* Estimates the time until one active pixel is left, if the number of active pixels keeps falling at the same rate. */
static double device_left_ms(const tc_decider *a, double active)
{
    const double most = 2 * a->device_ms;
    const int kept = a->noted < TC_PACE ? a->noted : TC_PACE;
    const int oldest = (a->noted - kept) % TC_PACE;
    if (kept < 2 || !(active > 1)) return most;
    const double passed = a->device_ms - a->at_ms[oldest], fell = log(a->active[oldest] / active);
    const double left = fell > 0 ? passed / fell * log(active) : INFINITY;
    return left < most ? left : most;
}

bool tc_decide_next(const tc_decider *a, int rounds, int64_t active, int64_t live, int64_t bytes, tilecut_decision *out)
{
    const double n = (double)active, device_ms = device_left_ms(a, n);
    const double cpu_ms = (double)live * a->costs.cpu_ns * 1e-6, move = move_ms(a, bytes);
    const bool cpu = active > 0 && move + cpu_ms < a->costs.margin * device_ms;
    const double gain = active > 0 ? (a->costs.margin * device_ms - cpu_ms) / n : 0; /* ms per active pixel */
    *out = (tilecut_decision){.next = cpu ? "cpu" : "cuda", .rounds = rounds, .active = active, .bytes = bytes,
                              .reason = cpu ? "the CPU would end sooner" : "the GPU would end sooner",
                              .cuda_rate = device_ms > 0 ? n / device_ms : 0, .cpu_rate = cpu_ms > 0 ? n / cpu_ms : 0,
                              .threshold = gain > 0 ? move / gain : INFINITY};
    return cpu;
}

void tc_decide_returned(tc_decider *a, double ms, int64_t live)
{
    if (live > 0 && ms > 0) a->costs.cpu_ns = ms * 1e6 / (double)live;
    a->device_ms = 0;
    a->noted = 0;
}
