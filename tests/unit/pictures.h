/* SPDX-License-Identifier: MIT
 *
 * pictures.h - files made for the tests of reading: by libpng and libjpeg themselves, with what our own writing
 * never produces; and what every damaged file has to survive.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "image.h"

uint32_t picture_random(uint32_t *state); /* state: any but 0 */

/* ---- PNG ---- */

typedef struct png_recipe {
    int width, height, color_type, depth;
    bool interlaced;
    const uint8_t *rows;      /* packed as in the file: rows of whole bytes, 16 bits big-endian */
    const uint8_t (*palette)[3];
    int entries;
    const uint8_t *alpha;     /* of the first palette entries */
    int alphas;
    bool key;                 /* a transparent colour: */
    uint16_t key_color[4];    /* grey is the first */
    const uint8_t *exif, *icc;
    int exif_size, icc_size;
} png_recipe;

bytes picture_png(const png_recipe *recipe);
int picture_png_row_bytes(int color_type, int depth, int width);

/* ---- JPEG ---- */

typedef struct jpeg_recipe {
    int width, height, components; /* 1, 3, or 4: CMYK */
    const uint8_t *pixels;
    int quality;                   /* 0: 95 */
    bool progressive, arithmetic, subsampled;
    const uint8_t *app1;           /* a segment, or NULL */
    int app1_size;
    const uint8_t *icc;
    int icc_size;
} jpeg_recipe;

bytes picture_jpeg(const jpeg_recipe *recipe);

/* EXIF with other entries before and after the orientation, into `out` of 64 bytes. Its size. */
int picture_exif(int orientation, bool big_endian, bool with_name, uint8_t *out);
/* A profile libpng accepts: a header and one tag of noise. `space` is "RGB " or "GRAY". */
enum { PICTURE_ICC_SIZE = 400 };
void picture_icc(const char *space, uint8_t out[PICTURE_ICC_SIZE]);

/* ---- What has to hold ---- */

/* Decodes a copy that ends where its memory ends. */
int picture_decode(const bytes *file, size_t size, image *out, failure *why);
/* The status, with one line of text, and nothing left in the image. */
void picture_must_fail(const bytes *file, int status, const char *text_part);
/* Cut anywhere before `end`, it fails. */
void picture_must_not_be_cut(const bytes *file, size_t end);
/* Changes random bytes; the file must then be read or refused, and nothing else may happen. */
void picture_must_survive(const bytes *file, uint32_t seed, int rounds);
