/* SPDX-License-Identifier: MIT
 *
 * outputs.h - all files that a run is asked to write. They are refused before any work if one would overwrite an
 * input or another output. They are made in memory first and written together. If one cannot be written, the files
 * that this run created are removed again; an older file that was already replaced stays replaced.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "failure.h"
#include "file.h"

typedef struct output {
    const char *option; /* "--output": for messages                                     */
    const char *path;   /* "-": standard output                                         */
    bool picture;       /* refused if it would go to a terminal                         */
    bytes data;         /* what to write; owned. Unused if the caller writes the file   */
    bool existed;       /* before the run: set by outputs_check()                       */
    bool done;          /* written already                                              */
} output;

enum { OUTPUTS_MOST = 264 }; /* a cutout a label, and a few more */

typedef struct outputs {
    output item[OUTPUTS_MOST];
    int count;
    const char *makes; /* a folder that the run makes, and those in it; NULL: outputs need folders that are there */
    /* Called when all data are made and nothing is written yet; NULL: not wanted. */
    void (*made)(void *context, const struct outputs *all);
    void *context;
} outputs;

/* Adds an output and returns it. If `path` is NULL, adds nothing and returns NULL. */
output *outputs_add(outputs *all, const char *option, const char *path, bool picture);

/* EXIT_USAGE if an output is an input, equals another output, or is a picture that would go to a terminal.
 * EXIT_RUNTIME if it is a folder, or if its folder does not exist and will not be made. Two paths are the same if they
 * lead to the same file, even if written differently or through links. */
int outputs_check(outputs *all, const char *const *inputs, int input_count, failure *why);

/* The same where a photo, `count` files of seeds, and what is in `beside` are read: a mask, a background. */
typedef const char *outputs_beside[3]; /* some NULL */
int outputs_check_photo(outputs *all, const char *photo, const char *const *seeds, int count,
                        const outputs_beside beside, failure *why);

/* Whether a run that failed may write its report (NULL: none is wanted) to `report`: to a path that leads to none of
 * `others`, of which some may be NULL or "-". */
bool outputs_may_report(const char *report, const char *const *others, int count);

/* EXIT_USAGE if an output goes to standard output, where `option` prints lines. NULL: no lines were asked for. */
int outputs_check_lines(const outputs *all, const char *option, failure *why);

/* If *path is a folder, sets it to a file in there, whose name is that of the photo without its extension, and then
 * `ending`, such as "_mask.png". This path is *owned, too, and the caller frees it; NULL: *path is unchanged. *path may
 * be NULL. EXIT_USAGE: the photo comes from standard input, so it has no name. EXIT_RESOURCES. */
int outputs_name(const char **path, const char *photo, const char *ending, char **owned, failure *why);

/* Where reading or writing `path` ends up: absolute, without links. What does not exist yet stays as it is written.
 * False: the name is too long, or links go in a circle. */
bool outputs_resolve(const char *path, char out[PATH_MAX]);

/* Writes all outputs that are not done yet, in order, but for `later` (NULL: none), which the caller writes last: a
 * report that has all times. */
int outputs_write(outputs *all, const output *later, failure *why);

/* Removes the files that this run created. */
void outputs_undo(outputs *all);
void outputs_free(outputs *all);
