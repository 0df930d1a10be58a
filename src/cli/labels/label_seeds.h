/* SPDX-License-Identifier: MIT
 *
 * label_seeds.h - seeds of several labels: a label map, a picture or a volume of whole numbers; shapes with labels; and
 * strokes with names.
 */
#pragma once

#include "failure.h"
#include "image.h"
#include "label_legend.h"
#include "options.h"
#include "scan.h"
#include "seeds.h"

/* What the command line names. A label is a number from 1 to 254 or a name; names get the least numbers that nothing
 * else has, in their order: those of a file of shapes first, then those of the command line. */
typedef struct label_request {
    const char *before;       /* a label map that is corrected or refined, and gives no seeds; NULL: none */
    const char *map;          /* the file of a label map or of shapes; NULL: none                   */
    const char *legend;       /* names and colours; NULL: none                                      */
    const label_legend *known; /* names and colours that other maps have given; NULL: none          */
    const option_log *given;  /* --label NAME, each followed by --stroke "X,Y X,Y ..."              */
    double radius;            /* radius of the brush                                                */
    const image_limits *limits;
    const georeference *place; /* where the photo lies on earth; NULL: not known                    */
} label_request;

typedef struct label_seeds {
    int width, height, depth; /* size of the photo or the volume                                    */
    double scale[3];          /* distances of voxels in units of the least; a photo: 1              */
    uint8_t *value;           /* [voxels] 0: unknown; owned                                         */
    uint8_t *before;          /* [voxels] labels to correct, 0: none; owned. NULL: there are none   */
    label_legend legend;      /* names and colours                                                  */
    bool taken[256];          /* numbers that a name may not get                                    */
    bool shapes;              /* the labels of `value` come from a file of shapes, which as a rule has no background */
    int64_t count[256];       /* pixels by label, of `value` and `before`                           */
} label_seeds;

/* Reads the seeds of a photo, whose path `name` is, or of a volume. EXIT_SEEDS, EXIT_USAGE, EXIT_INPUT, EXIT_RESOURCES.
 * On failure `out` is empty. */
int label_seeds_read(const label_request *request, const image *photo, const scan *volume, const char *path,
                     label_seeds *out, notes *log, failure *why);

/* The number of a label: `name` itself if it is a number, else that of the name, which gets the next free one.
 * EXIT_USAGE. */
int label_number(label_seeds *of, const char *name, uint8_t *number, failure *why);

/* Draws the shapes in the text of an annotation file: areas and strokes, each with the number of its label. Where two
 * labels meet, the one that the file names later has the pixel. EXIT_SEEDS: boxes, shapes without a label, another
 * size. EXIT_INPUT, EXIT_RESOURCES. */
int label_shapes_read(const label_request *request, const bytes *text, const char *photo, label_seeds *out, notes *log,
                      failure *why);

void label_seeds_count(label_seeds *s); /* fills in `count` */

/* Makes a label of each piece of seeds of the same label, pieces that touch nowhere, in their order from the top; the
 * background stays as it is. Names become "cup 1", "cup 2". EXIT_SEEDS: more than 253 pieces. EXIT_RESOURCES. */
int label_seeds_split(label_seeds *of, int background, const char *name, failure *why);

/* The number of the background: 0 if a map to correct or to refine has 0. Else, of the labels that have seeds, the
 * first that is called background, in one of the ways that annotation files call it; else the least label. */
int label_seeds_background(const label_seeds *s);

/* Adds a note if a label of shapes is chosen only because it is the least. */
void label_seeds_note_background(const label_seeds *s, const char *name, notes *log);
void label_seeds_free(label_seeds *s);
