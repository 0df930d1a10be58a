/* SPDX-License-Identifier: MIT
 *
 * soft_tiles.h - the memory of the solver `cuda` on a simulated GPU, for tests that run its kernel.
 */
#pragma once

#include <vector>

#include "tiles_kernel.cuh"

/* Memory of a solve, filled with values that must not matter. */
struct soft_scratch {
    std::vector<float> height, inbox;
    std::vector<uint32_t> bits, levels, relabelled, todo, to_label;
    std::vector<int> border;
    progress state;
    tiles_view view;

    explicit soft_scratch(const grid_view &g)
    {
        const size_t tiles = (size_t)view_tiles(g);
        view.grid = g;
        view.words = list_words((int)tiles);
        height.assign(tiles * TC_TILE_NODES, NAN), inbox.assign(2 * tiles * SIDES * KINDS * TC_TILE, NAN);
        bits.assign(tiles * BITS * TC_TILE, 0xdeadbeef), levels.assign(tiles * LEVELS * TC_TILE, 0xdeadbeef);
        relabelled.assign(tiles, 7), border.assign(tiles * SIDES * TC_TILE, 12345);
        todo.assign(3 * (size_t)view.words, 0), to_label.assign(3 * (size_t)view.words, 0);
        view.height = height.data(), view.inbox = inbox.data(), view.border = border.data();
        view.bits = bits.data(), view.levels = levels.data(), view.relabelled = relabelled.data();
        view.todo = todo.data(), view.to_label = to_label.data();
        memset(&state, 0, sizeof state);
    }
};

static int levels_set(const soft_scratch &s, int p)
{
    const int inside = p % TC_TILE_NODES;
    return levels_at(s.view, p / TC_TILE_NODES, LEVELS_SET)[inside / TC_TILE] >> inside % TC_TILE & 1;
}
