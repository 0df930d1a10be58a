/* SPDX-License-Identifier: MIT
 *
 * build_grid.c - see build_grid.h. Rows of tiles are filled one at a time, so each tile is written while it is in the
 * cache, and different threads can fill different rows of tiles.
 */
#include "build_grid.h"

#include <string.h>
#include <unistd.h>

#include "status.h"
#include "wide.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* True if the grid is larger than the cache. What is built first has then left the cache before the solver reads it, so
 * the grid is written past the cache. */
static bool outgrows_cache(const tc_grid *grid)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long cache = 0;
#endif
    return cache > 0 && tc_grid_bytes(grid) > (size_t)cache;
}

/* A memcpy() that bypasses the cache where the processor can do that: then whole lines need not be read before they are
 * written. */
static void copy_past_cache(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
    for (size_t i = 0; i < bytes; i += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)((char *)to + i),
                         _mm_loadu_si128((const __m128i *)(const void *)((const char *)from + i)));
#else
    memcpy(to, from, bytes);
#endif
}

static inline void read_numbers(const int32_t *restrict from, int n, float *restrict to)
{
    for (int i = 0; i < n; i++) to[i] = (float)from[i];
}

/* Reads the capacities of n pixels of a tile, beginning at column x0, in one direction that leads `step` columns to the
 * right. `capacity` points to column 0; NULL means that there are no such links. If n < TC_TILE, `to` must be 0 on
 * entry. */
static inline void read_direction(const int32_t *capacity, int x0, int n, int step, int width, float to[TC_TILE])
{
    const tc_span linked = tc_linked(x0, n, step, width);
    if (!capacity) {
        memset(to, 0, TC_TILE * sizeof *to);
    /* the length is a constant, so that loops can be unrolled */
    } else if (linked.first == 0 && linked.end == TC_TILE) {
        read_numbers(capacity + x0, TC_TILE, to);
    } else {
        if (linked.first) to[0] = 0;
        read_numbers(capacity + x0 + linked.first, linked.end - linked.first, to + linked.first);
        if (linked.end < n) to[n - 1] = 0;
    }
}

/* Reads the links of n pixels of a row, beginning at column x0, in `count` directions, beginning with `first`. */
static inline void read_links(const tc_grid *grid, const tc_row_view *row, int x0, int n, int first, int count,
                              float to[][TC_TILE])
{
    for (int d = 0; d < count; d += 2) {
        const int k = (first + d) / 2, dx = tc_link_step(grid->connectivity, k).x;
        read_direction(row->to[k], x0, n, dx, grid->width, to[d]);
        read_direction(row->back[k] ? row->back[k] - dx : NULL, x0, n, -dx, grid->width, to[d + 1]);
    }
}

static void sort_by_node(float (*restrict row)[TC_TILE], tc_float4 *restrict node)
{
    for (int x = 0; x < TC_TILE; x++)
        for (int d = 0; d < 4; d++) node[x].to[d] = row[d][x];
}

/* Writes the links beyond the first four of n pixels of a row, beginning at column x0, and padding after them. p is the
 * node of the first pixel. */
static void build_diagonals(const tc_grid *grid, const tc_row_view *row, int x0, int n, size_t p)
{
    float own[4][TC_TILE] = {{0}};
    float(*const links)[TC_TILE] = grid->by_rows ? (void *)(grid->diagonal + p) : own;
    const int count = grid->connectivity - 4;
    if (n < TC_TILE && grid->by_rows) memset(links, 0, (size_t)count * sizeof *links);
    if (n > 0) read_links(grid, row, x0, n, 4, count, links);
    if (!grid->by_rows) sort_by_node(links, grid->diagonal + p);
}

/* Writes the links of n pixels of a row with 26 neighbours, beginning at column x0. */
static void build_wide(const tc_grid *grid, const tc_row_view *row, int x0, int n, size_t p)
{
    float links[TC_WIDE_DIRECTIONS][TC_TILE] = {{0}};
    float *to = tc_wide_residual(grid, (ptrdiff_t)p, 0);
    read_links(grid, row, x0, n, 0, TC_WIDE_DIRECTIONS, links);
    for (int i = 0; i < n; i++)
        for (int d = 0; d < TC_WIDE_DIRECTIONS; d++) *to++ = links[d][i];
}

/* The grid to which build_row() writes. */
typedef struct building {
    tc_grid *grid;
    bool past_cache;
    int64_t sinks; /* the sum over all threads */
} building;

/* Reads n pixels of a row, beginning at column x0. Leaves later entries in the same row of the tile alone. */
static inline void read_pixels(const tc_grid *grid, const tc_row_view *row, int x0, int n, float links[4][TC_TILE],
                               float excess[TC_TILE])
{
    if (links) read_links(grid, row, x0, n, 0, 4, links);
    for (int i = 0; i < n; i++) excess[i] = (float)(row->source[x0 + i] - row->sink[x0 + i]);
}

/* Writes row `y` of the tile in column tx of the slice. Everything outside the image is padding. */
static void build_tile_row(const building *to, const tc_row_view *row, int tx, int y)
{
    const tc_grid *const grid = to->grid;
    const int x0 = tx * TC_TILE, rest = y < grid->height ? grid->width - x0 : 0, n = rest < TC_TILE ? rest : TC_TILE;
    const size_t p = tc_volume_at(grid, x0, y, row->z);
    float own_links[4][TC_TILE], own_excess[TC_TILE];
    tc_float4 own_nodes[TC_TILE];
    const bool in_rows = grid->by_rows && !to->past_cache;
    float(*const links)[TC_TILE] = grid->wide ? NULL : in_rows ? (void *)(grid->residual + p) : own_links;
    tc_float4 *const nodes = to->past_cache || grid->wide ? own_nodes : grid->residual + p;
    float *const excess = to->past_cache ? own_excess : grid->excess + p;

    if (n == TC_TILE) { /* the length is a constant, so that loops can be unrolled */
        read_pixels(grid, row, x0, TC_TILE, links, excess);
    } else {
        if (links) memset(links, 0, sizeof own_links);
        memset(excess, 0, sizeof own_excess);
        if (n > 0) read_pixels(grid, row, x0, n, links, excess);
    }
    if (grid->wide) {
        build_wide(grid, row, x0, n, p);
        return;
    }
    if (grid->diagonal) build_diagonals(grid, row, x0, n, p);
    if (!grid->by_rows) sort_by_node(links, nodes);
    if (!to->past_cache) return;
    copy_past_cache(grid->residual + p, grid->by_rows ? (void *)links : nodes, sizeof own_links);
    copy_past_cache(grid->excess + p, excess, sizeof own_excess);
}

/* For the last row of an image, also writes the padding below it. A volume has much padding; it was zero from the start
 * and is not written, so it takes no memory. */
static void build_row(void *context, const tc_row_view *row, int tile_row)
{
    building *const to = context;
    const bool last = row->y + 1 == to->grid->height && to->grid->depth == 1;
    const int end = last ? tc_slice_rows(to->grid) * TC_TILE : row->y + 1;
    (void)tile_row;
    __atomic_fetch_add(&to->sinks, tc_sum_of(row->sink, to->grid->width), __ATOMIC_RELAXED);
    for (int y = row->y; y < end; y++)
        for (int tx = 0; tx < to->grid->tiles_x; tx++) build_tile_row(to, row, tx, y);
#if defined(__x86_64__)
    if (to->past_cache) _mm_sfence(); /* stores that bypass the cache would not be ordered otherwise */
#endif
}

tilecut_status tc_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads)
{
    building to = {.grid = grid, .past_cache = grid->connectivity == 4 && outgrows_cache(grid)};
    NEED(tc_graph_stream(graph, threads, build_row, &to));
    grid->sinks = to.sinks;
    return TILECUT_OK;
}
