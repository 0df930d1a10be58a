/* SPDX-License-Identifier: MIT
 *
 * test_scale.c - resized pictures, compared with a weighted mean under a tent, computed in two dimensions at once.
 */
#include "scale.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pixel.h"
#include "random_graph.h"
#include "run_suite.h"

static uint64_t state = 5;

static image noise(int width, int height, int channels, int depth)
{
    image out = {.width = width, .height = height, .channels = channels, .depth = depth};
    out.pixels = malloc(image_area(&out) * (size_t)channels * (size_t)(depth / 8));
    for (size_t i = 0; i < image_area(&out) * (size_t)channels; i++)
        sample_set(&out, i, (uint32_t)random_below(&state, (int)sample_max(&out) + 1));
    return out;
}

static double tent(double distance, double radius) { return fmax(0, 1 - fabs(distance) / radius); }

/* Returns sample c of new pixel (x, y). The new picture begins at (left, top) of the old one, and a new pixel is `step`
 * old pixels wide. */
static double expected(const image *from, double left, double top, double step, int x, int y, int c)
{
    const double radius = fmax(1, step), cx = left + (x + 0.5) * step, cy = top + (y + 0.5) * step;
    const int n = from->channels;
    double sum = 0, weights = 0, alphas = 0;
    for (int v = 0; v < from->height; v++)
        for (int u = 0; u < from->width; u++) {
            const size_t p = (size_t)v * (size_t)from->width + (size_t)u;
            const double w = tent(u + 0.5 - cx, radius) * tent(v + 0.5 - cy, radius);
            const double alpha = n % 2 ? 1 : sample_at(from, (p + 1) * (size_t)n - 1);
            weights += w;
            alphas += w * alpha;
            sum += w * (c + 1 == n && n % 2 == 0 ? 1 : alpha) * sample_at(from, p * (size_t)n + (size_t)c);
        }
    if (n % 2 == 0 && c + 1 == n) return sum / weights;
    return alphas > 0 ? sum / alphas : 0;
}

static void compare(const image *from, const image *to, double left, double top, double step)
{
    const double most = sample_max(from) == 255 ? 0.51 : 2;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++)
            for (int c = 0; c < to->channels; c++)
                ck_assert_double_eq_tol(
                    sample_at(to, (size_t)((y * to->width + x) * to->channels + c)),
                    expected(from, left, top, step, x, y, c), most);
}

static image copy_of(const image *from)
{
    image out = *from;
    const size_t size = image_area(from) * (size_t)from->channels * (size_t)(from->depth / 8);
    out.pixels = malloc(size);
    memcpy(out.pixels, from->pixels, size);
    return out;
}

/* _i selects 1 to 4 channels, and 8 or 16 bits */
LOOP_TEST(a_size_fits_in_its_frame, 0, 8)
{
    static const struct { const char *text; int width, height; } sizes[] = {
        {"10", 10, 6}, {"50%", 12, 7}, {"10x3", 5, 3}, {"6x60", 6, 4}, {"100%", 23, 14}, {"50", 50, 30}, {"1", 1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        image from = noise(23, 14, _i % 4 + 1, _i < 4 ? 8 : 16), to = copy_of(&from);
        scale_size size;
        failure why;
        ck_assert_ptr_null(scale_size_parse(sizes[i].text, &size));
        ck_assert(scale_wanted(&size));
        ck_assert_int_eq(scale_to_size(&size, 1 << 20, &to, &why), EXIT_DONE);
        ck_assert_int_eq(to.width, sizes[i].width);
        ck_assert_int_eq(to.height, sizes[i].height);
        const double by = size.percent > 0 ? size.percent / 100 : fmin(size.width / 23.0, size.height / 14.0);
        compare(&from, &to, 0, 0, 1 / by);
        image_free(&from);
        image_free(&to);
    }
}

LOOP_TEST(a_background_covers_all_of_the_photo, 0, 4)
{
    static const int sizes[][2] = {{23, 14}, {40, 9}, {9, 40}, {3, 3}, {1, 1}, {64, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int width = sizes[i][0], height = sizes[i][1];
        image from = noise(23, 14, _i % 2 ? 3 : 1, _i < 2 ? 8 : 16), to = copy_of(&from);
        failure why;
        ck_assert_int_eq(scale_to_cover(width, height, &to, &why), EXIT_DONE);
        ck_assert(to.width == width && to.height == height);
        const double step = fmin(23.0 / width, 14.0 / height);
        compare(&from, &to, (23 - width * step) / 2, (14 - height * step) / 2, step);
        image_free(&from);
        image_free(&to);
    }
}

TEST(sizes_that_are_none_are_refused)
{
    static const char *const bad[] = {"", "0", "-1", "65537", "8x", "x8", "8x8x8", "0%", "-5%", "%", "8 x 8", "1.5",
                                      "nan%", "12345678901234567890123456789012"};
    scale_size size;
    failure why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(scale_size_parse(bad[i], &size) != NULL, "%s", bad[i]);
    image small = noise(2, 2, 1, 8);
    ck_assert_ptr_null(scale_size_parse("100000000%", &size));
    ck_assert_int_eq(scale_to_size(&size, UINT64_MAX, &small, &why), EXIT_USAGE);
    ck_assert_ptr_null(scale_size_parse("1000", &size));
    ck_assert_int_eq(scale_to_size(&size, 1000, &small, &why), EXIT_RESOURCES);
    ck_assert_int_eq(small.width, 2);
    image_free(&small);
}

int main(void) { return run_suite((test_suite){.name = "scale"}); }
