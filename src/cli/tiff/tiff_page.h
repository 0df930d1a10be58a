/* SPDX-License-Identifier: MIT
 *
 * tiff_page.h - one page of a TIFF by rows: of strips and tiles, with samples side by side or in planes, of every kind
 * that libtiff unpacks. Pictures and slices of stacks are read through it, so they have the same values.
 */
#ifndef CLI_TIFF_PAGE_H
#define CLI_TIFF_PAGE_H

#include "image_tiff.h"

typedef struct tiff_page {
    tiff_memory *memory;
    TIFF *tiff;
    failure *why;
    uint32_t width, height, kind;
    uint16_t bits, samples, format, photometric, planar, compression, orientation;
    uint32_t across, down;    /* a tile's size; of strips: the width, and rows of one   */
    bool tiled, premultiplied;
    bool converted;           /* by libtiff, to RGB of 8 bits                           */
    int colors, alpha;        /* samples of colour; the alpha's number, -1: there is none */
    int depth;                /* bits of a sample in rows: those of the file, at least 8 */
    size_t pixel;             /* bytes in rows: colours, and alpha after them           */
    uint8_t *row;             /* owned: what libtiff unpacks into, a row or a tile      */
    int64_t held;             /* the number of the tile that is in there, -1: none      */
    int64_t next, plane;      /* of strips: the row that libtiff is at, and its plane   */
} tiff_page;

/* Reads the tags of the page at which `tiff` is. EXIT_INPUT for what nobody can read. The page keeps `why`. */
int tiff_page_look(tiff_page *page, TIFF *tiff, tiff_memory *memory, failure *why);

/* Makes ready to read rows, and checks that all of them are in the file. */
int tiff_page_begin(tiff_page *page);

/* Rows, packed, in native byte order. Samples of less than 8 bits are scaled to 8, unless they are numbers in a
 * palette. Where 0 is white, whole numbers are turned round. */
int tiff_page_rows(tiff_page *page, int64_t first, int64_t rows, uint8_t *to);

/* Frees what is owned; the TIFF stays open. */
void tiff_page_end(tiff_page *page);

int tiff_refuse_damaged(const tiff_page *page);

/* tiff_colors.c: light of inks (CMYK) and of CIELAB, in place: `count` pixels of four and of three samples become RGB
 * of the same depth, 8 or 16. */
void tiff_light_of_inks(uint8_t *pixels, size_t count, int depth);
void tiff_light_of_lab(uint8_t *pixels, size_t count, int depth, bool icc);

#endif
