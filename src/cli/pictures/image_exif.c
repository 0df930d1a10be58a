/* SPDX-License-Identifier: MIT
 *
 * image_exif.c - reads orientation and density from EXIF, which is a small TIFF file, and the orientation from XMP;
 * turns pictures upright. Any camera or editor may have written them, so nothing in them is trusted: each read is
 * checked against the end.
 */
#include "image_exif.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

/* ---- Parsing ---------------------------------------------------------------------------------- */

enum { ENTRY = 12, SHORT = 3, LONG = 4, RATIONAL = 5, SLONG = 9 };
enum { TAG_ORIENTATION = 0x0112, TAG_XRES = 0x011a, TAG_YRES = 0x011b, TAG_UNIT = 0x0128, TAG_PREVIEW = 0x0201,
       TAG_PREVIEW_SIZE = 0x0202, TAG_EXIF = 0x8769, TAG_MAKER = 0x927c };

typedef struct tiff_data {
    const uint8_t *data;
    size_t size;
    bool big_endian;
} tiff_data;

/* Returns the number of `count` bytes (2 or 4) at `at`. Past the end it is 0, which is not valid in any field that is
 * read here. */
static uint32_t tiff_number(const tiff_data *tiff, size_t at, size_t count)
{
    if (at > tiff->size || tiff->size - at < count) return 0;
    return (uint32_t)(tiff->big_endian ? big_endian(tiff->data + at, count) : little_endian(tiff->data + at, count));
}

static void skip_name(const uint8_t **data, size_t *size)
{
    if (*size < 6 || memcmp(*data, "Exif\0", 5) != 0) return;
    *data += 6;
    *size -= 6;
}

static bool tiff_open_exif(const uint8_t *data, size_t size, tiff_data *tiff)
{
    if (size < 8 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0)) return false;
    *tiff = (tiff_data){data, size, data[0] == 'M'};
    return tiff_number(tiff, 2, 2) == 42;
}

/* Returns the offset of the entry of `tag` in the directory at `directory`; 0 if there is none. */
static size_t find_entry(const tiff_data *tiff, size_t directory, uint32_t tag)
{
    const size_t entries = tiff_number(tiff, directory, 2);
    for (size_t i = 0; i < entries; i++) {
        const size_t at = directory + 2 + i * ENTRY;
        if (at > tiff->size || tiff->size - at < ENTRY) break;
        if (tiff_number(tiff, at, 2) == tag) return at;
    }
    return 0;
}

/* 0: it says none. */
static int orientation_of_exif(const uint8_t *data, size_t size)
{
    tiff_data tiff;
    skip_name(&data, &size);
    if (!tiff_open_exif(data, size, &tiff)) return 0;
    const size_t at = find_entry(&tiff, tiff_number(&tiff, 4, 4), TAG_ORIENTATION);
    if (!at) return 0;
    const uint32_t type = tiff_number(&tiff, at + 2, 2); /* the type should be SHORT, but some editors write LONG or
                                                            SLONG */
    const uint32_t value = tiff_number(&tiff, at + 8, type == SHORT ? 2 : 4);
    const bool sound = (type == SHORT || type == LONG || type == SLONG) && tiff_number(&tiff, at + 4, 4) == 1;
    return sound && value >= 1 && value <= 8 ? (int)value : 0;
}

static size_t skip_blanks(const uint8_t *text, size_t size, size_t at)
{
    while (at < size && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
    return at;
}

/* Reads the orientation from XMP, which is XML: tiff:Orientation="6" or <tiff:Orientation>6</tiff:Orientation>. Returns
 * 0 if there is none. */
static int orientation_of_xmp(const uint8_t *text, size_t size)
{
    static const char word[] = "tiff:Orientation";
    const size_t length = sizeof word - 1;
    for (size_t i = 0; i + length < size; i++) {
        if (text[i] != 't' || memcmp(text + i, word, length) != 0) continue;
        size_t at = skip_blanks(text, size, i + length);
        const bool attribute = at < size && text[at] == '=';
        if (attribute) at = skip_blanks(text, size, at + 1);
        if (at >= size || (attribute ? text[at] != '"' && text[at] != '\'' : text[at] != '>')) continue;
        const uint8_t ends = attribute ? text[at] : '<';
        at = skip_blanks(text, size, at + 1);
        const size_t behind = skip_blanks(text, size, at + 1);
        if (behind < size && text[behind] == ends && text[at] >= '1' && text[at] <= '8') return text[at] - '0';
    }
    return 0;
}

int exif_orientation(const uint8_t *exif, size_t exif_size, const uint8_t *xmp, size_t xmp_size)
{
    int found = orientation_of_exif(exif, exif_size);
    if (!found) found = orientation_of_xmp(xmp, xmp_size);
    return found ? found : 1;
}

uint32_t density_of(double value, int unit)
{
    const double metre = unit == 2 ? value / 0.0254 : unit == 3 ? value * 100 : 0;
    return metre >= 1 && metre <= INT32_MAX ? (uint32_t)(metre + 0.5) : 0;
}

static double rational_at(const tiff_data *tiff, size_t entry)
{
    const size_t at = tiff_number(tiff, entry + 8, 4);
    const uint32_t below = tiff_number(tiff, at + 4, 4);
    if (!entry || tiff_number(tiff, entry + 2, 2) != RATIONAL || !below) return 0;
    return (double)tiff_number(tiff, at, 4) / below;
}

/* ---- Keeping ---------------------------------------------------------------------------------- */

static void blank(uint8_t *data, size_t size, size_t at, size_t count)
{
    if (at >= 8 && at < size) memset(data + at, 0, count < size - at ? count : size - at);
}

/* Removes the entry at `at` from the directory at `directory`, and moves the later entries forward. Does nothing if the
 * directory has become too short for that entry, which may happen where a removed preview overlapped it. */
static void remove_entry(const tiff_data *tiff, uint8_t *data, size_t directory, size_t at)
{
    const uint32_t entries = tiff_number(tiff, directory, 2), left = entries - 1;
    const size_t whole = directory + 2 + (size_t)entries * ENTRY + 4, end = whole < tiff->size ? whole : tiff->size;
    if (!entries || end < at + ENTRY) return;
    memmove(data + at, data + at + ENTRY, end - at - ENTRY);
    data[directory + !tiff->big_endian] = (uint8_t)(left >> 8);
    data[directory + tiff->big_endian] = (uint8_t)left;
}

/* Removes the preview, which is in the second directory, and the maker notes, which may contain more previews. */
static void take_out_previews(const tiff_data *tiff, uint8_t *data)
{
    const size_t first = tiff_number(tiff, 4, 4), next = first + 2 + (size_t)tiff_number(tiff, first, 2) * ENTRY;
    const size_t second = tiff_number(tiff, next, 4), preview = find_entry(tiff, second, TAG_PREVIEW);
    const size_t length = find_entry(tiff, second, TAG_PREVIEW_SIZE), link = find_entry(tiff, first, TAG_EXIF);
    const size_t exif = link ? tiff_number(tiff, link + 8, 4) : 0, maker = exif ? find_entry(tiff, exif, TAG_MAKER) : 0;
    if (second && preview && length)
        blank(data, tiff->size, tiff_number(tiff, preview + 8, 4), tiff_number(tiff, length + 8, 4));
    if (maker && tiff_number(tiff, maker + 4, 4) > 4)
        blank(data, tiff->size, tiff_number(tiff, maker + 8, 4), tiff_number(tiff, maker + 4, 4));
    if (maker) remove_entry(tiff, data, exif, maker);
    if (second) blank(data, tiff->size, second, 2 + (size_t)tiff_number(tiff, second, 2) * ENTRY + 4);
    if (second) blank(data, tiff->size, next, 4);
}

int exif_keep(const char *name, const uint8_t *data, size_t size, image *picture, failure *why)
{
    enum { MOST = 1 << 20 };
    tiff_data tiff;
    skip_name(&data, &size);
    if (size > MOST || picture->exif || !tiff_open_exif(data, size, &tiff)) return EXIT_DONE;
    if (image_keep(name, data, size, &picture->exif, &picture->exif_size, why)) return why->status;
    tiff.data = picture->exif;
    take_out_previews(&tiff, picture->exif);
    const size_t first = tiff_number(&tiff, 4, 4), unit = find_entry(&tiff, first, TAG_UNIT);
    const int inches = unit ? (int)tiff_number(&tiff, unit + 8, 2) : 2;
    if (picture->density[0]) return EXIT_DONE;
    picture->density[0] = density_of(rational_at(&tiff, find_entry(&tiff, first, TAG_XRES)), inches);
    picture->density[1] = density_of(rational_at(&tiff, find_entry(&tiff, first, TAG_YRES)), inches);
    if (!picture->density[0] || !picture->density[1]) picture->density[0] = picture->density[1] = 0;
    return EXIT_DONE;
}

void exif_set_upright(image *picture)
{
    tiff_data tiff;
    if (!picture->exif || !tiff_open_exif(picture->exif, picture->exif_size, &tiff)) return;
    const size_t at = find_entry(&tiff, tiff_number(&tiff, 4, 4), TAG_ORIENTATION);
    if (!at) return;
    picture->exif[at + 2 + !tiff.big_endian] = 0;
    picture->exif[at + 2 + tiff.big_endian] = SHORT;
    picture->exif[at + 8 + !tiff.big_endian] = 0;
    picture->exif[at + 8 + tiff.big_endian] = 1;
}

/* ---- Turning ---------------------------------------------------------------------------------- */

/* Where the upright pixel (x, y) is in the stored picture: at start + x * step_x + y * step_y, in pixels. */
typedef struct turning {
    ptrdiff_t start, step_x, step_y;
    int width, height; /* upright */
} turning;

/* An orientation says where row 0 and column 0 of the stored image belong: 1 top left, 2 top right, 3 bottom right, 4
 * bottom left, 5 left top, 6 right top, 7 right bottom, 8 left bottom. */
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

/* Turns the pixels in square blocks, so that reads or writes across rows stay in the cache. It is inlined with a
 * constant `size`, so a pixel is one load and one store. */
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
    picture->place = (georeference){.placed = false};
    if (orientation > 4) {
        const uint32_t across = picture->density[0];
        picture->density[0] = picture->density[1];
        picture->density[1] = across;
    }
    exif_set_upright(picture);
    return EXIT_DONE;
}
