/* SPDX-License-Identifier: MIT
 *
 * region_tiff.c - TIFF and BigTIFF by rows: of strips or tiles only those are read that have wanted rows. Written in
 * strips, as BigTIFF where 4 GB may not be enough.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tiffio.h>

#include "file_stream.h"
#include "image_tiff.h"
#include "region.h"

enum { MOST = 1 << 28 }; /* bytes of a strip or of a tile */

typedef struct picture {
    TIFF *tiff;
    char *path;
    uint32_t width, height;
    uint32_t tile_width, tile_height; /* of strips: width and rows */
    bool tiled;
    size_t pixel;      /* bytes */
    uint8_t *block;    /* a strip or a tile */
    int64_t block_at;  /* its number; -1: none */
    uint32_t row;      /* the next to be written */
} picture;

/* Errors come back as results; nothing is printed. */
static int quiet(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)data, (void)module, (void)format, (void)arguments;
    return 1;
}

static TIFFOpenOptions *options(void)
{
    TIFFOpenOptions *const o = TIFFOpenOptionsAlloc();
    if (!o) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(o, quiet, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(o, quiet, NULL);
    TIFFOpenOptionsSetMaxSingleMemAlloc(o, (tmsize_t)1 << 30);
    return o;
}

static void close_file(void *state)
{
    picture *const p = state;
    if (p->tiff) TIFFClose(p->tiff);
    free(p->block);
    free(p->path);
    free(p);
}

/* What is not plain grey or RGB is refused by what it is. */
static int read_kind(picture *p, region_shape *shape, failure *why)
{
    uint16_t bits = 1, samples = 1, planar = PLANARCONFIG_CONTIG, photometric = 0, format = SAMPLEFORMAT_UINT,
             orientation = 1, compression = COMPRESSION_NONE;
    TIFFGetField(p->tiff, TIFFTAG_IMAGEWIDTH, &p->width);
    TIFFGetField(p->tiff, TIFFTAG_IMAGELENGTH, &p->height);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_COMPRESSION, &compression);
    TIFFGetField(p->tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG && samples == 3) {
        TIFFSetField(p->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    const bool plain = (photometric == PHOTOMETRIC_MINISBLACK && samples == 1) ||
                       (photometric == PHOTOMETRIC_RGB && samples == 3);
    if (!plain || planar != PLANARCONFIG_CONTIG || format != SAMPLEFORMAT_UINT || orientation != ORIENTATION_TOPLEFT)
        return fail(why, EXIT_INPUT, "%s: is a TIFF with alpha, a palette, planes or a rotation; convert it to "
                    "plain grey or RGB to be read by rows", p->path);
    *shape = (region_shape){p->width, p->height, samples, bits, shape->format, TIFFIsTiled(p->tiff) != 0, 0};
    p->pixel = (size_t)samples * (bits / 8u);
    return EXIT_DONE;
}

static int read_layout(picture *p, region_shape *shape, failure *why)
{
    p->tiled = TIFFIsTiled(p->tiff) != 0;
    p->tile_width = p->width;
    p->tile_height = p->height;
    if (p->tiled) {
        TIFFGetField(p->tiff, TIFFTAG_TILEWIDTH, &p->tile_width);
        TIFFGetField(p->tiff, TIFFTAG_TILELENGTH, &p->tile_height);
    } else {
        TIFFGetFieldDefaulted(p->tiff, TIFFTAG_ROWSPERSTRIP, &p->tile_height);
        if (p->tile_height > p->height) p->tile_height = p->height;
    }
    const tmsize_t size = p->tiled ? TIFFTileSize(p->tiff) : TIFFStripSize(p->tiff);
    const uint64_t least = (uint64_t)p->tile_width * p->tile_height * p->pixel;
    if (size < 1 || size > MOST || p->tile_width == 0 || p->tile_height == 0 || (uint64_t)size < least)
        return fail(why, EXIT_INPUT, "%s: has strips or tiles of %" PRId64 " bytes; up to %d are read by rows; save "
                    "it with smaller ones", p->path, (int64_t)size, MOST);
    shape->block = p->tile_height;
    p->block = malloc((size_t)size);
    p->block_at = -1;
    return p->block ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", p->path);
}

static int open_file(const char *path, region_shape *shape, void **state, failure *why)
{
    picture *const p = calloc(1, sizeof *p);
    TIFFOpenOptions *const o = options();
    *state = p;
    if (p) p->path = strdup(path);
    if (p && p->path && o) p->tiff = TIFFOpenExt(path, "r", o);
    if (o) TIFFOpenOptionsFree(o);
    if (!p || !p->path || !o) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    if (!p->tiff) return fail(why, EXIT_INPUT, "%s: is a damaged TIFF; save or copy it again", path);
    const int status = read_kind(p, shape, why);
    if (status || p->width == 0 || p->height == 0 || (shape->depth != 8 && shape->depth != 16)) return status;
    return read_layout(p, shape, why);
}

/* Reads strip or tile `number` into p->block. */
static int load(picture *p, int64_t number, failure *why)
{
    if (p->block_at == number) return EXIT_DONE;
    const tmsize_t size = p->tiled ? TIFFTileSize(p->tiff) : TIFFStripSize(p->tiff);
    p->block_at = -1;
    const tmsize_t got = p->tiled ? TIFFReadEncodedTile(p->tiff, (uint32_t)number, p->block, size)
                                  : TIFFReadEncodedStrip(p->tiff, (uint32_t)number, p->block, size);
    if (got < 0)
        return fail(why, EXIT_INPUT, "%s: is a damaged TIFF in %s %" PRId64 "; save or copy it again", p->path,
                    p->tiled ? "tile" : "strip", number);
    if (got < size) memset(p->block + got, 0, (size_t)(size - got));
    p->block_at = number;
    return EXIT_DONE;
}

/* Copies the wanted rows of the block whose first pixel is (x, y). */
static void copy_block(const picture *p, int64_t x, int64_t y, int64_t first, int64_t rows, uint8_t *pixels)
{
    const int64_t from = y > first ? y : first;
    const int64_t end = y + p->tile_height < first + rows ? y + p->tile_height : first + rows;
    const int64_t columns = p->width - x < p->tile_width ? p->width - x : p->tile_width;
    for (int64_t row = from; row < end; row++)
        memcpy(pixels + ((size_t)(row - first) * p->width + (size_t)x) * p->pixel,
               p->block + (size_t)(row - y) * p->tile_width * p->pixel, (size_t)columns * p->pixel);
}

static int read_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    picture *const p = state;
    const int64_t across = (p->width + p->tile_width - 1) / p->tile_width;
    for (int64_t ty = first / p->tile_height; ty * p->tile_height < first + rows; ty++)
        for (int64_t tx = 0; tx < across; tx++) {
            const int status = load(p, ty * across + tx, why);
            if (status) return status;
            copy_block(p, tx * p->tile_width, ty * p->tile_height, first, rows, pixels);
        }
    return EXIT_DONE;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static int not_written(const picture *p, failure *why)
{
    return fail(why, EXIT_RUNTIME, "%s: not written: no space left on the device, or another failure of writing",
                p->path);
}

static int create(file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why)
{
    (void)threads;
    const bool big = width * height > INT64_C(3) << 30;
    picture *const p = calloc(1, sizeof *p);
    TIFFOpenOptions *const o = options();
    const int copy = stream->beside ? dup(stream->descriptor) : -1; /* closed with the TIFF */
    *state = p;
    if (p) p->path = strdup(stream->name);
    if (p && p->path && o && copy >= 0) p->tiff = TIFFFdOpenExt(copy, stream->name, big ? "w8" : "w", o);
    if (o) TIFFOpenOptionsFree(o);
    if (!stream->beside)
        return fail(why, EXIT_USAGE, "%s: a TIFF cannot be written to a pipe by rows; name a file, or .pgm",
                    stream->name);
    if (!p || !p->path || !p->tiff) {
        if (copy >= 0) close(copy);
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
    }
    p->width = (uint32_t)width;
    p->height = (uint32_t)height;
    p->block = malloc((size_t)width); /* libtiff may change what it writes */
    tiff_describe(p->tiff, width, height, 8, 1);
    TIFFSetField(p->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    return p->block ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
}

static int write_row(void *state, const uint8_t *row, failure *why)
{
    picture *const p = state;
    memcpy(p->block, row, p->width);
    return TIFFWriteScanline(p->tiff, p->block, p->row++, 0) > 0 ? EXIT_DONE : not_written(p, why);
}

static int finish(void *state, bool good, failure *why)
{
    picture *const p = state;
    int status = EXIT_DONE;
    if (good && p->tiff && !TIFFFlush(p->tiff)) status = not_written(p, why);
    close_file(p);
    return status;
}

const region_format region_tiff = {
    .name = "TIFF", .extensions = {"tif", "tiff"}, .probe = image_is_tiff, .open = open_file, .read = read_rows,
    .close = close_file,
    .create = create, .write = write_row, .finish = finish,
    .together = region_tiff_write_together,
};
