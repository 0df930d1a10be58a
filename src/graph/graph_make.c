/* SPDX-License-Identifier: MIT
 *
 * graph_make.c - makes graphs from the caller's arrays and images. They are checked here, once, so that all later
 * code can rely on exact float32 arithmetic.
 */
#include <stdlib.h>

#include "coarse.h"
#include "graph.h"
#include "grid.h"
#include "simd.h"
#include "sized.h"
#include "status.h"

/* Steps to the neighbour at the far end of each forward link. */
static const int step_x[TILECUT_LINKS] = {1, 0, 1, -1};
static const int step_y[TILECUT_LINKS] = {0, 1, 1, 1};

/* ---- From arrays ------------------------------------------------------------------------------ */

static tilecut_status check_size(int width, int height)
{
    if (width < 1 || height < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE)
        return tc_fail(TILECUT_EINVAL, "a grid of %dx%d; each side must be 1 to %d", width, height, TILECUT_MAX_SIDE);
    /* All arrays together take at most 64 bytes a pixel, and none of them more than half of that. */
    if ((uint64_t)width * (uint64_t)height > SIZE_MAX / 64)
        return tc_fail(TILECUT_ENOMEM, "a grid of %dx%d is more than this machine can address", width, height);
    return TILECUT_OK;
}

static inline int32_t link(const int32_t *array, size_t p)
{
    return array ? array[p] : 0;
}

/* An upper bound of the magnitude of every value that can arise at pixel (x, y); -1 if a capacity is negative. */
static int64_t pixel_load(const tilecut_arrays *a, int links, int x, int y)
{
    const size_t p = (size_t)y * (size_t)a->width + (size_t)x;
    int64_t load = llabs((int64_t)a->source[p] - a->sink[p]);
    if (a->source[p] < 0 || a->sink[p] < 0) return -1;
    for (int k = 0; k < links; k++) {
        const int32_t *back = a->from[k] ? a->from[k] : a->to[k];
        const int ahead_x = x + step_x[k], ahead_y = y + step_y[k];
        const int behind_x = x - step_x[k], behind_y = y - step_y[k];
        if (ahead_x >= 0 && ahead_x < a->width && ahead_y < a->height) {
            const int32_t to = link(a->to[k], p), from = link(back, p);
            if (to < 0 || from < 0) return -1;
            load += (int64_t)to + from;
        }
        if (behind_x >= 0 && behind_x < a->width && behind_y >= 0) {
            const size_t q = (size_t)behind_y * (size_t)a->width + (size_t)behind_x;
            load += (int64_t)link(a->to[k], q) + link(back, q);
        }
    }
    return load;
}

/* The greatest of `count` numbers from `from` on, 0 at least; *sign becomes negative if one of them is. */
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

/* Whether no pixel of row y can break the bounds, by the greatest numbers of the row: nearly always, and much sooner
 * told than pixel by pixel. *above: the links of the row above at most; becomes those of this row. */
static bool row_is_sound(const tilecut_arrays *a, int links, int y, int64_t *above)
{
    const size_t at = (size_t)y * (size_t)a->width;
    int32_t sign = 0;
    const int64_t source = greatest(a->source + at, a->width, &sign), sink = greatest(a->sink + at, a->width, &sign);
    int64_t row = 0;
    for (int k = 0; k < links; k++) {
        const int64_t to = greatest(a->to[k] + at, a->width, &sign);
        row += to + (a->from[k] ? greatest(a->from[k] + at, a->width, &sign) : to);
    }
    const int64_t most = (source > sink ? source : sink) + 2 * row + *above;
    *above = row;
    return sign >= 0 && most < TC_EXACT_LIMIT;
}

static tilecut_status check_capacities(const tilecut_arrays *a, int links)
{
    int64_t above = 0;
    for (int y = 0; y < a->height; y++) {
        if (row_is_sound(a, links, y, &above)) continue;
        for (int x = 0; x < a->width; x++) {
            const size_t p = (size_t)y * (size_t)a->width + (size_t)x;
            const int64_t load = pixel_load(a, links, x, y);
            if (load < 0) return tc_fail(TILECUT_ERANGE, "a capacity at pixel %d,%d is negative", x, y);
            if (load >= TC_EXACT_LIMIT || a->source[p] >= TC_EXACT_LIMIT || a->sink[p] >= TC_EXACT_LIMIT)
                return tc_fail(TILECUT_ERANGE, "capacities at pixel %d,%d add up to %lld; below %d they are exact", x,
                               y, (long long)load, TC_EXACT_LIMIT);
        }
    }
    return TILECUT_OK;
}

tilecut_status tc_arrays_check(const tilecut_arrays *arrays)
{
    if (!arrays->source || !arrays->sink || !arrays->to[0] || !arrays->to[1])
        return tc_fail(TILECUT_EINVAL, "source, sink, to[0] and to[1] must be given");
    if (!arrays->to[2] != !arrays->to[3])
        return tc_fail(TILECUT_EINVAL, "to[2] and to[3] go together: 4 or 8 neighbours");
    NEED(check_size(arrays->width, arrays->height));
    return check_capacities(arrays, arrays->to[2] ? 4 : 2);
}

tilecut_status tilecut_graph_create(tilecut_graph **out, const tilecut_arrays *arrays)
{
    tilecut_arrays given;

    if (!out) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    *out = NULL;
    if (!arrays) return tc_fail(TILECUT_EINVAL, "arrays is NULL");
    NEED(TC_READ(&given, arrays, arrays));
    NEED(tc_arrays_check(&given));
    tilecut_graph *const graph = calloc(1, sizeof *graph);
    if (!graph) return tc_fail(TILECUT_ENOMEM, "no memory for a graph");
    graph->width = given.width;
    graph->height = given.height;
    graph->connectivity = given.to[2] ? 8 : 4;
    graph->arrays = given;
    *out = graph;
    return TILECUT_OK;
}

/* ---- From an image ---------------------------------------------------------------------------- */

/* Samples of 16 bits must be at even addresses. */
static tilecut_status check_alignment(const tilecut_image *image)
{
    const bool odd = image->stride % 2 != 0;
    if (image->depth == 8 || (!odd && (uintptr_t)image->pixels % 2 == 0)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "an image of 16 bits a sample has %s; its rows have to begin at even addresses",
                   odd ? "an odd stride" : "pixels at an odd address");
}

tilecut_status tc_image_read(tilecut_image *image, const tilecut_image *given)
{
    if (!given) return tc_fail(TILECUT_EINVAL, "image is NULL");
    NEED(TC_READ(image, given, image));
    if (!image->pixels) return tc_fail(TILECUT_EINVAL, "the image has no pixels");
    if (image->channels != 1 && image->channels != 3)
        return tc_fail(TILECUT_EINVAL, "an image of %d channels; 1 or 3 are understood", image->channels);
    if (image->depth != 8 && image->depth != 16)
        return tc_fail(TILECUT_EINVAL, "an image of %d bits a sample; 8 or 16 are understood", image->depth);
    NEED(check_size(image->width, image->height));
    NEED(check_alignment(image));
    return tc_rows_check(image->pixels, image->stride, tc_image_row_bytes(image), image->height, "the image");
}

tilecut_status tc_prior_check(const tc_setup *setup, const tilecut_image *image)
{
    if (!setup->prior) return TILECUT_OK;
    return tc_rows_check(setup->prior, setup->prior_stride, (size_t)image->width, image->height, "prior");
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
    graph->height = image->height;
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
    tc_seeds rows = {0};
    tilecut_image whole;
    tc_setup setup;

    if (!out) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    *out = NULL;
    TRY(tc_setup_resolve(&setup, params));
    TRY(tc_image_read(&whole, image));
    TRY(tc_seeds_open(&rows, seeds, setup.seeds_stride, whole.width, whole.height));
    TRY(tc_prior_check(&setup, &whole));
    TRY(tc_box_to_border(&rows, whole.width, whole.height, &setup));
    TRY(tc_graph_from_image(out, &whole, rows.label, &setup));
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is a graph where the call above went well
    (*out)->seeds = rows;
    rows = (tc_seeds){0};
done:
    tc_seeds_close(&rows);
    return status;
}
