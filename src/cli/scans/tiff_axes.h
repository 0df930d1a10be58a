/* SPDX-License-Identifier: MIT
 *
 * tiff_axes.h - what the pages of a TIFF are, as the description of the first one says: slices, channels or moments.
 * ImageJ, OME and tifffile write such descriptions.
 */
#ifndef CLI_TIFF_AXES_H
#define CLI_TIFF_AXES_H

#include "scan.h"

typedef struct tiff_axes {
    const char *by;      /* who says so, "ImageJ"; NULL: nobody, and pages are slices */
    int64_t channels, slices, moments;
    char order[4];       /* "CZT": from page to page the first of these changes fastest */
    int64_t *page;       /* of each of them in that order, -1: none; NULL: they follow each other; owned */
    double spacing[3];   /* all 0: not said  */
    char doubt[120];     /* for a note, or empty */
} tiff_axes;

/* Of a stack of so many pages; `text` may be NULL. tiff_axes_free() in any case. EXIT_INPUT: the description does not
 * fit, or does not say what the pages are. */
int tiff_axes_read(const char *name, const char *text, int64_t pages, tiff_axes *out, failure *why);
void tiff_axes_free(tiff_axes *axes);

/* The page of slice z in a channel at a moment, all from 0 on; -1: the file has none. */
int64_t tiff_axes_page(const tiff_axes *axes, int64_t channel, int64_t z, int64_t moment);

/* tiff_axes_ome.c: of an OME description. */
int tiff_axes_ome(const char *name, const char *text, int64_t pages, tiff_axes *out, failure *why);

#endif
