/* SPDX-License-Identifier: MIT
 *
 * region_tiff.c - TIFF and BigTIFF by rows: of strips or tiles only those are read that have wanted rows. Written in
 * strips, as BigTIFF where 4 GB may not be enough.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    bool tiled, white; /* white: 0 is white */
    int bits, samples; /* as stored */
    size_t pixel;      /* bytes */
    uint8_t *block;    /* a strip or a tile */
    uint8_t *packed;   /* a row of a strip, or a tile, of fewer than 8 bits a sample; NULL: they are not */
    region_palette palette;
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
    free(p->packed);
    free(p->path);
    free(p);
}

/* What the tags of the first page say. */
typedef struct kind {
    uint16_t bits, samples, planar, photometric, format, orientation, compression;
} kind;

static void read_tags(picture *p, kind *k)
{
    *k = (kind){1, 1, PLANARCONFIG_CONTIG, 0, SAMPLEFORMAT_UINT, 1, COMPRESSION_NONE};
    TIFFGetField(p->tiff, TIFFTAG_IMAGEWIDTH, &p->width);
    TIFFGetField(p->tiff, TIFFTAG_IMAGELENGTH, &p->height);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_BITSPERSAMPLE, &k->bits);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLESPERPIXEL, &k->samples);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_PLANARCONFIG, &k->planar);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLEFORMAT, &k->format);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_ORIENTATION, &k->orientation);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_COMPRESSION, &k->compression);
    if (!TIFFGetField(p->tiff, TIFFTAG_PHOTOMETRIC, &k->photometric))
        k->photometric = k->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (k->photometric == PHOTOMETRIC_YCBCR && k->compression == COMPRESSION_JPEG && k->samples == 3) {
        TIFFSetField(p->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        k->photometric = PHOTOMETRIC_RGB;
    }
}

/* Why a page is not plain grey or RGB, NULL if it is. Of cameras' raw files the first page is a preview only. */
static const char *unfit(const picture *p, const kind *k)
{
    const void *version = NULL;
    uint32_t type = 0, count = 0;
    const bool preview = TIFFGetField(p->tiff, TIFFTAG_SUBFILETYPE, &type) && (type & FILETYPE_REDUCEDIMAGE);
    const int colors = k->photometric == PHOTOMETRIC_RGB ? 3 : 1;
    if (preview || TIFFGetField(p->tiff, TIFFTAG_DNGVERSION, &count, &version))
        return "a camera raw file, or begins with a preview";
    if (k->format == SAMPLEFORMAT_IEEEFP || k->format == SAMPLEFORMAT_COMPLEXIEEEFP)
        return "a TIFF of floating point";
    if (k->format == SAMPLEFORMAT_INT || k->format == SAMPLEFORMAT_COMPLEXINT) return "a TIFF of numbers with a sign";
    if (k->photometric == PHOTOMETRIC_PALETTE && (k->bits > 8 || k->samples > 1))
        return "a TIFF with a palette and something beside it";
    if (k->photometric > PHOTOMETRIC_PALETTE) return "a TIFF of other colours (CMYK, YCbCr or Lab, say)";
    if (k->samples < colors) return "a damaged TIFF";
    if (k->samples > colors) return "a TIFF with alpha, or other samples beside its colours";
    if (k->planar != PLANARCONFIG_CONTIG && k->samples > 1) return "a TIFF whose colours lie in planes of their own";
    return TIFFIsCODECConfigured(k->compression) ? NULL : "a TIFF of a compression that this libtiff was built without";
}

/* Pages after the first one, which are not read. Smaller copies of it need no note. */
static void look_behind(const picture *p, region_shape *shape)
{
    uint32_t type = 0;
    if (TIFFLastDirectory(p->tiff)) return;
    if (TIFFReadDirectory(p->tiff) &&
        !(TIFFGetField(p->tiff, TIFFTAG_SUBFILETYPE, &type) && (type & FILETYPE_REDUCEDIMAGE)))
        snprintf(shape->beside, sizeof shape->beside, "has more than one page; the first one is read");
    TIFFSetDirectory(p->tiff, 0);
}

/* Old writers store entries of 8 bits. */
static bool read_palette(picture *p)
{
    uint16_t *map[3] = {NULL, NULL, NULL};
    bool narrow = true;
    p->palette.entries = 1 << p->bits;
    if (!TIFFGetField(p->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) return false;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < p->palette.entries; i++) narrow = narrow && map[c][i] < 256;
    for (int i = 0; i < p->palette.entries; i++) {
        for (int c = 0; c < 3; c++) p->palette.entry[i][c] = (uint8_t)(narrow ? map[c][i] : map[c][i] >> 8);
        p->palette.entry[i][3] = 255;
    }
    return true;
}

/* What is not plain grey or RGB is refused by what it is. */
static int read_kind(picture *p, region_shape *shape, failure *why)
{
    kind k;
    look_behind(p, shape);
    TIFFGetField(p->tiff, TIFFTAG_IMAGEWIDTH, &p->width);
    TIFFGetField(p->tiff, TIFFTAG_IMAGELENGTH, &p->height);
    read_tags(p, &k);
    const char *const reason = unfit(p, &k);
    if (reason)
        return fail(why, EXIT_INPUT, "%s: is %s; convert it to plain grey or RGB to be read by rows", p->path, reason);
    shape->width = p->width;
    shape->height = p->height;
    const bool few = k.bits == 1 || k.bits == 2 || k.bits == 4;
    shape->channels = k.samples;
    shape->depth = few ? 8 : k.bits;
    p->bits = k.bits;
    p->samples = k.samples;
    if (k.photometric == PHOTOMETRIC_PALETTE && (few || k.bits == 8)) {
        if (!read_palette(p)) return fail(why, EXIT_INPUT, "%s: is a damaged TIFF; save or copy it again", p->path);
        shape->palette = &p->palette;
    }
    shape->tiled = TIFFIsTiled(p->tiff) != 0;
    shape->orientation = k.orientation;
    p->white = k.photometric == PHOTOMETRIC_MINISWHITE;
    p->pixel = (size_t)k.samples * ((size_t)shape->depth / 8);
    return EXIT_DONE;
}

/* Whether all strips or tiles lie within the file, before anybody takes memory for them. */
static int check_length(const picture *p, failure *why)
{
    const uint32_t blocks = p->tiled ? TIFFNumberOfTiles(p->tiff) : TIFFNumberOfStrips(p->tiff);
    struct stat about;
    if (fstat(TIFFFileno(p->tiff), &about) != 0 || !S_ISREG(about.st_mode)) return EXIT_DONE;
    const uint64_t size = (uint64_t)about.st_size;
    for (uint32_t i = 0; i < blocks; i++) {
        const uint64_t from = TIFFGetStrileOffset(p->tiff, i), count = TIFFGetStrileByteCount(p->tiff, i);
        if (from > size || count > size - from) return image_cut_short(p->path, why);
    }
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
    const uint64_t row = ((uint64_t)p->tile_width * (uint64_t)p->samples * (uint64_t)p->bits + 7) / 8;
    const uint64_t least = row * p->tile_height, unpacked = (uint64_t)p->tile_width * p->tile_height * p->pixel;
    if (!p->tiled && TIFFScanlineSize(p->tiff) != (tmsize_t)row)
        return fail(why, EXIT_INPUT, "%s: is a damaged TIFF; save or copy it again", p->path);
    if (size < 1 || size > MOST || unpacked > MOST || p->tile_width == 0 || p->tile_height == 0 ||
        (uint64_t)size < least)
        return fail(why, EXIT_INPUT, "%s: has strips or tiles of %" PRId64 " bytes; up to %d are read by rows; save "
                    "it with smaller ones", p->path, (int64_t)size, MOST);
    if (check_length(p, why)) return why->status;
    shape->block = p->tile_height;
    p->block = malloc((size_t)size > unpacked ? (size_t)size : (size_t)unpacked);
    if (p->bits < 8) p->packed = malloc(p->tiled ? (size_t)size : (size_t)row);
    p->block_at = -1;
    if (p->block && (p->packed || p->bits >= 8)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", p->path);
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

/* Samples of fewer than 8 bits: numbers in a palette, or scaled to 8. */
static void unpack(const picture *p, const uint8_t *from, size_t samples, uint8_t *to)
{
    const size_t bits = (size_t)p->bits;
    const unsigned most = (1u << bits) - 1, scale = p->palette.entries ? 1 : 255 / most;
    for (size_t i = 0, at = 0; i < samples; i++, at += bits)
        to[i] = (uint8_t)((from[at / 8] >> (8 - bits - at % 8) & most) * scale);
}

/* Rows of a strip are decoded one by one, as in a picture that is read whole: then damage means the same. */
static bool load_strip(picture *p, int64_t number)
{
    const uint32_t first = (uint32_t)number * p->tile_height;
    const uint32_t rows = p->height - first < p->tile_height ? p->height - first : p->tile_height;
    const size_t row = (size_t)p->width * p->pixel;
    for (uint32_t y = 0; y < rows; y++) {
        uint8_t *const to = p->block + (size_t)y * row;
        if (TIFFReadScanline(p->tiff, p->packed ? p->packed : to, first + y, 0) < 0) return false;
        if (p->packed) unpack(p, p->packed, row, to);
    }
    return true;
}

static bool load_tile(picture *p, int64_t number)
{
    const size_t packed = p->packed ? (size_t)TIFFTileRowSize(p->tiff) : 0, row = p->tile_width * p->pixel;
    if (TIFFReadEncodedTile(p->tiff, (uint32_t)number, p->packed ? p->packed : p->block, -1) < 0) return false;
    for (uint32_t y = 0; p->packed && y < p->tile_height; y++)
        unpack(p, p->packed + y * packed, row, p->block + y * row);
    return true;
}

/* Reads strip or tile `number` into p->block. */
static int load(picture *p, int64_t number, failure *why)
{
    if (p->block_at == number) return EXIT_DONE;
    p->block_at = -1;
    if (!(p->tiled ? load_tile : load_strip)(p, number))
        return fail(why, EXIT_INPUT, "%s: is a damaged TIFF in %s %" PRId64 "; save or copy it again", p->path,
                    p->tiled ? "tile" : "strip", number);
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
    for (size_t i = 0; p->white && i < (size_t)rows * p->width * p->pixel; i++) pixels[i] ^= 0xff;
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
    const int copy = dup(stream->descriptor); /* closed with the TIFF */
    *state = p;
    if (p) p->path = strdup(stream->name);
    if (p && p->path && o && copy >= 0) p->tiff = TIFFFdOpenExt(copy, stream->name, big ? "w8" : "w", o);
    if (o) TIFFOpenOptionsFree(o);
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
    .name = "TIFF", .extensions = {"tif", "tiff"}, .seeks = true,
    .probe = image_is_tiff, .open = open_file, .read = read_rows, .close = close_file,
    .create = create, .write = write_row, .finish = finish,
    .together = region_tiff_write_together,
};
