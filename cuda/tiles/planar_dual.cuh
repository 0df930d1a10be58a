/* SPDX-License-Identifier: MIT
 *
 * planar_dual.cuh - the planar dual of a grid: its vertices are the corners of pixels, its edges cross links.
 *
 * Corner (x, y) is the upper left one of pixel (x, y). All corners on the rim of the image are one vertex, `outer`.
 * An edge crosses a link, and its cost is the residual capacity of that link from the left side of the walking
 * direction to the right. A closed walk around the sources separates them, and its cost is that of the cut.
 *
 * A flow of value L corresponds to a potential of the corners: the flow on a link is the difference of the potentials
 * at the two ends of the edge across it. On the links of the slit, a path from a source to a sink, L is added. The
 * flow respects all capacities if and only if no edge offers a shorter walk to its end, so shortest distances are
 * such a potential (Hassin 1981; Miller & Naor 1995; for images Schmidt, Töppe & Cremers 2009).
 */
#ifndef TC_PLANAR_DUAL_CUH
#define TC_PLANAR_DUAL_CUH

#include "tiles_view.cuh"

static const int FAR = 1 << 29;    /* distance of a corner not reached; all others are between -FAR and FAR */
static const int CLOSED = 1 << 30; /* cost of an edge that does not exist                                   */
static const int NO_PIXEL = 0x7fffffff;

/* A path of links from pixel (x0, y0) along its row to column x1, then along that column to (x1, y1). */
typedef struct slit {
    int x0, y0, x1, y1;
} slit;

/* Facts that all blocks share. In device memory, all 0 at first. */
typedef struct dual_facts {
    unsigned arrived;          /* of the barrier                                                       */
    seating seats;             /* numbers of the blocks, see worklist.cuh                              */
    int soft;                  /* some terminal is not hard                                            */
    int wrong;                 /* there is no potential: a distance overflowed, or too many rounds     */
    int euler[2];              /* four times (components - holes), of sources and of sinks             */
    int source;                /* NO_PIXEL minus the first source in row order; 0: none                */
    int bound;                 /* the cost of the cheapest cut found; longer walks are useless         */
    unsigned long long cut[2]; /* capacity of the links out of all sources, and into all sinks         */
    unsigned long long sink;   /* the sink nearest to that source: complement of (distance, pixel)     */
    unsigned long long outer;  /* label of the rim                                                     */
} dual_facts;

typedef struct dual_view {
    grid_view grid;
    int4 *cost;                /* [tile][corner] of the edges to it from the corners around it      */
    unsigned long long *label; /* [tile][corner]                                                    */
    int *entry;                /* [link of the slit] the distance just after crossing it            */
    uint32_t *todo;            /* [3][words] tiles to search in this round, the next, and the one after */
    dual_facts *facts;
    int words, tiles_x, tiles_y; /* tiles of corners; the grid of corners has one row and one column more than pixels */
} dual_view;

/* A label: the distance of a corner, and the link of the slit that the walk to it crossed last. Packed into one word,
 * so that it is read and written at once. */
typedef struct reach {
    int distance, origin;
} reach;

static __device__ inline unsigned long long pack(reach r)
{
    return (unsigned long long)((unsigned)r.distance ^ 0x80000000u) << 32 | (unsigned)r.origin;
}

static __device__ inline reach unpack(unsigned long long label)
{
    const reach r = {(int)((unsigned)(label >> 32) ^ 0x80000000u), (int)(unsigned)label};
    return r;
}

static __device__ inline bool on_rim(const dual_view &v, int x, int y)
{
    return x <= 0 || y <= 0 || x >= v.grid.width || y >= v.grid.height;
}

static __device__ inline int corner_tile(const dual_view &v, int x, int y)
{
    return (y >> TC_TILE_BITS) * v.tiles_x + (x >> TC_TILE_BITS);
}

static __device__ inline int corner_at(const dual_view &v, int x, int y)
{
    return tiled_index(v.tiles_x, x, y);
}

static __device__ inline unsigned long long *label_at(const dual_view &v, int x, int y)
{
    return on_rim(v, x, y) ? &v.facts->outer : v.label + corner_at(v, x, y);
}

static __device__ inline reach reach_of(const dual_view &v, int x, int y)
{
    return unpack(__ldcg(label_at(v, x, y)));
}

/* Puts on the list the tiles of the corners next to (x, y), whose distances may change with its label. For the rim
 * these are all tiles along it. */
static __device__ inline void wake_around(const dual_view &v, int x, int y, uint32_t *list)
{
    const int right = (v.grid.width - 1) >> TC_TILE_BITS, low = (v.grid.height - 1) >> TC_TILE_BITS;
    if (!on_rim(v, x, y)) {
        list_add(list, corner_tile(v, x - 1, y)), list_add(list, corner_tile(v, x + 1, y));
        list_add(list, corner_tile(v, x, y - 1)), list_add(list, corner_tile(v, x, y + 1));
        return;
    }
    for (int k = 0; k <= right; k++) list_add(list, k), list_add(list, low * v.tiles_x + k);
    for (int k = 0; k <= low; k++) list_add(list, k * v.tiles_x), list_add(list, k * v.tiles_x + right);
}

/* +1 if the slit goes from pixel (x, y) to the pixel right of it, -1 if it goes the other way, 0 if it does neither. */
static __device__ inline int slit_right(const slit &s, int x, int y)
{
    if (y != s.y0 || x < min(s.x0, s.x1) || x >= max(s.x0, s.x1)) return 0;
    return s.x1 > s.x0 ? 1 : -1;
}

/* The same for (x, y) and the pixel below it. */
static __device__ inline int slit_down(const slit &s, int x, int y)
{
    if (x != s.x1 || y < min(s.y0, s.y1) || y >= max(s.y0, s.y1)) return 0;
    return s.y1 > s.y0 ? 1 : -1;
}

static __host__ __device__ inline int slit_links(const slit &s)
{
    return abs(s.x1 - s.x0) + abs(s.y1 - s.y0);
}

static __device__ inline int step_x(int d)
{
    return (d == TC_RIGHT) - (d == TC_LEFT);
}

static __device__ inline int step_y(int d)
{
    return (d == TC_DOWN) - (d == TC_UP);
}

/* +1 for a source, -1 for a sink. */
static __device__ inline int kind(float excess)
{
    return (excess > 0) - (excess < 0);
}

static __device__ inline int kind_at(const grid_view &g, int x, int y)
{
    return x < 0 || y < 0 || x >= g.width || y >= g.height ? 0 : kind(__ldcg(g.excess + node_at(g, x, y)));
}

/* Residual capacity of the link of pixel (x, y) in direction d. CLOSED if the link leads out of the image, or joins
 * two sources or two sinks: all sources count as one vertex, and so do all sinks. */
static __device__ inline int link_cost(const grid_view &g, int x, int y, int d)
{
    const int x2 = x + step_x(d), y2 = y + step_y(d);
    if (min(min(x, x2), min(y, y2)) < 0 || max(x, x2) >= g.width || max(y, y2) >= g.height) return CLOSED;
    if (kind_at(g, x, y) != 0 && kind_at(g, x, y) == kind_at(g, x2, y2)) return CLOSED;
    return (int)__ldcg((const float *)(g.residual + node_at(g, x, y)) + d);
}

/* Link i of the slit: it leaves pixel (px, py) in direction `along`, which is the direction of the flow. The edge
 * across it goes from corner (x, y) to corner (to_x, to_y), in direction `side`. */
typedef struct crossing {
    int px, py, along, x, y, to_x, to_y, side;
} crossing;

static __device__ inline crossing crossing_of(const slit &s, int i)
{
    const int across = abs(s.x1 - s.x0);
    const int x = i < across ? min(s.x0, s.x1) + i : s.x1, y = i < across ? s.y0 : min(s.y0, s.y1) + i - across;
    if (i < across && s.x1 > s.x0) return {x, y, TC_RIGHT, x + 1, y + 1, x + 1, y, TC_UP};
    if (i < across) return {x + 1, y, TC_LEFT, x + 1, y, x + 1, y + 1, TC_DOWN};
    if (s.y1 > s.y0) return {x, y, TC_DOWN, x, y + 1, x + 1, y + 1, TC_RIGHT};
    return {x, y + 1, TC_UP, x + 1, y + 1, x, y + 1, TC_LEFT};
}

#endif
