/* SPDX-License-Identifier: MIT
 *
 * tiff_page.h - reads one page of a TIFF by rows. The page may have strips or tiles, samples side by side or in planes,
 * and any kind of sample that libtiff unpacks. Pictures and slices of stacks are both read through it, so that a file
 * has the same values in both uses.
 */
#pragma once

#include "image_tiff.h"

typedef struct tiff_page {
    tiff_memory *memory;
    TIFF *tiff;
    failure *why;
    uint32_t width, height, kind;
    uint16_t bits, samples, format, photometric, planar, compression, orientation;
    uint32_t across, down;    /* size of a tile; for strips: width of the page, and rows of a strip */
    bool tiled, premultiplied;
    bool converted;           /* true if libtiff converts the page to RGB of 8 bits */
    int colors, alpha;        /* number of colour samples; index of the alpha sample, -1: none */
    int depth;                /* bits of a sample in the delivered rows: as in the file, but at least 8 */
    size_t pixel;             /* bytes of a pixel in the delivered rows: colours, then alpha */
    uint8_t *row;             /* owned: the row or tile that libtiff has unpacked */
    int64_t held;             /* number of the tile in `row`; -1: none */
    int64_t next, plane;      /* for strips: the row that libtiff will read next, and its plane */
} tiff_page;

/* Reads the tags of the current page of `tiff`. EXIT_INPUT: the page cannot be read. Later calls also use `why`. */
int tiff_page_look(tiff_page *page, TIFF *tiff, tiff_memory *memory, failure *why);

/* Prepares reading of rows, and checks that all strips or tiles are within the file. */
int tiff_page_begin(tiff_page *page);

/* Reads rows, packed, in native byte order. Samples of less than 8 bits are scaled to 8, unless they are indices of a
 * palette. If 0 is white in the file, unsigned numbers are inverted. */
int tiff_page_rows(tiff_page *page, int64_t first, int64_t rows, uint8_t *to);

/* Frees the page's memory. The TIFF stays open. */
void tiff_page_end(tiff_page *page);

int tiff_refuse_damaged(const tiff_page *page);

/* True if the page has CMYK or CIELAB of 8 or 16 bits, which tiff_page_colors() converts to RGB. */
bool tiff_page_has_inks(const tiff_page *page);
bool tiff_page_has_lab(const tiff_page *page);

/* Converts `count` delivered pixels in place: CMYK and CIELAB to packed RGB of the same depth, and colours that were
 * multiplied by their alpha to what they were before. All others stay. */
void tiff_page_colors(const tiff_page *page, uint8_t *pixels, size_t count);
