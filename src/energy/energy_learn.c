/* SPDX-License-Identifier: MIT
 *
 * energy_learn.c - learns an energy: contrast scale, checks of seeds, first guesses, and models learnt from seeds and
 * masks.
 *
 * The contrast scale is beta = 1 / (2 <d^2>) over all linked pairs (Rother et al. 2004).
 */
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "energy.h"
#include "energy_math.h"
#include "shared_array.h"
#include "large.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

/* ---- Contrast --------------------------------------------------------------------------------- */

/* Computes beta = 1 / (2 <|I_p - I_q|^2>) over all links. Blocks of rows (in a volume, of slices) are summed in whole
 * numbers, which in an image stay below 2^53, and then added in order. A block may lie in several parts. */
static tilecut_status find_beta(tc_energy *energy, int threads)
{
    const tilecut_image *const image = &energy->image;
    const int height = tc_comm_height(energy->comm, image->height), rows = energy->slice_rows;
    const int depth = rows ? height / rows : 1, unit = depth > 1 ? rows : TC_CONTRAST_ROWS;
    const int blocks = (height + unit - 1) / unit;
    int64_t *const block = calloc((size_t)blocks, sizeof *block);
    tilecut_status status = TILECUT_OK;
    double sum = 0;

    if (!block) return tc_fail(TILECUT_ENOMEM, "no memory for the contrast scale");
    tc_count_contrast(energy, unit, threads, block);
    TRY(tc_comm_allreduce(energy->comm, block, (size_t)blocks));
    for (int i = 0; i < blocks; i++) sum += (double)(uint64_t)block[i];
    const double links = tc_count_links(image->width, height / depth, depth, energy->connectivity);
    energy->beta = tc_automatic_beta(image->depth, sum, links);
    if (depth > 1 && energy->beta > 0) energy->beta = tc_beta_by_sigma(energy->beta);
done:
    free(block);
    return status;
}

/* ---- Parameters and seeds --------------------------------------------------------------------- */

tilecut_status tc_energy_check_params(const tc_setup *params)
{
    if (tc_colors_find(params->colors)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "there is no colour model '%s'", params->colors);
}

/* The number of pixels with each label. */
typedef struct census {
    size_t of[4], all;
} census;

/* Counts all labels but the invalid ones, among fewer than 2^32 pixels. */
TC_VECTOR_LOOP static void count_some(const uint8_t *seeds, size_t n, uint64_t count[4])
{
    uint32_t background = 0, foreground = 0, outside = 0, bad = 0;
    for (size_t p = 0; p < n; p++) {
        background += seeds[p] == TILECUT_BACKGROUND;
        foreground += seeds[p] == TILECUT_FOREGROUND;
        outside += seeds[p] == TILECUT_OUTSIDE;
        bad += seeds[p] > TILECUT_OUTSIDE;
    }
    count[TILECUT_BACKGROUND] += background, count[TILECUT_FOREGROUND] += foreground;
    count[TILECUT_OUTSIDE] += outside;
    count[TILECUT_UNKNOWN] += n - background - foreground - outside - bad;
}

typedef struct counting {
    const uint8_t *seeds;
    size_t pixels;
    uint64_t count[4];
} counting;

enum { COUNTED = 1 << 18 }; /* pixels that a thread counts at a time */

static void count_block(void *context, int i)
{
    counting *const c = context;
    const size_t first = (size_t)i * COUNTED, left = c->pixels - first;
    uint64_t count[4] = {0};
    count_some(c->seeds + first, left < COUNTED ? left : COUNTED, count);
    for (int label = 0; label < 4; label++) __atomic_fetch_add(&c->count[label], count[label], __ATOMIC_RELAXED);
}

tilecut_status tc_energy_check_labels(const uint64_t of[4], uint64_t bad, const tc_colors *model)
{
    if (bad) return tc_fail(TILECUT_EINVAL, "%llu seed labels are not 0 to 3", (unsigned long long)bad);
    const bool box = of[TILECUT_OUTSIDE] > 0 && of[TILECUT_UNKNOWN] > 0 && tc_colors_learn(model);
    const bool object = of[TILECUT_FOREGROUND] || box, ground = of[TILECUT_BACKGROUND] || of[TILECUT_OUTSIDE];
    if (object && ground) return TILECUT_OK;
    return tc_fail(TILECUT_ESEEDS, "no %s; give %s, a box and colours to learn, or a mask as prior",
                   object ? "background seed" : ground ? "foreground seed" : "seed",
                   object ? "a stroke beside the object" : ground ? "a stroke on the object"
                                                                  : "strokes on the object and beside it");
}

static tilecut_status check_seeds(const tc_energy *energy, const uint8_t *seeds, int threads, census *n)
{
    const tilecut_image *image = &energy->image;
    const tc_own_rows own = tc_own_rows_of(energy->comm, image->height);
    const size_t width = (size_t)image->width, pixels = width * (size_t)(own.end - own.first);
    counting c = {seeds + (size_t)own.first * width, pixels, {0}};
    size_t bad;
    tc_parallel(tc_threads_that_pay(threads, (int64_t)pixels / 8), (int)((pixels + COUNTED - 1) / COUNTED), count_block,
                &c);
    NEED(tc_comm_allreduce(energy->comm, (int64_t *)c.count, 4));
    *n = (census){.all = width * (size_t)tc_comm_height(energy->comm, image->height)};
    bad = n->all;
    for (int label = 0; label < 4; label++) bad -= n->of[label] = (size_t)c.count[label];
    if (energy->prior && !bad) return TILECUT_OK; /* the prior mask provides both classes */
    return tc_energy_check_labels(c.count, bad, energy->model);
}

tilecut_status tc_energy_check_seeds(const tc_energy *energy, const uint8_t *seeds)
{
    census n;
    return check_seeds(energy, seeds, energy->training.threads, &n);
}

/* Returns the first labels with a prior mask: those of the prior mask, overruled by the seeds. NULL: there is no
 * memory. */
static uint8_t *guess_from_prior(const tc_energy *energy)
{
    const size_t pixels = (size_t)energy->image.width * (size_t)energy->image.height;
    uint8_t *labels = tc_large_alloc(pixels);
    for (size_t p = 0; labels && p < pixels; p++) {
        const uint8_t seed = energy->seeds[p];
        const bool inside = energy->prior[p] >= 128;
        labels[p] = seed != TILECUT_UNKNOWN ? seed : inside ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    return labels;
}

/* Labels the unknown voxels in the ellipsoid that fits their box as foreground. An image is treated as slices of one
 * row. */
static tilecut_status guess_in_box(const tc_energy *energy, uint8_t *guess)
{
    const int width = energy->image.width, rows = energy->slice_rows ? energy->slice_rows : 1;
    const int above = tc_comm_above(energy->comm);
    const tc_own_rows own = tc_own_rows_of(energy->comm, energy->image.height);
    const tc_slices l = {width, rows, (own.end - own.first) / rows};
    uint8_t *const first = guess + (size_t)own.first * (size_t)width;
    tc_block box;
    NEED(tc_box_in_space(first, &l, TILECUT_UNKNOWN, energy->comm, false, &box));
    for (int i = 0; i < own.end - own.first; i++) {
        const int at = above + own.first + i;
        uint8_t *const label = first + (size_t)i * (size_t)width;
        for (int x = 0; x < width; x++)
            if (label[x] == TILECUT_UNKNOWN && tc_in_guess(&box, x, at % rows, at / rows))
                label[x] = TILECUT_FOREGROUND;
    }
    return TILECUT_OK;
}

/* Makes the first labels with a box: a guess at the foreground inside it, overruled by the seeds. The caller frees
 * *labels. */
static tilecut_status guess_foreground(const tc_energy *energy, uint8_t **labels)
{
    const size_t pixels = (size_t)energy->image.width * (size_t)energy->image.height;
    uint8_t *const guess = *labels = energy->prior ? guess_from_prior(energy) : tc_large_alloc(pixels);
    if (!guess) return tc_fail(TILECUT_ENOMEM, "no memory for a first guess");
    if (energy->prior) return TILECUT_OK;
    memcpy(guess, energy->seeds, pixels);
    return guess_in_box(energy, guess);
}

/* Makes the other of two first guesses for strokes without a box: all pixels but the foreground's strokes are
 * background, because most of an image usually is. The caller frees *labels. */
static tilecut_status guess_background(const tc_energy *energy, uint8_t **labels)
{
    const size_t pixels = (size_t)energy->image.width * (size_t)energy->image.height;
    uint8_t *const guess = *labels = tc_large_alloc(pixels);
    if (!guess) return tc_fail(TILECUT_ENOMEM, "no memory for a first guess");
    for (size_t p = 0; p < pixels; p++)
        guess[p] = energy->seeds[p] == TILECUT_FOREGROUND ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    return TILECUT_OK;
}

/* Takes a mask of another run, maybe of a smaller or larger copy of the image, as a first guess. Seeds keep their
 * labels. The caller frees *labels. */
static tilecut_status guess_from_mask(const tc_energy *energy, const tc_setup *params, uint8_t **labels)
{
    const int width = energy->image.width, height = energy->image.height;
    const int above = params->guess_of_all ? tc_comm_above(energy->comm) : 0;
    const int all = params->guess_of_all ? tc_comm_height(energy->comm, height) : height;
    uint8_t *const guess = *labels = tc_large_alloc((size_t)width * (size_t)height);
    if (!guess) return tc_fail(TILECUT_ENOMEM, "no memory for a first guess");
    for (int y = 0; y < height; y++) {
        const uint8_t *const seeds = energy->seeds + (size_t)y * (size_t)width;
        uint8_t *const row = guess + (size_t)y * (size_t)width;
        tc_setup_guess_row(params, width, above + y, all, row);
        for (int x = 0; x < width; x++)
            if (seeds[x] != TILECUT_UNKNOWN) row[x] = seeds[x];
    }
    return TILECUT_OK;
}

/* ---- Lessons ---------------------------------------------------------------------------------- */

/* Sums the cost that all labellings share: for a free pixel the smaller of its colour's two costs, and for a seed the
 * cost of its label. */
static tilecut_status sum_shared(tc_energy *energy, const tc_color_costs *costs)
{
    const tilecut_image *image = &energy->image;
    const size_t colors = costs->count, kinds = energy->soft_seeds ? 1 : 4;
    const bool known = energy->training.steady && !energy->comm && costs->palette && costs->palette->steady;
    uint32_t *const count = known ? NULL : calloc(kinds * colors, sizeof *count);
    int64_t *const all = calloc(3 * costs->count, sizeof *all); /* [3][count] all pixels; seeds of each class */
    tilecut_status status = TILECUT_OK;
    int64_t parts = 0;
    if ((!count && !known) || !all) TRY(tc_fail(TILECUT_ENOMEM, "no memory to count colours"));
    int64_t *const foreground = all + costs->count, *const background = foreground + costs->count;
    tc_count what = {.image = image, .seeds = energy->seeds, .bits = costs->bits, .threads = energy->training.threads,
                     .palette = costs->palette, .comm = energy->comm, .of = {[TC_SEEN] = count}};
    for (size_t k = 1; count && k < kinds; k++) what.of[TC_SEEDED_FG + k - 1] = count + k * colors;
    if (known)
        for (size_t k = 0; k < TC_COUNTS; k++) what.of[k] = costs->palette->steady + k * colors;
    else TRY(tc_count_colors(&what));
    for (size_t i = 0; i < costs->count; i++) {
        all[i] = what.of[TC_SEEN][i];
        if (kinds == 1) continue;
        foreground[i] = what.of[TC_SEEDED_FG][i];
        background[i] = (int64_t)what.of[TC_SEEDED_BG][i] + what.of[TC_SEEDED_OUTSIDE][i];
    }
    TRY(tc_comm_allreduce(energy->comm, all, 3 * costs->count));
    for (size_t i = 0; i < costs->count; i++) {
        if (costs->common) parts += tc_cost_parts(costs->common[i]) * all[i];
        parts += tc_cost_parts(costs->foreground[i]) * foreground[i];
        parts += tc_cost_parts(costs->background[i]) * background[i];
    }
    energy->shared = tc_shared_cost(energy->data_weight, parts);
done:
    free(count);
    free(all);
    return status;
}

/* Learns the colour model from `labels` and fills the tables. All other fields of `energy` must be set. */
static tilecut_status learn_colors(tc_energy *energy, const uint8_t *labels)
{
    tilecut_status status = TILECUT_OK;
    tc_color_costs costs = {0};

    energy->training.image = &energy->image;
    energy->training.labels = labels;
    energy->training.seeds = energy->seeds;
    energy->training.comm = energy->comm;
    energy->training.steady = energy->shares && energy->totals; /* else nothing is learnt again */
    TRY(energy->model->learn(&energy->training, &costs));
    /* without colours there is no spatial term: "none" means seeds and contrast alone */
    const bool near = costs.foreground && !energy->training.guessed;
    TRY(tc_energy_tabulate(energy, &costs, near ? energy->spatial : 0));
    if (energy->totals && costs.foreground) TRY(sum_shared(energy, &costs));
done:
    energy->training.labels = energy->training.seeds = NULL;
    tc_color_costs_free(&costs);
    return status;
}

tilecut_status tc_energy_open(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                              const tc_setup *params)
{
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    census n;

    memset(energy, 0, sizeof *energy);
    TRY(tc_energy_check_params(params));
    *energy = (tc_energy){.image = *image, .seeds = seeds,
                          .slice_rows = params->slice_rows, .connectivity = params->connectivity,
                          .soft_seeds = params->soft_seeds,
                          .lambda = params->lambda, .spatial = params->spatial, .data_weight = params->data_weight,
                          .model = tc_colors_find(params->colors), .comm = params->comm};
    for (int k = 0; k < 3; k++) energy->spacing[k] = params->slice_rows ? params->spacing[k] : 1;
    if (params->prior) {
        energy->prior = params->prior;
        energy->prior_weight = params->prior_weight;
    }
    TRY(check_seeds(energy, energy->seeds, params->threads, &n));
    const bool guessed = params->prior || (n.of[TILECUT_OUTSIDE] > 0 && tc_colors_learn(energy->model));
    energy->training = (tc_training_set){.guessed = guessed, .far = params->own_seeds != NULL,
                                         .threads = params->threads};
    for (int k = 0; k < 2; k++)
        energy->training.share[k] = tc_seeds_share((double)n.all, (double)n.of[TILECUT_OUTSIDE],
                                                 (double)n.of[k == 0 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND],
                                                 guessed, params->prior != NULL);
    energy->painted = !params->prior && n.of[TILECUT_FOREGROUND] + n.of[TILECUT_BACKGROUND] > 0;
    energy->totals = params->iterations >= 0;
    if (params->sigma > 0) energy->beta = 1 / (2 * params->sigma * params->sigma);
    else TRY(find_beta(energy, params->threads));
    if (params->own_seeds) TRY(tc_energy_look_at_strokes(energy, params));
    if (params->guess_has_evidence && (guessed || params->guess_slice_rows) && tc_colors_learn(energy->model)) {
        energy->evidence = params->guess;
        energy->evidence_width = params->guess_width, energy->evidence_height = params->guess_height;
        energy->evidence_slice_rows = params->guess_slice_rows;
    }
    energy->model_ms = tc_now_ms() - start;
done:
    if (status != TILECUT_OK) tc_energy_free(energy);
    return status;
}

tilecut_status tc_energy_learn(tc_energy *energy, const tc_setup *params)
{
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    uint8_t *guess = NULL;

    if (params->guess && !params->prior) TRY(guess_from_mask(energy, params, &guess));
    else if (energy->training.guessed) TRY(guess_foreground(energy, &guess));
    TRY(learn_colors(energy, guess ? guess : energy->seeds));
    energy->model_ms += tc_now_ms() - start;
done:
    free(guess);
    if (status != TILECUT_OK) tc_energy_free(energy);
    return status;
}

tilecut_status tc_energy_init(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                              const tc_setup *params)
{
    NEED(tc_energy_open(energy, image, seeds, params));
    return tc_energy_learn(energy, params);
}

/* Makes `after` as a copy of `before` without its tables, and learns from `labels`. */
static tilecut_status learn_anew(const tc_energy *before, const uint8_t *labels, int start, tc_energy *after)
{
    const double begin = tc_now_ms();
    tilecut_status status;
    *after = *before;
    memset(after->link, 0, sizeof after->link);
    after->source_cost = after->sink_cost = NULL;
    const bool shared = before->shares && !before->holds; /* prior mask and seeds are the same */
    after->nearness = shared ? tc_shared_hold(before->nearness) : NULL;
    after->holds = false;
    after->training.palette = tc_palette_hold(before->training.palette);
    after->training.start = start;
    after->training.learnt = start == before->training.start;
    status = learn_colors(after, labels);
    after->model_ms = tc_now_ms() - begin;
    if (status != TILECUT_OK) tc_energy_free(after);
    return status;
}

typedef struct labelling {
    const uint8_t *mask;
    uint8_t *labels;
    size_t width;
} labelling;

static void label_row(void *context, int y)
{
    const labelling *const l = context;
    const uint8_t *const mask = l->mask + (size_t)y * l->width;
    uint8_t *const label = l->labels + (size_t)y * l->width;
    for (size_t x = 0; x < l->width; x++) label[x] = mask[x] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
}

static uint8_t *labels_of(const tc_energy *energy, const uint8_t *mask)
{
    const int width = energy->image.width, height = energy->image.height;
    labelling l = {mask, tc_large_alloc((size_t)width * (size_t)height), (size_t)width};
    if (l.labels)
        tc_parallel(tc_threads_that_pay(energy->training.threads, (int64_t)width * height / 4), height, label_row, &l);
    return l.labels;
}

tilecut_status tc_energy_relearn(const tc_energy *before, const uint8_t *mask, tc_energy *after)
{
    uint8_t *labels = labels_of(before, mask);

    memset(after, 0, sizeof *after);
    if (!labels) return tc_fail(TILECUT_ENOMEM, "no memory for labels to learn from");
    const tilecut_status status = learn_anew(before, labels, before->training.start, after);
    free(labels);
    return status;
}

tilecut_status tc_energy_move_color(const tc_energy *before, const uint8_t *mask, int move, tc_energy *after)
{
    const tilecut_image *const image = &before->image;
    const int bits = before->color_bits, part = move / 2;
    const bool others = move % 2;
    const size_t width = (size_t)image->width;
    uint8_t *labels = labels_of(before, mask);
    uint32_t *bin = malloc(width * sizeof *bin);
    /* [bins] 1 + the colour's part; 0: not known yet */
    uint8_t *known = calloc((size_t)1 << (image->channels * bits), 1);
    tilecut_status status = TILECUT_OK;

    memset(after, 0, sizeof *after);
    if (!labels || !bin || !known) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for labels to learn from");
        goto done;
    }
    for (int y = 0; y < image->height; y++) {
        uint8_t *const label = labels + (size_t)y * width;
        const uint8_t *const seed = before->seeds + (size_t)y * width;
        tc_color_bins(image, bits, y, bin);
        for (size_t x = 0; x < width; x++) {
            if (label[x] != TILECUT_FOREGROUND || seed[x] == TILECUT_FOREGROUND) continue;
            uint8_t *const at = &known[bin[x]];
            if (!*at) *at = (uint8_t)(1 + before->model->part(&before->training, bin[x]));
            if ((*at == part + 1) != others) label[x] = TILECUT_BACKGROUND;
        }
    }
    status = learn_anew(before, labels, before->training.start, after);
done:
    free(labels);
    free(bin);
    free(known);
    return status;
}

tilecut_status tc_energy_restart(const tc_energy *before, int start, tc_energy *after)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *guess = NULL;

    memset(after, 0, sizeof *after);
    TRY(before->training.guessed ? guess_foreground(before, &guess) : guess_background(before, &guess));
    status = learn_anew(before, guess, start, after);
done:
    free(guess);
    return status;
}
