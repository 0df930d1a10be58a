/* SPDX-License-Identifier: MIT
 *
 * build_grid.c - see build_grid.h. Rows of tiles are filled one at a time, so each tile is written while it is in the
 * cache, and different threads can fill different rows of tiles.
 */
#include "build_grid.h"

#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* Whether the grid is larger than the cache, so that the solver would not find there what building wrote. */
static bool outgrows_cache(const tc_grid *grid)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long cache = 0;
#endif
    return cache > 0 && tc_grid_bytes(grid) > (size_t)cache;
}

/* memcpy that bypasses the cache where the processor can: then whole lines need not be read before they are written. */
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

/* Reads the links out of the n pixels of a row from x0 on, in directions 0 .. 3. If n < TC_TILE, `to` must be 0 on
 * entry. */
static inline void read_links(const tc_grid *grid, const tc_two_rows *rows, int x0, int n, float to[4][TC_TILE])
{
    const int first = x0 == 0; /* the first pixel has no link to the left */
    const size_t row = TC_TILE * sizeof(float);

    read_numbers(rows->here.to[TILECUT_RIGHT] + x0, n, to[TC_RIGHT]);
    read_numbers(rows->here.from[TILECUT_RIGHT] + x0 - 1 + first, n - first, to[TC_LEFT] + first);
    if (first) to[TC_LEFT][0] = 0;
    if (x0 + n == grid->width) to[TC_RIGHT][n - 1] = 0;
    if (rows->y + 1 < grid->height) read_numbers(rows->here.to[TILECUT_DOWN] + x0, n, to[TC_DOWN]);
    else memset(to[TC_DOWN], 0, row);
    if (rows->y > 0) read_numbers(rows->above.from[TILECUT_DOWN] + x0, n, to[TC_UP]);
    else memset(to[TC_UP], 0, row);
}

static void sort_by_node(float (*restrict row)[TC_TILE], tc_float4 *restrict node)
{
    for (int x = 0; x < TC_TILE; x++)
        for (int d = 0; d < 4; d++) node[x].to[d] = row[d][x];
}

/* The diagonal links out of the n pixels from x0 on of a row, in directions 4 .. 7; `to` as before. */
static inline void read_diagonals(const tc_grid *grid, const tc_two_rows *rows, int x0, int n, float to[4][TC_TILE])
{
    const int first = x0 == 0, last = x0 + n == grid->width;
    const int32_t *const *const here = rows->here.to, *const *const above = rows->above.from;
    const size_t row = TC_TILE * sizeof(float);

    if (rows->y + 1 < grid->height) {
        read_numbers(here[TILECUT_DOWN_RIGHT] + x0, n, to[TC_DOWN_RIGHT - 4]);
        read_numbers(here[TILECUT_DOWN_LEFT] + x0, n, to[TC_DOWN_LEFT - 4]);
    } else {
        memset(to[TC_DOWN_RIGHT - 4], 0, row);
        memset(to[TC_DOWN_LEFT - 4], 0, row);
    }
    if (rows->y > 0) {
        read_numbers(above[TILECUT_DOWN_RIGHT] + x0 - 1 + first, n - first, to[TC_UP_LEFT - 4] + first);
        read_numbers(above[TILECUT_DOWN_LEFT] + x0 + 1, n - last, to[TC_UP_RIGHT - 4]);
    } else {
        memset(to[TC_UP_LEFT - 4], 0, row);
        memset(to[TC_UP_RIGHT - 4], 0, row);
    }
    if (first) to[TC_UP_LEFT - 4][0] = to[TC_DOWN_LEFT - 4][0] = 0;
    if (last) to[TC_DOWN_RIGHT - 4][n - 1] = to[TC_UP_RIGHT - 4][n - 1] = 0;
}

/* Writes the diagonal links out of the n pixels of a row from x0 on, and padding after them. p: the first of them. */
static void build_diagonals(const tc_grid *grid, const tc_two_rows *rows, int x0, int n, size_t p)
{
    float own[4][TC_TILE];
    float(*const links)[TC_TILE] = grid->by_rows ? (void *)(grid->diagonal + p) : own;
    if (n < TC_TILE) memset(links, 0, sizeof own);
    if (n > 0) read_diagonals(grid, rows, x0, n, links);
    if (!grid->by_rows) sort_by_node(links, grid->diagonal + p);
}

/* Where build_row() writes. */
typedef struct building {
    tc_grid *grid;
    bool past_cache;
} building;

/* Reads n pixels of a row from x0 on. Entries after them, in the same row of the tile, are left alone. */
static inline void read_pixels(const tc_grid *grid, const tc_two_rows *rows, int x0, int n, float links[4][TC_TILE],
                               float excess[TC_TILE])
{
    read_links(grid, rows, x0, n, links);
    for (int i = 0; i < n; i++) excess[i] = (float)(rows->here.source[x0 + i] - rows->here.sink[x0 + i]);
}

/* Writes row `y` of the tile at column tx. Whatever lies outside the image is padding. */
static void build_tile_row(const building *to, const tc_two_rows *rows, int tx, int y)
{
    const tc_grid *const grid = to->grid;
    const int x0 = tx * TC_TILE, rest = y < grid->height ? grid->width - x0 : 0, n = rest < TC_TILE ? rest : TC_TILE;
    const size_t p = tc_grid_at(grid, x0, y);
    float own_links[4][TC_TILE], own_excess[TC_TILE];
    tc_float4 own_nodes[TC_TILE];
    float(*const links)[TC_TILE] = grid->by_rows && !to->past_cache ? (void *)(grid->residual + p) : own_links;
    tc_float4 *const nodes = to->past_cache ? own_nodes : grid->residual + p;
    float *const excess = to->past_cache ? own_excess : grid->excess + p;

    if (n == TC_TILE) { /* a constant, so that loops can be unrolled */
        read_pixels(grid, rows, x0, TC_TILE, links, excess);
    } else {
        memset(links, 0, sizeof own_links);
        memset(excess, 0, sizeof own_excess);
        if (n > 0) read_pixels(grid, rows, x0, n, links, excess);
    }
    if (grid->diagonal) build_diagonals(grid, rows, x0, n, p);
    if (!grid->by_rows) sort_by_node(links, nodes);
    if (!to->past_cache) return;
    copy_past_cache(grid->residual + p, grid->by_rows ? (void *)links : nodes, sizeof own_links);
    copy_past_cache(grid->excess + p, excess, sizeof own_excess);
}

static void build_row(void *context, const tc_two_rows *rows, int tile_row)
{
    const building *const to = context;
    /* The image's last row also writes the padding below it. */
    const int end = rows->y + 1 < to->grid->height ? rows->y + 1 : to->grid->tiles_y * TC_TILE;
    (void)tile_row;
    for (int y = rows->y; y < end; y++)
        for (int tx = 0; tx < to->grid->tiles_x; tx++) build_tile_row(to, rows, tx, y);
#if defined(__x86_64__)
    if (to->past_cache) _mm_sfence(); /* stores that bypass the cache are not ordered otherwise */
#endif
}

tilecut_status tc_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads)
{
    building to = {grid, !grid->diagonal && outgrows_cache(grid)};
    return tc_graph_stream(graph, threads, build_row, &to);
}
