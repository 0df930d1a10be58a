/* SPDX-License-Identifier: MIT
 *
 * tiff_axes.h - finds out if the pages of a TIFF are slices, channels or points in time, from the description of the
 * first page as ImageJ, OME and tifffile write it.
 */
#pragma once

#include "scan.h"

typedef struct tiff_axes {
    const char *by;      /* the program that wrote the description, such as "ImageJ"; NULL: unknown, and pages are
                            slices */
    int64_t channels, slices, moments;
    char order[4];       /* such as "CZT": from page to page, the first axis changes fastest */
    int64_t *page;       /* [planes in the order of the axes] the page of each plane, -1: missing; NULL: the pages are
                            in order; owned */
    double spacing[3];   /* all 0: not said  */
    char doubt[120];     /* text of a note, or empty */
} tiff_axes;

/* Reads the description `text`, which may be NULL, of a stack of `pages` pages. Call tiff_axes_free() afterwards, also
 * on failure. EXIT_INPUT: the description does not fit the pages, or does not say what they are. */
int tiff_axes_read(const char *name, const char *text, int64_t pages, tiff_axes *out, failure *why);
void tiff_axes_free(tiff_axes *axes);

/* Returns the page of slice z in a channel at a point in time, all counted from 0; -1 if the file has none. */
int64_t tiff_axes_page(const tiff_axes *axes, int64_t channel, int64_t z, int64_t moment);

/* Does tiff_axes_read() for a description by OME; in tiff_axes_ome.c. */
int tiff_axes_ome(const char *name, const char *text, int64_t pages, tiff_axes *out, failure *why);
