/* SPDX-License-Identifier: MIT
 *
 * image_stb_read.c - BMP and TGA through stb_image, which takes what is missing at the end of a file for zeros and
 * believes headers: both are looked through before it sees them.
 */
#include <string.h>

#include "image_stb.h"
#include "tilecut.h"

/* Its implementation lives in this file alone, and in silence. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* to the end: what is declared and never defined is told there */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS TILECUT_MAX_SIDE
#include <stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static uint32_t number(const uint8_t *at, int count)
{
    uint32_t value = 0;
    for (int i = count; i--;) value = value << 8 | at[i];
    return value;
}

static int refuse_kind(const char *name, const char *what, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is a %s; convert it to PNG first", name, what);
}

/* What both have in common once the header is sound. */
static int load(const char *name, const char *format, const uint8_t *file, size_t size, image *out, failure *why)
{
    int width = 0, height = 0, channels = 0;
    if (size > INT32_MAX) return refuse_kind(name, "file of more than 2 GB", why);
    out->pixels = stbi_load_from_memory(file, (int)size, &width, &height, &channels, 0); /* from malloc() */
    if (!out->pixels && !strcmp(stbi_failure_reason(), "outofmem"))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    if (!out->pixels)
        return fail(why, EXIT_INPUT, "%s: is a damaged %s (%s); save or copy it again", name, format,
                    stbi_failure_reason());
    out->width = width;
    out->height = height;
    out->channels = channels;
    out->depth = 8;
    image_simplify(out);
    return EXIT_DONE;
}

/* ---- BMP -------------------------------------------------------------------------------------- */

enum { BMP_FILE = 14, BMP_OLD = 12 };

bool bmp_probe(const uint8_t *file, size_t size)
{
    if (size < BMP_FILE + BMP_OLD || memcmp(file, "BM", 2) != 0) return false;
    const uint32_t header = number(file + BMP_FILE, 4);
    return header == BMP_OLD || header == 16 || header == 64 || (header >= 40 && header <= 124);
}

int bmp_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
               notes *log, failure *why)
{
    (void)log;
    const uint8_t *const at = file + BMP_FILE;
    const uint32_t header = number(at, 4), pixels_at = number(file + 10, 4);
    const bool old = header == BMP_OLD;
    if (size < BMP_FILE + header) return image_cut_short(name, why);
    if (!old && header < 40) return refuse_kind(name, "BMP of OS/2", why);
    const uint32_t high = number(at + (old ? 6 : 8), old ? 2 : 4);
    const uint64_t width = number(at + 4, old ? 2 : 4), height = !old && high >> 31 ? 0u - high : high;
    const uint32_t bits = number(at + (old ? 10 : 14), 2), packed = old ? 0 : number(at + 16, 4);
    if (packed == 1 || packed == 2) return refuse_kind(name, "BMP with run lengths (RLE)", why);
    if (packed == 4 || packed == 5) return refuse_kind(name, "BMP with another format inside", why);
    const int status = image_check_size(name, width, height, 4, limits, why);
    if (status) return status;
    if (header >= 40 && (int32_t)number(at + 24, 4) > 0 && (int32_t)number(at + 28, 4) > 0) {
        out->density[0] = number(at + 24, 4);
        out->density[1] = number(at + 28, 4);
    }
    if (pixels_at > size || (width * bits + 31) / 32 * 4 * height > size - pixels_at) return image_cut_short(name, why);
    return load(name, "BMP", file, size, out, why);
}

/* ---- TGA -------------------------------------------------------------------------------------- */

enum { TGA_HEADER = 18, RUN_LENGTHS = 8 };

/* A TGA has no mark at its beginning, and only some have one at the end: all of the header has to make sense. */
bool tga_probe(const uint8_t *file, size_t size)
{
    if (size < TGA_HEADER || file[1] > 1) return false;
    const int kind = file[2] & ~RUN_LENGTHS, bits = file[16], map_bits = file[7];
    const bool sizes = number(file + 12, 2) && number(file + 14, 2);
    if (file[1]) /* with a palette */
        return sizes && kind == 1 && (bits == 8 || bits == 16) && number(file + 5, 2) &&
               (map_bits == 15 || map_bits == 16 || map_bits == 24 || map_bits == 32);
    const bool grey = kind == 3 && (bits == 8 || bits == 16);
    const bool color = kind == 2 && (bits == 15 || bits == 16 || bits == 24 || bits == 32);
    return sizes && (grey || color) && !number(file + 3, 4) && (map_bits == 0 || map_bits == 24 || map_bits == 32);
}

/* Whether `pixels` pixels of `each` bytes are there from `at` on. */
static bool tga_is_whole(const uint8_t *file, size_t size, size_t at, uint64_t pixels, size_t each)
{
    if (!(file[2] & RUN_LENGTHS)) return at <= size && pixels * each <= size - at;
    while (pixels) {
        if (at >= size) return false;
        const uint64_t run = (file[at] & 127u) + 1;
        const size_t room = 1 + (file[at] & 128 ? each : (run < pixels ? run : pixels) * each);
        if (room > size - at) return false;
        at += room;
        pixels -= run < pixels ? run : pixels;
    }
    return true;
}

int tga_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
               notes *log, failure *why)
{
    (void)log;
    const uint64_t width = number(file + 12, 2), height = number(file + 14, 2);
    const size_t each = (file[16] + 7u) / 8;
    const size_t map = file[1] ? (size_t)number(file + 5, 2) * ((file[7] + 7u) / 8) : 0;
    if (file[17] & 0xd0) return refuse_kind(name, "TGA stored from right to left or interleaved", why);
    if (file[1] && number(file + 3, 2)) return refuse_kind(name, "TGA with a part of a palette", why);
    const int status = image_check_size(name, width, height, 4, limits, why);
    if (status) return status;
    if (!tga_is_whole(file, size, TGA_HEADER + (size_t)file[0] + map, width * height, each))
        return image_cut_short(name, why);
    return load(name, "TGA", file, size, out, why);
}
