/* SPDX-License-Identifier: MIT
 *
 * test_paint.c - cutouts keep the photo's samples and alpha exactly, and overlays look as described.
 */
#include "paint.h" /* must precede check.h, which defines a macro fail() */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_suite.h"

#include "pixel.h"
#include "random_graph.h"
#include "seed_scene.h"
#include "tilecut.h"

enum { W = 33, H = 21, N = W * H };

static uint8_t mask[N];
static image photo, out;
static failure why;

static void setup(void)
{
    for (int p = 0; p < N; p++) mask[p] = p % W >= 8 && p % W < 20 && p / W >= 5 && p / W < 15 ? 255 : 0;
}

static void noise(int channels, int depth)
{
    uint64_t state = 9;
    photo = picture_of(W, H, channels, depth, BLACK);
    for (size_t i = 0; i < (size_t)(N * channels); i++)
        sample_set(&photo, i, (uint32_t)random_below(&state, (int)sample_max(&photo) + 1));
}

static void teardown(void)
{
    image_free(&photo);
    image_free(&out);
}

/* _i selects 1 to 4 channels, and 8 or 16 bits */
LOOP_TEST(a_cutout_keeps_samples_and_multiplies_alpha, 0, 8)
{
    const int n = _i % 4 + 1, colors = n <= 2 ? 1 : 3;
    noise(n, _i < 4 ? 8 : 16);
    static const uint8_t profile[] = "a profile";
    photo.icc = malloc(sizeof profile);
    memcpy(photo.icc, profile, sizeof profile);
    photo.icc_size = sizeof profile;
    ck_assert_int_eq(paint_cutout(&photo, mask, NULL, NULL, true, &out, &why), EXIT_DONE);
    ck_assert_int_eq(out.channels, colors + 1);
    ck_assert_int_eq(out.depth, photo.depth);
    ck_assert_uint_eq(out.icc_size, sizeof profile);
    ck_assert_mem_eq(out.icc, profile, sizeof profile);
    for (size_t p = 0; p < N; p++) {
        for (size_t c = 0; c < (size_t)colors; c++)
            ck_assert_uint_eq(sample_at(&out, p * (size_t)out.channels + c), sample_at(&photo, p * (size_t)n + c));
        const uint32_t own = n % 2 ? sample_max(&photo) : sample_at(&photo, p * (size_t)n + (size_t)colors);
        ck_assert_uint_eq(sample_at(&out, p * (size_t)out.channels + (size_t)colors), mask[p] ? own : 0);
    }
}

LOOP_TEST(a_fill_takes_the_place_of_alpha, 0, 8)
{
    const int n = _i % 4 + 1;
    uint8_t grey[3] = {10, 10, 10}, color[3] = {10, 200, 30};
    noise(n, _i < 4 ? 8 : 16);
    const uint32_t max = sample_max(&photo);
    for (int colored = 0; colored <= 1; colored++) {
        uint8_t *const fill = colored ? color : grey;
        const image under = {.width = 1, .height = 1, .channels = colored ? 3 : 1, .depth = 8, .pixels = fill};
        image_free(&out);
        ck_assert_int_eq(paint_cutout(&photo, mask, NULL, &under, true, &out, &why), EXIT_DONE);
        ck_assert_int_eq(out.channels, n <= 2 && !colored ? 1 : 3);
        for (size_t p = 0; p < N; p++)
            for (size_t c = 0; c < (size_t)out.channels; c++) {
                const double own = sample_at(&photo, p * (size_t)n + (n <= 2 ? 0 : c));
                const double photo_alpha = n % 2 ? 1 : (double)sample_at(&photo, (p + 1) * (size_t)n - 1) / max;
                const double alpha = mask[p] ? photo_alpha : 0;
                const double expected = own * alpha + fill[c] * (max / 255) * (1 - alpha);
                ck_assert_double_eq_tol(sample_at(&out, p * (size_t)out.channels + c), expected, 0.5001);
            }
    }
}

TEST(a_16_bit_cutout_survives_its_file)
{
    char path[] = "/tmp/tilecut-paint-" "XX" "XX" "XX.png";
    image back = {0};
    const int file = mkstemps(path, 4);
    ck_assert_int_ge(file, 0);
    close(file);
    noise(4, 16);
    ck_assert_int_eq(paint_cutout(&photo, mask, NULL, NULL, true, &out, &why), EXIT_DONE);
    const image_view view = image_as_view(&out);
    ck_assert_int_eq(image_write(path, IMAGE_CUTOUT, &view, &why), EXIT_DONE);
    ck_assert_int_eq(image_read(path, NULL, &back, NULL, &why), EXIT_DONE);
    ck_assert_int_eq(back.depth, 16);
    ck_assert_int_eq(back.channels, 4);
    ck_assert_mem_eq(back.pixels, out.pixels, N * 8);
    image_free(&back);
    unlink(path);
}

static const uint8_t *rgb(int x, int y) { return out.pixels + 3 * (y * W + x); }

/* _i selects 1 to 4 channels, and 8 or 16 bits */
LOOP_TEST(an_overlay_dims_outlines_and_shows_seeds, 0, 8)
{
    uint8_t label[N] = {0};
    photo = picture_of(W, H, _i % 4 + 1, _i < 4 ? 8 : 16, 0xff909090);
    label[6 * W + 10] = TILECUT_FOREGROUND;
    label[1 * W + 1] = TILECUT_BACKGROUND;
    label[1 * W + 2] = TILECUT_OUTSIDE;
    ck_assert_int_eq(paint_overlay(&photo, mask, NULL, label, &out, &why), EXIT_DONE);
    ck_assert(out.channels == 3 && out.depth == 8 && out.width == W && out.height == H);
    ck_assert_mem_eq(rgb(12, 12), ((uint8_t[]){0x90, 0x90, 0x90}), 3);
    ck_assert_mem_eq(rgb(2, 1), ((uint8_t[]){54, 54, 54}), 3); /* seeds that come from the box are not drawn */
    ck_assert(rgb(10, 6)[1] > rgb(10, 6)[0] + 100);
    ck_assert(rgb(1, 1)[0] > rgb(1, 1)[1] + 100);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const bool inside = mask[y * W + x], above = x >= 8 && x < 20 && (y == 4 || y == 15),
                       beside = y >= 5 && y < 15 && (x == 7 || x == 20);
            const bool yellow = rgb(x, y)[0] == 255 && rgb(x, y)[2] == 0;
            ck_assert_msg(yellow == (!inside && (above || beside)), "%d,%d", x, y);
        }
}

TEST(an_overlay_without_seeds_or_object)
{
    noise(3, 8);
    ck_assert_int_eq(paint_overlay(&photo, mask, NULL, NULL, &out, &why), EXIT_DONE);
    ck_assert_mem_eq(rgb(12, 12), photo.pixels + 3 * (12 * W + 12), 3);
    image_free(&out);
    memset(mask, 0, sizeof mask);
    ck_assert_int_eq(paint_overlay(&photo, mask, NULL, NULL, &out, &why), EXIT_DONE);
    for (int i = 0; i < 3 * N; i++) ck_assert_int_le(out.pixels[i], photo.pixels[i]);
}

int main(void) { return run_suite((test_suite){.name = "paint", .set_up = setup, .tear_down = teardown}); }
