/* SPDX-License-Identifier: MIT
 *
 * label_seeds.h - seeds of several labels: a label map, a picture or a volume of whole numbers, and strokes with names.
 */
#ifndef CLI_LABEL_SEEDS_H
#define CLI_LABEL_SEEDS_H

#include "failure.h"
#include "image.h"
#include "options.h"
#include "scan.h"
#include "seeds.h"

/* What the command line names. A label is a number from 1 to 255 or a name; names get the least numbers that nothing
 * else has, in their order. */
typedef struct label_request {
    const char *map;          /* the file of a label map; NULL: none                                */
    const option_log *given;  /* --label NAME, each followed by --stroke "X,Y X,Y ..."              */
    double radius;            /* of the brush                                                       */
    const image_limits *limits;
} label_request;

typedef struct label_seeds {
    int width, height, depth; /* of the photo or the volume                                         */
    double scale[3];          /* distances of voxels in units of the least; a photo: 1              */
    uint8_t *value;           /* [voxels] 0: unknown; owned                                         */
    const char *name[256];    /* of a label, from the command line; NULL: it has none               */
    int64_t count[256];       /* pixels by label                                                    */
} label_seeds;

/* Reads the seeds of a photo or, if `volume` is not NULL, of a volume, which is called `name`. EXIT_SEEDS, EXIT_USAGE,
 * EXIT_INPUT, EXIT_RESOURCES. On failure `out` is empty. */
int label_seeds_read(const label_request *request, const image *photo, const scan *volume, const char *name,
                     label_seeds *out, notes *log, failure *why);
void label_seeds_count(label_seeds *s); /* fills in `count` */
void label_seeds_free(label_seeds *s);

#endif
