/* SPDX-License-Identifier: MIT
 *
 * colors_gmm.c - a mixture of five Gaussians for each class, the model of GrabCut (Rother et al. 2004).
 *
 * Fitted to and evaluated at the colours of a lattice of 64 levels a channel (256 for grey), of which an
 * image has some thousands. Two things tame it. A little of every density is uniform, so that a colour far
 * from all strokes is evidence for neither class. And costs are a fraction of the log-likelihood: pixels of
 * one object are no independent draws, so their sum overstates what colour knows, the more so the less was
 * seeded.
 *
 * With strokes the Gaussians are fitted to colours as they are stored. Without any on the foreground the labels
 * are a guess, and colours are compared in CIELAB (CIE 1976), scaled to the range of 8 bits: there the guess is
 * corrected more often. Both choices, and the fractions, are those that cut best on photographs with ground
 * truth (docs/quality.md).
 */
#include "colors.h"

#include <stdlib.h>
#include <string.h>

#include "colors_math.h"
#include "mixture.h"
#include "simd.h"
#include "status.h"

/* Pixels in each lattice bin: of each class, and at all. */
typedef struct counts {
    uint32_t *of[2]; /* foreground, background */
    uint32_t *seen;  /* not 0: some pixel is in it */
} counts;

static void count_pixels(const tc_lesson *lesson, int bits, uint32_t *bin, counts *n)
{
    const tilecut_image *const image = lesson->image;
    const uint8_t *const labels = lesson->labels;
    const bool guessed = lesson->guessed;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const bool strokes = memchr(labels, TILECUT_BACKGROUND, pixels) != NULL;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *label = labels + (size_t)y * (size_t)image->width;
        tc_color_bins(image, bits, y, bin);
        for (int x = 0; x < image->width; x++) {
            n->seen[bin[x]] = 1;
            if (label[x] == TILECUT_UNKNOWN) continue;
            if (label[x] == TILECUT_OUTSIDE && strokes && !guessed) continue;
            n->of[label[x] != TILECUT_FOREGROUND][bin[x]]++;
        }
    }
}

/* The samples of the bins whose count is not 0, in order. */
static tilecut_status take_samples(const tc_lesson *lesson, const tc_color_costs *lattice, const uint32_t *count,
                                   tc_samples *samples)
{
    tilecut_status status = TILECUT_OK;
    size_t used = 0;
    for (size_t b = 0; b < lattice->bins; b++) used += count[b] > 0;
    TRY(tc_samples_init(samples, used));
    used = 0;
    for (size_t b = 0; b < lattice->bins; b++) {
        double color[3];
        if (!count[b]) continue;
        tc_gmm_color(lattice->channels, lattice->bits, lesson->guessed, (uint32_t)b, color);
        samples->x[used] = color[0], samples->y[used] = color[1], samples->z[used] = color[2];
        samples->weight[used++] = count[b];
    }
done:
    return status;
}

static tilecut_status fit(const tc_lesson *lesson, const tc_color_costs *lattice, const uint32_t *count,
                          tc_mixture *mixture)
{
    tilecut_status status = TILECUT_OK;
    tc_samples samples = {0};
    TRY(take_samples(lesson, lattice, count, &samples));
    if (!lesson->learnt || samples.count == 0) memset(mixture, 0, sizeof *mixture);
    if (samples.count == 0) goto done; /* only the uniform part is left */
    TRY(lesson->learnt ? tc_mixture_refit(mixture, &samples) : tc_mixture_fit(mixture, &samples, lesson->start));
done:
    tc_samples_free(&samples);
    return status;
}

/* What each of `n` colours speaks for, into `background`; the log of the greater density into `common`. */
TC_VECTOR_LOOP static void weigh(double evidence, int n, const double *foreground, double *background, double *common)
{
    for (int i = 0; i < n; i++) {
        const double fg = foreground[i], bg = background[i];
        background[i] = tc_gmm_favour(evidence, fg, bg);
        common[i] = -evidence * tc_log((fg > bg ? fg : bg) + TC_GMM_FLOOR);
    }
}

/* Only the difference of both costs matters for a cut: the smaller one is 0, and was `common`. */
static tilecut_status tabulate(const tc_lesson *lesson, const uint32_t *seen, tc_color_costs *costs)
{
    const double evidence = tc_gmm_evidence(lesson->guessed, lesson->trust);
    tilecut_status status = TILECUT_OK;
    tc_samples colors = {0};
    double *scratch = NULL;

    TRY(take_samples(lesson, costs, seen, &colors));
    scratch = malloc((3 * colors.count + 1) * sizeof *scratch);
    if (!scratch) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", colors.count);
        goto done;
    }
    double *const foreground = scratch + colors.count, *const favour = foreground + colors.count;
    tc_mixture_densities(&lesson->mixture[0], &colors, scratch, foreground);
    tc_mixture_densities(&lesson->mixture[1], &colors, scratch, favour);
    weigh(evidence, (int)colors.count, foreground, favour, scratch);
    for (size_t b = 0, i = 0; b < costs->bins; b++) {
        if (!seen[b]) continue;
        costs->background[b] = (float)(favour[i] > 0 ? favour[i] : 0);
        costs->foreground[b] = (float)(favour[i] < 0 ? -favour[i] : 0);
        costs->common[b] = (float)scratch[i++];
    }
done:
    free(scratch);
    tc_samples_free(&colors);
    return status;
}

tilecut_status tc_colors_gmm_learn(tc_lesson *lesson, tc_color_costs *costs)
{
    const tilecut_image *const image = lesson->image;
    const int bits = image->channels == 1 ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    tilecut_status status = TILECUT_OK;
    counts n = {{NULL, NULL}, NULL};
    uint32_t *bin = NULL;

    TRY(tc_color_costs_init(costs, image->channels, bits));
    costs->common = calloc(costs->bins, sizeof *costs->common);
    bin = malloc((size_t)image->width * sizeof *bin);
    for (int i = 0; i < 2; i++) n.of[i] = calloc(costs->bins, sizeof *n.of[i]);
    n.seen = calloc(costs->bins, sizeof *n.seen);
    if (!costs->common || !bin || !n.of[0] || !n.of[1] || !n.seen) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a lattice of %zu colours", costs->bins);
        goto done;
    }
    count_pixels(lesson, bits, bin, &n);
    for (int i = 0; i < 2; i++) TRY(fit(lesson, costs, n.of[i], &lesson->mixture[i]));
    lesson->learnt = true;
    TRY(tabulate(lesson, n.seen, costs));
done:
    free(bin);
    free(n.of[0]);
    free(n.of[1]);
    free(n.seen);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
