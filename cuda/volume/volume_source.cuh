/* SPDX-License-Identifier: MIT
 *
 * volume_source.cuh - where the capacities of a volume come from on the device: from grey values, seeds and tables, or
 * from arrays of the caller. What builds and proves takes either, and computes a capacity whenever it is needed.
 */
#ifndef TC_VOLUME_SOURCE_CUH
#define TC_VOLUME_SOURCE_CUH

#include "device_energy.cuh"

extern "C" {
#include "tilecut_volume.h"
}

typedef struct volume_place {
    int at[3]; /* x, y, z */
} volume_place;

/* Grey values and tables as model_learn_volume() leaves them. */
typedef struct voxel_source {
    device_energy e; /* slices lie one below the other */
    int size[3];

    __device__ terminals ends(const volume_place &p) const
    {
        const int row = p.at[2] * size[1] + p.at[1];
        return terminals_of(e, p.at[0], row, e.seeds[(size_t)row * (size_t)e.width + (size_t)p.at[0]]);
    }
    /* Both capacities of the link from p to the next voxel along axis k, which is there. */
    __device__ int2 link(const volume_place &p, int k) const
    {
        const int row = p.at[2] * size[1] + p.at[1], down = k == 1 ? 1 : k == 2 ? size[1] : 0;
        const int32_t *const table = e.straight + (size_t)k * ((size_t)e.last + 1);
        const int32_t c = capacity_in(table, e, p.at[0], row, p.at[0] + (k == 0), row + down);
        return {c, c};
    }
} voxel_source;

/* Arrays of capacities as in tilecut_volume_arrays, on the device. */
typedef struct array_source {
    const int32_t *source, *sink, *to[TILECUT_VOLUME_LINKS], *from[TILECUT_VOLUME_LINKS];
    int size[3];

    __device__ size_t number(const volume_place &p) const
    {
        return ((size_t)p.at[2] * (size_t)size[1] + (size_t)p.at[1]) * (size_t)size[0] + (size_t)p.at[0];
    }
    __device__ terminals ends(const volume_place &p) const
    {
        return {source[number(p)], sink[number(p)]};
    }
    __device__ int2 link(const volume_place &p, int k) const
    {
        return {to[k][number(p)], from[k][number(p)]};
    }
} array_source;

/* The links of a voxel. */
typedef struct voxel_links {
    int2 next[3];   /* to the next voxel along each axis, and back; 0 if there is none     */
    int32_t before[3]; /* to the voxel before, likewise                                       */
} voxel_links;

static __device__ inline bool has_next(const volume_place &p, const int *size, int k)
{
    return p.at[k] + 1 < size[k];
}

template <class Source> static __device__ inline voxel_links links_around(const Source &s, const volume_place &p)
{
    voxel_links links;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        volume_place before = p;
        before.at[k]--;
        links.next[k] = has_next(p, s.size, k) ? s.link(p, k) : int2{0, 0};
        links.before[k] = p.at[k] > 0 ? s.link(before, k).y : 0;
    }
    return links;
}

/* ---- Where a voxel lies in the grid ------------------------------------------------------------- */

static __host__ __device__ inline int volume_node(const grid_view &g, const volume_place &p)
{
    return node_at(g, p.at[0], p.at[1]) + p.at[2] * g.slice_rows * g.tiles_x * TC_TILE_NODES;
}

/* The place of node p. It may lie in the padding, outside of the volume. */
static __host__ __device__ inline volume_place volume_place_of(const grid_view &g, int p)
{
    const int slice = g.slice_rows * g.tiles_x * TC_TILE_NODES;
    volume_place place = {{0, 0, p / slice}};
    position_of(g, p % slice, &place.at[0], &place.at[1]);
    return place;
}

#endif
