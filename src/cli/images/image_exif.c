/* SPDX-License-Identifier: MIT
 *
 * image_exif.c - reads the orientation out of EXIF, which is a TIFF file in small, and applies it. Written by
 * whatever camera or editor, so nothing in it is trusted: each read is checked against the end.
 */
#include "image_exif.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parsing ---------------------------------------------------------------------------------- */

typedef struct tiff_data {
    const uint8_t *data;
    size_t size;
    bool big_endian;
} tiff_data;

/* `count` bytes (2 or 4) at `at`; 0 past the end, which no field looked for here may be. */
static uint32_t tiff_number(const tiff_data *tiff, size_t at, size_t count)
{
    uint32_t value = 0;
    if (at > tiff->size || tiff->size - at < count) return 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | tiff->data[at + (tiff->big_endian ? i : count - 1 - i)];
    return value;
}

int exif_orientation(const uint8_t *data, size_t size)
{
    enum { ORIENTATION = 0x0112, SHORT = 3, ENTRY = 12 };
    if (size >= 6 && memcmp(data, "Exif\0", 5) == 0) {
        data += 6;
        size -= 6;
    }
    if (size < 8 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0)) return 1;
    const tiff_data tiff = {data, size, data[0] == 'M'};
    if (tiff_number(&tiff, 2, 2) != 42) return 1;
    const size_t directory = tiff_number(&tiff, 4, 4);
    const size_t entries = tiff_number(&tiff, directory, 2);
    for (size_t i = 0; i < entries; i++) {
        const size_t at = directory + 2 + i * ENTRY;
        if (at >= size) break;
        if (tiff_number(&tiff, at, 2) != ORIENTATION) continue;
        const uint32_t value = tiff_number(&tiff, at + 8, 2);
        const bool sound = tiff_number(&tiff, at + 2, 2) == SHORT && tiff_number(&tiff, at + 4, 4) == 1;
        return sound && value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

/* ---- Turning ---------------------------------------------------------------------------------- */

/* Where the upright pixel (x, y) is stored: start + x * step_x + y * step_y, in pixels of the stored image. */
typedef struct turning {
    ptrdiff_t start, step_x, step_y;
    int width, height; /* upright */
} turning;

/* Orientation n names where row 0 and column 0 of the stored image belong: 1 top left, 2 top right,
 * 3 bottom right, 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8 left bottom. */
static turning turn_of(int orientation, int width, int height)
{
    const ptrdiff_t w = width, last_x = w - 1, last_y = (ptrdiff_t)(height - 1) * w;
    switch (orientation) {
    case 2: return (turning){last_x, -1, w, width, height};
    case 3: return (turning){last_y + last_x, -1, -w, width, height};
    case 4: return (turning){last_y, 1, -w, width, height};
    case 5: return (turning){0, w, 1, height, width};
    case 6: return (turning){last_y, -w, 1, height, width};
    case 7: return (turning){last_y + last_x, -w, -1, height, width};
    case 8: return (turning){last_x, w, -1, height, width};
    default: return (turning){0, 1, w, width, height};
    }
}

/* In square blocks, so that the strided side stays in the cache. Inlined with `size` a constant, so that a
 * pixel is a load and a store. */
static inline void turn_pixels(const turning *turn, size_t size, const uint8_t *from, uint8_t *to)
{
    enum { BLOCK = 32 };
    const int width = turn->width, height = turn->height;
    for (int top = 0; top < height; top += BLOCK)
        for (int left = 0; left < width; left += BLOCK) {
            const int bottom = top + BLOCK < height ? top + BLOCK : height;
            const int right = left + BLOCK < width ? left + BLOCK : width;
            for (int y = top; y < bottom; y++)
                for (int x = left; x < right; x++) {
                    const ptrdiff_t source = turn->start + x * turn->step_x + y * turn->step_y;
                    const ptrdiff_t target = (ptrdiff_t)y * width + x;
                    memcpy(to + target * (ptrdiff_t)size, from + source * (ptrdiff_t)size, size);
                }
        }
}

static bool turn_plane(const turning *turn, size_t size, uint8_t **plane)
{
    uint8_t *const to = malloc((size_t)turn->width * (size_t)turn->height * size);
    if (!to) return false;
    switch (size) {
    case 1: turn_pixels(turn, 1, *plane, to); break;
    case 2: turn_pixels(turn, 2, *plane, to); break;
    case 3: turn_pixels(turn, 3, *plane, to); break;
    case 4: turn_pixels(turn, 4, *plane, to); break;
    case 6: turn_pixels(turn, 6, *plane, to); break;
    default: turn_pixels(turn, 8, *plane, to); break;
    }
    free(*plane);
    *plane = to;
    return true;
}

int image_orient(const char *name, int orientation, const image_limits *limits, image *picture, failure *why)
{
    picture->orientation = orientation;
    if (orientation == 1 || limits->exif_ignore) return EXIT_DONE;
    const turning turn = turn_of(orientation, picture->width, picture->height);
    if (!turn_plane(&turn, (size_t)picture->channels * (size_t)(picture->depth / 8), &picture->pixels) ||
        (picture->index && !turn_plane(&turn, 1, &picture->index)))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to turn it upright", name);
    picture->width = turn.width;
    picture->height = turn.height;
    return EXIT_DONE;
}
