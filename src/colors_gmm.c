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

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixture.h"
#include "status.h"

enum { COLOUR_BITS = 6, GREY_BITS = 8 };

static const double uniform_share = 0.02;

/* The fraction of the log-likelihood that counts. */
static double evidence(const tc_lesson *lesson)
{
    return lesson->guessed ? 1 : 0.125 + 0.083 * lesson->trust;
}

/* Pixels in each lattice bin: of each class, and at all. */
typedef struct counts {
    uint32_t *of[2]; /* foreground, background */
    uint8_t *seen;
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

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* From sRGB (IEC 61966-2-1) to CIELAB under D65; 100 of it become 255. */
static void to_lab(double color[3])
{
    double linear[3];
    for (int c = 0; c < 3; c++) {
        const double v = color[c] / 255;
        linear[c] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    const double x = lab_curve((0.4124 * linear[0] + 0.3576 * linear[1] + 0.1805 * linear[2]) / 0.9505);
    const double y = lab_curve(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]);
    const double z = lab_curve((0.0193 * linear[0] + 0.1192 * linear[1] + 0.9505 * linear[2]) / 1.089);
    color[0] = 2.55 * (116 * y - 16);
    color[1] = 2.55 * 500 * (x - y);
    color[2] = 2.55 * 200 * (y - z);
}

/* The colour at the middle of a bin, in the space of the lesson; grey on the grey axis. */
static void bin_color(const tc_lesson *lesson, const tc_color_costs *lattice, size_t bin, double color[3])
{
    const int bits = lattice->bits;
    const double width = 256.0 / (1 << bits);
    for (int c = 2; c >= 0; c--) {
        color[c] = ((double)(bin & ((1u << bits) - 1)) + 0.5) * width - 0.5;
        if (lattice->channels == 3) bin >>= bits;
    }
    if (lesson->guessed) to_lab(color);
}

static tilecut_status fit(const tc_lesson *lesson, const tc_color_costs *lattice, const uint32_t *count,
                          tc_mixture *mixture)
{
    tilecut_status status = TILECUT_OK;
    size_t used = 0;
    tc_sample *samples = NULL;
    for (size_t b = 0; b < lattice->bins; b++) used += count[b] > 0;
    if (!lesson->learnt || used == 0) memset(mixture, 0, sizeof *mixture);
    if (used == 0) return TILECUT_OK; /* only the uniform part is left */
    samples = malloc(used * sizeof *samples);
    if (!samples) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", used);
    used = 0;
    for (size_t b = 0; b < lattice->bins; b++) {
        if (!count[b]) continue;
        bin_color(lesson, lattice, b, samples[used].color);
        samples[used++].weight = count[b];
    }
    status = lesson->learnt ? tc_mixture_refit(mixture, samples, used) : tc_mixture_fit(mixture, samples, used);
    free(samples);
    return status;
}

/* Only the difference of both costs matters for a cut: the smaller one is 0, and was `common`. */
static void tabulate(const tc_lesson *lesson, const uint8_t *seen, tc_color_costs *costs)
{
    const double floor_density = uniform_share / (256.0 * 256.0 * 256.0), share = evidence(lesson);
    for (size_t b = 0; b < costs->bins; b++) {
        double color[3];
        if (!seen[b]) continue;
        bin_color(lesson, costs, b, color);
        const double fg = tc_mixture_density(&lesson->mixture[0], color) + floor_density;
        const double bg = tc_mixture_density(&lesson->mixture[1], color) + floor_density;
        const double favour = share * log(fg / bg);
        costs->background[b] = (float)fmax(favour, 0);
        costs->foreground[b] = (float)fmax(-favour, 0);
        costs->common[b] = (float)(-share * log(fmax(fg, bg)));
    }
}

tilecut_status tc_colors_gmm_learn(tc_lesson *lesson, tc_color_costs *costs)
{
    const tilecut_image *const image = lesson->image;
    const int bits = image->channels == 1 ? GREY_BITS : COLOUR_BITS;
    tilecut_status status = TILECUT_OK;
    counts n = {{NULL, NULL}, NULL};
    uint32_t *bin = NULL;

    TRY(tc_color_costs_init(costs, image->channels, bits));
    costs->common = calloc(costs->bins, sizeof *costs->common);
    bin = malloc((size_t)image->width * sizeof *bin);
    for (int i = 0; i < 2; i++) n.of[i] = calloc(costs->bins, sizeof *n.of[i]);
    n.seen = calloc(costs->bins, 1);
    if (!costs->common || !bin || !n.of[0] || !n.of[1] || !n.seen) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a lattice of %zu colours", costs->bins);
        goto done;
    }
    count_pixels(lesson, bits, bin, &n);
    for (int i = 0; i < 2; i++) TRY(fit(lesson, costs, n.of[i], &lesson->mixture[i]));
    lesson->learnt = true;
    tabulate(lesson, n.seen, costs);
done:
    free(bin);
    free(n.of[0]);
    free(n.of[1]);
    free(n.seen);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
