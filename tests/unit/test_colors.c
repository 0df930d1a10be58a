/* SPDX-License-Identifier: MIT
 *
 * test_colors.c - colour models and the spatial term on inputs with a known answer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "exact_math.h"
#include "mixture.h"
#include "nearness.h"
#include "random_graph.h"
#include "run_suite.h"

enum { W = 64, H = 48, N = W * H };

/* Draws two colours with noise, each with seeds along its edge of the picture. */
static tilecut_image two_colors(uint8_t *pixels, uint8_t *labels, int channels)
{
    uint64_t state = 77;
    for (int p = 0; p < N; p++) {
        const bool left = p % W < W / 2;
        for (int c = 0; c < channels; c++)
            pixels[p * channels + c] = (uint8_t)((left ? 60 : 180) + 10 * c + random_below(&state, 20));
        labels[p] = p % W < 4 ? TILECUT_FOREGROUND : p % W >= W - 4 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
    return (tilecut_image){0, W, H, channels, 8, 0, pixels};
}

/* Learns the costs. If they need a palette, *palette holds it. */
static tilecut_status learn(const tc_colors *model, const tilecut_image *image, const uint8_t *labels,
                            tc_color_costs *costs, tc_palette **palette)
{
    tc_training_set training = {.image = image, .labels = labels, .seeds = labels};
    const tilecut_status status = model->learn(&training, costs);
    *palette = training.palette;
    return status;
}

static size_t entry_of(const tc_color_costs *costs, uint32_t bin)
{
    return costs->palette ? costs->palette->entry[bin] : bin;
}

static int count_models(void)
{
    int count = 0;
    while (tc_color_models[count].name) count++;
    return count;
}

LOOP_TEST(models_tell_two_colours_apart, 0, 2 * count_models())
{
    static uint8_t pixels[3 * N], labels[N];
    const tc_colors *model = &tc_color_models[_i / 2];
    const tilecut_image image = two_colors(pixels, labels, _i % 2 ? 3 : 1);
    tc_color_costs costs = {0}, again = {0};
    tc_palette *held[2];
    uint32_t bin[W];

    ck_assert_int_eq(learn(model, &image, labels, &costs, &held[0]), TILECUT_OK);
    if (!costs.foreground) return; /* "none" has no costs */
    for (int y = 0; y < H; y++) {
        tc_color_bins(&image, costs.bits, y, bin);
        for (int x = 0; x < W; x++) {
            const double fg = (double)costs.foreground[entry_of(&costs, bin[x])],
                         bg = (double)costs.background[entry_of(&costs, bin[x])];
            ck_assert(fg >= 0 && bg >= 0 && isfinite(fg) && isfinite(bg));
            ck_assert_msg(x < W / 2 ? fg < bg : fg > bg, "%s: pixel %d,%d: %g, %g", model->name, x, y, fg, bg);
        }
    }
    ck_assert_int_eq(learn(model, &image, labels, &again, &held[1]), TILECUT_OK);
    ck_assert_mem_eq(costs.foreground, again.foreground, costs.count * sizeof(float));
    ck_assert_mem_eq(costs.background, again.background, costs.count * sizeof(float));
    tc_color_costs_free(&costs);
    tc_color_costs_free(&again);
    for (int i = 0; i < 2; i++) tc_palette_drop(held[i]);
}

/* The mask is foreground everywhere except in one stroke. The more weight that stroke has, the less likely its colours
 * are foreground. */
TEST(strokes_have_a_share_beside_the_labels)
{
    static uint8_t pixels[3 * N], seeds[N], labels[N];
    const tilecut_image image = two_colors(pixels, seeds, 3);
    double before = INFINITY;
    for (int p = 0; p < N; p++) labels[p] = p % W < W / 2 && p != W ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
    for (int p = 0; p < N; p++) seeds[p] = p == W ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
    for (int tenths = 1; tenths < 10; tenths += 4) {
        tc_training_set training = {.image = &image, .labels = labels, .seeds = seeds, .share = {tenths / 10.0, 0}};
        tc_color_costs costs = {0};
        uint32_t bin[W];
        ck_assert_int_eq(tc_colors_gmm_learn(&training, &costs), TILECUT_OK);
        tc_color_bins(&image, costs.bits, 1, bin);
        const size_t i = entry_of(&costs, bin[0]);
        const double cost = (double)costs.foreground[i] - (double)costs.background[i];
        ck_assert_msg(cost < before, "share %d/10: %g after %g", tenths, cost, before);
        before = cost;
        tc_color_costs_free(&costs);
        tc_palette_drop(training.palette);
    }
}

TEST(mixture_finds_its_gaussians)
{
    enum { SAMPLES = 4000 };
    static double channel[3][SAMPLES], weight[SAMPLES], scratch[SAMPLES], density[SAMPLES];
    const tc_samples samples = {SAMPLES, channel[0], channel[1], channel[2], weight};
    static const double middle[3][3] = {{40, 40, 40}, {200, 60, 80}, {90, 200, 220}};
    uint64_t state = 5;
    tc_mixture mixture;
    double total = 0;

    for (int i = 0; i < SAMPLES; i++) {
        for (int c = 0; c < 3; c++) {
            double noise = -60;
            for (int k = 0; k < 12; k++) noise += random_below(&state, 11);
            channel[c][i] = middle[i % 3][c] + noise;
        }
        weight[i] = 1;
    }
    ck_assert_int_eq(tc_mixture_fit(&mixture, &samples, 0, 1), TILECUT_OK);
    for (int k = 0; k < TC_MIXTURE_PARTS; k++) total += mixture.part[k].weight;
    ck_assert_double_eq_tol(total, 1, 1e-6);
    /* The density at each mean is a third of N(mean, s^2 + 30), where s^2 = 12 * (11^2 - 1) / 12 = 120. */
    const double peak = 1 / sqrt(pow(2 * 3.14159265 * 150, 3)) / 3;
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) channel[c][i] = middle[i][c];
    channel[0][3] = channel[1][3] = 255, channel[2][3] = 0; /* the last sample is a colour far from all means */
    tc_mixture_densities(&mixture, &samples, scratch, density);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(density[i], peak, 0.25 * peak);
    ck_assert_double_lt(density[3], 1e-3 * peak);
}

TEST(mixture_takes_few_samples)
{
    double x[2] = {7, 200}, y[2] = {8, 8}, z[2] = {9, 9}, weight[2] = {3, 1}, scratch[2], density[2];
    for (size_t n = 1; n <= 2; n++) {
        const tc_samples samples = {n, x, y, z, weight};
        tc_mixture mixture;
        ck_assert_int_eq(tc_mixture_fit(&mixture, &samples, 0, 1), TILECUT_OK);
        tc_mixture_densities(&mixture, &samples, scratch, density);
        ck_assert(isfinite(density[0]) && density[0] > 0);
    }
}

/* Compares with the C library, whose error is about half a unit in the last place. */
TEST(exp_and_log_are_near_those_of_libm)
{
    uint64_t state = 3;
    double worst_exp = 0, worst_log = 0;
    for (int i = 0; i < 200000; i++) {
        const double x = (random_below(&state, 1 << 30) / (double)(1 << 30) - 0.5) * (i % 2 ? 1380 : 2);
        worst_exp = fmax(worst_exp, fabs(tc_exp(x) - exp(x)) / exp(x));
        const double y = exp(x);
        if (fabs(x) > 1e-3) worst_log = fmax(worst_log, fabs(tc_log(y) - log(y)) / fabs(log(y)));
    }
    ck_assert_double_lt(worst_exp, 5e-16);
    ck_assert_double_lt(worst_log, 5e-16);
    ck_assert_double_eq(tc_exp(0), 1);
    ck_assert_double_eq(tc_exp(-1e6), 0);
    ck_assert_double_eq(tc_log(1), 0);
    ck_assert_double_eq(tc_round(2.5), 2);
    ck_assert_double_eq(tc_round(-3.5), -4);
}

LOOP_TEST(nearness_follows_distances, 0, 8)
{
    static uint8_t seeds[N], level[N];
    uint64_t state = (uint64_t)_i + 1;
    int wrong = 0;
    memset(seeds, 0, N);
    for (int i = 0; i < 5; i++) {
        seeds[random_below(&state, N / 2)] = TILECUT_FOREGROUND;
        seeds[N / 2 + random_below(&state, N / 2)] = i % 2 ? TILECUT_BACKGROUND : TILECUT_OUTSIDE;
    }
    ck_assert_int_eq(tc_nearness(seeds, &(tc_nearness_lattice){W, H, 0, {1, 1, 1}}, 1, NULL, level, NULL), TILECUT_OK);
    int x0 = W, x1 = 0, y0 = H, y1 = 0;
    for (int p = 0; p < N; p++) {
        if (seeds[p] != TILECUT_FOREGROUND) continue;
        x0 = p % W < x0 ? p % W : x0, x1 = p % W > x1 ? p % W : x1;
        y0 = p / W < y0 ? p / W : y0, y1 = p / W > y1 ? p / W : y1;
    }
    const double extent = hypot(x1 - x0 + 1, y1 - y0 + 1);
    for (int p = 0; p < N; p++) {
        double near[2] = {1e9, 1e9};
        for (int q = 0; q < N; q++)
            if (seeds[q]) {
                const double d = hypot(p % W - q % W, p / W - q / W);
                double *n = &near[seeds[q] != TILECUT_FOREGROUND];
                if (d < *n) *n = d;
            }
        const int x = p % W, y = p / W;
        const double border = fmin(fmin(x, W - 1 - x), fmin(y, H - 1 - y)) / (0.1 * H);
        const double far = fmin(9, near[0] * near[0] / (extent * extent));
        const double exact = 0.4 - near[0] / (near[0] + near[1]) - far / 4 - fmax(0, 1 - border) / 2;
        wrong += fabs(exact - tc_nearness_favour(level[p])) > 0.04 + 0.02 * far;
    }
    ck_assert_int_eq(wrong, 0);
}

int main(void) { return run_suite((test_suite){.name = "colors"}); }
