/* SPDX-License-Identifier: MIT
 *
 * model_update.c - see model_update.h. A stroke that paints nothing has no colours, but is counted, so that strokes can
 * be undone by their number. Seeds that update the model all at once have no order and no number: the density of a
 * colour rises according to the nearest of their colours, which one sweep along each channel of the lattice finds. The
 * update changes only pixels within reach of contradicting strokes, through the level of each pixel, so that a stroke
 * does not undo the gain of another one. A part with the wrong label has many colours, and a stroke shows few of them.
 * The mask of a first cut shows more: which colours have left a class. */
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
    free(update->density[1]);
    free(update->scratch);
    free(update->source_cost);
    free(update->sink_cost);
    free(update->stroke);
    free(update->foreground);
    *update = (tc_model_update){0};
}

/* Sets the densities to those of the training, without strokes. */
static void begin_update(tc_model_update *update)
{
    const tc_training_set *const training = &update->energy->training;
    const tc_palette *const palette = training->palette;
    const tc_samples colors = {.count = palette->count, .x = palette->x, .y = palette->y, .z = palette->z};
    for (int i = 0; i < 2; i++)
        tc_mixture_densities(&training->mixture[i], &colors, update->scratch, update->density[i]);
}

static tilecut_status init(tc_model_update *update, const tc_energy *energy)
{
    const size_t bins = (size_t)1 << (energy->image.channels * energy->color_bits);
    const size_t colors = energy->training.palette->count;

    update->energy = energy;
    update->density[0] = malloc(colors * sizeof(double));
    update->density[1] = malloc(colors * sizeof(double));
    update->scratch = malloc(colors * sizeof(double));
    update->source_cost = malloc(bins * sizeof(int32_t));
    update->sink_cost = malloc(bins * sizeof(int32_t));
    if (!update->density[0] || !update->density[1] || !update->scratch || !update->source_cost || !update->sink_cost) {
        tc_model_update_free(update);
        return tc_fail(TILECUT_ENOMEM, "no memory for what strokes teach");
    }
    memcpy(update->source_cost, energy->source_cost, bins * sizeof(int32_t));
    memcpy(update->sink_cost, energy->sink_cost, bins * sizeof(int32_t));
    begin_update(update);
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

static void add_density(const tc_model_update *update, const tc_gaussian *g, bool foreground)
{
    const tc_palette *const palette = update->energy->training.palette;
    double *const density = update->density[!foreground];
    for (size_t k = 0; k < palette->count && g->weight > 0; k++)
        density[k] += tc_gaussian_density(g, palette->x[k], palette->y[k], palette->z[k]);
}

static void tabulate(const tc_model_update *update)
{
    const tc_energy *const energy = update->energy;
    const tc_palette *const palette = energy->training.palette;
    const double scale = energy->data_weight / energy->quantum;
    for (size_t k = 0; k < palette->count; k++) {
        const double favour = tc_gmm_favour(update->density[0][k], update->density[1][k]);
        update->source_cost[palette->bin[k]] = tc_capacity_within((double)(float)(favour > 0 ? favour : 0), scale);
        update->sink_cost[palette->bin[k]] = tc_capacity_within((double)(float)(favour < 0 ? -favour : 0), scale);
    }
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
    add_density(update, g, foreground);
    tabulate(update);
done:
    free(bin);
    return status;
}

void tc_model_update_undo(tc_model_update *update, int strokes)
{
    if (!update->energy || strokes >= update->strokes) return;
    begin_update(update);
    for (int i = 0; i < strokes; i++) add_density(update, &update->stroke[i], update->foreground[i]);
    update->strokes = strokes;
    tabulate(update);
}

tc_energy tc_model_update_energy(const tc_model_update *update, const tc_energy *energy)
{
    tc_energy view = *energy;
    if (!update->energy) return view;
    view.source_cost = update->source_cost;
    view.sink_cost = update->sink_cost;
    return view;
}

/* ---- All seeds at once ------------------------------------------------------------------------ */

/* Three rules by which a seed of class C raises densities of C (docs/lab/quality.md). D is the other class.
 * 1. Every seed raises the density at its own colour a little, and less at similar colours.
 * 2. A seed that the mask gives to D shows that D has learnt this colour from wrong pixels. So C gets a share of D's
 *    density at this colour: as large a share as strokes can reach of D's pixels with this colour.
 * 3. A first cut may have moved pixels of a colour from D to C. Then C also gets D's density at this colour, multiplied
 *    by the number of moved pixels and divided by the number of those that stayed. */
#define SEED_DENSITY 1e-6  /* density that every seed adds, per cubed level */
#define SEED_OVERRULES 1.5 /* the factor by which the second rule above multiplies D's density */
#define SEED_WIDTH 1.5     /* similarity of two colours: a Gaussian with this standard deviation, in bins */
#define UNLIKE_NATS 1.0    /* the cost of a free change if no seed that contradicts the mask has a similar colour */
#define SEED_ALIKE 4.0     /* the standard deviation for UNLIKE_NATS, like SEED_WIDTH */
#define MOST_ODDS 5.0      /* the largest ratio of moved to unmoved pixels that the third rule above uses */
#define SEED_FARTHEST 6    /* colours that are more bins apart than this, in any channel, are not similar */
#define NO_SEED (1 << 20)  /* a squared distance that means "not similar" */
#define COUNT_WITHIN 2     /* in the second rule, colours at most this many bins apart in each channel count as one */

/* Two sets of seeds of a class: all of them, and those that contradict the mask. */
enum { ANY_SEED, AGAINST, SEEDS };

typedef struct trainings {
    tc_energy *energy;
    const uint8_t *mask;
    tc_model_update before;          /* the densities that were learnt from the mask */
    int32_t *squared[2][SEEDS]; /* [palette] by class: squared distance in bins to the class's nearest seed colour */
    double *within[2];         /* [palette] by class: the share of the other class's pixels that are within reach of
                                  strokes */
    double *taken[2];          /* [palette] by class: the share of those pixels that a first cut moved to the class; 0
                                  without such a cut */
    int32_t *cells, *all;      /* [bins] */
    uint32_t *bin;             /* [width] */
    uint8_t *level[2][2];      /* [palette] by class: the level of pixels that change freely, and that of sticky
                                  pixels */
    void *memory;
} trainings;

static size_t count_bins(const tc_energy *energy)
{
    return (size_t)1 << (energy->image.channels * energy->color_bits);
}

static bool is_kept(uint8_t level)
{
    return level == TC_KEPT_FOREGROUND || level == TC_KEPT_BACKGROUND;
}

/* Updates the squared distances of the bins in one line of the lattice: each becomes the smallest by way of any bin of
 * the line. After a sweep along every channel they are distances in the whole lattice. */
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

/* Replaces each count in one line of the lattice by the sum over the bins at most COUNT_WITHIN away. */
static void sum_line(int32_t *line, size_t step, int n)
{
    int32_t before[1 << TC_GMM_GREY_BITS], any = 0;
    for (int i = 0; i < n; i++) any |= before[i] = line[(size_t)i * step];
    for (int i = 0; i < n && any; i++) {
        int32_t sum = 0;
        for (int j = -COUNT_WITHIN; j <= COUNT_WITHIN; j++)
            if (i + j >= 0 && i + j < n) sum += before[i + j];
        line[(size_t)i * step] = sum;
    }
}

/* Calls `sweep` for each line of the lattice, along each of its channels. */
static void sweep_lattice(const tc_energy *energy, int32_t *cells, void (*sweep)(int32_t *line, size_t step, int n))
{
    const size_t side = (size_t)1 << energy->color_bits;
    for (int c = 0; c < energy->image.channels; c++)
        for (size_t b = 0; b < count_bins(energy); b++)
            if ((b >> (c * energy->color_bits)) % side == 0)
                sweep(cells + b, (size_t)1 << (c * energy->color_bits), (int)side);
}

/* Finds for each colour the nearest colour of the seeds of a class: of all seeds, or of those that contradict the
 * mask. */
static void find_nearest(const trainings *l, uint8_t label, int which, int32_t *squared)
{
    const tc_energy *const energy = l->energy;
    const size_t width = (size_t)energy->image.width;
    for (size_t b = 0; b < count_bins(energy); b++) l->cells[b] = NO_SEED;
    for (int y = 0; y < energy->image.height; y++) {
        const uint8_t *const seed = energy->seeds + (size_t)y * width, *const before = l->mask + (size_t)y * width;
        if (!memchr(seed, label, width)) continue;
        tc_color_bins(&energy->image, energy->color_bits, y, l->bin);
        for (size_t x = 0; x < width; x++)
            if (seed[x] == label && (which == ANY_SEED || (before[x] != 0) != (label == TILECUT_FOREGROUND)))
                l->cells[l->bin[x]] = 0;
    }
    sweep_lattice(energy, l->cells, sweep_line);
    for (size_t k = 0; k < energy->training.palette->count; k++)
        squared[k] = l->cells[energy->training.palette->bin[k]];
}

/* For each colour, considers the pixels of similar colours that do not have `label` in the mask. Finds the share of
 * them that is within reach of strokes; with `first`, the share to which the first cut gave `label`. */
static void find_part(const trainings *l, uint8_t label, const uint8_t *first, double *part)
{
    const tc_energy *const energy = l->energy;
    const tc_palette *const palette = energy->training.palette;
    const size_t width = (size_t)energy->image.width;
    memset(l->cells, 0, count_bins(energy) * sizeof *l->cells);
    memset(l->all, 0, count_bins(energy) * sizeof *l->all);
    for (int y = 0; y < energy->image.height; y++) {
        tc_color_bins(&energy->image, energy->color_bits, y, l->bin);
        for (size_t x = 0; x < width; x++) {
            const size_t p = (size_t)y * width + x;
            if ((l->mask[p] != 0) == (label == TILECUT_FOREGROUND)) continue;
            l->all[l->bin[x]]++;
            l->cells[l->bin[x]] += first ? (first[p] != 0) != (l->mask[p] != 0) : !is_kept(energy->nearness[p]);
        }
    }
    sweep_lattice(energy, l->cells, sum_line);
    sweep_lattice(energy, l->all, sum_line);
    for (size_t k = 0; k < palette->count; k++) {
        const int32_t all = l->all[palette->bin[k]];
        part[k] = all ? (double)l->cells[palette->bin[k]] / all : 0;
    }
}

static double likeness(int32_t squared, double width)
{
    return squared == NO_SEED ? 0 : tc_exp(-squared / (2 * width * width));
}

/* Returns part / (1 - part), limited to MOST_ODDS. */
static double odds_of(double part)
{
    const double odds = part < 1 ? part / (1 - part) : MOST_ODDS;
    return odds < MOST_ODDS ? odds : MOST_ODDS;
}

/* Returns the level of a pixel for which the evidence for class `label` is `favour` nats. */
static uint8_t level_of(double favour, uint8_t label)
{
    const double most = TC_FREE - 1, steps = TC_LEVELS_A_NAT * favour;
    const int step = (int)tc_round(steps > most ? most : steps < -most ? -most : steps);
    return (uint8_t)(label == TILECUT_FOREGROUND ? TC_FREE - step : TC_FREE + step);
}

/* Finds, for each colour, the levels of pixels that strokes of a class may change. */
static void find_levels(const trainings *l, int class)
{
    const double *const own = l->before.density[class], *const other = l->before.density[!class];
    const uint8_t label = class ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
    for (size_t k = 0; k < l->energy->training.palette->count; k++) {
        const int32_t against = l->squared[class][AGAINST][k];
        const double more = own[k] + SEED_DENSITY * likeness(l->squared[class][ANY_SEED][k], SEED_WIDTH) +
                            SEED_OVERRULES * l->within[class][k] * other[k] * likeness(against, SEED_WIDTH) +
                            odds_of(l->taken[class][k]) * other[k];
        const double less = other[k] + SEED_DENSITY * likeness(l->squared[!class][ANY_SEED][k], SEED_WIDTH);
        const double favour = tc_gmm_favour(more, less) - tc_gmm_favour(own[k], other[k]);
        const double unlike = UNLIKE_NATS * (1 - likeness(against, SEED_ALIKE));
        l->level[class][0][k] = level_of(favour - unlike, label);
        l->level[class][1][k] = level_of(favour - TC_CHANGE_NATS, label);
    }
}

static tilecut_status alloc_trainings(trainings *l)
{
    const size_t colors = l->energy->training.palette->count, bins = count_bins(l->energy);
    const size_t width = (size_t)l->energy->image.width;
    char *const memory = l->memory = calloc(1, 4 * colors * sizeof(double) + (4 * colors + 2 * bins) * sizeof(int32_t) +
                                                   width * sizeof(uint32_t) + 4 * colors);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for the colours of seeds");
    double *const part = (void *)memory;
    int32_t *squared = (void *)(memory + 4 * colors * sizeof(double));
    for (int c = 0; c < 2; c++) {
        l->within[c] = part + (size_t)c * colors;
        l->taken[c] = part + (size_t)(2 + c) * colors;
        for (int which = 0; which < SEEDS; which++, squared += colors) l->squared[c][which] = squared;
    }
    l->cells = squared;
    l->all = squared + bins;
    l->bin = (uint32_t *)(squared + 2 * bins);
    uint8_t *const level = (uint8_t *)(l->bin + width);
    for (size_t i = 0; i < 4; i++) l->level[i / 2][i % 2] = level + i * colors;
    return TILECUT_OK;
}

/* Adjusts the levels of all pixels that are not kept, according to the colours of all seeds. */
static tilecut_status update_all_levels(tc_energy *energy, const uint8_t *mask, const uint8_t *first)
{
    const size_t width = (size_t)energy->image.width;
    tilecut_status status = TILECUT_OK;
    trainings l = {.energy = energy, .mask = mask};

    if (!tc_energy_can_update(energy)) return TILECUT_OK;
    TRY(init(&l.before, energy));
    TRY(alloc_trainings(&l));
    for (int class = 0; class < 2; class++) {
        const uint8_t label = class ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
        for (int which = 0; which < SEEDS; which++) find_nearest(&l, label, which, l.squared[class][which]);
        find_part(&l, label, NULL, l.within[class]);
        if (first) find_part(&l, label, first, l.taken[class]);
    }
    for (int class = 0; class < 2; class++) find_levels(&l, class);
    for (int y = 0; y < energy->image.height; y++) {
        tc_color_bins(&energy->image, energy->color_bits, y, l.bin);
        for (size_t x = 0; x < width; x++) {
            uint8_t *const level = &energy->nearness[(size_t)y * width + x];
            const bool free = *level == TC_FREE;
            if (!is_kept(*level))
                *level = l.level[mask[(size_t)y * width + x] != 0][!free][energy->training.palette->entry[l.bin[x]]];
        }
    }
done:
    free(l.memory);
    tc_model_update_free(&l.before);
    return status;
}

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

tilecut_status tc_energy_correct(tc_energy *energy, const uint8_t *mask, const uint8_t *first)
{
    NEED(tc_energy_hold(energy, 1));
    const tc_nearness_lattice lattice = tc_energy_lattice(energy);
    NEED(tc_prior_strokes(mask, energy->seeds, &lattice, energy->nearness));
    return update_all_levels(energy, mask, first);
}
