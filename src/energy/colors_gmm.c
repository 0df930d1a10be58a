/* SPDX-License-Identifier: MIT
 *
 * colors_gmm.c - a mixture of five Gaussians for each class, the model of GrabCut (Rother et al. 2004).
 *
 * It is fitted to the colours of a lattice with 64 levels per channel (256 for grey) and evaluated at them; some
 * thousands of these occur in an image. Colours are in CIELAB (CIE 1976), scaled to the range of 8 bits. A small part
 * of every density is uniform, so that a colour far from all learnt colours is evidence for neither class. When the
 * model is learnt from a mask, painted colours keep a fixed share of each class's weight, because painted pixels are
 * certain and all others depend on the last cut (docs/guide/quality.md).
 */
#include "counts.h"

#include <stdlib.h>
#include <string.h>

#include "colors_math.h"
#include "mixture_math.h"
#include "simd.h"
#include "status.h"

/* Numbers of pixels by colour of the palette, for foreground and background: all labelled pixels, and pixels in
 * strokes. */
typedef struct tally {
    uint32_t *labelled[2], *seeded[2];
} tally;

/* Counts the pixels. If seeds do not change, counts that do not depend on labels are stored with the palette. */
static tilecut_status count_pixels(const tc_training_set *training, tally *count)
{
    tc_palette *const palette = training->palette;
    const bool steady = training->steady && !training->comm;
    tc_count what = {.image = training->image, .labels = training->labels, .seeds = training->seeds,
                     .far = training->far, .bits = palette->bits, .threads = training->threads, .palette = palette,
                     .comm = training->comm,
                     .of = {[TC_LABELLED_FG] = count->labelled[0], [TC_LABELLED_BG] = count->labelled[1]}};
    if (!steady) {
        what.of[TC_SEEDED_FG] = count->seeded[0], what.of[TC_SEEDED_BG] = count->seeded[1];
        return tc_count_colors(&what);
    }
    uint32_t *const kept = palette->steady ? palette->steady : calloc(TC_COUNTS * palette->count, sizeof *kept);
    if (!kept) return tc_fail(TILECUT_ENOMEM, "no memory to count %zu colours", palette->count);
    for (size_t k = 0; k < TC_COUNTS && !palette->steady; k++)
        if (k == TC_SEEN || k >= TC_SEEDED_FG) what.of[k] = kept + k * palette->count;
    if (!palette->steady) {
        tc_palette_number(palette, training->image);
        palette->steady = kept; /* written once, before other threads learn from the same image */
    }
    for (size_t i = 0; i < 2; i++) count->seeded[i] = kept + (TC_SEEDED_FG + i) * palette->count;
    return tc_count_colors(&what);
}

static double total(const uint32_t *count, size_t n)
{
    double sum = 0; /* a sum of whole numbers, so it is exact */
    for (size_t i = 0; i < n; i++) sum += count[i];
    return sum;
}

/* Makes samples of those colours of the palette that have pixels, in order. Of their total weight, `share` is
 * distributed in proportion to `seeded`, the pixels in strokes, and the rest in proportion to `count`, all pixels. */
static tilecut_status take_samples(const tc_palette *palette, const uint32_t *count, const uint32_t *seeded,
                                   double share, tc_samples *samples)
{
    const double all = total(count, palette->count), painted = total(seeded, palette->count);
    size_t used = 0;
    for (size_t i = 0; i < palette->count; i++) used += count[i] + seeded[i] > 0;
    NEED(tc_samples_init(samples, used));
    used = 0;
    for (size_t i = 0; i < palette->count; i++) {
        if (count[i] + seeded[i] == 0) continue;
        samples->x[used] = palette->x[i], samples->y[used] = palette->y[i], samples->z[used] = palette->z[i];
        samples->weight[used++] = tc_sample_weight(count[i], seeded[i], all, painted, share);
    }
    return TILECUT_OK;
}

static tilecut_status fit(const tc_training_set *training, const tally *count, int class, tc_mixture *mixture)
{
    tilecut_status status = TILECUT_OK;
    tc_samples samples = {0};
    TRY(take_samples(training->palette, count->labelled[class], count->seeded[class], training->share[class],
                     &samples));
    if (!training->learnt || samples.count == 0) memset(mixture, 0, sizeof *mixture);
    if (samples.count == 0) goto done; /* the density consists only of its uniform part */
    TRY(tc_mixture_fit(mixture, &samples, training->learnt ? TC_MIXTURE_GO_ON : training->start, training->threads));
done:
    tc_samples_free(&samples);
    return status;
}

/* Computes the evidence for the foreground and the common cost of `n` colours from their densities in both classes. The
 * evidence overwrites `background`. */
TC_VECTOR_LOOP static void weigh(int n, const double *foreground, double *background, double *common)
{
    for (int i = 0; i < n; i++) {
        const double fg = foreground[i], bg = background[i];
        background[i] = tc_gmm_favour(fg, bg);
        common[i] = tc_gmm_common(fg, bg);
    }
}

/* Writes the costs. Only their difference matters for a cut, so the smaller one is stored as 0, and its value in
 * `common`. */
static tilecut_status tabulate(const tc_training_set *training, tc_color_costs *costs)
{
    const tc_palette *const palette = training->palette;
    const tc_samples colors = {.count = palette->count, .x = palette->x, .y = palette->y, .z = palette->z};
    double *const scratch = malloc(3 * colors.count * sizeof *scratch);

    if (!scratch) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", colors.count);
    double *const foreground = scratch + colors.count, *const favour = foreground + colors.count;
    tc_mixture_densities(&training->mixture[0], &colors, scratch, foreground);
    tc_mixture_densities(&training->mixture[1], &colors, scratch, favour);
    weigh((int)colors.count, foreground, favour, scratch);
    for (size_t i = 0; i < colors.count; i++) {
        costs->background[i] = (float)(favour[i] > 0 ? favour[i] : 0);
        costs->foreground[i] = (float)(favour[i] < 0 ? -favour[i] : 0);
        costs->common[i] = (float)scratch[i];
    }
    free(scratch);
    return TILECUT_OK;
}

tilecut_status tc_colors_gmm_cost_all(const tc_training_set *training, tc_color_costs *costs)
{
    const int channels = training->image->channels;
    const int bits = channels == 1 ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    tilecut_status status = TILECUT_OK;
    tc_training_set full = *training;

    TRY(tc_palette_whole(&full.palette, channels, bits));
    TRY(tc_color_costs_init(costs, channels, bits, NULL));
    costs->common = malloc(costs->count * sizeof *costs->common);
    if (!costs->common) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", costs->count));
    TRY(tabulate(&full, costs));
done:
    tc_palette_drop(full.palette);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}

int tc_colors_gmm_part(const tc_training_set *training, uint32_t bin)
{
    const tc_palette *const palette = training->palette;
    const size_t i = palette->entry[bin];
    return tc_likeliest_part(&training->mixture[0], palette->x[i], palette->y[i], palette->z[i]);
}

tilecut_status tc_colors_gmm_prepare(tc_training_set *training, const tilecut_image *image, int threads)
{
    const int bits = image->channels == 1 ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    return training->palette ? TILECUT_OK : tc_palette_init(&training->palette, image, bits, threads, training->comm);
}

tilecut_status tc_colors_gmm_learn(tc_training_set *training, tc_color_costs *costs)
{
    const tilecut_image *const image = training->image;
    const int bits = image->channels == 1 ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    tilecut_status status = TILECUT_OK;
    uint32_t *counts = NULL;

    TRY(tc_colors_gmm_prepare(training, image, training->threads));
    TRY(tc_color_costs_init(costs, image->channels, bits, training->palette));
    costs->common = calloc(costs->count, sizeof *costs->common);
    counts = calloc(4 * costs->count, sizeof *counts);
    if (!costs->common || !counts) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", costs->count);
        goto done;
    }
    const size_t n = costs->count;
    tally count = {{counts, counts + n}, {counts + 2 * n, counts + 3 * n}};
    TRY(count_pixels(training, &count));
    TRY(tc_comm_allreduce32(training->comm, counts, 4 * n));
    for (int i = 0; i < 2; i++) TRY(fit(training, &count, i, &training->mixture[i]));
    training->learnt = true;
    TRY(tabulate(training, costs));
done:
    free(counts);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
