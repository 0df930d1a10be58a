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

/* Initialise it with zeros; call masks_out_end() in any case. */
typedef struct masks_out {
    const char *option, *name; /* option: --output or --confidence; name: as the user gave it, "-": standard output */
    bool folder, invert;
    const film_format *format; /* format of the output, if it is a single file */
    const uint8_t (*palette)[3]; /* palette of label maps in a folder; NULL: the outputs are masks */
    file_stream stream;
    char path[PATH_MAX];       /* path of the last mask; "": masks have no files of their own */
} masks_out;

/* Takes the user's request. `option`: --output or --confidence, for messages; `name` NULL: standard output; `format`
 * NULL: found from the name. A folder is an existing one, or any name that ends with a slash. EXIT_USAGE: a format was
 * given for a folder, where masks are PNG; or the name is that of a picture. */
int masks_out_plan(masks_out *out, const char *option, const char *name, const film_format *format, bool invert,
                   failure *why);

/* For a folder: returns EXIT_USAGE if one of the input files lies in it, or if two frames would have the same mask
 * file. */
int masks_out_check(const masks_out *out, const frame_list *frames, const char *const *read, int count, failure *why);

/* Returns EXIT_USAGE if a mask in the folder could overwrite the report, a file named `json`. `json` may be NULL. */
int masks_out_check_report(const masks_out *out, const char *json, failure *why);

/* Returns EXIT_USAGE if `a` and `b` are the same folder. */
int masks_out_check_apart(const masks_out *a, const masks_out *b, failure *why);

/* Opens the file, or creates the folder. Returns EXIT_RUNTIME on failure. */
int masks_out_open(masks_out *out, failure *why);

/* Writes the mask of frame number `frame`, 0 or 255 a pixel, or its labels; the mask is unchanged afterwards. A mask in
 * a folder has the name of its frame, or a number if frames have no names. Errors as of file_stream_write() and
 * image_write(). */
int masks_out_put(masks_out *out, const film *f, int64_t frame, uint8_t *mask, failure *why);
int masks_out_end(masks_out *out, bool good, failure *why);
