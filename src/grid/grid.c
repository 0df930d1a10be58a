/* SPDX-License-Identifier: MIT
 *
 * grid.c - allocates a grid.
 */
#include "grid.h"

#include <string.h>
#include <sys/mman.h>

#include "status.h"

enum { LARGE_PAGE = 1 << 21, PAGE = 1 << 12 };

/* The index of `node` in grid->mapping; and the least number of nodes from which small pages are used for it. */
enum { SOLVERS = 2, SMALL_PAGES_FROM = 1 << 23 };

/* Maps `nodes` nodes of `size` bytes with `guard` nodes before and after them, in memory aligned to large pages. Fresh
 * mappings read as zero, and guards are never written, so guards take no memory. Page faults take a large share of the
 * time of building, and large pages reduce them. Only `node` of a large grid has small pages: most solvers write
 * scattered parts of it, and would take a large page for a few tiles. Solvers that write all of it lose some 3 % by
 * this. */
static void *map_array(tc_grid *grid, int slot, size_t size, size_t guard, int file)
{
    const size_t bytes = grid->nodes * size, before = guard * size, unit = file ? PAGE : LARGE_PAGE;
    const size_t most = (bytes + (slot == SOLVERS ? 0 : LARGE_PAGE / 2)) & ~(size_t)(LARGE_PAGE - 1);
    const size_t total = (bytes > most ? bytes : most) + 2 * before + unit;
    char *const start = tc_stored_take(&grid->mapping[slot], total, file);
    if (!start) return NULL;
    const uintptr_t first = ((uintptr_t)start + before + unit - 1) & ~(uintptr_t)(unit - 1);
    char *array = start + (first - (uintptr_t)start);
#ifdef MADV_HUGEPAGE
    const int pages = slot == SOLVERS && grid->nodes >= SMALL_PAGES_FROM ? MADV_NOHUGEPAGE : MADV_HUGEPAGE;
    if (!file) (void)madvise(array, most, pages);
#endif
    return array;
}

tilecut_status tc_grid_init_lattice(tc_grid *grid, int width, int height, int depth, int connectivity, int file)
{
    const bool wide = connectivity == 26, volume = wide || connectivity == 6;
    const bool more = connectivity == 8 || connectivity == 6;
    memset(grid, 0, sizeof *grid);
    grid->width = width;
    grid->height = height;
    grid->depth = depth;
    grid->connectivity = connectivity;
    grid->tiles_x = (width + TC_TILE - 1) / TC_TILE;
    grid->slice_rows = volume ? (height + TC_TILE - 1) / TC_TILE : 0;
    grid->tiles_y = (height + TC_TILE - 1) / TC_TILE * grid->depth;
    grid->nodes = (size_t)grid->tiles_x * (size_t)grid->tiles_y * TC_TILE_NODES;
    const size_t reach = (size_t)grid->tiles_x * (size_t)(volume ? grid->slice_rows : 1);
    const size_t guard = (reach + (wide ? (size_t)grid->tiles_x : 0) + 1) * TC_TILE_NODES;
    grid->stored = file;
    if (wide) grid->wide = map_array(grid, 0, 26 * sizeof *grid->wide, guard, file);
    else grid->residual = map_array(grid, 0, sizeof *grid->residual, guard, file);
    grid->excess = map_array(grid, 1, sizeof *grid->excess, guard, file);
    grid->node = map_array(grid, SOLVERS, sizeof *grid->node, guard, 0);
    if (more) grid->diagonal = map_array(grid, 3, sizeof *grid->diagonal, guard, file);
    if ((!grid->residual && !grid->wide) || !grid->excess || !grid->node || (more && !grid->diagonal)) {
        tc_grid_free(grid);
        return tc_fail(TILECUT_ENOMEM, "no %s for a grid of %dx%dx%d pixels", file ? "room in the file" : "memory",
                       width, height, grid->depth);
    }
    return TILECUT_OK;
}

tilecut_status tc_grid_init(tc_grid *grid, int width, int height, int connectivity)
{
    return tc_grid_init_lattice(grid, width, height, 1, connectivity, 0);
}

tilecut_status tc_grid_init_volume(tc_grid *grid, int width, int height, int depth, int connectivity)
{
    return tc_grid_init_lattice(grid, width, height, depth, connectivity, 0);
}

void tc_grid_free(tc_grid *grid)
{
    /* in reverse order, so that the end of the file is freed each time: an image in parts may need several grids */
    for (int i = 3; i >= 0; i--) tc_stored_free(&grid->mapping[i]);
    memset(grid, 0, sizeof *grid);
}

void tc_grid_release_pages(tc_grid *grid)
{
    if (!grid->stored) return;
    for (int i = 0; i < 4; i++) tc_stored_release_pages(&grid->mapping[i]);
#ifdef __linux__
    (void)madvise(grid->mapping[SOLVERS].start, grid->mapping[SOLVERS].size, MADV_DONTNEED); /* reads as zero again */
#endif
}

size_t tc_grid_bytes(const tc_grid *grid)
{
    const size_t links = grid->wide ? 26 * sizeof *grid->wide : sizeof *grid->residual;
    return grid->nodes * (links + sizeof *grid->excess + (grid->diagonal ? sizeof *grid->diagonal : 0));
}

void tc_grid_clear(tc_grid *grid)
{
    const size_t bytes = grid->nodes * sizeof *grid->node;
#ifdef __linux__
    if (madvise(grid->node, bytes, MADV_DONTNEED) == 0) return; /* the pages are dropped and read as zero again */
#endif
    memset(grid->node, 0, bytes);
}
