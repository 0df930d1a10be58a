/* SPDX-License-Identifier: MIT
 *
 * label_seeds.h - seeds of several labels: a label map, which is a picture or a volume of whole numbers; shapes with
 * labels; and strokes with names.
 */
#pragma once

#include "failure.h"
#include "image.h"
#include "label_legend.h"
#include "options.h"
#include "scan.h"
#include "seeds.h"

/* The seeds that the command line names. A label is a number from 1 to 254 or a name. Names get the smallest free
 * numbers in their order: first the names in a file of shapes, then those on the command line. */
typedef struct label_request {
    const char *before;       /* label map to correct or refine, which gives no seeds; NULL: none */
    const char *map;          /* file of a label map or of shapes; NULL: none */
    const char *legend;       /* file with names and colours; NULL: none      */
    const label_legend *known; /* names and colours from other maps; NULL: none */
    const option_log *given;  /* each --label NAME, followed by its --stroke "X,Y X,Y ..." */
    double radius;            /* radius of the brush in pixels                             */
    const image_limits *limits;
    scan_shape shape;         /* how to read a map without a header, for a volume; all 0: there is no such map */
    const georeference *place; /* where the photo lies on earth; NULL: unknown */
} label_request;

typedef struct label_seeds {
    int width, height, depth; /* size of the photo or the volume                                         */
    double scale[3];          /* spacing of voxels along x, y, z, divided by the smallest; 1 for a photo */
    uint8_t *value;           /* for each voxel, the label of its seed; 0: unknown; owned                */
    /* the label map to correct, a byte per voxel, 0 for no label; owned; NULL: there is no map */
    uint8_t *before;
    label_legend legend;      /* names and colours                                                       */
    bool taken[256];          /* numbers that a name may not get                                         */
    bool shapes;              /* true: `value` comes from a file of shapes, which usually has no background */
    int64_t count[256];       /* number of pixels of each label, in `value` and `before` together */
} label_seeds;

static inline size_t label_seeds_pixels(const label_seeds *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

/* Reads the seeds of a photo or a volume, whose path is `path`. EXIT_SEEDS, EXIT_USAGE, EXIT_INPUT, EXIT_RESOURCES.
 * After a failure `out` is empty. */
int label_seeds_read(const label_request *request, const image *photo, const scan *volume, const char *path,
                     label_seeds *out, notes *log, failure *why);

/* Finds the number of a label: `name` itself if it is a number; otherwise the number of that name, which is the next
 * free one if the name is new. `file` is the name of the file that has the label, for messages; NULL: it is of --label.
 * EXIT_SEEDS with a file, otherwise EXIT_USAGE. */
int label_number(label_seeds *of, const char *file, const char *name, uint8_t *number, failure *why);

/* Draws the shapes in the text of an annotation file: areas and strokes, each with the number of its label. Where two
 * labels overlap, the one that comes later in the file gets the pixel. EXIT_SEEDS: boxes, shapes without a label,
 * another size. Returns EXIT_INPUT or EXIT_RESOURCES on failure. */
int label_shapes_read(const label_request *request, const bytes *text, const char *photo, label_seeds *out, notes *log,
                      failure *why);

void label_seeds_count(label_seeds *s); /* fills in `count` */

/* Makes each connected component of a label's seeds a label of its own, in order from the top. The background stays as
 * it is. Names become "cup 1", "cup 2". EXIT_SEEDS: more than 253 components. Returns EXIT_RESOURCES if memory runs
 * out. */
int label_seeds_split(label_seeds *of, int background, const char *name, failure *why);

/* Returns the number of the background: 0 if a map to correct or refine has 0; else the first label with seeds whose
 * name means background in annotation files; else the smallest label. */
int label_seeds_background(const label_seeds *s);

/* Adds a note if a label from a file of shapes is the background only because it is the smallest. */
void label_seeds_note_background(const label_seeds *s, const char *name, notes *log);
void label_seeds_free(label_seeds *s);
