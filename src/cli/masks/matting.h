/* SPDX-License-Identifier: MIT
 *
 * matting.h - the edge of the cutout: as the mask is, soft within a pixel or two, or matted for hair and fur. Alpha and
 * colours come from the library.
 */
#pragma once

#include "failure.h"
#include "image.h"
#include "options.h"
#include "tilecut.h"

typedef struct matte {
    image alpha;  /* one channel of the photo's depth                                          */
    image colors; /* the photo with object colours where the edge is half-transparent;
                     pixels NULL: not asked for                                                */
} matte;

typedef enum edge_kind {
    EDGE_SOFT,    /* soft over a pixel or two along the cut: tilecut_edge(). The default of a cutout    */
    EDGE_HARD,    /* as the mask is                                */
    EDGE_FEATHER, /* matted in a band as wide as the user says     */
    EDGE_MATTE,   /* matted in a band as wide as the photo requires */
    EDGE_SEEDS    /* matted in everything without a seed           */
} edge_kind;

/* What --edge, --feather and --matte say; {0}: nothing. */
typedef struct edge_style {
    edge_kind kind;
    int radius;        /* of EDGE_FEATHER: pixels on either side of the cut */
    const char *said;  /* the option that chose the edge; NULL: none        */
    const char *again; /* another of the options that was given, too; NULL: none */
} edge_style;

/* Parsers of the three options, into an edge_style. */
option_parser edge_parse, edge_parse_feather, edge_parse_matte;

/* EXIT_USAGE: two of these options were given. */
int edge_check(const edge_style *edge, failure *why);

/* How outlines are drawn: along the edges of pixels, or between their middles, as the soft edge is. */
typedef enum outline_kind { OUTLINE_USUAL, OUTLINE_EXACT, OUTLINE_SMOOTH } outline_kind;

/* Reads "exact" or "smooth" into an outline_kind; an option_parser. */
option_parser outline_parse;

/* EDGE_MOST: the widest that somebody may say. Memory in bytes: a pixel of the photo, to soften, paint and encode; what
 * matting takes besides, and for each pixel of the band. */
enum { EDGE_MOST = 32, EDGE_BYTES = 28, MATTING_BYTES = 62, MATTING_BAND_BYTES = 240 };

typedef struct matting_request {
    const edge_style *edge; /* not EDGE_HARD                     */
    int threads;     /* 0: one                                  */
    bool clean;      /* the object's colours are wanted, too    */
    uint64_t memory; /* bytes that may be used                */
} matting_request;

/* The photo in the form that the library takes, without alpha. *copy: NULL, or memory to be freed. *transparent, which
 * may be NULL: pixels that were not opaque. False: no memory. */
bool matting_opaque(const image *photo, tilecut_image *view, uint8_t **copy, size_t *transparent);

/* matting_opaque() for a cut: with a note about what was not opaque. EXIT_RESOURCES. */
int matting_opaque_noted(const image *photo, const char *name, tilecut_image *view, uint8_t **copy, notes *log,
                         failure *why);

/* A photo with its mask (0 or 255 a pixel) and seeds (TILECUT_UNKNOWN ...). */
typedef struct masked_photo {
    const image *photo;
    const uint8_t *mask, *seeds;
} masked_photo;

/* The alpha of a photo, whose colours without alpha are `opaque`. `*band` becomes the number of pixels in the band.
 * EXIT_RESOURCES: not enough memory; EXIT_SEEDS: EDGE_SEEDS, and a class has no seed; `out` is empty then. */
int matting_make(const masked_photo *of, const tilecut_image *opaque, const matting_request *request, matte *out,
                 int64_t *band, failure *why);
void matte_free(matte *m);
