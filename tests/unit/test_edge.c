/* SPDX-License-Identifier: MIT
 *
 * test_edge.c - the plain soft edge, on shapes rendered with 16 x 16 samples a pixel, so that the true alpha is known.
 * A crop, and any number of threads or depth, give the same alpha.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

enum { W = 97, H = 83, N = W * H, FULL = 65535 };

typedef struct scene {
    double share[N];
    uint8_t rgb[3 * N], mask[N];
} scene;

static const int object[3] = {200, 90, 40}, ground[3] = {20, 110, 160};

/* True if (x, y) is inside the shape. 0: a disc, 1: a slanted half-plane, 2: a star. */
static bool inside(int shape, double x, double y)
{
    const double u = x - 48.3, v = y - 41.6, r = hypot(u, v);
    if (shape == 0) return r < 29.7;
    if (shape == 1) return u * 0.31 + v < 1.2;
    return r < 24 + 7 * cos(5 * atan2(v, u));
}

static void render(scene *s, int shape, int noise, uint64_t seed)
{
    uint64_t state = seed;
    for (int p = 0; p < N; p++) {
        int count = 0;
        for (int k = 0; k < 256; k++) count += inside(shape, p % W + (k % 16 + 0.5) / 16, p / W + (k / 16 + 0.5) / 16);
        s->share[p] = count / 256.0;
        s->mask[p] = count >= 128 ? 255 : 0;
        for (int c = 0; c < 3; c++) {
            const double v = s->share[p] * object[c] + (1 - s->share[p]) * ground[c];
            const int off = noise ? random_below(&state, 2 * noise) - noise : 0;
            s->rgb[3 * p + c] = (uint8_t)(v + 0.5 + off);
        }
    }
}

static tilecut_image view(const scene *s)
{
    return (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s->rgb};
}

/* ---- against the truth ------------------------------------------------------------------------ */

LOOP_TEST(shares_are_those_of_the_shape, 0, 3)
{
    static scene s;
    static uint16_t alpha[N];
    static uint8_t colors[3 * N];
    double soft = 0, hard = 0;
    render(&s, _i, 4, 7);
    const tilecut_image image = view(&s);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, alpha, colors), TILECUT_OK);
    for (int p = 0; p < N; p++) {
        soft += fabs(alpha[p] / (double)FULL - s.share[p]);
        hard += fabs((s.mask[p] != 0) - s.share[p]);
    }
    ck_assert_msg(soft < 0.35 * hard, "shape %d: alpha is off by %g, the mask by %g", _i, soft, hard);
}

/* Over white, black and blue, the cutout must look as the shape itself would. */
LOOP_TEST(no_color_of_the_old_ground_is_left, 0, 3)
{
    static const int over[3][3] = {{255, 255, 255}, {0, 0, 0}, {0, 0, 255}};
    static scene s;
    static uint16_t alpha[N];
    static uint8_t colors[3 * N];
    render(&s, _i, 0, 1);
    const tilecut_image image = view(&s);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, alpha, colors), TILECUT_OK);
    for (int k = 0; k < 3; k++) {
        double soft = 0, hard = 0;
        for (int i = 0; i < 3 * N; i++) {
            const double a = alpha[i / 3] / (double)FULL, t = s.share[i / 3], under = over[k][i % 3];
            const double should = t * object[i % 3] + (1 - t) * under;
            soft += fabs(a * colors[i] + (1 - a) * under - should);
            hard += fabs((s.mask[i / 3] ? s.rgb[i] : under) - should);
        }
        ck_assert_msg(soft < 0.35 * hard, "shape %d over ground %d: %g of %g", _i, k, soft, hard);
    }
}

TEST(far_from_the_cut_nothing_changes)
{
    static scene s;
    static uint16_t alpha[N];
    static uint8_t colors[3 * N];
    render(&s, 2, 9, 3);
    const tilecut_image image = view(&s);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, alpha, colors), TILECUT_OK);
    for (int p = 0; p < N; p++) {
        bool near = false;
        for (int q = 0; q < N; q++)
            near |= s.mask[q] != s.mask[p] && abs(q % W - p % W) <= 3 && abs(q / W - p / W) <= 3;
        if (!near) ck_assert_int_eq(alpha[p], s.mask[p] ? FULL : 0);
        if (alpha[p] == 0 || alpha[p] == FULL) ck_assert_mem_eq(colors + 3 * p, s.rgb + 3 * p, 3);
    }
}

LOOP_TEST(a_mask_of_one_label_has_no_edge, 0, 2)
{
    static scene s;
    static uint16_t alpha[N];
    render(&s, 0, 3, 5);
    memset(s.mask, _i ? 255 : 0, N);
    const tilecut_image image = view(&s);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, alpha, NULL), TILECUT_OK);
    for (int p = 0; p < N; p++) ck_assert_int_eq(alpha[p], _i ? FULL : 0);
}

/* ---- one answer ------------------------------------------------------------------------------- */

TEST(threads_give_the_same)
{
    enum { TALL = 300, ALL = W * TALL };
    static uint8_t rgb[3 * ALL], mask[ALL], one[3 * ALL], many[3 * ALL];
    static uint16_t first[ALL], second[ALL];
    uint64_t state = 11;
    for (int i = 0; i < 3 * ALL; i++) rgb[i] = (uint8_t)random_below(&state, 256);
    for (int p = 0; p < ALL; p++) mask[p] = inside(2, p % W, p / W % 90) ? 255 : 0;
    const tilecut_image image = {.width = W, .height = TALL, .channels = 3, .depth = 8, .pixels = rgb};
    ck_assert_int_eq(tilecut_edge(&image, mask, 1, first, one), TILECUT_OK);
    ck_assert_int_eq(tilecut_edge(&image, mask, 7, second, many), TILECUT_OK);
    ck_assert_mem_eq(first, second, sizeof first);
    ck_assert_mem_eq(one, many, sizeof one);
}

/* ---- hair ------------------------------------------------------------------------------------- */

enum { SIDE = 180, AREA = SIDE * SIDE };

typedef struct fur {
    double share[AREA];
    uint8_t rgb[3 * AREA], mask[AREA];
} fur;

/* Draws a disc; with `hair`, thin hairs stand out from it. The mask is the disc alone. */
static void draw_fur(fur *f, bool hair)
{
    uint64_t state = 3;
    for (int p = 0; p < AREA; p++) {
        double sum = 0;
        for (int k = 0; k < 16; k++) {
            const double u = p % SIDE + (k % 4 + 0.5) / 4 - 90, v = p / (double)SIDE - 90 + (k / 4 + 0.5) / 4;
            const double r = hypot(u, v), turn = atan2(v, u) * 40 / M_PI, off = (turn - floor(turn)) * r * M_PI / 40;
            sum += r < 50 ? 1 : hair && r < 66 && off < 1.6 ? 0.85 : 0;
        }
        f->share[p] = sum / 16;
        f->mask[p] = hypot(p % SIDE - 89.5, p / SIDE - 89.5) < 50 ? 255 : 0;
        for (int c = 0; c < 3; c++)
            f->rgb[3 * p + c] = (uint8_t)(f->share[p] * object[c] + (1 - f->share[p]) * ground[c] +
                                          random_below(&state, 5) + 0.5);
    }
}

static double off(const fur *f, const uint16_t *alpha)
{
    double sum = 0;
    for (int p = 0; p < AREA; p++) sum += fabs(alpha[p] / (double)FULL - f->share[p]);
    return sum;
}

TEST(hair_is_matted_and_the_rest_left_to_the_plain_edge)
{
    static fur f;
    static uint16_t plain[AREA], fine[AREA], again[AREA];
    static uint8_t seeds[AREA], one[3 * AREA], many[3 * AREA];
    const tilecut_image image = {.width = SIDE, .height = SIDE, .channels = 3, .depth = 8, .pixels = f.rgb};
    draw_fur(&f, false);
    ck_assert_int_eq(tilecut_edge(&image, f.mask, 1, plain, one), TILECUT_OK);
    ck_assert_int_eq(tilecut_edge_matte(&image, f.mask, NULL, 1, fine, many), TILECUT_OK);
    ck_assert_mem_eq(plain, fine, sizeof plain);
    ck_assert_mem_eq(one, many, sizeof one);
    draw_fur(&f, true);
    ck_assert_int_eq(tilecut_edge(&image, f.mask, 1, plain, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_edge_matte(&image, f.mask, NULL, 1, fine, one), TILECUT_OK);
    ck_assert_msg(off(&f, fine) < 0.5 * off(&f, plain), "%g, plain %g", off(&f, fine), off(&f, plain));
    ck_assert_int_eq(tilecut_edge_matte(&image, f.mask, NULL, 7, again, many), TILECUT_OK);
    ck_assert_mem_eq(fine, again, sizeof fine);
    ck_assert_mem_eq(one, many, sizeof one);
    for (int p = 0; p < AREA; p++) /* pixels with seeds must not be matted */
        seeds[p] = f.mask[p] ? TILECUT_FOREGROUND : p % SIDE < 90 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    ck_assert_int_eq(tilecut_edge_matte(&image, f.mask, seeds, 1, again, NULL), TILECUT_OK);
    for (int p = 0; p < AREA; p++) ck_assert(seeds[p] == TILECUT_UNKNOWN || again[p] == plain[p]);
}

/* A crop with a margin of 11 rows and columns gives the same bits as the whole image. */
TEST(parts_are_as_the_whole)
{
    enum { REACH = 11, X = 17, Y = 20, PW = 60, PH = 50 };
    static scene s;
    static uint16_t whole[N], part[PW * PH];
    static uint8_t mask[PW * PH];
    render(&s, 2, 20, 9);
    const tilecut_image image = view(&s);
    const tilecut_image piece = {.width = PW, .height = PH, .channels = 3, .depth = 8, .stride = (size_t)3 * W,
                                 .pixels = s.rgb + (size_t)3 * (Y * W + X)};
    for (int y = 0; y < PH; y++) memcpy(mask + (size_t)y * PW, s.mask + (size_t)(Y + y) * W + X, PW);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, whole, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_edge(&piece, mask, 1, part, NULL), TILECUT_OK);
    for (int y = REACH; y < PH - REACH; y++)
        for (int x = REACH; x < PW - REACH; x++) ck_assert_int_eq(part[y * PW + x], whole[(Y + y) * W + X + x]);
}

TEST(depths_and_grey_agree)
{
    static scene s;
    static uint16_t eight[N], sixteen[N], wide[3 * N], grey[N];
    static uint8_t alike[3 * N], single[N];
    render(&s, 0, 12, 4);
    for (int i = 0; i < 3 * N; i++) wide[i] = (uint16_t)(s.rgb[i] * 257), alike[i] = s.rgb[i / 3 * 3];
    for (int p = 0; p < N; p++) single[p] = s.rgb[3 * p];
    tilecut_image image = view(&s);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, eight, NULL), TILECUT_OK);
    image.depth = 16, image.pixels = wide;
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, sixteen, NULL), TILECUT_OK);
    ck_assert_mem_eq(eight, sixteen, sizeof eight);
    image.depth = 8, image.pixels = alike;
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, eight, NULL), TILECUT_OK);
    image.channels = 1, image.pixels = single;
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, grey, NULL), TILECUT_OK);
    ck_assert_mem_eq(eight, grey, sizeof eight);
}

/* ---- bad arguments ---------------------------------------------------------------------------- */

TEST(bad_arguments_are_refused)
{
    static scene s;
    static uint16_t alpha[N];
    render(&s, 0, 0, 1);
    tilecut_image image = view(&s);
    ck_assert_int_eq(tilecut_edge(NULL, s.mask, 1, alpha, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_edge(&image, NULL, 1, alpha, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 257, alpha, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, -1, alpha, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, (uint16_t *)(void *)((char *)alpha + 1), NULL), TILECUT_EINVAL);
    image.depth = 16, image.pixels = s.rgb + 1;
    ck_assert_int_eq(tilecut_edge(&image, s.mask, 1, alpha, NULL), TILECUT_EINVAL);
}

/* Images of one pixel, one row, one column. */
LOOP_TEST(small_images_are_images, 0, 4)
{
    static const int size[4][2] = {{1, 1}, {9, 1}, {1, 9}, {2, 2}};
    static const uint8_t rgb[27] = {9, 200, 3, 90, 90, 7}, mask[9] = {0, 255, 255, 0, 255};
    uint16_t alpha[9];
    uint8_t colors[27];
    const tilecut_image image = {.width = size[_i][0], .height = size[_i][1], .channels = 3, .depth = 8, .pixels = rgb};
    ck_assert_int_eq(tilecut_edge(&image, mask, 1, alpha, colors), TILECUT_OK);
    if (_i == 0) ck_assert_int_eq(alpha[0], 0);
}

int main(void) { return run_suite((test_suite){.name = "edge"}); }
