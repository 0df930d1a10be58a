/* SPDX-License-Identifier: MIT
 *
 * image_stb_read.c - reads BMP and TGA through stb_image, which reads zeros after the end of a file and trusts false
 * headers. So files are checked before stb_image is called.
 */
#include <stdlib.h>
#include <string.h>

#include "image_stb.h"
#include "numbers.h"
#include "tilecut.h"

/* The implementation of stb_image is compiled in this file only, with its warnings off. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* stays ignored to the end of the file, where this warning is
                                                      given */
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

static uint32_t number(const uint8_t *at, size_t count) { return (uint32_t)little_endian(at, count); }

static int refuse_kind(const char *name, const char *what, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is a %s; convert it to PNG first", name, what);
}

/* Decodes a file whose header has been checked. */
static int load(const char *name, const char *format, const uint8_t *file, size_t size, image *out, failure *why)
{
    if (size > INT32_MAX) return refuse_kind(name, "file of more than 2 GB", why);
    out->pixels = stbi_load_from_memory(file, (int)size, &out->width, &out->height, &out->channels, 0);
    out->depth = 8;
    if (out->pixels) return image_simplify(out), EXIT_DONE;
    if (!strcmp(stbi_failure_reason(), "outofmem"))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    return fail(why, EXIT_INPUT, "%s: is a damaged %s (%s); save or copy it again", name, format,
                stbi_failure_reason());
}

/* ---- BMP -------------------------------------------------------------------------------------- */

/* Sizes of headers in bytes: that of the file, and the possible sizes of the picture's header. */
enum { BMP_FILE = 14, BMP_OLD = 12, BMP_PLAIN = 40, BMP_MASKS = 52, BMP_OS2 = 64 };

bool bmp_probe(const uint8_t *file, size_t size)
{
    if (size < BMP_FILE + BMP_OLD || memcmp(file, "BM", 2) != 0) return false;
    const uint32_t header = number(file + BMP_FILE, 4);
    return header == BMP_OLD || header == 16 || header == 64 || (header >= 40 && header <= 124);
}

/* The values of a header. `each` is the size of a palette colour in bytes. */
typedef struct bmp_header {
    size_t size, each, pixels_at;
    uint32_t bits, packed, used;
} bmp_header;

/* Returns the bytes between the header and the palette: colour masks that do not fit into a short header. */
static size_t bmp_masks(const bmp_header *h)
{
    return h->packed == 3 && h->size == BMP_PLAIN ? 12 : 0;
}

/* Returns how many colours the palette in the file has. */
static size_t bmp_colors(const bmp_header *h)
{
    const size_t most = (size_t)1 << h->bits, begins = BMP_FILE + h->size + bmp_masks(h);
    const size_t room = (h->pixels_at - begins) / h->each, there = room < most ? room : most;
    return h->used && h->used < there ? h->used : there;
}

/* Adds a note with the number of pixels that use colours beyond the palette: decoders differ in what they show
 * there. */
static void bmp_note_missing(const char *name, const uint8_t *file, const bmp_header *h, const image *read, notes *log)
{
    const size_t colors = bmp_colors(h), width = (size_t)read->width, row = (width * h->bits + 31) / 32 * 4;
    size_t missing = 0;
    for (size_t y = 0; y < (size_t)read->height; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t bit = x * h->bits, shift = 8 - h->bits - bit % 8;
            const uint8_t byte = file[h->pixels_at + y * row + bit / 8];
            missing += (size_t)(byte >> shift & ((1u << h->bits) - 1)) >= colors;
        }
    if (missing)
        note(log, "%s: %zu pixels name colours that its palette of %zu lacks; they are black", name, missing, colors);
}

/* Makes a copy of the file that stb_image reads correctly: with a known header, a palette of full length (missing
 * colours are black), and no gap before the pixels. By itself, stb_image miscounts the colours after a header of 12
 * bytes, leaves missing colours undefined, and does not skip gaps. Returns NULL if memory ran out. */
static uint8_t *bmp_plain(const uint8_t *file, size_t size, const bmp_header *h, size_t *plain)
{
    const bool old = h->size == BMP_OLD;
    const size_t header = old || h->size == BMP_MASKS || h->size == BMP_OS2 ? BMP_PLAIN : h->size;
    const size_t masks = h->packed == 3 && header == BMP_PLAIN ? 12 : 0, map = h->bits <= 8 ? 4 * 256 : 0;
    const size_t begins = BMP_FILE + header + masks + map;
    const uint8_t *const colors = file + BMP_FILE + h->size + bmp_masks(h);
    const size_t count = map ? bmp_colors(h) : 0;
    uint8_t *const out = calloc(1, begins + size - h->pixels_at);
    if (!out) return NULL;
    memcpy(out, file, BMP_FILE + (old ? 0 : header + masks));
    put_little_endian(out + 10, begins, 4);
    put_little_endian(out + BMP_FILE, header, 4);
    for (int field = 0; old && field < 2; field++) memcpy(out + 18 + 4 * field, file + 18 + 2 * field, 2);
    if (old) memcpy(out + 26, file + 22, 4);
    for (size_t i = 0; i < count; i++) memcpy(out + begins - map + 4 * i, colors + h->each * i, 3);
    memcpy(out + begins, file + h->pixels_at, size - h->pixels_at);
    *plain = begins + size - h->pixels_at;
    return out;
}

static int bmp_load(const char *name, const uint8_t *file, size_t size, const bmp_header *h, image *out, notes *log,
                    failure *why)
{
    const size_t behind = BMP_FILE + h->size + bmp_masks(h);
    if (h->pixels_at < behind + (h->bits <= 8 ? h->each : 0))
        return fail(why, EXIT_INPUT, "%s: is a damaged BMP (its pixels begin within its header or palette); save or "
                    "copy it again", name);
    if (h->bits > 8 && h->pixels_at == behind && h->size != BMP_OLD && h->size != BMP_MASKS && h->size != BMP_OS2)
        return load(name, "BMP", file, size, out, why);
    size_t plain_size = 0;
    uint8_t *const plain = bmp_plain(file, size, h, &plain_size);
    if (!plain) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    const int status = load(name, "BMP", plain, plain_size, out, why);
    free(plain);
    if (!status && h->bits <= 8) bmp_note_missing(name, file, h, out, log);
    return status;
}

int bmp_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
               notes *log, failure *why)
{
    const uint8_t *const at = file + BMP_FILE;
    const uint32_t header = number(at, 4);
    const bool old = header == BMP_OLD;
    if (size < BMP_FILE + header) return image_cut_short(name, why);
    if (!old && header < BMP_PLAIN) return refuse_kind(name, "BMP of OS/2", why);
    const uint32_t high = number(at + (old ? 6 : 8), old ? 2 : 4);
    const uint64_t width = number(at + 4, old ? 2 : 4), height = !old && high >> 31 ? 0u - high : high;
    const bmp_header h = {.size = header, .each = old ? 3 : 4, .pixels_at = number(file + 10, 4),
                          .bits = number(at + (old ? 10 : 14), 2), .packed = old ? 0 : number(at + 16, 4),
                          .used = old ? 0 : number(at + 32, 4)};
    if (h.packed == 1 || h.packed == 2) return refuse_kind(name, "BMP with run lengths (RLE)", why);
    if (h.packed > 3 || (h.packed == 3 && header == BMP_OS2))
        return refuse_kind(name, "BMP with another format inside", why);
    if (h.bits == 2) return refuse_kind(name, "BMP of two bits a pixel", why);
    STEP(image_check_size(name, width, height, 4, limits, why));
    if (!old && (int32_t)number(at + 24, 4) > 0 && (int32_t)number(at + 28, 4) > 0) {
        out->density[0] = number(at + 24, 4);
        out->density[1] = number(at + 28, 4);
    }
    if (h.pixels_at > size || (width * h.bits + 31) / 32 * 4 * height > size - h.pixels_at)
        return image_cut_short(name, why);
    return bmp_load(name, file, size, &h, out, log, why);
}

/* ---- TGA -------------------------------------------------------------------------------------- */

enum { TGA_HEADER = 18, RUN_LENGTHS = 8 };

static bool tga_map_is_sound(const uint8_t *file)
{
    return file[7] == 15 || file[7] == 16 || file[7] == 24 || file[7] == 32;
}

/* True if there is a palette although the header denies it. An icon begins in the same way, but has a 0 in the low byte
 * of the count. */
static bool tga_hides_map(const uint8_t *file)
{
    return !file[1] && (file[2] & ~RUN_LENGTHS) == 1 && !number(file + 3, 2) && file[5] && !file[6] &&
           tga_map_is_sound(file);
}

/* Recognises TGA by its whole header, because it has no magic bytes at its start, and only some files have them at
 * their end. */
bool tga_probe(const uint8_t *file, size_t size)
{
    if (size < TGA_HEADER || file[1] > 1 || !number(file + 12, 2) || !number(file + 14, 2)) return false;
    const int kind = file[2] & ~RUN_LENGTHS, bits = file[16], map_bits = file[7];
    const bool grey = kind == 3 && (bits == 1 || bits == 8 || bits == 16);
    const bool color = kind == 2 && (bits == 15 || bits == 16 || bits == 24 || bits == 32);
    if (tga_hides_map(file)) return bits == 8;
    if (file[1]) /* with a palette */
        return ((kind == 1 && (bits == 8 || bits == 16)) || grey || color) && number(file + 5, 2) &&
               tga_map_is_sound(file);
    return (grey || color) && !number(file + 3, 4) && (map_bits == 0 || map_bits == 24 || map_bits == 32);
}

/* True if the file is long enough for `pixels` pixels of `each` bytes that begin at byte `at`. */
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

/* Reads pixels of one bit, highest bit first, where each row begins with a new byte. stb_image cannot read them. */
static int tga_bits(const char *name, const uint8_t *from, size_t width, size_t height, bool down, image *out,
                    failure *why)
{
    if (image_allocate(name, (int)width, (int)height, 1, 8, out, why)) return why->status;
    for (size_t y = 0; y < height; y++) {
        const uint8_t *const row = from + (down ? y : height - 1 - y) * ((width + 7) / 8);
        for (size_t x = 0; x < width; x++) out->pixels[y * width + x] = row[x / 8] >> (7 - x % 8) & 1 ? 255 : 0;
    }
    return EXIT_DONE;
}

int tga_decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
               notes *log, failure *why)
{
    (void)log;
    const uint64_t width = number(file + 12, 2), height = number(file + 14, 2);
    const size_t map = file[1] ? (size_t)number(file + 5, 2) * ((file[7] + 7u) / 8) : 0;
    const size_t begins = TGA_HEADER + (size_t)file[0] + map;
    const bool bits = file[16] == 1;
    if (file[17] & 0xd0) return refuse_kind(name, "TGA stored from right to left or interleaved", why);
    if (tga_hides_map(file)) return refuse_kind(name, "TGA with a palette that its header denies", why);
    if (file[1] && (file[2] & ~RUN_LENGTHS) != 1)
        return refuse_kind(name, "TGA with a palette that it does not use", why);
    if (file[1] && number(file + 3, 2)) return refuse_kind(name, "TGA with a part of a palette", why);
    if (bits && file[2] & RUN_LENGTHS) return refuse_kind(name, "TGA of one bit a pixel with run lengths", why);
    STEP(image_check_size(name, width, height, 4, limits, why));
    if (bits ? !tga_is_whole(file, size, begins, (width + 7) / 8 * height, 1)
             : !tga_is_whole(file, size, begins, width * height, (file[16] + 7u) / 8))
        return image_cut_short(name, why);
    if (bits) return tga_bits(name, file + begins, (size_t)width, (size_t)height, file[17] & 0x20, out, why);
    return load(name, "TGA", file, size, out, why);
}
