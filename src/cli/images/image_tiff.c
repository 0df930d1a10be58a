/* SPDX-License-Identifier: MIT
 *
 * image_tiff.c - TIFF through libtiff, first page only. Whole numbers of 1 to 16 bits in grey, RGB and palettes are
 * read as they are, by rows or tiles. Other ways to store colours (CMYK, YCbCr, Lab) use libtiff's conversion to RGB
 * of 8 bits.
 */
#include "image_tiff.h"

#include <stdlib.h>
#include <string.h>

#include "image_exif.h"

enum { SAMPLES_MAX = 32, TILE_ROOM = 1 << 22 };

typedef struct reading {
    tiff_memory memory;
    const image_limits *limits;
    image *out;
    failure *why;
    TIFF *tiff;
    uint32_t width, height;
    uint16_t bits, samples, photometric, planar, compression;
    uint16_t orientation;
    int colors, alpha;   /* number of colour samples; index of the alpha sample, -1: none */
    bool premultiplied;
    uint8_t entry[256][3];
    uint8_t *row;        /* what libtiff decodes into */
} reading;

static int refuse(const reading *r, const char *what)
{
    return fail(r->why, EXIT_INPUT, "%s: is %s; convert it to PNG first", r->memory.name, what);
}

static int refuse_damaged(const reading *r)
{
    if (r->memory.no_memory) return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read it", r->memory.name);
    return fail(r->why, EXIT_INPUT, "%s: is a damaged TIFF (%s); save or copy it again", r->memory.name,
                r->memory.error[0] ? r->memory.error : "nobody knows why");
}

/* A number of the file; the directory is often at the file's end. */
static uint64_t number_at(const uint8_t *file, uint64_t at, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) value = value << 8 | file[at + (file[0] == 'M' ? i : count - 1 - i)];
    return value;
}

static bool directory_is_missing(const uint8_t *file, size_t size)
{
    const bool big = number_at(file, 2, 2) == 43;
    const size_t wide = big ? 8 : 4, count = big ? 8 : 2, entry = big ? 20 : 12;
    if (size < 2 * wide) return true;
    const uint64_t at = number_at(file, wide, wide);
    return at > size || size - at < count || number_at(file, at, count) > (size - at - count) / entry;
}

/* ---- What kind it is -------------------------------------------------------------------------- */

/* Raw files of cameras are TIFFs whose first page is only a preview. */
static bool is_raw(const reading *r)
{
    uint32_t kind = 0, count = 0;
    const void *version = NULL;
    const bool preview = TIFFGetField(r->tiff, TIFFTAG_SUBFILETYPE, &kind) && (kind & FILETYPE_REDUCEDIMAGE);
    return preview || TIFFGetField(r->tiff, TIFFTAG_DNGVERSION, &count, &version) ||
           (r->memory.size > 10 && !memcmp(r->memory.file + 8, "CR", 2));
}

/* Finds the first extra sample that is an alpha. Samples of unknown meaning are ignored. */
static void find_alpha(reading *r)
{
    uint16_t count = 0;
    const uint16_t *kind = NULL;
    r->alpha = -1;
    if (!TIFFGetField(r->tiff, TIFFTAG_EXTRASAMPLES, &count, &kind)) return;
    for (int i = 0; i < count && r->alpha < 0 && r->colors + i < r->samples; i++)
        if (kind[i] != EXTRASAMPLE_UNSPECIFIED) {
            r->alpha = r->colors + i;
            r->premultiplied = kind[i] == EXTRASAMPLE_ASSOCALPHA;
        }
}

static bool is_plain(const reading *r)
{
    const bool few = r->bits == 1 || r->bits == 2 || r->bits == 4;
    if (r->photometric == PHOTOMETRIC_PALETTE) return few || r->bits == 8;
    if (r->photometric == PHOTOMETRIC_RGB) return r->samples >= 3 && (few || r->bits == 8 || r->bits == 16);
    return (r->photometric == PHOTOMETRIC_MINISBLACK || r->photometric == PHOTOMETRIC_MINISWHITE) &&
           (few || r->bits == 8 || r->bits == 16);
}

static int read_kind(reading *r)
{
    uint16_t format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_BITSPERSAMPLE, &r->bits);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_SAMPLESPERPIXEL, &r->samples);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_PLANARCONFIG, &r->planar);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_ORIENTATION, &r->orientation);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_COMPRESSION, &r->compression);
    if (!TIFFGetField(r->tiff, TIFFTAG_IMAGEWIDTH, &r->width)) r->width = 0;
    if (!TIFFGetField(r->tiff, TIFFTAG_IMAGELENGTH, &r->height)) r->height = 0;
    if (!TIFFGetField(r->tiff, TIFFTAG_PHOTOMETRIC, &r->photometric))
        r->photometric = r->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (is_raw(r)) return refuse(r, "a camera raw file, or begins with a preview");
    if (!TIFFIsCODECConfigured(r->compression))
        return refuse(r, "a TIFF of a compression that this libtiff was built without");
    if (format == SAMPLEFORMAT_IEEEFP || format == SAMPLEFORMAT_COMPLEXIEEEFP || r->bits > 16)
        return refuse(r, "a TIFF of floating point or more than 16 bits a sample");
    if (format == SAMPLEFORMAT_INT || format == SAMPLEFORMAT_COMPLEXINT)
        return refuse(r, "a TIFF of numbers with a sign");
    if (r->samples > SAMPLES_MAX) return refuse(r, "a TIFF of many layers a pixel");
    r->colors = r->photometric == PHOTOMETRIC_RGB ? 3 : 1;
    find_alpha(r);
    return EXIT_DONE;
}

/* Refuses sizes before memory is taken: too many pixels, a file that is too short for them, too large tiles. */
static int check_size(const reading *r, bool plain)
{
    const bool tiled = TIFFIsTiled(r->tiff);
    const uint64_t each = (uint64_t)(r->colors + 2) * (r->bits > 8 ? 2 : 1);
    const uint64_t pieces = tiled ? TIFFNumberOfTiles(r->tiff) : TIFFNumberOfStrips(r->tiff);
    uint32_t wide = 0, high = 0;
    if (image_check_size(r->memory.name, r->width, r->height, plain ? each : 10, r->limits, r->why))
        return r->why->status;
    if (tiled) TIFFGetField(r->tiff, TIFFTAG_TILEWIDTH, &wide);
    if (tiled) TIFFGetField(r->tiff, TIFFTAG_TILELENGTH, &high);
    if ((uint64_t)wide * high > (uint64_t)r->width * r->height + TILE_ROOM)
        return refuse(r, "a TIFF of tiles much larger than the picture");
    for (uint32_t i = 0; i < pieces; i++) {
        const uint64_t from = TIFFGetStrileOffset(r->tiff, i), count = TIFFGetStrileByteCount(r->tiff, i);
        if (from > r->memory.size || count > r->memory.size - from) return image_cut_short(r->memory.name, r->why);
    }
    return EXIT_DONE;
}

/* ---- Samples ---------------------------------------------------------------------------------- */

static uint32_t sample_of(const uint8_t *row, size_t i, int bits)
{
    uint16_t wide;
    if (bits == 8) return row[i];
    if (bits == 16) {
        memcpy(&wide, row + 2 * i, 2);
        return wide;
    }
    const size_t at = i * (size_t)bits;
    return row[at / 8] >> (8 - bits - (int)(at % 8)) & ((1u << bits) - 1);
}

/* Writes `count` samples, every `step`-th of `row` from `first` on, to channel `channel` of the pixels from (x, y)
 * on. */
static void put(const reading *r, const uint8_t *row, size_t first, size_t step, int channel, uint32_t x, uint32_t y,
                uint32_t count)
{
    image *const out = r->out;
    const size_t n = (size_t)out->channels, pixel = (size_t)y * r->width + x;
    const uint32_t most = (1u << r->bits) - 1, scale = r->bits < 8 ? 255 / most : 1;
    const bool inverted = r->photometric == PHOTOMETRIC_MINISWHITE && channel == 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = sample_of(row, first + i * step, r->bits);
        if (inverted) v = most - v;
        const size_t at = (pixel + i) * n + (size_t)channel;
        if (out->index)
            out->index[pixel + i] = (uint8_t)v;
        else if (r->bits == 16)
            memcpy(out->pixels + 2 * at, &(uint16_t){(uint16_t)v}, 2);
        else
            out->pixels[at] = (uint8_t)(v * scale);
    }
}

/* Writes decoded samples: those of one plane, or, if `plane` is -1, all samples side by side. */
static void put_row(const reading *r, const uint8_t *row, int plane, uint32_t x, uint32_t y, uint32_t count)
{
    const int colors = r->out->index ? 1 : r->colors;
    for (int s = 0; s < colors; s++)
        if (plane < 0 || plane == s) put(r, row, plane < 0 ? (size_t)s : 0, plane < 0 ? r->samples : 1, s, x, y, count);
    if (r->alpha >= 0 && !r->out->index && (plane < 0 || plane == r->alpha))
        put(r, row, plane < 0 ? (size_t)r->alpha : 0, plane < 0 ? r->samples : 1, colors, x, y, count);
}

static bool read_strips(reading *r, int plane)
{
    for (uint32_t y = 0; y < r->height; y++) {
        if (TIFFReadScanline(r->tiff, r->row, y, (uint16_t)(plane < 0 ? 0 : plane)) < 0) return false;
        put_row(r, r->row, plane, 0, y, r->width);
    }
    return true;
}

static bool read_tiles(reading *r, int plane)
{
    const tmsize_t row = TIFFTileRowSize(r->tiff);
    uint32_t wide = 0, high = 0;
    TIFFGetField(r->tiff, TIFFTAG_TILEWIDTH, &wide);
    TIFFGetField(r->tiff, TIFFTAG_TILELENGTH, &high);
    if (!wide || !high || row <= 0) return false;
    for (uint32_t y = 0; y < r->height; y += high)
        for (uint32_t x = 0; x < r->width; x += wide) {
            const uint32_t across = r->width - x < wide ? r->width - x : wide;
            if (TIFFReadTile(r->tiff, r->row, x, y, 0, (uint16_t)(plane < 0 ? 0 : plane)) < 0) return false;
            for (uint32_t i = 0; i < high && y + i < r->height; i++)
                put_row(r, r->row + (tmsize_t)i * row, plane, x, y + i, across);
        }
    return true;
}

/* Reads the palette; the picture becomes grey if all entries are. Old writers store entries of 8 bits. */
static int read_palette(reading *r)
{
    uint16_t *map[3] = {NULL, NULL, NULL};
    const int entries = 1 << r->bits;
    bool narrow = true, grey = true;
    if (!TIFFGetField(r->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) return 0;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < entries; i++) narrow = narrow && map[c][i] < 256;
    for (int i = 0; i < entries; i++) {
        for (int c = 0; c < 3; c++) r->entry[i][c] = (uint8_t)(narrow ? map[c][i] : map[c][i] >> 8);
        grey = grey && r->entry[i][0] == r->entry[i][1] && r->entry[i][1] == r->entry[i][2];
    }
    return grey ? 1 : 3;
}

static int read_plain(reading *r)
{
    const bool palette = r->photometric == PHOTOMETRIC_PALETTE, apart = r->planar == PLANARCONFIG_SEPARATE;
    const int channels = palette ? read_palette(r) : r->colors + (r->alpha >= 0);
    const tmsize_t room = TIFFIsTiled(r->tiff) ? TIFFTileSize(r->tiff) : TIFFScanlineSize(r->tiff);
    const size_t pixels = (size_t)r->width * r->height;
    image *const out = r->out;
    if (!channels || room <= 0) return refuse_damaged(r);
    if (image_allocate(r->memory.name, (int)r->width, (int)r->height, channels, r->bits == 16 ? 16 : 8, out, r->why))
        return r->why->status;
    r->row = calloc((size_t)room, 1);
    if (palette) out->index = malloc(pixels);
    if (!r->row || (palette && !out->index))
        return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read it", r->memory.name);
    const int planes = apart ? (palette ? 1 : r->alpha >= r->colors ? r->alpha + 1 : r->colors) : 1;
    for (int s = 0; s < planes; s++) {
        if (apart && s >= r->colors && s != r->alpha) continue;
        if (!(TIFFIsTiled(r->tiff) ? read_tiles : read_strips)(r, apart ? s : -1)) return refuse_damaged(r);
    }
    for (size_t p = 0; palette && p < pixels; p++)
        memcpy(out->pixels + p * (size_t)channels, r->entry[out->index[p]], (size_t)channels);
    return EXIT_DONE;
}

/* Reads the picture through libtiff's conversion to 8 bits. */
static int read_converted(reading *r)
{
    const size_t pixels = (size_t)r->width * r->height;
    char reason[1024] = "";
    if (!TIFFRGBAImageOK(r->tiff, reason))
        return fail(r->why, EXIT_INPUT, "%s: is a TIFF of a rare kind (%s); convert it to PNG first", r->memory.name,
                    reason);
    if (image_allocate(r->memory.name, (int)r->width, (int)r->height, 3, 8, r->out, r->why)) return r->why->status;
    uint32_t *const raster = calloc(pixels, sizeof *raster);
    if (!raster) return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read it", r->memory.name);
    /* In the stored orientation; it is turned later. */
    const int done = TIFFReadRGBAImageOriented(r->tiff, r->width, r->height, raster, r->orientation, 1);
    for (size_t p = 0; done && p < pixels; p++) {
        r->out->pixels[3 * p] = (uint8_t)TIFFGetR(raster[p]);
        r->out->pixels[3 * p + 1] = (uint8_t)TIFFGetG(raster[p]);
        r->out->pixels[3 * p + 2] = (uint8_t)TIFFGetB(raster[p]);
    }
    free(raster);
    return done && !r->memory.error[0] ? EXIT_DONE : refuse_damaged(r);
}

/* Restores colours that were multiplied by their alpha. */
static void divide_by_alpha(const reading *r)
{
    image *const out = r->out;
    const size_t n = (size_t)out->channels, pixels = (size_t)out->width * (size_t)out->height;
    const uint32_t most = out->depth == 16 ? 65535 : 255;
    for (size_t p = 0; p < pixels; p++)
        for (size_t c = 0; c + 1 < n; c++) {
            uint16_t wide[2];
            uint32_t v = out->pixels[p * n + c], a = out->pixels[p * n + n - 1];
            if (out->depth == 16) {
                memcpy(wide, out->pixels + 2 * (p * n + c), 2);
                memcpy(wide + 1, out->pixels + 2 * (p * n + n - 1), 2);
                v = wide[0], a = wide[1];
            }
            v = !a ? 0 : v >= a ? most : (uint32_t)(((uint64_t)v * most + a / 2) / a);
            if (out->depth == 16)
                memcpy(out->pixels + 2 * (p * n + c), &(uint16_t){(uint16_t)v}, 2);
            else
                out->pixels[p * n + c] = (uint8_t)v;
        }
}

/* ---- The first page --------------------------------------------------------------------------- */

static void keep_density(const reading *r)
{
    float x = 0, y = 0;
    uint16_t unit = 2;
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (!TIFFGetField(r->tiff, TIFFTAG_XRESOLUTION, &x) || !TIFFGetField(r->tiff, TIFFTAG_YRESOLUTION, &y)) return;
    r->out->density[0] = density_of((double)x, unit);
    r->out->density[1] = density_of((double)y, unit);
}

static int keep_profile(const reading *r)
{
    uint32_t size = 0;
    const void *profile = NULL;
    const bool rgb = r->photometric != PHOTOMETRIC_SEPARATED && r->photometric != PHOTOMETRIC_CIELAB;
    if (!rgb || !TIFFGetField(r->tiff, TIFFTAG_ICCPROFILE, &size, &profile)) return EXIT_DONE;
    return image_keep(r->memory.name, profile, size, &r->out->icc, &r->out->icc_size, r->why);
}

/* Notes further pages. Errors in them are ignored. */
static void tell_pages(reading *r)
{
    notes *const list = r->memory.list;
    uint32_t kind = 0;
    r->memory.list = NULL;
    if (TIFFLastDirectory(r->tiff) || !TIFFReadDirectory(r->tiff)) return;
    if (TIFFGetField(r->tiff, TIFFTAG_SUBFILETYPE, &kind) && (kind & FILETYPE_REDUCEDIMAGE)) return;
    note(list, "%s: has more than one page; the first one is read", r->memory.name);
}

static int read_page(reading *r)
{
    int status = read_kind(r);
    const bool plain = is_plain(r);
    if (!status) status = check_size(r, plain);
    if (!status) status = plain ? read_plain(r) : read_converted(r);
    if (status) return status;
    if (plain && r->alpha >= 0 && r->premultiplied && !r->out->index) divide_by_alpha(r);
    r->out->lossy = r->compression == COMPRESSION_JPEG || r->compression == COMPRESSION_OJPEG ||
                    r->compression == COMPRESSION_WEBP;
    status = keep_profile(r);
    keep_density(r);
    if (!status) tell_pages(r);
    return status ? status : image_orient(r->memory.name, r->orientation, r->limits, r->out, r->why);
}

static int decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *list, failure *why)
{
    enum { LEAST = 1 << 20, MOST = 1 << 29 };
    const uint64_t room = limits->max_bytes && limits->max_bytes < MOST ? limits->max_bytes : MOST;
    reading r = {.memory = {.file = file, .size = size, .name = name, .list = list},
                 .limits = limits, .out = out, .why = why, .orientation = 1};
    r.tiff = tiff_open(&r.memory, "r", room > LEAST ? room : LEAST);
    if (!r.tiff && directory_is_missing(file, size)) return image_cut_short(name, why);
    if (!r.tiff) return refuse_damaged(&r);
    const int status = read_page(&r);
    free(r.row);
    TIFFClose(r.tiff);
    return status;
}

const image_format image_tiff = {
    .name = "TIFF",
    .line = "TIFF  read, write   1 to 16 bits, grey, palette, colour, alpha, first page; ICC, dpi kept",
    .extensions = {"tif", "tiff"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .probe = image_is_tiff,
    .decode = decode,
    .encode = tiff_encode,
};
