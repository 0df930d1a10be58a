/* SPDX-License-Identifier: MIT
 *
 * energy_advance.c - the energy of the next image of a film: the learnt model stays, the pixels are new.
 */
#include "energy.h"
#include "energy_math.h"
#include "shared_array.h"
#include "parallel.h"
#include "status.h"
#include "prior.h"

/* Extends the tables to all colours of the lattice, if the model computed only the costs of one image's colours. */
static tilecut_status cost_all_colors(tc_energy *energy)
{
    const double scale = energy->data_weight / energy->quantum;
    tilecut_status status = TILECUT_OK;
    tc_color_costs costs = {0};

    if (!energy->color_bits || energy->all_colors || !energy->model->cost_all) return TILECUT_OK;
    TRY(energy->model->cost_all(&energy->training, &costs));
    for (size_t b = 0; b < costs.count; b++) {
        energy->source_cost[b] = tc_capacity_within((double)costs.background[b], scale);
        energy->sink_cost[b] = tc_capacity_within((double)costs.foreground[b], scale);
    }
    energy->all_colors = true;
done:
    tc_color_costs_free(&costs);
    return status;
}

static int32_t highest_cost(const tc_energy *energy)
{
    const size_t bins = energy->color_bits ? (size_t)1 << (energy->image.channels * energy->color_bits) : 0;
    int32_t highest = 0;
    for (size_t b = 0; b < bins; b++) {
        if (energy->source_cost[b] > highest) highest = energy->source_cost[b];
        if (energy->sink_cost[b] > highest) highest = energy->sink_cost[b];
    }
    return highest;
}

/* Sets the prior mask's weight. It is limited to what terminal links can hold, because the quantum must not change:
 * that would make the flow invalid. */
static void weigh_prior(tc_energy *energy, double weight)
{
    const int middle = TC_PRIOR_LEVELS / 2;
    const double room = TC_MAX_TERMINAL - highest_cost(energy), wanted = weight / energy->quantum;
    const double step = (wanted < room ? wanted : room) / middle;
    energy->prior_weight = weight;
    for (int i = 0; i < TC_PRIOR_LEVELS; i++) {
        energy->near_cost[i][0] = tc_capacity(i < middle ? middle - i : 0, step);
        energy->near_cost[i][1] = tc_capacity(i > middle ? i - middle : 0, step);
    }
}

tilecut_status tc_energy_check_labelled(const uint8_t *labels, size_t count)
{
    size_t bad = 0;
    for (size_t p = 0; p < count; p++) bad += labels[p] > TILECUT_OUTSIDE;
    if (bad) return tc_fail(TILECUT_EINVAL, "%zu seed labels are not 0 to 3", bad);
    return TILECUT_OK;
}

tilecut_status tc_energy_advance(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                                 bool painted, const uint8_t *prior, double weight)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    uint8_t *const levels = tc_shared_new(pixels);

    if (!levels) return tc_fail(TILECUT_ENOMEM, "no memory for a prior");
    energy->training.image = &energy->image;
    TRY(cost_all_colors(energy));
    tc_prior_levels(prior, image->width, image->height, levels);
    if (painted) TRY(tc_prior_confidence(prior, seeds, image->width, image->height, levels));
    weigh_prior(energy, weight);
    tc_shared_drop(energy->nearness);
    energy->nearness = levels;
    energy->holds = false;
    energy->image = *image;
    energy->seeds = seeds;
    energy->prior = prior;
    energy->painted = false;
    tc_palette_drop(energy->training.palette); /* its colours are those of the previous image */
    energy->training.palette = NULL;
    energy->training.guessed = true;
    energy->model_ms = tc_now_ms() - start;
    return TILECUT_OK;
done:
    tc_shared_drop(levels);
    return status;
}
