/* SPDX-License-Identifier: MIT
 *
 * test_seed_strokes.c - strokes, points and boxes as seeds, several sources together, and the syntax of their
 * arguments.
 */
#include "seed_scene.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

static scene s;

static void setup(void) { scene_open(&s); }
static void teardown(void) { scene_close(&s); }

LOOP_TEST(a_box_gives_background_outside, 0, 6)
{
    static const struct { double box[4]; int inside; } cases[] = {
        {{5, 6, 20, 10}, 200}, {{0, 0, 40, 29}, 1160}, {{5.4, 6.4, 20, 10}, 200}, {{5.6, 6, 20, 10}, 200},
        {{-5, -5, 15, 15}, 100}, {{30, 20, 1e30, 50}, 100}};
    scene_box(&s, cases[_i].box[0], cases[_i].box[1], cases[_i].box[2], cases[_i].box[3]);
    scene_stroke(&s, true, _i == 5 ? "35,25" : "8,8");
    s.request.brush = 0;
    GIVES(&s, "strokes", 1, SCENE_N - cases[_i].inside);
    ck_assert_int_eq(scene_count(&s, TILECUT_OUTSIDE), SCENE_N - cases[_i].inside);
    ck_assert_int_eq(scene_noted(&s, "clipped to"), _i >= 4);
}

static double distance_to_segment(double x, double y, const double *a, const double *b)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
    const double t = length2 > 0 ? fmin(fmax(((x - a[0]) * dx + (y - a[1]) * dy) / length2, 0), 1) : 0;
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

TEST(strokes_cover_what_is_near_their_line)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed;
        scene_again(&s);
        const int n = 1 + random_below(&state, 4);
        double point[8];
        char text[256] = "0,29 ";
        for (int i = 0; i < 2 * n; i++)
            point[i] = random_below(&state, 600) / 10.0 - 10 + (i % 2 ? -5 : 0);
        for (int i = 0; i < n; i++)
            snprintf(text + strlen(text), 60, "%.1f,%.1f ", point[2 * i], point[2 * i + 1]);
        const double first[2] = {0, 29};
        s.request.brush = 0.6 + random_below(&state, 60) / 10.0;
        scene_stroke(&s, true, text);
        scene_box(&s, 0, 0, 40, 30);
        s.request.box[0] = -1; /* the box leaves nothing outside, so background must come from elsewhere */
        scene_stroke(&s, false, "39,0");
        s.request.conflict = CONFLICT_FOREGROUND;
        scene_read(&s);
        ck_assert_msg(s.status == EXIT_DONE || strstr(s.why.text, "is left after"), "%s: %s", text, s.why.text);
        for (int p = 0; p < SCENE_N && !s.status; p++) {
            double near = distance_to_segment(p % SCENE_W, p / SCENE_W, first, point);
            for (int i = 1; i < n; i++)
                near = fmin(near, distance_to_segment(p % SCENE_W, p / SCENE_W, point + 2 * i - 2, point + 2 * i));
            const bool inside = s.out.label[p] == TILECUT_FOREGROUND;
            /* inside a point's own pixel the brush has no effect, and at its edge rounding may decide */
            if (fabs(near - s.request.brush) > 1e-6 && near > 0.75)
                ck_assert_msg(inside == (near <= s.request.brush), "seed %d, %s at %d,%d: %g", (int)seed, text,
                              p % SCENE_W, p / SCENE_W, near);
        }
    }
}

TEST(a_point_is_a_dot_and_a_thin_line_has_no_gaps)
{
    enum { BORDER = 2 * (SCENE_W + SCENE_H) - 4 }; /* with points only, the border of the photo is background */
    scene_stroke(&s, true, "10,10");
    scene_stroke(&s, false, "30,20");
    GIVES(&s, "strokes", 29, 29 + BORDER); /* 29 pixels lie within 3 of each point */
    s.request.brush = 0;
    GIVES(&s, "strokes", 1, 1 + BORDER);
    scene_stroke(&s, true, "2,2 17,9.5");
    scene_read(&s);
    for (int x = 2; x <= 17; x++) {
        int in_column = 0;
        for (int y = 2; y <= 10; y++) in_column += s.out.label[y * SCENE_W + x] == TILECUT_FOREGROUND;
        ck_assert_int_ge(in_column, 1);
    }
}

TEST(sources_add_up)
{
    image trimap = canvas(1, 8, GREY), color = canvas(4, 8, CLEAR);
    picture_rect(&trimap, 0, 0, 5, 5, WHITE);
    picture_rect(&trimap, 35, 0, 5, 5, BLACK);
    picture_rect(&color, 0, 10, 5, 5, GREEN);
    picture_rect(&color, 0, 0, 5, 5, GREEN); /* seeds that another source also has do no harm */
    scene_add(&s, trimap);
    scene_add(&s, color);
    scene_stroke(&s, false, "39,29");
    scene_box(&s, 0, 0, 39, 30);
    s.request.brush = 0;
    GIVES(&s, "several", 50, 25 + 25);
    ck_assert_int_eq(scene_count(&s, TILECUT_OUTSIDE), 24);
    ck_assert_int_eq(s.out.part_count, 4);
    ck_assert_str_eq(s.out.part[0].name, "a.png");
    ck_assert_str_eq(s.out.part[1].name, "--bg");
    ck_assert_str_eq(s.out.part[2].name, "--box");
    ck_assert_str_eq(s.out.part[3].format, "color");
    /* counts all seeds of this source, even if another source has them too */
    ck_assert_int_eq(s.out.part[3].foreground, 50);
}

TEST(conflicts_are_settled_as_asked)
{
    image one = canvas(1, 8, GREY), two = canvas(1, 8, GREY);
    picture_rect(&one, 0, 0, 10, 10, WHITE);
    picture_rect(&two, 5, 5, 10, 10, BLACK);
    scene_add(&s, one);
    scene_add(&s, two);
    REFUSED(&s, EXIT_SEEDS, "b.png: 25 pixels are claimed by both classes (first at 5,5: background here, the "
        "other in a.png)");
    s.request.conflict = CONFLICT_FOREGROUND;
    GIVES(&s, "trimap", 100, 75);
    ck_assert_int_eq(s.out.conflicts, 25);
    ck_assert_int_eq(s.out.dropped, 0);
    s.request.conflict = CONFLICT_BACKGROUND;
    GIVES(&s, "trimap", 75, 100);
    s.request.conflict = CONFLICT_DROP;
    GIVES(&s, "trimap", 75, 75);
    ck_assert_int_eq(s.out.conflicts, 25);
    ck_assert_int_eq(s.out.dropped, 25);
    s.request.conflict = CONFLICT_ERROR;
    s.request.file_count = 1;
    scene_stroke(&s, false, "9,9");
    REFUSED(&s, EXIT_SEEDS, "--bg: 11 pixels");
    scene_box(&s, 0, 0, 9, 30);
    s.request.strokes[0].points[0] = 20;
    REFUSED(&s, EXIT_SEEDS, "10 pixels are foreground but lie outside the box (first at 9,0)");
}

TEST(values_are_parsed)
{
    enum seeds_format format;
    enum seeds_conflict conflict;
    seeds_color color;
    seeds_stroke stroke;
    double box[4];
    ck_assert(seeds_format_parse("labels", &format) && format == SEEDS_LABELS);
    ck_assert(seeds_format_parse("auto", &format) && !seeds_format_parse("Color", &format));
    ck_assert(seeds_conflict_parse("drop", &conflict) && conflict == CONFLICT_DROP);
    ck_assert(!seeds_conflict_parse("", &conflict));
    ck_assert(seeds_color_parse("#0fA0ff", &color) && color.given && color.rgb[1] == 0xa0);
    ck_assert(seeds_color_parse("White", &color) && color.given && color.rgb[0] == 255 && color.rgb[2] == 255);
    ck_assert(seeds_color_parse("orange", &color) && color.rgb[0] == 255 && color.rgb[1] == 165 && color.rgb[2] == 0);
    ck_assert(seeds_color_parse("#0a9", &color) && color.rgb[0] == 0 && color.rgb[1] == 0xaa && color.rgb[2] == 0x99);
    static const char *const bad_colors[] = {"", "#", "0fa0ff", "#ffff", "#0fa0fg", "#0fa0ff0", "#+fa0ff", "#-00001"};
    for (size_t i = 0; i < sizeof bad_colors / sizeof *bad_colors; i++)
        ck_assert_msg(!seeds_color_parse(bad_colors[i], &color), "%s", bad_colors[i]);
    ck_assert(seeds_box_parse("1,-2,3.5,4e1", box) && box[1] == -2 && box[3] == 40);
    static const char *const bad_boxes[] = {"", "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,-4", "nan,0,1,1", "1,2,inf,4",
                                            "1 2 3", "1 2 3 4 5", "1, ,2,3", "1234",
                                            ",1 2 3 4", "0x1,0,1,1", "1,2,3,1e999",
                                            "1,,2,3"};
    static const char *const good_boxes[] = {"10,20,30,40", "10, 20, 30, 40", "10 20 30 40", " 10 ,20\t30 , 40 "};
    for (size_t i = 0; i < sizeof bad_boxes / sizeof *bad_boxes; i++)
        ck_assert_msg(!seeds_box_parse(bad_boxes[i], box), "%s", bad_boxes[i]);
    for (size_t i = 0; i < sizeof good_boxes / sizeof *good_boxes; i++)
        ck_assert_msg(seeds_box_parse(good_boxes[i], box) && box[0] == 10 && box[1] == 20 && box[2] == 30 &&
                      box[3] == 40, "%s", good_boxes[i]);
    double solid[6];
    ck_assert(seeds_volume_box_parse("1 2 3, 4, 5 6", solid) && solid[2] == 3 && solid[5] == 6);
    ck_assert(seeds_stroke_parse(" 1,2  3.5,-4 ", false, &stroke) && stroke.count == 2 && stroke.points[3] == -4);
    free(stroke.points);
    ck_assert(seeds_stroke_parse("0,0 0,0 0,0 0,0 0,0", true, &stroke) && stroke.count == 5 && stroke.foreground);
    free(stroke.points);
    ck_assert(seeds_stroke_parse("10, 20 30 , 40", true, &stroke) && stroke.count == 2 && !stroke.spatial);
    ck_assert(stroke.points[0] == 10 && stroke.points[1] == 20 && stroke.points[2] == 30 && stroke.points[3] == 40);
    free(stroke.points);
    ck_assert(seeds_stroke_parse("1, 2, 3 4, 5, -6", true, &stroke) && stroke.count == 2 && stroke.spatial);
    free(stroke.points);
    ck_assert(seeds_stroke_parse("1,2,3 4,5,-6", true, &stroke) && stroke.count == 2 && stroke.spatial);
    ck_assert_double_eq(stroke.points[5], -6);
    free(stroke.points);
    static const char *const bad_strokes[] = {"", " ", "1", "1,", ",1", "1,2,3,4", "1,2,3 4,5", "1,2 3,4,5", "1,2 3",
                                              "nan,1", "1,inf", "1,2x", "1 2 3 4", "1, 2, 3, 4",
                                              "1;2", "0x1,2", "1,2 ,", "--1,2", "1e,2"};
    for (size_t i = 0; i < sizeof bad_strokes / sizeof *bad_strokes; i++)
        ck_assert_msg(!seeds_stroke_parse(bad_strokes[i], true, &stroke), "%s", bad_strokes[i]);
}

int main(void)
{
    return run_suite((test_suite){.name = "seed strokes", .seconds = 60, .set_up = setup, .tear_down = teardown});
}
