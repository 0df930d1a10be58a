/* SPDX-License-Identifier: MIT
 *
 * hybrid_decide.h - decides whether the GPU or the CPU goes on, by arithmetic on what was measured so far.
 *
 * He & Hong (2010) compare operations per second. A unit with a fixed cost T and a peak rate C does N operations at
 * the rate N / (T + N / C), so below some N the other unit is faster. Here an operation is bringing the excess of one
 * pixel to rest.
 *
 *   - The GPU's rate is that over the time it still needs. This time is estimated from how the number of active
 *     pixels has fallen, and is limited to twice the time it has worked: a slow solve may end soon.
 *   - The CPU's rate is a constant per pixel that excess may still come through, until it has been measured. Its T is
 *     the time to copy these pixels there and back.
 *
 * Moving pays from
 *
 *     N = T / (margin / gpu_rate - 1 / cpu_rate)
 *
 * active pixels on. Nothing is decided before the GPU has had a share (`patience`) of the time in which the CPU would
 * solve everything. Where the GPU is good, it has finished by then; where it is bad, only that share is lost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tilecut.h"

typedef struct tc_costs {
    double bytes_per_ms; /* between host and device                        */
    double latency_ms;   /* of a copy, whatever its size                   */
    double cpu_ns;       /* for each pixel that excess may come through    */
    double patience;     /* see above                                      */
    double margin;       /* below 1: how much faster the CPU must be       */
    int slice;           /* rounds of the GPU between two inspections      */
    int rounds_most;     /* most rounds of the GPU before the CPU takes the rest */
    int64_t tiny;        /* a grid with fewer pixels is left to the CPU    */
    int64_t local;       /* so is a grid with fewer, if many pixels are active */
} tc_costs;

tc_costs tc_costs_default(int connectivity);

enum { TC_PACE = 4 };

typedef struct tc_decider {
    tc_costs costs;
    int64_t pixels;   /* of the whole grid                          */
    double device_ms; /* time of the GPU since its start or since the CPU's last visit */
    int noted;        /* moments noted so far                       */
    double at_ms[TC_PACE], active[TC_PACE]; /* the last moments, a ring */
} tc_decider;

tc_decider tc_decide_begin(const tc_costs *costs, int64_t pixels);

/* Before anything is copied: whether the CPU solves it all. `walled`: paths lead through corridors. */
bool tc_decide_start(const tc_decider *a, bool walled, int64_t active, int64_t bytes, tilecut_decision *out);

/* Notes that the GPU has worked for `ms`, after which `active` pixels are active. */
void tc_decide_note(tc_decider *a, double ms, int64_t active);

/* Whether the GPU has had its share of the time. Before that, its tiles need not be inspected. */
bool tc_decide_due(const tc_decider *a);

/* Whether the CPU takes the rest: `live` pixels, for which `bytes` have to be copied. `rounds` is only recorded. */
bool tc_decide_next(const tc_decider *a, int rounds, int64_t active, int64_t live, int64_t bytes,
                          tilecut_decision *out);

/* Notes that the CPU took `ms` for `live` pixels. The GPU goes on, and its share begins anew. */
void tc_decide_returned(tc_decider *a, double ms, int64_t live);
