/* SPDX-License-Identifier: MIT
 *
 * matting.h - the edge of the cutout: hard as the mask is, soft within a pixel or two, or matted for hair and fur. The
 * library computes alpha and colours.
 */
#pragma once

#include "failure.h"
#include "image.h"
#include "options.h"
#include "tilecut.h"

typedef struct matte {
    image alpha;  /* one channel with the photo's depth */
    /* the photo with the object's colours where the edge is half-transparent; pixels NULL: not asked for */
    image colors;
} matte;

typedef enum edge_kind {
    EDGE_SOFT,    /* soft over a pixel or two along the cut: tilecut_edge(); the default for a cutout */
    EDGE_HARD,    /* exactly the mask                            */
    EDGE_FEATHER, /* matted in a band whose width the user gives */
    EDGE_MATTE,   /* matted in a band whose width depends on the photo */
    EDGE_SEEDS    /* matted wherever there is no seed */
} edge_kind;

/* The values of --edge, --feather and --matte; {0}: none was given. */
typedef struct edge_style {
    edge_kind kind;
    int radius;        /* EDGE_FEATHER: pixels on either side of the cut */
    const char *said;  /* the option that chose the edge; NULL: none     */
    const char *again; /* another option about the edge, given after it; NULL: none */
} edge_style;

/* Parse the values of --edge, --feather and --matte into an edge_style. */
option_parser edge_parse, edge_parse_feather, edge_parse_matte;

/* Returns EXIT_USAGE if more than one of --edge, --feather and --matte was given. */
int edge_check(const edge_style *edge, failure *why);

/* How outlines are drawn: exactly along the edges of pixels, or smoothly through pixels, as the soft edge runs. */
typedef enum outline_kind { OUTLINE_USUAL, OUTLINE_EXACT, OUTLINE_SMOOTH } outline_kind;

/* Reads "exact" or "smooth" into an outline_kind; an option_parser. */
option_parser outline_parse;

enum { EDGE_MOST = 32 }; /* the widest band that the user may give, in pixels */

typedef struct matting_request {
    const edge_style *edge; /* must not be EDGE_HARD */
    int threads;     /* 0: one thread                     */
    bool clean;      /* true: also compute the object's colours */
    uint64_t memory; /* bytes that may be used */
} matting_request;

/* Makes a view of the photo without alpha, in the library's form. *copy becomes NULL, or memory that the caller
 * frees. *transparent, which may be NULL, becomes the number of pixels that are not opaque. Returns false if
 * memory runs out. */
bool matting_opaque(const image *photo, tilecut_image *view, uint8_t **copy, size_t *transparent);

/* Calls matting_opaque(), and adds a note if some pixels are not opaque. EXIT_RESOURCES: no memory. */
int matting_opaque_noted(const image *photo, const char *name, tilecut_image *view, uint8_t **copy, notes *log,
                         failure *why);

/* A photo with its mask (0 or 255 per pixel) and seeds (TILECUT_UNKNOWN ...). */
typedef struct masked_photo {
    const image *photo;
    const uint8_t *mask, *seeds;
} masked_photo;

/* Computes the alpha of a photo; `opaque` is the photo without its own alpha. *band becomes the number of pixels
 * in the band. EXIT_RESOURCES: not enough memory; EXIT_SEEDS: EDGE_SEEDS, and a class has no seed. After a
 * failure *out is empty. */
int matting_make(const masked_photo *of, const tilecut_image *opaque, const matting_request *request, matte *out,
                 int64_t *band, failure *why);
void matte_free(matte *m);
