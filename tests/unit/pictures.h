/* SPDX-License-Identifier: MIT
 *
 * pictures.h - makes files for the tests of readers. libpng and libjpeg write them, with features that our own writers
 * never use. Also checks that damaged files are refused.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "image.h"

uint32_t picture_random(uint32_t *state); /* *state must not be 0 */

/* ---- PNG ---- */

typedef struct png_recipe {
    int width, height, color_type, depth;
    bool interlaced;
    const uint8_t *rows;      /* rows packed as in the file: whole bytes, 16-bit samples big-endian */
    const uint8_t (*palette)[3];
    int entries;
    const uint8_t *alpha;     /* alpha of the first palette entries */
    int alphas;
    bool key;                 /* true if key_color is transparent */
    uint16_t key_color[4];    /* the transparent colour; grey images use the first value */
    const uint8_t *exif, *icc;
    int exif_size, icc_size;
} png_recipe;

bytes picture_png(const png_recipe *recipe);
int picture_png_row_bytes(int color_type, int depth, int width);

/* ---- JPEG ---- */

typedef struct jpeg_recipe {
    int width, height, components; /* components is 1, 3, or 4 for CMYK */
    const uint8_t *pixels;
    int quality;                   /* quality from 1 to 100; 0 means 95 */
    bool progressive, arithmetic, subsampled;
    const uint8_t *app1;           /* contents of an APP1 segment, or NULL */
    int app1_size;
    const uint8_t *icc;
    int icc_size;
} jpeg_recipe;

bytes picture_jpeg(const jpeg_recipe *recipe);

/* Writes EXIF with other entries before and after the orientation into `out`, which has 64 bytes. Returns its size. */
int picture_exif(int orientation, bool big_endian, bool with_name, uint8_t *out);
/* A colour profile that libpng accepts: a header and one tag of noise. `space` is "RGB " or "GRAY". */
enum { PICTURE_ICC_SIZE = 400 };
void picture_icc(const char *space, uint8_t out[PICTURE_ICC_SIZE]);

/* ---- What has to hold ---- */

/* Decodes a copy of the file in memory of exactly this size, so that sanitizers see reads past its end. */
int picture_decode(const bytes *file, size_t size, image *out, failure *why);
/* Checks that decoding gives this status and one line of text, and leaves the image empty. */
void picture_must_fail(const bytes *file, int status, const char *text_part);
/* Checks that the file is refused when it is cut off anywhere before `end`. */
void picture_must_not_be_cut(const bytes *file, size_t end);
/* Changes random bytes and decodes; the file may be read or refused, but nothing else may happen. */
void picture_must_survive(const bytes *file, uint32_t seed, int rounds);
