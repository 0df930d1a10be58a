/* SPDX-License-Identifier: MIT */
#include "tiff_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image_exif.h"

enum { SAMPLES_MAX = 32, TILE_ROOM = 1 << 22, TILE_MOST = 1 << 28,
       STRIP_MOST = 1 << 30 }; /* for libtiff's conversion; suffices for the largest picture that is accepted */

static int refuse_page(const tiff_page *p, const char *what)
{
    return fail(p->why, EXIT_INPUT, "%s: is %s; convert it to PNG first", p->memory->name, what);
}

int tiff_refuse_damaged(const tiff_page *p)
{
    const char *const name = p->memory->name;
    if (p->memory->no_memory) return fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    return fail(p->why, EXIT_INPUT, "%s: is a damaged TIFF (%s); save or copy it again", name,
                p->memory->error[0] ? p->memory->error : "a page cannot be read");
}

/* ---- What kind it is -------------------------------------------------------------------------- */

/* Finds the first extra sample that is declared as alpha. Extra samples of unknown meaning are ignored, and so are all
 * of CMYK and CIELAB. */
static void find_alpha(tiff_page *p)
{
    uint16_t count = 0;
    const uint16_t *kind = NULL;
    const bool none = p->photometric == PHOTOMETRIC_PALETTE || p->photometric == PHOTOMETRIC_SEPARATED ||
                      p->photometric == PHOTOMETRIC_CIELAB || p->photometric == PHOTOMETRIC_ICCLAB;
    p->alpha = -1;
    if (none || !TIFFGetField(p->tiff, TIFFTAG_EXTRASAMPLES, &count, &kind)) return;
    for (int i = 0; i < count && p->alpha < 0 && p->colors + i < p->samples; i++)
        if (kind[i] != EXTRASAMPLE_UNSPECIFIED) {
            p->alpha = p->colors + i;
            p->premultiplied = kind[i] == EXTRASAMPLE_ASSOCALPHA;
        }
}

/* Returns how many samples make a colour; 0: libtiff must convert the page. */
static int find_colors(const tiff_page *p)
{
    uint16_t ink = 1;
    const bool usual = p->bits == 8 || p->bits == 16, few = p->bits == 1 || p->bits == 2 || p->bits == 4;
    const bool number = few || usual || p->bits == 32 || p->bits == 64;
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_INKSET, &ink);
    switch (p->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: return number ? 1 : 0;
    case PHOTOMETRIC_PALETTE: return few || p->bits == 8 ? 1 : 0;
    case PHOTOMETRIC_RGB: return p->samples >= 3 && number ? 3 : 0;
    case PHOTOMETRIC_SEPARATED: return p->samples >= 4 && ink == 1 && (few || usual) ? 4 : 0;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB: return p->samples >= 3 && usual ? 3 : 0;
    default: return 0;
    }
}

static void read_tags(tiff_page *p)
{
    uint32_t xmp_size = 0;
    const uint8_t *xmp = NULL;
    TIFFGetField(p->tiff, TIFFTAG_IMAGEWIDTH, &p->width);
    TIFFGetField(p->tiff, TIFFTAG_IMAGELENGTH, &p->height);
    TIFFGetField(p->tiff, TIFFTAG_SUBFILETYPE, &p->kind);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_BITSPERSAMPLE, &p->bits);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLESPERPIXEL, &p->samples);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_PLANARCONFIG, &p->planar);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLEFORMAT, &p->format);
    if (!TIFFGetField(p->tiff, TIFFTAG_ORIENTATION, &p->orientation) &&
        TIFFGetField(p->tiff, TIFFTAG_XMLPACKET, &xmp_size, &xmp))
        p->orientation = (uint16_t)exif_orientation(NULL, 0, xmp, xmp_size);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_COMPRESSION, &p->compression);
    if (!TIFFGetField(p->tiff, TIFFTAG_PHOTOMETRIC, &p->photometric))
        p->photometric = p->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (p->format == SAMPLEFORMAT_VOID) p->format = SAMPLEFORMAT_UINT;
    if (p->photometric == PHOTOMETRIC_YCBCR && p->compression == COMPRESSION_JPEG && p->samples == 3 &&
        p->planar == PLANARCONFIG_CONTIG) { /* libjpeg converts YCbCr to RGB */
        TIFFSetField(p->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        p->photometric = PHOTOMETRIC_RGB;
    }
}

int tiff_page_look(tiff_page *p, TIFF *tiff, tiff_memory *memory, failure *why)
{
    *p = (tiff_page){.tiff = tiff, .memory = memory, .why = why, .bits = 1, .samples = 1, .orientation = 1,
                     .planar = PLANARCONFIG_CONTIG, .compression = COMPRESSION_NONE, .format = SAMPLEFORMAT_UINT,
                     .held = -1, .next = -1};
    read_tags(p);
    if (!TIFFIsCODECConfigured(p->compression))
        return refuse_page(p, "a TIFF of a compression that this libtiff was built without");
    uint32_t deep = 1, tile_deep = 1;
    TIFFGetField(tiff, TIFFTAG_IMAGEDEPTH, &deep);
    TIFFGetField(tiff, TIFFTAG_TILEDEPTH, &tile_deep);
    if (deep > 1 || tile_deep > 1)
        return fail(p->why, EXIT_INPUT, "%s: is a TIFF of pages that are several slices deep; save each slice as a "
                    "page", p->memory->name);
    if (p->format == SAMPLEFORMAT_COMPLEXINT || p->format == SAMPLEFORMAT_COMPLEXIEEEFP)
        return refuse_page(p, "a TIFF of complex numbers");
    if (p->format == SAMPLEFORMAT_IEEEFP && p->bits != 32 && p->bits != 64)
        return refuse_page(p, "a TIFF of floating point with other than 32 or 64 bits");
    if (p->photometric == PHOTOMETRIC_PALETTE && p->bits > 8)
        return refuse_page(p, "a TIFF of a palette of more than 256 colours");
    if (p->samples > SAMPLES_MAX) return refuse_page(p, "a TIFF of many layers a pixel");
    p->colors = find_colors(p);
    p->converted = p->colors == 0;
    if (p->converted) p->colors = 3, p->alpha = -1;
    else find_alpha(p);
    p->depth = p->converted || p->bits < 8 ? 8 : p->bits;
    p->pixel = (size_t)(p->colors + (p->alpha >= 0)) * (size_t)p->depth / 8;
    p->tiled = TIFFIsTiled(tiff) != 0;
    p->across = p->width, p->down = p->height;
    if (p->tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &p->across);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &p->down);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &p->down);
        if (p->down > p->height) p->down = p->height;
    }
    return EXIT_DONE;
}

/* ---- Room ------------------------------------------------------------------------------------- */

static bool in_planes(const tiff_page *p)
{
    return p->planar == PLANARCONFIG_SEPARATE && p->samples > 1;
}

/* True if all strips or tiles lie within the file. */
static bool is_there(const tiff_page *p)
{
    const uint32_t pieces = p->tiled ? TIFFNumberOfTiles(p->tiff) : TIFFNumberOfStrips(p->tiff);
    for (uint32_t i = 0; i < pieces; i++) {
        const uint64_t from = TIFFGetStrileOffset(p->tiff, i), count = TIFFGetStrileByteCount(p->tiff, i);
        if (from > p->memory->size || count > p->memory->size - from) return false;
    }
    return true;
}

static int refuse_room(const tiff_page *p, uint64_t room, int most)
{
    return fail(p->why, EXIT_INPUT, "%s: has %s of %" PRIu64 " bytes; up to %d are read; save it with smaller ones",
                p->memory->name, p->tiled ? "tiles" : "strips", room, most);
}

static int begin_converted(tiff_page *p)
{
    char reason[1024] = "";
    if (!TIFFRGBAImageOK(p->tiff, reason))
        return fail(p->why, EXIT_INPUT, "%s: is a TIFF of a rare kind (%s); convert it to PNG first", p->memory->name,
                    reason);
    const uint64_t size = (uint64_t)p->width * p->down * sizeof(uint32_t);
    if (size > STRIP_MOST) return refuse_room(p, size, STRIP_MOST);
    p->row = malloc((size_t)size);
    if (p->row) return EXIT_DONE;
    return fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->memory->name);
}

int tiff_page_begin(tiff_page *p)
{
    const uint64_t samples = in_planes(p) ? 1 : p->samples;
    const uint64_t least = ((uint64_t)p->across * samples * p->bits + 7) / 8;
    if (p->tiled && (uint64_t)p->across * p->down > (uint64_t)p->width * p->height + TILE_ROOM)
        return refuse_page(p, "a TIFF of tiles much larger than the picture");
    if (!p->across || !p->down) return tiff_refuse_damaged(p);
    if (!is_there(p)) return image_cut_short(p->memory->name, p->why);
    if (p->converted) return begin_converted(p);
    const tmsize_t row = p->tiled ? TIFFTileRowSize(p->tiff) : TIFFScanlineSize(p->tiff);
    const tmsize_t room = p->tiled ? TIFFTileSize(p->tiff) : row;
    if (row <= 0 || (uint64_t)row < least || room <= 0 || (uint64_t)room < least * (p->tiled ? p->down : 1))
        return tiff_refuse_damaged(p);
    if (room > TILE_MOST) return refuse_room(p, (uint64_t)room, TILE_MOST);
    p->row = calloc((size_t)room, 1);
    if (p->row) return EXIT_DONE;
    return fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->memory->name);
}

void tiff_page_end(tiff_page *p)
{
    free(p->row);
    p->row = NULL;
}

/* ---- Samples ---------------------------------------------------------------------------------- */

/* Expands samples of less than 8 bits: every `step`-th one, beginning with number `first`. */
static void put_few(const tiff_page *p, const uint8_t *row, size_t first, size_t step, uint8_t *to, uint32_t count)
{
    const uint32_t most = (1u << p->bits) - 1;
    const uint32_t scale = p->photometric == PHOTOMETRIC_PALETTE ? 1 : 255 / most;
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = (first + i * step) * p->bits;
        to[i * p->pixel] = (uint8_t)((row[at / 8] >> (8 - p->bits - at % 8) & most) * scale);
    }
}

static void put_sample(const tiff_page *p, const uint8_t *row, size_t first, size_t step, uint8_t *to, uint32_t count)
{
    const size_t size = (size_t)p->depth / 8;
    if (p->bits < 8) put_few(p, row, first, step, to, count);
    else if (size == 1)
        for (uint32_t i = 0; i < count; i++) to[i * p->pixel] = row[first + i * step];
    else if (size == 2)
        for (uint32_t i = 0; i < count; i++) memcpy(to + i * p->pixel, row + 2 * (first + i * step), 2);
    else
        for (uint32_t i = 0; i < count; i++) memcpy(to + i * p->pixel, row + size * (first + i * step), size);
    if (p->photometric != PHOTOMETRIC_MINISWHITE || p->format != SAMPLEFORMAT_UINT) return;
    for (uint32_t i = 0; i < count; i++)
        for (size_t b = 0; b < size; b++) to[i * p->pixel + b] ^= 0xff;
}

/* Stores an unpacked row: of one plane or, if `plane` is -1, of all samples side by side. */
static void put_row(const tiff_page *p, const uint8_t *row, int plane, uint8_t *to, uint32_t count)
{
    const size_t size = (size_t)p->depth / 8, step = plane < 0 ? p->samples : 1;
    const bool as_is = p->bits >= 8 && p->samples * size == p->pixel && p->photometric != PHOTOMETRIC_MINISWHITE;
    if (plane < 0 && as_is) {
        memcpy(to, row, count * p->pixel);
        return;
    }
    for (int s = 0; s < p->colors; s++)
        if (plane < 0 || plane == s) put_sample(p, row, plane < 0 ? (size_t)s : 0, step, to + (size_t)s * size, count);
    if (p->alpha < 0 || (plane >= 0 && plane != p->alpha)) return;
    tiff_page white = *p; /* only colours are inverted, not alpha */
    if (white.photometric == PHOTOMETRIC_MINISWHITE) white.photometric = PHOTOMETRIC_MINISBLACK;
    put_sample(&white, row, plane < 0 ? (size_t)p->alpha : 0, step, to + (size_t)p->colors * size, count);
}

/* ---- Strips and tiles ------------------------------------------------------------------------- */

/* Unpacks row y of a plane. libtiff can only read the rows of a strip in order, so earlier rows are read first. */
static bool unpack_row(tiff_page *p, int64_t y, int plane)
{
    const int64_t start = y - y % p->down;
    if (p->plane != plane || p->next < start || p->next > y) p->next = start;
    p->plane = plane;
    for (; p->next <= y; p->next++)
        if (TIFFReadScanline(p->tiff, p->row, (uint32_t)p->next, (uint16_t)(plane < 0 ? 0 : plane)) < 0) {
            p->next = -1;
            return false;
        }
    return true;
}

static bool strips(tiff_page *p, int plane, int64_t first, int64_t rows, uint8_t *to)
{
    const size_t row = (size_t)p->width * p->pixel;
    for (int64_t y = 0; y < rows; y++) {
        if (!unpack_row(p, first + y, plane)) return false;
        put_row(p, p->row, plane, to + (size_t)y * row, p->width);
    }
    return true;
}

static bool unpack_tile(tiff_page *p, uint32_t x, uint32_t y, int plane)
{
    const uint16_t sample = (uint16_t)(plane < 0 ? 0 : plane);
    const int64_t number = TIFFComputeTile(p->tiff, x, y, 0, sample);
    if (p->held == number) return true;
    p->held = -1;
    if (TIFFReadTile(p->tiff, p->row, x, y, 0, sample) < 0) return false;
    p->held = number;
    return true;
}

static bool tiles(tiff_page *p, int plane, int64_t first, int64_t rows, uint8_t *to)
{
    const size_t row = (size_t)p->width * p->pixel, packed = (size_t)TIFFTileRowSize(p->tiff);
    for (int64_t y = first - first % p->down; y < first + rows; y += p->down)
        for (uint32_t x = 0; x < p->width; x += p->across) {
            const uint32_t count = p->width - x < p->across ? p->width - x : p->across;
            const int64_t from = y > first ? y : first;
            const int64_t end = y + p->down < first + rows ? y + p->down : first + rows;
            if (!unpack_tile(p, x, (uint32_t)y, plane)) return false;
            for (int64_t i = from; i < end; i++)
                put_row(p, p->row + (size_t)(i - y) * packed, plane, to + (size_t)(i - first) * row + x * p->pixel,
                        count);
        }
    return true;
}

/* Unpacks a band of rows (those of a strip, or of tiles side by side), which libtiff converts to 8 bits. The band keeps
 * its stored orientation, because the picture is turned later. */
static bool unpack_band(tiff_page *p, int64_t band)
{
    const int64_t y = band * p->down, left = p->height - y, rows = left < p->down ? left : p->down;
    TIFFRGBAImage converter;
    char reason[1024];
    if (p->held == band) return true;
    p->held = -1;
    if (!TIFFRGBAImageBegin(&converter, p->tiff, 1, reason)) return false;
    converter.req_orientation = p->orientation;
    converter.row_offset = (int)y;
    const int done = TIFFRGBAImageGet(&converter, (uint32_t *)(void *)p->row, p->width, (uint32_t)rows);
    TIFFRGBAImageEnd(&converter);
    p->held = done ? band : -1;
    return done;
}

static bool bands(tiff_page *p, int64_t first, int64_t rows, uint8_t *to)
{
    for (int64_t y = first; y < first + rows; y++) {
        if (!unpack_band(p, y / p->down)) return false;
        const uint32_t *const from = (const uint32_t *)(const void *)p->row + (size_t)(y % p->down) * p->width;
        for (uint32_t x = 0; x < p->width; x++, to += 3)
            to[0] = (uint8_t)TIFFGetR(from[x]), to[1] = (uint8_t)TIFFGetG(from[x]), to[2] = (uint8_t)TIFFGetB(from[x]);
    }
    return true;
}

int tiff_page_rows(tiff_page *p, int64_t first, int64_t rows, uint8_t *to)
{
    bool good = true;
    if (p->converted) good = bands(p, first, rows, to);
    else if (!in_planes(p)) good = (p->tiled ? tiles : strips)(p, -1, first, rows, to);
    else
        for (int s = 0; good && s < p->samples; s++)
            if (s < p->colors || s == p->alpha) good = (p->tiled ? tiles : strips)(p, s, first, rows, to);
    return good && !p->memory->error[0] ? EXIT_DONE : tiff_refuse_damaged(p);
}
