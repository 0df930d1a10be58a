/* SPDX-License-Identifier: MIT
 *
 * test_region.c - pictures read by rows: rows of a PNG read in any order equal those of the whole picture, and a file
 * that is replaced while it is read is refused.
 */
#include "region.h"

#include "pictures.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_suite.h"

enum { W = 12, H = 10 };

static uint8_t pixels[2 * W * H];
static char path[] = "/tmp/tilecut-region-XXXXXX";

static void write_png(int width, int height)
{
    const png_recipe recipe = {.width = width, .height = height, .color_type = PNG_COLOR_TYPE_GRAY, .depth = 8,
                               .rows = pixels};
    bytes file = picture_png(&recipe);
    FILE *const to = fopen(path, "wb");
    ck_assert(to && fwrite(file.data, 1, file.size, to) == file.size && fclose(to) == 0);
    bytes_free(&file);
}

static region_reader *open_png(void)
{
    region_shape shape;
    region_reader *reader;
    failure why = {0};
    for (int i = 0; i < 2 * W * H; i++) pixels[i] = (uint8_t)(7 * i);
    write_png(W, H);
    ck_assert_int_eq(region_open(path, true, &shape, &reader, &why), EXIT_DONE);
    ck_assert(shape.width == W && shape.height == H && shape.channels == 1 && shape.depth == 8);
    return reader;
}

TEST(rows_come_in_any_order)
{
    static const int order[] = {6, 2, 9, 0, 5, 5, 1};
    uint8_t row[W];
    failure why = {0};
    region_reader *const reader = open_png();
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        ck_assert_int_eq(region_read(reader, order[i], 1, row, &why), EXIT_DONE);
        ck_assert_mem_eq(row, pixels + order[i] * W, W);
    }
    region_close(reader);
}

TEST(a_file_that_was_replaced_is_refused)
{
    static const int size[][2] = {{2 * W, H}, {W / 2, H}, {W, H / 2}, {W, 2 * H}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        /* allocates exactly this size, so that the sanitizer sees writes past the end */
        uint8_t *const rows = malloc(5 * W);
        failure why = {0};
        region_reader *const reader = open_png();
        ck_assert_int_eq(region_read(reader, 5, 5, rows, &why), EXIT_DONE);
        write_png(size[i][0], size[i][1]);
        ck_assert_int_eq(region_read(reader, 0, 5, rows, &why), EXIT_INPUT);
        ck_assert_ptr_nonnull(strstr(why.text, "became another picture"));
        ck_assert(!strchr(why.text, '\n'));
        region_close(reader);
        free(rows);
    }
}

static void make_file(void)
{
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void remove_file(void)
{
    unlink(path);
}

int main(void) { return run_suite((test_suite){.name = "region", .begin = make_file, .end = remove_file}); }
