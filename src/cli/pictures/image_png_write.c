/* SPDX-License-Identifier: MIT
 *
 * image_png_write.c - PNG through libpng: writing.
 */
#include <png.h>
#include <setjmp.h>
#include <zlib.h>

#include "deflate.h"
#include "image.h"
#include "image_png.h"
#include "tilecut.h"

typedef struct writing {
    const char *name;
    const image_view *view;
    bytes *sink;
    failure *why;
    png_structp png;
    png_infop info;
    deflater *packer; /* of a large mask */
} writing;

static void on_write_error(png_structp png, png_const_charp message)
{
    const writing *const writer = png_get_error_ptr(png);
    if (png_is_about_memory(message))
        fail(writer->why, EXIT_RESOURCES, "%s: not enough memory to write it", writer->name);
    else
        fail(writer->why, EXIT_RUNTIME, "%s: not written: %s", writer->name, message);
    png_longjmp(png, 1);
}

/* Notes that a damaged ICC profile is left out, the only warning that can occur. */
static void on_write_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep from, size_t size)
{
    const writing *const writer = png_get_io_ptr(png);
    if (bytes_append(writer->sink, from, size)) return;
    fail(writer->why, EXIT_RESOURCES, "%s: not enough memory to write it", writer->name);
    png_longjmp(png, 1);
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool is_flat(const image_view *view)
{
    return view->channels == 1 && view->depth == 8;
}

/* A mask of so many pixels is packed in blocks, whatever the number of threads. */
enum { LEVEL = 1, LARGE = 2 * DEFLATE_BLOCK };

/* Prefers speed to size. Masks are long runs, which plain zlib compresses well; photos need differences. */
static void set_compression(const writing *writer)
{
    const bool flat = is_flat(writer->view);
    png_set_compression_level(writer->png, LEVEL);
    png_set_compression_buffer_size(writer->png, 1 << 16);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, flat ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_set_compression_strategy(writer->png, flat ? Z_DEFAULT_STRATEGY : Z_FILTERED);
}

/* Packed bytes; libpng leaves by longjmp() if they cannot be written. */
static bool put_packed(void *context, const uint8_t *data, size_t size)
{
    const writing *const writer = context;
    png_write_chunk(writer->png, (png_const_bytep)"IDAT", data, size);
    return true;
}

/* Writes the rows of a large mask, packed by several threads. Each begins with its filter: none. */
static void write_packed(writing *writer)
{
    static const uint8_t filter = PNG_FILTER_VALUE_NONE;
    const image_view *const view = writer->view;
    const size_t row = (size_t)view->width;
    deflater *const packer = writer->packer = deflate_open(LEVEL, view->threads, put_packed, writer);
    bool good = packer != NULL;
    for (size_t y = 0; good && y < (size_t)view->height; y++)
        good = deflate_add(packer, &filter, 1) && deflate_add(packer, (const uint8_t *)view->pixels + y * row, row);
    if (!good || !deflate_end(packer)) png_error(writer->png, "out of memory");
    png_write_chunk(writer->png, (png_const_bytep)"IEND", NULL, 0);
}

static void write_picture(writing *writer)
{
    static const int color_type[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                      PNG_COLOR_TYPE_RGB_ALPHA};
    const image_view *const view = writer->view;
    png_structp const png = writer->png;
    png_set_write_fn(png, writer, on_write, on_flush);
    png_set_user_limits(png, TILECUT_MAX_SIDE, TILECUT_MAX_SIDE);
    png_set_IHDR(png, writer->info, (png_uint_32)view->width, (png_uint_32)view->height, view->depth,
                 color_type[view->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_benign_errors(png, 1); /* a damaged profile must not prevent writing */
    if (view->icc && view->icc_size <= UINT32_MAX)
        png_set_iCCP(png, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, view->icc,
                     (png_uint_32)view->icc_size);
    if (view->density[0] && view->density[1])
        png_set_pHYs(png, writer->info, view->density[0], view->density[1], PNG_RESOLUTION_METER);
    if (view->exif && view->exif_size <= UINT32_MAX)
        png_set_eXIf_1(png, writer->info, (png_uint_32)view->exif_size, (png_bytep)(uintptr_t)view->exif);
    set_compression(writer);
    png_write_info(png, writer->info);
    if (is_flat(view) && deflate_built() && (size_t)view->width * (size_t)view->height >= LARGE) {
        write_packed(writer);
        return;
    }
    const uint16_t one = 1;
    if (view->depth == 16 && *(const uint8_t *)&one == 1) png_set_swap(png);
    const size_t row = (size_t)view->width * (size_t)view->channels * (size_t)(view->depth / 8);
    const uint8_t *pixels = view->pixels;
    for (int y = 0; y < view->height; y++, pixels += row) png_write_row(png, pixels);
    png_write_end(png, NULL);
}

static bool write_guarded(writing *writer)
{
    if (setjmp(png_jmpbuf(writer->png))) return false;
    write_picture(writer);
    return true;
}

int png_encode(const char *name, const image_view *view, bytes *sink, failure *why)
{
    writing writer = {.name = name, .view = view, .sink = sink, .why = why};
    writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, on_write_error, on_write_warning);
    if (writer.png) writer.info = png_create_info_struct(writer.png);
    int status = EXIT_DONE;
    if (!writer.info)
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    else if (!write_guarded(&writer))
        status = why->status;
    deflate_close(writer.packer);
    png_destroy_write_struct(&writer.png, &writer.info);
    return status;
}
