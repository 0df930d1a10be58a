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
static int64_t count_bins(const tc_lesson *lesson, uint8_t label, int bits, uint32_t *bin, double *count)
{
    const tilecut_image *const image = lesson->image;
    const tc_own_rows own = tc_own_rows_of(lesson->whole, image->height);
    int64_t total = 0;
    for (int y = own.first; y < own.end; y++) {
        const uint8_t *row = lesson->labels + (size_t)y * (size_t)image->width;
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
    tilecut_status status = TILECUT_OK;
    const int bits = image->channels == 1 ? TC_HIST_GREY_BITS : TC_HIST_COLOUR_BITS;
    uint32_t *bin = NULL;
    double *count = NULL;
    int64_t total[2];

    TRY(tc_color_costs_init(costs, image->channels, bits, NULL));
    bin = malloc((size_t)image->width * sizeof *bin);
    count = calloc(2 * costs->count, sizeof *count);
    if (!bin || !count) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for colour histograms");
        goto done;
    }
    total[0] = count_bins(lesson, TILECUT_FOREGROUND, bits, bin, count);
    total[1] = count_bins(lesson, TILECUT_BACKGROUND, bits, bin, count + costs->count);
    total[1] += count_bins(lesson, TILECUT_OUTSIDE, bits, bin, count + costs->count);
    TRY(tc_whole_sum(lesson->whole, total, 2));
    TRY(tc_whole_sum_whole(lesson->whole, count, 2 * costs->count));
    costs_of(count, total[0], costs->count, costs->foreground);
    costs_of(count + costs->count, total[1], costs->count, costs->background);
done:
    free(bin);
    free(count);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
