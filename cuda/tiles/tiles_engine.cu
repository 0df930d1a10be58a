/* SPDX-License-Identifier: MIT
 *
 * tiles_engine.cu - the solver `cuda` for one neighbourhood: its memory and its kernels. This file is compiled for 4
 * neighbours; tiles_engine_6.cu and tiles_engine_8.cu compile it again.
 */
#include "inspect.cuh"
#include "tiles_kernel.cuh"

static size_t lay_out_tiles(const grid_view *g, void *scratch, tiles_view *v, progress **state)
{
    const size_t tiles = (size_t)view_tiles(*g), words = (size_t)list_words((int)tiles);
    char *const base = (char *)scratch;
    size_t total = 0;
    v->grid = *g;
    v->words = (int)words;
    lay(&v->height, base, &total, tiles * TC_TILE_NODES);
    lay(&v->bits, base, &total, tiles * BITS * TC_TILE);
    lay(&v->levels, base, &total, tiles * LEVELS * TC_TILE);
    lay(&v->border, base, &total, tiles * SIDES * TC_TILE);
    lay(&v->inbox, base, &total, 2 * tiles * SIDES * KINDS * TC_TILE);
    lay(&v->relabelled, base, &total, tiles);
    lay(&v->todo, base, &total, 3 * words);
    lay(&v->to_label, base, &total, 3 * words);
    lay(state, base, &total, 1);
    return total;
}

static tilecut_status deliver(const tiles_view *view, int blocks, cudaStream_t stream)
{
    LAUNCH_RETURN(deliver_kernel, blocks, BLOCK, stream, *view);
}

static tilecut_status inspect(const tiles_view *view, int blocks, uint32_t *words, cudaStream_t stream)
{
    LAUNCH_RETURN(inspect_kernel, blocks, BLOCK, stream, *view, words);
}

#if TC_NEIGHBOURS == 8
const tiles_engine tiles_engine_8 =
#elif TC_NEIGHBOURS == 6
const tiles_engine tiles_engine_6 =
#else
const tiles_engine tiles_engine_4 =
#endif
    {TC_NEIGHBOURS, lay_out_tiles, (const void *)tiles_kernel, deliver, inspect};
