/* SPDX-License-Identifier: MIT
 *
 * test_seed_refusals.c - unusable seeds are refused with the right status and with advice, and strange ones give a
 * note. test_seed_pictures.c tests pictures without seeds, and test_seeds.c the reading itself.
 */
#include "seed_scene.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <string.h>

#include "run_suite.h"

#include "tilecut.h"

static scene s;

static void setup(void) { scene_open(&s); }
static void teardown(void) { scene_close(&s); }

TEST(sizes_must_agree)
{
    scene_add(&s, picture_of(41, 30, 1, 8, GREY));
    REFUSED(&s, EXIT_SEEDS, "a.png: is 41x30 but photo.png is 40x30; seeds must have the photo's size");
    scene_again(&s);
    scene_add(&s, picture_of(80, 60, 1, 8, GREY));
    REFUSED(&s, EXIT_SEEDS, "scale them by 0.5 with nearest neighbour");
    scene_again(&s);
    scene_add(&s, picture_of(30, 40, 1, 8, GREY));
    REFUSED(&s, EXIT_SEEDS, "seeds are turned by a quarter");
    s.photo.orientation = 6;
    REFUSED(&s, EXIT_SEEDS, "only the EXIF rotation of the photo differs (orientation 6)");
    s.photo.orientation = 3; /* half a turn keeps the size, so the rotation is not the reason */
    REFUSED(&s, EXIT_SEEDS, "seeds are turned by a quarter");
}

TEST(something_must_be_asked_for)
{
    REFUSED(&s, EXIT_USAGE, "photo.png: has no seeds; give a click or strokes with --fg");
    s.request.file_count = 1;
    s.files[0] = "nowhere.png";
    REFUSED(&s, EXIT_INPUT, "nowhere.png: does not exist");
}

static const struct {
    enum seeds_format format;
    uint32_t under, fg, bg;
    int channels;
    const char *words;
} missing[] = {
    {SEEDS_AUTO, GREY, BLACK, BLACK, 1, "a.png: has no foreground seed; in --seeds-format trimap it is 224..255"},
    {SEEDS_AUTO, GREY, WHITE, WHITE, 1, "a.png: has no background seed; in --seeds-format trimap it is 0..31"},
    {SEEDS_AUTO, CLEAR, GREEN, GREEN, 4, "has no background seed; it holds #00ff00 (70 px); name --bg-color"},
    {SEEDS_AUTO, WHITE, BLUE, BLUE, 3, "has no foreground seed; it holds #0000ff (70 px); name --fg-color"},
    {SEEDS_AUTO, CLEAR, RED, RED, 4, "red strokes alone, which are background beside green but foreground beside blue"},
    {SEEDS_AUTO, WHITE, 0xff008000, 0xff800000, 3, "known pair of colours"},
    {SEEDS_AUTO, WHITE, 0xff008000, 0xff800000, 3, "it holds #800000 (40 px), #008000 (30 px); name --fg-color"},
    {SEEDS_LABELS, BLACK, 0xff010101, 0xff010101, 1, "in --seeds-format labels it is 2"},
    {SEEDS_GRABCUT, 0xff030303, BLACK, BLACK, 1, "in --seeds-format grabcut it is 1"},
    {SEEDS_TRIMAP, WHITE, WHITE, WHITE, 1, "no background seed"},
};

LOOP_TEST(both_classes_must_occur, 0, (int)(sizeof missing / sizeof *missing))
{
    scene_add(&s, scribbles(missing[_i].channels, 8, missing[_i].under, missing[_i].fg, missing[_i].bg));
    s.request.format = missing[_i].format;
    REFUSED(&s, EXIT_SEEDS, missing[_i].words);
}

TEST(a_box_with_background_alone_is_noted)
{
    scene_box(&s, 10, 10, 20, 10);
    scene_stroke(&s, false, "12,12");
    scene_read(&s);
    ck_assert_int_eq(s.status, EXIT_DONE);
    ck_assert(s.log.count == 1 && strstr(s.log.text[0], "no foreground seed; the object is guessed from the box"));
}

TEST(a_box_alone_says_enough)
{
    scene_box(&s, 10, 10, 20, 10);
    scene_read(&s);
    ck_assert_int_eq(s.status, EXIT_DONE);
    ck_assert_int_eq(s.out.foreground, 0);
    ck_assert_int_eq(s.out.unknown, 20 * 10);
    ck_assert_int_eq(s.log.count, 0);
    scene_box(&s, 1, 1, 38, 28); /* stays as drawn, as the photo has less than 50 columns and rows */
    scene_read(&s);
    ck_assert_int_eq(s.status, EXIT_DONE);
    ck_assert_int_eq(s.out.unknown, 38 * 28);
    ck_assert_int_eq(s.log.count, 0);
    scene_stroke(&s, true, "20,15");
    scene_box(&s, -1, 0, 50, 30);
    scene_read(&s);
    ck_assert_int_eq(s.status, EXIT_DONE);
    ck_assert_int_eq(s.out.background, 2 * (40 + 30) - 4); /* a strip along the border becomes background */
    ck_assert_ptr_nonnull(strstr(s.log.text[s.log.count - 1], "a strip along its border counts as background"));
    scene_box(&s, 40, 0, 5, 5);
    REFUSED(&s, EXIT_SEEDS, "lies outside photo.png, which is 40x30");
    scene_box(&s, -9, 0, 9, 5);
    REFUSED(&s, EXIT_SEEDS, "lies outside photo.png");
    scene_box(&s, 3.6, 3, 0.2, 5);
    REFUSED(&s, EXIT_SEEDS, "holds no pixel");
    scene_box(&s, 3, 3, 0, 5);
    REFUSED(&s, EXIT_USAGE, "is empty");
    scene_box(&s, 3, (double)NAN, 3, 5);
    REFUSED(&s, EXIT_USAGE, "four finite numbers");
}

TEST(strokes_must_touch_the_photo)
{
    scene_stroke(&s, true, "5,5");
    scene_stroke(&s, false, "100,20 120,25");
    REFUSED(&s, EXIT_SEEDS, "--bg: the stroke at 100,20 lies outside photo.png, which is 40x30; x is 0 to 39 "
        "and y is 0 to 29");
    scene_stroke(&s, false, "35,25 60,25");
    s.request.strokes[1].points[0] = 39;
    GIVES(&s, "strokes", 29, scene_count(&s, TILECUT_BACKGROUND));
    ck_assert(scene_noted(&s, "--bg: 2 points lie outside photo.png"));
    s.request.strokes[1].points[0] = (double)NAN;
    REFUSED(&s, EXIT_USAGE, "--bg: nan is no coordinate");
    s.request.strokes[1].points[0] = 1e300;
    REFUSED(&s, EXIT_USAGE, "is no coordinate");
    s.request.strokes[1].points[0] = 1;
    s.request.brush = -1;
    REFUSED(&s, EXIT_USAGE, "--brush: -1 is no radius");
    s.request.brush = (double)NAN;
    REFUSED(&s, EXIT_USAGE, "--brush");
}

TEST(seeds_on_the_same_colours_are_noted)
{
    scene_add(&s, scribbles(4, 8, CLEAR, GREEN, RED));
    GIVES(&s, "color", 30, 40);
    ck_assert_int_eq(s.log.count, 0); /* there are too few seed pixels for a note */
    picture_rect(&s.photo, 0, 0, 40, 30, 0xff406080);
    scene_again(&s);
    picture_rect(&s.photo, 0, 0, 40, 30, 0xff406080);
    image img = scribbles(4, 8, CLEAR, GREEN, RED);
    picture_rect(&img, 5, 5, 10, 6, GREEN);
    scene_add(&s, img);
    GIVES(&s, "color", 60, 40);
    ck_assert(scene_noted(&s, "lie on the same colours (100 % in common)"));
    picture_rect(&s.photo, 20, 0, 20, 30, 0xff80c040);
    GIVES(&s, "color", 60, 40);
    ck_assert_int_eq(s.log.count, 0);
}

TEST(a_conflict_may_leave_nothing)
{
    scene_add(&s, scribbles(1, 8, GREY, WHITE, BLACK));
    scene_stroke(&s, false, "4,6 16,6");
    s.request.conflict = CONFLICT_BACKGROUND;
    REFUSED(&s, EXIT_SEEDS, "no foreground seed is left after 30 conflicts; choose another --seed-conflict");
    s.request.conflict = CONFLICT_DROP;
    REFUSED(&s, EXIT_SEEDS, "no foreground seed is left");
}

int main(void)
{
    return run_suite((test_suite){.name = "seed refusals", .seconds = 60, .set_up = setup, .tear_down = teardown});
}
