/* SPDX-License-Identifier: MIT */
#include "device_nearness.cuh"
#include "nearness_kernels.cuh"

size_t nearness_scratch_bytes(int width, int height)
{
    size_t total;
    (void)place_maps(width, height, NULL, (char *)256, &total); /* this call only finds the size */
    return total;
}

static tilecut_status look_along_rows(const maps *m, const uint8_t *seeds, cudaStream_t stream)
{
    LAUNCH_RETURN(along_kernel, ceil_div(2 * (size_t)m->height, NEAR_BLOCK / 32), NEAR_BLOCK, stream, *m, seeds);
}

tilecut_status nearness_look_along(const maps *m, const uint8_t *seeds, cudaStream_t stream)
{
    const dim3 columns = {(unsigned)(ceil_div((size_t)m->width, NEAR_BLOCK) * m->chunks), 2};
    NEED(look_along_rows(m, seeds, stream));
    LAUNCH_RETURN(least_kernel, columns, NEAR_BLOCK, stream, *m);
}

tilecut_status nearness_find(const device_energy *e, const model_census *census, void *scratch, cudaStream_t stream)
{
    size_t total;
    const maps m = place_maps(e->width, e->height, census, (char *)scratch, &total);
    NEED(nearness_look_along(&m, e->seeds, stream));
    LAUNCH_RETURN(level_kernel, near_tiles(e->width, m.chunks), near_tile(), stream, m, (uint8_t *)e->nearness);
}

/* ---- In space ---------------------------------------------------------------------------------- */

static size_t voxels_of(const strokes_request *r)
{
    return (size_t)r->lattice.width * (size_t)r->lattice.height;
}

static maps maps_of(const strokes_request *r)
{
    return {r->lattice.width, r->lattice.height, 0, &r->facts->census, {r->room, r->room + voxels_of(r)}, {}};
}

tilecut_status strokes_measure(const strokes_request *r, cudaStream_t stream)
{
    const maps m = maps_of(r);
    const tc_near_steps c = tc_near_steps_of(&r->lattice, true);
    const int rows = r->lattice.slice_rows, slices = r->lattice.height / rows;
    const sweep sweeps[] = {{m, rows, slices, 1, 0, c.y, c.xy, c.x},
                            {m, rows, slices, 0, 1, c.z, c.xz, 0},
                            {m, rows, slices, 1, 1, c.yz, c.xyz, 0},
                            {m, rows, slices, -1, 1, c.yz, c.xyz, 0}};
    NEED(look_along_rows(&m, r->seeds, stream));
    for (const sweep &s : sweeps) {
        const dim3 blocks = {lines_of(s), 2};
        LAUNCH_NEED(line_kernel, blocks, NEAR_BLOCK, stream, s);
    }
    LAUNCH_RETURN(gap_kernel, ceil_div(voxels_of(r), NEAR_BLOCK), NEAR_BLOCK, stream, m, r->seeds, &r->facts->gap);
}

tilecut_status strokes_weigh(const strokes_request *r, const tc_block *seeded, double gap, cudaStream_t stream)
{
    LAUNCH_RETURN(space_level_kernel, ceil_div(voxels_of(r), NEAR_BLOCK), NEAR_BLOCK, stream, maps_of(r),
                  tc_extent_in_space(&r->lattice, seeded, gap), tc_far_of(gap), r->seeds,
                  (uint8_t *)r->energy->nearness, &r->facts->census.labels[TILECUT_BACKGROUND]);
}
