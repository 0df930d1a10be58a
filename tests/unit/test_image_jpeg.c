/* SPDX-License-Identifier: MIT
 *
 * test_image_jpeg.c - JPEG: every orientation is turned upright, incomplete and unsupported files are refused, and
 * wrong EXIF data does no harm.
 */
#include "image.h"
#include "image_exif.h"
#include "pictures.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

/* The picture consists of blocks 8 pixels wide, each of one grey, so that JPEG keeps them exactly in any
 * orientation. */
enum { W = 24, H = 16 };

static uint8_t upright(int x, int y)
{
    static const uint8_t block[2][3] = {{8, 40, 72}, {104, 168, 248}};
    return block[y / 8][x / 8];
}

/* Returns the JPEG of a picture that a turned camera stores, with `orientation` as in EXIF, which says which sides of
 * the upright picture are the stored row 0 and column 0. */
static bytes turned_jpeg(int orientation, const uint8_t *app1, int app1_size)
{
    static uint8_t pixels[W * H];
    const int width = orientation > 4 ? H : W, height = orientation > 4 ? W : H;
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++) {
            int x = c, y = r;
            switch (orientation) {
            case 2: x = W - 1 - c; break;                 /* top, right    */
            case 3: x = W - 1 - c, y = H - 1 - r; break;  /* bottom, right */
            case 4: y = H - 1 - r; break;                 /* bottom, left  */
            case 5: x = r, y = c; break;                  /* left, top     */
            case 6: x = W - 1 - r, y = c; break;          /* right, top    */
            case 7: x = W - 1 - r, y = H - 1 - c; break;  /* right, bottom */
            case 8: x = r, y = H - 1 - c; break;          /* left, bottom  */
            default: break;
            }
            pixels[r * width + c] = upright(x, y);
        }
    const jpeg_recipe recipe = {.width = width, .height = height, .components = 1, .pixels = pixels, .quality = 100,
                                .app1 = app1, .app1_size = app1_size};
    return picture_jpeg(&recipe);
}

TEST(every_orientation_comes_out_upright)
{
    for (int orientation = 1; orientation <= 8; orientation++)
        for (int big_endian = 0; big_endian < 2; big_endian++) {
            uint8_t exif[64];
            image picture;
            failure why;
            bytes file = turned_jpeg(orientation, exif, picture_exif(orientation, big_endian, true, exif));
            ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
            ck_assert(picture.width == W && picture.height == H && picture.orientation == orientation);
            ck_assert(picture.channels == 1 && picture.lossy);
            for (int p = 0; p < W * H; p++)
                ck_assert_msg(picture.pixels[p] == upright(p % W, p / W), "orientation %d: pixel %d", orientation, p);
            image_free(&picture);
            bytes_free(&file);
        }
}

/* Some editors write the orientation in four bytes. The EXIF that we keep has it in two, with the value 1. */
TEST(an_orientation_may_be_long)
{
    enum { TYPE = 30, VALUE = 36 };
    for (int big_endian = 0; big_endian < 2; big_endian++)
        for (uint8_t type = 4; type <= 9; type += 5) {
            uint8_t exif[64];
            image picture;
            failure why;
            const int size = picture_exif(6, big_endian, true, exif);
            ck_assert_int_eq(exif[TYPE + big_endian], 3);
            exif[TYPE + big_endian] = type;
            exif[VALUE + big_endian] = 0;
            exif[VALUE + 3 * big_endian] = 6;
            bytes file = turned_jpeg(6, exif, size);
            ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
            ck_assert(picture.width == W && picture.height == H && picture.orientation == 6);
            ck_assert_int_eq(exif_orientation(exif, (size_t)size, NULL, 0), 6);
            ck_assert_int_eq(exif_orientation(picture.exif, picture.exif_size, NULL, 0), 1);
            image_free(&picture);
            bytes_free(&file);
        }
}

TEST(exif_can_be_left_alone)
{
    const image_limits ignore = {.exif_ignore = true};
    uint8_t exif[64];
    image picture;
    failure why;
    bytes file = turned_jpeg(6, exif, picture_exif(6, false, true, exif));
    ck_assert_int_eq(image_decode("p", file.data, file.size, &ignore, &picture, NULL, &why), EXIT_DONE);
    ck_assert(picture.width == H && picture.height == W && picture.orientation == 6);
    image_free(&picture);
    bytes_free(&file);
}

TEST(exif_that_lies_is_upright)
{
    uint8_t exif[64], changed[64];
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        const size_t size = (size_t)picture_exif(6, big_endian, true, exif);
        ck_assert_int_eq(exif_orientation(exif, size, NULL, 0), 6);
        ck_assert_int_eq(exif_orientation(exif + 6, size - 6, NULL, 0), 6);
        for (size_t cut = 0; cut < size; cut++) {
            /* allocates exactly this size, so that the sanitizer sees reads past the end */
            uint8_t *const copy = malloc(cut + 1);
            memcpy(copy, exif, cut);
            const int found = exif_orientation(copy, cut, NULL, 0);
            ck_assert(found == 1 || found == 6);
            free(copy);
        }
        for (size_t at = 6; at < size; at++)
            for (int value = 0; value < 256; value++) {
                memcpy(changed, exif, size);
                changed[at] = (uint8_t)value;
                const int found = exif_orientation(changed, size, NULL, 0);
                ck_assert(found >= 1 && found <= 8);
            }
        static const int wrong[] = {0, 9, 256 + 6, 65535};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            picture_exif(wrong[i], big_endian, true, changed);
            ck_assert_int_eq(exif_orientation(changed, size, NULL, 0), 1);
        }
    }
    ck_assert_int_eq(exif_orientation((const uint8_t *)"Exif\0\0II*\0\xff\xff\xff\xff", 14, NULL, 0), 1);
}

TEST(exif_whose_preview_lies_over_its_directory_does_no_harm)
{
    /* The first directory is at offset 8, EXIF's own with the maker notes at 26, and that of the preview at 56.
     * Whatever offset and length the preview claims, the EXIF that we keep has the same size, and nothing outside of it
     * is touched. */
    static const uint8_t lying[] = {
        'I', 'I', 42, 0, 8, 0, 0, 0,
        1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 56, 0, 0, 0,
        2, 0, 0x27, 0x88, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x7c, 0x92, 7, 0, 8, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0,
        2, 0, 1, 2, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 2, 2, 4, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    enum { PREVIEW = 66, LENGTH = 78, NOTES = 48 };
    uint8_t changed[sizeof lying];
    memcpy(changed, lying, sizeof lying);
    for (int preview = 0; preview <= (int)sizeof lying; preview++)
        for (int length = 0; length <= 32; length++) {
            image kept = {0};
            failure why = {0};
            changed[PREVIEW] = (uint8_t)preview;
            changed[LENGTH] = (uint8_t)length;
            changed[NOTES] = (uint8_t)(preview + length);
            ck_assert_int_eq(exif_keep("x", changed, sizeof changed, &kept, &why), 0);
            ck_assert_uint_eq(kept.exif_size, sizeof changed);
            image_free(&kept);
        }
}

static void smooth(uint8_t *pixels, int width, int height, int components)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < components; c++)
                pixels[(y * width + x) * components + c] = (uint8_t)(20 + 3 * x + 2 * y + 30 * c);
}

static const jpeg_recipe kinds[] = {
    {.width = 33, .height = 19, .components = 1},
    {.width = 33, .height = 19, .components = 3},
    {.width = 33, .height = 19, .components = 3, .subsampled = true},
    {.width = 33, .height = 19, .components = 3, .progressive = true},
    {.width = 33, .height = 19, .components = 1, .progressive = true},
    {.width = 1, .height = 1, .components = 3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bytes smooth_jpeg(const jpeg_recipe *kind)
{
    static uint8_t pixels[64 * 64 * 4];
    jpeg_recipe recipe = *kind;
    smooth(pixels, recipe.width, recipe.height, recipe.components);
    recipe.pixels = pixels;
    return picture_jpeg(&recipe);
}

LOOP_TEST(jpeg_gives_its_pixels_and_profile, 0, KINDS)
{
    static uint8_t pixels[64 * 64 * 4];
    uint8_t icc[PICTURE_ICC_SIZE];
    jpeg_recipe recipe = kinds[_i];
    image picture;
    failure why;
    picture_icc("RGB ", icc);
    recipe.icc = icc;
    recipe.icc_size = sizeof icc;
    smooth(pixels, recipe.width, recipe.height, recipe.components);
    bytes file = smooth_jpeg(&recipe);
    ck_assert_msg(picture_decode(&file, file.size, &picture, &why) == EXIT_DONE, "%s", why.text);
    ck_assert(picture.width == recipe.width && picture.height == recipe.height);
    ck_assert(picture.channels == recipe.components && picture.depth == 8 && picture.lossy && !picture.index);
    ck_assert_str_eq(picture.format, "JPEG");
    for (int i = 0; i < recipe.width * recipe.height * recipe.components; i++)
        ck_assert_msg(abs(picture.pixels[i] - pixels[i]) <= 12, "sample %d: %d for %d", i, picture.pixels[i],
                      pixels[i]);
    ck_assert_uint_eq(picture.icc_size, sizeof icc);
    ck_assert_mem_eq(picture.icc, icc, sizeof icc);
    image_free(&picture);
    bytes_free(&file);
}

/* Cuts a file anywhere except in its end marker, which is optional. */
LOOP_TEST(jpeg_cut_anywhere_is_refused, 0, KINDS)
{
    enum { MARK = 2 };
    bytes file = smooth_jpeg(&kinds[_i]);
    image whole, picture;
    failure why;
    picture_must_not_be_cut(&file, file.size - MARK);
    ck_assert_int_eq(picture_decode(&file, file.size, &whole, &why), EXIT_DONE);
    for (size_t cut = 1; cut <= MARK; cut++) {
        ck_assert_int_eq(picture_decode(&file, file.size - cut, &picture, &why), EXIT_DONE);
        ck_assert_mem_eq(picture.pixels, whole.pixels,
                         (size_t)whole.width * (size_t)whole.height * (size_t)whole.channels);
        image_free(&picture);
    }
    image_free(&whole);
    bytes_free(&file);
}

LOOP_TEST(jpeg_damaged_is_read_or_refused, 0, KINDS)
{
    bytes file = smooth_jpeg(&kinds[_i]);
    picture_must_survive(&file, 2000 + (uint32_t)_i, 1500);
    bytes_free(&file);
}

/* Data is missing in the middle, and the end of the file follows. Without a check the lower half would become grey. */
TEST(jpeg_with_a_hole_is_refused)
{
    bytes file = smooth_jpeg(&kinds[1]);
    bytes holed = {0};
    ck_assert(bytes_append(&holed, file.data, file.size - 150));
    ck_assert(bytes_append(&holed, "\xff\xd9", 2));
    picture_must_fail(&holed, EXIT_INPUT, "is cut short");
    bytes_free(&holed);
    bytes_free(&file);
}

/* Returns the frame header of `file`: a pointer to the second byte of its marker. */
static uint8_t *frame(const bytes *file)
{
    for (size_t i = 2; i + 9 < file->size; i++)
        if (file->data[i] == 0xff && file->data[i + 1] == 0xc0) return file->data + i + 1;
    ck_abort_msg("no frame header");
    return NULL;
}

/* A CMYK file stores the light that each ink lets through. Multiplied by that of black, it is the colour. */
TEST(inks_become_colours)
{
    static const uint8_t inks[3][4] = {{255, 255, 255, 255}, {200, 100, 50, 255}, {200, 100, 50, 128}};
    static const uint8_t colors[3][3] = {{255, 255, 255}, {200, 100, 50}, {100, 50, 25}};
    for (int i = 0; i < 3; i++) {
        uint8_t pixels[8 * 8 * 4];
        image picture;
        failure why;
        for (size_t p = 0; p < 64; p++) memcpy(pixels + 4 * p, inks[i], 4);
        const jpeg_recipe recipe = {.width = 8, .height = 8, .components = 4, .pixels = pixels, .quality = 100};
        bytes file = picture_jpeg(&recipe);
        ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
        ck_assert_int_eq(picture.channels, 3);
        for (int c = 0; c < 3; c++) ck_assert_int_le(abs(picture.pixels[c] - colors[i][c]), 1);
        image_free(&picture);
        bytes_free(&file);
    }
}

TEST(jpegs_we_do_not_read_say_so)
{
    bytes file = smooth_jpeg(&kinds[0]);
    uint8_t *const header = frame(&file);
    header[3] = 12;
    picture_must_fail(&file, EXIT_INPUT, "12 bits a sample");
    header[3] = 8;
    header[0] = 0xc3;
    picture_must_fail(&file, EXIT_INPUT, "rare kind");
    header[0] = 0xc0;
    header[4] = header[5] = 0;
    picture_must_fail(&file, EXIT_INPUT, "0 pixels; a picture has at least one");
    memset(header + 4, 0xf0, 4);
    picture_must_fail(&file, EXIT_INPUT, "is 61680x61680, which is 3804422400 pixels");
    bytes_free(&file);
}

TEST(arithmetic_coding_is_read_or_refused)
{
    const jpeg_recipe kind = {.width = 33, .height = 19, .components = 3, .arithmetic = true};
    bytes file = smooth_jpeg(&kind);
    image picture;
    failure why;
    const int status = picture_decode(&file, file.size, &picture, &why);
    ck_assert(status == EXIT_DONE || strstr(why.text, "rare kind"));
    if (!status) image_free(&picture);
    picture_must_survive(&file, 31, 500);
    bytes_free(&file);
}

TEST(junk_before_a_marker_is_a_note)
{
    bytes file = smooth_jpeg(&kinds[0]), padded = {0};
    notes list = {0};
    image picture;
    failure why;
    ck_assert(bytes_append(&padded, file.data, file.size - 2));
    ck_assert(bytes_append(&padded, "junk\xff\xd9", 6));
    ck_assert_int_eq(image_decode("p", padded.data, padded.size, NULL, &picture, &list, &why), EXIT_DONE);
    ck_assert_int_eq(list.count, 1);
    ck_assert_msg(strstr(list.text[0], "p: JPEG: "), "%s", list.text[0]);
    notes_free(&list);
    image_free(&picture);
    bytes_free(&padded);
    bytes_free(&file);
}

int main(void) { return run_suite((test_suite){.name = "image_jpeg", .seconds = 120}); }
