/* SPDX-License-Identifier: MIT
 *
 * solve_params.h - what a solver gets besides its grid, and what it reports. For solvers on the CPU (solver.h) and on
 * a device (cuda_solvers.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "params.h"
#include "tilecut.h"

typedef struct tc_solve_params {
    int threads;                /* >= 1; a solver may use fewer                       */
    int device;                 /* index of the CUDA device, for a solver on one      */
    const tilecut_flag *cancel; /* may be NULL; poll with tc_cancelled()              */
    bool preflow;               /* room must not move, because the flow is read from the result */
    const uint32_t *reached;    /* NULL, or bit rows of all nodes from which residual links lead to a sink, as a search
                                   has found them: bk for 26 neighbours moves excess among these alone */
} tc_solve_params;

typedef struct tc_solve_stats {
    size_t bytes;   /* most memory that may be written at once besides the grid, on host or device */
    double copy_ms; /* moving to and from a device                              */
    double device_ms; /* time of solving by the device's clock; 0: no device, or a CPU finished the solve */
    int rounds;     /* rounds of pushing, of a solver on a device that counts them  */
    bool unfinished; /* a device gave up: another solver has to go on from the residual grid */
    int decisions;  /* how often a solver on two devices chose which one works next */
    tilecut_decision decision[TILECUT_DECISIONS];
} tc_solve_stats;

static inline bool tc_cancelled(const tc_solve_params *params)
{
    return tc_flag_raised(params->cancel);
}
