/* SPDX-License-Identifier: MIT
 *
 * part_flood.cu - see part_flood.cuh. This file is compiled for 4 neighbours; part_flood_6.cu and part_flood_8.cu
 * compile it again for 6 and 8.
 */
#include "flood.cuh"
#include "part_flood.cuh"

static tilecut_status scan(const tiles_view *view, int blocks, cudaStream_t stream)
{
    LAUNCH_RETURN(scan_kernel, blocks, BLOCK, stream, *view);
}

static tilecut_status reach_row(const tiles_view *view, int y, const uint8_t *news, cudaStream_t stream)
{
    LAUNCH_RETURN(reach_kernel, ceil_div(border_threads(view->grid), BLOCK), BLOCK, stream, *view, y, news);
}

static tilecut_status fetch_reached(const tiles_view *view, int y, uint8_t *reached, cudaStream_t stream)
{
    LAUNCH_RETURN(reached_kernel, ceil_div(border_threads(view->grid), BLOCK), BLOCK, stream, *view, y, reached);
}

static tilecut_status count_reached(const tiles_view *view, int blocks, unsigned long long counts[2],
                                    cudaStream_t stream)
{
    CUDA_NEED(cudaMemsetAsync(counts, 0, 2 * sizeof *counts, stream));
    LAUNCH_RETURN(count_kernel, blocks, BLOCK, stream, *view, counts);
}

static tilecut_status flood(const tiles_view *view, unsigned *arrived, cudaStream_t stream)
{
    void *arguments[] = {(void *)view, &arrived};
    int blocks = 0;
    NEED(blocks_at_once((const void *)flood_kernel, BLOCK, &blocks));
    CUDA_NEED(cudaMemsetAsync(arrived, 0, sizeof *arrived, stream));
    CUDA_NEED(cudaLaunchCooperativeKernel((const void *)flood_kernel, blocks, BLOCK, arguments, 0, stream));
    return CUDA_STATUS(cudaMemsetAsync(view->todo, 0, 3 * (size_t)view->words * sizeof *view->todo, stream));
}

#if TC_NEIGHBOURS == 8
const part_flood part_flood_8 =
#elif TC_NEIGHBOURS == 6
const part_flood part_flood_6 =
#else
const part_flood part_flood_4 =
#endif
    {scan, reach_row, fetch_reached, count_reached, flood};
