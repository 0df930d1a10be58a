/* SPDX-License-Identifier: MIT
 *
 * bench_instances.c - makes the instances of the plan, and reads saved graphs. Networks are made by bench_networks.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "chance.h"
#include "engine.h"
#include "synthetic_photo.h"

/* Copies the capacities of a graph made from an image into arrays; every contestant starts from these arrays. */
static int into_arrays(const tilecut_graph *graph, const char *name, saved_graph *out, failure *why)
{
    int width, height, connectivity;
    tilecut_graph_size(graph, &width, &height, &connectivity);
    const graph_shape shape = {width, height, 1, connectivity};
    const int status = saved_graph_init(out, name, &shape, true, why);
    int32_t *spare = status == EXIT_DONE ? malloc((size_t)width * sizeof *spare) : NULL;
    if (status != EXIT_DONE) return status;
    if (!spare) return fail(why, EXIT_RESOURCES, "%s: not enough memory", name);
    for (int y = 0; y < height; y++) {
        const size_t pixels = (size_t)width * (size_t)height, p = (size_t)y * (size_t)width;
        tilecut_row row = {.source = out->cells + p, .sink = out->cells + pixels + p};
        for (int k = 0; k < TILECUT_LINKS; k++) {
            row.to[k] = k < connectivity / 2 ? saved_graph_to(out, k, p) : spare;
            row.from[k] = spare; /* links of an energy are symmetric */
        }
        tilecut_graph_row(graph, y, &row);
    }
    free(spare);
    out->quantum = tilecut_graph_quantum(graph);
    return EXIT_DONE;
}

static int make_photo(const bench_spec *spec, bench_request *options, instance *out, failure *why)
{
    loaded_photo photo = {0};
    family_request request = spec->request;
    inputs own;
    inputs *in = &options->in;
    const char *scribbles[1] = {spec->seeds_path};
    notes ignored = {0};
    if (spec->seeds_path) {
        inputs_init(&own);
        own.files = (option_list){scribbles, 1};
        in = &own;
    }
    int status = loaded_photo_read(in, spec->path, spec->kind->needs_photo, &photo, &ignored, why);
    request.photo = &photo.photo;
    if (status == EXIT_DONE) status = instance_make(spec->kind, &request, out, why);
    loaded_photo_free(&photo);
    notes_free(&ignored);
    return status;
}

/* Returns a copy of the labels in which a fraction `share` of the seeds has moved. Seeds are removed from one random
 * pixel on, in row order; as many are added from another random pixel on, next to existing seeds. */
static uint8_t *move_seeds(const instance *it, double share, uint64_t seed)
{
    enum { BESIDE = 3 };
    const size_t n = (size_t)it->width * (size_t)it->height;
    chance dice = chance_of(seed, 77);
    uint8_t *moved = malloc(n);
    size_t all = 0, left;
    if (!moved) return NULL;
    memcpy(moved, it->labels, n);
    for (size_t p = 0; p < n; p++) all += it->labels[p] != TILECUT_UNKNOWN;
    left = (size_t)((double)all * share);
    for (size_t i = 0, p = (size_t)chance_draw(&dice) % n; i < n && left; i++, p = (p + 1) % n)
        if (it->labels[p] != TILECUT_UNKNOWN) moved[p] = TILECUT_UNKNOWN, left--;
    left = (size_t)((double)all * share);
    for (size_t i = 0, p = (size_t)chance_draw(&dice) % n; i < n && left; i++, p = (p + 1) % n)
        if (p >= BESIDE && it->labels[p] == TILECUT_UNKNOWN && it->labels[p - BESIDE] != TILECUT_UNKNOWN)
            moved[p] = it->labels[p - BESIDE], left--;
    return moved;
}

static int make_arrays(const bench_spec *spec, bench_request *options, bench_instance *out, failure *why)
{
    int status = spec->path ? make_photo(spec, options, &out->made, why)
                            : instance_make(spec->kind, &spec->request, &out->made, why);
    if (status != EXIT_DONE || !out->made.channels) return status;
    tilecut_graph *graph = NULL;
    const tilecut_status made = instance_graph(&out->made, NULL, &graph);
    out->lambda = fmax(0, out->made.params.lambda); /* params.lambda can be TILECUT_NONE, which means 0 */
    status = made == TILECUT_OK ? into_arrays(graph, spec->name, &out->saved, why)
                                : engine_failure(made, spec->name, why);
    if (status == EXIT_DONE && (options->move > 0 || options->whole)) {
        out->photo = graph; /* out->made must be kept, because the graph reads its pixels */
        if (!(options->move > 0)) return EXIT_DONE;
        out->moved = move_seeds(&out->made, options->move / 100, (uint64_t)options->seed);
        return out->moved ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", spec->name);
    }
    tilecut_graph_destroy(graph);
    instance_free(&out->made);
    return status;
}

/* Reads a saved graph: a grid or a graph of any shape, as `spec->file` says or as the file itself shows. */
static int read_file(const bench_spec *spec, bench_instance *out, notes *log, failure *why)
{
    const network_reading options = {.sides = spec->file != BENCH_GRID, .costs = spec->file == BENCH_ASSIGN};
    const int status = network_read(spec->path, &options, &out->any.saved, options.sides ? NULL : &out->saved, why);
    if (status != EXIT_DONE || !out->any.saved.list.nodes) return status;
    return bench_network_read(spec, out, log, why);
}

static int make_space(const bench_spec *spec, bench_instance *out, failure *why)
{
    const family_request *const r = &spec->request;
    const scan_request what = {spec->space, r->size, r->seed, r->lambda};
    const int status = scan_instance_make(&what, &out->space, why);
    out->volume = out->space.arrays;
    out->lambda = out->space.lambda, out->quantum = out->space.quantum;
    return status;
}

/* Takes over a grid in space. Volumes are solved from their arrays, so no graph is made. */
static int take_volume(const bench_spec *spec, bench_instance *out, failure *why)
{
    const tilecut_status good = tilecut_volume_check(&out->volume);
    out->connectivity = 6;
    out->width = out->volume.width, out->height = out->volume.height, out->slices = out->volume.depth;
    return engine_failure(good, spec->name, why);
}

int bench_instance_make(const bench_spec *spec, bench_request *options, bench_instance *out, notes *log, failure *why)
{
    *out = (bench_instance){.lambda = -1, .quantum = 1};
    const int status = spec->network ? bench_network_make(spec, out, why)
                     : spec->many.name ? bench_labels_make(spec, out, why)
                     : spec->space ? make_space(spec, out, why)
                     : spec->kind ? make_arrays(spec, options, out, why) : read_file(spec, out, log, why);
    if (status != EXIT_DONE || out->problem != BENCH_GRID) return status;
    if (out->saved.cells) out->quantum = out->saved.quantum;
    if (out->saved.connectivity == 6) out->volume = saved_graph_volume(&out->saved);
    if (out->volume.depth) return take_volume(spec, out, why);
    const tilecut_arrays *arrays = out->saved.cells ? &out->saved.arrays : &out->made.arrays;
    out->width = arrays->width;
    out->height = arrays->height;
    out->connectivity = arrays->to[2] ? 8 : 4;
    return engine_failure(tilecut_graph_create(&out->graph, arrays), spec->name, why);
}

void bench_instance_free(bench_instance *it)
{
    tilecut_graph_destroy(it->graph);
    tilecut_graph_destroy(it->photo);
    saved_graph_free(&it->saved);
    scan_instance_free(&it->space);
    instance_free(&it->made);
    label_energy_free(&it->many);
    network_run_free(&it->any);
    free(it->moved);
    it->graph = it->photo = NULL;
    it->moved = NULL;
}
