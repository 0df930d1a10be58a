/* SPDX-License-Identifier: MIT
 *
 * image_png.c - PNG through libpng: reading. libpng leaves on errors by longjmp(). So whatever must be freed afterwards
 * is in a struct outside the function that it leaves, and each setjmp() has a function of its own.
 */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "image_exif.h"
#include "image_png.h"
#include "tilecut.h"

/* The most memory for one chunk (an ICC profile, EXIF), and the most chunks that are kept. */
#define CHUNK_BYTES_MAX (32 << 20)
#define CHUNKS_MAX      64
/* The most chunks of a picture of one pixel: more than any program writes. */
#define CHUNKS_PLENTY   4096
#define NOTES_MAX       4

static bool probe(const uint8_t *file, size_t size)
{
    return size >= 8 && memcmp(file, "\x89PNG\r\n\x1a\n", 8) == 0;
}

typedef struct reading {
    const char *name;
    const uint8_t *bytes;
    size_t size, at;
    const image_limits *limits;
    image *out;
    notes *list;
    int notes_made;
    failure *why;
    bool cut_short;
    png_structp png;
    png_infop info;
    png_bytepp rows;
    uint8_t entry[256][4]; /* palette with its alpha */
    int entries;
} reading;

bool png_is_about_memory(const char *message)
{
    return strstr(message, "ut of memory") || strstr(message, "nsufficient memory");
}

static void on_read_error(png_structp png, png_const_charp message)
{
    const reading *const reader = png_get_error_ptr(png);
    if (reader->cut_short)
        fail(reader->why, EXIT_INPUT,
             "%s: is cut short, the file ends within the picture; save or copy it again", reader->name);
    else if (png_is_about_memory(message))
        fail(reader->why, EXIT_RESOURCES, "%s: not enough memory to read it", reader->name);
    else
        fail(reader->why, EXIT_INPUT, "%s: is a damaged PNG (%s); save or copy it again", reader->name, message);
    png_longjmp(png, 1);
}

static void on_read_warning(png_structp png, png_const_charp message)
{
    /* Warnings about colour profiles are dropped, because profiles are not used, and editors often write them wrong. */
    static const char *const colour_chunks[] = {"iCCP", "sRGB", "gAMA", "cHRM"};
    for (size_t i = 0; i < sizeof colour_chunks / sizeof *colour_chunks; i++)
        if (strncmp(message, colour_chunks[i], 4) == 0) return;
    reading *const reader = png_get_error_ptr(png);
    if (reader->notes_made++ < NOTES_MAX) note(reader->list, "%s: PNG: %s", reader->name, message);
}

static void on_read(png_structp png, png_bytep to, size_t size)
{
    reading *const reader = png_get_io_ptr(png);
    if (size > reader->size - reader->at) {
        reader->cut_short = true;
        png_error(png, "cut short");
    }
    memcpy(to, reader->bytes + reader->at, size);
    reader->at += size;
}

static uint32_t number(const uint8_t *file)
{
    return (uint32_t)file[0] << 24 | (uint32_t)file[1] << 16 | (uint32_t)file[2] << 8 | file[3];
}

/* Refuses a file with more than `most` chunks, and one with a chunk longer than the file: libpng may allocate what a
 * chunk claims before it finds that out. */
static int check_chunks(const char *name, const uint8_t *file, size_t size, uint64_t most, failure *why)
{
    enum { SIGNATURE = 8, AROUND = 12 }; /* length, type, checksum */
    uint64_t chunks = 0;
    for (size_t at = SIGNATURE; at + AROUND <= size; chunks++) {
        const size_t length = number(file + at);
        if (chunks == most)
            return fail(why, EXIT_INPUT, "%s: is in more pieces (PNG chunks) than it has pixels; save it again", name);
        if (memcmp(file + at + 4, "IEND", 4) == 0) break; /* what follows is never read */
        if (length > size - at - AROUND)
            return fail(why, EXIT_INPUT, "%s: is cut short, the file ends within the picture; save or copy it again",
                        name);
        at += length + AROUND;
    }
    return EXIT_DONE;
}

/* Refuses sizes before libpng sees the file, so that no header makes anybody allocate memory. A byte of the file
 * gives at most 1032 bytes of pixels, the limit of deflate; a header that claims more promises what is not there. */
static int check_header(const char *name, const uint8_t *file, size_t size, const image_limits *limits, failure *why)
{
    enum { HEADER_END = 33 };
    static const uint8_t samples_of[8] = {1, 0, 3, 1, 2, 0, 4, 0}; /* by colour type */
    if (size < HEADER_END)
        return fail(why, EXIT_INPUT, "%s: is cut short, the file ends within its header; save or copy it again", name);
    if (memcmp(file + 12, "CgBI", 4) == 0)
        return fail(why, EXIT_INPUT, "%s: is a PNG in Apple's own form (CgBI), as apps for iPhones hold it; convert "
                    "it, by 'pngcrush -revert-iphone-optimizations' for instance", name);
    if (memcmp(file + 8, "\0\0\0\x0dIHDR", 8) != 0)
        return fail(why, EXIT_INPUT, "%s: is a damaged PNG (no header); save or copy it again", name);
    const uint64_t width = number(file + 16), height = number(file + 20);
    const uint64_t samples = samples_of[file[25] & 7], bits = samples * file[24];
    /* Transparency may add a sample, and a palette an index plane. */
    const uint64_t most = file[25] == PNG_COLOR_TYPE_PALETTE ? 5 : (samples + 1) * (file[24] > 8 ? 2 : 1);
    if (image_check_size(name, width, height, most, limits, why)) return why->status;
    if (((width * bits + 7) / 8 + 1) * height / 1040 > size)
        return fail(why, EXIT_INPUT, "%s: is cut short, %llux%llu pixels cannot be in so few bytes; save or copy it "
                    "again", name, (unsigned long long)width, (unsigned long long)height);
    return check_chunks(name, file, size, CHUNKS_PLENTY + width * height, why);
}

void png_be_strict(png_structp png)
{
    /* Text can be compressed a thousandfold. */
    static const char passed_over[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0tIME\0";
    png_set_chunk_malloc_max(png, CHUNK_BYTES_MAX);
    png_set_chunk_cache_max(png, CHUNKS_MAX);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep)passed_over,
                                (int)(sizeof passed_over - 1) / 5);
}

static void configure(reading *reader)
{
    png_set_read_fn(reader->png, reader, on_read);
    png_set_user_limits(reader->png, TILECUT_MAX_SIDE, TILECUT_MAX_SIDE);
    png_be_strict(reader->png);
}

/* Reads the palette, with its alpha, into `entry`. Returns the channels of the picture: grey if all entries are
 * grey. */
static int read_palette(reading *reader)
{
    png_colorp palette = NULL;
    png_bytep alpha = NULL;
    int alphas = 0;
    bool grey = true, opaque = true;
    if (!png_get_PLTE(reader->png, reader->info, &palette, &reader->entries)) png_error(reader->png, "no palette");
    if (!png_get_tRNS(reader->png, reader->info, &alpha, &alphas, NULL)) alphas = 0;
    for (int i = 0; i < reader->entries; i++) {
        const png_color color = palette[i];
        uint8_t *const entry = reader->entry[i];
        entry[0] = color.red;
        entry[1] = color.green;
        entry[2] = color.blue;
        entry[3] = i < alphas ? alpha[i] : 255;
        grey = grey && color.red == color.green && color.green == color.blue;
        opaque = opaque && entry[3] == 255;
    }
    return (grey ? 1 : 3) + (opaque ? 0 : 1);
}

/* Makes pixels from the index plane that libpng has read. */
static void color_by_index(reading *reader)
{
    image *const out = reader->out;
    const size_t pixels = (size_t)out->width * (size_t)out->height, channels = (size_t)out->channels;
    uint8_t highest = 0;
    for (size_t p = 0; p < pixels; p++) highest = out->index[p] > highest ? out->index[p] : highest;
    if (highest >= reader->entries) png_error(reader->png, "a pixel's colour is not in the palette");
    if (channels == 2)
        for (int i = 0; i < reader->entries; i++) reader->entry[i][1] = reader->entry[i][3];
    uint8_t *to = out->pixels;
    for (size_t p = 0; p < pixels; p++)
        for (size_t c = 0; c < channels; c++)
            *to++ = reader->entry[out->index[p]][c];
}

static void keep_profile(reading *reader)
{
    png_charp profile_name = NULL;
    png_bytep profile = NULL;
    png_uint_32 size = 0;
    int compression = 0;
    if (!png_get_iCCP(reader->png, reader->info, &profile_name, &compression, &profile, &size) || !size) return;
    reader->out->icc = malloc(size);
    if (!reader->out->icc) png_error(reader->png, "out of memory");
    memcpy(reader->out->icc, profile, size);
    reader->out->icc_size = size;
}

static void read_picture(reading *reader)
{
    png_structp const png = reader->png;
    png_infop const info = reader->info;
    configure(reader);
    png_read_info(png, info);
    const int width = (int)png_get_image_width(png, info), height = (int)png_get_image_height(png, info);
    const int depth = png_get_bit_depth(png, info) == 16 ? 16 : 8;
    const bool palette = png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE;
    if (palette) {
        png_set_packing(png);
    } else {
        png_set_expand(png); /* to 8 bits, and a transparent colour to alpha */
        const uint16_t one = 1;
        if (depth == 16 && *(const uint8_t *)&one == 1) png_set_swap(png);
    }
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const int channels = palette ? read_palette(reader) : png_get_channels(png, info);
    if (image_allocate(reader->name, width, height, channels, depth, reader->out, reader->why)) png_longjmp(png, 1);
    uint8_t *plane = reader->out->pixels;
    if (palette) plane = reader->out->index = malloc((size_t)width * (size_t)height);
    reader->rows = malloc((size_t)height * sizeof *reader->rows);
    if (!plane || !reader->rows) png_error(png, "out of memory");
    const size_t row = png_get_rowbytes(png, info);
    for (int y = 0; y < height; y++) reader->rows[y] = plane + (size_t)y * row;
    png_read_image(png, reader->rows);
    png_read_end(png, info);
    if (palette) color_by_index(reader);
    keep_profile(reader);
}

static bool read_guarded(reading *reader)
{
    if (setjmp(png_jmpbuf(reader->png))) return false;
    read_picture(reader);
    return true;
}

static int orient(reading *reader)
{
    png_bytep exif = NULL;
    png_uint_32 size = 0, x = 0, y = 0;
    int unit = PNG_RESOLUTION_UNKNOWN;
    if (png_get_pHYs(reader->png, reader->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER && x && y) {
        reader->out->density[0] = x;
        reader->out->density[1] = y;
    }
    if (!png_get_eXIf_1(reader->png, reader->info, &size, &exif)) return EXIT_DONE;
    if (exif_keep(reader->name, exif, size, reader->out, reader->why)) return reader->why->status;
    return image_orient(reader->name, exif_orientation(exif, size), reader->limits, reader->out, reader->why);
}

static int decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *list, failure *why)
{
    reading reader = {
        .name = name, .bytes = file, .size = size, .limits = limits, .out = out, .list = list, .why = why};
    if (check_header(name, file, size, limits, why)) return why->status;
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_read_error, on_read_warning);
    if (reader.png) reader.info = png_create_info_struct(reader.png);
    int status = EXIT_DONE;
    if (!reader.info)
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    else
        status = read_guarded(&reader) ? orient(&reader) : why->status;
    free(reader.rows);
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    return status;
}

const image_format image_png = {
    .name = "PNG",
    .line = "PNG   read, write   1 to 16 bits, grey, palette, colour, alpha, interlaced; ICC, EXIF, dpi kept",
    .extensions = {"png"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .probe = probe,
    .decode = decode,
    .encode = png_encode,
};
