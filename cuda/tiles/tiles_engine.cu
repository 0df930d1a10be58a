/* SPDX-License-Identifier: MIT
 *
 * tiles_engine.cu - the solver `cuda` for one neighbourhood: its memory and its kernels. As it stands it is for 4
 * neighbours; tiles_engine_6.cu and tiles_engine_8.cu compile it again.
 */
#include "inspect.cuh"
#include "tiles_kernel.cuh"

typedef struct layout {
    size_t height, bits, levels, border, inbox, relabelled, todo, to_label, progress, total;
} layout;

static layout layout_of(const grid_view *g)
{
    const size_t tiles = (size_t)view_tiles(*g), words = (size_t)list_words((int)tiles);
    layout l;
    size_t total = 0;
    l.height = take(&total, tiles * TC_TILE_NODES * sizeof(float));
    l.bits = take(&total, tiles * BITS * TC_TILE * sizeof(uint32_t));
    l.levels = take(&total, tiles * LEVELS * TC_TILE * sizeof(uint32_t));
    l.border = take(&total, tiles * SIDES * TC_TILE * sizeof(int));
    l.inbox = take(&total, 2 * tiles * SIDES * KINDS * TC_TILE * sizeof(float));
    l.relabelled = take(&total, tiles * sizeof(uint32_t));
    l.todo = take(&total, 3 * words * sizeof(uint32_t));
    l.to_label = take(&total, 3 * words * sizeof(uint32_t));
    l.progress = take(&total, sizeof(progress));
    l.total = total;
    return l;
}

static size_t scratch_bytes(const grid_view *g)
{
    return layout_of(g).total;
}

static size_t lay_out(const grid_view *g, void *scratch, tiles_view *v, void **state)
{
    const layout l = layout_of(g);
    char *base = (char *)scratch;
    v->grid = *g;
    v->height = (float *)(base + l.height);
    v->bits = (uint32_t *)(base + l.bits);
    v->levels = (uint32_t *)(base + l.levels);
    v->border = (int *)(base + l.border);
    v->inbox = (float *)(base + l.inbox);
    v->relabelled = (uint32_t *)(base + l.relabelled);
    v->todo = (uint32_t *)(base + l.todo);
    v->to_label = (uint32_t *)(base + l.to_label);
    v->words = list_words(view_tiles(*g));
    *state = base + l.progress;
    return l.total - l.todo;
}

static tilecut_status deliver(const tiles_view *view, int blocks, cudaStream_t stream)
{
    LAUNCH_NEED(deliver_kernel, blocks, BLOCK, stream, *view);
    return TILECUT_OK;
}

static tilecut_status inspect(const tiles_view *view, int blocks, uint32_t *words, cudaStream_t stream)
{
    LAUNCH_NEED(inspect_kernel, blocks, BLOCK, stream, *view, words);
    return TILECUT_OK;
}

#if TC_NEIGHBOURS == 8
const tiles_engine tiles_engine_8 =
#elif TC_NEIGHBOURS == 6
const tiles_engine tiles_engine_6 =
#else
const tiles_engine tiles_engine_4 =
#endif
    {TC_NEIGHBOURS, scratch_bytes, lay_out, (const void *)tiles_kernel, deliver, inspect};
