/* SPDX-License-Identifier: MIT
 *
 * stub_parts.c - replaces parts of images on a GPU in builds without nvcc. Without an open part no other function is
 * called.
 */
#include "cuda_parts.h"
#include "tilecut_parts.h"

tilecut_status tc_cuda_part_open(tc_cuda_part **part, const tc_energy *energy, const tc_grid *grid, int device,
                                 const tc_cuda_border border[TC_CUDA_SIDES])
{
    (void)energy, (void)grid, (void)border;
    *part = NULL;
    return tc_cuda_device(device, NULL, 0);
}

void tc_cuda_part_close(tc_cuda_part *part)
{
    (void)part;
}

size_t tc_cuda_part_bytes(const tc_cuda_part *part)
{
    (void)part;
    return 0;
}

tilecut_status tc_cuda_part_solve(tc_cuda_part *part, const tc_solve_params *params)
{
    (void)part, (void)params;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_unseal(tc_cuda_part *part, int s, const int32_t *level, int32_t wanted)
{
    (void)part, (void)s, (void)level, (void)wanted;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_take_flows(tc_cuda_part *part, int s, int32_t *out)
{
    (void)part, (void)s, (void)out;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_put_flows(tc_cuda_part *part, int s, const int32_t *in, bool *any)
{
    (void)part, (void)s, (void)in;
    *any = false;
    return tc_cuda_device(0, NULL, 0);
}

void tc_cuda_part_rows(const tc_cuda_part *part, int s, int32_t **out, int32_t **in)
{
    (void)part, (void)s;
    *out = *in = NULL;
}

tilecut_status tc_cuda_copy_across(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return tc_cuda_device(0, NULL, 0);
}

bool tc_cuda_reaches(int from, int to)
{
    (void)from, (void)to;
    return false;
}

uint64_t tc_cuda_memory(int index)
{
    (void)index;
    return 0;
}

tilecut_status tc_cuda_nccl_open(tilecut_exchange *inner, const int *devices, int parts, tilecut_exchange **exchanges)
{
    (void)inner, (void)devices, (void)parts, (void)exchanges;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_exchange *tc_cuda_nccl_close(tilecut_exchange *exchanges)
{
    return exchanges;
}

void tc_cuda_reach(int from, int to)
{
    (void)from, (void)to;
}

void tc_cuda_reach_no_more(int from, int to)
{
    (void)from, (void)to;
}

int tilecut_nccl_version(void)
{
    return 0;
}

tilecut_status tc_cuda_part_show_residuals(tc_cuda_part *part, int s, int32_t *out)
{
    (void)part, (void)s, (void)out;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_set_residuals(tc_cuda_part *part, int s, const int32_t *in)
{
    (void)part, (void)s, (void)in;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_search(tc_cuda_part *part)
{
    (void)part;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_count(tc_cuda_part *part, int64_t *all, int64_t *reached)
{
    (void)part;
    *all = *reached = 0;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_tell(tc_cuda_part *part, int s, uint8_t *told)
{
    (void)part, (void)s, (void)told;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_reach(tc_cuda_part *part, int s, const uint8_t *news)
{
    (void)part, (void)s, (void)news;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_flood(tc_cuda_part *part)
{
    (void)part;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_prove(tc_cuda_part *part, int first, int end, tc_cuda_answer *answer)
{
    (void)part, (void)first, (void)end;
    *answer = (tc_cuda_answer){0};
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_mask(tc_cuda_part *part, uint8_t *mask)
{
    (void)part, (void)mask;
    return tc_cuda_device(0, NULL, 0);
}

tilecut_status tc_cuda_part_fetch(tc_cuda_part *part, tc_grid *grid, uint32_t *label)
{
    (void)part, (void)grid, (void)label;
    return tc_cuda_device(0, NULL, 0);
}
