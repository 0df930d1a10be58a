/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_image_memory.c - reading and writing pictures when memory runs out. Each allocation in turn fails, also those in
 * libpng and libjpeg. The status must say so, and all memory must be freed.
 *
 * This test replaces malloc() of glibc, so it is skipped with another C library or a sanitizer.
 */
#include "image.h"
#include "pictures.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                        \
    !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *memory);

static bool watching;
static long left, live; /* `left` counts allocations until one fails, `live` those not yet freed */

static bool runs_out(void)
{
    return watching && left-- == 0;
}

static void *counted(void *memory)
{
    live += watching && memory;
    return memory;
}

void *malloc(size_t size)
{
    return runs_out() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (runs_out()) return NULL;
    return old ? __libc_realloc(old, size) : counted(__libc_realloc(old, size));
}

void free(void *memory)
{
    live -= watching && memory;
    __libc_free(memory);
}

enum { SIDE = 40, MOST = 1000 };
static uint8_t pixels[SIDE * SIDE * 8], icc[PICTURE_ICC_SIZE], exif[64];

static int decode_with(const bytes *file, long allocations, failure *why)
{
    image picture;
    notes list = {0};
    live = 0;
    left = allocations;
    watching = true;
    const int status = image_decode("p", file->data, file->size, NULL, &picture, &list, why);
    image_free(&picture);
    notes_free(&list);
    watching = false;
    return status;
}

static void expect_reading_survives(bytes file)
{
    failure why = {0};
    int status = EXIT_RESOURCES;
    for (long n = 0; n < MOST && status; n++) {
        status = decode_with(&file, n, &why);
        ck_assert_msg(!status || status == EXIT_RESOURCES, "allocation %ld: %d %s", n, status, why.text);
        ck_assert_msg(live == 0, "allocation %ld: %ld left behind", n, live);
    }
    ck_assert_int_eq(status, EXIT_DONE);
    bytes_free(&file);
}

TEST(reading_without_memory)
{
    static const uint8_t palette[2][3] = {{1, 2, 3}, {4, 5, 6}};
    static const uint8_t plane[SIDE * SIDE];
    const int size = picture_exif(6, true, true, exif);
    picture_icc("RGB ", icc);
    png_recipe png = {.width = SIDE, .height = SIDE, .color_type = PNG_COLOR_TYPE_RGB, .depth = 8, .rows = pixels,
                      .interlaced = true, .exif = exif + 6, .exif_size = size - 6, .icc = icc,
                      .icc_size = sizeof icc};
    expect_reading_survives(picture_png(&png));
    png.color_type = PNG_COLOR_TYPE_PALETTE;
    png.rows = plane;
    png.palette = palette;
    png.entries = 2;
    expect_reading_survives(picture_png(&png));
    jpeg_recipe jpeg = {.width = SIDE, .height = SIDE, .components = 3, .pixels = pixels, .app1 = exif,
                        .app1_size = size, .icc = icc, .icc_size = sizeof icc};
    expect_reading_survives(picture_jpeg(&jpeg));
    jpeg.progressive = true;
    expect_reading_survives(picture_jpeg(&jpeg));
    bytes pnm = {0};
    ck_assert(bytes_append(&pnm, "P5 1 1 255\nxtail", 16));
    expect_reading_survives(pnm);
}

/* Formats that we write without a library. */
TEST(reading_without_memory_what_was_written)
{
    static const char *const names[] = {"x.tif", "x.webp", "x.tga", "x.bmp"};
    const image_view view = {.width = SIDE, .height = SIDE, .channels = 4, .depth = 16, .pixels = pixels, .icc = icc,
        .icc_size = sizeof icc};
    picture_icc("RGB ", icc);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bytes file = {0};
        failure why = {0};
        /* the format cannot be written, because the build lacks its library */
        if (image_encode(names[i], IMAGE_PICTURE, &view, &file, &why) == EXIT_USAGE) continue;
        expect_reading_survives(file);
    }
}

static int encode_with(const char *path, const image_view *view, long allocations, failure *why)
{
    bytes file = {0};
    live = 0;
    left = allocations;
    watching = true;
    const int status = image_encode(path, IMAGE_PICTURE, view, &file, why);
    bytes_free(&file);
    watching = false;
    return status;
}

TEST(writing_without_memory)
{
    static const char *const names[] = {"x.png", "x.pnm", "x.tga", "x.bmp", "x.jpg", "x.tif", "x.webp"};
    picture_icc("RGB ", icc);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int channels = 1; channels <= 4; channels++) {
            const image_view view = {.width = SIDE, .height = SIDE, .channels = channels, .depth = 16,
                .pixels = pixels, .icc = icc, .icc_size = sizeof icc};
            failure why = {0};
            if (image_can_write(names[i], IMAGE_PICTURE, channels, &why) == EXIT_USAGE && strstr(why.text, "without"))
                continue;
            int status = EXIT_RESOURCES;
            for (long n = 0; n < MOST && status; n++) {
                status = encode_with(names[i], &view, n, &why);
                ck_assert_msg(!status || status == EXIT_RESOURCES, "%s, allocation %ld: %s", names[i], n, why.text);
                ck_assert_msg(live == 0, "%s, allocation %ld: %ld left behind", names[i], n, live);
            }
            ck_assert_int_eq(status, EXIT_DONE);
        }
}

int main(void) { return run_suite((test_suite){.name = "image_memory"}); }

#else

int main(void)
{
    puts("skipped: malloc() cannot be replaced here");
    return 0;
}

#endif
