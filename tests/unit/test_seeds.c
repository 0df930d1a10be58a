/* SPDX-License-Identifier: MIT
 *
 * test_seeds.c - every reading of seeds gives the pixels that were drawn, however the picture stores them.
 * test_seed_strokes.c tests strokes and boxes; test_seed_refusals.c tests errors and notes.
 */
#include "seed_scene.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#include "random_graph.h"
#include "tilecut.h"

static scene s;

static void setup(void) { scene_open(&s); }
static void teardown(void) { scene_close(&s); }

/* _i selects 1 to 4 channels, and 8 or 16 bits */
LOOP_TEST(a_random_trimap_comes_back, 0, 8)
{
    const int channels = _i % 4 + 1, depth = _i < 4 ? 8 : 16;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t state = seed;
        uint8_t expected[SCENE_N];
        scene_again(&s);
        image img = canvas(channels, depth, GREY);
        for (int p = 0; p < SCENE_N; p++) {
            static const int low[] = {96, 0, 224}, range[] = {65, 32, 32};
            expected[p] = (uint8_t)random_below(&state, 3); /* unknown, background or foreground */
            const uint32_t v = (uint32_t)(low[expected[p]] + random_below(&state, range[expected[p]]));
            picture_set(&img, p % SCENE_W, p / SCENE_W, 0xff000000 | v * 0x010101);
        }
        scene_add(&s, img);
        scene_read(&s);
        ck_assert_msg(s.status == EXIT_DONE, "seed %d: %s", (int)seed, s.why.text);
        ck_assert_str_eq(s.out.format, "trimap");
        ck_assert_mem_eq(s.out.label, expected, SCENE_N);
        ck_assert_int_eq(s.out.unknown, scene_count(&s, TILECUT_UNKNOWN));
    }
}

/* A pixel value, transparent if the picture has alpha, and its label in a trimap that is named as such. */
typedef struct tone {
    uint32_t argb;
    int label;
    bool between;
} tone;

static const tone tones[] = {
    {BLACK, TILECUT_BACKGROUND, false},   {WHITE, TILECUT_FOREGROUND, false},
    {GREY, TILECUT_UNKNOWN, false},       {0xff464646, TILECUT_UNKNOWN, true},
    {0xffbebebe, TILECUT_UNKNOWN, true},  {0xff0a0a0a, TILECUT_BACKGROUND, false},
    {0x00ffffff, TILECUT_UNKNOWN, false}, {0x40000000, TILECUT_UNKNOWN, false},
    {0xf0ffffff, TILECUT_FOREGROUND, false},
};

/* _i selects 1 to 4 channels, and 8 or 16 bits. The reader handles a run of equal pixels at once; the test judges each
 * pixel by itself. */
LOOP_TEST(a_trimap_of_long_runs_comes_back, 0, 8)
{
    const int channels = _i % 4 + 1, depth = _i < 4 ? 8 : 16, usable = channels % 2 ? 6 : 9;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t state = seed;
        uint8_t expected[SCENE_N];
        int between = 0;
        scene_again(&s);
        image img = canvas(channels, depth, GREY);
        for (int p = 0, end; p < SCENE_N; p = end) {
            const tone *const t = &tones[random_below(&state, usable)];
            end = p + 1 + random_below(&state, random_below(&state, 2) ? 6 : 300);
            if (end > SCENE_N) end = SCENE_N;
            between += t->between ? end - p : 0;
            for (int at = p; at < end; at++) {
                picture_set(&img, at % SCENE_W, at / SCENE_W, t->argb);
                expected[at] = (uint8_t)t->label;
            }
        }
        if (!memchr(expected, TILECUT_FOREGROUND, SCENE_N) || !memchr(expected, TILECUT_BACKGROUND, SCENE_N)) {
            image_free(&img);
            continue;
        }
        s.request.format = SEEDS_TRIMAP;
        scene_add(&s, img);
        scene_read(&s);
        ck_assert_msg(s.status == EXIT_DONE, "seed %d: %s", (int)seed, s.why.text);
        ck_assert_mem_eq(s.out.label, expected, SCENE_N);
        ck_assert_int_eq(s.out.foreground, scene_count(&s, TILECUT_FOREGROUND));
        ck_assert_int_eq(s.out.background, scene_count(&s, TILECUT_BACKGROUND));
        ck_assert_int_eq(s.out.unknown, scene_count(&s, TILECUT_UNKNOWN));
        char words[80];
        snprintf(words, sizeof words, ": %d pixels lie between", between);
        ck_assert_int_eq(scene_noted(&s, words), between > 0);
    }
}

/* Runs of equal pixels may end in any byte of any pixel. The result must equal a count pixel by pixel. */
TEST(pixels_alike_are_counted)
{
    for (int kind = 0; kind < 8; kind++) {
        uint64_t state = 1 + (uint64_t)kind;
        image img = picture_of(61, 3, kind % 4 + 1, kind < 4 ? 8 : 16, GREY);
        const size_t size = (size_t)(img.channels * img.depth / 8), pixels = image_area(&img);
        for (int turn = 0; turn < 200; turn++) {
            memset(img.pixels, turn, pixels * size);
            for (int k = random_below(&state, 8); k > 0; k--)
                img.pixels[random_below(&state, (int)(pixels * size))] ^= (uint8_t)(1 << random_below(&state, 8));
            for (size_t p = 0; p < pixels; p++) {
                size_t end = p + 1;
                while (end < pixels && !memcmp(img.pixels + p * size, img.pixels + end * size, size)) end++;
                ck_assert_uint_eq(pixels_alike(&img, p), end - p);
            }
        }
        image_free(&img);
    }
}

static const struct {
    uint32_t under, fg, bg;
    int channels;
} pairs[] = {
    {CLEAR, GREEN, RED, 4},   {WHITE, GREEN, RED, 3},   {BLACK, GREEN, RED, 3},        {GREY, GREEN, RED, 4},
    {CLEAR, RED, BLUE, 4},    {WHITE, RED, BLUE, 3},    {BLACK, RED, BLUE, 3},         {WHITE, GREEN, BLUE, 3},
    {CLEAR, WHITE, BLACK, 4}, {CLEAR, WHITE, BLACK, 2}, {0xff30c0d0, GREEN, RED, 3},   {GREY, WHITE, BLACK, 3},
    {WHITE, 0xff20f030, 0xffe01010, 3}, /* these colours are close enough to pure green and red */
};

LOOP_TEST(pairs_of_colours_are_known, 0, (int)(sizeof pairs / sizeof *pairs))
{
    scene_add(&s, scribbles(pairs[_i].channels, 8, pairs[_i].under, pairs[_i].fg, pairs[_i].bg));
    if (pairs[_i].under == GREY && pairs[_i].fg == WHITE) {
        GIVES(&s, "trimap", 30, 40);
        s.request.format = SEEDS_COLOR;
    }
    GIVES(&s, "color", 30, 40);
    ck_assert_int_eq(s.out.label[5 * SCENE_W + 5], TILECUT_FOREGROUND);
    ck_assert_int_eq(s.out.label[10 * SCENE_W + 25], TILECUT_BACKGROUND);
    ck_assert_int_eq(s.log.count, 0);
}

TEST(sixteen_bit_strokes_are_read)
{
    scene_add(&s, scribbles(4, 16, CLEAR, GREEN, RED));
    GIVES(&s, "color", 30, 40);
}

TEST(smooth_edges_and_soft_alpha_are_no_third_colour)
{
    image img = scribbles(4, 8, WHITE, GREEN, RED);
    picture_rect(&img, 5, 8, 10, 1, 0xff80ff80);  /* an edge pixel, half green and half white, is not a stroke */
    picture_rect(&img, 5, 4, 10, 1, 0x4000ff00);  /* a quarter opaque is too little for a stroke */
    picture_rect(&img, 25, 9, 10, 1, 0xc0ff0000); /* three quarters opaque is enough for a stroke */
    scene_add(&s, img);
    GIVES(&s, "color", 30, 50);
    ck_assert_int_eq(s.log.count, 0);
}

TEST(a_third_colour_is_counted_and_noted)
{
    image img = scribbles(3, 8, WHITE, GREEN, RED);
    picture_rect(&img, 0, 20, 7, 1, 0xffff00ff);
    scene_add(&s, img);
    GIVES(&s, "color", 30, 40);
    ck_assert(scene_noted(&s, "7 pixels are in neither stroke colour (such as #ff00ff at 0,20)"));
    ck_assert_int_eq(s.out.part[0].ignored, 7);
}

TEST(named_colours_override_the_pair)
{
    scene_add(&s, scribbles(3, 8, WHITE, RED, GREEN));
    seeds_color_parse("#ff0000", &s.request.fg_color);
    seeds_color_parse("#00FF00", &s.request.bg_color);
    GIVES(&s, "color", 30, 40);
    ck_assert_int_eq(s.out.fg_color.rgb[0], 255);
    /* naming one colour leaves the other at its usual meaning */
    s.request.bg_color.given = false;
    scene_stroke(&s, false, "35,25");
    s.request.brush = 0;
    scene_read(&s);
    ck_assert_int_eq(s.out.foreground, 30);
    ck_assert_int_eq(s.out.background, 1);
}

TEST(odd_colours_work_when_named)
{
    scene_add(&s, scribbles(3, 8, 0xff102030, 0xffff8000, 0xff00c8c8));
    seeds_color_parse("#ff8000", &s.request.fg_color);
    seeds_color_parse("#00c8c8", &s.request.bg_color);
    GIVES(&s, "color", 30, 40);
    s.request.tolerance = 0;
    seeds_color_parse("#00c8c9", &s.request.bg_color);
    REFUSED(&s, EXIT_SEEDS, "no pixel is #00c8c9, it holds");
}

TEST(a_green_or_blue_file_is_one_class)
{
    image green = canvas(4, 8, CLEAR), blue = canvas(3, 8, WHITE);
    picture_rect(&green, 1, 1, 4, 4, GREEN);
    picture_rect(&blue, 30, 1, 4, 5, BLUE);
    scene_add(&s, green);
    scene_add(&s, blue);
    GIVES(&s, "color", 16, 20);
}

/* The seeds beside the red ones are, by _i: 0 a blue file, 1 a green file, 2 a box, 3 a stroke, 4 a trimap with
 * background only. */
LOOP_TEST(red_alone_takes_the_class_that_is_missing, 0, 5)
{
    image red = canvas(4, 8, CLEAR), other = canvas(_i == 4 ? 1 : 4, 8, _i == 4 ? GREY : CLEAR);
    picture_rect(&red, 10, 10, 4, 4, RED);
    picture_rect(&other, 20, 20, 5, 1, _i == 0 ? BLUE : _i == 1 ? GREEN : BLACK);
    scene_add(&s, red);
    if (_i == 2) scene_box(&s, 5, 5, 20, 20);
    s.request.brush = 0;
    if (_i == 3) scene_stroke(&s, true, "20,20 24,20");
    if (_i == 0 || _i == 1 || _i == 4) scene_add(&s, other);
    else free(other.pixels);
    const int fg[] = {16, 5, 16, 5, 16}, bg[] = {5, 16, SCENE_N - 400, 16, 5};
    GIVES(&s, _i == 4 ? "several" : "color", fg[_i], bg[_i]);
}

/* Labels stored as numbers: plainly, as 16-bit values, or as indices of a colour or grey palette. */
LOOP_TEST(numbers_are_read_by_name, 0, 8)
{
    static const int fg = 1, labels_bg = 2;
    const bool grabcut = _i >= 4;
    const int depth = _i % 4 == 1 ? 16 : 8, paletted = _i % 4 >= 2;
    image img = canvas(_i % 4 == 2 ? 3 : 1, depth, BLACK);
    if (paletted) img.index = calloc(SCENE_N, 1);
    for (int p = 0; p < SCENE_N; p++) {
        const int v = p < 100 ? fg : p < 150 ? labels_bg : p < 160 ? (grabcut ? 3 : 255) : 0;
        sample_set(&img, (size_t)p * (size_t)img.channels, (uint32_t)v);
        if (!paletted) continue;
        img.index[p] = (uint8_t)v;
        const uint32_t ramp = (uint32_t)v * 50 & 255;
        picture_set(&img, p % SCENE_W, p / SCENE_W, _i % 4 == 2 ? 0xff000000 | (uint32_t)v << 23 : ramp * 0x010101);
    }
    scene_add(&s, img);
    s.request.format = grabcut ? SEEDS_GRABCUT : SEEDS_LABELS;
    if (grabcut) GIVES(&s, "grabcut", 100, SCENE_N - 160);
    else GIVES(&s, "labels", 100, 50);
}

/* Compares with the definition: a pixel is unknown if it lies within the band of a pixel of the other class. */
TEST(the_band_of_a_mask_is_exact)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        scene_again(&s);
        image img = canvas(1, 8, BLACK);
        for (int i = 0; i < 3; i++)
            picture_rect(&img, random_below(&state, 30), random_below(&state, 20), 1 + random_below(&state, 10),
                         1 + random_below(&state, 10), WHITE);
        scene_add(&s, img);
        s.request.format = SEEDS_MASK;
        s.request.band = random_below(&state, 7);
        scene_read(&s);
        for (int p = 0; p < SCENE_N && s.status == EXIT_DONE; p++) {
            int nearest = 1 << 30;
            for (int q = 0; q < SCENE_N; q++) {
                const int dx = p % SCENE_W - q % SCENE_W, dy = p / SCENE_W - q / SCENE_W;
                if (img.pixels[p] != img.pixels[q] && dx * dx + dy * dy < nearest) nearest = dx * dx + dy * dy;
            }
            const int expected = nearest <= s.request.band * s.request.band ? TILECUT_UNKNOWN
                                 : img.pixels[p] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
            ck_assert_msg(s.out.label[p] == expected, "seed %d, pixel %d", (int)seed, p);
        }
        if (s.status) ck_assert(strstr(s.why.text, "leaves no foreground; use a smaller --band") != NULL);
    }
}

TEST(strokes_over_the_photo_are_found)
{
    for (int depth = 8; depth <= 16; depth += 8) {
        scene_again(&s);
        image img = canvas(3, depth, BLACK);
        for (int p = 0; p < SCENE_N; p++) picture_set(&img, p % SCENE_W, p / SCENE_W, picture_argb(&s.photo,
            (size_t)p));
        picture_rect(&img, 5, 5, 10, 3, GREEN);
        picture_rect(&img, 25, 10, 10, 4, RED);
        picture_set(&s.photo, 5, 5, 0xff10f010); /* the photo is nearly green here, and the pixel is painted anyway */
        picture_set(&s.photo, 0, 0, GREEN);      /* the photo is green here, and the pixel is not painted */
        picture_set(&img, 0, 0, GREEN);
        scene_add(&s, img);
        s.request.format = SEEDS_DIFF;
        GIVES(&s, "diff", 30, 40);
    }
}

int main(void)
{
    return run_suite((test_suite){.name = "seeds", .seconds = 60, .set_up = setup, .tear_down = teardown});
}
