/* SPDX-License-Identifier: MIT
 *
 * test_score.c - scores of a mask, compared with cases worked out by hand and with the definition; and pairing the
 * files of two folders.
 */
#include "score.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_suite.h"

#include "pixel.h"
#include "random_graph.h"
#include "seed_scene.h"

static score got;
static failure why;

/* Draws a grey picture from rows of '.', '#', and '?' for 128. */
static image drawn(const char *const *rows, int height)
{
    const int width = (int)strlen(rows[0]);
    image img = picture_of(width, height, 1, 8, BLACK);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (rows[y][x] != '.') picture_set(&img, x, y, rows[y][x] == '#' ? WHITE : GREY);
    return img;
}

static int compare(const image *mask, const image *truth)
{
    return score_pair(mask, "mask.png", truth, "truth.png", &got, &why);
}

TEST(figures_of_a_small_case)
{
    static const char *const m[] = {"####....", "####....", "........", "........"};
    static const char *const t[] = {"###.....", "###?....", "###.....", "......??"};
    image mask = drawn(m, 4), truth = drawn(t, 4);
    ck_assert_int_eq(compare(&mask, &truth), EXIT_DONE);
    ck_assert_int_eq(got.labelled, 29);
    ck_assert_int_eq(got.wrong, 4); /* the mask has one pixel too many in the first row, and lacks three in the third */
    ck_assert_double_eq_tol(got.error_rate, 4.0 / 29, 1e-15);
    ck_assert_double_eq_tol(got.iou, 6.0 / 10, 1e-15);
    /* The tolerance is 0.07 of a pixel, so boundaries must coincide. The mask's boundary is 3,0 and 0..3,1. The truth's
     * is 2,0 3,1 0..2,2, where the ignored pixel 3,1 counts as in the mask. Common: 3,1. */
    ck_assert_double_eq_tol(got.boundary_f, 2 * (1.0 / 5) * (1.0 / 5) / (2.0 / 5), 1e-15);
    free(mask.pixels);
    free(truth.pixels);
}

TEST(extremes)
{
    image full = picture_of(30, 20, 1, 8, WHITE), none = picture_of(30, 20, 1, 8, BLACK),
          half = picture_of(30, 20, 3, 16, BLACK);
    picture_rect(&half, 0, 0, 15, 20, WHITE);
    ck_assert_int_eq(compare(&half, &half), EXIT_DONE);
    ck_assert(got.error_rate == 0 && got.iou == 1 && got.boundary_f == 1);
    ck_assert_int_eq(compare(&none, &none), EXIT_DONE);
    ck_assert(got.error_rate == 0 && got.iou == 1 && got.boundary_f == 1);
    ck_assert_int_eq(compare(&full, &none), EXIT_DONE);
    ck_assert(got.error_rate == 1 && got.iou == 0 && got.boundary_f == 1); /* neither mask has a boundary */
    ck_assert_int_eq(compare(&none, &half), EXIT_DONE);
    ck_assert(got.error_rate == 0.5 && got.iou == 0 && got.boundary_f == 0);
    free(full.pixels);
    free(none.pixels);
    free(half.pixels);
}

static bool on_boundary(const image *img, int p)
{
    const int w = img->width, x = p % w, y = p / w;
    return img->pixels[p] && ((x > 0 && !img->pixels[p - 1]) || (x < w - 1 && !img->pixels[p + 1]) ||
                              (y > 0 && !img->pixels[p - w]) || (y < img->height - 1 && !img->pixels[p + w]));
}

static double share(const image *of, const image *to)
{
    const double radius = 0.0075 * hypot(of->width, of->height);
    int all = 0, near = 0;
    for (int p = 0; p < of->width * of->height; p++) {
        if (!on_boundary(of, p)) continue;
        all++;
        bool found = false;
        for (int q = 0; q < to->width * to->height && !found; q++)
            found = on_boundary(to, q) &&
                    hypot(p % of->width - q % of->width, p / of->width - q / of->width) <= radius;
        near += found;
    }
    return all ? (double)near / all : -1;
}

TEST(boundary_f_is_what_it_says)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        image pair[2];
        for (int i = 0; i < 2; i++) { /* at 160 x 120 the tolerance is 1.5 pixels */
            pair[i] = picture_of(160, 120, 1, 8, BLACK);
            for (int r = 0; r < 3; r++)
                picture_rect(&pair[i], 20 + 40 * r + random_below(&state, 4), 20 + random_below(&state, 4),
                             20 + random_below(&state, 4), 40 + random_below(&state, 4), WHITE);
        }
        ck_assert_int_eq(compare(&pair[0], &pair[1]), EXIT_DONE);
        const double p = share(&pair[0], &pair[1]), r = share(&pair[1], &pair[0]);
        ck_assert_msg(fabs(got.boundary_f - 2 * p * r / (p + r)) < 1e-12, "seed %d", (int)seed);
        free(pair[0].pixels);
        free(pair[1].pixels);
    }
}

TEST(an_ignored_strip_forgives_the_edge_within_it)
{
    image truth = picture_of(40, 30, 1, 8, BLACK), mask = picture_of(40, 30, 1, 8, BLACK);
    picture_rect(&truth, 0, 0, 24, 30, GREY);
    picture_rect(&truth, 0, 0, 16, 30, WHITE);
    for (int edge = 16; edge <= 24; edge++) {
        picture_rect(&mask, 0, 0, edge, 30, WHITE);
        ck_assert_int_eq(compare(&mask, &truth), EXIT_DONE);
        ck_assert_int_eq(got.wrong, 0);
        ck_assert_double_eq(got.boundary_f, 1);
    }
    picture_rect(&mask, 0, 0, 30, 30, WHITE); /* this mask is 6 columns too wide */
    ck_assert_int_eq(compare(&mask, &truth), EXIT_DONE);
    ck_assert_int_eq(got.wrong, 180);
    ck_assert_double_eq(got.boundary_f, 0);
    free(truth.pixels);
    free(mask.pixels);
}

/* Masks and truths with the values 0 and 1 are as common as those with 0 and 255. Label maps are different. */
TEST(ones_are_foreground_where_nothing_is_larger)
{
    for (int depth = 8; depth <= 16; depth += 8) {
        image ones = picture_of(6, 4, 1, depth, BLACK), full = picture_of(6, 4, 1, depth, BLACK);
        picture_rect(&full, 1, 1, 4, 3, WHITE);
        for (size_t p = 0; p < 24; p++) sample_set(&ones, p, sample_at(&full, p) != 0);
        const image *const pair[] = {&ones, &full, &ones, &ones, &full};
        for (int i = 0; i < 4; i++) {
            ck_assert_int_eq(compare(pair[i], pair[i + 1]), EXIT_DONE);
            ck_assert_int_eq(got.wrong, 0);
            ck_assert_double_eq(got.iou, 1);
        }
        for (size_t p = 0; p < 24; p++) sample_set(&ones, p, p % 4);
        ck_assert_int_eq(compare(&ones, &full), EXIT_INPUT);
        ck_assert(strstr(why.text, "mask.png: has no foreground, its largest value is 3 of ") != NULL);
        const uint32_t most = depth == 8 ? 255 : 65535, unit = depth == 8 ? 1 : 257;
        for (size_t p = 0; p < 24; p++) sample_set(&ones, p, p % 4 == 3 ? most : (p % 2) * unit);
        ck_assert_int_eq(compare(&ones, &full), EXIT_INPUT);
        ck_assert(strstr(why.text, "mask.png: holds 0, 1 and 255, as a label map does") != NULL);
        free(ones.pixels);
        free(full.pixels);
    }
}

TEST(wrong_pictures_are_refused)
{
    image mask = picture_of(4, 4, 1, 8, WHITE), other = picture_of(4, 5, 1, 8, WHITE),
          color = picture_of(4, 4, 3, 8, RED), clear = picture_of(4, 4, 4, 8, CLEAR);
    ck_assert_int_eq(compare(&mask, &other), EXIT_INPUT);
    ck_assert_str_eq(why.text, "mask.png: is 4x4 but truth.png is 4x5; a mask has the size of its truth");
    ck_assert_int_eq(compare(&mask, &color), EXIT_INPUT);
    ck_assert_str_eq(why.text, "truth.png: is in colour; truth is grey, 0 background, 255 foreground, 128 not judged");
    ck_assert_int_eq(compare(&color, &mask), EXIT_INPUT);
    ck_assert_int_eq(compare(&clear, &mask), EXIT_INPUT);
    ck_assert_int_eq(compare(&mask, &clear), EXIT_INPUT);
    ck_assert(strstr(why.text, "truth.png: is transparent in places") != NULL);
    image truth = picture_of(4, 4, 1, 8, WHITE);
    picture_set(&truth, 2, 1, 0xff010101);
    ck_assert_int_eq(compare(&mask, &truth), EXIT_INPUT);
    ck_assert(strstr(why.text, "truth.png: holds 1 at 2,1; truth is 0") != NULL);
    picture_rect(&truth, 0, 0, 4, 4, GREY);
    ck_assert_int_eq(compare(&mask, &truth), EXIT_INPUT);
    ck_assert(strstr(why.text, "nothing is judged") != NULL);
    image *const all[] = {&mask, &other, &color, &clear, &truth};
    for (int i = 0; i < 5; i++) free(all[i]->pixels);
}

/* ---- Folders ---- */

static char root[] = "/tmp/tilecut-score-" "XX" "XX" "XX";

static const char *at(const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
    return path[turn];
}

static void put(const char *name, int white_columns)
{
    image img = picture_of(20, 10, 1, 8, BLACK);
    picture_rect(&img, 0, 0, white_columns, 10, WHITE);
    const image_view view = {.width = 20, .height = 10, .channels = 1, .depth = 8, .pixels = img.pixels};
    ck_assert_int_eq(image_write(at(name), IMAGE_MASK, &view, &why), EXIT_DONE);
    free(img.pixels);
}

static int run(const char *command, const char *folder)
{
    char line[400];
    snprintf(line, sizeof line, "%s %s", command, at(folder));
    return system(line);
}

TEST(folders_are_paired_by_name)
{
    score_table table = {0};
    notes log = {0};
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(run("mkdir", "m"), 0);
    ck_assert_int_eq(run("mkdir", "t"), 0);
    ck_assert_int_eq(score_folders(at("m"), at("t"), false, NULL, &table, &log, &why), EXIT_INPUT);
    ck_assert(strstr(why.text, "holds no picture") != NULL);
    put("m/a.png", 10);
    put("m/b.pgm", 10);
    put("m/c.png", 10);
    put("t/a_gt.png", 10);
    put("t/a.png", 0); /* the truth of a.png is a_gt.png, because a.png could be a photo next to it */
    put("t/b.png", 5);
    put("t/d_gt.png", 5);
    ck_assert_int_eq(score_folders(at("m/"), at("t"), false, NULL, &table, &log, &why), EXIT_DONE);
    ck_assert_int_eq(table.count, 2);
    ck_assert_str_eq(table.row[0].name, "a.png");
    ck_assert_str_eq(table.row[1].name, "b.pgm");
    ck_assert_double_eq(table.row[0].score.iou, 1);
    ck_assert_double_eq(table.row[1].score.iou, 0.5);
    ck_assert_double_eq_tol(table.mean.iou, 0.75, 1e-15);
    ck_assert_int_eq(table.mean.labelled, 400);
    ck_assert_int_eq(log.count, 2);
    ck_assert(strstr(log.text[0], "1 pictures without a truth were left out (first: c.png)") != NULL);
    ck_assert(strstr(log.text[1], "1 pictures without a mask were left out (first: d_gt.png)") != NULL);
    score_table_free(&table);
    put("t/b_gt.png", 5);
    put("t/b_gt.ppm", 5);
    ck_assert_int_eq(score_folders(at("m"), at("t"), false, NULL, &table, NULL, &why), EXIT_INPUT);
    ck_assert(strstr(why.text, "holds 2 files that may be the truth of b.pgm; keep one") != NULL);
    ck_assert_int_eq(score_folders(at("m"), at("none"), false, NULL, &table, NULL, &why), EXIT_INPUT);
    /* if masks and truths are in the same folder, no picture is its own truth */
    ck_assert_int_eq(score_folders(at("t"), at("t"), false, NULL, &table, NULL, &why), EXIT_DONE);
    ck_assert_int_eq(table.count, 2);
    ck_assert_double_eq(table.row[0].score.error_rate, 0.5);
    score_table_free(&table);
    notes_free(&log);
    ck_assert_int_eq(run("rm -r", ""), 0);
}

int main(void) { return run_suite((test_suite){.name = "score"}); }
