/* SPDX-License-Identifier: MIT
 *
 * teach.c - see teach.h. A stroke that paints nothing has no colours, but is counted, so that strokes can be undone
 * by their number.
 */
#include "teach.h"

#include <stdlib.h>
#include <string.h>

#include "colors_math.h"
#include "energy_math.h"
#include "mixture_math.h"
#include "status.h"

/* The weight of a stroke's Gaussian compared with the mixture of its class (docs/guide/quality.md). */
#define STROKE_WEIGHT 0.1

/* Whether the model is a mixture over a palette, to which a Gaussian can be added. */
static bool teachable(const tc_energy *energy)
{
    return energy->color_bits && energy->model->part && energy->lesson.palette && energy->lesson.learnt;
}

void tc_taught_free(tc_taught *taught)
{
    free(taught->density[0]);
    free(taught->density[1]);
    free(taught->scratch);
    free(taught->source_cost);
    free(taught->sink_cost);
    free(taught->stroke);
    free(taught->foreground);
    memset(taught, 0, sizeof *taught);
}

/* Sets the densities to those of the lesson, without strokes. */
static void begin(tc_taught *taught)
{
    const tc_lesson *const lesson = &taught->energy->lesson;
    const tc_palette *const palette = lesson->palette;
    const tc_samples colors = {.count = palette->count, .x = palette->x, .y = palette->y, .z = palette->z};
    for (int i = 0; i < 2; i++)
        tc_mixture_densities(&lesson->mixture[i], &colors, taught->scratch, taught->density[i]);
}

static tilecut_status init(tc_taught *taught, const tc_energy *energy)
{
    const size_t bins = (size_t)1 << (energy->image.channels * energy->color_bits);
    const size_t colors = energy->lesson.palette->count;

    taught->energy = energy;
    taught->density[0] = malloc(colors * sizeof(double));
    taught->density[1] = malloc(colors * sizeof(double));
    taught->scratch = malloc(colors * sizeof(double));
    taught->source_cost = malloc(bins * sizeof(int32_t));
    taught->sink_cost = malloc(bins * sizeof(int32_t));
    if (!taught->density[0] || !taught->density[1] || !taught->scratch || !taught->source_cost || !taught->sink_cost) {
        tc_taught_free(taught);
        return tc_fail(TILECUT_ENOMEM, "no memory for what strokes teach");
    }
    memcpy(taught->source_cost, energy->source_cost, bins * sizeof(int32_t));
    memcpy(taught->sink_cost, energy->sink_cost, bins * sizeof(int32_t));
    begin(taught);
    return TILECUT_OK;
}

/* The Gaussian of the painted pixels' colours; its weight is 0 if there are none. */
static void gaussian_of(const tc_energy *energy, int x, int y, int width, int height, const uint8_t *painted,
                        size_t stride, uint32_t *bin, tc_gaussian *out)
{
    const tc_palette *const palette = energy->lesson.palette;
    double sums[TC_MOMENTS] = {0};
    for (int j = 0; j < height; j++) {
        tc_color_bins(&energy->image, energy->color_bits, y + j, bin);
        for (int i = 0; i < width; i++) {
            if (!painted[(size_t)j * stride + (size_t)i]) continue;
            const size_t k = palette->entry[bin[x + i]];
            tc_moments_add(sums, 1, palette->x[k], palette->y[k], palette->z[k]);
        }
    }
    memset(out, 0, sizeof *out);
    if (sums[0] > 0) tc_gaussian_of(out, sums, sums[0]);
    out->weight *= STROKE_WEIGHT;
}

static void add_density(const tc_taught *taught, const tc_gaussian *g, bool foreground)
{
    const tc_palette *const palette = taught->energy->lesson.palette;
    double *const density = taught->density[!foreground];
    for (size_t k = 0; k < palette->count && g->weight > 0; k++)
        density[k] += tc_gaussian_density(g, palette->x[k], palette->y[k], palette->z[k]);
}

static void tabulate(const tc_taught *taught)
{
    const tc_energy *const energy = taught->energy;
    const tc_palette *const palette = energy->lesson.palette;
    const double scale = energy->data_weight / energy->quantum;
    for (size_t k = 0; k < palette->count; k++) {
        const double favour = tc_gmm_favour(taught->density[0][k], taught->density[1][k]);
        taught->source_cost[palette->bin[k]] = tc_capacity_within((double)(float)(favour > 0 ? favour : 0), scale);
        taught->sink_cost[palette->bin[k]] = tc_capacity_within((double)(float)(favour < 0 ? -favour : 0), scale);
    }
}

static tilecut_status make_room(tc_taught *taught)
{
    if (taught->strokes < taught->room) return TILECUT_OK;
    const int room = taught->room ? 2 * taught->room : 16;
    tc_gaussian *const stroke = realloc(taught->stroke, (size_t)room * sizeof *stroke);
    if (stroke) taught->stroke = stroke;
    uint8_t *const foreground = realloc(taught->foreground, (size_t)room);
    if (foreground) taught->foreground = foreground;
    if (!stroke || !foreground) return tc_fail(TILECUT_ENOMEM, "no memory for %d strokes", room);
    taught->room = room;
    return TILECUT_OK;
}

tilecut_status tc_taught_add(tc_taught *taught, const tc_energy *energy, int x, int y, int width, int height,
                             const uint8_t *painted, size_t stride, bool foreground)
{
    tilecut_status status = TILECUT_OK;
    uint32_t *bin = NULL;

    if (!teachable(energy)) return TILECUT_OK;
    if (!taught->energy) TRY(init(taught, energy));
    TRY(make_room(taught));
    bin = malloc((size_t)energy->image.width * sizeof *bin);
    if (!bin) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", energy->image.width);
    tc_gaussian *const g = &taught->stroke[taught->strokes];
    gaussian_of(energy, x, y, width, height, painted, stride, bin, g);
    taught->foreground[taught->strokes++] = foreground;
    add_density(taught, g, foreground);
    tabulate(taught);
done:
    free(bin);
    return status;
}

void tc_taught_undo(tc_taught *taught, int strokes)
{
    if (!taught->energy || strokes >= taught->strokes) return;
    begin(taught);
    for (int i = 0; i < strokes; i++) add_density(taught, &taught->stroke[i], taught->foreground[i]);
    taught->strokes = strokes;
    tabulate(taught);
}

tc_energy tc_taught_energy(const tc_taught *taught, const tc_energy *energy)
{
    tc_energy view = *energy;
    if (!taught->energy) return view;
    view.source_cost = taught->source_cost;
    view.sink_cost = taught->sink_cost;
    return view;
}
