/* SPDX-License-Identifier: MIT
 *
 * scan_options.h - the options that only volumes have, and refusals of options that volumes do not have (options.h:
 * volumes).
 */
#pragma once

#include "inputs.h"
#include "options.h"
#include "scan.h"

typedef struct scan_options {
    scan_shape shape;  /* --size, --spacing                         */
    bool ranged;       /* true: --range was given                   */
    double range[2];   /* the values of the scan that become black and white */
} scan_options;

extern const option scan_option_rows[]; /* into a scan_options */

/* True if the input is to be cut as a volume: an option that says how to read or see one is given (--size, --spacing,
 * --channel, --volume, --range), or a point or box with three coordinates, or the scan or one of the seed files is a
 * volume by its content. */
bool scan_is_meant(const scan_options *my, const inputs *in, const char *path);

/* True if the name is that of a picture and cannot be that of a volume. */
bool scan_is_flat(const char *path);

bool scan_is_among(const scan_options *my, const char *path, const char *const *seeds, int count);

/* Returns EXIT_USAGE for an option that cannot be used with volumes. `path` is the scan. */
int scan_check_options(const option_log *given, const char *path, failure *why);

/* Returns EXIT_USAGE if the pixels of a photo are meant to be linked: --connectivity 4 or 8. `path` is the scan. */
int scan_check_links(const option_log *given, const char *path, failure *why);

/* True if the volume has one slice, and an option for photos alone is given, or it is in colour and none for volumes
 * alone is given: then it is cut as a photo. */
bool scan_is_photo(const scan_options *my, const option_log *given, const char *path);

/* Returns EXIT_USAGE for an option of volumes used with a photo. */
int scan_check_none(const option_log *given, const char *path, failure *why);
