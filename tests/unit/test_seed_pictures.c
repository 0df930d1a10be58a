/* SPDX-License-Identifier: MIT
 *
 * test_seed_pictures.c - pictures that hold no seeds, or can be read in two ways, are refused with a hint. Every
 * picture gets an answer, whatever it holds.
 */
#include "seed_scene.h" /* must precede check.h, which defines a macro fail() */

#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

static scene s;

static void setup(void) { scene_open(&s); }
static void teardown(void) { scene_close(&s); }

static image halves(int channels, uint32_t left, uint32_t right)
{
    image img = canvas(channels, 8, left);
    picture_rect(&img, 20, 0, 20, 30, right);
    return img;
}

static image photo_like(int channels)
{
    uint64_t state = 3;
    image img = canvas(channels, 8, BLACK);
    for (int i = 0; i < SCENE_N * channels; i++) img.pixels[i] = (uint8_t)random_below(&state, 256);
    if (channels == 4)
        for (int i = 0; i < SCENE_N; i++) img.pixels[4 * i + 3] = 255;
    return img;
}

static image index_of(image img, int classes)
{
    img.index = calloc(SCENE_N, 1);
    for (int p = 0; p < SCENE_N; p++) {
        img.index[p] = (uint8_t)(p % classes);
        /* the usual colours of numbered classes: black, maroon, dark green, olive */
        static const uint32_t color[] = {0xff000000, 0xff800000, 0xff008000, 0xff808000};
        picture_set(&img, p % SCENE_W, p / SCENE_W, color[p % classes]);
    }
    return img;
}

TEST(what_fits_two_readings_is_refused)
{
    scene_add(&s, halves(1, WHITE, BLACK));
    REFUSED(&s, EXIT_SEEDS, "holds only black and white, which fits two readings; if it is a mask to refine, name "
                            "--seeds-format mask");
    s.request.format = SEEDS_MASK;
    s.request.band = 5;
    GIVES(&s, "mask", 450, 450);
    scene_again(&s);
    scene_add(&s, scribbles(1, 8, BLACK, 0xff010101, 0xff020202));
    REFUSED(&s, EXIT_SEEDS, "its values 0..2 fit two readings; name --seeds-format labels");
    s.request.format = SEEDS_GRABCUT;
    GIVES(&s, "grabcut", 30, SCENE_N - 70);
    scene_again(&s);
    image three = scribbles(4, 8, CLEAR, GREEN, RED);
    picture_rect(&three, 0, 20, 5, 5, BLUE);
    scene_add(&s, three);
    REFUSED(&s, EXIT_SEEDS, "green, red and blue strokes, which fits two readings; name them, as --fg-color");
    seeds_color_parse("#00ff00", &s.request.fg_color);
    REFUSED(&s, EXIT_SEEDS, "two colours that may be background; name --bg-color too");
    seeds_color_parse("#ff0000", &s.request.bg_color);
    GIVES(&s, "color", 30, 40);
    scene_again(&s);
    scene_add(&s, index_of(canvas(3, 8, BLACK), 3));
    REFUSED(&s, EXIT_SEEDS, "name --seeds-format labels (index 1 foreground, 2 background)");
    s.request.format = SEEDS_LABELS;
    GIVES(&s, "labels", 400, 400);
}

TEST(samples_of_16_bits_up_to_255_are_numbers_of_8)
{
    image narrow = canvas(1, 16, BLACK), alpha = canvas(2, 16, CLEAR);
    for (size_t p = 0; p < SCENE_N; p++) sample_set(&narrow, p, (uint32_t)(p % 3) * 127);
    scene_add(&s, narrow);
    GIVES(&s, "trimap", (SCENE_N + 1) / 3, (SCENE_N + 1) / 3);
    scene_again(&s);
    for (size_t p = 0; p < SCENE_N; p++) sample_set(&alpha, 2 * p, p % 3 == 0 ? 255 : p % 3 == 1 ? 0 : 128);
    for (size_t p = 0; p < SCENE_N; p++) sample_set(&alpha, 2 * p + 1, 65535);
    scene_add(&s, alpha);
    GIVES(&s, "trimap", (SCENE_N + 1) / 3, (SCENE_N + 1) / 3);
}

TEST(pictures_without_strokes_are_named_so)
{
    scene_add(&s, canvas(1, 8, BLACK));
    REFUSED(&s, EXIT_SEEDS, "has no strokes, every pixel is #000000");
    scene_again(&s);
    scene_add(&s, canvas(4, 16, CLEAR));
    REFUSED(&s, EXIT_SEEDS, "has no strokes, every pixel is transparent");
    scene_again(&s);
    scene_add(&s, canvas(3, 8, 0xff123456));
    REFUSED(&s, EXIT_SEEDS, "no strokes in a known pair of colours");
}

TEST(photographs_are_not_seeds)
{
    scene_add(&s, photo_like(3));
    REFUSED(&s, EXIT_SEEDS, "neither transparency nor one colour covers half of it");
    s.request.format = SEEDS_DIFF;
    REFUSED(&s, EXIT_SEEDS, "differs from photo.png in most pixels");
    s.request.format = SEEDS_TRIMAP;
    REFUSED(&s, EXIT_SEEDS, "is in colour, but --seeds-format trimap reads grey values");
    s.request.format = SEEDS_MASK;
    REFUSED(&s, EXIT_SEEDS, "is in colour; --seeds-format mask refines");
    s.request.format = SEEDS_LABELS;
    REFUSED(&s, EXIT_SEEDS, "is in colour, but --seeds-format labels reads numbers");
    scene_again(&s);
    scene_add(&s, photo_like(1));
    REFUSED(&s, EXIT_SEEDS, "levels, not a trimap of 0, 128 and 255; if it is the photo");
    /* a picture with thousands of colours must be larger */
    scene_again(&s);
    free(s.photo.pixels);
    s.photo = picture_of(80, 60, 3, 8, GREY);
    image large = picture_of(80, 60, 3, 8, GREY);
    uint64_t state = 5;
    for (int i = 0; i < 3 * 4800; i++) large.pixels[i] = (uint8_t)random_below(&state, 256);
    scene_add(&s, large);
    REFUSED(&s, EXIT_SEEDS, "an opaque picture of thousands of colours; if it is the photo with strokes painted over, "
                            "name --seeds-format diff");
    /* the picture again with a flat background, which looks like an empty canvas at first */
    picture_rect(&large, 0, 0, 80, 32, WHITE);
    picture_rect(&large, 5, 5, 5, 5, GREEN);
    picture_rect(&large, 25, 5, 5, 5, RED);
    REFUSED(&s, EXIT_SEEDS, "thousands of colours");
}

TEST(a_copy_of_the_photo_has_no_strokes)
{
    image same = canvas(3, 8, BLACK);
    memcpy(same.pixels, s.photo.pixels, 3 * SCENE_N);
    picture_rect(&same, 3, 3, 5, 5, 0xffff00ff);
    scene_add(&s, same);
    s.request.format = SEEDS_DIFF;
    REFUSED(&s, EXIT_SEEDS, "it holds #ff00ff at 3,3; name --fg-color and --bg-color");
    memcpy(same.pixels, s.photo.pixels, 3 * SCENE_N);
    REFUSED(&s, EXIT_SEEDS, "a.png: has no strokes, it equals photo.png");
    picture_rect(&same, 3, 3, 5, 5, GREEN);
    seeds_color_parse("#00ff00", &s.request.fg_color);
    s.request.bg_color = s.request.fg_color;
    REFUSED(&s, EXIT_USAGE, "--fg-color and --bg-color are both #00ff00");
}

TEST(canvas_must_cover_half)
{
    image img = halves(4, CLEAR, GREEN);
    picture_rect(&img, 0, 0, 1, 30, RED);
    scene_add(&s, img);
    GIVES(&s, "color", 600, 30);
    picture_rect(&img, 20, 0, 1, 30, RED);
    REFUSED(&s, EXIT_SEEDS, "neither transparency nor one colour covers half of it, so its canvas cannot be "
        "told; if it "
                            "holds strokes by colour, name --seeds-format color");
    s.request.format = SEEDS_COLOR;
    GIVES(&s, "color", 570, 60);
}

TEST(a_trimap_may_have_little_in_between)
{
    image img = scribbles(1, 8, GREY, WHITE, BLACK);
    scene_add(&s, img);
    for (int i = 0; i < 6; i++) picture_set(&img, i, 29, 0xff404040); /* 0.5 % of 1200 */
    GIVES(&s, "trimap", 30, 40);
    ck_assert(scene_noted(&s, "6 pixels lie between the trimap's values"));
    picture_set(&img, 6, 29, 0xff404040);
    REFUSED(&s, EXIT_SEEDS, "0.6 % of it lies between the trimap's values (0..31 background, 96..160 unknown, "
        "224..255");
    s.request.format = SEEDS_TRIMAP;
    GIVES(&s, "trimap", 30, 40); /* if the user names the format, pixels in between are taken as unknown */
    ck_assert(scene_noted(&s, "7 pixels lie between the trimap's values and were taken as unknown"));
}

TEST(jpeg_is_noted_or_blamed)
{
    image img = scribbles(1, 8, GREY, WHITE, BLACK);
    img.lossy = true, img.format = "JPEG";
    scene_add(&s, img);
    GIVES(&s, "trimap", 30, 40);
    ck_assert(scene_noted(&s, "a.png: seeds saved as JPEG lose pixels"));
    picture_rect(&img, 0, 29, 40, 1, 0xff404040);
    REFUSED(&s, EXIT_SEEDS, "because JPEG blurs edges; save seeds as PNG");
    s.request.format = SEEDS_TRIMAP;
    GIVES(&s, "trimap", 30, 40);
    ck_assert(scene_noted(&s, "40 pixels lie between the trimap's values"));
    s.request.format = SEEDS_LABELS;
    REFUSED(&s, EXIT_SEEDS, "is JPEG, which may not hold the exact numbers of --seeds-format labels");
}

TEST(numbers_without_a_meaning_are_refused)
{
    image img = scribbles(1, 8, BLACK, 0xff010101, 0xff020202);
    picture_set(&img, 3, 4, 0xff070707);
    scene_add(&s, img);
    s.request.format = SEEDS_LABELS;
    REFUSED(&s, EXIT_SEEDS, "a.png: holds 7 at 3,4; in --seeds-format labels 1 is foreground, 2 background");
    s.request.format = SEEDS_GRABCUT;
    REFUSED(&s, EXIT_SEEDS, "0 is background, 1 foreground, 2 and 3 unknown");
    scene_again(&s);
    scene_add(&s, scribbles(1, 8, GREY, WHITE, BLACK));
    s.request.format = SEEDS_LABELS;
    REFUSED(&s, EXIT_SEEDS, "holds 128 at 0,0");
    ck_assert(strstr(s.why.text, "it looks like a trimap") != NULL);
}

TEST(masks_need_both_sides)
{
    s.request.format = SEEDS_MASK;
    scene_add(&s, halves(1, BLACK, 0xff010101));
    REFUSED(&s, EXIT_SEEDS, "has no foreground, its largest value is 1; a mask's foreground is 255, so scale it");
    scene_again(&s);
    s.request.format = SEEDS_MASK;
    scene_add(&s, halves(1, WHITE, WHITE));
    REFUSED(&s, EXIT_SEEDS, "has no background, its smallest value is 255");
    scene_again(&s);
    s.request.format = SEEDS_MASK;
    scene_add(&s, halves(1, BLACK, WHITE));
    s.request.band = 15;
    GIVES(&s, "mask", 150, 150);
    scene_add(&s, halves(1, BLACK, WHITE)); /* reading the same picture again changes nothing */
    GIVES(&s, "mask", 150, 150);
    s.request.band = 20;
    REFUSED(&s, EXIT_SEEDS, "a band of 20 pixels around its edge leaves no foreground; use a smaller --band");
    s.request.band = -1;
    REFUSED(&s, EXIT_USAGE, "--band: -1 is below 0");
    s.request.band = 0;
    GIVES(&s, "mask", 600, 600);
    ck_assert(scene_noted(&s, "every pixel is labelled"));
}

TEST(any_picture_gets_an_answer)
{
    static const uint32_t colors[] = {CLEAR, WHITE, BLACK, GREY, GREEN, RED, BLUE, 0xff010101, 0xff020202, 0xff404040,
                                      0xff800000, 0x80ff0000};
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        uint64_t state = seed * 77;
        scene_again(&s);
        for (int file = 1 + random_below(&state, 2); file > 0; file--) {
            image img = canvas(1 + random_below(&state, 4), random_below(&state, 4) ? 8 : 16,
                               colors[random_below(&state, 7)]);
            for (int i = random_below(&state, 5); i > 0; i--)
                picture_rect(&img, random_below(&state, 30), random_below(&state, 20), 1 + random_below(&state, 10),
                             1 + random_below(&state, 10), colors[random_below(&state, 12)]);
            img.lossy = random_below(&state, 5) == 0;
            if (random_below(&state, 4) == 0) img = index_of(img, 2 + random_below(&state, 3));
            scene_add(&s, img);
        }
        if (random_below(&state, 3) == 0) scene_box(&s, random_below(&state, 50) - 10, 3, 20, 20);
        if (random_below(&state, 3) == 0) scene_stroke(&s, random_below(&state, 2), "10,10 50,12");
        s.request.format = (enum seeds_format)random_below(&state, SEEDS_DIFF + 1);
        s.request.conflict = (enum seeds_conflict)random_below(&state, 4);
        s.request.tolerance = random_below(&state, 3) ? 64 : random_below(&state, 256);
        s.request.band = random_below(&state, 6);
        s.request.fg_color = (seeds_color){random_below(&state, 4) == 0, {0, 255, 0}};
        s.request.bg_color = (seeds_color){random_below(&state, 4) == 0, {255, 0, 0}};
        scene_read(&s);
        ck_assert_msg(s.status == 0 || s.status == EXIT_SEEDS, "seed %d: %d %s", (int)seed, s.status, s.why.text);
        if (s.status) {
            ck_assert_msg(strchr(s.why.text, ';'), "seed %d: %s", (int)seed,
                s.why.text);
            ck_assert_ptr_null(s.out.label);
            continue;
        }
        ck_assert(s.out.background > 0);
        ck_assert(s.out.foreground > 0 || (s.request.box_given && s.out.unknown > 0));
        ck_assert_int_eq(s.out.foreground, scene_count(&s, TILECUT_FOREGROUND));
        ck_assert_int_eq(s.out.unknown, scene_count(&s, TILECUT_UNKNOWN));
        ck_assert_int_eq(s.out.foreground + s.out.background + s.out.unknown, SCENE_N);
    }
}

int main(void)
{
    return run_suite((test_suite){.name = "seed pictures", .seconds = 60, .set_up = setup, .tear_down = teardown});
}
