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
 * truth (docs/guide/quality.md).
 */
#include "colors.h"

#include <stdlib.h>
#include <string.h>

#include "colors_math.h"
#include "mixture_math.h"
#include "simd.h"
#include "status.h"

/* Counts the pixels of each colour in the palette: those of the foreground, and of the background. */
static void count_pixels(const tc_lesson *lesson, uint32_t *bin, uint32_t *const count[2])
{
    const tilecut_image *const image = lesson->image;
    const uint8_t *const labels = lesson->labels;
    const bool guessed = lesson->guessed;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const bool strokes = memchr(labels, TILECUT_BACKGROUND, pixels) != NULL;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *label = labels + (size_t)y * (size_t)image->width;
        tc_color_bins(image, lesson->palette->bits, y, bin);
        for (int x = 0; x < image->width; x++) {
            if (label[x] == TILECUT_UNKNOWN) continue;
            if (label[x] == TILECUT_OUTSIDE && strokes && !guessed) continue;
            count[label[x] != TILECUT_FOREGROUND][lesson->palette->entry[bin[x]]]++;
        }
    }
}

/* The colours whose count is not 0, in order. */
static tilecut_status take_samples(const tc_palette *palette, const uint32_t *count, tc_samples *samples)
{
    tilecut_status status = TILECUT_OK;
    size_t used = 0;
    for (size_t i = 0; i < palette->count; i++) used += count[i] > 0;
    TRY(tc_samples_init(samples, used));
    used = 0;
    for (size_t i = 0; i < palette->count; i++) {
        if (!count[i]) continue;
        samples->x[used] = palette->x[i], samples->y[used] = palette->y[i], samples->z[used] = palette->z[i];
        samples->weight[used++] = count[i];
    }
done:
    return status;
}

static tilecut_status fit(const tc_lesson *lesson, const uint32_t *count, tc_mixture *mixture)
{
    tilecut_status status = TILECUT_OK;
    tc_samples samples = {0};
    TRY(take_samples(lesson->palette, count, &samples));
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
        common[i] = tc_gmm_common(evidence, fg, bg);
    }
}

/* Only the difference of both costs matters for a cut: the smaller one is 0, and was `common`. */
static tilecut_status tabulate(const tc_lesson *lesson, tc_color_costs *costs)
{
    const double evidence = tc_gmm_evidence(lesson->guessed, lesson->trust);
    const tc_palette *const palette = lesson->palette;
    const tc_samples colors = {.count = palette->count, .x = palette->x, .y = palette->y, .z = palette->z};
    double *const scratch = malloc(3 * colors.count * sizeof *scratch);

    if (!scratch) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", colors.count);
    double *const foreground = scratch + colors.count, *const favour = foreground + colors.count;
    tc_mixture_densities(&lesson->mixture[0], &colors, scratch, foreground);
    tc_mixture_densities(&lesson->mixture[1], &colors, scratch, favour);
    weigh(evidence, (int)colors.count, foreground, favour, scratch);
    for (size_t i = 0; i < colors.count; i++) {
        costs->background[i] = (float)(favour[i] > 0 ? favour[i] : 0);
        costs->foreground[i] = (float)(favour[i] < 0 ? -favour[i] : 0);
        costs->common[i] = (float)scratch[i];
    }
    free(scratch);
    return TILECUT_OK;
}

int tc_colors_gmm_part(const tc_lesson *lesson, uint32_t bin)
{
    const tc_palette *const palette = lesson->palette;
    const size_t i = palette->entry[bin];
    double most = -1;
    int found = 0;
    for (int k = 0; k < TC_MIXTURE_PARTS; k++) {
        const tc_gaussian *const g = &lesson->mixture[0].part[k];
        const double density = g->weight > 0 ? tc_gaussian_density(g, palette->x[i], palette->y[i], palette->z[i]) : 0;
        if (density > most) most = density, found = k;
    }
    return found;
}

tilecut_status tc_colors_gmm_learn(tc_lesson *lesson, tc_color_costs *costs)
{
    const tilecut_image *const image = lesson->image;
    const int bits = image->channels == 1 ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    tilecut_status status = TILECUT_OK;
    uint32_t *bin = NULL, *count[2] = {NULL, NULL};

    if (!lesson->palette) TRY(tc_palette_init(&lesson->palette, image, bits, lesson->guessed));
    TRY(tc_color_costs_init(costs, image->channels, bits, lesson->palette));
    costs->common = calloc(costs->count, sizeof *costs->common);
    bin = malloc((size_t)image->width * sizeof *bin);
    for (int i = 0; i < 2; i++) count[i] = calloc(costs->count, sizeof *count[i]);
    if (!costs->common || !bin || !count[0] || !count[1]) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", costs->count);
        goto done;
    }
    count_pixels(lesson, bin, count);
    for (int i = 0; i < 2; i++) TRY(fit(lesson, count[i], &lesson->mixture[i]));
    lesson->learnt = true;
    TRY(tabulate(lesson, costs));
done:
    free(bin);
    free(count[0]);
    free(count[1]);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
