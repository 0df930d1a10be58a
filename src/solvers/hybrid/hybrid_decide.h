/* SPDX-License-Identifier: MIT
 *
 * hybrid_decide.h - who goes on, the GPU or the CPU: pure arithmetic on what was measured so far.
 *
 * He & Hong (2010) compare operations a second: a unit with a fixed cost T and a peak rate C does N operations at
 * N / (T + N / C), so below some N the other unit is the faster. Here an operation is bringing the excess of a
 * pixel to rest. The GPU's rate is that over the time it still needs, which is judged from how the number of
 * active pixels has fallen, and is never put at more than twice the time it has had: what is slow may end soon.
 * The CPU's is a constant for each pixel that excess may still come through, until it has been measured, and its
 * T is the way there and back. Moving pays from
 *
 *     N = T / (margin / gpu_rate - 1 / cpu_rate)
 *
 * on. Nothing is considered before the GPU has had a share (`patience`) of the time in which the CPU would do
 * all: where the GPU is good it has finished by then, and where it is bad that is all that is lost.
 */
#ifndef TC_HYBRID_DECIDE_H
#define TC_HYBRID_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "tilecut.h"

typedef struct tc_costs {
    double bytes_per_ms; /* between host and device                        */
    double latency_ms;   /* of a move, whatever its size                   */
    double cpu_ns;       /* for each pixel that excess may come through    */
    double patience;     /* see above                                      */
    double margin;       /* below 1: by how much the CPU has to be better  */
    int slice;           /* rounds of the GPU between two looks at it      */
    int rounds_most;     /* of the GPU in all: then the CPU takes the rest */
    int64_t tiny;        /* pixels: with fewer, the GPU is not begun with  */
    int64_t local;       /* nor with fewer than these if much is active    */
} tc_costs;

tc_costs tc_costs_default(void);

enum { TC_PACE = 4 };

typedef struct tc_decider {
    tc_costs costs;
    int64_t pixels;   /* of the whole grid                          */
    double device_ms; /* that the GPU has had since it was begun or taken up again */
    int noted;
    double at_ms[TC_PACE], active[TC_PACE]; /* the last few moments: a ring */
} tc_decider;

tc_decider tc_decide_begin(const tc_costs *costs, int64_t pixels);

/* Before anything moves: whether the CPU is to do it all. `walled`: the ways lead through corridors. */
bool tc_decide_start(const tc_decider *a, bool walled, int64_t active, int64_t bytes, tilecut_decision *out);

/* The GPU worked for `ms` and left `active` pixels. */
void tc_decide_note(tc_decider *a, double ms, int64_t active);

/* Whether the GPU has had its share: only then is it worth looking closer. */
bool tc_decide_due(const tc_decider *a);

/* Whether the CPU is to take what is left: `live` pixels, for which `bytes` have to move. `rounds` is only noted. */
bool tc_decide_next(const tc_decider *a, int rounds, int64_t active, int64_t live, int64_t bytes,
                          tilecut_decision *out);

/* The CPU took `ms` for `live` pixels; the GPU goes on, and its share begins anew. */
void tc_decide_returned(tc_decider *a, double ms, int64_t live);

#endif
