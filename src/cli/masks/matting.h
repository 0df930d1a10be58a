/* SPDX-License-Identifier: MIT
 *
 * matting.h - the soft edge for hair and fur: alpha and colours by the library's matting, in a band that it finds
 * itself, or in everything without a seed.
 */
#ifndef CLI_MATTING_H
#define CLI_MATTING_H

#include "matte.h"
#include "tilecut.h"

typedef enum matting_band {
    MATTING_OFF,
    MATTING_PLAIN, /* a pixel or two along the cut: tilecut_edge() */
    MATTING_AUTO, /* a band along the cut, as wide as the photo requires */
    MATTING_SEEDS /* everything without a seed                    */
} matting_band;

/* Reads "auto" or "seeds" into a matting_band; an option_parser. */
const char *matting_parse(const char *text, void *field);

/* Reads "hard", "soft" or "matte", which are MATTING_OFF, _PLAIN and _AUTO; an option_parser. */
const char *matting_parse_edge(const char *text, void *field);

/* Memory that it needs: bytes per pixel of the photo, and per pixel of the band. */
enum { MATTING_BYTES = 62, MATTING_BAND_BYTES = 240 };

typedef struct matting_request {
    matting_band band;
    int threads;     /* 0: one                                  */
    bool clean;      /* colours, too                            */
    uint64_t memory; /* bytes that may be used                */
} matting_request;

/* The photo in the form that the library takes, without alpha. *copy: NULL, or memory to be freed. *transparent, which
 * may be NULL: pixels that were not opaque. False: no memory. */
bool matting_opaque(const image *photo, tilecut_image *view, uint8_t **copy, size_t *transparent);

/* matting_opaque() for a cut: with a note about what was not opaque. EXIT_RESOURCES. */
int matting_opaque_noted(const image *photo, const char *name, tilecut_image *view, uint8_t **copy, notes *log,
                         failure *why);

/* Alpha of `photo`, whose colours without alpha are `opaque`, for a mask (0 or 255) and seeds (TILECUT_UNKNOWN ...).
 * `*band` becomes the number of pixels in the band. EXIT_RESOURCES: not enough memory; EXIT_SEEDS: MATTING_SEEDS, and
 * a class has no seed; `out` is empty then. */
int matting_make(const image *photo, const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds,
                 const matting_request *request, matte *out, int64_t *band, failure *why);

#endif
