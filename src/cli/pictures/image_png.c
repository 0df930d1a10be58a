/* SPDX-License-Identifier: MIT
 *
 * image_png.c - reads PNG through libpng. A PNG is one stream, so rows before the wanted ones are read and dropped. On
 * errors libpng leaves a function by longjmp(). So all that must be freed afterwards is in a struct outside of that
 * function, and each setjmp() has a function of its own.
 */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "image_exif.h"
#include "image_png.h"
#include "numbers.h"
#include "tilecut.h"

/* The most memory for one chunk (such as an ICC profile or EXIF), and the most chunks that libpng keeps. */
#define CHUNK_BYTES_MAX (32 << 20)
#define CHUNKS_MAX      64
/* The most chunks for a tiny picture: no program writes more. */
#define CHUNKS_PLENTY   4096
#define NOTES_MAX       4

enum { WINDOW = 1 << 14 };

static bool probe_png(const uint8_t *file, size_t size)
{
    return size >= 8 && memcmp(file, "\x89PNG\r\n\x1a\n", 8) == 0;
}

/* Where a chunk's data is that libpng skips; size 0: there is no such chunk. text: 't' plain, 'z' compressed, 'i'
 * international text, whose data begin with a header. */
typedef struct piece {
    uint64_t at;
    uint32_t size;
    char text;
} piece;

typedef struct picture {
    picture_source from;
    char *name;          /* owned */
    failure *why;
    notes *log;
    int notes_made;
    bool cut_short, interlaced;
    uint64_t unended;    /* where the last chunk should be, if the file lacks only that; 0: it is there */
    png_structp png;
    png_infop info;
    uint8_t *row;        /* owned: receives rows that are read only to be skipped */
    int64_t next, width, height; /* next: the row that libpng will read next */
    size_t row_size;     /* bytes */
    region_palette palette;
    piece exif, profile, xmp; /* the first of each */
    uint64_t at;         /* offset of the next byte to read; the window is a buffer around it */
    uint64_t window_at;
    size_t window_size;
    uint8_t window[WINDOW];
} picture;

/* ---- What libpng has to say ------------------------------------------------------------------- */

bool png_is_about_memory(const char *message)
{
    return strstr(message, "ut of memory") || strstr(message, "nsufficient memory");
}

static void on_read_error(png_structp png, png_const_charp message)
{
    const picture *const p = png_get_error_ptr(png);
    if (p->cut_short) image_cut_short(p->name, p->why);
    else if (png_is_about_memory(message)) fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->name);
    else fail(p->why, EXIT_INPUT, "%s: is a damaged PNG (%s); save or copy it again", p->name, message);
    png_longjmp(png, 1);
}

static void on_read_warning(png_structp png, png_const_charp message)
{
    /* Warnings about colour profiles are dropped: profiles are not used, and editors often write them wrong. */
    static const char *const colour_chunks[] = {"iCCP", "sRGB", "gAMA", "cHRM"};
    for (size_t i = 0; i < sizeof colour_chunks / sizeof *colour_chunks; i++)
        if (strncmp(message, colour_chunks[i], 4) == 0) return;
    picture *const p = png_get_error_ptr(png);
    if (p->notes_made++ < NOTES_MAX) note(p->log, "%s: PNG: %s", p->name, message);
}

/* Copies a part of the end chunk, which the file lacks. An error of libpng after this means that the file was cut
 * short. */
static size_t take_end(picture *p, png_bytep to, size_t size)
{
    static const uint8_t chunk[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    const uint64_t from = p->at - p->unended, left = from < sizeof chunk ? sizeof chunk - from : 0;
    const size_t some = size < left ? size : (size_t)left;
    memcpy(to, chunk + (some ? from : 0), some);
    p->cut_short = true;
    return some;
}

static void on_read(png_structp png, png_bytep to, size_t size)
{
    picture *const p = png_get_io_ptr(png);
    while (size) {
        if (p->unended && p->at >= p->unended) {
            const size_t end = take_end(p, to, size);
            if (!end) png_error(png, "cut short");
            p->at += end, to += end, size -= end;
            continue;
        }
        if (p->at - p->window_at >= p->window_size) {
            p->window_at = p->at;
            p->window_size = picture_read(&p->from, p->at, p->window, WINDOW);
        }
        const size_t start = (size_t)(p->at - p->window_at), here = p->window_size - start;
        const size_t left = p->unended && p->unended - p->at < here ? (size_t)(p->unended - p->at) : here;
        const size_t some = size < left ? size : left;
        if (!some) {
            p->cut_short = true;
            png_error(png, "cut short");
        }
        memcpy(to, p->window + start, some);
        p->at += some, to += some, size -= some;
    }
}

/* ---- Before libpng sees the file -------------------------------------------------------------- */

static uint32_t number(const uint8_t *at) { return (uint32_t)big_endian(at, 4); }

/* Remembers a chunk that may hold EXIF or XMP. EXIF has a chunk of its own or, as ImageMagick writes it, is text of
 * hexadecimal digits. */
static void notice(picture *p, const uint8_t *type, uint64_t at, uint32_t size)
{
    static const char profile[] = "Raw profile type exif", segment[] = "Raw profile type APP1";
    static const char xmp[] = "XML:com.adobe.xmp";
    uint8_t name[sizeof profile] = {0};
    const bool text = !memcmp(type, "tEXt", 4) || !memcmp(type, "zTXt", 4), own = !memcmp(type, "eXIf", 4);
    const bool other = !memcmp(type, "iTXt", 4);
    if (!(text || own || other) || size < 4 || size > CHUNK_BYTES_MAX) return;
    picture_read(&p->from, at, name, sizeof name < size ? sizeof name : size);
    if (own && !p->exif.size) p->exif = (piece){at, size, 't'};
    if (text && !p->profile.size && (!memcmp(name, profile, sizeof profile) || !memcmp(name, segment, sizeof segment)))
        p->profile = (piece){at + sizeof profile, size - (uint32_t)sizeof profile, (char)type[0]};
    if (other && !p->xmp.size && !memcmp(name, xmp, sizeof xmp))
        p->xmp = (piece){at + sizeof xmp, size - (uint32_t)sizeof xmp, 'i'};
}

/* Refuses a file with more than `most` chunks, and one with a chunk longer than the file, because libpng may allocate
 * the length that a chunk claims before it reads the data. Also finds EXIF, which may come after the pixels. */
static int check_chunks(picture *p, uint64_t most)
{
    enum { SIGNATURE = 8, AROUND = 12 }; /* length, type, checksum */
    uint64_t chunks = 0, at = SIGNATURE;
    uint8_t head[8];
    for (; at + AROUND <= p->from.size; chunks++) {
        if (picture_read(&p->from, at, head, sizeof head) != sizeof head) break;
        const uint64_t length = number(head);
        if (chunks == most)
            return fail(p->why, EXIT_INPUT, "%s: is in more pieces (PNG chunks) than it has pixels; save it again",
                        p->name);
        if (memcmp(head + 4, "IEND", 4) == 0) return EXIT_DONE; /* data after the end are never read */
        if (length > p->from.size - at - AROUND) return image_cut_short(p->name, p->why);
        notice(p, head + 4, at + 8, (uint32_t)length);
        at += length + AROUND;
    }
    p->unended = at;
    return EXIT_DONE;
}

/* Refuses wrong sizes before libpng sees the file, so that a false header cannot make it allocate memory. Deflate makes
 * at most 1032 bytes out of one byte; a header that claims more pixels than that is false. */
static int check_header(picture *p, const image_limits *limits)
{
    enum { HEADER_END = 33 };
    static const uint8_t samples_of[8] = {1, 0, 3, 1, 2, 0, 4, 0}; /* by colour type */
    uint8_t file[HEADER_END];
    if (picture_read(&p->from, 0, file, HEADER_END) < HEADER_END)
        return fail(p->why, EXIT_INPUT, "%s: is cut short, the file ends within its header; save or copy it again",
                    p->name);
    if (memcmp(file + 12, "CgBI", 4) == 0)
        return fail(p->why, EXIT_INPUT, "%s: is a PNG in Apple's own form (CgBI), as apps for iPhones hold it; convert "
                    "it, by 'pngcrush -revert-iphone-optimizations' for instance", p->name);
    if (memcmp(file + 8, "\0\0\0\x0dIHDR", 8) != 0)
        return fail(p->why, EXIT_INPUT, "%s: is a damaged PNG (no header); save or copy it again", p->name);
    const uint64_t width = number(file + 16), height = number(file + 20);
    const uint64_t samples = samples_of[file[25] & 7], bits = samples * file[24];
    /* Transparency may add a sample, and a palette an index plane. */
    const uint64_t most = file[25] == PNG_COLOR_TYPE_PALETTE ? 5 : (samples + 1) * (file[24] > 8 ? 2 : 1);
    if (image_check_size(p->name, width, height, most, limits, p->why)) return p->why->status;
    if (((width * bits + 7) / 8 + 1) * height / 1040 > p->from.size)
        return fail(p->why, EXIT_INPUT, "%s: is cut short, %llux%llu pixels cannot be in so few bytes; save or copy it "
                    "again", p->name, (unsigned long long)width, (unsigned long long)height);
    return check_chunks(p, CHUNKS_PLENTY + width * height);
}

/* ---- Header ----------------------------------------------------------------------------------- */

/* Makes libpng refuse damaged chunks, and skip chunks that are not used without reading them. */
static void be_strict(png_structp png)
{
    /* These chunks may hold text that unpacks to a thousand times its size. */
    static const char passed_over[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0tIME\0eXIf\0";
    png_set_chunk_malloc_max(png, CHUNK_BYTES_MAX);
    png_set_chunk_cache_max(png, CHUNKS_MAX);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep)passed_over,
                                (int)(sizeof passed_over - 1) / 5);
    png_set_user_limits(png, TILECUT_MAX_SIDE, PNG_UINT_31_MAX);
}

static void drop_stream(picture *p)
{
    if (p->png) png_destroy_read_struct(&p->png, &p->info, NULL);
    p->at = 0;
    p->next = 0;
    p->window_size = 0; /* the file may have changed since the last read */
}

/* Reads everything up to the first row. */
static int begin_rows(picture *p)
{
    drop_stream(p);
    p->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, p, on_read_error, on_read_warning);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (!p->info) return fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->name);
    if (setjmp(png_jmpbuf(p->png))) return p->why->status;
    png_set_read_fn(p->png, p, on_read);
    be_strict(p->png);
    png_read_info(p->png, p->info);
    if (png_get_color_type(p->png, p->info) == PNG_COLOR_TYPE_PALETTE) png_set_packing(p->png);
    else png_set_expand(p->png); /* expands to 8 bits, and turns a transparent colour into alpha */
    if (png_get_bit_depth(p->png, p->info) == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) png_set_swap(p->png);
    p->interlaced = png_set_interlace_handling(p->png) > 1;
    png_read_update_info(p->png, p->info);
    return EXIT_DONE;
}

/* Reads the palette and its alpha values. */
static int read_palette(picture *p)
{
    png_colorp color = NULL;
    png_bytep alpha = NULL;
    int alphas = 0;
    if (!png_get_PLTE(p->png, p->info, &color, &p->palette.entries) || p->palette.entries > 256)
        return fail(p->why, EXIT_INPUT, "%s: is a damaged PNG (no palette); save or copy it again", p->name);
    if (!png_get_tRNS(p->png, p->info, &alpha, &alphas, NULL)) alphas = 0;
    for (int i = 0; i < p->palette.entries; i++) {
        const uint8_t entry[] = {color[i].red, color[i].green, color[i].blue, i < alphas ? alpha[i] : 255};
        memcpy(p->palette.entry[i], entry, sizeof entry);
    }
    return EXIT_DONE;
}

/* Decompresses the bytes that begin at `from`. The result is empty if they are damaged or unpack to more than a
 * megabyte. */
static void unpack(bytes *data, size_t from)
{
    enum { MOST = 1 << 20 };
    failure unsaid = {0};
    gzip_reader *reader = NULL;
    bytes plain = {0};
    size_t got = 0;
    if (from < data->size && !gzip_open("PNG", data->data + from, data->size - from, &reader, &unsaid)) {
        plain.data = malloc(MOST);
        if (plain.data && !gzip_read(reader, plain.data, MOST, &got, &unsaid)) plain.size = got;
    }
    gzip_close(reader);
    bytes_free(data);
    *data = plain;
}

/* Reads the bytes of a piece; the result is empty if it is damaged or memory is short. */
static bytes read_piece(const picture *p, const piece *from)
{
    bytes out = {.data = from->size ? malloc(from->size) : NULL};
    if (out.data) out.size = picture_read(&p->from, from->at, out.data, from->size);
    size_t begin = from->text == 'i' ? 2 : 0;
    const bool packed = from->text == 'z' || (from->text == 'i' && out.size && out.data[0]);
    for (int words = 0; from->text == 'i' && words < 2 && begin < out.size; begin++) words += !out.data[begin];
    if (packed) unpack(&out, from->text == 'z' ? 1 : begin);
    return out; /* an international text keeps its header, which does not disturb the search for a word */
}

static int digit_of(uint8_t letter)
{
    return letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Decodes EXIF from a text: a line with a name, a line with the length, then lines of hexadecimal digits. */
static void from_digits(bytes *text)
{
    size_t at = 0, count = 0;
    for (int lines = 0; at < text->size && lines < 3; at++) lines += text->data[at] == '\n';
    for (; at + 1 < text->size; at++) {
        const int high = digit_of(text->data[at]), low = digit_of(text->data[at + 1]);
        if (high < 0 || low < 0) continue;
        text->data[count++] = (uint8_t)(high << 4 | low);
        at++;
    }
    text->size = count;
}

static int keep_exif(const picture *p, region_shape *shape, image *out)
{
    bytes exif = read_piece(p, p->exif.size ? &p->exif : &p->profile), xmp = read_piece(p, &p->xmp);
    if (!p->exif.size) from_digits(&exif);
    shape->orientation = exif_orientation(exif.data, exif.size, xmp.data, xmp.size);
    const int status = exif_keep(p->name, exif.data, exif.size, out, p->why);
    bytes_free(&exif);
    bytes_free(&xmp);
    return status;
}

/* Keeps the data besides pixels: density, profile, EXIF. */
static int keep_others(picture *p, region_shape *shape, image *out)
{
    png_uint_32 x = 0, y = 0, size = 0;
    int unit = PNG_RESOLUTION_UNKNOWN, compression = 0;
    png_charp profile_name = NULL;
    png_bytep profile = NULL;
    if (png_get_pHYs(p->png, p->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER && x && y)
        out->density[0] = x, out->density[1] = y;
    if (png_get_iCCP(p->png, p->info, &profile_name, &compression, &profile, &size) &&
        image_keep(p->name, profile, size, &out->icc, &out->icc_size, p->why))
        return p->why->status;
    return keep_exif(p, shape, out);
}

static int open_file(const picture_source *from, const image_limits *limits, region_shape *shape, image *out,
                     void **state, notes *log, failure *why)
{
    picture *const p = calloc(1, sizeof *p);
    if (p) p->name = strdup(from->name);
    *state = p;
    if (!p || !p->name) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", from->name);
    p->from = *from, p->why = why, p->log = log;
    shape->orientation = 1;
    int status = check_header(p, limits);
    if (!status) status = begin_rows(p);
    if (!status) status = keep_others(p, shape, out);
    if (status) return status;
    shape->width = p->width = png_get_image_width(p->png, p->info);
    shape->height = p->height = png_get_image_height(p->png, p->info);
    shape->channels = png_get_channels(p->png, p->info);
    shape->depth = png_get_bit_depth(p->png, p->info);
    shape->rows_are_free = !p->interlaced;
    if (p->unended)
        snprintf(shape->beside, sizeof shape->beside, "lacks the mark at its end; all of its pixels are there");
    p->row_size = png_get_rowbytes(p->png, p->info);
    if (png_get_color_type(p->png, p->info) != PNG_COLOR_TYPE_PALETTE) return EXIT_DONE;
    shape->palette = &p->palette;
    return read_palette(p);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static int take_rows(picture *p, int64_t first, int64_t rows, uint8_t *pixels)
{
    const size_t size = p->row_size;
    if (setjmp(png_jmpbuf(p->png))) return p->why->status;
    for (; p->next < first; p->next++) png_read_row(p->png, p->row, NULL);
    for (int pass = p->interlaced ? 7 : 1; pass > 0; pass--)
        for (p->next = first; p->next < first + rows; p->next++)
            png_read_row(p->png, pixels + (size_t)(p->next - first) * size, NULL);
    for (int64_t i = 0; p->palette.entries && i < rows * (int64_t)size; i++)
        if (pixels[i] >= p->palette.entries)
            return fail(p->why, EXIT_INPUT, "%s: is a damaged PNG (a pixel's colour is not in the palette); save or "
                        "copy it again", p->name);
    if (p->next < p->height) return EXIT_DONE;
    png_read_end(p->png, p->info);
    p->next = p->height + 1; /* makes the next read start again from the first row */
    return EXIT_DONE;
}

static int read_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why)
{
    picture *const p = state;
    p->why = why;
    if (first < p->next) {
        if (begin_rows(p)) return why->status;
        if (png_get_image_height(p->png, p->info) != p->height || png_get_rowbytes(p->png, p->info) != p->row_size)
            return fail(why, EXIT_INPUT, "%s: became another picture while it was read; try again", p->name);
    }
    if (!p->row) p->row = malloc(p->row_size);
    if (!p->row) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", p->name);
    return take_rows(p, first, rows, pixels);
}

static void close_file(void *state)
{
    picture *const p = state;
    drop_stream(p);
    free(p->row);
    free(p->name);
    free(p);
}

const image_format image_png = {
    .name = "PNG",
    .line = "PNG   read, write   1 to 16 bits, grey, palette, colour, alpha, interlaced; ICC, EXIF, dpi kept",
    .extensions = {"png"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .probe = probe_png,
    .open = open_file,
    .rows = read_rows,
    .close = close_file,
    .create = png_create,
    .write = png_write,
    .finish = png_finish,
};
