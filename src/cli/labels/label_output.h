/* SPDX-License-Identifier: MIT
 *
 * label_output.h - writes the labels of a photo or a volume: as a label map, as shapes with an object per label, as a
 * cutout per label, as a table.
 */
#pragma once

#include "json.h"
#include "label_legend.h"
#include "matting.h"
#include "outputs.h"
#include "tilecut_types.h"

/* The labels of a photo or a volume, as they were found. */
typedef struct label_result {
    const char *path;            /* path of the photo or volume             */
    const tilecut_image *photo;  /* the photo without alpha; NULL: a volume */
    const georeference *place;   /* where the photo lies on earth, or NULL  */
    const scan *volume;
    const uint8_t *labels;       /* [voxels] */
    label_legend *legend;
    const int64_t *seeds, *found; /* number of pixels of each of 256 labels, in the seeds and in the result */
    int background;              /* number of the background label */
} label_result;

/* Returns EXIT_DONE if labels can be written to `path`, else EXIT_USAGE. `as` is the value of --format, or NULL. */
int label_output_check(const char *path, const char *as, bool spatial, failure *why);

/* Appends the file for `path`: a label map, or shapes of all labels but the background. Returns EXIT_USAGE or
 * EXIT_RESOURCES on failure. */
int label_output_encode(const label_result *result, const char *path, const char *as, bytes *sink, failure *why);

/* Appends a table: a heading, then "NUMBER NAME COLOUR PIXELS" for each label, separated by tabs. It can be read
 * as a legend. */
int label_output_table(const label_result *result, bytes *sink, failure *why);

/* Adds an output for each label that has seeds, except the background: a PNG in `folder`, named after the photo and the
 * label. `names` becomes the [256] paths, which the caller frees. Returns EXIT_USAGE or EXIT_RESOURCES on failure. */
int label_output_name_cutouts(const label_result *result, const char *folder, outputs *all, output *cutouts[256],
                              char *names[256], failure *why);

/* The material for cutouts. */
typedef struct label_cutting {
    const image *photo;     /* the photo as it was read                              */
    const uint8_t *seeds;   /* for each pixel, the label of its seed; 0: it has none */
    const edge_style *edge;
    int threads;
    uint64_t memory;        /* bytes that may be used */
} label_cutting;

/* Makes the cutouts. Each is the same as 'tilecut segment' makes from the mask of its label.
 * EXIT_RESOURCES, EXIT_SEEDS. */
int label_output_cut(const label_result *result, const label_cutting *from, output *const cutouts[256], failure *why);

/* Writes the member "areas" of a report: number, name, seeds and area of each label that has seeds. `seeds` NULL:
 * leaves out the seeds, and skips labels whose area is negative. `unit` is "pixels" or "voxels". */
void label_output_areas(json *j, const label_legend *legend, const int64_t *seeds, const int64_t *found,
                        const char *unit);

/* Writes the share of each label in one line: "cup 12.5 %, spoon 3.1 %". If there are many, only the first ones. */
void label_output_shares(const label_result *result, char *text, size_t size);
