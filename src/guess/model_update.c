/* SPDX-License-Identifier: MIT
 *
 * model_update.c - see model_update.h. A stroke that paints nothing has no colours, but is counted, so that strokes can
 * be undone by their number. */
#include "model_update.h"

#include <stdlib.h>
#include <string.h>

#include "colors_math.h"
#include "energy_math.h"
#include "rows.h"
#include "shared_array.h"
#include "mixture_math.h"
#include "status.h"
#include "prior.h"

/* The weight of a stroke's Gaussian compared with the mixture of its class (docs/guide/quality.md). */
#define STROKE_WEIGHT 0.1

bool tc_energy_can_update(const tc_energy *energy)
{
    return energy->color_bits && energy->model->part && energy->training.palette && energy->training.learnt;
}

void tc_model_update_free(tc_model_update *update)
{
    free(update->density[0]);
    free(update->scratch);
    free(update->source_cost);
    free(update->sink_cost);
    free(update->stroke);
    free(update->foreground);
    *update = (tc_model_update){0};
}

/* Computes what colour k of the palette costs. */
static void tabulate(const tc_model_update *update, size_t k)
{
    const tc_energy *const energy = update->energy;
    const uint32_t bin = energy->training.palette->bin[k];
    const double scale = energy->data_weight / energy->quantum;
    const double favour = tc_gmm_favour(update->density[0][k], update->density[1][k]);
    update->source_cost[bin] = tc_capacity_within((double)(float)(favour > 0 ? favour : 0), scale);
    update->sink_cost[bin] = tc_capacity_within((double)(float)(favour < 0 ? -favour : 0), scale);
}

static tilecut_status init(tc_model_update *update, const tc_energy *energy)
{
    const size_t bins = (size_t)1 << (energy->image.channels * energy->color_bits);
    const tc_training_set *const training = &energy->training;
    const size_t colors = training->palette->count;
    const tc_samples of = {.count = colors, .x = training->palette->x, .y = training->palette->y,
                           .z = training->palette->z};

    update->energy = energy;
    update->density[0] = malloc(4 * colors * sizeof(double));
    update->scratch = malloc(colors * sizeof(double));
    update->source_cost = malloc(bins * sizeof(int32_t));
    update->sink_cost = malloc(bins * sizeof(int32_t));
    if (!update->density[0] || !update->scratch || !update->source_cost || !update->sink_cost) {
        tc_model_update_free(update);
        return tc_fail(TILECUT_ENOMEM, "no memory for what strokes teach");
    }
    memcpy(update->source_cost, energy->source_cost, bins * sizeof(int32_t));
    memcpy(update->sink_cost, energy->sink_cost, bins * sizeof(int32_t));
    for (int i = 0; i < 2; i++) {
        update->density[i] = update->density[0] + (size_t)i * colors;
        update->learnt[i] = update->density[0] + (size_t)(2 + i) * colors;
        tc_mixture_densities(&training->mixture[i], &of, update->scratch, update->learnt[i]);
        memcpy(update->density[i], update->learnt[i], colors * sizeof(double));
    }
    for (size_t k = 0; k < colors; k++) tabulate(update, k);
    return TILECUT_OK;
}

/* Computes the Gaussian of the painted pixels' colours. Its weight is 0 if there are none. */
static void gaussian_of(const tc_energy *energy, const tilecut_stroke *stroke, uint32_t *bin, tc_gaussian *out)
{
    const tc_palette *const palette = energy->training.palette;
    double sums[TC_MOMENTS] = {0};
    for (int j = 0; j < stroke->height; j++) {
        const uint8_t *const painted = tc_stroke_row(stroke, j);
        tc_color_bins(&energy->image, energy->color_bits, stroke->y + j, bin);
        for (int i = 0; i < stroke->width; i++) {
            if (!painted[i]) continue;
            const size_t k = palette->entry[bin[stroke->x + i]];
            tc_moments_add(sums, 1, palette->x[k], palette->y[k], palette->z[k]);
        }
    }
    memset(out, 0, sizeof *out);
    if (sums[0] > 0) tc_gaussian_of(out, sums, sums[0]);
    out->weight *= STROKE_WEIGHT;
}

/* Makes update->scratch the density of class i, and computes the costs of colours whose density has changed. */
static void take_scratch(tc_model_update *update, int i)
{
    for (size_t k = 0; k < update->energy->training.palette->count; k++) {
        if (update->scratch[k] == update->density[i][k]) continue;
        update->density[i][k] = update->scratch[k];
        tabulate(update, k);
    }
}

/* Adds a stroke's Gaussian to update->scratch. */
static void add_density(const tc_model_update *update, const tc_gaussian *g)
{
    const tc_palette *const palette = update->energy->training.palette;
    for (size_t k = 0; k < palette->count && g->weight > 0; k++)
        update->scratch[k] += tc_gaussian_density(g, palette->x[k], palette->y[k], palette->z[k]);
}

static tilecut_status make_room(tc_model_update *update)
{
    if (update->strokes < update->room) return TILECUT_OK;
    const int room = update->room ? 2 * update->room : 16;
    tc_gaussian *const stroke = realloc(update->stroke, (size_t)room * sizeof *stroke);
    if (stroke) update->stroke = stroke;
    uint8_t *const foreground = realloc(update->foreground, (size_t)room);
    if (foreground) update->foreground = foreground;
    if (!stroke || !foreground) return tc_fail(TILECUT_ENOMEM, "no memory for %d strokes", room);
    update->room = room;
    return TILECUT_OK;
}

tilecut_status tc_model_update_add(tc_model_update *update, const tc_energy *energy, const tilecut_stroke *stroke)
{
    const bool foreground = stroke->label == TILECUT_FOREGROUND;
    tilecut_status status = TILECUT_OK;
    uint32_t *bin = NULL;

    if (!tc_energy_can_update(energy)) return TILECUT_OK;
    if (!update->energy) TRY(init(update, energy));
    TRY(make_room(update));
    bin = malloc((size_t)energy->image.width * sizeof *bin);
    if (!bin) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", energy->image.width);
    tc_gaussian *const g = &update->stroke[update->strokes];
    gaussian_of(energy, stroke, bin, g);
    update->foreground[update->strokes++] = foreground;
    memcpy(update->scratch, update->density[!foreground], energy->training.palette->count * sizeof(double));
    add_density(update, g);
    take_scratch(update, !foreground);
done:
    free(bin);
    return status;
}

void tc_model_update_undo(tc_model_update *update, int strokes)
{
    if (!update->energy || strokes >= update->strokes) return;
    update->strokes = strokes;
    for (int i = 0; i < 2; i++) {
        memcpy(update->scratch, update->learnt[i], update->energy->training.palette->count * sizeof(double));
        for (int j = 0; j < strokes; j++)
            if (update->foreground[j] != i) add_density(update, &update->stroke[j]);
        take_scratch(update, i);
    }
}

tc_energy tc_model_update_energy(const tc_model_update *update, const tc_energy *energy)
{
    tc_energy view = *energy;
    if (!update->energy) return view;
    view.source_cost = update->source_cost;
    view.sink_cost = update->sink_cost;
    return view;
}

/* ---- A mask that is kept -------------------------------------------------------------------------- */

/* Returns what a level adds to the cost of one label. For a kept pixel that is more than its colour and links can
 * outweigh. */
static int32_t level_cost(const tc_energy *energy, int steps, double nat)
{
    if (steps == TC_FREE) return (int32_t)TC_MAX_TERMINAL + energy->seed_capacity;
    return tc_capacity_within(nat * steps / TC_LEVELS_A_NAT, energy->data_weight / energy->quantum);
}

tilecut_status tc_energy_hold(tc_energy *energy, double nat)
{
    const int width = energy->image.width, height = energy->image.height;
    if (tc_shared_is_shared(energy->nearness)) {
        tc_shared_drop(energy->nearness);
        energy->nearness = NULL;
    }
    if (!energy->nearness) energy->nearness = tc_shared_new((size_t)width * (size_t)height);
    if (!energy->nearness) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %dx%d pixels", width, height);
    for (int i = 0; i < TC_PRIOR_LEVELS; i++) {
        energy->near_cost[i][0] = i < TC_FREE ? level_cost(energy, TC_FREE - i, nat) : 0;
        energy->near_cost[i][1] = i > TC_FREE ? level_cost(energy, i - TC_FREE, nat) : 0;
    }
    energy->holds = true;
    return TILECUT_OK;
}
