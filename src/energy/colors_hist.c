/* SPDX-License-Identifier: MIT
 *
 * colors_hist.c - histograms of the seeded pixels, 8 x 8 x 8 bins for colour and 64 for grey.
 *
 * P(bin) = (n + 1) / (N + B), where n of the class's N labelled pixels are in the bin, and there are B bins:
 * Laplace's rule of succession, generalised. Without it a single colour that did not occur would cost infinitely much.
 */
#include "colors.h"

#include <stdlib.h>

#include "colors_math.h"
#include "status.h"

/* Counts, for each bin, the pixels whose label is `label`. Returns their sum. */
static int64_t count_bins(const tilecut_image *image, const uint8_t *labels, uint8_t label, int bits,
                          uint32_t *bin, double *count)
{
    int64_t total = 0;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = labels + (size_t)y * (size_t)image->width;
        int seen = 0;
        for (int x = 0; x < image->width; x++) seen += row[x] == label;
        if (!seen) continue;
        tc_color_bins(image, bits, y, bin);
        for (int x = 0; x < image->width; x++)
            if (row[x] == label) count[bin[x]] += 1;
        total += seen;
    }
    return total;
}

static void costs_of(const double *count, int64_t total, size_t bins, float *cost)
{
    for (size_t b = 0; b < bins; b++) cost[b] = (float)tc_hist_cost(count[b], (double)total, (double)bins);
}

tilecut_status tc_colors_hist_learn(tc_lesson *lesson, tc_color_costs *costs)
{
    const tilecut_image *const image = lesson->image;
    const uint8_t *const labels = lesson->labels;
    tilecut_status status = TILECUT_OK;
    const int bits = image->channels == 1 ? TC_HIST_GREY_BITS : TC_HIST_COLOUR_BITS;
    uint32_t *bin = NULL;
    double *count = NULL;
    int64_t total;

    TRY(tc_color_costs_init(costs, image->channels, bits, NULL));
    bin = malloc((size_t)image->width * sizeof *bin);
    count = calloc(2 * costs->count, sizeof *count);
    if (!bin || !count) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for colour histograms");
        goto done;
    }
    total = count_bins(image, labels, TILECUT_FOREGROUND, bits, bin, count);
    costs_of(count, total, costs->count, costs->foreground);
    total = count_bins(image, labels, TILECUT_BACKGROUND, bits, bin, count + costs->count);
    total += count_bins(image, labels, TILECUT_OUTSIDE, bits, bin, count + costs->count);
    costs_of(count + costs->count, total, costs->count, costs->background);
done:
    free(bin);
    free(count);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
