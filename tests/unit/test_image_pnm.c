/* SPDX-License-Identifier: MIT
 *
 * test_image_pnm.c - PNM files written by hand, each on one line where possible.
 */
#include "image.h"
#include "pictures.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

static bytes file_of(const char *text, size_t size)
{
    bytes file = {0};
    ck_assert(bytes_append(&file, text, size));
    return file;
}

#define FILE_OF(literal) file_of(literal, sizeof(literal) - 1)

static void expect(bytes file, int width, int height, int channels, int depth, const void *pixels)
{
    image picture;
    failure why;
    ck_assert_msg(picture_decode(&file, file.size, &picture, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_str_eq(picture.format, "PNM");
    ck_assert(picture.width == width && picture.height == height);
    ck_assert(picture.channels == channels && picture.depth == depth);
    ck_assert_mem_eq(picture.pixels, pixels, (size_t)(width * height * channels * depth / 8));
    image_free(&picture);
    bytes_free(&file);
}

TEST(pnm_of_all_six_kinds)
{
    static const uint8_t bits[] = {255, 0, 0, 0, 255, 255}, grey[] = {0, 7, 255}, color[] = {1, 2, 3, 4, 5, 255};
    static const uint8_t wide_bits[] = {0, 255, 0, 255, 0, 255, 0, 255, 255, 255};
    expect(FILE_OF("P1 3 2 0 1 1 1 0 0"), 3, 2, 1, 8, bits);
    expect(FILE_OF("P1\n3 2\n011\n100\n"), 3, 2, 1, 8, bits);
    expect(FILE_OF("P2 3 1 255 0 7 255"), 3, 1, 1, 8, grey);
    expect(FILE_OF("P3 2 1 255 1 2 3 4 5 255\n"), 2, 1, 3, 8, color);
    expect(FILE_OF("P4 3 2\n\x60\x80"), 3, 2, 1, 8, bits);
    expect(FILE_OF("P4 10 1\n\xaa\x3f"), 10, 1, 1, 8, wide_bits);
    expect(FILE_OF("P5 3 1 255\n\0\x07\xff"), 3, 1, 1, 8, grey);
    expect(FILE_OF("P6 2 1 255\n\1\2\3\4\5\xff"), 2, 1, 3, 8, color);
}

TEST(pnm_blanks_and_comments)
{
    static const uint8_t grey[] = {10, 20}, hash[] = {'#', '\n'};
    expect(FILE_OF("P2#c\n# more 9 9\n\t2\r\n1 # 7\n255\v\f10 # ten\n20"), 2, 1, 1, 8, grey);
    expect(FILE_OF("P5#c\n2#d\n1\n#e\n255\n\x0a\x14"), 2, 1, 1, 8, grey);
    expect(FILE_OF("P5 2 1 255# the rest of this line\n\x0a\x14"), 2, 1, 1, 8, grey);
    expect(FILE_OF("P5 0000000000000000000002 1 255 \x0a\x14"), 2, 1, 1, 8, grey);
    /* Only one blank follows the header: the next bytes are samples, even if they look like a comment. */
    expect(FILE_OF("P5 2 1 255\n#\n"), 2, 1, 1, 8, hash);
}

/* round(v * full / maxval) with halves up, in plain arithmetic that cannot overflow. */
static unsigned expected(unsigned v, unsigned maxval, unsigned full)
{
    unsigned best = 0;
    while ((double)best + 0.5 <= (double)v * full / maxval) best++;
    return best;
}

TEST(pnm_maxval_becomes_the_full_range)
{
    static const unsigned maxvals[] = {1, 2, 3, 7, 100, 254, 255, 256, 1000, 1023, 4095, 65534, 65535};
    for (size_t m = 0; m < sizeof maxvals / sizeof *maxvals; m++) {
        const unsigned maxval = maxvals[m], full = maxval > 255 ? 65535 : 255, step = maxval > 300 ? maxval / 97 : 1;
        for (unsigned v = 0; v <= maxval; v += step) {
            char text[64];
            const uint16_t wide = (uint16_t)expected(v, maxval, full);
            const uint8_t narrow = (uint8_t)wide;
            const int depth = full > 255 ? 16 : 8;
            int size = snprintf(text, sizeof text, "P2 1 1 %u %u", maxval, v);
            expect(file_of(text, (size_t)size), 1, 1, 1, depth, depth == 16 ? (const void *)&wide : &narrow);
            size = snprintf(text, sizeof text, "P5 1 1 %u ", maxval);
            if (depth == 16) text[size++] = (char)(v >> 8);
            text[size++] = (char)v;
            expect(file_of(text, (size_t)size), 1, 1, 1, depth, depth == 16 ? (const void *)&wide : &narrow);
        }
    }
}

TEST(pnm_refusals)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"P5 0 5 255\n", "0x5; a picture has at least one pixel"},
        {"P5 5 0 255\n", "5x0; a picture has at least one pixel"},
        {"P5 31623 31623 255\nxx", "31623x31623, which is 1000014129 pixels; at most 1048576 are"},
        {"P5 4294967296 1 255\nxx", "width before byte 13 is above 4294967295"},
        {"P5 99999999999999999999999999 1 255\nxx", "width before"},
        {"P5 70000 1 255\nxx", "at most 65536 pixels a side"},
        {"P5 65535 65535 255\nxx", "65535x65535, which is 4294836225 pixels; at most 1048576 are accepted"},
        {"P5 1 1 0\nxx", "its maxval is 0"},
        {"P5 1 1 65536\nxx", "maxval before byte 12 is above 65535"},
        {"P5 -1 1 255\nxx", "is no number where the width should be"},
        {"P5 1.5 1 255\nxx", "is no number where the height should be"},
        {"P5 1 1 255x", "no blank after its header"},
        {"P5 1 1 100\n\x65", "sample 101 is above its maxval 100"},
        {"P5 1 1 1000\n\x04\x01", "sample 1025 is above its maxval 1000"},
        {"P2 1 1 100 101", "above 100"},
        {"P2 2 1 255 1 x", "is no number where the sample should be"},
        {"P1 2 1 1 2", "neither 0 nor 1"},
        {"P5 100 100 255\nabc", "is cut short"},
        {"P6 2 1 255\nabcde", "is cut short"},
        {"P3 1 1 255 1 2", "is cut short"},
        {"P1 3 1 1 1 # 1", "is cut short"},
        {"P5 1 1 255", "is cut short"},
        {"P5 1 1 255#", "is cut short"},
        {"P5\n", "is cut short"},
        {"P7\nWIDTH 1\n", "is a PAM file; convert it to PNG first"},
        {"PF\n1 1\n-1.0\n", "is a PFM file; convert it to PNG first"},
        {"P8 1 1 255 x", "not a PNG, JPEG, PNM, TIFF, WebP, HEIC, AVIF, GIF, BMP or TGA file"},
        {"P5", "not a PNG, JPEG, PNM, TIFF, WebP, HEIC, AVIF, GIF, BMP or TGA file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bytes file = file_of(bad[i].text, strlen(bad[i].text));
        picture_must_fail(&file, EXIT_INPUT, bad[i].says);
        bytes_free(&file);
    }
}

TEST(pnm_cut_or_damaged)
{
    static const char *const texts[] = {"P1 4 2\n0110 1001", "P2 2 2 99\n1 2 3 4\n", "P3 1 2 999\n1 2 3 400 5 6\n",
                                        "P4 9 2\nabcd", "P5 3 2 255\nabcdef", "P6 1 2 255\nabcdef",
                                        "P5 2 1 999\n\1\1\1\1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t size = strlen(texts[i]);
        bytes file = file_of(texts[i], size);
        /* The last newline of a text file is optional. */
        picture_must_not_be_cut(&file, texts[i][size - 1] == '\n' ? size - 1 : size);
        picture_must_survive(&file, 3000 + (uint32_t)i, 3000);
        bytes_free(&file);
    }
}

static void expect_note(bytes file, const char *says)
{
    notes list = {0};
    image picture;
    failure why;
    ck_assert_int_eq(image_decode("p", file.data, file.size, NULL, &picture, &list, &why), EXIT_DONE);
    ck_assert_int_eq(list.count, says ? 1 : 0);
    if (says) ck_assert_str_eq(list.text[0], says);
    notes_free(&list);
    image_free(&picture);
    bytes_free(&file);
}

TEST(pnm_what_follows_is_told)
{
    expect_note(FILE_OF("P5 1 1 255\nxP5 1 1 255\ny"), "p: holds several pictures; the first is used");
    expect_note(FILE_OF("P2 1 1 255 7\nP2 1 1 255 8"), "p: holds several pictures; the first is used");
    expect_note(FILE_OF("P5 1 1 255\nxyz"), "p: 2 bytes after the picture are ignored");
    expect_note(FILE_OF("P2 1 1 255\n7 \n\n"), NULL);
    expect_note(FILE_OF("P5 1 1 255\nx"), NULL);
}

TEST(pnm_written_is_pnm_read)
{
    static uint16_t pixels[13 * 7 * 4];
    static const char *const names[] = {"", "x.pgm", "x.pgm", "x.ppm", "x.pnm"};
    uint32_t state = 8;
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) pixels[i] = (uint16_t)(picture_random(&state) >> 8);
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8) {
            const image_view view = {.width = 13, .height = 7, .channels = channels, .depth = depth, .pixels = pixels};
            const int colors = channels > 2 ? 3 : 1, sample = depth / 8;
            bytes file = {0};
            image picture;
            failure why;
            ck_assert_int_eq(image_encode(names[channels], IMAGE_PICTURE, &view, &file, &why), EXIT_DONE);
            ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
            ck_assert(picture.width == 13 && picture.height == 7);
            ck_assert(picture.channels == colors && picture.depth == depth);
            for (int p = 0; p < 13 * 7; p++)
                ck_assert_mem_eq(picture.pixels + p * colors * sample,
                                 (const uint8_t *)pixels + p * channels * sample, (size_t)(colors * sample));
            image_free(&picture);
            bytes_free(&file);
        }
}

TEST(pbm_keeps_a_mask_in_a_bit_a_pixel)
{
    static uint8_t mask[13 * 7];
    const image_view view = {.width = 13, .height = 7, .channels = 1, .depth = 8, .pixels = mask};
    uint32_t state = 4;
    bytes file = {0};
    failure why;
    for (size_t i = 0; i < sizeof mask; i++) mask[i] = picture_random(&state) & 256 ? 255 : 0;
    ck_assert_int_eq(image_encode("x.pbm", IMAGE_MASK, &view, &file, &why), EXIT_DONE);
    ck_assert_uint_eq(file.size, strlen("P4\n13 7\n") + 2 * 7);
    expect(file, 13, 7, 1, 8, mask);
}

int main(void) { return run_suite((test_suite){.name = "image_pnm", .seconds = 120}); }
