/* SPDX-License-Identifier: MIT
 *
 * test_image_png.c - every colour type and depth of PNG against samples computed here, files with every kind of damage,
 * and reading our own files again.
 */
#include "image.h"
#include "pictures.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

static const struct {
    int color_type, depth, samples;
} kinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1, 1},        {PNG_COLOR_TYPE_GRAY, 2, 1},       {PNG_COLOR_TYPE_GRAY, 4, 1},
    {PNG_COLOR_TYPE_GRAY, 8, 1},        {PNG_COLOR_TYPE_GRAY, 16, 1},      {PNG_COLOR_TYPE_RGB, 8, 3},
    {PNG_COLOR_TYPE_RGB, 16, 3},        {PNG_COLOR_TYPE_GRAY_ALPHA, 8, 2}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16, 2},
    {PNG_COLOR_TYPE_RGB_ALPHA, 8, 4},   {PNG_COLOR_TYPE_RGB_ALPHA, 16, 4}, {PNG_COLOR_TYPE_PALETTE, 1, 1},
    {PNG_COLOR_TYPE_PALETTE, 2, 1},     {PNG_COLOR_TYPE_PALETTE, 4, 1},    {PNG_COLOR_TYPE_PALETTE, 8, 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const int sizes[][2] = {{1, 1}, {7, 5}, {33, 9}, {4, 40}};

/* Returns sample `i` of row `y` as stored in the file. */
static unsigned stored(const png_recipe *recipe, int y, int i)
{
    const uint8_t *const row =
        recipe->rows + y * picture_png_row_bytes(recipe->color_type, recipe->depth, recipe->width);
    if (recipe->depth == 16) return (unsigned)row[2 * i] << 8 | row[2 * i + 1];
    const int bit = i * recipe->depth;
    return (unsigned)row[bit / 8] >> (8 - recipe->depth - bit % 8) & ((1u << recipe->depth) - 1);
}

static unsigned sample(const image *picture, size_t i)
{
    return picture->depth == 8 ? picture->pixels[i] : ((const uint16_t *)(const void *)picture->pixels)[i];
}

static void random_rows(png_recipe *recipe, uint8_t *rows, uint32_t *state)
{
    const int row = picture_png_row_bytes(recipe->color_type, recipe->depth, recipe->width);
    for (int i = 0; i < row * recipe->height; i++) rows[i] = (uint8_t)(picture_random(state) >> 8);
    recipe->rows = rows;
}

static void expect_direct(const png_recipe *recipe, int samples, const image *picture)
{
    const unsigned full = (1u << recipe->depth) - 1;
    size_t at = 0;
    ck_assert_int_eq(picture->channels, samples + (recipe->key ? 1 : 0));
    ck_assert_ptr_null(picture->index);
    for (int y = 0; y < recipe->height; y++)
        for (int x = 0; x < recipe->width; x++) {
            bool is_key = true;
            for (int c = 0; c < samples; c++) {
                const unsigned value = stored(recipe, y, x * samples + c);
                is_key = is_key && value == recipe->key_color[c];
                ck_assert_uint_eq(sample(picture, at++), recipe->depth < 8 ? value * 255 / full : value);
            }
            if (recipe->key) ck_assert_uint_eq(sample(picture, at++), is_key ? 0 : recipe->depth == 16 ? 65535 : 255);
        }
}

static void read_back(const png_recipe *recipe, image *picture)
{
    failure why;
    bytes file = picture_png(recipe);
    ck_assert_msg(picture_decode(&file, file.size, picture, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_int_eq(picture->width, recipe->width);
    ck_assert_int_eq(picture->height, recipe->height);
    ck_assert_int_eq(picture->depth, recipe->depth == 16 ? 16 : 8);
    ck_assert_str_eq(picture->format, "PNG");
    ck_assert(!picture->lossy && picture->orientation == 1);
    bytes_free(&file);
}

LOOP_TEST(png_of_every_kind_gives_its_samples, 0, KINDS)
{
    static uint8_t rows[33 * 40 * 8];
    uint32_t state = 77 + (uint32_t)_i;
    if (kinds[_i].color_type == PNG_COLOR_TYPE_PALETTE) return; /* tested below */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int variant = 0; variant < 4; variant++) {
            png_recipe recipe = {.width = sizes[s][0], .height = sizes[s][1], .color_type = kinds[_i].color_type,
                                 .depth = kinds[_i].depth, .interlaced = variant & 1,
                                 .key = variant & 2 && !(kinds[_i].color_type & PNG_COLOR_MASK_ALPHA)};
            image picture;
            random_rows(&recipe, rows, &state);
            for (int c = 0; c < kinds[_i].samples && c < 3; c++)
                recipe.key_color[c] = (uint16_t)stored(&recipe, recipe.height / 2, c);
            read_back(&recipe, &picture);
            expect_direct(&recipe, kinds[_i].samples, &picture);
            image_free(&picture);
        }
}

static void expect_palette(const png_recipe *recipe, bool grey, bool opaque, const image *picture)
{
    size_t at = 0;
    ck_assert_int_eq(picture->channels, (grey ? 1 : 3) + (opaque ? 0 : 1));
    ck_assert_ptr_nonnull(picture->index);
    for (int y = 0; y < recipe->height; y++)
        for (int x = 0; x < recipe->width; x++) {
            const unsigned entry = stored(recipe, y, x);
            ck_assert_uint_eq(picture->index[y * recipe->width + x], entry);
            for (int c = 0; c < (grey ? 1 : 3); c++)
                ck_assert_uint_eq(picture->pixels[at++], recipe->palette[entry][c]);
            if (!opaque)
                ck_assert_uint_eq(picture->pixels[at++], (int)entry < recipe->alphas ? recipe->alpha[entry] : 255);
        }
}

TEST(png_with_a_palette_gives_colours_and_indices)
{
    static uint8_t rows[33 * 40];
    static uint8_t palette[256][3];
    uint8_t alpha[2] = {0, 100};
    uint32_t state = 5;
    for (int kind = 0; kind < KINDS; kind++)
        for (int variant = 0; variant < 8 && kinds[kind].color_type == PNG_COLOR_TYPE_PALETTE; variant++) {
            const bool grey = variant & 1, opaque = variant & 2;
            png_recipe recipe = {.width = 33, .height = 9, .color_type = PNG_COLOR_TYPE_PALETTE,
                                 .depth = kinds[kind].depth, .interlaced = variant & 4,
                                 .palette = (const uint8_t(*)[3])palette,
                                 .entries = 1 << kinds[kind].depth, .alpha = alpha, .alphas = opaque ? 0 : 2};
            image picture;
            for (int i = 0; i < recipe.entries; i++)
                for (int c = 0; c < 3; c++)
                    palette[i][c] = grey && c ? palette[i][0] : (uint8_t)(picture_random(&state) >> 8);
            palette[0][2] = grey ? palette[0][0] : (uint8_t)(palette[0][0] + 1);
            random_rows(&recipe, rows, &state);
            read_back(&recipe, &picture);
            expect_palette(&recipe, grey, opaque, &picture);
            image_free(&picture);
        }
}

TEST(palette_index_out_of_range_is_damage)
{
    static const uint8_t palette[2][3] = {{1, 2, 3}, {4, 5, 6}};
    static const uint8_t rows[4] = {0, 1, 2, 0};
    const png_recipe recipe = {.width = 4, .height = 1, .color_type = PNG_COLOR_TYPE_PALETTE, .depth = 8,
                               .rows = rows, .palette = palette, .entries = 2};
    bytes file = picture_png(&recipe);
    picture_must_fail(&file, EXIT_INPUT, "not in the palette");
    bytes_free(&file);
}

static bytes small(int kind, uint8_t *rows)
{
    static const uint8_t palette[2][3] = {{1, 2, 3}, {4, 5, 6}};
    uint32_t state = 9;
    png_recipe recipe = {.width = 6, .height = 5, .color_type = kinds[kind].color_type, .depth = kinds[kind].depth,
                         .interlaced = kind & 1};
    if (recipe.color_type == PNG_COLOR_TYPE_PALETTE) {
        recipe.palette = palette;
        recipe.entries = 2;
    }
    random_rows(&recipe, rows, &state);
    for (int i = 0; recipe.palette && i < 256; i++) rows[i] &= recipe.depth == 8 ? 1 : 0;
    return picture_png(&recipe);
}

LOOP_TEST(png_cut_before_its_last_chunk_or_damaged_is_refused, 0, KINDS)
{
    enum { LAST = 12 };
    static uint8_t rows[256];
    bytes file = small(_i, rows);
    picture_must_not_be_cut(&file, file.size - LAST);
    for (size_t lacks = 1; lacks <= LAST; lacks++) {
        image picture;
        failure why;
        ck_assert_int_eq(picture_decode(&file, file.size - lacks, &picture, &why), EXIT_DONE);
        image_free(&picture);
    }
    picture_must_survive(&file, 1000 + (uint32_t)_i, 400);
    /* Every bit of every byte matters: signature, lengths, types, data and checksums. */
    for (size_t at = 0; at < file.size; at++) {
        image picture;
        failure why;
        file.data[at] ^= (uint8_t)(1 << at % 8);
        ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_INPUT);
        file.data[at] ^= (uint8_t)(1 << at % 8);
    }
    bytes_free(&file);
}

/* Sets the size in the header and updates its checksum. */
static void set_size(bytes *file, uint32_t width, uint32_t height)
{
    uint32_t crc = 0xffffffffu;
    for (int i = 0; i < 4; i++) {
        file->data[16 + i] = (uint8_t)(width >> (24 - 8 * i));
        file->data[20 + i] = (uint8_t)(height >> (24 - 8 * i));
    }
    for (int i = 12; i < 29; i++) {
        crc ^= file->data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    for (int i = 0; i < 4; i++) file->data[29 + i] = (uint8_t)(~crc >> (24 - 8 * i));
}

TEST(png_sizes_are_refused_from_the_header)
{
    static uint8_t rows[256];
    bytes file = small(3, rows);
    image picture;
    failure why = {0};
    set_size(&file, 31623, 31623);
    ck_assert_int_eq(image_decode("p", file.data, file.size, NULL, &picture, NULL, &why), EXIT_INPUT);
    ck_assert_msg(strstr(why.text, "is 31623x31623, which is 1000014129 pixels"), "%s", why.text);
    set_size(&file, 0, 5);
    picture_must_fail(&file, EXIT_INPUT, "0x5; a picture has at least one pixel");
    set_size(&file, 0xffffffffu, 0xffffffffu);
    picture_must_fail(&file, EXIT_INPUT, "at most 65536 pixels a side");
    set_size(&file, 70000, 1);
    picture_must_fail(&file, EXIT_INPUT, "at most 65536 pixels a side");
    set_size(&file, 1000, 1000);
    picture_must_fail(&file, EXIT_INPUT, "is cut short, 1000x1000 pixels cannot be in so few bytes");
    const image_limits tight = {.max_bytes = 50};
    set_size(&file, 6, 5);
    ck_assert_int_eq(image_decode("p", file.data, file.size, &tight, &picture, NULL, &why), EXIT_RESOURCES);
    ck_assert_msg(strstr(why.text, "MB of memory"), "%s", why.text);
    file.data[file.size - 13] ^= 1; /* flips a bit in the checksum before the last chunk */
    picture_must_fail(&file, EXIT_INPUT, "CRC error");
    bytes_free(&file);
}

TEST(png_exif_turns_pixels_and_indices)
{
    static const uint8_t palette[6][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14}, {15, 16, 17}};
    static const uint8_t rows[6] = {0, 1, 2, 3, 4, 5};
    static const uint8_t turned[6] = {3, 0, 4, 1, 5, 2}; /* a picture of 3x2 pixels, turned right by orientation 6 */
    uint8_t exif[64];
    const int size = picture_exif(6, true, false, exif);
    const png_recipe recipe = {.width = 3, .height = 2, .color_type = PNG_COLOR_TYPE_PALETTE, .depth = 8,
                               .rows = rows, .palette = palette, .entries = 6, .exif = exif, .exif_size = size};
    const image_limits ignore = {.exif_ignore = true};
    bytes file = picture_png(&recipe);
    image picture;
    failure why;
    ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
    ck_assert(picture.width == 2 && picture.height == 3 && picture.orientation == 6);
    ck_assert_mem_eq(picture.index, turned, 6);
    for (int p = 0; p < 6; p++) ck_assert_mem_eq(picture.pixels + 3 * p, palette[turned[p]], 3);
    image_free(&picture);
    ck_assert_int_eq(image_decode("p", file.data, file.size, &ignore, &picture, NULL, &why), EXIT_DONE);
    ck_assert(picture.width == 3 && picture.height == 2 && picture.orientation == 6);
    ck_assert_mem_eq(picture.index, rows, 6);
    image_free(&picture);
    bytes_free(&file);
}

TEST(png_written_is_png_read)
{
    static uint16_t pixels[31 * 17 * 4];
    uint32_t state = 3;
    uint8_t icc[PICTURE_ICC_SIZE];
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) pixels[i] = (uint16_t)(picture_random(&state) >> 8);
    for (int channels = 1; channels <= 4; channels++)
        for (int depth = 8; depth <= 16; depth += 8) {
            picture_icc(channels > 2 ? "RGB " : "GRAY", icc);
            const image_view view = {.width = 31, .height = 17, .channels = channels, .depth = depth,
                .pixels = pixels, .icc = icc, .icc_size = sizeof icc};
            bytes file = {0};
            image picture;
            failure why;
            ck_assert_int_eq(image_encode("a.b/c.PNG", IMAGE_PICTURE, &view, &file, &why), EXIT_DONE);
            ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
            ck_assert(picture.width == 31 && picture.height == 17);
            ck_assert(picture.channels == channels && picture.depth == depth);
            ck_assert_mem_eq(picture.pixels, pixels, (size_t)(31 * 17 * channels * depth / 8));
            ck_assert_uint_eq(picture.icc_size, sizeof icc);
            ck_assert_mem_eq(picture.icc, icc, sizeof icc);
            image_free(&picture);
            bytes_free(&file);
        }
}

TEST(a_profile_that_does_not_fit_is_left_out)
{
    static const uint8_t pixels[12] = {1, 2, 3};
    uint8_t icc[PICTURE_ICC_SIZE];
    picture_icc("RGB ", icc);
    const image_view views[] = {{.width = 2, .height = 2, .channels = 1, .depth = 8, .pixels = pixels, .icc = icc,
                                .icc_size = sizeof icc}, {.width = 2, .height = 2, .channels = 3, .depth = 8,
                                .pixels = pixels, .icc = icc, .icc_size = 10},
                                {.width = 2, .height = 2, .channels = 3, .depth = 8, .pixels = pixels, .icc = icc,
                                .icc_size = PICTURE_ICC_SIZE - 1}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        bytes file = {0};
        image picture;
        failure why = {0};
        ck_assert_msg(image_encode("-", IMAGE_PICTURE, &views[i], &file, &why) == EXIT_DONE, "%s", why.text);
        ck_assert_int_eq(picture_decode(&file, file.size, &picture, &why), EXIT_DONE);
        ck_assert_ptr_null(picture.icc);
        image_free(&picture);
        bytes_free(&file);
    }
}

/* Threads compress large masks in blocks. */
TEST(a_large_mask_is_the_same_from_any_number_of_threads)
{
    enum { W = 2100, H = 2050 }; /* compresses to five blocks, the last one shorter */
    uint8_t *const mask = malloc(W * H);
    const uint8_t *const place = mask;
    bytes one = {0};
    failure why = {0};
    notes list = {0};
    for (int p = 0; p < W * H; p++) mask[p] = (uint8_t)(p % W * 7 / (1 + p / W % 90) % 3 ? 255 : 0);
    for (int threads = 0; threads <= 7; threads++) {
        const image_view view = {.width = W, .height = H, .channels = 1, .depth = 8, .pixels = place,
                                 .threads = threads};
        bytes file = {0};
        image back = {0};
        ck_assert_int_eq(image_encode("m.png", IMAGE_MASK, &view, &file, &why), EXIT_DONE);
        ck_assert_int_eq(image_decode("m.png", file.data, file.size, NULL, &back, &list, &why), EXIT_DONE);
        ck_assert(back.width == W && back.height == H && back.channels == 1);
        ck_assert_int_eq(memcmp(back.pixels, mask, W * H), 0);
        if (!one.size) one = file;
        else ck_assert(one.size == file.size && !memcmp(one.data, file.data, one.size));
        if (file.data != one.data) bytes_free(&file);
        image_free(&back);
    }
    bytes_free(&one);
    free(mask);
}

int main(void) { return run_suite((test_suite){.name = "image_png", .seconds = 120}); }
