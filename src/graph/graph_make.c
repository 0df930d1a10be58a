/* SPDX-License-Identifier: MIT
 *
 * graph_make.c - makes graphs from the caller's arrays and images. They are checked here, once, so that all later code
 * can rely on exact float32 arithmetic.
 */
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "graph.h"
#include "grid.h"
#include "parallel.h"
#include "rows.h"
#include "simd.h"
#include "sized.h"
#include "status.h"

/* ---- From arrays ------------------------------------------------------------------------------ */

static tilecut_status check_size(int width, int height)
{
    if (width < 1 || height < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE)
        return tc_fail(TILECUT_EINVAL, "a grid of %dx%d; each side must be 1 to %d", width, height, TILECUT_MAX_SIDE);
    /* all arrays together take at most 64 bytes a pixel, and no array takes more than half of that */
    if ((uint64_t)width * (uint64_t)height > SIZE_MAX / 64)
        return tc_fail(TILECUT_ENOMEM, "a grid of %dx%d is more than this machine can address", width, height);
    return TILECUT_OK;
}

tilecut_status tc_volume_check_size(int width, int height, int depth)
{
    const int64_t most = INT64_C(1) << 30;
    if (width < 1 || height < 1 || depth < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE ||
        depth > TILECUT_MAX_SIDE)
        return tc_fail(TILECUT_EINVAL, "a volume of %dx%dx%d; each side must be 1 to %d", width, height, depth,
                       TILECUT_MAX_SIDE);
    const int64_t across = (width + TC_TILE - 1) / TC_TILE, down = (height + TC_TILE - 1) / TC_TILE;
    if (across * down * TC_TILE_NODES * depth >= most || (int64_t)height * depth > TILECUT_MAX_SIDE * INT64_C(4096))
        return tc_fail(TILECUT_EINVAL, "a volume of %dx%dx%d; in whole tiles of 32x32 it has 2^30 voxels or more",
                       width, height, depth);
    return TILECUT_OK;
}

/* Stores the arrays of links of each kind. If the array of backward links is missing, the forward links are used for
 * both. */
static void take_links(tilecut_graph *graph, const int32_t *const *to, const int32_t *const *from)
{
    for (int k = 0; k < graph->connectivity / 2; k++) {
        graph->arrays.to[k] = to[k];
        graph->arrays.from[k] = from[k] ? from[k] : to[k];
    }
}

/* Checks that all arrays fit into the address space and are aligned for their numbers. */
static tilecut_status check_addresses(const tilecut_graph *g)
{
    const size_t slice = (size_t)g->width * (size_t)g->height * sizeof(int32_t);
    NEED(tc_samples_check(g->arrays.source, 0, sizeof(int32_t), slice, g->depth, "an array of capacities"));
    NEED(tc_samples_check(g->arrays.sink, 0, sizeof(int32_t), slice, g->depth, "an array of capacities"));
    for (int k = 0; k < g->connectivity / 2; k++) {
        NEED(tc_samples_check(g->arrays.to[k], 0, sizeof(int32_t), slice, g->depth, "an array of capacities"));
        NEED(tc_samples_check(g->arrays.from[k], 0, sizeof(int32_t), slice, g->depth, "an array of capacities"));
    }
    return TILECUT_OK;
}

tilecut_status tc_graph_of_arrays(tilecut_graph *graph, const tilecut_arrays *arrays)
{
    tilecut_arrays a;
    if (!arrays) return tc_fail(TILECUT_EINVAL, "arrays is NULL");
    NEED(TC_READ(&a, arrays, arrays));
    if (!a.source || !a.sink || !a.to[0] || !a.to[1])
        return tc_fail(TILECUT_EINVAL, "source, sink, to[0] and to[1] must be given");
    if (!a.to[2] != !a.to[3])
        return tc_fail(TILECUT_EINVAL, "to[2] and to[3] go together: 4 or 8 neighbours");
    NEED(check_size(a.width, a.height));
    *graph = (tilecut_graph){.width = a.width, .height = a.height, .depth = 1, .connectivity = a.to[2] ? 8 : 4,
                             .arrays = {.source = a.source, .sink = a.sink}};
    take_links(graph, a.to, a.from);
    return check_addresses(graph);
}

tilecut_status tc_graph_of_volume(tilecut_graph *graph, const tilecut_volume_arrays *arrays)
{
    tilecut_volume_arrays a;
    if (!arrays) return tc_fail(TILECUT_EINVAL, "arrays is NULL");
    NEED(tc_sized_read(&a, sizeof a, sizeof a, arrays, "tilecut_volume_arrays"));
    if (!a.source || !a.sink || !a.to[0] || !a.to[1] || !a.to[2])
        return tc_fail(TILECUT_EINVAL, "source, sink, to[0], to[1] and to[2] must be given");
    NEED(tc_volume_check_size(a.width, a.height, a.depth));
    *graph = (tilecut_graph){.width = a.width, .height = a.height, .depth = a.depth, .connectivity = 6,
                             .arrays = {.source = a.source, .sink = a.sink}};
    take_links(graph, a.to, a.from);
    return check_addresses(graph);
}

/* ---- Whether capacities are exact ------------------------------------------------------------- */

/* Returns the greatest of `count` numbers, or 0 if all are negative. *sign becomes negative if any number is. */
TC_VECTOR_LOOP static int64_t greatest(const int32_t *from, int count, int32_t *sign)
{
    int32_t most = 0, any = 0;
    for (int i = 0; i < count; i++) {
        most = from[i] > most ? from[i] : most;
        any |= from[i];
    }
    *sign |= any;
    return most;
}

static bool inside(const tilecut_graph *g, int x, int y, int z)
{
    return x >= 0 && x < g->width && y >= 0 && y < g->height && z >= 0 && z < g->depth;
}

static size_t number_of(const tilecut_graph *g, int x, int y, int z)
{
    return ((size_t)z * (size_t)g->height + (size_t)y) * (size_t)g->width + (size_t)x;
}

/* Returns the most that both directions of the links of kind k from row (y, z) can carry together, or 0 if these links
 * lead nowhere. */
static int64_t links_of_row(const tilecut_graph *g, int k, int y, int z, int32_t *sign)
{
    const tc_capacities *const a = &g->arrays;
    const tc_link_steps s = tc_link_step(g->connectivity, k);
    if (!inside(g, 0, y, z) || !inside(g, 0, y + s.y, z + s.z)) return 0;
    const size_t at = number_of(g, 0, y, z);
    const int64_t to = greatest(a->to[k] + at, g->width, sign);
    return to + (a->from[k] == a->to[k] ? to : greatest(a->from[k] + at, g->width, sign));
}

/* True if all pixels of row (y, z) are within the bounds, as far as the greatest numbers of each row can tell. This
 * nearly always suffices, and is much faster than testing each pixel. above[k] is the most that links of kind k of the
 * row above carry; it is replaced by the value of this row. */
static bool row_is_sound(const tilecut_graph *g, int y, int z, int64_t above[TC_LINKS])
{
    const size_t at = number_of(g, 0, y, z);
    int32_t sign = 0;
    const int64_t source = greatest(g->arrays.source + at, g->width, &sign);
    const int64_t sink = greatest(g->arrays.sink + at, g->width, &sign);
    int64_t most = source > sink ? source : sink;
    for (int k = 0; k < g->connectivity / 2; k++) {
        const tc_link_steps s = tc_link_step(g->connectivity, k);
        const int64_t own = links_of_row(g, k, y, z, &sign);
        const int64_t back = k == 0 ? own : s.z ? links_of_row(g, k, y - s.y, z - s.z, &sign) : above[k];
        most += own + back;
        above[k] = own;
    }
    return sign >= 0 && most < TC_EXACT_LIMIT;
}

/* Returns an upper bound for the magnitude of every value that can arise at pixel (x, y, z); -1 if a capacity is
 * negative. */
static int64_t pixel_load(const tilecut_graph *g, int x, int y, int z)
{
    const tc_capacities *const a = &g->arrays;
    const size_t p = number_of(g, x, y, z);
    int64_t load = llabs((int64_t)a->source[p] - a->sink[p]);
    if (a->source[p] < 0 || a->sink[p] < 0) return -1;
    for (int k = 0; k < g->connectivity / 2; k++) {
        const tc_link_steps s = tc_link_step(g->connectivity, k);
        if (inside(g, x + s.x, y + s.y, z + s.z)) {
            if (a->to[k][p] < 0 || a->from[k][p] < 0) return -1;
            load += (int64_t)a->to[k][p] + a->from[k][p];
        }
        if (inside(g, x - s.x, y - s.y, z - s.z)) {
            const size_t q = number_of(g, x - s.x, y - s.y, z - s.z);
            load += (int64_t)a->to[k][q] + a->from[k][q];
        }
    }
    return load;
}

/* Reports ERANGE for pixel (x, y, z), whose values add up to `load`. */
static tilecut_status refuse_load(const tilecut_graph *g, int x, int y, int z, int64_t load)
{
    const bool image = g->connectivity == 4 || g->connectivity == 8;
    if (image && load < 0) return tc_fail(TILECUT_ERANGE, "a capacity at pixel %d,%d is negative", x, y);
    if (load < 0) return tc_fail(TILECUT_ERANGE, "a capacity at voxel %d,%d,%d is negative", x, y, z);
    if (image)
        return tc_fail(TILECUT_ERANGE, "capacities at pixel %d,%d add up to %lld; below %d they are exact", x, y,
                       (long long)load, TC_EXACT_LIMIT);
    return tc_fail(TILECUT_ERANGE, "capacities at voxel %d,%d,%d add up to %lld; below %d they are exact", x, y, z,
                   (long long)load, TC_EXACT_LIMIT);
}

/* Checks row (y, z) pixel by pixel. Messages count slices from `before` on. */
static tilecut_status check_pixels(const tilecut_graph *g, int y, int z, int before)
{
    for (int x = 0; x < g->width; x++) {
        const size_t p = number_of(g, x, y, z);
        const int64_t load = pixel_load(g, x, y, z);
        if (load < 0 || load >= TC_EXACT_LIMIT || g->arrays.source[p] >= TC_EXACT_LIMIT ||
            g->arrays.sink[p] >= TC_EXACT_LIMIT)
            return refuse_load(g, x, y, before + z, load);
    }
    return TILECUT_OK;
}

enum { CHECKED = 64 }; /* rows that are checked at a time */

typedef struct checking {
    const tilecut_graph *graph;
    int first, end;  /* the rows to check, counted through all slices */
    int bad;         /* the first row whose capacities are not exact */
} checking;

static void check_rows(void *context, int turn)
{
    checking *const c = context;
    const tilecut_graph *const g = c->graph;
    const int first = c->first + turn * CHECKED, end = c->end - first < CHECKED ? c->end : first + CHECKED;
    int64_t above[TC_LINKS] = {0};
    int32_t sign = 0;
    for (int k = 1; k < g->connectivity / 2; k++)
        above[k] = links_of_row(g, k, first % g->height - 1, first / g->height, &sign);
    for (int row = first; row < end; row++) {
        const int y = row % g->height, z = row / g->height;
        int bad = __atomic_load_n(&c->bad, __ATOMIC_RELAXED);
        if (y == 0) memset(above, 0, sizeof above);
        if ((row_is_sound(g, y, z, above) && sign >= 0) || check_pixels(g, y, z, 0) == TILECUT_OK) continue;
        while (row < bad && !__atomic_compare_exchange_n(&c->bad, &bad, row, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            {}
        return;
    }
}

tilecut_status tc_graph_check(const tilecut_graph *g, int first, int end, int before, int threads)
{
    const int64_t pixels = (int64_t)(end - first) * g->width;
    checking c = {g, first, end, end};
    tc_parallel(tc_threads_that_pay(threads, pixels), (end - first + CHECKED - 1) / CHECKED, check_rows, &c);
    if (c.bad == end) return TILECUT_OK;
    /* checks the row again, pixel by pixel, to find the error message */
    return check_pixels(g, c.bad % g->height, c.bad / g->height, before);
}

tilecut_status tilecut_graph_create(tilecut_graph **out, const tilecut_arrays *arrays)
{
    tilecut_graph made;

    if (!out) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    *out = NULL;
    NEED(tc_graph_of_arrays(&made, arrays));
    NEED(tc_graph_check(&made, 0, made.height, 0, 1));
    tilecut_graph *const graph = calloc(1, sizeof *graph);
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph");
    *graph = made;
    *out = graph;
    return TILECUT_OK;
}

/* ---- From an image ---------------------------------------------------------------------------- */

tilecut_status tc_image_read(tilecut_image *image, const tilecut_image *from)
{
    if (!from) return tc_fail(TILECUT_EINVAL, "image is NULL");
    NEED(TC_READ(image, from, image));
    if (!image->pixels) return tc_fail(TILECUT_EINVAL, "the image has no pixels");
    if (image->channels != 1 && image->channels != 3)
        return tc_fail(TILECUT_EINVAL, "an image of %d channels; 1 or 3 are understood", image->channels);
    if (image->depth != 8 && image->depth != 16)
        return tc_fail(TILECUT_EINVAL, "an image of %d bits a sample; 8 or 16 are understood", image->depth);
    NEED(check_size(image->width, image->height));
    return tc_samples_check(image->pixels, image->stride, (size_t)image->depth / 8, tc_image_row_bytes(image),
                            image->height, "the image");
}

tilecut_status tc_prior_open(tc_bytes *prior, tc_setup *setup, int width, int height)
{
    if (!setup->prior) return TILECUT_OK;
    NEED(tc_bytes_open(prior, "prior", setup->prior, setup->prior_stride, width, height));
    setup->prior = prior->from;
    return TILECUT_OK;
}

tilecut_status tc_graph_open(tilecut_graph **out, const tilecut_image *image, const uint8_t *seeds,
                             const tc_setup *setup)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = calloc(1, sizeof *graph);

    *out = NULL;
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph");
    graph->from_image = true;
    TRY(tc_energy_open(&graph->energy, image, seeds, setup));
    graph->width = image->width;
    graph->depth = setup->slice_rows ? image->height / setup->slice_rows : 1;
    graph->height = image->height / graph->depth;
    graph->connectivity = graph->energy.connectivity;
    *out = graph;
    graph = NULL;
done:
    tc_graph_free(graph);
    return status;
}

tilecut_status tc_graph_from_image(tilecut_graph **out, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *setup)
{
    NEED(tc_graph_open(out, image, seeds, setup));
    const tilecut_status status = tc_energy_learn(&(*out)->energy, setup);
    if (status == TILECUT_OK) return status;
    tc_graph_free(*out);
    *out = NULL;
    return status;
}

tilecut_status tilecut_graph_from_image(tilecut_graph **out, const tilecut_image *image,
                                        const uint8_t *seeds, const tilecut_params *params)
{
    tilecut_status status = TILECUT_OK;
    tc_bytes rows = {0}, prior = {0};
    tilecut_image whole;
    tc_setup setup;

    if (!out) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    *out = NULL;
    TRY(tc_setup_resolve(&setup, params));
    TRY(tc_setup_check_prior(&setup, false));
    TRY(tc_image_read(&whole, image));
    TRY(tc_bytes_open(&rows, "seeds", seeds, setup.seeds_stride, whole.width, whole.height));
    TRY(tc_prior_open(&prior, &setup, whole.width, whole.height));
    TRY(tc_seeds_settle(&rows, &setup, NULL));
    TRY(tc_graph_from_image(out, &whole, rows.from, &setup));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is a graph where the call above went well */
    (*out)->seeds = rows, (*out)->prior = prior;
    return TILECUT_OK;
done:
    tc_bytes_close(&rows, false);
    tc_bytes_close(&prior, false);
    return status;
}
