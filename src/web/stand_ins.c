/* SPDX-License-Identifier: MIT
 *
 * stand_ins.c - replaces code that the page does not need: the program's functions that print, files, the copies of the
 * solvers for volumes, which would be a tenth of the module, the solvers that `auto` never chooses for an image, cuts
 * in parts, and the row cache, because WebAssembly gives no memory back.
 */
#include "backend.h"
#include "clean_seams.h"
#include "cut.h"
#include "file.h"
#include "neighbourhoods.h"
#include "row_cache.h"
#include "status.h"
#include "tilecut_parts.h"

int file_finish_lines(failure *why)
{
    (void)why;
    return EXIT_DONE;
}

/* Volumes with 26 neighbours. */
tilecut_status tc_wide_cut(const tc_grid *grid, tc_labels *labels)
{
    (void)grid, (void)labels;
    return tc_fail(TILECUT_EINVAL, "this page cuts volumes with 6 neighbours alone");
}

#define ABSENT(solver)                                                                         \
    tilecut_status solver(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats) \
    {                                                                                          \
        (void)grid, (void)params, (void)stats;                                                 \
        return tc_fail(TILECUT_EINVAL, "this page has no such solver");                        \
    }
ABSENT(tc_bk_solve_wide)
ABSENT(tc_solver_wave)
ABSENT(tc_solver_hybrid)

/* Volumes are cut by bk, which the page has for images in any case: every solver gives the same labels. */
TC_COPY(tc_push_solve_6)
{
    tc_grid_arrange(grid, false, params->threads);
    return tc_bk_solve(grid, params, stats);
}
TC_COPY(tc_cascade_solve_6) { return tc_push_solve_6(grid, params, stats); }

/* An image is never cut in parts, so this backend never learns and never takes a run. */
static bool never(const tc_run *run) { return (void)run, false; }
const tc_backend tc_backend_parts = {.name = "parts", .learns = never, .takes = never};
const tc_backend tc_backend_cuda = {.name = "cuda", .learns = never, .takes = never};

tilecut_status tc_row_cache_init(tc_row_cache **rest, const tc_energy *energy, bool given, int threads)
{
    (void)energy, (void)given, (void)threads;
    *rest = NULL;
    return TILECUT_OK;
}

/* The page compresses no rows, so there is no tc_row_cache, and only the last of these functions is ever called. */
size_t tc_row_cache_room(const tc_row_cache *rest) { return (void)rest, (size_t)0; }
void tc_row_cache_band(tc_row_cache *rest, int band, uint8_t *room) { (void)rest, (void)band, (void)room; }

void tc_row_cache_read(const tc_row_cache *rest, int band, uint8_t *room, tc_energy *view, int *first)
{
    (void)rest, (void)band, (void)room, (void)view, (void)first;
}

void tc_row_cache_end(tc_row_cache *rest, bool pixels) { (void)rest, (void)pixels; }

/* Without parts a mask has no seams, so only the first and the last of these are ever called. */
tilecut_status tc_seams_begin(tc_seams *s, tc_comm *comm, int width, int rows)
{
    (void)comm, (void)width, (void)rows;
    *s = (tc_seams){.count = 0};
    return TILECUT_OK;
}

tilecut_status tc_seams_add(tc_seams *s, const tc_seam_region *region) { return (void)s, (void)region, TILECUT_OK; }
tilecut_status tc_seams_join(tc_seams *s, bool diagonal) { return (void)s, (void)diagonal, TILECUT_OK; }
tilecut_status tc_seams_largest(const tc_seams *s, tc_seam_region *best) { return (void)s, (void)best, TILECUT_OK; }
void tc_seams_end(tc_seams *s) { (void)s; }

/* A scan in the page has no file and is not cut in parts. */
const char *file_input_name(const char *path) { return (void)path, "the scan"; }
void tilecut_part_rows(int height, int parts, int part, int *first, int *rows)
{
    (void)parts, (void)part;
    *first = 0, *rows = height;
}
tilecut_status tilecut_part_volume_range(const tilecut_part *part, const tilecut_volume *volume, double range[2])
{
    (void)part;
    return tilecut_volume_range(volume, range);
}
