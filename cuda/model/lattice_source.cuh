/* SPDX-License-Identifier: MIT
 *
 * lattice_source.cuh - where the capacities of a lattice come from on the device: from samples, seeds and tables of an
 * image or a volume, or from arrays of the caller. The kernels that build and prove work with any of these sources, and
 * compute a capacity whenever they need it.
 */
#pragma once

#include "device_energy.cuh"

enum { MOST_KINDS = 4 }; /* the most kinds of links on a device */

typedef struct lattice_place {
    int at[3]; /* x, y, z */
} lattice_place;

/* The step of tc_link_step() of lattice.h along one axis, for a number of neighbours that is known at compile time. */
template <int NEIGHBOURS> static __host__ __device__ constexpr int link_step(int k, int axis)
{
    return k < 2                ? axis == k
           : NEIGHBOURS == 6    ? axis == 2
           : axis == 0          ? (k == 2 ? 1 : -1)
                                : axis == 1;
}

/* The other end of link k: the place to which it leads or, with `way` -1, from which it comes. */
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

/* A source that computes capacities from samples, seeds and tables. */
template <int NEIGHBOURS> struct energy_source {
    static const int neighbours = NEIGHBOURS;
    static const bool is_checked = true;
    device_energy e; /* slices lie one below the other */
    int size[3];

    __device__ int row(const lattice_place &p) const
    {
        return NEIGHBOURS == 6 ? p.at[2] * size[1] + p.at[1] : p.at[1];
    }
    __device__ terminals ends(const lattice_place &p) const
    {
        return terminals_of(e, p.at[0], row(p), e.seeds[(size_t)row(p) * (size_t)e.width + (size_t)p.at[0]]);
    }
    /* The two capacities of link k between p and its neighbour, one for each direction. The neighbour must exist. */
    __device__ int2 link(const lattice_place &p, int k) const
    {
        const lattice_place q = place_beside<NEIGHBOURS>(p, k, 1);
        const int32_t *const table = NEIGHBOURS == 6 ? e.straight + (size_t)k * ((size_t)e.last + 1)
                                     : k < 2         ? e.straight
                                                     : e.slanted;
        const int32_t c = capacity_in(table, e, p.at[0], row(p), q.at[0], row(q));
        return {c, c};
    }
};

/* Arrays of capacities as in tc_capacities, in device memory. */
typedef struct device_arrays {
    const int32_t *source, *sink, *to[MOST_KINDS], *from[MOST_KINDS];
} device_arrays;

template <int NEIGHBOURS> struct array_source {
    static const int neighbours = NEIGHBOURS;
    static const bool is_checked = false; /* false: the capacities are exact by construction, so they need no check */
    device_arrays a;
    int size[3];

    __device__ size_t number(const lattice_place &p) const
    {
        return ((size_t)p.at[2] * (size_t)size[1] + (size_t)p.at[1]) * (size_t)size[0] + (size_t)p.at[0];
    }
    __device__ terminals ends(const lattice_place &p) const
    {
        return {a.source[number(p)], a.sink[number(p)]};
    }
    __device__ int2 link(const lattice_place &p, int k) const
    {
        return {a.to[k][number(p)], a.from[k][number(p)]};
    }
};

/* A lattice whose capacities come from an energy or from arrays. */
typedef struct device_lattice {
    int neighbours; /* 4, 6 or 8 */
    int size[3];
    const device_energy *energy; /* this struct and `arrays` are on the host; the pointers in them lead to the device */
    const device_arrays *arrays; /* NULL: the energy is used                                                          */
} device_lattice;

/* Calls work(source) with the lattice's source of capacities. */
template <class Work> static inline tilecut_status with_source(const device_lattice &l, const Work &work)
{
    const int w = l.size[0], h = l.size[1], d = l.size[2];
    if (l.arrays && l.neighbours == 8) return work(array_source<8>{*l.arrays, {w, h, d}});
    if (l.arrays && l.neighbours == 6) return work(array_source<6>{*l.arrays, {w, h, d}});
    if (l.arrays) return work(array_source<4>{*l.arrays, {w, h, d}});
    if (l.neighbours == 8) return work(energy_source<8>{*l.energy, {w, h, d}});
    if (l.neighbours == 6) return work(energy_source<6>{*l.energy, {w, h, d}});
    return work(energy_source<4>{*l.energy, {w, h, d}});
}

/* The links of a pixel. */
template <int NEIGHBOURS> struct lattice_links {
    int2 next[NEIGHBOURS / 2];   /* the capacities of forward link k and of its way back; 0 if there is no link */
    int2 before[NEIGHBOURS / 2]; /* the capacities of the forward link k that leads here, and of its way back */
};

template <class Source>
static __device__ inline lattice_links<Source::neighbours> links_around(const Source &s, const lattice_place &p)
{
    lattice_links<Source::neighbours> links;
#pragma unroll
    for (int k = 0; k < Source::neighbours / 2; k++) {
        const lattice_place before = place_beside<Source::neighbours>(p, k, -1);
        links.next[k] = is_inside(place_beside<Source::neighbours>(p, k, 1), s.size) ? s.link(p, k) : int2{0, 0};
        links.before[k] = is_inside(before, s.size) ? s.link(before, k) : int2{0, 0};
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

/* The residual capacity from node p in direction d. */
template <int NEIGHBOURS> static __device__ inline float residual_of(const grid_view &g, int p, int d)
{
    if (d < 4) return ((const float *)(g.residual + p))[d];
    return NEIGHBOURS == 8 ? ((const float *)(g.diagonal + p))[d - 4] : ((const float *)(g.slices + p))[d - 4];
}
