/* SPDX-License-Identifier: MIT
 *
 * colors_hist.c - histograms of the seeded pixels, 8 x 8 x 8 bins for colour and 64 for grey.
 *
 * P(bin) = (n + 1) / (N + B), where n of the class's N labelled pixels are in the bin, and B is the number of bins.
 * This is Laplace's rule of succession, generalised. Without it a single colour that did not occur would have an
 * infinite cost.
 */
#include "counts.h"

#include <stdlib.h>

#include "colors_math.h"
#include "status.h"

/* Copies counts to doubles. Returns their sum. */
static int64_t widen(const uint32_t *some, size_t bins, double *count)
{
    int64_t total = 0;
    for (size_t b = 0; b < bins; b++) {
        count[b] = some[b];
        total += some[b];
    }
    return total;
}

static void costs_of(const double *count, int64_t total, size_t bins, float *cost)
{
    for (size_t b = 0; b < bins; b++) cost[b] = (float)tc_hist_cost(count[b], (double)total, (double)bins);
}

tilecut_status tc_colors_hist_learn(tc_training_set *training, tc_color_costs *costs)
{
    const tilecut_image *const image = training->image;
    tilecut_status status = TILECUT_OK;
    const int bits = image->channels == 1 ? TC_HIST_GREY_BITS : TC_HIST_COLOUR_BITS;
    uint32_t *some = NULL;
    double *count = NULL;
    int64_t total[2];

    TRY(tc_color_costs_init(costs, image->channels, bits, NULL));
    some = calloc(2 * costs->count, sizeof *some);
    count = calloc(2 * costs->count, sizeof *count);
    if (!some || !count) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for colour histograms");
        goto done;
    }
    TRY(tc_count_colors(&(tc_count){.image = image, .labels = training->labels, .far = training->far, .bits = bits,
                                    .threads = training->threads, .comm = training->comm,
                                    .of = {[TC_LABELLED_FG] = some, [TC_LABELLED_BG] = some + costs->count}}));
    for (size_t k = 0; k < 2; k++) total[k] = widen(some + k * costs->count, costs->count, count + k * costs->count);
    TRY(tc_comm_allreduce(training->comm, total, 2));
    TRY(tc_comm_allreduce_whole(training->comm, count, 2 * costs->count));
    costs_of(count, total[0], costs->count, costs->foreground);
    costs_of(count + costs->count, total[1], costs->count, costs->background);
done:
    free(some);
    free(count);
    if (status != TILECUT_OK) tc_color_costs_free(costs);
    return status;
}
