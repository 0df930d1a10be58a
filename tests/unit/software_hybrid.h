/* SPDX-License-Identifier: MIT
 *
 * software_hybrid.h - a device in software for the solver on two devices, as slow and as short-sighted as a test needs.
 */
#pragma once

#include "cuda_solvers.h"

typedef struct software {
    tc_grid grid;
    int32_t *level;      /* [nodes] distance to a sink, -1: none, as far as was looked */
    int32_t *queue;
    int rounds, pushes;  /* pushes: in one slice              */
    int depth;           /* how far inspect() knows the levels */
    int gathers, uploads;
    int64_t travelled;   /* bytes packed and put back         */
    int64_t sliced;      /* rounds that were asked for        */
    bool endless;        /* work() says they were done        */
    bool fails;          /* gather() does                     */
} software;

extern const tc_hybrid_device soft_device;

void soft_free(software *s);
