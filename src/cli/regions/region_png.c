/* SPDX-License-Identifier: MIT
 *
 * region_png.c - PNG by rows. A PNG is one stream: rows before the wanted ones are read and dropped.
 */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deflate.h"
#include "file_stream.h"
#include "image_exif.h"
#include "image_png.h"
#include "region.h"

typedef struct picture {
    png_structp png;
    png_infop info;
    FILE *file;
    char *path;
    uint8_t *row;
    int64_t at, width, height; /* at: the next row */
    size_t row_size;           /* bytes */
    file_stream *stream;
    failure *why;
    int orientation;
    bool written_badly;
    region_palette palette;
    deflater *packer; /* NULL without zlib: libpng packs */
} picture;

static bool probe(const uint8_t *head, size_t size)
{
    return size >= 8 && png_sig_cmp(head, 0, 8) == 0;
}

static void quiet(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void stop(png_structp png, png_const_charp text)
{
    (void)text;
    longjmp(png_jmpbuf(png), 1);
}

static void close_reading(picture *p)
{
    if (p->png) png_destroy_read_struct(&p->png, &p->info, NULL);
    if (p->file) fclose(p->file);
    p->file = NULL;
    free(p->row);
    p->row = NULL;
}

static void close_file(void *state)
{
    picture *const p = state;
    close_reading(p);
    free(p->path);
    free(p);
}

static int damaged(const picture *p, failure *why)
{
    if (feof(p->file)) return image_cut_short(p->path, why);
    return fail(why, EXIT_INPUT, "%s: is a damaged PNG; save or copy it again", p->path);
}

/* Of EXIF before the first row, or after the last one; 0: there is none. */
static int orientation_of(const picture *p)
{
    png_bytep exif = NULL;
    png_uint_32 size = 0;
    return png_get_eXIf_1(p->png, p->info, &size, &exif) ? exif_orientation(exif, size) : 0;
}

/* Reads up to the first row. Damage is refused as in a PNG that is read whole. */
static int begin(picture *p, failure *why)
{
    p->at = 0;
    p->file = fopen(p->path, "rb");
    if (!p->file) return fail(why, EXIT_INPUT, "%s: cannot be opened", p->path);
    p->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, stop, quiet);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (!p->info) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", p->path);
    if (setjmp(png_jmpbuf(p->png))) return damaged(p, why);
    png_init_io(p->png, p->file);
    png_be_strict(p->png);
    png_read_info(p->png, p->info);
    if (png_get_interlace_type(p->png, p->info) != PNG_INTERLACE_NONE)
        return fail(why, EXIT_INPUT, "%s: is an interlaced PNG, which has no rows; save it without", p->path);
    if (png_get_bit_depth(p->png, p->info) == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) png_set_swap(p->png);
    if (png_get_color_type(p->png, p->info) == PNG_COLOR_TYPE_PALETTE) png_set_packing(p->png);
    else png_set_expand(p->png); /* to 8 bits, and a transparent colour to alpha */
    png_read_update_info(p->png, p->info);
    return EXIT_DONE;
}

/* The palette, with its alpha. */
static int read_palette(picture *p, failure *why)
{
    png_colorp color = NULL;
    png_bytep alpha = NULL;
    int alphas = 0;
    if (!png_get_PLTE(p->png, p->info, &color, &p->palette.entries) || p->palette.entries > 256)
        return fail(why, EXIT_INPUT, "%s: is a damaged PNG (no palette); save or copy it again", p->path);
    if (!png_get_tRNS(p->png, p->info, &alpha, &alphas, NULL)) alphas = 0;
    for (int i = 0; i < p->palette.entries; i++) {
        const uint8_t entry[] = {color[i].red, color[i].green, color[i].blue, i < alphas ? alpha[i] : 255};
        memcpy(p->palette.entry[i], entry, sizeof entry);
    }
    return EXIT_DONE;
}

static int open_file(const char *path, region_shape *shape, void **state, failure *why)
{
    picture *const p = calloc(1, sizeof *p);
    if (!p) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    *state = p;
    p->path = strdup(path);
    if (!p->path) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    const int status = begin(p, why);
    if (status) return status;
    shape->width = p->width = png_get_image_width(p->png, p->info);
    shape->height = p->height = png_get_image_height(p->png, p->info);
    shape->channels = png_get_channels(p->png, p->info);
    shape->depth = png_get_bit_depth(p->png, p->info);
    if (png_get_color_type(p->png, p->info) == PNG_COLOR_TYPE_PALETTE) {
        if (read_palette(p, why)) return why->status;
        shape->palette = &p->palette;
    }
    shape->orientation = p->orientation = orientation_of(p);
    p->row_size = png_get_rowbytes(p->png, p->info);
    return EXIT_DONE;
}

/* From the first row again. The name may stand for another file by now. */
static int begin_again(picture *p, failure *why)
{
    close_reading(p);
    const int status = begin(p, why);
    if (status) return status;
    if (png_get_image_height(p->png, p->info) == p->height && png_get_rowbytes(p->png, p->info) == p->row_size)
        return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: became another picture while it was read; try again", p->path);
}

static int take_rows(picture *p, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    const size_t size = p->row_size;
    if (setjmp(png_jmpbuf(p->png))) return damaged(p, why);
    for (; p->at < first; p->at++) png_read_row(p->png, p->row, NULL);
    for (; p->at < first + rows; p->at++) png_read_row(p->png, pixels + (size_t)(p->at - first) * size, NULL);
    for (int64_t i = 0; p->palette.entries && i < rows * (int64_t)size; i++)
        if (pixels[i] >= p->palette.entries)
            return fail(why, EXIT_INPUT, "%s: is a damaged PNG (a pixel's colour is not in the palette); save or copy "
                        "it again", p->path);
    if (p->at < p->height) return EXIT_DONE;
    png_read_end(p->png, p->info);
    p->at = p->height + 1; /* nothing more can be read without beginning again */
    if (p->orientation || orientation_of(p) < 2) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: says after its pixels that it has to be turned; save it upright", p->path);
}

static int read_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    picture *const p = state;
    const int status = first < p->at ? begin_again(p, why) : EXIT_DONE;
    if (status) return status;
    if (!p->row) p->row = malloc(p->row_size);
    if (!p->row) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", p->path);
    return take_rows(p, first, rows, pixels, why);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static void put(png_structp png, png_bytep data, size_t size)
{
    picture *const p = png_get_io_ptr(png);
    if (!file_stream_write(p->stream, data, size, p->why)) return;
    p->written_badly = true;
    longjmp(png_jmpbuf(png), 1);
}

static void flush(png_structp png)
{
    (void)png;
}

static int failed(const picture *p, failure *why)
{
    if (p->written_badly) return why->status;
    return fail(why, EXIT_RUNTIME, "%s: not written: libpng failed", p->stream->name);
}

enum { LEVEL = 1 }; /* as masks in one part are packed */

static bool put_packed(void *context, const uint8_t *data, size_t size)
{
    const picture *const p = context;
    png_write_chunk(p->png, (png_const_bytep)"IDAT", data, size);
    return true;
}

static int write_head(picture *p, failure *why)
{
    p->why = why;
    if (setjmp(png_jmpbuf(p->png))) return failed(p, why);
    png_set_write_fn(p->png, p, put, flush);
    png_set_compression_level(p->png, LEVEL);
    png_set_filter(p->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(p->png, p->info, (png_uint_32)p->width, (png_uint_32)p->height, 8, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(p->png, p->info);
    return EXIT_DONE;
}

static int create(file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why)
{
    picture *const p = calloc(1, sizeof *p);
    if (!p) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
    *state = p;
    p->stream = stream;
    p->width = width;
    p->height = height;
    p->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, stop, quiet);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (p->info && deflate_built()) p->packer = deflate_open(LEVEL, threads, put_packed, p);
    if (!p->info || (deflate_built() && !p->packer))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
    png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    return write_head(p, why);
}

static int not_packed(const picture *p, failure *why)
{
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to pack it", p->stream->name);
}

static int write_row(void *state, const uint8_t *row, failure *why)
{
    static const uint8_t filter = PNG_FILTER_VALUE_NONE;
    picture *const p = state;
    p->why = why;
    if (setjmp(png_jmpbuf(p->png))) return failed(p, why);
    if (!p->packer) png_write_row(p->png, row);
    else if (!deflate_add(p->packer, &filter, 1) || !deflate_add(p->packer, row, (size_t)p->width))
        return not_packed(p, why);
    return EXIT_DONE;
}

static int write_end(picture *p, failure *why)
{
    p->why = why;
    if (setjmp(png_jmpbuf(p->png))) return failed(p, why);
    if (!p->packer) png_write_end(p->png, NULL);
    else if (!deflate_end(p->packer)) return not_packed(p, why);
    else png_write_chunk(p->png, (png_const_bytep)"IEND", NULL, 0);
    return EXIT_DONE;
}

static int finish(void *state, bool good, failure *why)
{
    picture *const p = state;
    const int status = good ? write_end(p, why) : EXIT_DONE;
    deflate_close(p->packer);
    png_destroy_write_struct(&p->png, &p->info);
    free(p);
    return status;
}

const region_format region_png = {
    .name = "PNG", .extensions = {"png"}, .probe = probe, .open = open_file, .read = read_rows, .close = close_file,
    .create = create, .write = write_row, .finish = finish,
};
