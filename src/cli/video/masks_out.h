/* SPDX-License-Identifier: MIT
 *
 * masks_out.h - writes the masks of a film: one after the other to one file or pipe, or each to a PNG of its own in a
 * folder.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "file_stream.h"
#include "film.h"

/* Zero-initialise; masks_out_end() in any case. */
typedef struct masks_out {
    const char *option, *name; /* --output or --confidence; as given, "-": standard output */
    bool folder, invert;
    const film_format *format; /* the format of a single output file               */
    const uint8_t (*palette)[3]; /* the palette of label maps in a folder; NULL: masks */
    file_stream stream;
    char path[PATH_MAX];       /* path of the mask written last; "": it has no file of its own */
} masks_out;

/* Takes what the user wants. `option`: --output or --confidence, for messages; `name` NULL: standard output; `format`
 * NULL: by the name. A folder is one that is there, or any name with a slash at its end. EXIT_USAGE: a format was
 * given, and masks in a folder are PNG; or the name is that of a picture. */
int masks_out_plan(masks_out *out, const char *option, const char *name, const film_format *format, bool invert,
                   failure *why);

/* For a folder: EXIT_USAGE if one of the files that are read lies in it, or if two frames would have one mask. */
int masks_out_check(const masks_out *out, const frame_list *frames, const char *const *read, int count, failure *why);

/* EXIT_USAGE if the report (NULL: none) may have the same name as a mask in that folder. */
int masks_out_check_report(const masks_out *out, const char *json, failure *why);

/* EXIT_USAGE if `a` and `b` are the same folder. */
int masks_out_check_apart(const masks_out *a, const masks_out *b, failure *why);

/* Opens the file, or makes the folder. EXIT_RUNTIME. */
int masks_out_open(masks_out *out, failure *why);

/* Writes the mask of frame number `frame` of the film, 0 or 255 a pixel, or its labels; it is left as it was. A mask in
 * a folder has the name of its frame, or its number if frames have no names. Errors as of file_stream_write() and
 * image_write(). */
int masks_out_put(masks_out *out, const film *f, int64_t frame, uint8_t *mask, failure *why);
int masks_out_end(masks_out *out, bool good, failure *why);
