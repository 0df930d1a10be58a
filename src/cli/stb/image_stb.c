/* SPDX-License-Identifier: MIT
 *
 * image_stb.c - writes BMP, TGA and JPEG through stb_image_write (8 bits a sample), and has the table rows of BMP and
 * TGA.
 */
#include <stdlib.h>
#include <string.h>

#include "image_stb.h"

/* The implementation is compiled in this file only, with its warnings off. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { QUALITY = 95, SIDE_MAX = 65535 }; /* TGA and JPEG store sizes in 16 bits */

typedef struct sink_state {
    bytes *sink;
    bool failed;
} sink_state;

static void append(void *context, void *data, int size)
{
    sink_state *const state = context;
    if (!state->failed && size > 0) state->failed = !bytes_append(state->sink, data, (size_t)size);
}

static int check_sides(const char *name, const char *format, const image_view *view, failure *why)
{
    if (view->width <= SIDE_MAX && view->height <= SIDE_MAX) return EXIT_DONE;
    return fail(why, EXIT_RUNTIME, "%s: not written: is %dx%d, and %s holds at most %d pixels a side; use .png",
                name, view->width, view->height, format, SIDE_MAX);
}

typedef int write_function(stbi_write_func *, void *, int, int, int, const void *);

static int write_jpeg(stbi_write_func *function, void *context, int width, int height, int channels, const void *pixels)
{
    return stbi_write_jpg_to_func(function, context, width, height, channels, pixels, QUALITY);
}

static int encode_stb(const char *name, const image_view *view, int channels, write_function *write, bytes *sink,
                  failure *why)
{
    uint8_t *owned;
    const uint8_t *const pixels = image_view_8bit(view, channels, &owned);
    sink_state state = {sink, false};
    const bool done = pixels && write(append, &state, view->width, view->height, channels, pixels) && !state.failed;
    free(owned);
    return done ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
}

static int without_alpha(const image_view *view)
{
    return view->channels > 2 ? 3 : 1;
}

/* Writes BMP. stb_image_write leaves the density 0, so it is set in the finished header. */
static int encode_bmp(const char *name, const image_view *view, bytes *sink, failure *why)
{
    enum { DENSITY = 38 };
    const size_t start = sink->size;
    const int status = encode_stb(name, view, without_alpha(view), stbi_write_bmp_to_func, sink, why);
    for (int i = 0; !status && i < 8; i++)
        sink->data[start + DENSITY + (size_t)i] = (uint8_t)(view->density[i / 4] >> (i % 4 * 8));
    return status;
}

static int encode_tga(const char *name, const image_view *view, bytes *sink, failure *why)
{
    if (check_sides(name, "TGA", view, why)) return why->status;
    /* TGA allows grey with alpha, but few programs read that, so it is written as RGBA. */
    if (view->channels != 2) return encode_stb(name, view, view->channels, stbi_write_tga_to_func, sink, why);
    uint8_t *owned;
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    const uint8_t *const grey = image_view_8bit(view, 2, &owned);
    uint8_t *const rgba = malloc(4 * pixels);
    for (size_t p = 0; grey && rgba && p < pixels; p++) {
        memset(rgba + 4 * p, grey[2 * p], 3);
        rgba[4 * p + 3] = grey[2 * p + 1];
    }
    const image_view spread = {.width = view->width, .height = view->height, .channels = 4, .depth = 8, .pixels = rgba};
    const int status = grey && rgba ? encode_stb(name, &spread, 4, stbi_write_tga_to_func, sink, why)
                                    : fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    free(owned);
    free(rgba);
    return status;
}

/* Appends a segment of a JPEG: marker 0xFF `kind`, `name` with its 0 byte, `mores` bytes of `more`, then `data`. */
static bool add_segment(bytes *to, int kind, const char *name, const uint8_t *more, size_t mores, const uint8_t *data,
                        size_t size)
{
    const size_t named = strlen(name) + 1, whole = 2 + named + mores + size;
    const uint8_t head[4] = {0xff, (uint8_t)kind, (uint8_t)(whole >> 8), (uint8_t)whole};
    return bytes_append(to, head, 4) && bytes_append(to, name, named) && bytes_append(to, more, mores) &&
           bytes_append(to, data, size);
}

/* Appends EXIF data if they fit into one segment, and the ICC profile in as many segments as it needs. */
static bool add_facts(bytes *to, const image_view *view)
{
    enum { APP1 = 0xe1, APP2 = 0xe2, ROOM = 65519, MOST = 255 };
    const size_t parts = view->icc ? (view->icc_size + ROOM - 1) / ROOM : 0;
    bool done = true;
    if (view->exif && view->exif_size <= ROOM)
        done = add_segment(to, APP1, "Exif", (const uint8_t *)"", 1, view->exif, view->exif_size);
    for (size_t i = 0; done && parts <= MOST && i < parts; i++) {
        const uint8_t count[2] = {(uint8_t)(i + 1), (uint8_t)parts};
        const size_t size = i + 1 < parts ? ROOM : view->icc_size - i * ROOM;
        done = add_segment(to, APP2, "ICC_PROFILE", count, 2, view->icc + i * ROOM, size);
    }
    return done;
}

/* Writes JPEG. stb_image_write cannot write EXIF and profile; they are inserted after the first segment, which has the
 * density. */
static int encode_jpeg(const char *name, const image_view *view, bytes *sink, failure *why)
{
    enum { UNIT = 13, FIRST = 20 };
    bytes bare = {0};
    if (check_sides(name, "JPEG", view, why)) return why->status;
    int status = encode_stb(name, view, without_alpha(view), write_jpeg, &bare, why);
    const double x = view->density[0] * 0.0254 + 0.5, y = view->density[1] * 0.0254 + 0.5;
    if (!status && bare.data && x >= 1 && y >= 1 && x < 65536 && y < 65536) {
        const unsigned across = (unsigned)x, down = (unsigned)y;
        memcpy(bare.data + UNIT, (const uint8_t[]){1, (uint8_t)(across >> 8), (uint8_t)across, (uint8_t)(down >> 8),
                                                   (uint8_t)down}, 5);
    }
    if (!status && !(bytes_append(sink, bare.data, FIRST) && add_facts(sink, view) &&
                     bytes_append(sink, bare.data + FIRST, bare.size - FIRST)))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    bytes_free(&bare);
    return status;
}

const image_format image_bmp = {
    .name = "BMP",
    .line = "BMP   read, write   1 to 32 bits a pixel, no run lengths; written as colour of 8 bits",
    .extensions = {"bmp"},
    .lossless = true,
    .color = true,
    .probe = bmp_probe,
    .decode = bmp_decode,
    .encode = encode_bmp,
};

const image_format image_tga = {
    .name = "TGA",
    .line = "TGA   read, write   1 and 8 bits, grey, palette, colour, alpha, run lengths",
    .extensions = {"tga"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .probe = tga_probe,
    .decode = tga_decode,
    .encode = encode_tga,
};

const image_format image_jpeg_written = {
    .name = "JPEG",
    .line = "JPEG  write         for pictures to look at, never for masks",
    .extensions = {"jpg", "jpeg"},
    .color = true,
    .encode = encode_jpeg,
};
