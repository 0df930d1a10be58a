/* SPDX-License-Identifier: MIT
 *
 * image_tiff.c - reads TIFF as a picture, from its first page: grey, RGB, CMYK, CIELAB and palettes with integers of 1
 * to 16 bits. Other integers and floating point are read if all values are integers from 0 to 65535, or all lie between
 * 0 and 1. Rows are read by tiff_page.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image_exif.h"
#include "numbers.h"
#include "tiff_page.h"

typedef struct picture {
    tiff_memory memory; /* must be first, because libtiff has a pointer to it */
    TIFF *tiff;
    tiff_page page;
    failure *why, ignored;
    char *name;         /* owned */
    image_numbers numbers; /* of floating point, signed or long numbers; depth 0: the samples are unchanged */
    int depth, channels;
    uint8_t *band;      /* owned: rows of the page before conversion, if it must be converted */
    region_palette palette;
} picture;

/* ---- What the file is ------------------------------------------------------------------------- */

/* Reads a number in the file, in the file's byte order. */
static uint64_t number_at(const picture_source *from, uint64_t at, size_t count, bool big)
{
    uint8_t digits[8] = {0};
    picture_read(from, at, digits, count);
    return big ? big_endian(digits, count) : little_endian(digits, count);
}

/* True if the directory of the first page is beyond the file's end. It is often last in a file, so a file that was cut
 * short lacks it. */
static bool directory_is_missing(const picture_source *from)
{
    uint8_t first = 0;
    picture_read(from, 0, &first, 1);
    const bool msb = first == 'M', big = number_at(from, 2, 2, msb) == 43;
    const size_t wide = big ? 8 : 4, count = big ? 8 : 2, entry = big ? 20 : 12;
    if (from->size < 2 * wide) return true;
    const uint64_t at = number_at(from, wide, wide, msb);
    return at > from->size || from->size - at < count ||
           number_at(from, at, count, msb) > (from->size - at - count) / entry;
}

/* True for raw files of cameras: TIFFs whose first page is only a preview. */
static bool is_raw(const picture *p, const picture_source *from)
{
    uint32_t count = 0;
    const void *version = NULL;
    char mark[2] = "";
    picture_read(from, 8, mark, 2);
    return (p->page.kind & FILETYPE_REDUCEDIMAGE) || TIFFGetField(p->tiff, TIFFTAG_DNGVERSION, &count, &version) ||
           !memcmp(mark, "CR", 2);
}

/* Reads the palette. Old programs write its entries with 8 bits instead of 16. */
static bool read_palette(picture *p)
{
    uint16_t *map[3] = {NULL, NULL, NULL};
    bool narrow = true;
    p->palette.entries = 1 << p->page.bits;
    if (!TIFFGetField(p->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) return false;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < p->palette.entries; i++) narrow = narrow && map[c][i] < 256;
    for (int i = 0; i < p->palette.entries; i++) {
        for (int c = 0; c < 3; c++) p->palette.entry[i][c] = (uint8_t)(narrow ? map[c][i] : map[c][i] >> 8);
        p->palette.entry[i][3] = 255;
    }
    return true;
}

static void keep_density(const picture *p, image *out)
{
    float x = 0, y = 0;
    uint16_t unit = 2;
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (!TIFFGetField(p->tiff, TIFFTAG_XRESOLUTION, &x) || !TIFFGetField(p->tiff, TIFFTAG_YRESOLUTION, &y)) return;
    out->density[0] = density_of((double)x, unit);
    out->density[1] = density_of((double)y, unit);
}

/* Finds the values of a tag that libtiff does not know. */
static const void *find_tag(void *context, int number, int type, uint32_t *count)
{
    TIFF *const tiff = context;
    const TIFFField *const field = TIFFFindField(tiff, (uint32_t)number, TIFF_ANY);
    const void *values = NULL;
    if (!field || (int)TIFFFieldDataType(field) != type || !TIFFFieldPassCount(field)) return NULL;
    return TIFFGetField(tiff, (uint32_t)number, count, &values) ? values : NULL;
}

/* Keeps the data besides the pixels. Drops the profile of CMYK or CIELAB, because the result is RGB. */
static int keep_others(const picture *p, image *out, failure *why)
{
    const uint16_t kind = p->page.photometric, packed = p->page.compression;
    const bool rgb = kind != PHOTOMETRIC_SEPARATED && kind != PHOTOMETRIC_CIELAB && kind != PHOTOMETRIC_ICCLAB;
    uint32_t size = 0;
    const void *profile = NULL;
    keep_density(p, out);
    out->place = georeference_of_tags(find_tag, p->tiff);
    out->lossy = packed == COMPRESSION_JPEG || packed == COMPRESSION_OJPEG || packed == COMPRESSION_WEBP;
    if (!rgb || !TIFFGetField(p->tiff, TIFFTAG_ICCPROFILE, &size, &profile)) return EXIT_DONE;
    return image_keep(p->name, profile, size, &out->icc, &out->icc_size, why);
}

/* Looks for further pages and adds a note that they are not read. Smaller copies of the first page need no note, and
 * errors in further pages are ignored. */
static void look_behind(picture *p, region_shape *shape)
{
    uint32_t kind = 0;
    notes *const list = p->memory.list;
    const bool several = !TIFFLastDirectory(p->tiff);
    p->memory.list = NULL;
    if (several && TIFFReadDirectory(p->tiff) &&
        !(TIFFGetField(p->tiff, TIFFTAG_SUBFILETYPE, &kind) && (kind & FILETYPE_REDUCEDIMAGE)))
        snprintf(shape->beside, sizeof shape->beside, "has more than one page; the first one is read");
    if (several) TIFFSetDirectory(p->tiff, 0);
    p->memory.list = list;
    p->memory.error[0] = '\0';
}

/* Adds notes where scientific programs use TIFF in another sense than its standard. */
static void look_for_oddities(const picture *p, region_shape *shape)
{
    const char *text = NULL, *by = NULL;
    TIFFGetField(p->tiff, TIFFTAG_SOFTWARE, &by);
    TIFFGetField(p->tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
    const char *const images = text && !strncmp(text, "ImageJ=", 7) ? strstr(text, "\nimages=") : NULL;
    if (p->page.photometric == PHOTOMETRIC_MINISWHITE && p->page.bits == 1 && by && !strncmp(by, "tifffile", 8))
        snprintf(shape->beside, sizeof shape->beside, "says that 0 is white, as tifffile does of bool; ones are black");
    const int more = p->page.samples - p->page.colors - (p->page.alpha >= 0);
    /* a single sample beside the colours is alpha, which the file does not declare */
    if (more > (p->page.colors > 1) && p->page.colors && !*shape->beside)
        snprintf(shape->beside, sizeof shape->beside, "has %d channels; only the first %s", p->page.samples,
                 p->page.colors == 1 ? "one counts" : p->page.colors == 3 ? "three count" : "four count");
    if (images && TIFFLastDirectory(p->tiff) && strtol(images + 8, NULL, 10) > 1)
        snprintf(shape->beside, sizeof shape->beside, "holds further images behind its page (ImageJ); one is read");
}

/* ---- Numbers of other kinds ------------------------------------------------------------------- */

static double number_of(const tiff_page *p, const uint8_t *at)
{
    const bool sign = p->format == SAMPLEFORMAT_INT;
    union {
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } v;
    memcpy(&v, at, (size_t)p->depth / 8);
    if (p->format == SAMPLEFORMAT_IEEEFP) return p->depth == 32 ? (double)v.f32 : v.f64;
    if (p->depth == 8) return sign ? (double)(int8_t)*at : *at;
    if (p->depth == 16) return sign ? (double)(int16_t)v.u16 : v.u16;
    if (p->depth == 32) return sign ? (double)(int32_t)v.u32 : v.u32;
    return sign ? (double)(int64_t)v.u64 : (double)v.u64;
}

/* Looks at all numbers of the picture, because together they show their meaning. */
static int find_numbers(picture *p)
{
    tiff_page *const page = &p->page;
    const size_t size = (size_t)page->depth / 8, samples = (size_t)page->width * (page->pixel / size);
    if (page->photometric == PHOTOMETRIC_MINISWHITE)
        return fail(page->why, EXIT_INPUT, "%s: is a TIFF in which 0 is white, of numbers for which black is not said; "
                    "save it with 0 as black, or convert it to PNG", p->name);
    p->numbers = image_numbers_none;
    for (uint32_t y = 0; y < page->height; y++) {
        if (tiff_page_rows(page, y, 1, p->band)) return page->why->status;
        for (size_t i = 0; i < samples; i++) image_numbers_add(&p->numbers, number_of(page, p->band + i * size));
    }
    STEP(image_numbers_check(&p->numbers, p->name, "TIFF", page->why));
    p->depth = p->numbers.depth;
    return EXIT_DONE;
}

static void convert_numbers(const picture *p, size_t samples, uint8_t *to)
{
    const size_t size = (size_t)p->page.depth / 8;
    for (size_t i = 0; i < samples; i++)
        image_numbers_put(&p->numbers, number_of(&p->page, p->band + i * size), to, i);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

/* Converts a row of the page, which is in p->band, to pixels. */
static void convert(picture *p, uint8_t *to)
{
    const size_t width = p->page.width;
    if (p->numbers.depth) {
        convert_numbers(p, width * (size_t)p->channels, to);
        return;
    }
    tiff_page_colors(&p->page, p->band, width);
    memcpy(to, p->band, width * 3 * (size_t)p->depth / 8);
}

int tiff_picture_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    picture *const p = state;
    const size_t width = p->page.width, n = (size_t)p->channels, row = width * n * (size_t)p->depth / 8;
    int status = EXIT_DONE;
    p->page.why = why;
    if (!p->band) status = tiff_page_rows(&p->page, first, rows, pixels);
    for (int64_t y = 0; p->band && !status && y < rows; y++) {
        status = tiff_page_rows(&p->page, first + y, 1, p->band);
        if (!status) convert(p, pixels + (size_t)y * row);
    }
    if (!status && !p->band) tiff_page_colors(&p->page, pixels, width * (size_t)rows);
    return status;
}

void tiff_picture_close(void *state)
{
    picture *const p = state;
    tiff_page_end(&p->page);
    if (p->tiff) TIFFClose(p->tiff);
    free(p->band);
    free(p->name);
    free(p);
}

/* ---- The first page --------------------------------------------------------------------------- */

/* Prepares to read rows. */
static int begin_rows(picture *p, const image_limits *limits, region_shape *shape, failure *why)
{
    tiff_page *const page = &p->page;
    const bool inks = tiff_page_has_inks(page), lab = tiff_page_has_lab(page);
    const bool other = page->format != SAMPLEFORMAT_UINT || page->depth > 16;
    const uint64_t each = (uint64_t)(page->colors + 2) * (page->bits > 8 ? 2 : 1);
    int status = image_check_size(p->name, page->width, page->height, page->converted ? 10 : each, limits, why);
    if (!status) status = tiff_page_begin(page);
    if (status) return status;
    p->depth = page->depth;
    p->channels = inks ? 3 : page->colors + (page->alpha >= 0);
    if (inks || other || lab) {
        p->band = malloc((size_t)page->width * page->pixel);
        if (!p->band) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", p->name);
    }
    if (other && !page->converted) status = find_numbers(p);
    if (page->photometric == PHOTOMETRIC_PALETTE && !page->converted) {
        if (!read_palette(p)) return tiff_refuse_damaged(page);
        shape->palette = &p->palette;
    }
    return status;
}

int tiff_picture_open(const picture_source *from, const image_limits *limits, region_shape *shape, image *out,
                      void **state, notes *log, failure *why)
{
    enum { LEAST = 1 << 20, MOST = 1 << 29 };
    const uint64_t room = limits->max_bytes && limits->max_bytes < MOST ? limits->max_bytes : MOST;
    picture *const p = calloc(1, sizeof *p);
    if (p) p->name = strdup(from->name);
    *state = p;
    if (!p || !p->name) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", from->name);
    p->memory = (tiff_memory){.file = from->data, .descriptor = from->file, .size = (size_t)from->size,
                              .name = p->name, .list = log};
    p->page.memory = &p->memory, p->page.why = why;
    p->tiff = tiff_open(&p->memory, "r", room > LEAST ? room : LEAST);
    if (!p->tiff && directory_is_missing(from)) return image_cut_short(p->name, why);
    if (!p->tiff) return tiff_refuse_damaged(&p->page);
    look_behind(p, shape);
    int status = tiff_page_look(&p->page, p->tiff, &p->memory, why);
    if (is_raw(p, from))
        return fail(why, EXIT_INPUT, "%s: is a camera raw file, or begins with a preview; convert it to PNG first",
                    p->name);
    if (!status) status = begin_rows(p, limits, shape, why);
    if (!status) status = keep_others(p, out, why);
    if (!status) look_for_oddities(p, shape);
    const tiff_page *const page = &p->page;
    shape->width = page->width, shape->height = page->height;
    shape->channels = p->channels, shape->depth = p->depth;
    shape->orientation = page->orientation;
    shape->tiled = page->tiled;
    shape->block = page->down;
    /* If colours lie in separate planes, each row comes from distant places in the file, and compressed strips are
     * unpacked from their beginning each time. */
    shape->rows_are_free = !(page->planar == PLANARCONFIG_SEPARATE && page->samples > 1 && page->down > 1) ||
                           page->compression == COMPRESSION_NONE;
    return status;
}
