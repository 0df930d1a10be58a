/* SPDX-License-Identifier: MIT */
#include "pictures.h"

#include <check.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

uint32_t picture_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* ---- PNG -------------------------------------------------------------------------------------- */

static void on_write(png_structp png, png_bytep data, size_t size)
{
    ck_assert(bytes_append(png_get_io_ptr(png), data, size));
}

static void on_flush(png_structp png)
{
    (void)png;
}

int picture_png_row_bytes(int color_type, int depth, int width)
{
    static const int samples[7] = {1, 0, 3, 1, 2, 0, 4};
    return (width * samples[color_type] * depth + 7) / 8;
}

static void set_colors(png_structp png, png_infop info, const png_recipe *recipe)
{
    png_color palette[256];
    png_color_16 key = {.gray = recipe->key_color[0], .red = recipe->key_color[0], .green = recipe->key_color[1],
                        .blue = recipe->key_color[2]};
    for (int i = 0; i < recipe->entries; i++)
        palette[i] = (png_color){recipe->palette[i][0], recipe->palette[i][1], recipe->palette[i][2]};
    if (recipe->palette) png_set_PLTE(png, info, palette, recipe->entries);
    if (recipe->alphas) png_set_tRNS(png, info, (png_bytep)(uintptr_t)recipe->alpha, recipe->alphas, NULL);
    if (recipe->key) png_set_tRNS(png, info, NULL, 0, &key);
}

bytes picture_png(const png_recipe *recipe)
{
    bytes file = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    const size_t row = (size_t)picture_png_row_bytes(recipe->color_type, recipe->depth, recipe->width);
    png_bytepp rows = malloc((size_t)recipe->height * sizeof *rows);
    uint8_t exif[256];
    png_set_write_fn(png, &file, on_write, on_flush);
    png_set_check_for_invalid_index(png, 0); /* a test may need an index beyond its palette */
    png_set_IHDR(png, info, (png_uint_32)recipe->width, (png_uint_32)recipe->height, recipe->depth,
                 recipe->color_type, recipe->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_colors(png, info, recipe);
    if (recipe->exif) {
        memcpy(exif, recipe->exif, (size_t)recipe->exif_size);
        png_set_eXIf_1(png, info, (png_uint_32)recipe->exif_size, exif);
    }
    if (recipe->icc)
        png_set_iCCP(png, info, "test", PNG_COMPRESSION_TYPE_BASE, recipe->icc, (png_uint_32)recipe->icc_size);
    png_write_info(png, info);
    for (int y = 0; y < recipe->height; y++)
        rows[y] = (png_bytep)(uintptr_t)recipe->rows + (size_t)y * row;
    png_write_image(png, rows);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(rows);
    return file;
}

/* ---- JPEG ------------------------------------------------------------------------------------- */

bytes picture_jpeg(const jpeg_recipe *recipe)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors; /* libjpeg's default handler ends the program on an error, which is right in a test */
    unsigned char *memory = NULL;
    unsigned long size = 0;
    bytes file = {0};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &memory, &size);
    jpeg.image_width = (JDIMENSION)recipe->width;
    jpeg.image_height = (JDIMENSION)recipe->height;
    jpeg.input_components = recipe->components;
    jpeg.in_color_space = recipe->components == 1 ? JCS_GRAYSCALE : recipe->components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, recipe->quality ? recipe->quality : 95, TRUE);
    for (int c = 0; c < jpeg.num_components; c++)
        jpeg.comp_info[c].h_samp_factor = jpeg.comp_info[c].v_samp_factor = c == 0 && recipe->subsampled ? 2 : 1;
    jpeg.arith_code = recipe->arithmetic;
    if (recipe->progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    if (recipe->app1) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, recipe->app1, (unsigned)recipe->app1_size);
    if (recipe->icc) jpeg_write_icc_profile(&jpeg, recipe->icc, (unsigned)recipe->icc_size);
    for (int y = 0; y < recipe->height; y++) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)recipe->pixels + (size_t)y * (size_t)(recipe->width * recipe->components);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    ck_assert(bytes_append(&file, memory, size));
    free(memory);
    return file;
}

/* ---- Metadata --------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, uint32_t value, int count, bool big_endian)
{
    for (int i = 0; i < count; i++) at[i] = (uint8_t)(value >> 8 * (big_endian ? count - 1 - i : i));
    return at + count;
}

static uint8_t *put_entry(uint8_t *at, uint32_t tag, uint32_t type, uint32_t value, bool big)
{
    at = put(put(put(at, tag, 2, big), type, 2, big), 1, 4, big);
    return type == 3 ? put(put(at, value, 2, big), 0, 2, big) : put(at, value, 4, big);
}

int picture_exif(int orientation, bool big_endian, bool with_name, uint8_t *out)
{
    uint8_t *at = out;
    if (with_name) {
        memcpy(at, "Exif\0", 6);
        at += 6;
    }
    memcpy(at, big_endian ? "MM" : "II", 2);
    at = put(put(at + 2, 42, 2, big_endian), 8, 4, big_endian);
    at = put(at, 3, 2, big_endian);
    at = put_entry(at, 0x0100, 4, 640, big_endian);
    at = put_entry(at, 0x0112, 3, (uint32_t)orientation, big_endian);
    at = put_entry(at, 0x0128, 3, 2, big_endian);
    at = put(at, 0, 4, big_endian);
    return (int)(at - out);
}

void picture_icc(const char *space, uint8_t out[PICTURE_ICC_SIZE])
{
    static const uint8_t white[12] = {0, 0, 0xf6, 0xd6, 0, 1, 0, 0, 0, 0, 0xd3, 0x2d};
    uint32_t state = 11;
    memset(out, 0, 144);
    put(out, PICTURE_ICC_SIZE, 4, true);
    out[8] = 2;
    memcpy(out + 12, "mntr", 4);
    memcpy(out + 16, space, 4);
    memcpy(out + 20, "XYZ ", 4);
    memcpy(out + 36, "acsp", 4);
    memcpy(out + 68, white, sizeof white);
    put(out + 128, 1, 4, true);
    memcpy(out + 132, "desc", 4);
    put(put(out + 136, 144, 4, true), PICTURE_ICC_SIZE - 144, 4, true);
    for (int i = 144; i < PICTURE_ICC_SIZE; i++) out[i] = (uint8_t)(picture_random(&state) >> 8);
}

/* ---- What has to hold ------------------------------------------------------------------------- */

int picture_decode(const bytes *file, size_t size, image *out, failure *why)
{
    uint8_t *const copy = malloc(size ? size : 1);
    const image_limits limits = {.max_pixels = 1 << 20};
    *why = (failure){0};
    if (size) memcpy(copy, file->data, size);
    const int status = image_decode("picture", copy, size, &limits, out, NULL, why);
    free(copy);
    if (status) {
        ck_assert_int_eq(status, why->status);
        ck_assert(strncmp(why->text, "picture: ", 9) == 0 && !strchr(why->text, '\n'));
        ck_assert(!out->pixels && !out->index && !out->icc && !out->width);
    } else {
        ck_assert(out->pixels && out->width > 0 && out->height > 0);
    }
    return status;
}

void picture_must_fail(const bytes *file, int status, const char *text_part)
{
    image picture;
    failure why;
    ck_assert_int_eq(picture_decode(file, file->size, &picture, &why), status);
    ck_assert_msg(strstr(why.text, text_part), "\"%s\" should say \"%s\"", why.text, text_part);
}

void picture_must_not_be_cut(const bytes *file, size_t end)
{
    image picture;
    failure why;
    for (size_t size = 0; size < end; size++) {
        const int status = picture_decode(file, size, &picture, &why);
        ck_assert_msg(status == EXIT_INPUT, "cut to %zu of %zu bytes: %d %s", size, file->size, status, why.text);
    }
}

void picture_must_survive(const bytes *file, uint32_t seed, int rounds)
{
    bytes damaged = {0};
    image picture;
    failure why;
    uint32_t state = seed;
    ck_assert(bytes_append(&damaged, file->data, file->size));
    for (int round = 0; round < rounds; round++) {
        memcpy(damaged.data, file->data, file->size);
        for (uint32_t flips = 1 + picture_random(&state) % 4; flips; flips--)
            damaged.data[picture_random(&state) % file->size] = (uint8_t)picture_random(&state);
        const int status = picture_decode(&damaged, damaged.size, &picture, &why);
        ck_assert_msg(status == EXIT_DONE || status == EXIT_INPUT, "seed %u round %d: %d %s", seed, round, status,
                      why.text);
        image_free(&picture);
    }
    bytes_free(&damaged);
}
