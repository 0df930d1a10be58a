/* SPDX-License-Identifier: MIT
 *
 * mask_file.h - reads a mask that another tool or an earlier run has made. It may be grey (0 and 255, or
 * probabilities), 0 and 1, the alpha of a cutout, a palette whose entry 0 is background, or one colour on black.
 */
#pragma once

#include <stdint.h>

#include "failure.h"
#include "image.h"
#include "seeds.h"

typedef struct mask_file {
    uint8_t *foreground;  /* foreground probability in 255ths, width * height of the photo; NULL: no mask was read;
                             owned */
    const char *format;   /* format in which the file was read: "grey", "alpha", "palette", "colour", "annotation";
                             static */
    int64_t inside;       /* number of pixels of at least 128 */
    int objects;          /* number of objects in a picture with a palette; else 0 */
} mask_file;

/* Reads the mask `path` of `photo`, whose name is `photo_name`: a picture, or annotations, of which only shapes with
 * request->label count if that is not NULL. request->limits apply. Refusals are EXIT_SEEDS, or those of image_read().
 * On failure `out` is empty. */
int mask_file_read(const char *path, const seeds_request *request, const image *photo, const char *photo_name,
                   mask_file *out, notes *log, failure *why);
void mask_file_free(mask_file *mask);

/* Refuses with `status` a grey picture that is no mask but a label map, in which 255 means "not judged": it has 255 and
 * many small numbers, and nothing between. level[v] is how many of its pixels have the grey value v. */
int mask_file_check_levels(const char *name, const int64_t level[256], int status, failure *why);
