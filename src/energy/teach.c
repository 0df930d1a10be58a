/* SPDX-License-Identifier: MIT
 *
 * teach.c - see teach.h. A stroke that paints nothing has no colours, but is counted, so that strokes can be undone
 * by their number. Seeds that teach all at once have no order and no number: around a colour the density rises by the
 * nearest of their colours, which one sweep along each channel of the lattice finds.
 */
#include "teach.h"

#include <stdlib.h>
#include <string.h>

#include "colors_math.h"
#include "energy_math.h"
#include "mixture_math.h"
#include "status.h"
#include "wish.h"

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

/* ---- All seeds at once ------------------------------------------------------------------------ */

/* What a seed adds to the density of its class at its own colour: a little, and if it contradicts the mask also so many
 * times the density of the other class, which has learnt that colour from pixels with the wrong label. It falls off
 * over bins of a channel: a standard deviation, and the farthest (docs/lab/quality.md). NO_SEED: a squared distance
 * farther than that. */
#define SEED_DENSITY 1e-6
#define SEED_OVERRULES 1.5
#define SEED_WIDTH 1.5
enum { SEED_FARTHEST = 6, NO_SEED = 1 << 20 };

/* In one line of the lattice: the least squared distance by way of each of its bins. */
static void sweep_line(int32_t *line, size_t step, int n)
{
    int32_t before[1 << TC_GMM_GREY_BITS], least = NO_SEED;
    for (int i = 0; i < n; i++) {
        before[i] = line[(size_t)i * step];
        if (before[i] < least) least = before[i];
    }
    for (int i = 0; i < n && least < NO_SEED; i++)
        for (int j = -SEED_FARTHEST; j <= SEED_FARTHEST; j++)
            if (i + j >= 0 && i + j < n && before[i + j] + j * j < line[(size_t)i * step])
                line[(size_t)i * step] = before[i + j] + j * j;
}

/* squared[bin]: the squared distance to the nearest colour that a seed of that class has, in bins. With a `mask`, of
 * those alone that contradict it. */
static void find_nearest(const tc_energy *energy, uint8_t label, const uint8_t *mask, uint32_t *bin, int32_t *squared)
{
    const int bits = energy->color_bits, channels = energy->image.channels, width = energy->image.width;
    const size_t bins = (size_t)1 << (channels * bits), side = (size_t)1 << bits;
    for (size_t b = 0; b < bins; b++) squared[b] = NO_SEED;
    for (int y = 0; y < energy->image.height; y++) {
        const uint8_t *const seed = energy->seeds + (size_t)y * (size_t)width;
        const uint8_t *const before = mask ? mask + (size_t)y * (size_t)width : NULL;
        if (!memchr(seed, label, (size_t)width)) continue;
        tc_color_bins(&energy->image, bits, y, bin);
        for (int x = 0; x < width; x++)
            if (seed[x] == label && (!before || (before[x] != 0) != (label == TILECUT_FOREGROUND)))
                squared[bin[x]] = 0;
    }
    for (int c = 0; c < channels; c++)
        for (size_t b = 0; b < bins; b++)
            if ((b >> (c * bits)) % side == 0) sweep_line(squared + b, (size_t)1 << (c * bits), (int)side);
}

/* Adds what seeds of a class teach; `other`: the density of the other class before any did. */
static void add_seeds(tc_taught *taught, uint8_t label, const uint8_t *mask, const double *other, uint32_t *bin,
                      int32_t *squared)
{
    const tc_palette *const palette = taught->energy->lesson.palette;
    double *const density = taught->density[label == TILECUT_FOREGROUND ? 0 : 1];
    for (int contradicting = 0; contradicting < 2; contradicting++) {
        find_nearest(taught->energy, label, contradicting ? mask : NULL, bin, squared);
        for (size_t k = 0; k < palette->count; k++) {
            const int32_t far = squared[palette->bin[k]];
            if (far == NO_SEED) continue;
            const double near = tc_exp(-far / (2 * SEED_WIDTH * SEED_WIDTH));
            density[k] += (contradicting ? SEED_OVERRULES * other[k] : SEED_DENSITY) * near;
        }
    }
}

/* Adds the colours of all seeds to the costs. */
static tilecut_status teach_all(tc_energy *energy, const uint8_t *mask)
{
    const size_t bins = (size_t)1 << (energy->image.channels * energy->color_bits);
    tilecut_status status = TILECUT_OK;
    tc_taught taught = {0};
    uint32_t *bin = NULL;
    int32_t *squared = NULL;
    double *background = NULL;

    if (!teachable(energy)) return TILECUT_OK;
    const size_t colors = energy->lesson.palette->count;
    TRY(init(&taught, energy));
    bin = malloc((size_t)energy->image.width * sizeof *bin);
    squared = malloc(bins * sizeof *squared);
    background = malloc(colors * sizeof *background);
    if (!bin || !squared || !background) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the colours of seeds"));
    memcpy(background, taught.density[1], colors * sizeof *background);
    add_seeds(&taught, TILECUT_BACKGROUND, mask, taught.density[0], bin, squared);
    add_seeds(&taught, TILECUT_FOREGROUND, mask, background, bin, squared);
    tabulate(&taught);
    memcpy(energy->source_cost, taught.source_cost, bins * sizeof *energy->source_cost);
    memcpy(energy->sink_cost, taught.sink_cost, bins * sizeof *energy->sink_cost);
done:
    free(bin);
    free(squared);
    free(background);
    tc_taught_free(&taught);
    return status;
}

/* What it costs to change a pixel of that level; for one that is kept, more than its colour and links can pay. */
static int32_t change_cost(const tc_energy *energy, int level)
{
    if (level == TC_FREE) return 0;
    if (level == TC_KEPT_FOREGROUND || level == TC_KEPT_BACKGROUND)
        return (int32_t)TC_MAX_TERMINAL + energy->seed_capacity;
    return tc_capacity_within(TC_STICKY_NATS, energy->data_weight / energy->quantum);
}

tilecut_status tc_energy_correct(tc_energy *energy, const uint8_t *mask)
{
    const int width = energy->image.width, height = energy->image.height;
    tilecut_status status = TILECUT_OK;
    if (!energy->nearness) energy->nearness = malloc((size_t)width * (size_t)height);
    if (!energy->nearness) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %dx%d pixels", width, height);
    TRY(tc_wish_strokes(mask, energy->seeds, width, height, energy->nearness));
    for (int i = 0; i < TC_WISH_LEVELS; i++) {
        energy->near_cost[i][0] = i < TC_FREE ? change_cost(energy, i) : 0;
        energy->near_cost[i][1] = i > TC_FREE ? change_cost(energy, i) : 0;
    }
    energy->holds = true;
    TRY(teach_all(energy, mask));
done:
    return status;
}
