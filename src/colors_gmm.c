/* SPDX-License-Identifier: MIT
 *
 * colors_gmm.c - a mixture of five Gaussians for each class, the model of GrabCut (Rother et al. 2004).
 *
 * Fitted to and evaluated at the colours of a lattice of 64 levels a channel (256 for grey), of which an
 * image has some thousands. Two things tame it. A little of every density is uniform, so that a colour far
 * from all strokes is evidence for neither class. And costs are a fraction of the log-likelihood: pixels of
 * one object are no independent draws, so their sum overstates what colour knows; the fraction is the one
 * that cuts best on photographs with ground truth (docs/quality.md).
 */
#include "colors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixture.h"
#include "status.h"

enum { COLOUR_BITS = 6, GREY_BITS = 8 };

static const double uniform_share = 0.02, evidence = 0.4;

/* Pixels in each lattice bin: of each class, and at all. */
typedef struct counts {
    uint32_t *of[2]; /* foreground, background */
    uint8_t *seen;
} counts;

static void count_pixels(const tilecut_image *image, const uint8_t *labels, int bits, uint32_t *bin, counts *n)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const bool strokes = memchr(labels, TILECUT_BACKGROUND, pixels) != NULL;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *label = labels + (size_t)y * (size_t)image->width;
        tc_color_bins(image, bits, y, bin);
        for (int x = 0; x < image->width; x++) {
            n->seen[bin[x]] = 1;
            if (label[x] == TILECUT_UNKNOWN) continue;
            if (label[x] == TILECUT_OUTSIDE && strokes) continue;
            n->of[label[x] != TILECUT_FOREGROUND][bin[x]]++;
        }
    }
}

/* The colour at the middle of a bin, in 8-bit levels; grey on the grey axis. */
static void bin_color(int channels, int bits, size_t bin, double color[3])
{
    const double width = 256.0 / (1 << bits);
    for (int c = 2; c >= 0; c--) {
        color[c] = ((double)(bin & ((1u << bits) - 1)) + 0.5) * width - 0.5;
        if (channels == 3) bin >>= bits;
    }
}

static tilecut_status fit(tc_mixture *mixture, const tc_color_costs *lattice, const uint32_t *count)
{
    tilecut_status status = TILECUT_OK;
    size_t used = 0;
    tc_sample *samples = NULL;
    for (size_t b = 0; b < lattice->bins; b++) used += count[b] > 0;
    memset(mixture, 0, sizeof *mixture);
    if (used == 0) return TILECUT_OK; /* only the uniform part is left */
    samples = malloc(used * sizeof *samples);
    if (!samples) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", used);
    used = 0;
    for (size_t b = 0; b < lattice->bins; b++) {
        if (!count[b]) continue;
        bin_color(lattice->channels, lattice->bits, b, samples[used].color);
        samples[used++].weight = count[b];
    }
    status = tc_mixture_fit(mixture, samples, used);
    free(samples);
    return status;
}

/* Only the difference of both costs matters: the smaller one is 0. */
static void tabulate(const tc_mixture mixture[2], const uint8_t *seen, tc_color_costs *costs)
{
    const double floor_density = uniform_share / (256.0 * 256.0 * 256.0);
    for (size_t b = 0; b < costs->bins; b++) {
        double color[3];
        if (!seen[b]) continue;
        bin_color(costs->channels, costs->bits, b, color);
        const double fg = tc_mixture_density(&mixture[0], color) + floor_density;
        const double bg = tc_mixture_density(&mixture[1], color) + floor_density;
        const double favour = evidence * log(fg / bg);
        costs->background[b] = (float)fmax(favour, 0);
        costs->foreground[b] = (float)fmax(-favour, 0);
    }
}

tilecut_status tc_colors_gmm_learn(const tilecut_image *image, const uint8_t *labels, tc_color_costs *costs)
{
    const int bits = image->channels == 1 ? GREY_BITS : COLOUR_BITS;
    tilecut_status status = TILECUT_OK;
    tc_mixture mixture[2];
    counts n = {{NULL, NULL}, NULL};
    uint32_t *bin = NULL;

    TRY(tc_color_costs_init(costs, image->channels, bits));
    bin = malloc((size_t)image->width * sizeof *bin);
    for (int i = 0; i < 2; i++) n.of[i] = calloc(costs->bins, sizeof *n.of[i]);
    n.seen = calloc(costs->bins, 1);
    if (!bin || !n.of[0] || !n.of[1] || !n.seen) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a lattice of %zu colours", costs->bins);
        goto done;
    }
    count_pixels(image, labels, bits, bin, &n);
    for (int i = 0; i < 2; i++) TRY(fit(&mixture[i], costs, n.of[i]));
    tabulate(mixture, n.seen, costs);
done:
    free(bin);
    free(n.of[0]);
    free(n.of[1]);
    free(n.seen);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
