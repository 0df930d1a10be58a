/* SPDX-License-Identifier: MIT
 *
 * video_options.h - the options of `video`, and which of them go together.
 */
#pragma once

#include "cleanup.h"
#include "film.h"
#include "inputs.h"
#include "model.h"
#include "options.h"

/* The user's request. */
typedef struct wanted {
    common common;
    inputs in;
    model model;
    cleanup cleanup;
    film_shape shape;
    const film_format *format; /* format of the masks; NULL: found from their name */
    const char *output, *sure; /* output: file or folder of masks; sure: that of --confidence */
    double carry;             /* below 0: not given                */
    int window;               /* 0: frame by frame                 */
    int overlap, ahead;       /* below 0: not given                */
    double time;
    bool invert, labelled;
    const char *legend;        /* NULL: not given                  */
    int background;            /* 0: not given                     */
    option_log given;
} wanted;

extern const option video_options[]; /* into a wanted */

/* Returns EXIT_USAGE for options of windows if there are no windows, and for options that windows do not have. */
int video_options_check(const wanted *my, failure *why);
