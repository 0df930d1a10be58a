/* SPDX-License-Identifier: MIT
 *
 * image_png_write.c - writes PNG through libpng, row by row.
 */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <zlib.h>

#include "deflate.h"
#include "image.h"
#include "image_png.h"

typedef struct writing {
    const image_sink *sink;
    image_view view;  /* the picture's shape, and the data besides pixels */
    const uint8_t *row;
    failure *why;
    png_structp png;
    png_infop info;
    deflater *packer; /* compresses the rows of a mask in several threads; NULL: libpng compresses */
} writing;

static void on_write_error(png_structp png, png_const_charp message)
{
    const writing *const w = png_get_error_ptr(png);
    if (png_is_about_memory(message))
        fail(w->why, EXIT_RESOURCES, "%s: not enough memory to write it", w->sink->name);
    else
        fail(w->why, EXIT_RUNTIME, "%s: not written: %s", w->sink->name, message);
    png_longjmp(png, 1);
}

/* Adds a note that a damaged ICC profile is left out; no other warning can occur. */
static void on_write_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep from, size_t size)
{
    const writing *const w = png_get_io_ptr(png);
    if (image_put(w->sink, from, size, w->why)) png_longjmp(png, 1);
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool is_flat(const image_view *view)
{
    return view->channels == 1 && view->depth == 8;
}

/* A mask in memory is compressed in blocks only if it has at least LARGE pixels. The number of threads has no
 * influence, so the result is always the same. */
enum { LEVEL = 1, LARGE = 2 * DEFLATE_BLOCK };

/* Chooses the compression, with speed before size. Masks have long runs, which zlib compresses well unfiltered; photos
 * need differences of rows. */
static void set_compression(const writing *w)
{
    const bool flat = is_flat(&w->view);
    png_set_compression_level(w->png, LEVEL);
    png_set_compression_buffer_size(w->png, 1 << 16);
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, flat ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_set_compression_strategy(w->png, flat ? Z_DEFAULT_STRATEGY : Z_FILTERED);
}

/* Writes compressed bytes. On failure libpng leaves this function by longjmp(). */
static bool put_packed(void *context, const uint8_t *data, size_t size)
{
    const writing *const w = context;
    png_write_chunk(w->png, (png_const_bytep)"IDAT", data, size);
    return true;
}

/* ---- The steps -------------------------------------------------------------------------------- */

static void put_png_head(writing *w)
{
    static const int color_type[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                      PNG_COLOR_TYPE_RGB_ALPHA};
    const image_view *const view = &w->view;
    const uint16_t one = 1;
    png_set_write_fn(w->png, w, on_write, on_flush);
    png_set_user_limits(w->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(w->png, w->info, (png_uint_32)view->width, (png_uint_32)view->height, view->depth,
                 view->palette ? PNG_COLOR_TYPE_PALETTE : color_type[view->channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (view->palette) {
        png_color colors[256];
        for (int i = 0; i < 256; i++)
            colors[i] = (png_color){view->palette[i][0], view->palette[i][1], view->palette[i][2]};
        png_set_PLTE(w->png, w->info, colors, 256);
    }
    png_set_benign_errors(w->png, 1); /* a damaged profile must not stop the writing */
    if (view->icc && view->icc_size <= UINT32_MAX)
        png_set_iCCP(w->png, w->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, view->icc,
                     (png_uint_32)view->icc_size);
    if (view->density[0] && view->density[1])
        png_set_pHYs(w->png, w->info, view->density[0], view->density[1], PNG_RESOLUTION_METER);
    if (view->exif && view->exif_size <= UINT32_MAX)
        png_set_eXIf_1(w->png, w->info, (png_uint_32)view->exif_size, (png_bytep)(uintptr_t)view->exif);
    set_compression(w);
    png_write_info(w->png, w->info);
    if (view->depth == 16 && *(const uint8_t *)&one == 1) png_set_swap(w->png);
    if (!is_flat(view) || !deflate_built()) return;
    if (w->sink->memory && (size_t)view->width * (size_t)view->height < LARGE) return;
    w->packer = deflate_open(LEVEL, view->threads, put_packed, w);
    if (!w->packer) png_error(w->png, "out of memory");
}

/* Writes a row. In the compressed stream each row begins with its filter, which is "none" here. */
static void put_png_row(writing *w)
{
    static const uint8_t filter = PNG_FILTER_VALUE_NONE;
    if (!w->packer) png_write_row(w->png, w->row);
    else if (!deflate_add(w->packer, &filter, 1) || !deflate_add(w->packer, w->row, (size_t)w->view.width))
        png_error(w->png, "out of memory");
}

static void put_png_end(writing *w)
{
    if (!w->packer) png_write_end(w->png, NULL);
    else if (!deflate_end(w->packer)) png_error(w->png, "out of memory");
    else png_write_chunk(w->png, (png_const_bytep)"IEND", NULL, 0);
}

/* Runs a step of writing. If libpng leaves it by longjmp(), returns the status in `why`. */
static int guarded(writing *w, void (*step)(writing *w), failure *why)
{
    w->why = why;
    if (setjmp(png_jmpbuf(w->png))) return why->status;
    step(w);
    return EXIT_DONE;
}

/* ---- What the format has ---------------------------------------------------------------------- */

int png_create(const image_sink *sink, const image_view *head, void **state, failure *why)
{
    writing *const w = *state = calloc(1, sizeof *w);
    if (w) *w = (writing){.sink = sink, .view = *head};
    if (w) w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_write_error, on_write_warning);
    if (w && w->png) w->info = png_create_info_struct(w->png);
    if (!w || !w->info) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    return guarded(w, put_png_head, why);
}

int png_write(void *state, const uint8_t *row, failure *why)
{
    writing *const w = state;
    w->row = row;
    return guarded(w, put_png_row, why);
}

int png_finish(void *state, bool good, failure *why)
{
    writing *const w = state;
    const int status = good ? guarded(w, put_png_end, why) : EXIT_DONE;
    deflate_close(w->packer);
    png_destroy_write_struct(&w->png, &w->info);
    free(w);
    return status;
}
