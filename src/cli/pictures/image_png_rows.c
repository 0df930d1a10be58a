/* SPDX-License-Identifier: MIT
 *
 * image_png_rows.c - grey PNG written row by row.
 */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "deflate.h"
#include "file_stream.h"
#include "image_png.h"

typedef struct written {
    png_structp png;
    png_infop info;
    int64_t width, height;
    file_stream *stream;
    failure *why;
    bool written_badly;
    deflater *packer; /* NULL without zlib: libpng packs */
} written;

static void quiet(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void stop(png_structp png, png_const_charp text)
{
    (void)text;
    longjmp(png_jmpbuf(png), 1);
}

static void put(png_structp png, png_bytep data, size_t size)
{
    written *const p = png_get_io_ptr(png);
    if (!file_stream_write(p->stream, data, size, p->why)) return;
    p->written_badly = true;
    longjmp(png_jmpbuf(png), 1);
}

static void flush(png_structp png)
{
    (void)png;
}

static int failed(const written *p, failure *why)
{
    if (p->written_badly) return why->status;
    return fail(why, EXIT_RUNTIME, "%s: not written: libpng failed", p->stream->name);
}

enum { LEVEL = 1 }; /* as masks in one part are packed */

static bool put_packed(void *context, const uint8_t *data, size_t size)
{
    const written *const p = context;
    png_write_chunk(p->png, (png_const_bytep)"IDAT", data, size);
    return true;
}

static int write_head(written *p, failure *why)
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

int png_rows_create(file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why)
{
    written *const p = calloc(1, sizeof *p);
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

static int not_packed(const written *p, failure *why)
{
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to pack it", p->stream->name);
}

int png_rows_write(void *state, const uint8_t *row, failure *why)
{
    static const uint8_t filter = PNG_FILTER_VALUE_NONE;
    written *const p = state;
    p->why = why;
    if (setjmp(png_jmpbuf(p->png))) return failed(p, why);
    if (!p->packer) png_write_row(p->png, row);
    else if (!deflate_add(p->packer, &filter, 1) || !deflate_add(p->packer, row, (size_t)p->width))
        return not_packed(p, why);
    return EXIT_DONE;
}

static int write_end(written *p, failure *why)
{
    p->why = why;
    if (setjmp(png_jmpbuf(p->png))) return failed(p, why);
    if (!p->packer) png_write_end(p->png, NULL);
    else if (!deflate_end(p->packer)) return not_packed(p, why);
    else png_write_chunk(p->png, (png_const_bytep)"IEND", NULL, 0);
    return EXIT_DONE;
}

int png_rows_finish(void *state, bool good, failure *why)
{
    written *const p = state;
    const int status = good ? write_end(p, why) : EXIT_DONE;
    deflate_close(p->packer);
    png_destroy_write_struct(&p->png, &p->info);
    free(p);
    return status;
}
