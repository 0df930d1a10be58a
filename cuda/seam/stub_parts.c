/* SPDX-License-Identifier: MIT
 *
 * stub_parts.c - replaces the functions for parts of images and volumes on a GPU in builds without nvcc.
 */
#include "cuda_parts.h"
#include "stub.h"
#include "tilecut_parts.h"

STUB tilecut_status tc_cuda_part_open(tc_cuda_part **part, const tilecut_graph *graph, int device,
                                      const tc_cuda_border border[TC_CUDA_SIDES])
{
    *part = NULL;
    return tc_cuda_device(device, NULL, 0);
}

STUB_DOES_NOTHING(tc_cuda_part_close, tc_cuda_part *part)
STUB_GIVES(size_t, 0, tc_cuda_part_bytes, const tc_cuda_part *part)
STUB_DOES_NOTHING(tc_cuda_part_rows, const tc_cuda_part *part, int s, int32_t **out, int32_t **in)

STUB_FAILS(tc_cuda_part_solve, tc_cuda_part *part, const tc_solve_params *params)
STUB_FAILS(tc_cuda_part_unseal, tc_cuda_part *part, int s, const int32_t *level, int32_t wanted)
STUB_FAILS(tc_cuda_part_take_flows, tc_cuda_part *part, int s, int32_t *out)
STUB_FAILS(tc_cuda_part_put_flows, tc_cuda_part *part, int s, const int32_t *in, bool *any)
STUB_FAILS(tc_cuda_part_show_residuals, tc_cuda_part *part, int s, int32_t *out)
STUB_FAILS(tc_cuda_part_set_residuals, tc_cuda_part *part, int s, const int32_t *in)
STUB_FAILS(tc_cuda_part_search, tc_cuda_part *part)
STUB_FAILS(tc_cuda_part_count, tc_cuda_part *part, int64_t *all, int64_t *reached)
STUB_FAILS(tc_cuda_part_get_reached, tc_cuda_part *part, int s, uint8_t *reached)
STUB_FAILS(tc_cuda_part_add_reached, tc_cuda_part *part, int s, const uint8_t *news)
STUB_FAILS(tc_cuda_part_flood, tc_cuda_part *part)
STUB_FAILS(tc_cuda_part_copy, tc_cuda_part *part, int first, int count, size_t words, float *packed, bool out)
STUB_FAILS(tc_cuda_part_nearness, tc_comm *comm, const uint8_t *seeds, int width, int height, uint8_t *level)
STUB_FAILS(tc_cuda_part_prove, tc_cuda_part *part, int first, int end, tc_cuda_answer *answer)
STUB_FAILS(tc_cuda_part_mask, tc_cuda_part *part, uint8_t *mask)

/* ---- From device to device -------------------------------------------------------------------- */

STUB_FAILS(tc_cuda_copy_across, void *to, const void *from, size_t bytes)
STUB_GIVES(bool, false, tc_cuda_reaches, int from, int to)
STUB_DOES_NOTHING(tc_cuda_reach, int from, int to)
STUB_DOES_NOTHING(tc_cuda_reach_no_more, int from, int to)
STUB_FAILS(tc_cuda_nccl_open, tilecut_exchange *inner, const int *devices, int parts, tilecut_exchange **exchanges)
STUB_GIVES(tilecut_exchange *, exchanges, tc_cuda_nccl_close, tilecut_exchange *exchanges)
STUB_GIVES(uint64_t, 0, tc_cuda_memory, int index)
STUB_GIVES(int, 0, tilecut_nccl_version, void)
