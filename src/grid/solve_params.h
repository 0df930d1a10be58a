/* SPDX-License-Identifier: MIT
 *
 * solve_params.h - the input of a solver besides its grid, and its report. It serves solvers on the CPU (solver.h) and
 * on a device (cuda_solvers.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "params.h"
#include "tilecut.h"

typedef struct tc_solve_params {
    int threads;                /* at least 1; a solver may use fewer                 */
    int device;                 /* index of the CUDA device, for a solver that runs on one */
    const tilecut_flag *cancel; /* may be NULL; poll with tc_cancelled()              */
    bool preflow;               /* the result must be a preflow: negative excess must not move, because the flow is read
                                   from the result */
    const uint32_t *reached;    /* NULL, or bit rows of all nodes from which residual links lead to a sink, as found by
                                   a search. With it, bk for 26 neighbours moves excess only among these nodes */
} tc_solve_params;

typedef struct tc_solve_stats {
    size_t bytes;   /* the most memory, in bytes, that may be written at once besides the grid, on host or device */
    double copy_ms; /* time to copy to and from a device                        */
    double device_ms; /* time of solving by the device's clock; 0: no device was used, or a CPU finished the solve */
    int rounds;     /* rounds of pushing, for a solver on a device that counts them */
    bool unfinished; /* true: a device gave up: another solver has to continue from the residual grid */
    int decisions;  /* how often a solver on two devices chose which of them works next */
    tilecut_decision decision[TILECUT_DECISIONS];
} tc_solve_stats;

static inline bool tc_cancelled(const tc_solve_params *params)
{
    return tc_flag_raised(params->cancel);
}
