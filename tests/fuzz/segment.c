/* SPDX-License-Identifier: MIT
 *
 * segment.c - fuzz target: all of the library, from pixels and seeds to a certified mask; a second solver must give the
 * same mask.
 */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "tilecut.h"

enum { MOST_SIDE = 40 };

static tilecut_params make_params(supply *from)
{
    static const double weights[] = {50, TILECUT_NONE, 1e-3, 1, 200, 1e6, 1e12, 7.3};
    tilecut_params params = tilecut_params_default();
    params.lambda = weights[take_below(from, 8)];
    params.spatial = weights[take_below(from, 8)];
    params.sigma = take_below(from, 3) ? 0 : weights[take_below(from, 8)];
    params.data_weight = take_below(from, 3) ? 0 : weights[take_below(from, 8)];
    params.colors = tilecut_colors_name((int)take_below(from, 3));
    params.connectivity = take_below(from, 3) == 0 ? 8 : 4;
    params.soft_seeds = take_below(from, 4) == 0;
    params.threads = 1 + (int)take_below(from, 3);
    return params;
}

static bool expected(tilecut_status status)
{
    return status == TILECUT_OK || status == TILECUT_ESEEDS || status == TILECUT_ERANGE || status == TILECUT_EINVAL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint16_t pixels[MOST_SIDE * MOST_SIDE * 3];
    static uint8_t seeds[MOST_SIDE * MOST_SIDE], mask[2][MOST_SIDE * MOST_SIDE];
    supply from = {data, size};
    tilecut_params params = make_params(&from);
    tilecut_image image = {.width = 1 + (int)take_below(&from, MOST_SIDE),
                           .height = 1 + (int)take_below(&from, MOST_SIDE), .channels = take_below(&from, 2) ? 3 : 1,
                           .depth = take_below(&from, 3) ? 8 : 16, .pixels = pixels};
    const size_t count = (size_t)image.width * (size_t)image.height;
    tilecut_report first = {0}, second = {0};
    uint8_t *const bytes = (uint8_t *)pixels;

    for (size_t p = 0; p < count; p++) {
        const unsigned kind = take(&from);
        seeds[p] = kind < 8 ? (uint8_t)(kind & 3) : TILECUT_UNKNOWN;
    }
    for (size_t i = 0; i < count * (size_t)image.channels * (size_t)(image.depth / 8); i++)
        bytes[i] = (uint8_t)take(&from);
    const tilecut_status status = tilecut_segment(&image, seeds, &params, mask[0], &first);
    MUST(expected(status));
    params.solver = "bk";
    params.threads = 1;
    MUST(tilecut_segment(&image, seeds, &params, mask[1], &second) == status);
    if (status != TILECUT_OK) return 0;
    MUST(first.certified && first.flow == first.cut && first.flow == second.flow);
    MUST(!memcmp(mask[0], mask[1], count));
    for (size_t p = 0; p < count && !params.soft_seeds; p++) {
        MUST(seeds[p] != TILECUT_FOREGROUND || mask[0][p] == 255);
        MUST((seeds[p] != TILECUT_BACKGROUND && seeds[p] != TILECUT_OUTSIDE) || mask[0][p] == 0);
    }
    return 0;
}
