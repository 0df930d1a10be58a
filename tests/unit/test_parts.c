/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_parts.c - one image cut by several threads, each with some of its rows. Mask, flow and energy must equal those
 * of one part, and a part that fails ends all. PARTS_CASES is the number of random grids, by default 20:
 * `PARTS_CASES=10000 build/release/tests/unit/test_parts` takes a minute.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "part_scene.h"
#include "run_suite.h"
#include "tilecut_parts.h"

static const int counts[] = {1, 2, 3, 5, 8};

/* Compares every number of parts with the answer of one part. */
static void check_scene(const part_scene *s, const uint8_t *mask, const tilecut_report *one, const char *what,
                        unsigned long seed)
{
    static piece pieces[MOST_PIECES];
    const size_t step = RANDOM_BY_NIGHT(1) ? 1 : 2;
    for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= part_scene_rows(s); c += step) {
        const char *const why = part_scene_try(s, counts[c], mask, one, pieces);
        ck_assert_msg(!why, "%s %lu in %d parts: %s", what, seed, counts[c], why);
    }
}

/* Cuts the scene in one part with the library's choice of solver, and in several parts. */
static void check(const part_scene *s, const char *what, unsigned long seed)
{
    uint8_t *const mask = malloc(part_scene_pixels(s));
    tilecut_report report = {0};
    ck_assert_msg(part_scene_solve(s, NULL, mask, &report) == TILECUT_OK, "%s %lu: %s", what, seed,
                  tilecut_error_detail());
    check_scene(s, mask, &report, what, seed);
    free(mask);
}

/* The first seed: PARTS_SEED, or else the clock. A failure names the seed of its case; with PARTS_SEED set to it, that
 * case is the first. */
static unsigned long first_seed(void) { return number_from("PARTS_SEED", (uint64_t)time(NULL)); }
static unsigned long cases(void) { return number_from("PARTS_CASES", RANDOM_CASES(RANDOM_TIMES > 1 ? 40 : 20)); }

static void check_graph(const random_graph *r, unsigned long seed)
{
    static const char *const solvers[] = {"auto", "push", "bk", "cascade"};
    const part_scene scene = {.arrays = &r->arrays,
                              .params = {.solver = solvers[seed % 4], .threads = 1 + (int)(seed % 2)}};
    check(&scene, "grid", seed);
}

/* Draws the grid of this seed and checks it. */
static void check_grid(unsigned long seed)
{
    random_graph r;
    random_graph_draw(&r, seed, 70, seed % 8 ? (int)number_from("RANDOM_CELLS", 6300) / 70 : 12);
    check_graph(&r, seed);
    random_graph_free(&r);
}

/* Grids so tall that parts are solved again in bands along their borders. */
TEST(tall_grids_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed();
    printf("test_parts: tall grids from seed %lu\n", first);
    fflush(stdout);
    for (unsigned long seed = first; seed < first + 1 + (unsigned long)RANDOM_CASES(12); seed++) {
        uint64_t state = seed;
        random_graph r;
        const int width = 1 + random_below(&state, 40), height = 500 + random_below(&state, 900);
        random_graph_init(&r, seed, width, height, seed / 4 % 2 ? 4 : 8);
        check_graph(&r, seed);
        random_graph_free(&r);
    }
}

TEST(random_grids_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed(), many = cases();
    printf("test_parts: seed %lu\n", first);
    fflush(stdout);
    for (unsigned long i = 0; i < many; i++) check_grid(first + i);
}

TEST(excess_that_a_solver_leaves_in_the_rim_is_not_lost)
{
    check_grid(1795444533);
}

/* Draws blobs of several colours with noise, strokes on one of them, and background along the left edge. */
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

/* Draws one picture and checks it with the given parameters. */
static void check_picture(uint64_t seed, int width, int height, int channels, const tilecut_params *params)
{
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *const picture = malloc(pixels * (size_t)channels), *const seeds = malloc(pixels);
    const tilecut_image image = {0, width, height, channels, 8, (size_t)width * (size_t)channels, picture};
    const part_scene scene = {.image = &image, .seeds = seeds, .params = *params};
    draw(seed, width, height, channels, picture, seeds);
    check(&scene, "picture", (unsigned long)seed);
    free(picture);
    free(seeds);
}

TEST(pictures_have_one_answer_in_any_number_of_parts)
{
    static const char *const models[] = {"gmm", "hist", "none", "gmm"};
    const unsigned long first = first_seed();
    printf("test_parts: pictures from seed %lu\n", first);
    fflush(stdout);
    for (unsigned long i = 0; i < 1 + RANDOM_CASES(9); i++) {
        uint64_t state = first + i;
        const tilecut_params params = {.colors = models[i % 4], .connectivity = i % 5 == 0 ? 8 : 4,
                                       .iterations = i % 7 == 0 ? -1 : i % 7 == 1 ? 2 : 0, .lambda = i % 3 ? 50 : 8,
                                       .spatial = i % 6 ? 0 : TILECUT_NONE};
        const int width = 30 + random_below(&state, 90), height = 12 + random_below(&state, 120);
        check_picture(first + i, width, height, i % 2 ? 3 : 1, &params);
    }
}

/* With parts of one or two rows, excess would cross the borders for thousands of waves. So the first part solves the
 * whole after some waves. Parts in files cannot do that; here every second number of parts is kept in files. */
LOOP_TEST(what_is_flat_is_solved_in_one_part, 0, 2)
{
    enum { LONG = 400, FLAT = 5 };
    static uint8_t picture[LONG * FLAT], seeds[LONG * FLAT], mask[LONG * FLAT];
    static piece pieces[MOST_PIECES];
    const tilecut_image image = {0, LONG, FLAT, 1, 8, LONG, picture};
    const part_scene scene = {.image = &image, .seeds = seeds,
                              .params = {.colors = "none", .lambda = 20, .connectivity = _i ? 8 : 4}};
    uint64_t state = 7;
    for (int i = 0; i < LONG * FLAT; i++) picture[i] = (uint8_t)(60 + random_below(&state, 60));
    memset(seeds, TILECUT_UNKNOWN, sizeof seeds);
    seeds[0] = seeds[LONG * FLAT - 1] = TILECUT_BACKGROUND;
    seeds[FLAT / 2 * LONG + LONG / 2] = TILECUT_FOREGROUND;
    check(&scene, "flat picture", 0);
    part_scene_cut(&scene, FLAT, mask, pieces);
    ck_assert_int_eq(pieces[0].more.waves, 16);
}

LOOP_TEST(a_large_picture_learns_in_the_same_smaller_copy, 0, RANDOM_BY_NIGHT(1))
{
    const tilecut_params params = {.threads = 2};
    check_picture(5, 420, 411, 3, &params);
}

static int broken; /* number of the part with the wrong seed */

static void put_no_label(int part, tilecut_params *params, uint8_t *seeds, int32_t *source)
{
    (void)params, (void)source;
    if (part == broken) seeds[0] = 77;
}

TEST(a_part_that_fails_ends_all_with_its_sentence)
{
    enum { W = 40, H = 60 };
    static uint8_t pixels[W * H * 3], seeds[W * H], mask[W * H];
    const tilecut_image image = {0, W, H, 3, 8, 3 * W, pixels};
    static piece pieces[MOST_PIECES];
    const part_scene scene = {.image = &image, .seeds = seeds, .spoil = put_no_label};
    draw(3, W, H, 3, pixels, seeds);
    for (broken = 0; broken < 3; broken++) {
        part_scene_cut(&scene, 3, mask, pieces);
        /* every part gets the same status */
        for (int i = 0; i < 3; i++) ck_assert_int_eq(pieces[i].status, TILECUT_EINVAL);
        ck_assert_msg(strstr(pieces[0].detail, "not 0 to 3") != NULL, "%s", pieces[0].detail);
        ck_assert_int_eq(mask[0], 99);
    }
}

/* Gives one part other parameters than the rest. */
static void put_other_lambda(int part, tilecut_params *params, uint8_t *seeds, int32_t *source)
{
    (void)seeds, (void)source;
    if (part == 1) params->lambda = 7;
}

TEST(parts_that_do_not_fit_are_refused)
{
    enum { W = 40, H = 60 };
    static uint8_t pixels[W * H * 3], seeds[W * H], mask[W * H];
    const tilecut_image image = {0, W, H, 3, 8, 3 * W, pixels};
    static piece pieces[MOST_PIECES];
    const part_scene scene = {.image = &image, .seeds = seeds, .spoil = put_other_lambda};
    draw(3, W, H, 3, pixels, seeds);
    part_scene_cut(&scene, 3, mask, pieces);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pieces[i].status, TILECUT_EINVAL);
        ck_assert_str_eq(pieces[i].detail, "the parameters of part 1 differ from those of part 0");
    }
}

/* Cuts a box alone, with strokes inside it or outside of it, small or large, while some parts have nothing to do. */
static void check_box(uint64_t seed, int width, int height)
{
    static const char *const models[] = {"gmm", "gmm", "gmm", "hist"};
    uint64_t state = seed;
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *const picture = malloc(pixels * 3), *const seeds = malloc(pixels);
    const tilecut_image image = {0, width, height, 3, 8, (size_t)width * 3, picture};
    const int kind = random_below(&state, 6);
    const int x0 = random_below(&state, width / 2), y0 = random_below(&state, height / 2);
    const int w = 8 + random_below(&state, width - x0 - 8), h = 6 + random_below(&state, height - y0 - 6);
    const int x = x0 + w / 2, y = y0 + h / 2;
    const tilecut_params params = {.colors = models[random_below(&state, 4)], .effort = random_below(&state, 4),
                                   .connectivity = random_below(&state, 4) ? 4 : 8};
    const part_scene scene = {.image = &image, .seeds = seeds, .params = params};
    draw(seed, width, height, 3, picture, seeds);
    memset(seeds, TILECUT_OUTSIDE, pixels);
    for (int row = y0; row < y0 + h; row++) memset(seeds + row * width + x0, TILECUT_UNKNOWN, (size_t)w);
    if (kind & 1) memset(seeds + y * width + x, TILECUT_FOREGROUND, 3);
    if (kind & 2) memset(seeds + (y + h / 4) * width + x0 + 1, TILECUT_BACKGROUND, 4);
    if (kind == 4) seeds[random_below(&state, (int)pixels)] = TILECUT_BACKGROUND;
    check(&scene, "box", (unsigned long)seed);
    free(picture);
    free(seeds);
}

TEST(boxes_have_one_answer_in_any_number_of_parts)
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

LOOP_TEST(a_large_box_learns_in_the_same_smaller_copy, 0, RANDOM_LOOPS(4) == 4)
{
    check_box(8, 420, 411);
}

int main(void) { return run_suite((test_suite){.name = "parts", .seconds = 3600}); }
