/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_parts.c - one image cut by several threads, each with some rows of it. Mask, flow and energy must be those of
 * one part; a part that fails ends all. PARTS_CASES random grids are tried, by default 80:
 * `PARTS_CASES=10000 build/release/tests/unit/test_parts` takes a minute.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "part_pieces.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_parts.h"

static const int counts[] = {1, 2, 3, 5, 8};

/* A whole problem: from arrays or from an image. */
typedef struct whole {
    const tilecut_arrays *arrays;
    const tilecut_image *image;
    const uint8_t *seeds;
    const tilecut_params *params;
    int width, height;
    uint8_t *mask; /* of all parts, assembled */
    int broken;    /* the part whose seeds are no labels; -1: none */
} whole;

static tilecut_image rows_of_image(const tilecut_image *all, int first, int rows)
{
    tilecut_image some = *all;
    some.pixels = (const char *)all->pixels + (size_t)first * all->stride;
    some.height = rows;
    return some;
}

static void cut_piece(piece *p)
{
    const whole *const w = p->of;
    const size_t width = (size_t)w->width;
    if (w->arrays) {
        const tilecut_arrays some = rows_of_arrays(w->arrays, p->from, p->rows);
        p->status = tilecut_part_solve(&p->part, &some, w->params, p->mask, &p->report, &p->more);
        return;
    }
    const tilecut_image some = rows_of_image(w->image, p->from, p->rows);
    uint8_t *const seeds = piece_rows(p, w->seeds, width);
    if (p->number == w->broken) memset(seeds + (size_t)(p->part.first - p->from) * width, 77, width);
    p->status = tilecut_part_segment(&p->part, &some, seeds, w->params, p->mask, &p->report, &p->more);
    free(seeds);
}

/* Cuts in so many parts. Only part `broken` has bad seeds; -1: none. */
static void cut_in_parts(whole *w, int parts, int broken, piece pieces[MOST_PIECES])
{
    w->broken = broken;
    pieces_cut(pieces, parts, w->height, (size_t)w->width, cut_piece, w, w->mask, false);
}

/* Compares all counts of parts with the answer of one part. */
static void check_whole(whole *w, const uint8_t *mask, const tilecut_report *one, const char *what, unsigned long seed)
{
    const size_t pixels = (size_t)w->width * (size_t)w->height;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        static piece pieces[MOST_PIECES];
        const int parts = counts[c];
        if (parts > w->height) continue;
        cut_in_parts(w, parts, -1, pieces);
        for (int i = 0; i < parts; i++) {
            const char *const why = piece_differs(&pieces[i], one);
            ck_assert_msg(!why, "%s %lu, part %d of %d: %s", what, seed, i, parts, why);
            ck_assert_ptr_nonnull(pieces[i].report.solver);
        }
        ck_assert_msg(memcmp(w->mask, mask, pixels) == 0, "%s %lu: another mask in %d parts", what, seed, parts);
    }
}

/* PARTS_SEED, or by the clock. A failure names the seed of its case: with PARTS_SEED=that, the case is the first. */
static unsigned long first_seed(void)
{
    const char *const given = getenv("PARTS_SEED");
    return given ? strtoul(given, NULL, 10) : (unsigned long)time(NULL);
}

static unsigned long cases(void)
{
    const char *const given = getenv("PARTS_CASES");
    return given ? strtoul(given, NULL, 10) : RANDOM_CASES(80);
}

static void check_graph(const random_graph *r, unsigned long seed)
{
    static const char *const solvers[] = {"auto", "push", "bk", "cascade"};
    const tilecut_params params = {.solver = solvers[seed % 4], .threads = 1 + (int)(seed % 2)};
    tilecut_report report = {0};
    tilecut_graph *graph;
    const size_t pixels = (size_t)r->arrays.width * (size_t)r->arrays.height;
    uint8_t *const mask = malloc(pixels), *const parts = malloc(pixels);
    whole w = {.arrays = &r->arrays, .params = &params, .width = r->arrays.width, .height = r->arrays.height,
               .mask = parts};
    ck_assert_int_eq(tilecut_graph_create(&graph, &r->arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, NULL, mask, &report), TILECUT_OK);
    check_whole(&w, mask, &report, "grid", seed);
    tilecut_graph_destroy(graph);
    free(mask);
    free(parts);
}

/* The grid of that number. */
static void check_grid(unsigned long seed)
{
    random_graph r;
    random_graph_draw(&r, seed, 70, seed % 8 ? 90 : 12);
    check_graph(&r, seed);
    random_graph_free(&r);
}

/* Grids so tall that parts are solved again in bands along their borders. */
START_TEST(tall_grids_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed();
    printf("test_parts: tall grids from seed %lu\n", first);
    fflush(stdout);
    for (unsigned long seed = first; seed < first + 1 + (unsigned long)RANDOM_CASES(24); seed++) {
        uint64_t state = seed;
        random_graph r;
        const int width = 1 + random_below(&state, 40), height = 500 + random_below(&state, 900);
        random_graph_init(&r, seed, width, height, seed / 4 % 2 ? 4 : 8);
        check_graph(&r, seed);
        random_graph_free(&r);
    }
}
END_TEST

START_TEST(random_grids_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed(), many = cases();
    printf("test_parts: seed %lu\n", first);
    fflush(stdout);
    for (unsigned long i = 0; i < many; i++) check_grid(first + i);
}
END_TEST

START_TEST(excess_that_a_solver_leaves_in_the_rim_is_not_lost)
{
    check_grid(1795444533);
}
END_TEST

/* Blobs of several colours with noise, strokes on one of them, and background along the left edge. */
static void draw(uint64_t seed, int width, int height, int channels, uint8_t *pixels, uint8_t *seeds)
{
    uint64_t state = seed;
    const int x0 = random_below(&state, width), y0 = random_below(&state, height), radius = 5 + width / 4;
    memset(seeds, TILECUT_UNKNOWN, (size_t)width * (size_t)height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int p = y * width + x, dx = (x - x0) % (3 * radius), dy = (y - y0) % (4 * radius);
            const bool in = dx * dx + dy * dy < radius * radius;
            for (int c = 0; c < channels; c++)
                pixels[p * channels + c] = (uint8_t)((in ? 150 - 20 * c : 80 + 30 * c) + x * 30 / width +
                                                     random_below(&state, 60));
            if (x == 0 || (y + 7 == height && x % 3)) seeds[p] = TILECUT_BACKGROUND;
            if (dx * dx + dy * dy < 30 && abs(x - x0) < radius && abs(y - y0) < radius) seeds[p] = TILECUT_FOREGROUND;
        }
    seeds[y0 * width + x0] = TILECUT_FOREGROUND;
}

/* One picture; params as given. */
static void check_picture(uint64_t seed, int width, int height, int channels, const tilecut_params *params)
{
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *const picture = malloc(pixels * (size_t)channels), *const seeds = malloc(pixels);
    uint8_t *const mask = malloc(pixels), *const parts = malloc(pixels);
    const tilecut_image image = {0, width, height, channels, 8, (size_t)width * (size_t)channels, picture};
    whole w = {.image = &image, .seeds = seeds, .params = params, .width = width, .height = height, .mask = parts};
    tilecut_report report = {0};
    draw(seed, width, height, channels, picture, seeds);
    ck_assert_msg(tilecut_segment(&image, seeds, params, mask, &report) == TILECUT_OK, "picture %lu: %s",
                  (unsigned long)seed, tilecut_error_detail());
    check_whole(&w, mask, &report, "picture", (unsigned long)seed);
    free(picture);
    free(seeds);
    free(mask);
    free(parts);
}

START_TEST(pictures_have_one_answer_in_any_number_of_parts)
{
    static const char *const models[] = {"gmm", "hist", "none", "gmm"};
    const unsigned long first = first_seed();
    printf("test_parts: pictures from seed %lu\n", first);
    fflush(stdout);
    for (unsigned long i = 0; i < 1 + RANDOM_CASES(15); i++) {
        uint64_t state = first + i;
        const tilecut_params params = {.colors = models[i % 4], .connectivity = i % 5 == 0 ? 8 : 4,
                                       .iterations = i % 7 == 0 ? -1 : i % 7 == 1 ? 2 : 0, .lambda = i % 3 ? 50 : 8,
                                       .spatial = i % 6 ? 0 : TILECUT_NONE};
        const int width = 30 + random_below(&state, 90), height = 12 + random_below(&state, 120);
        check_picture(first + i, width, height, i % 2 ? 3 : 1, &params);
    }
}
END_TEST

/* Parts of a row or two: excess would go to and fro over the borders for thousands of waves. After some the first part
 * solves all, but not if parts lie on disk, as every second number of them do here. */
START_TEST(what_is_flat_is_solved_in_one_part)
{
    enum { LONG = 400, FLAT = 5 };
    static uint8_t picture[LONG * FLAT], seeds[LONG * FLAT], mask[LONG * FLAT], parts[LONG * FLAT];
    static piece pieces[MOST_PIECES];
    const tilecut_params params = {.colors = "none", .lambda = 20, .connectivity = _i ? 8 : 4};
    const tilecut_image image = {0, LONG, FLAT, 1, 8, LONG, picture};
    whole w = {.image = &image, .seeds = seeds, .params = &params, .width = LONG, .height = FLAT, .mask = parts};
    tilecut_report one = {0};
    uint64_t state = 7;
    for (int i = 0; i < LONG * FLAT; i++) picture[i] = (uint8_t)(60 + random_below(&state, 60));
    memset(seeds, TILECUT_UNKNOWN, sizeof seeds);
    seeds[0] = seeds[LONG * FLAT - 1] = TILECUT_BACKGROUND;
    seeds[FLAT / 2 * LONG + LONG / 2] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, &one), TILECUT_OK);
    check_whole(&w, mask, &one, "flat picture", 0);
    cut_in_parts(&w, FLAT, -1, pieces);
    ck_assert_int_eq(pieces[0].more.waves, 16);
}
END_TEST

START_TEST(a_large_picture_learns_in_the_same_smaller_copy)
{
    const tilecut_params params = {.threads = 2};
    check_picture(5, 420, 411, 3, &params);
}
END_TEST

START_TEST(a_part_that_fails_ends_all_with_its_sentence)
{
    enum { W = 40, H = 60 };
    static uint8_t pixels[W * H * 3], seeds[W * H], mask[W * H];
    const tilecut_image image = {0, W, H, 3, 8, 3 * W, pixels};
    static piece pieces[MOST_PIECES];
    whole w = {.image = &image, .seeds = seeds, .width = W, .height = H, .mask = mask};
    draw(3, W, H, 3, pixels, seeds);
    for (int broken = 0; broken < 3; broken++) {
        cut_in_parts(&w, 3, broken, pieces);
        for (int i = 0; i < 3; i++) ck_assert_int_eq(pieces[i].status, TILECUT_EINVAL); /* a count that all share */
        ck_assert_msg(strstr(pieces[0].detail, "not 0 to 3") != NULL, "%s", pieces[0].detail);
        ck_assert_int_eq(mask[0], 99);
    }
}
END_TEST

/* A part with other parameters than the rest, or that does not begin at all. */
static void cut_otherwise(piece *p)
{
    const tilecut_params other = {.lambda = 7};
    const whole *const of = p->of;
    whole w = *of;
    if (p->number == 1) w.params = &other;
    p->of = &w;
    cut_piece(p);
    p->of = of;
}

START_TEST(parts_that_do_not_fit_are_refused)
{
    enum { W = 40, H = 60 };
    static uint8_t pixels[W * H * 3], seeds[W * H], mask[W * H];
    const tilecut_image image = {0, W, H, 3, 8, 3 * W, pixels};
    static piece pieces[MOST_PIECES];
    whole w = {.image = &image, .seeds = seeds, .width = W, .height = H, .mask = mask, .broken = -1};
    draw(3, W, H, 3, pixels, seeds);
    pieces_cut(pieces, 3, H, W, cut_otherwise, &w, mask, false);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pieces[i].status, TILECUT_EINVAL);
        ck_assert_str_eq(pieces[i].detail, "the parameters of part 1 differ from those of part 0");
    }
}
END_TEST

/* Box alone, with strokes in it, beyond it; small and large; cut by some parts while others stand by. */
static void check_box(uint64_t seed, int width, int height)
{
    static const char *const models[] = {"gmm", "gmm", "gmm", "hist"};
    uint64_t state = seed;
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *const picture = malloc(pixels * 3), *const seeds = malloc(pixels);
    uint8_t *const mask = malloc(pixels), *const parts = malloc(pixels);
    const tilecut_image image = {0, width, height, 3, 8, (size_t)width * 3, picture};
    const int kind = random_below(&state, 6);
    const int x0 = random_below(&state, width / 2), y0 = random_below(&state, height / 2);
    const int w = 8 + random_below(&state, width - x0 - 8), h = 6 + random_below(&state, height - y0 - 6);
    const int x = x0 + w / 2, y = y0 + h / 2;
    const tilecut_params params = {.colors = models[random_below(&state, 4)], .effort = random_below(&state, 4),
                                   .connectivity = random_below(&state, 4) ? 4 : 8};
    whole all = {.image = &image, .seeds = seeds, .params = &params, .width = width, .height = height, .mask = parts};
    tilecut_report report = {0};
    draw(seed, width, height, 3, picture, seeds);
    memset(seeds, TILECUT_OUTSIDE, pixels);
    for (int row = y0; row < y0 + h; row++) memset(seeds + row * width + x0, TILECUT_UNKNOWN, (size_t)w);
    if (kind & 1) memset(seeds + y * width + x, TILECUT_FOREGROUND, 3);
    if (kind & 2) memset(seeds + (y + h / 4) * width + x0 + 1, TILECUT_BACKGROUND, 4);
    if (kind == 4) seeds[random_below(&state, (int)pixels)] = TILECUT_BACKGROUND;
    const tilecut_status status = tilecut_segment(&image, seeds, &params, mask, &report);
    ck_assert_msg(status == TILECUT_OK, "box %lu: %s", (unsigned long)seed, tilecut_error_detail());
    check_whole(&all, mask, &report, "box", (unsigned long)seed);
    free(picture);
    free(seeds);
    free(mask);
    free(parts);
}

START_TEST(boxes_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed();
    printf("test_parts: boxes from seed %lu\n", first);
    fflush(stdout);
    for (unsigned long i = 0; i < 1 + RANDOM_CASES(4); i++) {
        uint64_t state = first + i;
        const int width = 40 + random_below(&state, 60), height = 30 + random_below(&state, 70);
        check_box(first + i, width, height);
    }
}
END_TEST

START_TEST(a_large_box_learns_in_the_same_smaller_copy)
{
    check_box(8, 420, 411);
}
END_TEST

static Suite *suite(void)
{
    Suite *const s = suite_create("parts");
    TCase *const t = tcase_create("parts");
    tcase_set_timeout(t, 3600);
    tcase_add_test(t, random_grids_have_one_answer_in_any_number_of_parts);
    tcase_add_test(t, tall_grids_have_one_answer_in_any_number_of_parts);
    tcase_add_test(t, excess_that_a_solver_leaves_in_the_rim_is_not_lost);
    tcase_add_test(t, pictures_have_one_answer_in_any_number_of_parts);
    tcase_add_loop_test(t, what_is_flat_is_solved_in_one_part, 0, 2);
    tcase_add_test(t, a_large_picture_learns_in_the_same_smaller_copy);
    tcase_add_test(t, a_part_that_fails_ends_all_with_its_sentence);
    tcase_add_test(t, parts_that_do_not_fit_are_refused);
    tcase_add_test(t, boxes_have_one_answer_in_any_number_of_parts);
    tcase_add_test(t, a_large_box_learns_in_the_same_smaller_copy);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(suite());
}
