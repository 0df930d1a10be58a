/* SPDX-License-Identifier: MIT
 *
 * hybrid_device.cuh - the functions of a tc_hybrid_device of cuda_solvers.h, for any session of the tiles solver,
 * wherever its grid comes from.
 */
#pragma once

#include "tiles_solver.cuh"

/* The first member of any struct to which `self` points. */
typedef struct hybrid_device {
    tiles_session *session;
    size_t bytes, most; /* bytes: device memory held while the session lives; most: the largest value so far */
} hybrid_device;

tilecut_status hybrid_work(void *self, int slice, int *rounds, bool *done);
tilecut_status hybrid_inspect(void *self, uint32_t *words);
tilecut_status hybrid_gather(void *self, const int32_t *tile, int count, const tc_packed_tiles *to);
tilecut_status hybrid_scatter(void *self, const int32_t *tile, int count, const tc_packed_tiles *from);
