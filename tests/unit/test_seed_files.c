/* SPDX-License-Identifier: MIT
 *
 * test_seed_files.c - seeds from real files. The same strokes give the same labels as PNG of every kind and as PNM, and
 * nearly the same as JPEG. The seeds of the sample photographs are read.
 */
#include "seeds.h" /* must precede check.h, which defines a macro fail() */

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_suite.h"

#include "pixel.h"
#include "seed_scene.h"
#include "tilecut.h"

static char path[64];
static image photo;
static seeds got;
static notes log_of_run;
static failure why;
static seeds_request request;
static const char *files[1] = {path};

static void setup(void)
{
    photo = picture_of(64, 48, 3, 8, 0xff607080);
    picture_rect(&photo, 32, 0, 32, 48, 0xffc0a060);
    seeds_request_init(&request);
    request.files = files;
    request.file_count = 1;
    strcpy(path, "/tmp/tilecut-seeds-" "XX" "XX" "XX");
    close(mkstemp(path));
}

static void teardown(void)
{
    unlink(path);
    image_free(&photo);
    seeds_free(&got);
    notes_free(&log_of_run);
}

static int read_seeds(void)
{
    seeds_free(&got);
    return seeds_read(&request, &photo, "photo.png", &got, &log_of_run, &why);
}

static void check_counts(const char *format, int fg, int bg)
{
    ck_assert_msg(read_seeds() == EXIT_DONE, "%s", why.text);
    ck_assert_str_eq(got.format, format);
    ck_assert_int_eq(got.foreground, fg);
    ck_assert_int_eq(got.background, bg);
}

/* Returns 1 in a bar of 20 x 4 on the left, 2 in a square of 10 x 10 on the right, and 0 elsewhere. */
static int class_at(int x, int y)
{
    if (x >= 5 && x < 25 && y >= 8 && y < 12) return 1;
    return x >= 45 && x < 55 && y >= 20 && y < 30 ? 2 : 0;
}

/* Writes a PNG whose samples are the classes times `step`, with a palette, or in grey if `palette` is NULL. */
static void write_png(int bits, const png_color *palette, int step)
{
    FILE *file = fopen(path, "wb");
    png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_info *info = png_create_info_struct(png);
    png_byte row[64];
    png_init_io(png, file);
    png_set_IHDR(png, info, 64, 48, bits, palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (palette) png_set_PLTE(png, info, palette, 3);
    png_write_info(png, info);
    png_set_packing(png);
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--)
        for (int y = 0; y < 48; y++) {
            for (int x = 0; x < 64; x++) row[x] = (png_byte)(class_at(x, y) * step);
            png_write_row(png, row);
        }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

TEST(palettes_count_by_their_colours)
{
    static const png_color strokes[3] = {{255, 255, 255}, {0, 255, 0}, {255, 0, 0}};
    static const png_color classes[3] = {{0, 0, 0}, {128, 0, 0}, {0, 128, 0}};
    static const png_color greys[3] = {{128, 128, 128}, {255, 255, 255}, {0, 0, 0}};
    for (int bits = 2; bits <= 8; bits *= 2) {
        write_png(bits, strokes, 1);
        check_counts("color", 80, 100);
        write_png(bits, greys, 1);
        check_counts("trimap", 80, 100);
        write_png(bits, classes, 1);
        ck_assert_int_eq(read_seeds(), EXIT_SEEDS);
        request.format = SEEDS_LABELS;
        check_counts("labels", 80, 100);
        write_png(bits, greys, 1);
        check_counts("labels", 80, 100);
        request.format = SEEDS_AUTO;
    }
    write_png(8, NULL, 1);
    ck_assert_int_eq(read_seeds(), EXIT_SEEDS);
    ck_assert(strstr(why.text, "fit two readings; name --seeds-format labels") != NULL);
    request.format = SEEDS_LABELS;
    check_counts("labels", 80, 100);
}

/* Writes the strokes in colour, in the format of the extension. */
static void write_picture(const char *extension, int channels, uint32_t under, uint32_t fg, uint32_t bg)
{
    image img = picture_of(64, 48, channels, 8, under);
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 64; x++)
            if (class_at(x, y)) picture_set(&img, x, y, class_at(x, y) == 1 ? fg : bg);
    char as[80];
    snprintf(as, sizeof as, "%s%s", path, extension);
    const image_view view = {.width = 64, .height = 48, .channels = channels, .depth = 8, .pixels = img.pixels};
    ck_assert_msg(image_write(as, IMAGE_PICTURE, &view, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_int_eq(rename(as, path), 0); /* the content of a file counts, not its name */
    free(img.pixels);
}

TEST(lossless_files_agree)
{
    write_picture(".png", 4, CLEAR, GREEN, RED);
    check_counts("color", 80, 100);
    write_picture(".png", 2, CLEAR, WHITE, BLACK);
    check_counts("color", 80, 100);
    write_picture(".ppm", 3, WHITE, RED, BLUE);
    check_counts("color", 80, 100);
    write_picture(".pgm", 1, GREY, WHITE, BLACK);
    check_counts("trimap", 80, 100);
    ck_assert_int_eq(log_of_run.count, 0);
}

/* The strokes are wider than JPEG's blur, so most of their pixels are found, and none gets the other class. */
TEST(jpeg_strokes_are_read_with_a_note)
{
    write_picture(".jpg", 3, WHITE, GREEN, RED);
    ck_assert_msg(read_seeds() == EXIT_DONE, "%s", why.text);
    ck_assert_str_eq(got.format, "color");
    int right = 0, wrong = 0;
    for (int p = 0; p < 64 * 48; p++) {
        const int expected = class_at(p % 64, p / 64);
        if (got.label[p] == TILECUT_FOREGROUND) *(expected == 1 ? &right : &wrong) += 1;
        if (got.label[p] == TILECUT_BACKGROUND) *(expected == 2 ? &right : &wrong) += 1;
    }
    ck_assert_msg(right >= 140 && wrong <= 10, "%d right, %d wrong", right, wrong);
    ck_assert_int_ge(log_of_run.count, 1);
    ck_assert(strstr(log_of_run.text[0], "seeds saved as JPEG") != NULL);
}

TEST(unreadable_files_keep_their_status)
{
    FILE *file = fopen(path, "w");
    fputs("not a picture", file);
    fclose(file);
    ck_assert_int_eq(read_seeds(), EXIT_INPUT);
    unlink(path);
    ck_assert_int_eq(read_seeds(), EXIT_INPUT);
    ck_assert(strstr(why.text, path) != NULL);
    ck_assert_ptr_null(got.label);
}

int main(void) { return run_suite((test_suite){.name = "seed files", .set_up = setup, .tear_down = teardown}); }
