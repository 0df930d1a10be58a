/* SPDX-License-Identifier: MIT
 *
 * image_gif.c - GIF (87a and 89a). A photo is the first frame; in a volume, each frame is a slice, drawn over the ones
 * before it as browsers do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "numbers.h"

/* PICTURE and SEVERAL are the most bytes that a pixel takes in memory, if one frame is read, and if several are. */
enum { HEADER = 13, FRAME = 10, CODES = 4096, PICTURE = 5, SEVERAL = 13 };
enum { CLEAR = 2, RESTORE = 3 }; /* what happens to a frame before the next one is drawn; else it stays */

/* A string of pixels with the code that stands for it: the string of another code, and one more pixel. */
typedef struct entry {
    uint16_t before, length;
    uint8_t first, last;
} entry;

typedef struct gif {
    const char *name;
    const uint8_t *file;
    size_t size, at;
    int number;           /* the current frame, counted from 1; 0: none yet */
    const uint8_t *frame; /* its header */
    int transparent;      /* its transparent colour; -1: none */
    int disposal;         /* CLEAR, RESTORE or another number */
    image canvas;         /* RGBA; owned */
    uint8_t *kept;        /* the canvas without the current frame, if that will be undone; owned */
    /* The next fields are for reading codes from the blocks of a frame. */
    size_t left;          /* bytes of the current block that are still unread */
    uint32_t bits;
    int count;
} gif;

static size_t palette_bytes(uint8_t flags)
{
    return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

static uint32_t side(const uint8_t *at) { return (uint32_t)little_endian(at, 2); }

static int is_damaged(const gif *g, const char *how, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is a damaged GIF (%s); save or copy it again", g->name, how);
}

static int is_damaged_in_frame(const gif *g, const char *how, failure *why)
{
    char text[80];
    if (g->number == 1) snprintf(text, sizeof text, "its first frame %s", how);
    else snprintf(text, sizeof text, "its frame %d %s", g->number, how);
    return is_damaged(g, text, why);
}

/* ---- Blocks ----------------------------------------------------------------------------------- */

/* Skips the remaining blocks. Returns false if the file ends before they do. */
static bool skip_blocks(gif *g)
{
    g->at += g->left;
    g->left = 0;
    while (g->at < g->size && g->file[g->at]) g->at += (size_t)g->file[g->at] + 1;
    return g->at++ < g->size;
}

/* Moves to the next frame, and reads its control block. Returns false if there is no frame, or at a control block whose
 * size is not 4: readers do not agree on what follows that. */
static bool find_frame(gif *g)
{
    g->transparent = -1, g->disposal = 0;
    while (g->at < g->size && g->file[g->at] == '!') {
        const uint8_t *const block = g->file + g->at;
        const bool control = g->at + 2 < g->size && block[1] == 0xf9;
        if (control && block[2] != 4) return false;
        g->at += 2;
        if (!skip_blocks(g)) return false;
        if (!control) continue;
        g->transparent = block[3] & 1 ? block[6] : -1;
        g->disposal = block[3] >> 2 & 7;
    }
    return g->at + FRAME < g->size && g->file[g->at] == ',';
}

/* Moves to the codes of the next frame, and checks that it lies in the picture. */
static int begin_frame(gif *g, failure *why)
{
    g->number++;
    if (!find_frame(g))
        return g->at < g->size && g->file[g->at] == '!'
                   ? is_damaged(g, "a graphic control block does not have 4 bytes", why)
                   : image_cut_short(g->name, why);
    const uint8_t *const frame = g->frame = g->file + g->at;
    if (!side(frame + 5) || !side(frame + 7)) return is_damaged_in_frame(g, "is empty", why);
    if (side(frame + 1) + side(frame + 5) > side(g->file + 6) || side(frame + 3) + side(frame + 7) > side(g->file + 8))
        return is_damaged_in_frame(g, "lies outside of the picture", why);
    g->at += FRAME + palette_bytes(frame[9]);
    return g->at < g->size ? EXIT_DONE : image_cut_short(g->name, why);
}

/* ---- Codes ------------------------------------------------------------------------------------ */

/* Returns the next code of `width` bits, or -1 if the blocks or the file have ended. */
static int next_code(gif *g, int width)
{
    while (g->count < width) {
        while (!g->left) {
            if (g->at >= g->size || !g->file[g->at]) return -1;
            g->left = g->file[g->at++];
        }
        if (g->at >= g->size) return -1;
        g->bits |= (uint32_t)g->file[g->at++] << g->count;
        g->left--;
        g->count += 8;
    }
    const int code = (int)(g->bits & ((1u << width) - 1));
    g->bits >>= width;
    g->count -= width;
    return code;
}

/* Unpacks up to `enough` pixels, which are numbers in the palette. `least` is the width of a pixel in bits. Returns how
 * many there are; 0 if the codes are damaged. */
static size_t take_pixels(gif *g, int least, uint8_t *pixels, size_t enough)
{
    entry table[CODES];
    size_t done = 0;
    const int clear = 1 << least;
    int next = clear + 2, width = least + 1, before = -1;
    for (int i = 0; i < clear; i++) table[i] = (entry){0, 1, (uint8_t)i, (uint8_t)i};
    while (done < enough) {
        const int code = next_code(g, width);
        if (code < 0 || code == clear + 1) break;
        if (code == clear) {
            next = clear + 2, width = least + 1, before = -1;
            continue;
        }
        if (code > next || (code == next && before < 0)) return 0;
        if (before >= 0 && next < CODES) {
            const uint8_t first = table[code < next ? code : before].first;
            table[next++] = (entry){(uint16_t)before, (uint16_t)(table[before].length + 1), table[before].first, first};
        }
        for (size_t c = (size_t)code, i = done + table[c].length; i-- > done; c = table[c].before)
            if (i < enough) pixels[i] = table[c].last;
        done += table[code].length;
        if (next == 1 << width && width < 12) width++;
        before = code;
    }
    return done;
}

/* Unpacks the pixels of the current frame. */
static int unpack_frame(gif *g, uint8_t *pixels, size_t count, failure *why)
{
    const int least = g->file[g->at++];
    g->left = 0, g->bits = 0, g->count = 0;
    const size_t found = least >= 1 && least <= 11 ? take_pixels(g, least, pixels, count) : 0;
    if (found >= count) return EXIT_DONE;
    if (g->at >= g->size) return image_cut_short(g->name, why);
    return is_damaged(g, found ? "picture data is missing" : "its codes make no sense", why);
}

/* ---- Frames ----------------------------------------------------------------------------------- */

/* Returns the first byte in column `x` of row `y` of the canvas, counted from the frame's corner. */
static uint8_t *canvas_at(const gif *g, uint32_t x, uint32_t y)
{
    const uint8_t *const frame = g->frame;
    return g->canvas.pixels + 4 * ((size_t)(side(frame + 3) + y) * (size_t)g->canvas.width + side(frame + 1) + x);
}

/* Prepares the canvas for the next frame: clears or undoes the current one, as it says. */
static void dispose(gif *g)
{
    const uint32_t width = g->frame ? side(g->frame + 5) : 0, height = g->frame ? side(g->frame + 7) : 0;
    if (g->disposal == RESTORE && g->kept)
        memcpy(g->canvas.pixels, g->kept, 4 * (size_t)g->canvas.width * (size_t)g->canvas.height);
    for (uint32_t y = 0; g->disposal == CLEAR && y < height; y++) memset(canvas_at(g, 0, y), 0, (size_t)4 * width);
}

/* Returns which row of an interlaced frame is stored as number `stored`. */
static uint32_t row_of(uint32_t stored, uint32_t height)
{
    static const uint32_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    for (int pass = 0; pass < 4; pass++) {
        const uint32_t rows = height > first[pass] ? (height - first[pass] + step[pass] - 1) / step[pass] : 0;
        if (stored < rows) return first[pass] + stored * step[pass];
        stored -= rows;
    }
    return 0;
}

/* Draws the current frame. Pixels whose colour is transparent, or not in the palette, do not change the canvas. */
static void draw_frame(const gif *g, const uint8_t *palette, int colors, const uint8_t *pixels)
{
    const uint32_t width = side(g->frame + 5), height = side(g->frame + 7);
    for (uint32_t stored = 0; stored < height; stored++) {
        uint8_t *const to = canvas_at(g, 0, g->frame[9] & 0x40 ? row_of(stored, height) : stored);
        for (uint32_t x = 0; x < width; x++, pixels++) {
            if (*pixels == g->transparent || *pixels >= colors) continue;
            memcpy(to + 4 * (size_t)x, palette + 3 * (size_t)*pixels, 3);
            to[4 * (size_t)x + 3] = 255;
        }
    }
}

/* Decodes the next frame onto the canvas. */
static int next_frame(gif *g, failure *why)
{
    const uint32_t width = side(g->file + 6), height = side(g->file + 8);
    const size_t all = 4 * (size_t)width * height;
    dispose(g);
    int status = begin_frame(g, why);
    if (status || !g->frame) return status;
    const size_t count = (size_t)side(g->frame + 5) * side(g->frame + 7);
    const bool own = g->frame[9] & 0x80;
    const int colors = (int)(palette_bytes(own ? g->frame[9] : g->file[10]) / 3);
    if (!colors) return is_damaged(g, "missing color table", why);
    if (!g->canvas.pixels) {
        STEP(image_allocate(g->name, (int)width, (int)height, 4, 8, &g->canvas, why));
        memset(g->canvas.pixels, 0, all);
    }
    uint8_t *const pixels = malloc(count);
    if (g->disposal == RESTORE && !g->kept) g->kept = malloc(all);
    if (!pixels || (g->disposal == RESTORE && !g->kept))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", g->name);
    if (!status && g->disposal == RESTORE) memcpy(g->kept, g->canvas.pixels, all);
    if (!status) status = unpack_frame(g, pixels, count, why);
    if (!status) draw_frame(g, own ? g->frame + FRAME : g->file + HEADER, colors, pixels);
    free(pixels);
    return status;
}

/* ---- The file --------------------------------------------------------------------------------- */

static bool probe(const uint8_t *file, size_t size)
{
    return size >= 6 && (!memcmp(file, "GIF87a", 6) || !memcmp(file, "GIF89a", 6));
}

static int begin(gif *g, failure *why)
{
    if (g->size < HEADER) return image_cut_short(g->name, why);
    g->at = HEADER + palette_bytes(g->file[10]);
    return EXIT_DONE;
}

/* Drops alpha if no pixel is transparent, and colours if all are grey; keeps both if all are transparent. */
static void simplify(image *picture)
{
    const size_t end = (size_t)picture->width * (size_t)picture->height * 4;
    bool opaque = true, holes = true;
    for (size_t i = 3; i < end; i += 4) {
        opaque = opaque && picture->pixels[i] == 255;
        holes = holes && !picture->pixels[i];
    }
    for (size_t i = 3; opaque && i < end; i += 4) picture->pixels[i] = 0;
    if (!holes) image_simplify(picture);
}

static int decode_gif(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                      notes *log, failure *why)
{
    gif g = {.name = name, .file = file, .size = size};
    STEP(begin(&g, why));
    STEP(image_check_size(name, side(file + 6), side(file + 8), PICTURE, limits, why));
    const int status = next_frame(&g, why);
    free(g.kept);
    out->width = g.canvas.width, out->height = g.canvas.height;
    out->channels = g.canvas.channels, out->depth = g.canvas.depth, out->pixels = g.canvas.pixels;
    if (status) return status;
    simplify(out);
    if (skip_blocks(&g) && find_frame(&g)) note(log, "%s: has more than one frame; the first one is read", name);
    return EXIT_DONE;
}

/* Moves behind the codes of the current frame. Returns true if another frame follows. A file that ends without its last
 * byte, a semicolon, is refused, as it may lack frames; a photo of it needs the first one alone. */
static bool goes_on(gif *g, int *status, failure *why)
{
    gif ahead = *g;
    if (!skip_blocks(&ahead)) return *status = image_cut_short(g->name, why), false;
    g->at = ahead.at, g->left = 0;
    if (find_frame(&ahead)) return true;
    if (ahead.at < g->size && g->file[ahead.at] == ';') return false;
    *status = ahead.at < g->size ? is_damaged_in_frame(g, "is followed by bytes that are no block", why)
                                 : image_cut_short(g->name, why);
    return false;
}

static int begin_frames(image_series *series, const image_limits *limits, failure *why)
{
    gif *const g = series->state = malloc(sizeof *g);
    if (!g) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", series->name);
    *g = (gif){.name = series->name, .file = series->data, .size = series->size};
    STEP(begin(g, why));
    gif count = *g;
    int status;
    do {
        status = begin_frame(&count, why);
        count.at++;
    } while (!status && goes_on(&count, &status, why));
    series->count = count.number;
    series->width = side(g->file + 6), series->height = side(g->file + 8);
    if (status || series->count == 1) return status;
    return image_check_size(g->name, series->width, series->height, SEVERAL, limits, why);
}

static int take_frame(image_series *series, const image_limits *limits, image *out, failure *why)
{
    gif *const g = series->state;
    (void)limits;
    if (g->number && !skip_blocks(g)) return image_cut_short(g->name, why);
    STEP(next_frame(g, why));
    STEP(image_allocate(g->name, g->canvas.width, g->canvas.height, 4, 8, out, why));
    memcpy(out->pixels, g->canvas.pixels, 4 * (size_t)out->width * (size_t)out->height);
    return EXIT_DONE;
}

/* True if the frame that follows fills the picture, and no pixel of it is transparent. */
static bool fills(const gif *g)
{
    failure ignored;
    gif alone = *g;
    alone.frame = NULL, alone.disposal = 0, alone.canvas = (image){0}, alone.kept = NULL;
    bool filled = (!alone.number || skip_blocks(&alone)) && !next_frame(&alone, &ignored);
    const size_t end = 4 * (size_t)alone.canvas.width * (size_t)alone.canvas.height;
    for (size_t i = 3; filled && i < end; i += 4) filled = alone.canvas.pixels[i] == 255;
    image_free(&alone.canvas);
    free(alone.kept);
    return filled;
}

/* Leaves out the frames before the last one up to `wanted` that has the size of the picture and will not be undone, if
 * that one fills the picture. */
static int64_t skip_frames(image_series *series, int64_t wanted)
{
    gif *const g = series->state;
    gif before = *g, ahead = *g, last = *g;
    failure ignored;
    for (int64_t i = 0; i <= wanted; before = ahead, i++) {
        if ((i && !skip_blocks(&ahead)) || begin_frame(&ahead, &ignored)) break;
        const uint8_t *const frame = ahead.frame, *const whole = g->file + 6;
        if (!memcmp(frame + 5, whole, 4) && ahead.disposal != RESTORE) last = before;
        ahead.at++;
    }
    if (!last.number || !fills(&last)) return 0;
    *g = last;
    g->frame = NULL, g->disposal = 0; /* the frame before is not drawn, so it need not be cleared */
    return last.number;
}

static void end_frames(image_series *series)
{
    gif *const g = series->state;
    if (!g) return;
    image_free(&g->canvas);
    free(g->kept);
    free(g);
}

const image_format image_gif = {
    .name = "GIF",
    .line = "GIF   read          palette, transparency; the first of several frames, or as a volume all",
    .extensions = {"gif"},
    .probe = probe,
    .decode = decode_gif,
    .begin = begin_frames,
    .next = take_frame,
    .skip = skip_frames,
    .end = end_frames,
};
