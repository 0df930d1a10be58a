/* SPDX-License-Identifier: MIT */
#include "scan_instance.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "engine.h"
#include "graph_file.h"
#include "scan_families.h"

/* A family of random capacities: links of 0 to 100, and terminals, half of which belong to the source. */
typedef struct random_family {
    const char *name;
    int percent, most; /* percentage of voxels that have a terminal, and the largest capacity of a terminal */
    const char *summary;
} random_family;

static const random_family lots[] = {
    {"random3", 5, 1000, "in space: links of 0 to 100, terminals up to 1000 at 5 % of the voxels"},
    {"dense3", 100, 300, "in space: the same links, terminals up to 300 at every voxel"},
    {"weak3", 100, 50, "in space: the same links, terminals up to 50 at every voxel"},
    {NULL, 0, 0, NULL}};

static int count_drawn(void)
{
    int count = 0;
    while (scan_families[count].name) count++;
    return count;
}

const char *scan_instance_name(int index)
{
    const int drawn = count_drawn();
    return index < drawn ? scan_families[index].name : lots[index - drawn].name;
}

const char *scan_instance_summary(int index)
{
    const int drawn = count_drawn();
    return index < drawn ? scan_families[index].summary : lots[index - drawn].summary;
}

bool scan_instance_known(const char *name)
{
    int i = 0;
    while (scan_instance_name(i) && strcmp(scan_instance_name(i), name)) i++;
    return scan_instance_name(i);
}

static bool take_memory(scan_instance *it, int size)
{
    const size_t voxels = (size_t)size * (size_t)size * (size_t)size;
    it->cells = calloc(voxels * 5, sizeof *it->cells);
    it->arrays = (tilecut_volume_arrays){.width = size, .height = size, .depth = size};
    if (!it->cells) return false;
    it->arrays.source = it->cells, it->arrays.sink = it->cells + voxels;
    for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) it->arrays.to[k] = it->cells + (2 + k) * voxels;
    return true;
}

/* Draws the capacities. Links that lead outside are drawn, too, and ignored. */
static void draw_random(const random_family *row, uint64_t seed, scan_instance *it)
{
    enum { LINK = 100, ALL = 100 };
    const size_t side = (size_t)it->arrays.width, voxels = side * side * side;
    chance dice = chance_of(seed, 41);
    for (size_t i = 2 * voxels; i < 5 * voxels; i++) it->cells[i] = chance_between(&dice, 0, LINK);
    for (size_t i = 0; i < voxels; i++) {
        const int value = chance_between(&dice, 0, row->most), side_of = chance_below(&dice, 2);
        if (chance_below(&dice, ALL) < row->percent) it->cells[side_of ? i : voxels + i] = value;
    }
}

static int make_energy(const scan_family *kind, const scan_request *what, scan_instance *it, failure *why)
{
    const int size = what->size;
    const size_t voxels = (size_t)size * (size_t)size * (size_t)size;
    tilecut_params params = tilecut_params_default();
    scan_drawing drawn = {0};
    tilecut_status made = TILECUT_OK;
    const int status = scan_family_draw(kind, size, what->seed, &drawn, why);
    if (!status) {
        const tilecut_volume volume = {.width = size, .height = size, .depth = size, .voxels = drawn.voxels};
        for (size_t i = 0; i < voxels; i++)
            drawn.labels[i] = drawn.labels[i] == 1   ? TILECUT_FOREGROUND
                              : drawn.labels[i] == 2 ? TILECUT_BACKGROUND
                                                     : TILECUT_UNKNOWN;
        params.colors = kind->colors;
        it->lambda = what->lambda >= 0 ? what->lambda : 50;
        params.lambda = it->lambda > 0 ? it->lambda : TILECUT_NONE;
        params.spatial = TILECUT_NONE; /* graphs for measurements have no spatial term */
        made = tilecut_volume_capacities(&volume, drawn.labels, &params, it->cells, it->cells + voxels,
                                         it->cells + 2 * voxels, &it->quantum);
    }
    scan_drawing_free(&drawn);
    return status ? status : engine_failure(made, kind->name, why);
}

int scan_instance_check(int size, failure *why)
{
    enum { LEAST = 16, MOST = 1000 };
    if (size >= LEAST && size <= MOST) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--size: %d; instances in space have sides of %d to %d voxels", size, LEAST, MOST);
}

int scan_instance_make(const scan_request *what, scan_instance *out, failure *why)
{
    const char *const name = what->name;
    const scan_family *const kind = scan_family_find(name);
    const random_family *row = lots;
    *out = (scan_instance){.quantum = 1, .lambda = -1};
    while (row->name && strcmp(row->name, name)) row++;
    if (scan_instance_check(what->size, why)) return why->status;
    if (!take_memory(out, what->size))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for capacities of %d^3 voxels", name, what->size);
    if (kind) return make_energy(kind, what, out, why);
    draw_random(row, what->seed, out);
    return EXIT_DONE;
}

void scan_instance_free(scan_instance *it)
{
    free(it->cells);
    *it = (scan_instance){0};
}

/* ---- files ------------------------------------------------------------------------------------ */

int scan_instance_can_write(const char *name, const char *path, const char *seeds, failure *why)
{
    if (!scan_family_find(name) && !graph_extension(path))
        return fail(why, EXIT_USAGE, "%s: %s is a graph and no scan; use .tcg, .max or .bbk", path, name);
    const int status = graph_extension(path) ? EXIT_DONE : scan_can_write(path, 0, why);
    return status || !seeds ? status : scan_can_write(seeds, 0, why);
}

static int encode_graph(const scan_request *what, const char *path, bytes *sink, failure *why)
{
    scan_instance made;
    int status = scan_instance_make(what, &made, why);
    if (!status) status = graph_encode_volume(path, &made.arrays, made.quantum, sink, why);
    scan_instance_free(&made);
    return status;
}

int scan_instance_encode(const scan_request *what, const char *path, bytes *sink, const char *seeds,
                         bytes *seeds_sink, failure *why)
{
    const scan_family *const kind = scan_family_find(what->name);
    const bool graph = graph_extension(path);
    scan_drawing drawn = {0};
    int status = graph ? encode_graph(what, path, sink, why) : EXIT_DONE;
    if (!status && (!graph || seeds)) status = scan_family_draw(kind, what->size, what->seed, &drawn, why);
    if (!status && !graph) status = scan_drawing_encode(&drawn, drawn.voxels, path, sink, why);
    if (!status && seeds) status = scan_drawing_encode(&drawn, drawn.labels, seeds, seeds_sink, why);
    scan_drawing_free(&drawn);
    return status;
}
