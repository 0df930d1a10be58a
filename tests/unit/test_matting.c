/* SPDX-License-Identifier: MIT
 *
 * test_matting.c - soft edges by matting: the equations against a dense solver that does not use the ribbon, and
 * properties that every matte has.
 *
 * Threads: run under the thread sanitizer, too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conjugate.h"
#include "foreground.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

enum { SMALL_W = 6, SMALL_H = 5, SMALL = SMALL_W * SMALL_H, W = 120, H = 90, N = W * H };

/* ---- the equations ---------------------------------------------------------------------------- */

typedef struct small {
    float color[3 * SMALL], alpha[SMALL];
    uint8_t unknown[SMALL];
} small;

static void random_small(small *s, uint64_t seed)
{
    uint64_t state = seed;
    for (int i = 0; i < 3 * SMALL; i++) s->color[i] = (float)random_below(&state, 256) / 255;
    for (int p = 0; p < SMALL; p++) {
        s->unknown[p] = random_below(&state, 3) > 0;
        s->alpha[p] = (float)random_below(&state, 2);
    }
    s->unknown[0] = s->unknown[SMALL - 1] = 0;
    s->alpha[0] = 0;
    s->alpha[SMALL - 1] = 1;
}

/* Solves n equations of n + 1 columns by Gaussian elimination with pivoting. */
static void eliminate(double *m, int n, double *x)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(m[r * (n + 1) + c]) > fabs(m[best * (n + 1) + c])) best = r;
        for (int k = 0; k <= n; k++) {
            const double swap = m[c * (n + 1) + k];
            m[c * (n + 1) + k] = m[best * (n + 1) + k];
            m[best * (n + 1) + k] = swap;
        }
        for (int r = 0; r < n; r++) {
            const double factor = r == c ? 0 : m[r * (n + 1) + c] / m[c * (n + 1) + c];
            for (int k = c; k <= n; k++) m[r * (n + 1) + k] -= factor * m[c * (n + 1) + k];
        }
    }
    for (int c = 0; c < n; c++) x[c] = m[c * (n + 1) + n] / m[c * (n + 1) + c];
}

/* Returns Levin's quadratic form by its definition. In each window, a and b are fitted by least squares with eps |a|^2;
 * the form is the sum of the residuals of alpha. */
static double leftover(const small *s, double eps, const double *alpha)
{
    double sum = 0;
    for (int wy = 0; wy < SMALL_H; wy++)
        for (int wx = 0; wx < SMALL_W; wx++) {
            double m[4 * 5] = {0}, line[4], error = 0;
            for (int j = wy - 1; j <= wy + 1; j++)
                for (int i = wx - 1; i <= wx + 1; i++) {
                    if (i < 0 || j < 0 || i >= SMALL_W || j >= SMALL_H) continue;
                    const int p = j * SMALL_W + i;
                    const double row[4] = {s->color[3 * p], s->color[3 * p + 1], s->color[3 * p + 2], 1};
                    for (int r = 0; r < 4; r++) {
                        for (int c = 0; c < 4; c++) m[r * 5 + c] += row[r] * row[c];
                        m[r * 5 + 4] += row[r] * alpha[p];
                    }
                }
            for (int c = 0; c < 3; c++) m[c * 5 + c] += eps;
            eliminate(m, 4, line);
            for (int j = wy - 1; j <= wy + 1; j++)
                for (int i = wx - 1; i <= wx + 1; i++) {
                    if (i < 0 || j < 0 || i >= SMALL_W || j >= SMALL_H) continue;
                    const int p = j * SMALL_W + i;
                    const double off = alpha[p] - line[0] * s->color[3 * p] - line[1] * s->color[3 * p + 1] -
                                       line[2] * s->color[3 * p + 2] - line[3];
                    error += off * off;
                }
            sum += error + eps * (line[0] * line[0] + line[1] * line[1] + line[2] * line[2]);
        }
    return sum;
}

/* Computes the alphas that minimise the form. Since it is quadratic, its values at a few points give a dense system. */
static void dense_solve(const small *s, double eps, double *x)
{
    int at[SMALL], n = 0;
    double base[SMALL], m[SMALL * (SMALL + 1)];
    for (int p = 0; p < SMALL; p++) {
        base[p] = s->unknown[p] ? 0 : s->alpha[p];
        if (s->unknown[p]) at[n++] = p;
    }
    const double zero = leftover(s, eps, base);
    double one[SMALL];
    for (int r = 0; r < n; r++) {
        base[at[r]] = 1;
        one[r] = leftover(s, eps, base);
        base[at[r]] = 0;
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            base[at[r]] += 1;
            base[at[c]] += 1;
            const double both = leftover(s, eps, base);
            base[at[r]] = base[at[c]] = 0;
            m[r * (n + 1) + c] = both - one[r] - one[c] + zero;
        }
    for (int r = 0; r < n; r++) { /* the gradient g at zero follows from f(e) - f(0) = g + m(r, r) / 2 */
        const double square = leftover(s, eps, (base[at[r]] = 2, base)) - 2 * one[r] + zero;
        base[at[r]] = 0;
        m[r * (n + 1) + r] = square;
        m[r * (n + 1) + n] = -(one[r] - zero - square / 2);
    }
    eliminate(m, n, x);
}

LOOP_TEST(solves_the_equations_of_the_paper, 0, 3)
{
    const double eps = 1e-3;
    for (uint64_t seed = 1; seed <= 4 + RANDOM_CASES(36); seed++) {
        small s;
        ribbon shape;
        matting_system system;
        double expected[SMALL], *x;
        random_small(&s, seed + 40 * (uint64_t)_i);
        dense_solve(&s, eps, expected);
        ck_assert(tc_ribbon_init(&shape, s.unknown, SMALL_W, SMALL_H));
        const matting_known known = {.width = SMALL_W, .height = SMALL_H, .color = s.color, .alpha = s.alpha,
                                     .unknown = s.unknown, .noise = eps};
        ck_assert(tc_laplacian_init(&system, &shape, &known, 2));
        ck_assert_ptr_nonnull(x = calloc((size_t)shape.places + 1, sizeof *x));
        const conjugate_limits limits = {1e-9, 1000, 2};
        ck_assert_int_ge(tc_conjugate_solve(&system, &limits, x), 0);
        int found = 0;
        double least[SMALL], solved[SMALL];
        for (int p = 0; p < SMALL; p++) least[p] = solved[p] = s.alpha[p];
        for (int n = 0; n < shape.runs; n++)
            for (int i = 0; i < shape.run[n].length; i++, found++) {
                const int p = shape.run[n].y * SMALL_W + shape.run[n].x + i;
                least[p] = expected[found], solved[p] = x[shape.run[n].at[RIBBON_REACH] + i];
                ck_assert_msg(fabs(solved[p] - least[p]) < 2e-2, "seed %llu, unknown %d: %g, not %g",
                              (unsigned long long)seed, found, solved[p], least[p]);
            }
        /* Where a system of equations hardly determines alpha, different alphas are right. But the least value of the
         * quadratic form is always determined. */
        const double form = leftover(&s, eps, least);
        ck_assert_double_eq_tol(leftover(&s, eps, solved), form, 1e-4 * form);
        free(x);
        tc_laplacian_free(&system);
        tc_ribbon_free(&shape);
    }
}

/* ---- a scene: a disc with a broad border over a background, both with waves ---------------------- */

static uint8_t pixels[3 * N], mask[N], trimap[N], seeds[N];
static double share[N];
static uint16_t alpha[N], again[N];
static const tilecut_image photo = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};

static void compose(double width)
{
    uint64_t state = 3;
    for (int p = 0; p < N; p++) {
        const double x = p % W, y = p / W, r = (30 - hypot(x - W / 2.0, y - H / 2.0)) / width + 0.5;
        share[p] = r < 0 ? 0 : r > 1 ? 1 : r;
        mask[p] = share[p] >= 0.5 ? 255 : 0;
        trimap[p] = r < -0.3 ? 0 : r > 1.3 ? 255 : 128;
        seeds[p] = TILECUT_UNKNOWN;
        for (int c = 0; c < 3; c++) {
            const double front = 200 - 50 * c + 12 * sin(x / 9 + y / 14), back = 50 + 35 * c + 12 * sin(x / 11 - y / 7);
            pixels[3 * p + c] = (uint8_t)(share[p] * front + (1 - share[p]) * back + random_below(&state, 5));
        }
    }
}

static double error_of(const uint16_t *a)
{
    double sum = 0;
    for (int p = 0; p < N; p++) sum += fabs(a[p] / 65535.0 - share[p]);
    return sum;
}

static double error_of_mask(void)
{
    double sum = 0;
    for (int p = 0; p < N; p++) sum += fabs(mask[p] / 255.0 - share[p]);
    return sum;
}

TEST(alpha_is_near_the_truth_and_keeps_what_is_known)
{
    compose(8);
    ck_assert_int_eq(tilecut_matte(&photo, trimap, 1, alpha), TILECUT_OK);
    for (int p = 0; p < N; p++)
        if (trimap[p] != 128) ck_assert_int_eq(alpha[p], trimap[p] ? 65535 : 0);
    ck_assert_double_lt(4 * error_of(alpha), error_of_mask());
}

TEST(threads_do_not_change_a_bit)
{
    static const int counts[] = {2, 3, 7, 32};
    static uint8_t clean[3 * N], clean_again[3 * N], band[N], band_again[N];
    compose(10);
    ck_assert_int_eq(tilecut_matte_band(&photo, mask, NULL, 1, band), TILECUT_OK);
    ck_assert_int_eq(tilecut_matte(&photo, band, 1, alpha), TILECUT_OK);
    ck_assert_int_eq(tilecut_matte_colors(&photo, alpha, 1, clean), TILECUT_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ck_assert_int_eq(tilecut_matte_band(&photo, mask, NULL, counts[i], band_again), TILECUT_OK);
        ck_assert_int_eq(tilecut_matte(&photo, band, counts[i], again), TILECUT_OK);
        ck_assert_int_eq(tilecut_matte_colors(&photo, alpha, counts[i], clean_again), TILECUT_OK);
        ck_assert_mem_eq(band, band_again, sizeof band);
        ck_assert_mem_eq(alpha, again, sizeof alpha);
        ck_assert_mem_eq(clean, clean_again, sizeof clean);
    }
}

/* At a sharp edge the band keeps its initial width, and at a soft edge it grows. It never contains pixels with
 * seeds. */
TEST(the_band_follows_the_edge)
{
    static const double widths[] = {1, 30};
    int unknown[2] = {0};
    for (int i = 0; i < 2; i++) {
        compose(widths[i]);
        for (int p = 0; p < N; p++) seeds[p] = p % W < W / 2 ? TILECUT_UNKNOWN
                                                                : mask[p] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        ck_assert_int_eq(tilecut_matte_band(&photo, mask, seeds, 2, trimap), TILECUT_OK);
        for (int p = 0; p < N; p++) {
            unknown[i] += trimap[p] == TILECUT_MATTE_UNKNOWN;
            if (seeds[p]) ck_assert_int_eq(trimap[p], mask[p]);
        }
        ck_assert_int_eq(tilecut_matte(&photo, trimap, 2, alpha), TILECUT_OK);
        double left = 0, hard = 0; /* sums of the errors in the half without seeds */
        for (int p = 0; p < N; p++)
            if (!seeds[p]) {
                left += fabs(alpha[p] / 65535.0 - share[p]);
                hard += fabs(mask[p] / 255.0 - share[p]);
            }
        ck_assert_double_lt(1.5 * left, hard);
    }
    ck_assert_int_gt(unknown[0], 0);
    ck_assert_int_gt(unknown[1], unknown[0] * 3 / 2);
}

/* A bar, or a gap of background, is a few columns wide, in noise. Without seeds, a band around its edges would cover
 * it, and no known pixel would be left to compute alpha from. */
TEST(what_is_thin_stays_known_in_its_middle)
{
    static uint8_t noise[3 * N];
    const tilecut_image noisy = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = noise};
    for (int thick = 1; thick <= 31; thick += 3)
        for (int inverse = 0; inverse < 2; inverse++) {
            uint64_t state = (uint64_t)thick;
            int known[2] = {0};
            double off = 0;
            for (int p = 0; p < N; p++) {
                const bool bar = p % W >= 40 && p % W < 40 + thick && p / W > 5 && p / W < H - 5;
                mask[p] = bar != (inverse != 0) ? 255 : 0;
                for (int c = 0; c < 3; c++)
                    noise[3 * p + c] = (uint8_t)((bar == (c == 0) ? 180 : 40) + random_below(&state, 40));
            }
            ck_assert_int_eq(tilecut_matte_band(&noisy, mask, NULL, 2, trimap), TILECUT_OK);
            for (int p = 0; p < N; p++)
                if (trimap[p] != TILECUT_MATTE_UNKNOWN) {
                    ck_assert_int_eq(trimap[p], mask[p]);
                    known[mask[p] != 0]++;
                }
            ck_assert_msg(known[0] && known[1], "a bar of %d columns: %d and %d known", thick, known[0], known[1]);
            ck_assert_int_eq(tilecut_matte(&noisy, trimap, 2, alpha), TILECUT_OK);
            for (int p = 0; p < N; p++) off += fabs(alpha[p] / 65535.0 - mask[p] / 255.0) / N;
            ck_assert_double_lt(off, 0.05);
        }
}

/* A white body with a grey wing on black. The wing has the colour of a mixture, but it is not a soft edge. */
TEST(a_wing_in_between_the_colors_stays_opaque)
{
    static uint8_t grey[N];
    const tilecut_image plane = {.width = W, .height = H, .channels = 1, .depth = 8, .pixels = grey};
    uint64_t state = 1;
    double off = 0;
    int wing = 0;
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W;
        const bool on_wing = x >= 45 && x < 115 && y >= 30 && y < 60;
        mask[p] = x < 45 || on_wing ? 255 : 0;
        grey[p] = (uint8_t)((on_wing ? 120 : mask[p] ? 230 : 10) + random_below(&state, 20));
    }
    ck_assert_int_eq(tilecut_matte_band(&plane, mask, NULL, 2, trimap), TILECUT_OK);
    ck_assert_int_eq(tilecut_matte(&plane, trimap, 2, alpha), TILECUT_OK);
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W;
        if (x < 55 || x >= 105 || y < 31 || y >= 59) continue;
        if (y >= 37 && y < 53) ck_assert_msg(trimap[p] == TILECUT_MATTE_FOREGROUND, "%d, %d is %d", x, y, trimap[p]);
        off += 1 - alpha[p] / 65535.0;
        wing++;
    }
    ck_assert_msg(off < 0.1 * wing, "%.2f of the wing is transparent", off / wing);
}

/* Where alpha is 0 or 1, the photo's colour stays. Elsewhere, the object's colour over the background gives the photo
 * again, and is closer to the true colour than the photo is. */
TEST(colors_lose_the_background)
{
    static uint8_t clean[3 * N];
    double before = 0, after = 0;
    compose(8);
    for (int p = 0; p < N; p++) alpha[p] = (uint16_t)(share[p] * 65535);
    ck_assert_int_eq(tilecut_matte_colors(&photo, alpha, 2, clean), TILECUT_OK);
    for (int p = 0; p < N; p++)
        for (int c = 0; c < 3; c++) {
            const double x = p % W, y = p / W, front = 202 - 50 * c + 12 * sin(x / 9 + y / 14);
            if (alpha[p] == 0 || alpha[p] == 65535) {
                ck_assert_int_eq(clean[3 * p + c], pixels[3 * p + c]);
            } else {
                before += share[p] * fabs(pixels[3 * p + c] - front);
                after += share[p] * fabs(clean[3 * p + c] - front);
            }
        }
    ck_assert_double_lt(4 * after, before);
}

/* For any shape and depth of the photo, known pixels stay. A grey photo of 16 bits works as well as a colour photo of 8
 * bits. */
TEST(shapes_depths_and_strides)
{
    static const int sizes[][2] = {{1, 9}, {9, 1}, {2, 2}, {3, 40}, {40, 3}, {64, 64}};
    static uint16_t wide[64 * 80], colors[64 * 64];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int w = sizes[i][0], h = sizes[i][1];
        const tilecut_image grey = {.width = w, .height = h, .channels = 1, .depth = 16, .stride = 160, .pixels = wide};
        uint64_t state = i + 1;
        for (int k = 0; k < 64 * 80; k++) wide[k] = (uint16_t)random_below(&state, 65536);
        for (int p = 0; p < w * h; p++) trimap[p] = 128;
        trimap[0] = 0;
        trimap[w * h - 1] = 255;
        ck_assert_int_eq(tilecut_matte(&grey, trimap, 2, alpha), TILECUT_OK);
        ck_assert_int_eq(alpha[0], 0);
        ck_assert_int_eq(alpha[w * h - 1], 65535);
        ck_assert_int_eq(tilecut_matte_colors(&grey, alpha, 2, colors), TILECUT_OK);
        ck_assert_int_eq(colors[0], wide[0]);
        ck_assert_int_eq(colors[w * h - 1], wide[80 * (h - 1) + w - 1]);
    }
}

/* There are more unknown pixels than are solved at once, so smaller copies are solved first. */
TEST(large_bands_go_from_coarse_to_fine)
{
    enum { SIDE = 520 };
    uint8_t *const big = malloc(3 * SIDE * SIDE), *const known = malloc(SIDE * SIDE);
    uint16_t *const found = malloc(SIDE * SIDE * sizeof *found);
    const tilecut_image image = {.width = SIDE, .height = SIDE, .channels = 3, .depth = 8, .pixels = big};
    double off = 0;
    for (int p = 0; p < SIDE * SIDE; p++) {
        const double a = (p % SIDE - 20) / (SIDE - 40.0), clipped = a < 0 ? 0 : a > 1 ? 1 : a;
        known[p] = p % SIDE < 20 ? 0 : p % SIDE >= SIDE - 20 ? 255 : 128;
        for (int c = 0; c < 3; c++)
            big[3 * p + c] = (uint8_t)(clipped * (220 - 30 * c) + (1 - clipped) * (20 + 40 * c));
    }
    ck_assert_int_eq(tilecut_matte(&image, known, 2, found), TILECUT_OK);
    for (int p = 0; p < SIDE * SIDE; p++) {
        const double a = (p % SIDE - 20) / (SIDE - 40.0), clipped = a < 0 ? 0 : a > 1 ? 1 : a;
        off += fabs(found[p] / 65535.0 - clipped) / (SIDE * SIDE);
    }
    ck_assert_double_lt(off, 0.02);
    free(big);
    free(known);
    free(found);
}

TEST(refuses_what_it_cannot_use)
{
    static uint8_t clean[3 * N];
    compose(8);
    memset(alpha, 7, sizeof alpha);
    memcpy(again, alpha, sizeof alpha);
    ck_assert_int_eq(tilecut_matte(NULL, trimap, 1, alpha), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte(&photo, NULL, 1, alpha), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte(&photo, trimap, 1, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte(&photo, trimap, 257, alpha), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte(&photo, trimap, -1, alpha), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte_band(&photo, NULL, NULL, 1, trimap), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte_band(&photo, mask, NULL, 1, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte_colors(&photo, NULL, 1, clean), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_matte_colors(&photo, alpha, 1, NULL), TILECUT_EINVAL);
    trimap[5] = 1;
    ck_assert_int_eq(tilecut_matte(&photo, trimap, 1, alpha), TILECUT_EINVAL);
    for (int p = 0; p < N; p++) trimap[p] = (uint8_t)(p % 2 * 128);
    ck_assert_int_eq(tilecut_matte(&photo, trimap, 1, alpha), TILECUT_ESEEDS);
    ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "no pixel of the object"));
    ck_assert_mem_eq(alpha, again, sizeof alpha);
}

int main(void) { return run_suite((test_suite){.name = "matting", .seconds = 120}); }
