/* SPDX-License-Identifier: MIT
 *
 * scan_options.h - the options that only volumes have, and the refusal of others (options.h: volumes).
 */
#pragma once

#include "inputs.h"
#include "options.h"
#include "scan.h"

typedef struct scan_options {
    scan_shape shape;  /* --size, --spacing                         */
    bool ranged;       /* --range was given                         */
    double range[2];   /* values of the scan that become black and white */
} scan_options;

extern const option scan_option_rows[]; /* into a scan_options */

/* Whether a volume is meant: --size is given, or a point or box with three coordinates, or the content of the scan or
 * of one of the seed files is one. */
bool scan_is_meant(const scan_options *my, const inputs *in, const char *path);

/* Whether the name is that of a picture and cannot be that of a volume. */
bool scan_is_flat(const char *path);

bool scan_is_among(const scan_options *my, const char *path, const char *const *seeds, int count);

/* EXIT_USAGE for an option that volumes do not take. `path` is the scan. */
int scan_check_options(const option_log *given, const char *path, failure *why);

/* EXIT_USAGE for an option of volumes, where there is a photo. */
int scan_check_none(const option_log *given, const char *path, failure *why);
