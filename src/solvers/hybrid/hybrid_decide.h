/* SPDX-License-Identifier: MIT
 *
 * hybrid_decide.h - decides whether the GPU or the CPU continues, from the measurements so far.
 *
 * He & Hong (2010) compare operations per second. A unit with a fixed cost T and a peak rate C does N operations at the
 * rate N / (T + N / C), so below some N the other unit is faster. Here one operation brings the excess of one pixel to
 * its end.
 *
 *   - The GPU's rate is the number of active pixels divided by the time that it still needs. This time is estimated
 *     from how the number of active pixels has fallen, and is limited to twice the time that it has worked: a slow
 *     solve may end soon.
 *   - The CPU's rate is a constant per pixel through which excess may still pass, until the rate has been measured. Its
 *     T is the time to copy these pixels there and back.
 *
 * Moving pays from
 *
 *     N = T / (margin / gpu_rate - 1 / cpu_rate)
 *
 * active pixels on. No decision is made before the GPU has worked for a share (`patience`) of the time in which the CPU
 * would solve everything. If the GPU is good at this graph, it has finished by then; if it is bad at it, only that
 * share is lost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tilecut.h"

typedef struct tc_costs {
    double bytes_per_ms; /* the speed of copies between host and device                      */
    double latency_ms;   /* the fixed time of a copy, whatever its size                      */
    double cpu_ns;       /* the CPU's time for each pixel through which excess may pass      */
    double patience;     /* the share of the CPU's time that the GPU has in any case         */
    double margin;       /* less than 1: the CPU must take less than this share of the GPU's time */
    int slice;           /* rounds of the GPU between two inspections                        */
    int rounds_most;     /* the most rounds of the GPU before the CPU takes the rest */
    int64_t tiny;        /* a grid with fewer pixels than this is left to the CPU */
    int64_t local;       /* a grid with fewer pixels than this is left to the CPU if many pixels are active */
} tc_costs;

tc_costs tc_costs_default(int connectivity);

enum { TC_PACE = 4 };

typedef struct tc_decider {
    tc_costs costs;
    int64_t pixels;   /* the number of pixels of the whole grid     */
    double device_ms; /* how long the GPU has worked since its start, or since the CPU's last turn */
    int noted;        /* how many measurements have been recorded   */
    double at_ms[TC_PACE], active[TC_PACE]; /* the last measurements, in a ring buffer: time, and number of active
                                               pixels */
} tc_decider;

tc_decider tc_decide_begin(const tc_costs *costs, int64_t pixels);

/* Decides, before anything is copied, whether the CPU does the whole solve. `walled` says that paths lead through
 * corridors. */
bool tc_decide_start(const tc_decider *a, bool walled, int64_t active, int64_t bytes, tilecut_decision *out);

/* Records that the GPU has worked for `ms`, after which `active` pixels are active. */
void tc_decide_note(tc_decider *a, double ms, int64_t active);

/* True if the GPU has had its share of the time. Before that, its tiles need not be inspected. */
bool tc_decide_due(const tc_decider *a);

/* Decides whether the CPU takes the rest: `live` pixels, for which `bytes` have to be copied. `rounds` is only
 * recorded. */
bool tc_decide_next(const tc_decider *a, int rounds, int64_t active, int64_t live, int64_t bytes,
                          tilecut_decision *out);

/* Records that the CPU took `ms` for `live` pixels. The GPU continues, and its share of the time begins anew. */
void tc_decide_returned(tc_decider *a, double ms, int64_t live);
