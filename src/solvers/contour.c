/* SPDX-License-Identifier: MIT
 *
 * contour.c - see contour.h. Floods blocks of 2 x 2 pixels; a block is named by its top left pixel.
 */
#include "contour.h"

#include <stdlib.h>

#include "alloc_list.h"
#include "survey.h"
#include "tile_board.h"

typedef struct flood {
    const tc_grid *grid;
    float strong;    /* the smallest capacity of a strong link             */
    uint8_t *seen;   /* [nodes / 8] a bit for each block that was reached  */
    int32_t *stack;  /* blocks whose neighbours were not visited yet       */
    size_t waiting, room;
    int64_t blocks;  /* reached                                          */
    bool at_sink, no_memory;
} flood;

static inline ptrdiff_t beside(const flood *f, ptrdiff_t p, int d)
{
    return tc_neighbour(f->grid->tiles_x, p, d);
}

static inline bool is_seen(const flood *f, ptrdiff_t p)
{
    return f->seen[p / 8] >> p % 8 & 1;
}

/* Marks a block as reached, unless it was reached before. */
static void reach_block(flood *f, ptrdiff_t p)
{
    int32_t *const stack = tc_list_grow(f->stack, f->waiting, &f->room, sizeof *stack);
    f->no_memory = !stack;
    if (!stack) return;
    f->stack = stack;
    f->seen[p / 8] |= (uint8_t)(1u << p % 8);
    f->stack[f->waiting++] = (int32_t)p;
    f->blocks++;
    f->at_sink |= f->grid->excess[p] < 0;
}

/* Marks the block next to p in direction d as reached, if both links into it are strong. A link out of the image is
 * never strong, so the block with the next index, which may lie at the opposite edge, is not taken. */
static void advance(flood *f, ptrdiff_t p, int d)
{
    const ptrdiff_t next = beside(f, p, d), front = d == TC_RIGHT || d == TC_DOWN ? next : p;
    if (next < 0 || next >= (ptrdiff_t)f->grid->nodes || is_seen(f, next)) return;
    const ptrdiff_t other = beside(f, front, d == TC_RIGHT || d == TC_LEFT ? TC_DOWN : TC_RIGHT);
    if (*tc_residual(f->grid, front, d) >= f->strong && *tc_residual(f->grid, other, d) >= f->strong)
        reach_block(f, next);
}

static float strongest_link(const tc_grid *grid)
{
    float strongest = 0;
    int first, step;
    tc_survey_rows(grid->width, grid->height, &first, &step);
    for (int y = first; y < grid->height; y += step)
        for (int x = 0; x < grid->width; x++) {
            const ptrdiff_t p = (ptrdiff_t)tc_grid_at(grid, x, y);
            for (int d = 0; d < 4; d++) {
                const float link = *tc_residual(grid, p, d);
                strongest = link > strongest ? link : strongest;
            }
        }
    return strongest;
}

/* Marks the sources of a tile as reached, given as bit rows. */
static void reach_sources(flood *f, int tile, const uint32_t rows[TC_TILE])
{
    for (int i = 0; i < TC_TILE; i++)
        for (uint32_t bits = rows[i]; bits && !f->no_memory; bits &= bits - 1) {
            const size_t p = (size_t)tile * TC_TILE_NODES + (size_t)(i * TC_TILE + __builtin_ctz(bits));
            int x, y;
            tc_position(f->grid->tiles_x, p, &x, &y);
            if (x + 1 < f->grid->width && y + 1 < f->grid->height) reach_block(f, (ptrdiff_t)p);
        }
}

static void reach_all_sources(flood *f)
{
    const tc_board_kernels *const kernel = tc_board_kernels_get();
    uint32_t sinks[TC_TILE], sources[TC_TILE];
    for (int tile = 0; tile < f->grid->tiles_x * f->grid->tiles_y; tile++) {
        kernel->scan_excess(f->grid->excess + (size_t)tile * TC_TILE_NODES, sinks, sources);
        reach_sources(f, tile, sources);
    }
}

bool tc_contour_holds(const tc_grid *grid)
{
    /* share: of the strongest link's capacity; least, most: the share of the image that a contour may enclose */
    const double share = 1.0 / 3, least = 0.2, most = 0.6;
    const double pixels = (double)grid->width * grid->height;
    flood f = {.grid = grid, .strong = (float)share * strongest_link(grid), .seen = calloc(grid->nodes / 8, 1)};

    f.no_memory = !f.seen;
    if (!f.no_memory) reach_all_sources(&f);
    while (f.waiting && !f.no_memory && !f.at_sink && (double)f.blocks <= most * pixels) {
        const ptrdiff_t p = f.stack[--f.waiting];
        for (int d = 0; d < 4; d++) advance(&f, p, d);
    }
    free(f.stack);
    free(f.seen);
    return !f.no_memory && !f.at_sink && (double)f.blocks >= least * pixels && (double)f.blocks <= most * pixels;
}
