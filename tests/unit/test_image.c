/* SPDX-License-Identifier: MIT
 *
 * test_image.c - rules for all formats: a file is read by its content and written by its extension, and files in
 * unsupported formats are refused with the name of the format.
 */
#include "image.h"
#include "pictures.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_suite.h"

static char folder[64];

static void enter_folder(void)
{
    strcpy(folder, "/tmp/tilecut-test-" "XX" "XX" "XX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

TEST(files_of_other_kinds_are_named)
{
    static const struct {
        const char *start, *says;
        size_t size;
    } kinds[] = {
        {"RIFF\1\2\3\4AVI LIST", "p: is an AVI video; convert it to PNG first", 16},
        {"\0\0\0\x18" "ftypcrx \0\0\0\0", "is a CR3 raw file; convert", 16},
        {"\0\0\0\x18" "ftypisom\0\0\0\0", "is an MP4 video; convert", 16},
        {"\0\0\0\x0cJXL \r\n", "is a JPEG XL file", 10},
        {"\0\0\0\x0cjP  \r\n", "is a JPEG 2000 file", 10},
        {"8BPS\0\1\0\0", "is a Photoshop file", 8},
        {"%PDF-1.4", "is a PDF file", 8},
        {"\x01\xda\x01\x01\0\3", "is an SGI picture; convert", 6},
        {"\x59\xa6\x6a\x95\0\0", "is a Sun raster file; convert", 6},
        {"/* XPM */\nstatic", "is an XPM picture; convert", 16},
        {" \n<svg xmlns=\"\">", "is an SVG or XML file", 16},
        {"\xef\xbb\xbf<!DOCTYPE html>", "is a web page, not a picture", 18},
        {"\x1f\x8b\x08\0", "is compressed with gzip; unpack it first", 4},
        {"PK\3\4\1\2", "is a ZIP archive; unpack it first", 6},
        {"\x89PNG\n\x1a\n\0\0\0", "is a PNG damaged by a transfer as text", 10},
        {"some words", "p: not a PNG, JPEG, PNM, TIFF, WebP, HEIC, AVIF, GIF, BMP or TGA file", 10},
        {"P", "not a PNG, JPEG, PNM, TIFF, WebP, HEIC, AVIF, GIF, BMP or TGA file", 1},
        {"\xff\xd8", "not a PNG, JPEG, PNM, TIFF, WebP, HEIC, AVIF, GIF, BMP or TGA file", 2},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t size = 0; size <= kinds[i].size; size++) {
            /* allocates exactly this size, so that the sanitizer sees reads past the end */
            uint8_t *const copy = malloc(size ? size : 1);
            image picture;
            failure why = {0};
            memcpy(copy, kinds[i].start, size);
            ck_assert_int_eq(image_decode("p", copy, size, NULL, &picture, NULL, &why), EXIT_INPUT);
            if (size == kinds[i].size) ck_assert_msg(strstr(why.text, kinds[i].says), "%s", why.text);
            free(copy);
        }
}

TEST(the_extension_decides_what_can_be_written)
{
    static const struct {
        const char *path;
        enum image_purpose purpose;
        int channels;
        const char *says; /* the expected error message; NULL if the format can be written */
    } cases[] = {
        {"a.png", IMAGE_MASK, 1, NULL},       {"A.PNG", IMAGE_CUTOUT, 4, NULL},
        {"a.pgm", IMAGE_MASK, 1, NULL},       {"a.pbm", IMAGE_MASK, 1, NULL},
        {"a.ppm", IMAGE_MASK, 1, NULL},       {"a.pnm", IMAGE_MASK, 1, NULL},
        {"a.bmp", IMAGE_MASK, 1, NULL},       {"a.tga", IMAGE_CUTOUT, 4, NULL},
        {"a.jpg", IMAGE_PICTURE, 3, NULL},    {"a.JPEG", IMAGE_CUTOUT, 3, NULL},
        {"x.y/a.b.png", IMAGE_MASK, 1, NULL}, {"a.ppm", IMAGE_CUTOUT, 3, NULL},
        {"a.jpg", IMAGE_MASK, 1, "a.jpg: a mask needs a lossless format; use .png"},
        {"a.jpg", IMAGE_CUTOUT, 4, "a.jpg: a cutout needs transparency, which JPEG has not; use .png"},
        {"a.bmp", IMAGE_CUTOUT, 2, "a cutout needs transparency, which BMP has not"},
        {"a.ppm", IMAGE_CUTOUT, 4, "a cutout needs transparency, which PPM has not"},
        {"a.pbm", IMAGE_PICTURE, 3, "PBM holds black and white only"},
        {"a.pgm", IMAGE_PICTURE, 3, "PGM holds no colours"},
        {"a.gif", IMAGE_PICTURE, 3, "a.gif: 'gif' files cannot be written; use .png"},
        {"a.gz", IMAGE_PICTURE, 3, "a.gz: 'gz' files cannot be written; use .png"},
        {"a.nii.gz", IMAGE_MASK, 1, NULL}, {"a.raw", IMAGE_MASK, 1, NULL},
        {"a.nii", IMAGE_CUTOUT, 4, "a.nii: a cutout needs transparency, which NIfTI has not"},
        {"a.nrrd", IMAGE_PICTURE, 3, "a.nrrd: NRRD holds no colours"},
        {"a.averylongextension", IMAGE_MASK, 1, "has no extension that names a format"},
        {"a", IMAGE_MASK, 1, "has no extension that names a format"},
        {"a.", IMAGE_MASK, 1, "has no extension that names a format"},
        {"x.png/a", IMAGE_MASK, 1, "has no extension that names a format"},
        {".png", IMAGE_MASK, 1, "has no extension that names a format"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        failure why = {0};
        const int status = image_can_write(cases[i].path, cases[i].purpose, cases[i].channels, &why);
        ck_assert_msg(status == (cases[i].says ? EXIT_USAGE : EXIT_DONE), "%s: %s", cases[i].path, why.text);
        if (cases[i].says) ck_assert_msg(strstr(why.text, cases[i].says), "%s", why.text);
        const bool offers_jpeg = strstr(why.text, ".jpg") != NULL && strncmp(cases[i].path, "a.jpg", 5) != 0;
        ck_assert_msg(!offers_jpeg || cases[i].purpose == IMAGE_PICTURE, "JPEG for a mask: %s", why.text);
    }
}

TEST(standard_output_is_png)
{
    static const uint8_t mask[2] = {0, 255};
    const image_view view = {.width = 2, .height = 1, .channels = 1, .depth = 8, .pixels = mask};
    bytes file = {0};
    failure why;
    ck_assert_int_eq(image_encode("-", IMAGE_MASK, &view, &file, &why), EXIT_DONE);
    ck_assert_mem_eq(file.data, "\x89PNG", 4);
    bytes_free(&file);
}

TEST(written_whole_or_not_at_all)
{
    static const uint8_t mask[6] = {0, 255, 0, 255, 255, 0};
    const image_view view = {.width = 3, .height = 2, .channels = 1, .depth = 8, .pixels = mask};
    static const char *const names[] = {"m.png", "m.pgm", "m.ppm", "m.pnm", "m.pbm"};
    struct stat about;
    failure why = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        image picture;
        ck_assert_int_eq(image_write(names[i], IMAGE_MASK, &view, &why), EXIT_DONE);
        ck_assert_msg(image_read(names[i], NULL, &picture, NULL, &why) == EXIT_DONE, "%s", why.text);
        for (int p = 0; p < 6; p++) ck_assert_uint_eq(picture.pixels[p * picture.channels], mask[p]);
        image_free(&picture);
        unlink(names[i]);
    }
    ck_assert_int_eq(image_write("m.jpg", IMAGE_MASK, &view, &why), EXIT_USAGE);
    ck_assert_int_ne(stat("m.jpg", &about), 0);
    ck_assert_int_eq(image_write("none/m.png", IMAGE_MASK, &view, &why), EXIT_RUNTIME);
    ck_assert_str_eq(why.text, "none/m.png: not written: there is no folder none");
}

TEST(content_decides_what_is_read)
{
    static const uint8_t pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const image_view view = {.width = 2, .height = 2, .channels = 3, .depth = 8, .pixels = pixels};
    image picture;
    bytes file = {0};
    failure why;
    ck_assert_int_eq(image_encode("x.ppm", IMAGE_PICTURE, &view, &file, &why), EXIT_DONE);
    ck_assert_int_eq(file_write("x.jpg", file.data, file.size, &why), EXIT_DONE);
    ck_assert_int_eq(image_read("x.jpg", NULL, &picture, NULL, &why), EXIT_DONE);
    ck_assert_str_eq(picture.format, "PNM");
    ck_assert_mem_eq(picture.pixels, pixels, sizeof pixels);
    image_free(&picture);
    ck_assert_ptr_nonnull(freopen("x.jpg", "rb", stdin));
    ck_assert_int_eq(image_read("-", NULL, &picture, NULL, &why), EXIT_DONE);
    ck_assert_mem_eq(picture.pixels, pixels, sizeof pixels);
    image_free(&picture);
    unlink("x.jpg");
    ck_assert_int_eq(file_write("x.png", "hello", 5, &why), EXIT_DONE);
    ck_assert_int_eq(image_read("x.png", NULL, &picture, NULL, &why), EXIT_INPUT);
    ck_assert_str_eq(why.text, "x.png: not a PNG, JPEG, PNM, TIFF, WebP, HEIC, AVIF, GIF, BMP or TGA file");
    unlink("x.png");
    ck_assert_int_eq(image_read("x.png", NULL, &picture, NULL, &why), EXIT_INPUT);
    ck_assert_str_eq(why.text, "x.png: there is no such file");
    ck_assert(!picture.pixels && !picture.width);
    bytes_free(&file);
}

static void encode_one(const char *path, const image_view *view, bytes *file)
{
    failure why = {0};
    *file = (bytes){0};
    ck_assert_msg(image_encode(path, IMAGE_PICTURE, view, file, &why) == EXIT_DONE, "%s", why.text);
}

TEST(bmp_holds_the_pixels)
{
    static const uint8_t rgba[8] = {1, 2, 3, 0, 4, 5, 6, 255}, grey[2] = {7, 8};
    /* 8-bit values are steps of 257, and halves round up */
    static const uint16_t wide[6] = {0, 128, 129, 65535, 65407, 65406};
    const image_view views[] = {
        {.width = 1, .height = 2, .channels = 4, .depth = 8, .pixels = rgba},
        {.width = 1, .height = 2, .channels = 1, .depth = 8, .pixels = grey},
        {.width = 1, .height = 2, .channels = 3, .depth = 16, .pixels = wide}};
    static const uint8_t rows[][8] = {
        {6, 5, 4, 0, 3, 2, 1, 0}, {8, 8, 8, 0, 7, 7, 7, 0}, {254, 255, 255, 0, 1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        bytes file;
        encode_one("x.bmp", &views[i], &file);
        ck_assert_uint_eq(file.size, 54 + 8);
        ck_assert_mem_eq(file.data, "BM\x3e", 3);
        ck_assert_mem_eq(file.data + 54, rows[i], 8); /* BMP stores blue, green, red, with the last row first */
        bytes_free(&file);
    }
}

TEST(tga_holds_the_pixels)
{
    static const uint8_t grey_alpha[4] = {10, 20, 30, 40}, grey[2] = {7, 8};
    static const uint8_t spread[8] = {10, 10, 10, 20, 30, 30, 30, 40};
    const image_view with_alpha = {.width = 2, .height = 1, .channels = 2, .depth = 8, .pixels = grey_alpha},
        plain = {.width = 2, .height = 1, .channels = 1, .depth = 8, .pixels = grey};
    bytes file;
    encode_one("x.tga", &with_alpha, &file);
    ck_assert(file.data[2] == 10 && file.data[12] == 2 && file.data[14] == 1 && file.data[16] == 32);
    ck_assert_uint_eq(file.data[18], 1); /* the run-length data has an uncompressed run of two */
    ck_assert_mem_eq(file.data + 19, spread, 8);
    bytes_free(&file);
    encode_one("x.tga", &plain, &file);
    ck_assert(file.data[2] == 11 && file.data[16] == 8);
    ck_assert_mem_eq(file.data + 19, grey, 2);
    bytes_free(&file);
}

TEST(jpeg_is_near_the_pixels)
{
    static uint8_t pixels[32 * 24 * 4];
    for (int channels = 1; channels <= 4; channels++) {
        const image_view view = {.width = 32, .height = 24, .channels = channels, .depth = 8, .pixels = pixels};
        const int colors = channels > 2 ? 3 : 1;
        bytes file;
        image picture;
        failure why;
        for (int i = 0; i < 32 * 24 * channels; i++) pixels[i] = (uint8_t)(i / channels / 32 * 5 + i % channels * 40);
        encode_one("x.jpg", &view, &file);
        ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
        ck_assert_int_eq(picture.width, 32);
        for (int p = 0; p < 32 * 24; p++)
            for (int c = 0; c < picture.channels; c++)
                ck_assert_int_le(abs(picture.pixels[p * picture.channels + c] - pixels[p * channels + c % colors]), 6);
        image_free(&picture);
        bytes_free(&file);
    }
}

TEST(sides_that_do_not_fit_the_format_are_told)
{
    uint8_t *const row = calloc(65536, 1);
    const image_view view = {.width = 65536, .height = 1, .channels = 1, .depth = 8, .pixels = row};
    bytes file = {0};
    failure why;
    ck_assert_int_eq(image_encode("x.tga", IMAGE_MASK, &view, &file, &why), EXIT_RUNTIME);
    ck_assert_msg(strstr(why.text, "TGA holds at most 65535 pixels a side; use .png"), "%s", why.text);
    ck_assert_int_eq(image_encode("x.png", IMAGE_MASK, &view, &file, &why), EXIT_DONE);
    bytes_free(&file);
    free(row);
}

TEST(formats_are_listed)
{
    int lines = 0;
    while (image_format_line(lines)) lines++;
    ck_assert_int_ge(lines, 5);
    ck_assert_ptr_null(image_format_line(lines + 1));
}

int main(void)
{
    return run_suite((test_suite){.name = "image", .seconds = 60, .set_up = enter_folder, .tear_down = leave_folder});
}
