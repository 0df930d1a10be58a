/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_regions.c - pictures read and written by rows: any rows of PNM, PNG, and striped, tiled and big TIFF equal those
 * of the whole picture, and damaged files are refused. Files written by one or several writers are read again.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"
#include "random_graph.h"
#include "region.h"
#include "tilecut_parts.h"

#undef fail
#undef fail

#include "run_suite.h"

#if __has_include(<tiffio.h>)
#include <tiffio.h>
#define WITH_TIFF 1
#else
#define WITH_TIFF 0
#endif

static char folder[] = "/tmp/test_regions.XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static uint8_t *noise(uint64_t seed, size_t size)
{
    uint8_t *const data = malloc(size);
    for (size_t i = 0; i < size; i++) data[i] = (uint8_t)random_next(&seed);
    return data;
}

/* Reads some spans of rows, forwards and backwards, and compares them with `pixels`. */
static void check_rows_as(const char *path, bool as_stored, const uint8_t *pixels, int width, int height, int channels,
                          int depth)
{
    const size_t row = (size_t)width * (size_t)channels * (size_t)(depth / 8);
    uint8_t *const got = malloc(row * (size_t)height);
    region_reader *reader;
    region_shape kind;
    failure why = {0};
    uint64_t state = 7;
    ck_assert_msg(region_open(path, as_stored, &kind, &reader, &why) == EXIT_DONE, "%s", why.text);
    ck_assert(kind.width == width && kind.height == height && kind.channels == channels && kind.depth == depth);
    for (int i = 0; i < 12; i++) {
        const int first = i ? random_below(&state, height) : 0;
        const int rows = i ? 1 + random_below(&state, height - first) : height;
        ck_assert_msg(region_read(reader, first, rows, got, &why) == EXIT_DONE, "%s", why.text);
        ck_assert_msg(memcmp(got, pixels + (size_t)first * row, (size_t)rows * row) == 0, "%s: rows %d to %d", path,
                      first, first + rows - 1);
    }
    region_close(reader);
    free(got);
}

static void check_rows(const char *path, const uint8_t *pixels, int width, int height, int channels, int depth)
{
    check_rows_as(path, false, pixels, width, height, channels, depth);
}

static void write_picture(const char *path, const uint8_t *pixels, int width, int height, int channels, int depth)
{
    const image_view view = {.width = width, .height = height, .channels = channels, .depth = depth, .pixels = pixels};
    failure why = {0};
    ck_assert_msg(image_write(path, IMAGE_PICTURE, &view, &why) == EXIT_DONE, "%s", why.text);
}

TEST(rows_of_png_and_pnm_are_those_of_the_whole)
{
    static const char *const names[] = {"a.png", "a.ppm"};
    for (int i = 0; i < 2; i++)
        for (int depth = 8; depth <= 16; depth += 8) {
            const int width = 37, height = 53;
            uint8_t *const pixels = noise(5, (size_t)width * (size_t)height * 6);
            write_picture(in_folder(names[i]), pixels, width, height, 3, depth);
            check_rows(in_folder(names[i]), pixels, width, height, 3, depth);
            free(pixels);
        }
}

#if WITH_TIFF
/* Writes a TIFF with mode "w", or "w8" for BigTIFF, in tiles of side `tile` or, if it is 0, in strips. */
static void write_tiff(const char *path, const char *mode, uint32_t tile, const uint8_t *pixels, int width, int height)
{
    TIFF *const t = TIFFOpen(path, mode);
    const size_t row = (size_t)width * 3;
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, (uint32_t)width);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, (uint32_t)height);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(t, TIFFTAG_COMPRESSION, tile == 32 ? COMPRESSION_LZW : COMPRESSION_NONE);
    if (tile) {
        uint8_t *const buffer = calloc((size_t)tile * tile, 3);
        TIFFSetField(t, TIFFTAG_TILEWIDTH, tile);
        TIFFSetField(t, TIFFTAG_TILELENGTH, tile);
        for (uint32_t y = 0; y < (uint32_t)height; y += tile)
            for (uint32_t x = 0; x < (uint32_t)width; x += tile) {
                for (uint32_t k = 0; k < tile && y + k < (uint32_t)height; k++) {
                    const uint32_t n = (uint32_t)width - x < tile ? (uint32_t)width - x : tile;
                    memcpy(buffer + (size_t)k * tile * 3, pixels + (y + k) * row + (size_t)x * 3, (size_t)n * 3);
                }
                TIFFWriteTile(t, buffer, x, y, 0, 0);
            }
        free(buffer);
    } else {
        TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 7);
        for (int y = 0; y < height; y++)
            TIFFWriteScanline(t, (void *)(uintptr_t)(pixels + (size_t)y * row), (uint32_t)y, 0);
    }
    TIFFClose(t);
}

TEST(rows_of_tiff_are_those_of_the_whole_in_strips_and_tiles)
{
    static const uint32_t tiles[] = {0, 16, 32};
    static const char *const modes[] = {"w", "w8"};
    const int width = 75, height = 61;
    uint8_t *const pixels = noise(9, (size_t)width * (size_t)height * 3);
    for (int i = 0; i < 6; i++) {
        write_tiff(in_folder("a.tif"), modes[i % 2], tiles[i / 2], pixels, width, height);
        check_rows(in_folder("a.tif"), pixels, width, height, 3, 8);
    }
    free(pixels);
}
#endif

/* Checks that rows of a picture equal those of the whole picture, or that both are refused. */
static void check_against_whole(const char *path)
{
    image whole;
    failure why = {0};
    ck_assert_msg(image_read(path, NULL, &whole, NULL, &why) == EXIT_DONE, "%s", why.text);
    check_rows(path, whole.pixels, whole.width, whole.height, whole.channels, whole.depth);
    image_free(&whole);
}

TEST(samples_of_a_pnm_are_scaled_as_in_the_whole)
{
    static const int most[] = {1, 3, 99, 255, 300, 65535};
    uint8_t *const pixels = noise(3, 75 * 61 * 6);
    for (int kind = 4; kind <= 6; kind++)
        for (size_t i = 0; i < (kind == 4 ? 1 : sizeof most / sizeof *most); i++) {
            FILE *const file = fopen(in_folder("a.pnm"), "wb");
            fprintf(file, kind == 4 ? "P%d 75 61\n" : "P%d 75 61 %d\n", kind, most[i]);
            const size_t size = kind == 4 ? 10 * 61 : (size_t)75 * 61 * (kind == 6 ? 3 : 1) * (most[i] > 255 ? 2 : 1);
            for (size_t k = 0; k < size; k++) {
                const int byte = kind == 4 || most[i] == 255 || most[i] == 65535 ? pixels[k]
                                 : most[i] == 300 ? (k % 2 ? pixels[k] % 45 : pixels[k] % 2)
                                                  : pixels[k] % (most[i] + 1);
                putc(byte, file);
            }
            fclose(file);
            check_against_whole(in_folder("a.pnm"));
        }
    free(pixels);
}

#if WITH_TIFF
/* Writes a TIFF of 1, 2, 4 or 8 bits, grey or with a palette. */
static void write_few_bits(const char *path, int bits, bool palette, uint32_t tile, const uint8_t *data)
{
    uint16_t map[3][256];
    TIFF *const t = TIFFOpen(path, "w");
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 256; i++) map[c][i] = (uint16_t)((i * (37 + 20 * c) + 9) % 256 * 257);
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, 75);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, 61);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, palette ? PHOTOMETRIC_PALETTE
                                         : bits == 2 ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK);
    if (palette) TIFFSetField(t, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    if (tile) TIFFSetField(t, TIFFTAG_TILEWIDTH, tile);
    if (tile) TIFFSetField(t, TIFFTAG_TILELENGTH, tile);
    else TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 7);
    for (uint32_t y = 0; !tile && y < 61; y++) TIFFWriteScanline(t, (void *)(uintptr_t)(data + y * 75), y, 0);
    for (uint32_t i = 0; tile && i < TIFFNumberOfTiles(t); i++)
        TIFFWriteEncodedTile(t, i, (void *)(uintptr_t)(data + i * 256), TIFFTileSize(t));
    TIFFClose(t);
}

TEST(tiffs_of_few_bits_and_palettes_are_those_of_the_whole)
{
    uint8_t *const data = noise(11, 75 * 61 + 256 * 40);
    for (int i = 0; i < 16; i++) {
        write_few_bits(in_folder("few.tif"), 1 << i % 4, i / 4 % 2, (uint32_t)(i / 8 * 16), data);
        check_against_whole(in_folder("few.tif"));
    }
    free(data);
}
#endif

/* Checks that a picture is refused when it is opened or when all of its rows are read, with `part` in the message. */
static void must_refuse(const char *path, const char *part)
{
    region_reader *reader;
    region_shape kind;
    failure why = {0};
    int status = region_open(path, false, &kind, &reader, &why);
    if (!status) {
        uint8_t *const got = malloc((size_t)(kind.width * kind.height) * 6);
        status = region_read(reader, 0, kind.height, got, &why);
        free(got);
        region_close(reader);
    }
    ck_assert_int_eq(status, EXIT_INPUT);
    ck_assert_msg(strstr(why.text, part) != NULL, "%s", why.text);
}

static void cut_off(const char *path, off_t size)
{
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(truncate(path, about.st_size - size), 0);
}

/* Turns a picture of three bytes a pixel by half a turn, or by a quarter turn clockwise. Returns new memory. */
static uint8_t *turn(const uint8_t *pixels, int width, int height, bool half)
{
    uint8_t *const turned = malloc((size_t)width * (size_t)height * 3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int to = half ? (height - 1 - y) * width + width - 1 - x : x * height + height - 1 - y;
            memcpy(turned + 3 * (ptrdiff_t)to, pixels + 3 * ((ptrdiff_t)y * width + x), 3);
        }
    return turned;
}

TEST(what_has_to_be_turned_is_upright_or_as_it_is_stored)
{
    static const uint8_t exif[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0,
                                   0};
    uint8_t *const pixels = noise(5, 37 * 53 * 3), *const turned = turn(pixels, 37, 53, false);
    const image_view view = {.width = 37, .height = 53, .channels = 3, .depth = 8, .pixels = pixels, .exif = exif,
                             .exif_size = sizeof exif};
    failure why = {0};
    ck_assert_int_eq(image_write(in_folder("turned.png"), IMAGE_PICTURE, &view, &why), EXIT_DONE);
    check_rows_as(in_folder("turned.png"), true, pixels, 37, 53, 3, 8);
    check_rows(in_folder("turned.png"), turned, 53, 37, 3, 8);
    free(turned);
    free(pixels);
}

TEST(what_lacks_pixels_is_refused)
{
    uint8_t *const pixels = noise(5, 37 * 53 * 3);
    write_picture(in_folder("end.png"), pixels, 37, 53, 3, 8);
    cut_off(in_folder("end.png"), 12); /* this removes the last chunk, but no pixels */
    check_rows(in_folder("end.png"), pixels, 37, 53, 3, 8);
    cut_off(in_folder("end.png"), 5);
    must_refuse(in_folder("end.png"), "is cut short");
    write_picture(in_folder("end.ppm"), pixels, 37, 53, 3, 8);
    cut_off(in_folder("end.ppm"), 1);
    /* the size in the header shows that pixels are missing */
    must_refuse(in_folder("end.ppm"), "is cut short, the file ends within the picture");
    free(pixels);
}

#if WITH_TIFF
/* Changes one tag of a TIFF that write_tiff() wrote. */
static void set_tag(const char *path, uint32_t tag, int value)
{
    TIFF *const t = TIFFOpen(path, "r+");
    TIFFSetField(t, tag, value);
    TIFFRewriteDirectory(t);
    TIFFClose(t);
}

static void write_grey(const char *path, const uint8_t *pixels, int width, int height, int photometric)
{
    TIFF *const t = TIFFOpen(path, "w");
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, (uint32_t)width);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, (uint32_t)height);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, photometric);
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 7);
    for (int y = 0; y < height; y++)
        TIFFWriteScanline(t, (void *)(uintptr_t)(pixels + (size_t)y * (size_t)width), (uint32_t)y, 0);
    TIFFClose(t);
}

/* Makes the first strip of a TIFF begin beyond the end of the file. */
static void move_first_strip(const char *path)
{
    static const uint8_t entry[] = {0x11, 1, 4, 0}; /* the TIFF tag for offsets of strips, in little-endian words */
    bytes whole = {0};
    failure why = {0};
    uint32_t list;
    ck_assert_int_eq(file_read(path, 0, &whole, &why), EXIT_DONE);
    const uint8_t *const found = memmem(whole.data, whole.size, entry, sizeof entry);
    ck_assert_ptr_nonnull(found);
    memcpy(&list, found + 8, sizeof list);
    ck_assert(list < whole.size - 4);
    memcpy(whole.data + list, &(uint32_t){1 << 30}, 4);
    ck_assert_int_eq(file_write(path, whole.data, whole.size, &why), EXIT_DONE);
    bytes_free(&whole);
}

/* Writes a TIFF with a separate plane for each colour. */
static void write_planes(const char *path, const uint8_t *pixels, int width, int height)
{
    TIFF *const t = TIFFOpen(path, "w");
    uint8_t *const row = malloc((size_t)width);
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, (uint32_t)width);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, (uint32_t)height);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE);
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 7);
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) row[x] = pixels[3 * ((ptrdiff_t)y * width + x) + c];
            TIFFWriteScanline(t, row, (uint32_t)y, (uint16_t)c);
        }
    free(row);
    TIFFClose(t);
}

TEST(kinds_of_tiff_are_read_or_refused_by_what_they_are)
{
    const struct { uint32_t tag; int value; const char *says; } kinds[] = {
        /* planes need three times as many strips as the file has */
        {TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE, "is a damaged TIFF"},
        {TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE, "begins with a preview"},
        {TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_INT, "is a TIFF of whole numbers from -128 to 127"},
        {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_CIELAB, NULL}, /* the result must equal that of reading the whole picture */
        {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK, NULL}};
    const int width = 75, height = 61;
    uint8_t *const pixels = noise(9, (size_t)width * (size_t)height * 3), *const turned = turn(pixels, 75, 61, true);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        write_tiff(in_folder("kind.tif"), "w", 0, pixels, width, height);
        set_tag(in_folder("kind.tif"), kinds[i].tag, kinds[i].value);
        if (kinds[i].says) must_refuse(in_folder("kind.tif"), kinds[i].says);
        else check_against_whole(in_folder("kind.tif"));
    }
    write_tiff(in_folder("kind.tif"), "w", 0, pixels, width, height);
    set_tag(in_folder("kind.tif"), TIFFTAG_ORIENTATION, ORIENTATION_BOTRIGHT);
    check_rows(in_folder("kind.tif"), turned, width, height, 3, 8);
    check_rows_as(in_folder("kind.tif"), true, pixels, width, height, 3, 8);
    write_planes(in_folder("planes.tif"), pixels, width, height);
    check_rows(in_folder("planes.tif"), pixels, width, height, 3, 8);
    write_tiff(in_folder("kind.tif"), "w", 0, pixels, width, height);
    move_first_strip(in_folder("kind.tif"));
    must_refuse(in_folder("kind.tif"), "is cut short");
    write_grey(in_folder("grey.tif"), pixels, width, height, PHOTOMETRIC_MINISWHITE);
    for (int i = 0; i < width * height; i++) pixels[i] ^= 0xff;
    check_rows(in_folder("grey.tif"), pixels, width, height, 1, 8);
    free(turned);
    free(pixels);
}

TEST(further_pages_are_told)
{
    region_reader *reader;
    region_shape kind;
    failure why = {0};
    uint8_t *const pixels = noise(9, 75 * 61);
    for (int pages = 1; pages < 3; pages++) {
        write_grey(in_folder("pages.tif"), pixels, 75, 61, PHOTOMETRIC_MINISBLACK);
        if (pages == 2) {
            TIFF *const t = TIFFOpen(in_folder("pages.tif"), "a");
            TIFFSetField(t, TIFFTAG_IMAGEWIDTH, 75);
            TIFFSetField(t, TIFFTAG_IMAGELENGTH, 1);
            TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
            TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFWriteScanline(t, pixels, 0, 0);
            TIFFClose(t);
        }
        ck_assert_msg(region_open(in_folder("pages.tif"), false, &kind, &reader, &why) == EXIT_DONE, "%s", why.text);
        ck_assert(pages == 1 ? !kind.beside[0] : strstr(kind.beside, "more than one page") != NULL);
        region_close(reader);
        check_rows(in_folder("pages.tif"), pixels, 75, 61, 1, 8);
    }
    free(pixels);
}
#endif

/* Cuts the file off anywhere and changes any byte. The file may be read or refused, but nothing else may happen. */
static void maul(const char *name)
{
    bytes whole = {0};
    failure why = {0};
    uint64_t state = 3;
    ck_assert_int_eq(file_read(in_folder(name), 0, &whole, &why), EXIT_DONE);
    for (int i = 0; i < 200; i++) {
        uint8_t *const copy = malloc(whole.size);
        const size_t size = i % 2 ? whole.size : (size_t)random_below(&state, (int)whole.size);
        region_reader *reader;
        region_shape kind;
        memcpy(copy, whole.data, whole.size);
        for (int k = 0; i % 2 && k < 3; k++) copy[random_below(&state, (int)whole.size)] = (uint8_t)random_next(&state);
        FILE *const file = fopen(in_folder("mauled"), "wb");
        ck_assert(fwrite(copy, 1, size, file) == size);
        fclose(file);
        free(copy);
        if (region_open(in_folder("mauled"), i % 4 < 2, &kind, &reader, &why) != EXIT_DONE) continue;
        if (kind.width * kind.height < 1 << 22) {
            uint8_t *const got = malloc((size_t)(kind.width * kind.height) * 6);
            (void)region_read(reader, 0, kind.height, got, &why);
            free(got);
        }
        region_close(reader);
    }
    bytes_free(&whole);
}

TEST(damaged_pictures_are_read_or_refused)
{
    uint8_t *const pixels = noise(5, 40 * 30 * 3);
    write_picture(in_folder("m.png"), pixels, 40, 30, 3, 8);
    write_picture(in_folder("m.ppm"), pixels, 40, 30, 3, 8);
    maul("m.png");
    maul("m.ppm");
#if WITH_TIFF
    write_tiff(in_folder("m.tif"), "w8", 16, pixels, 40, 30);
    maul("m.tif");
#endif
    free(pixels);
}

/* Half a metre a pixel. TIFFs store it. */
static const georeference field = {.placed = true, .origin = {500000, 6000000}, .across = {0.5, 0}, .down = {0, -0.5},
                                   .epsg = 25832, .keys = 8, .key = {1, 1, 0, 1, 3072, 0, 1, 25832}};

static const uint32_t dense[2] = {2835, 11811};

/* Checks place and density. */
static void check_place(const char *path)
{
    region_reader *reader;
    region_shape shape;
    failure why = {0};
    ck_assert_msg(region_open(path, false, &shape, &reader, &why) == EXIT_DONE, "%s", why.text);
    region_close(reader);
    ck_assert_mem_eq(&shape.place, &field, sizeof field);
    ck_assert_mem_eq(shape.density, dense, sizeof dense);
}

TEST(what_is_written_by_rows_is_read_again)
{
    static const char *const names[] = {"w.pgm", "w.png", "w.tif"};
    const int width = 100, height = 70;
    uint8_t *const pixels = noise(1, (size_t)width * (size_t)height);
    const image_view head = {.width = width, .height = height, .channels = 1, .depth = 8, .place = &field,
                             .density = {dense[0], dense[1]}, .threads = 3};
    for (int i = 0; i < 2 + WITH_TIFF; i++) {
        region_writer *writer;
        bool rows;
        failure why = {0};
        ck_assert_msg(region_create(in_folder(names[i]), NULL, &rows, &writer, &why) == EXIT_DONE, "%s", why.text);
        ck_assert_msg(region_begin(writer, &head, &why) == EXIT_DONE, "%s", why.text);
        for (int y = 0; y < height; y++)
            ck_assert_int_eq(region_write(writer, pixels + (size_t)y * (size_t)width, &why), EXIT_DONE);
        ck_assert_int_ne(access(in_folder(names[i]), F_OK), 0); /* the file must not exist before it is complete */
        ck_assert_msg(region_finish(writer, true, &why) == EXIT_DONE, "%s", why.text);
        check_rows(in_folder(names[i]), pixels, width, height, 1, 8);
        if (i == 2) check_place(in_folder(names[i]));
        ck_assert_int_eq(region_create(in_folder("never.png"), NULL, &rows, &writer, &why), EXIT_DONE);
        ck_assert_int_eq(region_begin(writer, &head, &why), EXIT_DONE);
        ck_assert_int_eq(region_finish(writer, false, &why), EXIT_DONE);
        ck_assert_int_ne(access(in_folder("never.png"), F_OK), 0);
    }
    free(pixels);
}

/* One part of a picture that several threads write. */
typedef struct writing {
    const uint8_t *pixels;
    int width, height, file;
    bool tiles;
    const char *path;
    const tilecut_exchange *exchange;
    int status;
    failure why;
} writing;

static void *write_part(void *context)
{
    writing *const w = context;
    const tilecut_exchange *const e = w->exchange;
    int first, rows;
    tilecut_part_rows(w->height, e->parts, e->part, &first, &rows);
    const region_team team = {.part = e->part, .parts = e->parts, .width = w->width, .height = w->height,
                              .first = first, .rows = rows, .fewest = w->height / e->parts, .flip = 0x5a,
                              .pixels = w->pixels + (size_t)first * (size_t)w->width, .tiles = w->tiles,
                              .place = &field, .density = {dense[0], dense[1]}, .context = e->context,
                              .sum = e->sum, .swap = e->swap};
    w->status = region_write_together(w->path, NULL, w->file, &team, &w->why);
    if (w->status) e->leave(e->context);
    return NULL;
}

/* Writes a picture by `parts` threads. Part `bad` writes to a full disk. Returns true if all have succeeded. */
static bool write_together(const char *path, const uint8_t *pixels, int width, int height, int parts, bool tiles,
                           int bad)
{
    enum { MOST = 8 };
    writing w[MOST];
    pthread_t thread[MOST];
    tilecut_exchange *exchanges;
    region_writer *writer;
    bool rows;
    failure why = {0};
    bool good = true;
    const int full = open("/dev/full", O_WRONLY);
    ck_assert_int_eq(tilecut_exchange_threads(&exchanges, parts), TILECUT_OK);
    ck_assert_msg(region_create(path, NULL, &rows, &writer, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_ptr_nonnull(region_shared_as(writer));
    for (int i = 0; i < parts; i++) {
        w[i] = (writing){.pixels = pixels, .width = width, .height = height, .tiles = tiles, .path = path,
                         .file = i == bad ? full : region_descriptor(writer), .exchange = &exchanges[i]};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, write_part, &w[i]), 0);
    }
    for (int i = 0; i < parts; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < parts; i++) good &= w[i].status == EXIT_DONE;
    ck_assert_int_ne(access(path, F_OK), 0); /* the file must not exist before it is complete */
    if (bad >= 0) ck_assert_msg(strstr(w[bad].why.text, "no space left") != NULL, "%s", w[bad].why.text);
    ck_assert_int_eq(region_finish(writer, good, &why), EXIT_DONE);
    tilecut_exchange_free(exchanges);
    close(full);
    return good;
}

TEST(what_several_parts_write_is_read_again)
{
    static const char *const names[] = {"t.pgm", "t.tif"};
    static const struct { int width, height, parts; bool tiles; } cases[] = {
        {100, 70, 1, false}, {100, 70, 3, false}, {1, 8, 8, false}, {300, 8, 8, true}, {700, 600, 2, true},
        {530, 97, 3, true}, {2000, 700, 3, false}, {70, 40, 1, true}, {3000, 2000, 5, true}};
    uint8_t *const pixels = noise(1, 6000000), *const turned = malloc(6000000);
    for (int i = 0; i < 6000000; i++) turned[i] = pixels[i] ^ 0x5a;
    for (int i = 0; i < 1 + WITH_TIFF; i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            const char *const path = in_folder(names[i]);
            ck_assert(write_together(path, pixels, cases[k].width, cases[k].height, cases[k].parts, cases[k].tiles,
                                     -1));
            check_rows(path, turned, cases[k].width, cases[k].height, 1, 8);
            if (i) check_place(path);
            unlink(path);
        }
    free(pixels);
    free(turned);
}

TEST(a_part_whose_disk_is_full_leaves_no_picture)
{
    static const char *const names[] = {"f.pgm", "f.tif"};
    uint8_t *const pixels = noise(1, 90000);
    for (int i = 0; i < 1 + WITH_TIFF; i++)
        for (int bad = 0; bad < 3; bad++) {
            ck_assert(!write_together(in_folder(names[i]), pixels, 300, 300, 3, bad == 1, bad));
            ck_assert_int_ne(access(in_folder(names[i]), F_OK), 0);
        }
    free(pixels);
}

int main(void)
{
    char command[64];
    if (!mkdtemp(folder)) return 1;
    const int failed = run_suite((test_suite){.name = "regions"});
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || failed;
}
