/* SPDX-License-Identifier: MIT
 *
 * test_matte.c - soft edges against known alpha: shapes with known alpha and colours on textured backgrounds.
 */
#include "matting.h" /* must precede check.h, which defines a macro fail() */
#include "paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#include "pixel.h"
#include "random_graph.h"
#include "seed_scene.h"
#include "tilecut.h"

enum { W = 150, H = 110, N = W * H };

/* The true alpha and the colours of object and background at every pixel, and the photo composed of them. */
static double share[N], fore[N][3], back[N][3];
static uint8_t mask[N];
static image photo;
static matte soft;
static failure why;

/* Returns the alpha of a five-pointed star at pixel (x, y), with an edge `width` pixels wide. */
static double star(double x, double y, double width)
{
    const double dx = x - W / 2.0, dy = y - H / 2.0, angle = atan2(dy, dx);
    const double r = 32 + 9 * cos(5 * angle), inside = (r - hypot(dx, dy)) / width + 0.5;
    return inside < 0 ? 0 : inside > 1 ? 1 : inside;
}

/* Composes a photo of two textures: around each colour, two waves and noise of strength `grain`. `kind` selects the
 * colours. */
static void compose(int channels, int depth, int kind, double width, double grain)
{
    static const double colors[3][2][3] = {{{0.85, 0.55, 0.25}, {0.2, 0.45, 0.3}},
                                           {{0.25, 0.25, 0.3}, {0.75, 0.8, 0.9}},
                                           {{0.8, 0.2, 0.3}, {0.5, 0.55, 0.15}}};
    const size_t n = (size_t)channels, color_count = n > 2 ? 3 : 1;
    uint64_t state = 11;
    photo = picture_of(W, H, channels, depth, WHITE);
    const double max = sample_max(&photo);
    for (int p = 0; p < N; p++) {
        const double x = p % W, y = p / W, f = 0.08 * sin(x / 9 + y / 14), b = 0.1 * sin(x / 11 - y / 7);
        share[p] = star(x, y, width);
        mask[p] = share[p] >= 0.5 ? 255 : 0;
        for (size_t c = 0; c < color_count; c++) {
            fore[p][c] = colors[kind][0][c] + f + grain * (random_below(&state, 2001) / 1000.0 - 1);
            back[p][c] = colors[kind][1][c] + b + grain * (random_below(&state, 2001) / 1000.0 - 1);
            const double mixed = share[p] * fore[p][c] + (1 - share[p]) * back[p][c];
            sample_set(&photo, (size_t)p * n + c, (uint32_t)(fmax(0, fmin(1, mixed)) * max + 0.5));
        }
    }
}

static void teardown(void)
{
    image_free(&photo);
    matte_free(&soft);
}

/* Computes a soft edge, as --feather does. */
static void soften(const uint8_t *labels, int radius, bool clean)
{
    const edge_style edge = {.kind = EDGE_FEATHER, .radius = radius};
    const matting_request request = {&edge, 1, clean, UINT64_MAX};
    tilecut_image opaque;
    uint8_t *copy;
    int64_t band;
    ck_assert(matting_opaque(&photo, &opaque, &copy, NULL));
    const masked_photo masked = {&photo, mask, labels};
    ck_assert_int_eq(matting_make(&masked, &opaque, &request, &soft, &band, &why), EXIT_DONE);
    free(copy);
}

static double alpha_at(int p) { return (double)sample_at(&soft.alpha, (size_t)p) / sample_max(&soft.alpha); }

/* Returns the squared error of alpha over all pixels: that of the matte or, if `hard`, of the mask. */
static double alpha_error(bool hard)
{
    double sum = 0;
    for (int p = 0; p < N; p++) {
        const double off = (hard ? mask[p] / 255.0 : alpha_at(p)) - share[p];
        sum += off * off;
    }
    return sum;
}

/* Returns the squared error of the cutout (alpha times colour) on a new background, where it shows as a fringe. */
static double composite_error(const image *colors, bool hard)
{
    static const double under[3] = {1, 1, 1};
    const size_t n = (size_t)colors->channels, color_count = n > 2 ? 3 : 1;
    double sum = 0;
    for (int p = 0; p < N; p++)
        for (size_t c = 0; c < color_count; c++) {
            const double a = hard ? mask[p] / 255.0 : alpha_at(p);
            const double color = (double)sample_at(colors, (size_t)p * n + c) / sample_max(colors);
            const double shown = a * color + (1 - a) * under[c];
            const double truth = share[p] * fore[p][c] + (1 - share[p]) * under[c];
            sum += (shown - truth) * (shown - truth);
        }
    return sum;
}

/* The least factor by which each trial must be better than a hard edge: half of the factor measured when this was
 * written. `fringe` compares the colours with those of a soft edge that keeps the photo's colours. */
static const struct trial {
    int radius, kind, channels, depth;
    double width, grain, alpha, composite, fringe;
} trials[] = {
    {2, 0, 3, 8, 1, 0.01, 150, 105, 15}, {3, 0, 3, 8, 2, 0.02, 55, 55, 8},  {5, 0, 3, 8, 4, 0.02, 50, 50, 8},
    {8, 0, 3, 16, 6, 0.03, 20, 20, 3.8}, {3, 1, 3, 8, 2, 0.02, 35, 23, 11}, {5, 1, 1, 8, 3, 0.02, 14, 11, 4.6},
    {5, 1, 1, 16, 3, 0.02, 14, 11, 4.6}, {3, 2, 4, 8, 2, 0.02, 41, 39, 3.7}, {5, 2, 3, 8, 4, 0.04, 13, 13, 1.5},
    {32, 0, 3, 8, 12, 0.02, 29, 19, 3.1},
};

LOOP_TEST(beats_a_hard_edge_and_leaves_no_fringe, 0, (int)(sizeof trials / sizeof *trials))
{
    const struct trial *const t = &trials[_i];
    compose(t->channels, t->depth, t->kind, t->width, t->grain);
    soften(NULL, t->radius, true);
    const double hard = alpha_error(true), error = alpha_error(false);
    const double fringed = composite_error(&photo, true), kept = composite_error(&photo, false);
    const double cleaned = composite_error(&soft.colors, false);
    printf("R %2d, edge %2.0f px, %d x %2d bits: alpha %6.2f -> %5.2f; composite %6.2f, soft %5.2f, clean %5.2f\n",
           t->radius, t->width, t->channels, t->depth, hard, error, fringed, kept, cleaned);
    ck_assert_double_lt(error * t->alpha, hard);
    ck_assert_double_lt(cleaned * t->composite, fringed);
    ck_assert_double_lt(cleaned * t->fringe, kept);
}

/* Random masks, in which bands meet everywhere. _i selects 1 to 4 channels. */
LOOP_TEST(is_hard_beyond_the_band_and_on_seeds, 0, 4)
{
    const int r = 2;
    uint64_t state = 5 + (uint64_t)_i;
    uint8_t label[N];
    int soft_pixels = 0;
    compose(_i + 1, _i % 2 ? 16 : 8, _i % 3, 2, 0.1);
    for (int p = 0; p < N; p++) {
        mask[p] = (p % W / 15 + p / W / 15) % 2 ? 255 : 0;
        label[p] = random_below(&state, 20) ? TILECUT_UNKNOWN : mask[p] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    soften(label, r, false);
    ck_assert_ptr_null(soft.colors.pixels);
    for (int p = 0; p < N; p++) {
        bool band = false;
        for (int v = -r; v <= r; v++)
            for (int u = -r; u <= r; u++) {
                const int x = p % W + u, y = p / W + v;
                if (x < 0 || y < 0 || x >= W || y >= H || u * u + v * v > r * r || label[p]) continue;
                band = band || mask[y * W + x] != mask[p];
            }
        const uint32_t alpha = sample_at(&soft.alpha, (size_t)p);
        if (!band) ck_assert_msg(alpha == (mask[p] ? sample_max(&photo) : 0), "%d: not hard", p);
        soft_pixels += alpha > 0 && alpha < sample_max(&photo);
    }
    ck_assert_int_gt(soft_pixels, 500);
}

TEST(photos_of_a_row_or_a_column_and_masks_without_an_edge)
{
    static const int sizes[][2] = {{1, 1}, {200, 1}, {1, 200}, {70, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int full = 0; full <= 2; full++) {
            const int n = sizes[i][0] * sizes[i][1];
            photo = picture_of(sizes[i][0], sizes[i][1], 3, 8, GREY);
            for (int p = 0; p < n; p++) mask[p] = full == 1 || (full == 2 && p > n / 2) ? 255 : 0;
            soften(NULL, EDGE_MOST, true);
            for (int p = 0; p < n && full < 2; p++) ck_assert_int_eq(soft.alpha.pixels[p], mask[p]);
            ck_assert_mem_eq(soft.colors.pixels, photo.pixels, (size_t)n * 3);
            teardown();
        }
}

/* Alpha and colours reach the cutout, with and without a fill, and are multiplied by the photo's own alpha. */
TEST(a_cutout_is_painted_with_it)
{
    static uint8_t fill[3] = {10, 200, 30};
    const image under = {.width = 1, .height = 1, .channels = 3, .depth = 8, .pixels = fill};
    image clear = {0}, filled = {0};
    compose(4, 8, 0, 2, 0.02);
    for (size_t p = 0; p < N; p++) sample_set(&photo, 4 * p + 3, p % 3 ? 255 : 100);
    soften(NULL, 3, true);
    ck_assert_int_eq(paint_cutout(&photo, mask, &soft, NULL, true, &clear, &why), EXIT_DONE);
    ck_assert_int_eq(paint_cutout(&photo, mask, &soft, &under, true, &filled, &why), EXIT_DONE);
    for (size_t p = 0; p < N; p++) {
        const double alpha = alpha_at((int)p) * (p % 3 ? 1 : 100 / 255.0);
        ck_assert_double_eq_tol(clear.pixels[4 * p + 3] / 255.0, alpha, 0.51 / 255);
        for (size_t c = 0; c < 3; c++) {
            const double color = soft.colors.pixels[4 * p + c];
            ck_assert_int_eq(clear.pixels[4 * p + c], soft.colors.pixels[4 * p + c]);
            ck_assert_double_eq_tol(filled.pixels[3 * p + c], color * alpha + fill[c] * (1 - alpha), 1.01);
        }
    }
    image_free(&clear);
    image_free(&filled);
}

int main(void) { return run_suite((test_suite){.name = "matte", .tear_down = teardown}); }
