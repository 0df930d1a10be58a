/* SPDX-License-Identifier: MIT
 *
 * software_hybrid.h - a device simulated in software for the solver on two devices. Tests choose how slow it is and how
 * far it looks.
 */
#pragma once

#include "cuda_solvers.h"

typedef struct software {
    tc_grid grid;
    int32_t *level;      /* distance of each node to a sink; -1: none was found within the depth that was searched */
    int32_t *queue;
    int rounds, pushes;  /* number of pushes in one slice of work */
    int depth;           /* greatest distance for which inspect() knows the levels */
    int gathers, uploads;
    int64_t travelled;   /* number of bytes packed and put back */
    int64_t sliced;      /* rounds requested in all */
    bool endless;        /* if true, work() reports that it used every round it was given */
    bool fails;          /* true: gather() fails */
} software;

extern const tc_hybrid_device soft_device;

void soft_free(software *s);
