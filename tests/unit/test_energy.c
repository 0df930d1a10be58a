/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_energy.c - compares the capacities of images with the formula, evaluated pixel by pixel in doubles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy.h"
#include "random_graph.h"
#include "run_suite.h"

enum { W = 37, H = 29, N = W * H };

typedef struct picture {
    tilecut_image image;
    uint16_t wide[3 * N];
    uint8_t narrow[3 * N];
    uint8_t seeds[N];
} picture;

/* Draws smooth noise, with seeds in two corners. */
static void picture_init(picture *p, uint64_t seed, int channels, int depth)
{
    uint64_t state = seed;
    for (int i = 0; i < channels * N; i++) {
        const int v = 90 + 40 * (i / channels % W > W / 2) + random_below(&state, 40);
        p->narrow[i] = (uint8_t)v;
        p->wide[i] = (uint16_t)(v * 257);
    }
    memset(p->seeds, TILECUT_UNKNOWN, N);
    for (int i = 0; i < 6; i++) {
        p->seeds[i * W + i] = TILECUT_FOREGROUND;
        p->seeds[N - 1 - i * W] = TILECUT_BACKGROUND;
    }
    p->image = (tilecut_image){0, W, H, channels, depth, 0, depth == 8 ? (void *)p->narrow : (void *)p->wide};
}

static double sample(const picture *p, int x, int y, int c)
{
    const int i = (y * W + x) * p->image.channels + c;
    return p->image.depth == 8 ? p->narrow[i] : p->wide[i] / 257.0;
}

static double squared(const picture *p, int x, int y, int qx, int qy)
{
    double sum = 0;
    for (int c = 0; c < p->image.channels; c++) {
        const double d = sample(p, x, y, c) - sample(p, qx, qy, c);
        sum += d * d;
    }
    return sum;
}

static const int dx[] = {1, 0, 1, -1}, dy[] = {0, 1, 1, 1};

static bool linked(int x, int y, int k)
{
    return x + dx[k] >= 0 && x + dx[k] < W && y + dy[k] < H;
}

static double beta_of(const picture *p, int connectivity)
{
    double sum = 0;
    int links = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int k = 0; k < connectivity / 2; k++) {
                if (!linked(x, y, k)) continue;
                sum += squared(p, x, y, x + dx[k], y + dy[k]);
                links++;
            }
    return 1 / (2 * sum / links);
}

typedef struct rows {
    int32_t source[N], sink[N], to[4][N], from[4][N];
} rows;

static void read_rows(const tilecut_graph *graph, rows *r)
{
    for (int y = 0; y < H; y++) {
        tilecut_row row = {0, r->source + y * W, r->sink + y * W, {0}, {0}};
        for (int k = 0; k < 4; k++) row.to[k] = r->to[k] + y * W, row.from[k] = r->from[k] + y * W;
        tilecut_graph_row(graph, y, &row);
    }
}

LOOP_TEST(links_follow_the_formula, 0, 8)
{
    static picture p;
    static rows r;
    const int channels = _i & 1 ? 3 : 1, depth = _i & 2 ? 16 : 8, connectivity = _i & 4 ? 8 : 4;
    tilecut_params params = tilecut_params_default();
    tilecut_graph *graph;
    tilecut_report report = {0};
    uint8_t mask[N];

    picture_init(&p, (uint64_t)_i, channels, depth);
    params.connectivity = connectivity;
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &p.image, p.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, mask, &report), TILECUT_OK);
    read_rows(graph, &r);
    const double beta = beta_of(&p, connectivity);
    ck_assert_double_eq_tol(report.beta, beta, beta * 1e-12);
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            for (int k = 0; k < 4; k++) {
                const int i = y * W + x;
                double w = 0, exponent = 0;
                if (k < connectivity / 2 && linked(x, y, k)) {
                    exponent = beta * squared(&p, x, y, x + dx[k], y + dy[k]);
                    w = 50 * exp(-exponent) / (k < 2 ? 1 : sqrt(2));
                }
                /* 16-bit contrasts are looked up by their 11 leading bits: off by 2^-11 at most. */
                const double blur = depth == 8 ? 0 : exponent / 2048;
                const double tolerance = 0.501 + (1.01 * blur) * w / report.quantum;
                ck_assert_double_eq_tol(r.to[k][i], w / report.quantum, tolerance);
                ck_assert_int_eq(r.to[k][i], r.from[k][i]);
            }
        }
    }
    tilecut_graph_destroy(graph);
}

LOOP_TEST(seeds_outweigh_their_links, 0, 2)
{
    static picture p;
    static rows r;
    const int connectivity = _i ? 8 : 4;
    static const double lambdas[] = {TILECUT_NONE, 1e-6, 0.3, 50, 1e4, 1e9};
    for (size_t l = 0; l < sizeof lambdas / sizeof *lambdas; l++) {
        tilecut_params params = tilecut_params_default();
        tilecut_graph *graph;
        uint8_t mask[N];
        picture_init(&p, 3, 3, 8);
        params.connectivity = connectivity;
        params.lambda = lambdas[l];
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &p.image, p.seeds, &params), TILECUT_OK);
        read_rows(graph, &r);
        for (int i = 0; i < N; i++) {
            int64_t sum = 0;
            const int x = i % W, y = i / W;
            for (int k = 0; k < 4; k++) {
                if (linked(x, y, k)) sum += r.to[k][i];
                if (x - dx[k] >= 0 && x - dx[k] < W && y - dy[k] >= 0) sum += r.to[k][i - dy[k] * W - dx[k]];
            }
            ck_assert_int_lt(sum + llabs((int64_t)r.source[i] - r.sink[i]), 1 << 24);
            if (p.seeds[i] == TILECUT_FOREGROUND) ck_assert(r.source[i] > sum && r.sink[i] == 0);
            if (p.seeds[i] == TILECUT_BACKGROUND) ck_assert(r.sink[i] > sum && r.source[i] == 0);
        }
        ck_assert_int_eq(tilecut_graph_solve(graph, &params, mask, NULL), TILECUT_OK);
        for (int i = 0; i < N; i++) {
            if (p.seeds[i] == TILECUT_FOREGROUND) ck_assert_int_eq(mask[i], 255);
            if (p.seeds[i] == TILECUT_BACKGROUND) ck_assert_int_eq(mask[i], 0);
        }
        tilecut_graph_destroy(graph);
    }
}

TEST(soft_seeds_do_not_bind)
{
    static picture p;
    static rows hard, soft;
    tilecut_params params = tilecut_params_default();
    tilecut_graph *graph;
    picture_init(&p, 9, 3, 8);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &p.image, p.seeds, &params), TILECUT_OK);
    read_rows(graph, &hard);
    tilecut_graph_destroy(graph);
    params.soft_seeds = 1;
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &p.image, p.seeds, &params), TILECUT_OK);
    read_rows(graph, &soft);
    tilecut_graph_destroy(graph);
    for (int i = 0; i < N; i++) {
        const bool same = hard.source[i] == soft.source[i] && hard.sink[i] == soft.sink[i];
        ck_assert_int_eq(same, p.seeds[i] == TILECUT_UNKNOWN);
    }
}

/* The calls that need a GPU, in a build without one. */
TEST(no_device_no_mask)
{
    static picture p;
    tilecut_params params = tilecut_params_default();
    uint8_t mask[N];
    picture_init(&p, 22, 3, 8);
    memset(mask, 7, sizeof mask);
    for (params.where = TILECUT_HOST; params.where <= TILECUT_DEVICE; params.where++) {
        ck_assert_int_eq(tilecut_segment(&p.image, NULL, &params, mask, NULL), TILECUT_EINVAL);
        ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, &params, NULL, NULL), TILECUT_EINVAL);
        ck_assert_int_eq(tilecut_segment(NULL, p.seeds, &params, mask, NULL), TILECUT_EINVAL);
    }
    /* `where` is neither host nor device */
    ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, &params, mask, NULL), TILECUT_EINVAL);
    params.where = TILECUT_DEVICE;
    tilecut_graph *graph;
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &p.image, p.seeds, &params), TILECUT_EINVAL);
    if (!tilecut_cuda_built())
        ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, &params, mask, NULL), TILECUT_ENODEVICE);
    params.where = TILECUT_HOST;
    params.solver = "cuda";
    if (!tilecut_cuda_built()) {
        ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, &params, mask, NULL), TILECUT_ENODEVICE);
        params.iterations = 2; /* the CPU would learn, and the device would cut afterwards */
        ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, &params, mask, NULL), TILECUT_ENODEVICE);
        ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "without CUDA"));
    }
    for (int i = 0; i < N; i++) ck_assert_int_eq(mask[i], 7);
    params.lambda = -2;
    ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, &params, mask, NULL), TILECUT_EINVAL);
}

TEST(stride_and_depth_do_not_change_the_mask)
{
    static picture p, q;
    static uint8_t padded[H * (3 * W + 11)];
    uint8_t mask[N], other[N];
    picture_init(&p, 21, 3, 8);
    ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, NULL, mask, NULL), TILECUT_OK);
    for (int y = 0; y < H; y++) memcpy(padded + y * (3 * W + 11), p.narrow + y * 3 * W, 3 * W);
    p.image.pixels = padded;
    p.image.stride = 3 * W + 11;
    ck_assert_int_eq(tilecut_segment(&p.image, p.seeds, NULL, other, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
    picture_init(&q, 21, 3, 16);
    ck_assert_int_eq(tilecut_segment(&q.image, q.seeds, NULL, other, NULL), TILECUT_OK);
    int differ = 0;
    for (int i = 0; i < N; i++) differ += mask[i] != other[i];
    ck_assert_int_lt(differ, N / 50); /* 16-bit contrasts are rounded slightly differently */
}

TEST(flat_and_tiny_images_work)
{
    static const int sizes[][2] = {{2, 1}, {1, 2}, {2, 2}, {200, 1}, {1, 200}, {33, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = sizes[s][0] * sizes[s][1];
        uint8_t pixels[600], seeds[200] = {0}, mask[200];
        tilecut_image image = {0, sizes[s][0], sizes[s][1], 3, 8, 0, pixels};
        tilecut_report report = {0};
        memset(pixels, 128, sizeof pixels); /* there is no contrast at all, and beta must stay finite */
        seeds[0] = TILECUT_FOREGROUND;
        seeds[n - 1] = TILECUT_BACKGROUND;
        ck_assert_int_eq(tilecut_segment(&image, seeds, NULL, mask, &report), TILECUT_OK);
        ck_assert_int_eq(mask[0], 255);
        ck_assert_int_eq(mask[n - 1], 0);
        ck_assert(report.certified && isfinite(report.beta) && isfinite(report.energy));
    }
}

/* Calls with one wrong argument: checks the status and the message, and that the mask is unchanged. */
static void refuses(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                    tilecut_status expected, const char *fragment)
{
    uint8_t mask[N];
    memset(mask, 99, N);
    ck_assert_int_eq(tilecut_segment(image, seeds, params, mask, NULL), expected);
    ck_assert_msg(strstr(tilecut_error_detail(), fragment) != NULL, "'%s' in '%s'", fragment,
                  tilecut_error_detail());
    for (int i = 0; i < N; i++) ck_assert_int_eq(mask[i], 99);
}

TEST(bad_arguments_are_refused)
{
    static picture p;
    picture_init(&p, 1, 3, 8);
    const tilecut_image good = p.image;
#define WITH(field, value) (params = tilecut_params_default(), params.field = (value), &params)
#define IMAGE(field, value) (image = good, image.field = (value), &image)
    tilecut_params params;
    tilecut_image image;
    refuses(NULL, p.seeds, NULL, TILECUT_EINVAL, "image");
    refuses(&good, NULL, NULL, TILECUT_EINVAL, "seeds");
    refuses(IMAGE(pixels, NULL), p.seeds, NULL, TILECUT_EINVAL, "pixels");
    refuses(IMAGE(width, 0), p.seeds, NULL, TILECUT_EINVAL, "0x29");
    refuses(IMAGE(height, -1), p.seeds, NULL, TILECUT_EINVAL, "37x-1");
    refuses(IMAGE(width, TILECUT_MAX_SIDE + 1), p.seeds, NULL, TILECUT_EINVAL, "65536");
    refuses(IMAGE(channels, 2), p.seeds, NULL, TILECUT_EINVAL, "channels");
    refuses(IMAGE(depth, 12), p.seeds, NULL, TILECUT_EINVAL, "bits");
    refuses(IMAGE(stride, 5), p.seeds, NULL, TILECUT_EINVAL, "stride");
    refuses(&good, p.seeds, WITH(lambda, (double)NAN), TILECUT_EINVAL, "lambda");
    refuses(&good, p.seeds, WITH(lambda, -2), TILECUT_EINVAL, "lambda");
    refuses(&good, p.seeds, WITH(lambda, (double)INFINITY), TILECUT_EINVAL, "lambda");
    refuses(&good, p.seeds, WITH(sigma, -1), TILECUT_EINVAL, "sigma");
    refuses(&good, p.seeds, WITH(connectivity, 6), TILECUT_EINVAL, "connectivity");
    refuses(&good, p.seeds, WITH(threads, -1), TILECUT_EINVAL, "threads");
    refuses(&good, p.seeds, WITH(solver, "best"), TILECUT_EINVAL, "best");
    refuses(&good, p.seeds, WITH(colors, "rainbow"), TILECUT_EINVAL, "rainbow");
    p.seeds[5] = 4;
    refuses(&good, p.seeds, NULL, TILECUT_EINVAL, "labels");
    memset(p.seeds, 0, N);
    p.seeds[0] = TILECUT_BACKGROUND;
    refuses(&good, p.seeds, NULL, TILECUT_ESEEDS, "no foreground seed; give a stroke on the object");
    p.seeds[0] = TILECUT_FOREGROUND;
    refuses(&good, p.seeds, NULL, TILECUT_ESEEDS, "no background seed; give a stroke beside the object");
    p.seeds[0] = TILECUT_UNKNOWN;
    refuses(&good, p.seeds, NULL, TILECUT_ESEEDS, "no seed; give strokes");
}

TEST(capacities_beyond_exactness_are_refused)
{
    int32_t source[4] = {1, 2, 3, 4}, sink[4] = {0}, right[4] = {1, 9, 1, 9}, down[4] = {1, 1, 9, 9};
    tilecut_arrays arrays = {0, 2, 2, source, sink, {right, down}, {0}};
    tilecut_graph *graph;
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    tilecut_graph_destroy(graph);
    right[0] = -1;
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_ERANGE);
    ck_assert_ptr_null(graph);
    right[0] = 1 << 23; /* the two directions together reach the limit */
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_ERANGE);
    right[0] = 1;
    right[1] = INT32_MIN; /* this link leaves the image, so it is ignored */
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    tilecut_graph_destroy(graph);
    arrays.to[2] = right;
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_EINVAL);
}

int main(void) { return run_suite((test_suite){.name = "energy"}); }
