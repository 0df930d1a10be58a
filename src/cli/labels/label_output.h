/* SPDX-License-Identifier: MIT
 *
 * label_output.h - what becomes of the labels of a photo or a volume: a label map, shapes with an object a label, a
 * cutout a label, a table.
 */
#pragma once

#include "json.h"
#include "label_legend.h"
#include "matting.h"
#include "outputs.h"
#include "tilecut_types.h"

/* Labels that were found. */
typedef struct label_result {
    const char *path;            /* path of the photo or volume                         */
    const tilecut_image *photo;  /* the photo without alpha; NULL: a volume             */
    const georeference *place;   /* where the photo lies on earth, or NULL              */
    const scan *volume;
    const uint8_t *labels;       /* [voxels]                                            */
    label_legend *legend;
    const int64_t *seeds, *found; /* [256] number of pixels with each label: in the seeds, in the result */
    int background;              /* the label that is background                        */
} label_result;

/* Whether labels can be written to `path`: EXIT_DONE or EXIT_USAGE. `as`: --format, or NULL. */
int label_output_check(const char *path, const char *as, bool spatial, failure *why);

/* Appends the file of that path: a label map, or shapes of all labels but the background. EXIT_USAGE,
 * EXIT_RESOURCES. */
int label_output_encode(const label_result *result, const char *path, const char *as, bytes *sink, failure *why);

/* "NUMBER NAME COLOUR PIXELS" of each label, separated by tabs, below a line that says so; it is a legend, too. */
int label_output_table(const label_result *result, bytes *sink, failure *why);

/* Adds an output for each label with seeds but the background: a PNG in `folder`, called like the photo and the label.
 * `names`: [256] memory of the paths, which the caller frees. EXIT_USAGE, EXIT_RESOURCES. */
int label_output_name_cutouts(const label_result *result, const char *folder, outputs *all, output *cutouts[256],
                              char *names[256], failure *why);

/* What cutouts are made of. */
typedef struct label_cutting {
    const image *photo;     /* as it was read                   */
    const uint8_t *seeds;   /* [pixels] labels, 0: none         */
    const edge_style *edge;
    int threads;
    uint64_t memory;        /* bytes that may be used           */
} label_cutting;

/* Fills in the cutouts: each is the one that 'tilecut segment' makes of the mask of its label. EXIT_RESOURCES,
 * EXIT_SEEDS. */
int label_output_cut(const label_result *result, const label_cutting *from, output *const cutouts[256], failure *why);

/* Writes the member "areas" of a report: number, name, seeds and area of each label that has seeds. seeds NULL: they
 * are not told, and labels with a negative area are left out. `unit`: "pixels" or "voxels". */
void label_output_areas(json *j, const label_legend *legend, const int64_t *seeds, const int64_t *found,
                        const char *unit);

/* What each label got, in one line: "cup 12.5 %, spoon 3.1 %"; of many the first ones. */
void label_output_tell(const label_result *result, char *text, size_t size);
