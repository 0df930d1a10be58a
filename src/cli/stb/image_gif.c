/* SPDX-License-Identifier: MIT
 *
 * image_gif.c - GIF (89a) through stb_image. stb_image fills missing pixels with the background colour. So before
 * stb_image is called, the blocks of the file are checked and its pixels counted.
 */
#include <string.h>

#include "image_stb.h"
#include "numbers.h"

/* STB_GIF is the number of bytes that stb_image takes for each pixel. */
enum { HEADER = 13, FRAME = 10, CODES = 4096, STB_GIF = 9 };

typedef struct walk {
    const uint8_t *file;
    size_t size, at;
    const uint8_t *frame; /* the first one's header */
    /* The next fields are for reading codes from the blocks of a frame. */
    size_t left;     /* bytes of the current block that are still unread */
    uint32_t bits;
    int count;
} walk;

static size_t palette_bytes(uint8_t flags)
{
    return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

/* Returns the next code of `width` bits, or -1 if the blocks or the file have ended. */
static int next_code(walk *w, int width)
{
    while (w->count < width) {
        while (!w->left) {
            if (w->at >= w->size || !w->file[w->at]) return -1;
            w->left = w->file[w->at++];
        }
        if (w->at >= w->size) return -1;
        w->bits |= (uint32_t)w->file[w->at++] << w->count;
        w->left--;
        w->count += 8;
    }
    const int code = (int)(w->bits & ((1u << width) - 1));
    w->bits >>= width;
    w->count -= width;
    return code;
}

/* Counts the pixels that the codes of a frame produce, up to `enough`. Returns 0 if the codes are damaged. */
static uint64_t count_pixels(walk *w, int least, uint64_t enough)
{
    uint32_t length[CODES];
    uint64_t pixels = 0;
    const int clear = 1 << least;
    int next = clear + 2, width = least + 1, before = -1;
    for (int i = 0; i < clear; i++) length[i] = 1;
    while (pixels < enough) {
        const int code = next_code(w, width);
        if (code < 0 || code == clear + 1) break;
        if (code == clear) {
            next = clear + 2, width = least + 1, before = -1;
            continue;
        }
        const uint32_t longer = before < 0 ? 0 : length[before] + 1;
        if (code > next || (code == next && !longer)) return 0;
        pixels += code < next ? length[code] : longer;
        if (longer && next < CODES) length[next++] = longer;
        if (next == 1 << width && width < 12) width++;
        before = code;
    }
    return pixels;
}

/* Skips the remaining blocks. Returns false if the file ends before they do. */
static bool skip_blocks(walk *w)
{
    w->at += w->left;
    w->left = 0;
    while (w->at < w->size && w->file[w->at]) w->at += (size_t)w->file[w->at] + 1;
    return w->at++ < w->size;
}

/* Moves to the next frame. Returns false if there is none, or at a graphic control block whose size is not 4: readers
 * do not agree on what follows that. */
static bool find_frame(walk *w)
{
    while (w->at < w->size && w->file[w->at] == '!') {
        if (w->at + 2 < w->size && w->file[w->at + 1] == 0xf9 && w->file[w->at + 2] != 4) return false;
        w->at += 2;
        if (!skip_blocks(w)) return false;
    }
    return w->at + FRAME < w->size && w->file[w->at] == ',';
}

static uint32_t side(const uint8_t *at) { return (uint32_t)little_endian(at, 2); }

static int is_damaged(const char *name, const char *how, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is a damaged GIF (%s); save or copy it again", name, how);
}

/* Checks that the first frame is complete and lies in the picture. */
static int check_frame(walk *w, const char *name, failure *why)
{
    if (!find_frame(w))
        return w->at < w->size && w->file[w->at] == '!'
                   ? is_damaged(name, "a graphic control block does not have 4 bytes", why)
                   : image_cut_short(name, why);
    const uint8_t *const frame = w->frame = w->file + w->at;
    const uint64_t pixels = (uint64_t)side(frame + 5) * side(frame + 7);
    if (!pixels) return is_damaged(name, "its first frame is empty", why);
    if (side(frame + 1) + side(frame + 5) > side(w->file + 6) || side(frame + 3) + side(frame + 7) > side(w->file + 8))
        return is_damaged(name, "its first frame lies outside of the picture", why);
    w->at += FRAME + palette_bytes(frame[9]);
    if (w->at >= w->size) return image_cut_short(name, why);
    const int least = w->file[w->at++];
    const uint64_t found = least >= 1 && least <= 11 ? count_pixels(w, least, pixels) : 0;
    if (found >= pixels) return EXIT_DONE;
    if (w->at >= w->size) return image_cut_short(name, why);
    return is_damaged(name, found ? "picture data is missing" : "its codes make no sense", why);
}

/* Makes the picture transparent outside of the frame, as browsers do. stb_image fills it with the background colour
 * unless that is colour 0, and swaps red and blue there. */
static void clear_outside(const uint8_t *frame, image *picture)
{
    const uint32_t left = side(frame + 1), top = side(frame + 3), right = left + side(frame + 5);
    const uint32_t width = (uint32_t)picture->width, height = (uint32_t)picture->height, below = top + side(frame + 7);
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *const row = picture->pixels + (size_t)y * width * 4;
        const bool within = y >= top && y < below;
        memset(row, 0, (size_t)4 * (within ? left : width));
        if (within) memset(row + (size_t)4 * right, 0, (size_t)4 * (width - right));
    }
}

/* Drops alpha where it is not needed. stb_image always makes alpha; image_simplify() drops it only if it is 0
 * everywhere. */
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

static bool probe(const uint8_t *file, size_t size)
{
    return size >= 6 && (!memcmp(file, "GIF87a", 6) || !memcmp(file, "GIF89a", 6));
}

static int decode_gif(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *log, failure *why)
{
    walk w = {.file = file, .size = size, .at = HEADER};
    if (size < HEADER) return image_cut_short(name, why);
    w.at += palette_bytes(file[10]);
    int status = image_check_size(name, side(file + 6), side(file + 8), STB_GIF, limits, why);
    if (!status) status = check_frame(&w, name, why);
    if (!status) status = stb_load(name, "GIF", file, size, out, why);
    if (status || !w.frame) return status;
    clear_outside(w.frame, out);
    simplify(out);
    if (skip_blocks(&w) && find_frame(&w)) note(log, "%s: has more than one frame; the first one is read", name);
    return EXIT_DONE;
}

const image_format image_gif = {
    .name = "GIF",
    .line = "GIF   read          palette, transparency; the first of several frames",
    .extensions = {"gif"},
    .probe = probe,
    .decode = decode_gif,
};
