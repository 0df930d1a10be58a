/* SPDX-License-Identifier: MIT
 *
 * stub.c - replaces the GPU functions in builds without nvcc.
 */
#include "cuda_backend.h"
#include "status.h"
#include "stub.h"

STUB const int tc_cuda_built = 0;

STUB_GIVES(int, 0, tc_cuda_devices, void)

STUB tilecut_status tc_cuda_device(int index, char *name, size_t size)
{
    return tc_fail(TILECUT_ENODEVICE, "this tilecut was built without CUDA");
}

#define CUDA_SOLVER(name, function, can, summary) \
    STUB_FAILS(function, tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
#include "cuda_solvers.def"
#undef CUDA_SOLVER

STUB const tc_hybrid_device tc_cuda_hybrid = {0}, tc_cuda_hybrid_graph = {0};

STUB tilecut_status tc_cuda_hybrid_open(int device, void **self)
{
    *self = NULL;
    return tc_cuda_device(device, NULL, 0);
}

STUB tilecut_status tc_cuda_hybrid_graph_open(const tilecut_graph *graph, int device, void **self)
{
    return tc_cuda_hybrid_open(device, self);
}

STUB tc_cuda_hybrid_report tc_cuda_hybrid_graph_close(void *self, tc_cuda_graph **graph)
{
    if (graph) *graph = NULL;
    return (tc_cuda_hybrid_report){0};
}

STUB_GIVES(size_t, 0, tc_cuda_hybrid_close, void *self)

STUB tilecut_status tc_cuda_graph_create(tc_cuda_graph **graph, const tilecut_graph *from, int device,
                                         int threads, tc_cuda_origin *origin)
{
    *graph = NULL;
    *origin = (tc_cuda_origin){0};
    return tc_cuda_device(device, NULL, 0);
}

STUB tilecut_status tc_cuda_graph_learn(tc_cuda_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                                        const tc_setup *params, void *const *stream, bool put_off,
                                        tc_cuda_origin *origin)
{
    return tc_cuda_graph_create(graph, NULL, 0, 0, origin);
}

STUB_FAILS(tc_cuda_graph_learn_now, tc_cuda_graph *graph, const tc_setup *params, tc_cuda_origin *origin)
STUB_DOES_NOTHING(tc_cuda_graph_keep, tc_cuda_graph *graph)
STUB_DOES_NOTHING(tc_cuda_graph_drop, tc_cuda_graph *graph)
STUB_FAILS(tc_cuda_graph_fork, const tc_cuda_graph *from, int start, int move, int beside,
           tc_cuda_graph **graph, tc_cuda_origin *origin)
STUB_FAILS(tc_cuda_graph_shrink, const tc_cuda_graph *from, int factor, const tc_setup *params,
           tc_cuda_graph **graph, tc_cuda_origin *origin)
STUB_FAILS(tc_cuda_graph_learn_from_copy, tc_cuda_graph *graph, const tc_cuda_graph *small, int factor,
           tc_cuda_origin *origin)
STUB_FAILS(tc_cuda_graph_relearn, tc_cuda_graph *graph, tc_cuda_origin *origin)
STUB_FAILS(tc_cuda_graph_kept, const tc_cuda_graph *graph, uint8_t *mask)
STUB_FAILS(tc_cuda_graph_look, const tc_cuda_graph *graph, tc_box_tally *tally)
STUB_DOES_NOTHING(tc_cuda_graph_destroy, tc_cuda_graph *graph)
STUB_FAILS(tc_cuda_graph_reseed, tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after)
STUB_FAILS(tc_cuda_graph_solve, tc_cuda_graph *graph, const tc_solve_params *params, bool islands_go,
           tc_cuda_answer *answer)
STUB_FAILS(tc_cuda_graph_answer, tc_cuda_graph *graph, bool islands_go, uint8_t *mask, tc_cuda_answer *answer)
STUB_FAILS(tc_cuda_graph_fetch, const tc_cuda_graph *graph, tc_grid *grid)

/* ---- Memory ----------------------------------------------------------------------------------- */

STUB tilecut_status tc_cuda_device_of(const void *address, const char *what, int *index)
{
    *index = 0;
    return tc_cuda_device(0, NULL, 0);
}

STUB tilecut_status tc_cuda_take(void **memory, size_t size, int index)
{
    *memory = NULL;
    return tc_cuda_device(index, NULL, 0);
}

STUB_DOES_NOTHING(tc_cuda_give, void *memory, int index)
STUB_FAILS(tc_cuda_copy, void *to, const void *from, size_t size, void *stream)
STUB_FAILS(tc_cuda_send_rows, void *to, const void *from, size_t stride, size_t bytes, int height, int index,
           int threads)
STUB_FAILS(tc_cuda_fetch_rows, void *to, const void *from, size_t stride, size_t bytes, int height, int index)
STUB_FAILS(tc_cuda_copy_rows, void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
           int height, void *stream)
