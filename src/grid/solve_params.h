/* SPDX-License-Identifier: MIT
 *
 * solve_params.h - what a solver is told beside its grid, and what it tells: for those on the CPU (solver.h) and those
 * on a device (cuda_solvers.h).
 */
#ifndef TC_SOLVE_PARAMS_H
#define TC_SOLVE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "params.h"
#include "tilecut.h"

typedef struct tc_solve_params {
    int threads;                /* >= 1; a solver may use fewer                       */
    int device;                 /* of a solver on CUDA: its index                     */
    const tilecut_flag *cancel; /* may be NULL; poll with tc_cancelled()              */
    bool preflow;               /* only excess may move: for tc_flow_read()           */
} tc_solve_params;

typedef struct tc_solve_stats {
    size_t bytes;   /* most memory held at once beside the grid, host or device */
    double copy_ms; /* moving to and from a device                              */
    double device_ms; /* of solving, by the device's clock; 0: none was used, or the rest was finished without */
    int rounds;     /* of pushing, of a solver on a device that counts them     */
    bool unfinished; /* a device gave up: the grid is a residual grid that another solver has to go on with */
    int decisions;  /* who works next, of a solver on two devices               */
    tilecut_decision decision[TILECUT_DECISIONS];
} tc_solve_stats;

static inline bool tc_cancelled(const tc_solve_params *params)
{
    return tc_flag_raised(params->cancel);
}

#endif
