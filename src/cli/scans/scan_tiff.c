/* SPDX-License-Identifier: MIT
 *
 * scan_tiff.c - TIFF of several pages of one size, where a page is a slice; of pages in colour it reads one channel. It
 * reads ImageJ's spacing, and keeps the resolution and the description of the first page.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_stream.h"
#include "file_write.h"
#include "scan.h"
#include "tiff_axes.h"
#include "tiff_page.h"
#include "tilecut_volume.h"

/* The resolution, which is also written to files of labels. It is stored in scan.head, followed by the description. */
typedef struct resolution {
    float x, y; /* pixels a unit; 0: unknown */
    uint16_t unit;
} resolution;

enum { PAGES_MOST = 1 << 20, COLORS = 3 };

typedef struct stack {
    scan_input *in;
    tiff_memory memory;
    TIFF *tiff;
    tiff_page first;  /* the first page, whose format all others must have */
    enum scan_kind kind;
    size_t pixel;     /* bytes of a pixel of a page: all of its colours, and alpha */
    int64_t channels; /* channels of a page: 1, 3 of colours that are not all grey, or 4 with the alpha of seeds */
    bool grey;        /* the colours read so far are all grey */
    bool color;       /* the three colours of a page are read */
    int64_t seen;     /* transparent pixels */
    bytes places;     /* uint64_t for each page: the position of its directory in the file */
    tiff_axes axes;
    int64_t chosen[2]; /* channel and moment */
    failure *why;
} stack;

/* A page is a slice unless it is a small copy of another page. */
static bool is_slice(const tiff_page *p)
{
    return !(p->kind & FILETYPE_REDUCEDIMAGE);
}

static bool is_grey(const tiff_page *p)
{
    return !p->converted && p->samples == 1;
}

static bool same_shape(const tiff_page *a, const tiff_page *b)
{
    return a->width == b->width && a->height == b->height && a->bits == b->bits && a->samples == b->samples &&
           a->format == b->format && a->colors == b->colors && a->pixel == b->pixel;
}

/* Describes the input file, in memory or open, to libtiff. */
static tiff_memory memory_of(const scan_input *in)
{
    return (tiff_memory){.file = in->data, .descriptor = in->file, .size = in->size, .name = in->name};
}

/* True if the file begins with two slices of one shape, in grey, or in `color` if that is true. */
static bool begins_with_slices(const scan_input *in, bool color)
{
    tiff_memory memory = memory_of(in);
    failure ignored = {0};
    tiff_page first, second;
    TIFF *const tiff = tiff_open(&memory, "r", 1 << 26);
    if (!tiff) return false;
    bool good = !tiff_page_look(&first, tiff, &memory, &ignored) && is_slice(&first) &&
                (is_grey(&first) || (color && first.colors > 1));
    good = good && TIFFReadDirectory(tiff) && !tiff_page_look(&second, tiff, &memory, &ignored);
    TIFFClose(tiff);
    return good && is_slice(&second) && same_shape(&first, &second);
}

static bool confirm(const scan_input *in) { return begins_with_slices(in, false); }

bool scan_has_pages(const char *path)
{
    scan_input in = {.name = file_input_name(path)};
    if (!scan_open(path, &in)) return false;
    const bool has = begins_with_slices(&in, true);
    close(in.file);
    return has;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static int find_kind(stack *s, bool grey_only)
{
    const tiff_page *const p = &s->first;
    const bool made = p->converted || tiff_page_has_inks(p) || tiff_page_has_lab(p); /* made from other numbers */
    const bool sign = !made && p->format == SAMPLEFORMAT_INT, real = !made && p->format == SAMPLEFORMAT_IEEEFP;
    s->pixel = made ? 3 * (size_t)p->depth / 8 : p->pixel;
    switch (p->depth) {
    case 8: s->kind = sign ? SCAN_I8 : SCAN_U8; break;
    case 16: s->kind = sign ? SCAN_I16 : SCAN_U16; break;
    case 32: s->kind = real ? SCAN_F32 : sign ? SCAN_I32 : SCAN_U32; break;
    default: s->kind = real ? SCAN_F64 : sign ? SCAN_I64 : SCAN_U64;
    }
    if (is_grey(p) || (p->colors > 1 && !grey_only)) return EXIT_DONE;
    if (p->colors > 1)
        return fail(s->why, EXIT_INPUT, "%s: is a TIFF of %s in colour; beside a volume grey is read", s->in->name,
                    TIFFLastDirectory(s->tiff) ? "one page" : "several pages");
    return fail(s->why, EXIT_INPUT, "%s: is a TIFF of pages with %d x %d bits a pixel; one grey value is read",
                s->in->name, p->samples, p->bits);
}

/* Adds a note that the indices of a palette are read as grey values, unless the palette's colours are greys that become
 * lighter. */
static void note_palette(const stack *s)
{
    const uint16_t *c[3];
    bool rises = true;
    if (s->first.photometric != PHOTOMETRIC_PALETTE || s->first.converted ||
        !TIFFGetField(s->tiff, TIFFTAG_COLORMAP, &c[0], &c[1], &c[2]))
        return;
    for (int i = 0; i < 1 << s->first.bits; i++)
        rises &= c[0][i] == c[1][i] && c[0][i] == c[2][i] && (!i || c[0][i] >= c[0][i - 1]);
    if (!rises) note(s->in->log, "%s: has a palette; the numbers of its colours are taken as grey", s->in->name);
}

/* Finds the pages that are slices, and counts them. */
static int find_pages(stack *s, int64_t *pages)
{
    *pages = 0;
    do {
        tiff_page p;
        const uint64_t place = TIFFCurrentDirOffset(s->tiff);
        if (tiff_page_look(&p, s->tiff, &s->memory, s->why)) return s->why->status;
        if (!is_slice(&p)) continue;
        ++*pages;
        if (!same_shape(&p, &s->first))
            return fail(s->why, EXIT_INPUT, "%s: page %lld is %ux%u of %d bits and the first one %ux%u of %d; the "
                        "slices of a volume are alike", s->in->name, (long long)*pages, p.width, p.height, p.bits,
                        s->first.width, s->first.height, s->first.bits);
        if (!bytes_append(&s->places, &place, sizeof place))
            return fail(s->why, EXIT_RESOURCES, "%s: not enough memory to read it", s->in->name);
    } while (*pages <= PAGES_MOST && TIFFReadDirectory(s->tiff));
    return s->memory.error[0] ? tiff_refuse_damaged(&s->first) : EXIT_DONE;
}

/* Takes one channel of each of `count` pixels of a band in place, or the three colours, and counts the transparent
 * pixels. */
static void take_channels(stack *s, const tiff_page *p, uint8_t *band, size_t count)
{
    const size_t size = scan_kind_bytes(s->kind), taken = s->color ? COLORS * size : size;
    const size_t which = s->color ? 0 : (size_t)(s->chosen[0] % s->channels) * size;
    const size_t alpha = (size_t)p->colors * size;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *const pixel = band + i * s->pixel;
        for (size_t b = 0, clear = 0; p->alpha >= 0 && b < size && !clear; b++)
            s->seen += (int64_t)(clear = pixel[alpha + b] != 0xff);
        memmove(band + i * taken, pixel + which, taken);
    }
}

/* Bytes of a voxel in memory. */
static size_t voxel_of(const stack *s)
{
    return scan_voxel_bytes(scan_type_of(s->kind)) * (s->color ? COLORS : 1);
}

/* True if all colours of a band are grey. */
static bool is_grey_band(const stack *s, const uint8_t *band, size_t count)
{
    const size_t size = scan_kind_bytes(s->kind);
    bool grey = true;
    for (size_t i = 0; grey && i < count; i++)
        grey = !memcmp(band + i * s->pixel, band + i * s->pixel + size, 2 * size);
    return grey;
}

/* Reads one page, by single rows or by rows of tiles; if `to` is NULL, only finds out if all of its colours are
 * grey. */
static int take_page(stack *s, tiff_page *p, uint8_t *to)
{
    const size_t voxel = voxel_of(s), width = p->width;
    const int64_t most = p->tiled ? p->down : 1;
    int status = tiff_page_begin(p);
    uint8_t *const band = status ? NULL : malloc((size_t)most * width * p->pixel);
    if (!status && !band) status = fail(s->why, EXIT_RESOURCES, "%s: not enough memory to read it", s->in->name);
    for (int64_t y = 0; !status && (to || s->grey) && y < p->height; y += most) {
        const int64_t rows = p->height - y < most ? p->height - y : most;
        const size_t count = (size_t)rows * width;
        status = tiff_page_rows(p, y, rows, band);
        if (!status && p->colors > 1) tiff_page_colors(p, band, count);
        if (!status && !to) s->grey = is_grey_band(s, band, count);
        if (!status && to && p->colors > 1) take_channels(s, p, band, count);
        if (!status && to)
            scan_convert(s->kind, false, band, to + (size_t)y * width * voxel, count * (s->color ? COLORS : 1));
    }
    free(band);
    tiff_page_end(p);
    return status;
}

/* Does take_page() for page `number` of those that are slices. */
static int take_page_at(stack *s, int64_t number, uint8_t *to)
{
    tiff_page p;
    uint64_t place;
    memcpy(&place, s->places.data + (size_t)number * sizeof place, sizeof place);
    if (!TIFFSetSubDirectory(s->tiff, place)) return tiff_refuse_damaged(&s->first);
    STEP(tiff_page_look(&p, s->tiff, &s->memory, s->why));
    return same_shape(&p, &s->first) ? take_page(s, &p, to) : tiff_refuse_damaged(&p);
}

/* Finds the number of channels of a page: 1 if all colours of the file are grey and no channel is chosen. Alpha counts
 * where it says which pixels are seeds. */
static int find_channels(stack *s, const scan_reading *request, int64_t pages)
{
    const tiff_page *const p = &s->first;
    const bool color = p->colors > 1, seeds = request->picture && request->shape.optional;
    const bool alpha = p->colors == 3 && p->alpha >= 0 && s->pixel == p->pixel;
    s->channels = seeds && alpha ? 4 : color && request->shape.channel ? COLORS : 1;
    s->color = p->colors > 2 && s->axes.channels == 1 && !request->picture &&
               scan_takes_colors(request, COLORS, (int)s->kind);
    s->grey = true;
    for (int64_t i = 0; color && !s->color && s->channels == 1 && s->grey && i < pages; i++)
        STEP(take_page_at(s, i, NULL));
    if (!s->grey) s->channels = COLORS;
    return EXIT_DONE;
}

/* Finds the pages of the chosen volume, and sets *slices to their number. */
static int find_slices(stack *s, const scan_reading *request, int64_t *slices)
{
    const char *text = NULL;
    int64_t pages;
    STEP(find_pages(s, &pages));
    if (!TIFFSetDirectory(s->tiff, 0)) return tiff_refuse_damaged(&s->first);
    TIFFGetField(s->tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
    STEP(tiff_axes_read(s->in->name, text, pages, &s->axes, s->why));
    STEP(find_channels(s, request, pages));
    if (!TIFFSetDirectory(s->tiff, 0)) return tiff_refuse_damaged(&s->first);
    if (*s->axes.doubt) note(s->in->log, "%s: %s", s->in->name, s->axes.doubt);
    *slices = s->axes.slices;
    return scan_select(s->in, request, s->axes.channels * s->channels, s->axes.moments, s->chosen, s->why);
}

static int take_slices(stack *s, scan *out)
{
    const size_t slice = (size_t)out->width * (size_t)out->height * voxel_of(s);
    const int64_t channel = s->chosen[0] / s->channels;
    for (int z = 0; z < out->depth; z++) {
        const int64_t number = tiff_axes_page(&s->axes, channel, out->above + z, s->chosen[1]);
        STEP(take_page_at(s, number, (uint8_t *)out->voxels + (size_t)z * slice));
    }
    if (s->channels < 4) scan_note_transparent(s->in->name, s->seen, s->in->log);
    return EXIT_DONE;
}

/* Keeps a description for files of labels: ImageJ's own, or a new one with the distances if the file has several
 * channels or another program wrote it. */
static bool keep_text(const stack *s, const char *text, scan *out)
{
    char line[200];
    const bool imagej = s->axes.by && !strcmp(s->axes.by, "ImageJ");
    if (!imagej && !(out->spacing[0] > 0)) return true;
    const bool one = s->axes.channels == 1 && s->axes.moments == 1;
    if (imagej && one) return bytes_append(&out->head, text, strlen(text) + 1);
    const int length = snprintf(line, sizeof line, "ImageJ=1.53\nimages=%lld\nslices=%lld\nspacing=%.17g\nloop=false\n",
                                (long long)s->axes.slices, (long long)s->axes.slices, out->spacing[2]);
    return bytes_append(&out->head, line, (size_t)length + 1);
}

/* Keeps the resolution. ImageJ writes pixels per unit, and the distance between slices as "spacing=1.5" in that
 * unit. */
static bool keep_resolution(stack *s, scan *out)
{
    resolution kept = {.unit = RESUNIT_INCH};
    const char *text = NULL;
    TIFFGetField(s->tiff, TIFFTAG_XRESOLUTION, &kept.x);
    TIFFGetField(s->tiff, TIFFTAG_YRESOLUTION, &kept.y);
    TIFFGetFieldDefaulted(s->tiff, TIFFTAG_RESOLUTIONUNIT, &kept.unit);
    TIFFGetField(s->tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
    const char *const between = text && !strncmp(text, "ImageJ=", 7) ? strstr(text, "\nspacing=") : NULL;
    const double step = between ? strtod(between + 9, NULL) : 0;
    memcpy(out->spacing, s->axes.spacing, sizeof out->spacing);
    if (out->spacing[0] > 0)
        kept = (resolution){(float)(1 / out->spacing[0]), (float)(1 / out->spacing[1]), RESUNIT_NONE};
    else if (step > 1e-9 && step < 1e9 && kept.x > 1e-9f && kept.x < 1e9f && kept.y > 1e-9f && kept.y < 1e9f)
        out->spacing[0] = 1 / (double)kept.x, out->spacing[1] = 1 / (double)kept.y, out->spacing[2] = step;
    return bytes_append(&out->head, &kept, sizeof kept) && (!text || keep_text(s, text, out));
}

static int read_stack(stack *s, const scan_reading *request, scan *out)
{
    int status = tiff_page_look(&s->first, s->tiff, &s->memory, s->why);
    if (!status) status = find_kind(s, request->shape.optional && !request->picture && !request->shape.channel);
    int64_t size[3] = {s->first.width, s->first.height, 0};
    if (!status) status = find_slices(s, request, &size[2]);
    if (!status && !keep_resolution(s, out)) status = fail(s->why, EXIT_RESOURCES, "%s: not enough memory",
                                                           s->in->name);
    if (!status) status = scan_check_size(s->in->name, size, voxel_of(s), request, s->why);
    if (status) return status;
    if (!request->shape.optional) note_palette(s); /* seeds use the indices, so colours do not matter */
    scan_set_shape(out, size, request);
    out->type = scan_type_of(s->kind), out->channels = s->color ? COLORS : 1;
    strcpy(out->stored, scan_kind_name(s->kind));
    out->voxels = scan_take_memory(out, request, scan_count(out) * voxel_of(s));
    if (!out->voxels) return fail(s->why, EXIT_RESOURCES, "%s: not enough memory for its voxels", s->in->name);
    return take_slices(s, out);
}

static int decode(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    stack s = {.in = in, .memory = memory_of(in), .why = why};
    s.memory.list = in->log;
    s.tiff = tiff_open(&s.memory, "r", 1 << 28);
    s.first = (tiff_page){.memory = &s.memory, .why = why};
    if (!s.tiff) return tiff_refuse_damaged(&s.first);
    const int status = read_stack(&s, request, out);
    bytes_free(&s.places);
    tiff_axes_free(&s.axes);
    TIFFClose(s.tiff);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static void describe(TIFF *tiff, const scan *what, const scan *like, int z)
{
    resolution kept = {0};
    tiff_describe(tiff, what->width, what->height, 8 * (int)scan_voxel_bytes(what->type), 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, what->type == TILECUT_VOXEL_F32   ? SAMPLEFORMAT_IEEEFP
                                             : what->type == TILECUT_VOXEL_I16 ? SAMPLEFORMAT_INT
                                                                               : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    TIFFSetField(tiff, TIFFTAG_PAGENUMBER, z, what->depth);
    if (like->format != &image_tiff || like->head.size < sizeof kept) return;
    memcpy(&kept, like->head.data, sizeof kept);
    if (kept.x > 0 && kept.y > 0) {
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (double)kept.x);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (double)kept.y);
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, kept.unit);
    }
    if (!z && like->head.size > sizeof kept) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, like->head.data
                                                          + sizeof kept);
}

/* The data for writing a file. `status` and `why` are set if the source of voxels fails. */
typedef struct pages {
    const scan *what, *like;
    const scan_source *voxels;
    TIFF *tiff;
    uint8_t *row; /* owned */
    int status;
    failure *why;
} pages;

static bool write_slice(pages *p, int z)
{
    const size_t size = (size_t)p->what->width * scan_voxel_bytes(p->what->type);
    describe(p->tiff, p->what, p->like, z);
    for (int y = 0; y < p->what->height; y++) {
        p->status = p->voxels->take(p->voxels->context, p->row, size, p->why);
        if (p->status || TIFFWriteScanline(p->tiff, p->row, (uint32_t)y, 0) < 0) return false;
    }
    return TIFFWriteDirectory(p->tiff);
}

static int write_pages(const char *name, pages *p, tiff_memory *memory)
{
    const size_t voxel = scan_voxel_bytes(p->what->type), size = scan_count(p->what) * voxel;
    /* offsets have 32 bits in ordinary TIFF, so large files are written as BigTIFF ("8") */
    p->tiff = tiff_open(memory, size > (size_t)3 << 30 ? "w8" : "w", 1 << 28);
    p->row = malloc((size_t)p->what->width * voxel);
    bool done = p->tiff && p->row;
    for (int z = 0; done && z < p->what->depth; z++) done = write_slice(p, z);
    if (p->tiff) TIFFClose(p->tiff);
    free(p->row);
    if (p->status || (done && !memory->error[0] && !memory->failed)) return p->status;
    if (memory->failed) return file_write_failed(name, memory->failed, p->why);
    if (memory->no_memory || !memory->error[0])
        return fail(p->why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    return fail(p->why, EXIT_RUNTIME, "%s: not written: %s", name, memory->error);
}

/* Copies the first `size` bytes of a file to the sink. */
static int copy_file(scan_sink *sink, int from, uint64_t size, failure *why)
{
    uint8_t piece[1 << 14];
    for (uint64_t at = 0; at < size;) {
        const size_t some = size - at < sizeof piece ? (size_t)(size - at) : sizeof piece;
        const ssize_t got = pread(from, piece, some, (off_t)at);
        if (got <= 0) return file_write_failed(sink->name, got < 0 ? errno : EIO, why);
        const int status = scan_put(sink, piece, (size_t)got, why);
        if (status) return status;
        at += (uint64_t)got;
    }
    return EXIT_DONE;
}

/* Writes a TIFF. libtiff jumps back in its output, which is impossible in a pipe, so for a pipe the file is first made
 * on disk. */
static int encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why)
{
    pages p = {.what = what, .like = like, .voxels = voxels, .why = why};
    const bool straight = !sink->stream || sink->stream->beside;
    tiff_memory memory = {.sink = sink->memory, .start = sink->memory ? sink->memory->size : 0, .name = sink->name,
                          .written = sink->stream != NULL};
    spill *elsewhere = NULL;
    int status = straight ? EXIT_DONE : spill_open(&elsewhere, NULL, why);
    if (status) return status;
    if (sink->stream) memory.descriptor = straight ? sink->stream->descriptor : spill_file(elsewhere);
    status = write_pages(sink->name, &p, &memory);
    if (!status && !straight) status = copy_file(sink, memory.descriptor, memory.size, why);
    spill_close(elsewhere);
    return status;
}

const image_format image_tiff = {
    .name = "TIFF",
    .line = "TIFF  read, write   1 to 64 bits, grey, palette, colour, CMYK, Lab, alpha, first page; ICC, dpi kept",
    .slices = "TIFF  read, write   several pages of one size, 1 to 64 bits; resolution and ImageJ's spacing kept",
    .extensions = {"tif", "tiff"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .probe = image_is_tiff,
    .open = tiff_picture_open,
    .rows = tiff_picture_rows,
    .close = tiff_picture_close,
    .seeks = true,
    .create = tiff_create,
    .write = tiff_write,
    .finish = tiff_finish,
    .together = tiff_write_together,
    .confirm = confirm,
    .decode_slices = decode,
    .encode_slices = encode,
};
