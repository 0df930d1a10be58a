/* SPDX-License-Identifier: MIT
 *
 * lattice_source.cuh - where the capacities of a lattice come from on the device: from samples, seeds and tables of an
 * image or a volume, or from arrays of the caller. What builds and proves takes any of these sources, and computes a
 * capacity whenever it is needed.
 */
#ifndef TC_LATTICE_SOURCE_CUH
#define TC_LATTICE_SOURCE_CUH

#include "device_energy.cuh"

extern "C" {
#include "tilecut_volume.h"
}

typedef struct lattice_place {
    int at[3]; /* x, y, z */
} lattice_place;

/* tc_link_step() of lattice.h along one axis, for a number of neighbours that the compiler knows. */
template <int NEIGHBOURS> static __host__ __device__ constexpr int link_step(int k, int axis)
{
    return k < 2                ? axis == k
           : NEIGHBOURS == 6    ? axis == 2
           : axis == 0          ? (k == 2 ? 1 : -1)
                                : axis == 1;
}

/* The place to which link k leads, or from which it comes (way -1). */
template <int NEIGHBOURS>
static __host__ __device__ inline lattice_place place_beside(const lattice_place &p, int k, int way)
{
    return {{p.at[0] + way * link_step<NEIGHBOURS>(k, 0), p.at[1] + way * link_step<NEIGHBOURS>(k, 1),
             p.at[2] + way * link_step<NEIGHBOURS>(k, 2)}};
}

static __host__ __device__ inline bool is_inside(const lattice_place &p, const int size[3])
{
    return p.at[0] >= 0 && p.at[0] < size[0] && p.at[1] >= 0 && p.at[1] < size[1] && p.at[2] >= 0 && p.at[2] < size[2];
}

/* An image with 4 or 8 neighbours. */
template <int NEIGHBOURS> struct image_source {
    static const int neighbours = NEIGHBOURS;
    device_energy e;
    int size[3];

    __device__ terminals ends(const lattice_place &p) const
    {
        return terminals_of(e, p.at[0], p.at[1], e.seeds[(size_t)p.at[1] * (size_t)e.width + (size_t)p.at[0]]);
    }
    /* Both capacities of the link k from p to the pixel that it leads to, which is there. */
    __device__ int2 link(const lattice_place &p, int k) const
    {
        const lattice_place q = place_beside<NEIGHBOURS>(p, k, 1);
        const int32_t c = capacity_in(k < 2 ? e.straight : e.slanted, e, p.at[0], p.at[1], q.at[0], q.at[1]);
        return {c, c};
    }
};

/* Grey values and tables as model_learn_volume() leaves them. */
typedef struct voxel_source {
    static const int neighbours = 6;
    device_energy e; /* slices lie one below the other */
    int size[3];

    __device__ terminals ends(const lattice_place &p) const
    {
        const int row = p.at[2] * size[1] + p.at[1];
        return terminals_of(e, p.at[0], row, e.seeds[(size_t)row * (size_t)e.width + (size_t)p.at[0]]);
    }
    __device__ int2 link(const lattice_place &p, int k) const
    {
        const int row = p.at[2] * size[1] + p.at[1], down = k == 1 ? 1 : k == 2 ? size[1] : 0;
        const int32_t *const table = e.straight + (size_t)k * ((size_t)e.last + 1);
        const int32_t c = capacity_in(table, e, p.at[0], row, p.at[0] + (k == 0), row + down);
        return {c, c};
    }
} voxel_source;

/* Arrays of capacities as in tilecut_volume_arrays, on the device. */
typedef struct array_source {
    static const int neighbours = 6;
    const int32_t *source, *sink, *to[TILECUT_VOLUME_LINKS], *from[TILECUT_VOLUME_LINKS];
    int size[3];

    __device__ size_t number(const lattice_place &p) const
    {
        return ((size_t)p.at[2] * (size_t)size[1] + (size_t)p.at[1]) * (size_t)size[0] + (size_t)p.at[0];
    }
    __device__ terminals ends(const lattice_place &p) const
    {
        return {source[number(p)], sink[number(p)]};
    }
    __device__ int2 link(const lattice_place &p, int k) const
    {
        return {to[k][number(p)], from[k][number(p)]};
    }
} array_source;

/* The links of a pixel. */
template <int NEIGHBOURS> struct lattice_links {
    int2 next[NEIGHBOURS / 2];      /* capacity of link k forward, and of the link back; 0 if there is none */
    int32_t before[NEIGHBOURS / 2]; /* capacity back over the link k that leads here; 0 if there is none */
};

template <class Source>
static __device__ inline lattice_links<Source::neighbours> links_around(const Source &s, const lattice_place &p)
{
    lattice_links<Source::neighbours> links;
#pragma unroll
    for (int k = 0; k < Source::neighbours / 2; k++) {
        const lattice_place before = place_beside<Source::neighbours>(p, k, -1);
        links.next[k] = is_inside(place_beside<Source::neighbours>(p, k, 1), s.size) ? s.link(p, k) : int2{0, 0};
        links.before[k] = is_inside(before, s.size) ? s.link(before, k).y : 0;
    }
    return links;
}

/* ---- Where a pixel lies in the grid ------------------------------------------------------------- */

static __host__ __device__ inline int lattice_node(const grid_view &g, const lattice_place &p)
{
    return node_at(g, p.at[0], p.at[1]) + p.at[2] * g.slice_rows * g.tiles_x * TC_TILE_NODES;
}

/* The place of node p. It may lie in the padding, outside of the lattice. */
static __host__ __device__ inline lattice_place place_of_node(const grid_view &g, int p)
{
    const int slice = g.slice_rows * g.tiles_x * TC_TILE_NODES; /* 0: an image */
    lattice_place place = {{0, 0, slice ? p / slice : 0}};
    position_of(g, slice ? p % slice : p, &place.at[0], &place.at[1]);
    return place;
}

/* The residual capacity out of node p in direction d. */
template <int NEIGHBOURS> static __device__ inline float residual_of(const grid_view &g, int p, int d)
{
    if (d < 4) return ((const float *)(g.residual + p))[d];
    return NEIGHBOURS == 8 ? ((const float *)(g.diagonal + p))[d - 4] : ((const float *)(g.slices + p))[d - 4];
}

#endif
