/* SPDX-License-Identifier: MIT
 *
 * test_coarse.c - compares the smaller copy of an image with the definition, cell by cell.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "coarse.h"
#include "params.h"
#include "random_graph.h"
#include "run_suite.h"

enum { MOST = 23 };

typedef struct drawn {
    tilecut_image image;
    uint16_t samples[MOST * MOST * 3]; /* each entry is one 16-bit sample, or two of 8 bits */
    uint8_t seeds[MOST * MOST];
} drawn;

static void draw(drawn *d, uint64_t *state)
{
    const int w = 1 + random_below(state, MOST), h = 1 + random_below(state, MOST);
    const int channels = random_below(state, 2) ? 3 : 1, depth = random_below(state, 2) ? 16 : 8;
    const size_t row = (size_t)(w * channels * depth / 8), room = random_below(state, 2) ? 2 : 0;
    for (size_t i = 0; i < sizeof d->samples; i++) ((uint8_t *)d->samples)[i] = (uint8_t)random_below(state, 256);
    for (int p = 0; p < w * h; p++)
        d->seeds[p] = (uint8_t[]){TILECUT_UNKNOWN, TILECUT_OUTSIDE, TILECUT_OUTSIDE, TILECUT_BACKGROUND,
                                  TILECUT_FOREGROUND}[random_below(state, 2 + random_below(state, 4))];
    const bool fits = (row + room) * (size_t)h <= sizeof d->samples;
    d->image = (tilecut_image){0, w, h, channels, depth, fits ? row + room : 0, d->samples};
}

static unsigned sample(const tilecut_image *image, int x, int y, int c)
{
    const size_t bytes = (size_t)image->depth / 8;
    const size_t stride = image->stride ? image->stride : (size_t)(image->width * image->channels) * bytes;
    const uint8_t *at = (const uint8_t *)image->pixels + (size_t)y * stride + (size_t)(x * image->channels + c) * bytes;
    uint16_t word;
    memcpy(&word, at, bytes);
    return image->depth == 8 ? *at : word;
}

/* Returns a cell's mean sample, and its label in *label, pixel by pixel. */
static unsigned mean_of(const drawn *d, int factor, int cell_x, int cell_y, int c, int *label)
{
    unsigned long sum = 0, count = 0;
    int has[4] = {0};
    for (int y = cell_y * factor; y < (cell_y + 1) * factor && y < d->image.height; y++)
        for (int x = cell_x * factor; x < (cell_x + 1) * factor && x < d->image.width; x++) {
            const int seed = d->seeds[y * d->image.width + x];
            sum += sample(&d->image, x, y, c), count++;
            has[seed] = 1;
        }
    const bool both = has[TILECUT_BACKGROUND] && has[TILECUT_FOREGROUND];
    *label = both                      ? TILECUT_UNKNOWN
             : has[TILECUT_FOREGROUND] ? TILECUT_FOREGROUND
             : has[TILECUT_BACKGROUND] ? TILECUT_BACKGROUND
             : has[TILECUT_OUTSIDE]    ? TILECUT_OUTSIDE
                                       : TILECUT_UNKNOWN;
    return (unsigned)((sum + count / 2) / count);
}

TEST(cells_are_means_and_keep_their_seeds)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        static drawn d;
        uint64_t state = seed;
        tc_coarse coarse;
        bool has_all_classes;
        draw(&d, &state);
        const int factor = 1 + random_below(&state, 18);
        ck_assert_int_eq(tc_coarse_init(&coarse, NULL, &d.image, d.seeds, factor, 1, &has_all_classes), TILECUT_OK);
        const tilecut_image *small = &coarse.image;
        bool has[4] = {false}, lost = false;
        ck_assert_int_eq(small->width, (d.image.width + factor - 1) / factor);
        ck_assert_int_eq(small->height, (d.image.height + factor - 1) / factor);
        for (int p = 0; p < small->width * small->height; p++)
            for (int c = 0; c < small->channels; c++) {
                const int x = p % small->width, y = p / small->width;
                int label;
                ck_assert_msg(sample(small, x, y, c) == mean_of(&d, factor, x, y, c, &label), "seed %d: cell %d,%d",
                              (int)seed, x, y);
                ck_assert_msg(coarse.seeds[p] == label, "seed %d: label of cell %d,%d", (int)seed, x, y);
                has[label] = true;
            }
        const size_t pixels = (size_t)d.image.width * (size_t)d.image.height;
        for (size_t p = 0; p < pixels; p++) lost |= d.seeds[p] != TILECUT_UNKNOWN && !has[d.seeds[p]];
        ck_assert(has_all_classes == (has[TILECUT_UNKNOWN] && !lost));
        tc_coarse_free(&coarse);
    }
}

/* Cells of 3 x 2 x 4 voxels; the slices lie one below the other. */
TEST(cells_in_space_are_means_and_keep_their_seeds)
{
    enum { W = 11, H = 7, D = 9, CW = 4, CH = 4, CD = 3 };
    static uint8_t pixels[W * H * D], seeds[W * H * D];
    const tilecut_image image = {0, W, H * D, 1, 8, 0, pixels};
    const tc_cell cell = {3, 2, 4, H};
    unsigned sum[CW * CH * CD] = {0}, count[CW * CH * CD] = {0};
    int label[CW * CH * CD] = {0};
    uint64_t state = 5;
    tc_coarse coarse;
    bool has_all_classes;
    for (int p = 0; p < W * H * D; p++) {
        const int at = (p / W / H / 4 * CH + p / W % H / 2) * CW + p % W / 3;
        pixels[p] = (uint8_t)random_below(&state, 256);
        seeds[p] = random_below(&state, 40) ? TILECUT_UNKNOWN : TILECUT_FOREGROUND;
        sum[at] += pixels[p], count[at]++;
        if (seeds[p]) label[at] = TILECUT_FOREGROUND;
    }
    ck_assert_int_eq(tc_coarse_in_space(&coarse, NULL, &image, seeds, &cell, 2, &has_all_classes), TILECUT_OK);
    ck_assert(has_all_classes && coarse.image.width == CW && coarse.image.height == CH * CD);
    for (int at = 0; at < CW * CH * CD; at++) {
        ck_assert_int_eq(((const uint8_t *)coarse.image.pixels)[at], (sum[at] + count[at] / 2) / count[at]);
        ck_assert_int_eq(coarse.seeds[at], label[at]);
    }
    tc_coarse_free(&coarse);
}

TEST(the_copy_does_not_depend_on_threads)
{
    enum { W = 811, H = 503 };
    static uint8_t pixels[3 * W * H], seeds[W * H];
    const tilecut_image image = {0, W, H, 3, 8, 0, pixels};
    uint64_t state = 77;
    for (int i = 0; i < 3 * W * H; i++) pixels[i] = (uint8_t)random_below(&state, 256);
    for (int i = 0; i < 3000; i++) seeds[random_below(&state, W * H)] = (uint8_t)random_below(&state, 4);
    for (int threads = 2; threads < 6; threads++)
        for (int factor = 2; factor < 40; factor += 9) {
            tc_coarse one, several;
            bool done[2];
            ck_assert_int_eq(tc_coarse_init(&one, NULL, &image, seeds, factor, 1, &done[0]), TILECUT_OK);
            ck_assert_int_eq(tc_coarse_init(&several, NULL, &image, seeds, factor, threads, &done[1]), TILECUT_OK);
            const size_t cells = (size_t)one.image.width * (size_t)one.image.height;
            ck_assert(done[0] == done[1] && !memcmp(one.image.pixels, several.image.pixels, 3 * cells) &&
                      !memcmp(one.seeds, several.seeds, cells));
            tc_coarse_free(&one);
            tc_coarse_free(&several);
        }
}

TEST(a_mask_is_spread_over_the_cells)
{
    enum { W = 11, H = 8, FACTOR = 3, CELLS = 4 * 3 };
    static const uint8_t pixels[W * H], seeds[W * H];
    const tilecut_image image = {0, W, H, 1, 8, 0, pixels};
    uint8_t small[CELLS], mask[W * H];
    tc_coarse coarse;
    bool has_all_classes;
    for (int p = 0; p < CELLS; p++) small[p] = (uint8_t)(p * 20);
    ck_assert_int_eq(tc_coarse_init(&coarse, NULL, &image, seeds, FACTOR, 1, &has_all_classes), TILECUT_OK);
    tc_coarse_spread(&coarse, small, 1, W, H, 0, mask);
    for (int p = 0; p < W * H; p++) ck_assert_int_eq(mask[p], 20 * (p / W / FACTOR * 4 + p % W / FACTOR));
    tc_coarse_free(&coarse);
}

/* A pixel has the label of the guess at its middle. */
TEST(a_guess_of_any_size_is_scaled)
{
    uint64_t state = 9;
    for (int round = 0; round < 300; round++) {
        const int width = 1 + random_below(&state, 90), across = 1 + random_below(&state, round % 2 ? 90 : 900);
        uint8_t guess[900], labels[90];
        for (int x = 0; x < across; x++) guess[x] = (uint8_t)random_below(&state, 256);
        const tc_setup setup = {.guess = guess, .guess_width = across, .guess_height = 1};
        tc_setup_guess_row(&setup, width, 0, 1, labels);
        for (int x = 0; x < width; x++) {
            const int at = (int)floor((x + 0.5) * across / width);
            ck_assert_int_eq(labels[x], guess[at] & 1 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND);
        }
    }
}

/* The window of a box by definition: the bounding rectangle of all pixels that are not background, plus a margin. */
TEST(a_box_needs_itself_and_a_margin)
{
    for (uint64_t state = 1, i = 0; i < 2000; i++) {
        const int w = 1 + random_below(&state, 60), h = 1 + random_below(&state, 60);
        const int x0 = random_below(&state, w), y0 = random_below(&state, h);
        const int x1 = x0 + 1 + random_below(&state, w - x0), y1 = y0 + 1 + random_below(&state, h - y0);
        uint8_t seeds[60 * 60];
        tc_window window = {0};
        for (int p = 0; p < w * h; p++) {
            const bool inside = p % w >= x0 && p % w < x1 && p / w >= y0 && p / w < y1;
            seeds[p] = inside ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
        }
        seeds[0] = seeds[0] == TILECUT_OUTSIDE && i % 2 ? TILECUT_BACKGROUND : seeds[0];
        int by = TC_BOX_LEAST;
        while ((by + 1) * (by + 1) <= TC_BOX_MARGIN * TC_BOX_MARGIN * (x1 - x0) * (y1 - y0)) by++;
        const int left = x0 > by ? x0 - by : 0, top = y0 > by ? y0 - by : 0;
        const int right = x1 + by < w ? x1 + by : w, bottom = y1 + by < h ? y1 + by : h;
        const bool all = left == 0 && top == 0 && right == w && bottom == h;
        ck_assert_int_eq(tc_box_window(seeds, w, h, NULL, &window), !all);
        if (all) continue;
        ck_assert(window.x == left && window.y == top);
        ck_assert(window.x + window.width == right && window.y + window.height == bottom);
    }
    uint8_t none[12] = {0};
    tc_window window;
    ck_assert(!tc_box_window(none, 4, 3, NULL, &window));
    memset(none, TILECUT_OUTSIDE, sizeof none);
    ck_assert(!tc_box_window(none, 4, 3, NULL, &window));
}

int main(void) { return run_suite((test_suite){.name = "coarse"}); }
