/* SPDX-License-Identifier: MIT */
#include "device_nearness.cuh"
#include "nearness_kernels.cuh"

size_t nearness_scratch_bytes(int width, int height, int slice_rows)
{
    size_t total;
    int *const room = slice_rows ? (int *)256 : NULL;
    (void)place_maps(width, height, NULL, (char *)256, &total, slice_rows, room); /* this call only finds the size */
    return total;
}

tilecut_status nearness_look_along(const maps *m, const uint8_t *seeds, cudaStream_t stream)
{
    const dim3 columns = {near_chunks(*m), 2};
    LAUNCH_NEED(along_kernel, ceil_div(2 * (size_t)m->height, NEAR_BLOCK / 32), NEAR_BLOCK, stream, *m, seeds);
    LAUNCH_RETURN(least_kernel, columns, NEAR_BLOCK, stream, *m);
}

tilecut_status nearness_find(const device_energy *e, const model_census *census, void *scratch, cudaStream_t stream)
{
    size_t total;
    const maps m = place_maps(e->width, e->height, census, (char *)scratch, &total);
    NEED(nearness_look_along(&m, e->seeds, stream));
    LAUNCH_RETURN(level_kernel, near_tiles(e->width, m.chunks), near_tile(), stream, m, (uint8_t *)e->nearness);
}

static maps maps_of(const strokes_request *r)
{
    const tc_nearness_lattice *const l = &r->lattice;
    size_t total;
    maps m = place_maps(l->width, l->height, &r->facts->census, (char *)r->scratch, &total, l->slice_rows, r->room);
    m.steps = tc_near_steps_of(l, true);
    return m;
}

tilecut_status strokes_measure(const strokes_request *r, cudaStream_t stream)
{
    const maps m = maps_of(r);
    const dim3 both_ways = near_tiles(m.width, m.rows, 4);
    const int blocks = ceil_div((size_t)m.width * (size_t)m.height, NEAR_BLOCK);
    NEED(nearness_look_along(&m, r->seeds, stream));
    LAUNCH_NEED(slice_kernel, near_tiles(m.width, m.chunks, m.slices), near_tile(), stream, m);
    for (int slice = 1; slice < m.slices; slice++)
        LAUNCH_NEED(cross_kernel, both_ways, near_tile(), stream, m, slice);
    LAUNCH_RETURN(gap_kernel, blocks, NEAR_BLOCK, stream, m, r->seeds, &r->facts->gap);
}

tilecut_status strokes_weigh(const strokes_request *r, const tc_block *seeded, double gap, cudaStream_t stream)
{
    const maps m = maps_of(r);
    const int blocks = ceil_div((size_t)m.width * (size_t)m.height, NEAR_BLOCK);
    LAUNCH_RETURN(space_level_kernel, blocks, NEAR_BLOCK, stream, m, tc_extent_in_space(&r->lattice, seeded, gap),
                  tc_far_of(gap), r->seeds, (uint8_t *)r->energy->nearness,
                  &r->facts->census.labels[TILECUT_BACKGROUND]);
}
