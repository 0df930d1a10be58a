/* SPDX-License-Identifier: MIT */
#include "device_nearness.cuh"
#include "nearness_kernels.cuh"

size_t nearness_scratch_bytes(int width, int height)
{
    size_t total;
    (void)place_maps(width, height, NULL, (char *)256, &total); /* this call only finds the size */
    return total;
}

tilecut_status nearness_look_along(const maps *m, const uint8_t *seeds, cudaStream_t stream)
{
    const dim3 columns = {(unsigned)ceil_div((size_t)m->width, NEAR_BLOCK), (unsigned)m->chunks, 2};
    LAUNCH_NEED(along_kernel, ceil_div(2 * (size_t)m->height, NEAR_BLOCK / 32), NEAR_BLOCK, stream, *m, seeds);
    LAUNCH_RETURN(least_kernel, columns, NEAR_BLOCK, stream, *m);
}

tilecut_status nearness_find(const device_energy *e, const model_census *census, void *scratch, cudaStream_t stream)
{
    size_t total;
    const maps m = place_maps(e->width, e->height, census, (char *)scratch, &total);
    NEED(nearness_look_along(&m, e->seeds, stream));
    LAUNCH_RETURN(level_kernel, near_tiles(e->width, e->height), near_tile(), stream, m, (uint8_t *)e->nearness);
}
