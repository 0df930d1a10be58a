/* SPDX-License-Identifier: MIT */
#include "walled.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 32 };

void walled_graph_close(random_graph *graph, uint64_t seed, bool corners)
{
    const int width = graph->arrays.width, height = graph->arrays.height;
    const size_t pixels = (size_t)width * (size_t)height;
    const uint8_t *const dice = (const uint8_t *)"\1\0\1\1\0\1\1\1\1\0\1\1\1";
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            const uint64_t tile = (uint64_t)(y / TILE * 31 + x / TILE) + seed;
            int32_t *const link = graph->memory + p;
            const bool last = x % TILE == TILE - 1, first = x % TILE == 0, low = y % TILE == TILE - 1;
            const bool beside = dice[tile % 13], before = dice[(tile - 1) % 13], below = dice[tile * 5 % 13];
            const bool corner = corners && low && !dice[tile * 3 % 13];
            if (tile % 5) link[0] = 0;
            if (last && beside) link[2 * pixels] = link[6 * pixels] = 0;
            if (low && below) link[3 * pixels] = link[7 * pixels] = 0;
            if (graph->connectivity == 4) continue;
            if (((last && beside) || (low && below)) && !(corner && last))
                link[4 * pixels] = link[8 * pixels] = 0;
            if (((first && before) || (low && below)) && !(corner && first))
                link[5 * pixels] = link[9 * pixels] = 0;
        }
}

void walled_volume_init(walled_volume *v, int width, int height, int depth)
{
    const size_t n = (size_t)width * (size_t)height * (size_t)depth;
    *v = (walled_volume){.arrays = {.width = width, .height = height, .depth = depth}, .voxels = n};
    v->memory = calloc(8 * n, sizeof *v->memory);
    if (!v->memory) abort();
    v->arrays.source = v->memory, v->arrays.sink = v->memory + n;
    for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) {
        v->arrays.to[k] = v->memory + (2 + k) * n;
        v->arrays.from[k] = v->memory + (5 + k) * n;
    }
}

/* True if a wall sets capacity `kind` of voxel p to 0. Kinds are numbered as in `memory`. */
static bool walled(const walled_volume *v, size_t p, int kind, uint64_t seed)
{
    /* the link's axis: x, y or z */
    const int width = v->arrays.width, height = v->arrays.height, link = (kind + 1) % 3;
    const int x = (int)(p % (size_t)width), y = (int)(p / (size_t)width) % height;
    const size_t slice = p / (size_t)(width * height);
    const uint64_t tile = slice * 7 + (uint64_t)(y / TILE * 31 + x / TILE) + seed;
    const bool border = link == 2 || (link == 1 ? y : x) % TILE == TILE - 1;
    if (kind < 2) return kind == 0 && tile % 5;
    return border && (tile * 5 + (uint64_t)link) % 13 % 12;
}

void walled_volume_draw(walled_volume *v, uint64_t seed, int width, int height, int depth)
{
    uint64_t state = seed;
    const int size[3] = {1 + random_below(&state, width), 1 + random_below(&state, height),
                         1 + random_below(&state, depth)};
    const int rare = 1 + random_below(&state, 12);
    walled_volume_init(v, size[0], size[1], size[2]);
    for (size_t i = 0; i < 8 * v->voxels; i++) {
        const int kind = (int)(i / v->voxels);
        if (seed % 5 && walled(v, i % v->voxels, kind, seed)) continue;
        if (kind >= 2) v->memory[i] = random_below(&state, 30);
        else v->memory[i] = random_below(&state, rare) ? 0 : random_below(&state, 90);
    }
}

void walled_volume_free(walled_volume *v)
{
    free(v->memory);
    memset(v, 0, sizeof *v);
}
