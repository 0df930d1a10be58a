/* SPDX-License-Identifier: MIT
 *
 * outputs.h - all files that a run is asked to write. They are checked before any work: none may overwrite an input or
 * another output. They are made in memory first and written together. If one cannot be written, the files that this run
 * created are removed again; an older file that was already replaced stays replaced.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "failure.h"
#include "file.h"

typedef struct output {
    const char *option; /* "--output": for messages                                     */
    const char *path;   /* "-": standard output                                         */
    bool picture;       /* true: the output is a picture, which must not go to a terminal */
    bytes data;         /* what to write; owned; not used if the caller writes the file itself */
    bool existed;       /* true: the file existed before the run; set by outputs_check() */
    bool done;          /* true: written already                                        */
} output;

enum { OUTPUTS_MOST = 264 }; /* enough for one cutout for each label, and a few more */

typedef struct outputs {
    output item[OUTPUTS_MOST];
    int count;
    bool piped; /* true: standard output is a pipe, even if it looks like a terminal, as under mpirun */
    const char *makes; /* a folder that the run creates, with folders in it; NULL: the folders of all outputs must
                          exist */
    /* Called when all data are ready, before anything is written; NULL: no call. */
    void (*made)(void *context, const struct outputs *all);
    void *context;
} outputs;

/* Adds an output and returns it. If `path` is NULL, adds nothing and returns NULL. */
output *outputs_add(outputs *all, const char *option, const char *path, bool picture);

/* Returns EXIT_USAGE if an output is an input, equals another output, or is a picture that would go to a terminal;
 * EXIT_RUNTIME if it is a folder, or if its folder does not exist and will not be made. Two paths are equal if they
 * lead to the same file, even if they are written differently or go through links. */
int outputs_check(outputs *all, const char *const *inputs, int input_count, failure *why);

/* Does what outputs_check() does, for a run that reads a photo, `count` files of seeds, and the files of `beside`, such
 * as a mask and a background. */
typedef const char *outputs_beside[3]; /* some NULL */
int outputs_check_photo(outputs *all, const char *photo, const char *const *seeds, int count,
                        const outputs_beside beside, failure *why);

/* True if a failed run may write its report to `report`: no other path leads to the same file. False if `report` is
 * NULL. Some of `others` may be NULL or "-". */
bool outputs_may_report(const char *report, const char *const *others, int count);

/* Returns EXIT_USAGE if an output goes to standard output although `option` prints lines there. `option` is NULL if no
 * lines were asked for. */
int outputs_check_lines(const outputs *all, const char *option, failure *why);

/* Returns where the extension of a file's name begins, with its dot: .nii.gz is a single one. Without an extension it
 * is the end of the name. */
const char *outputs_extension(const char *name);

/* If *path is a folder, replaces it by a file in that folder, named like the photo without its extension, plus
 * `ending`, such as "_mask.png". The new path is also returned in *owned, and the caller frees it. Otherwise, and if it
 * is NULL, *path stays as it is. EXIT_USAGE: the photo comes from standard input and has no name. Returns
 * EXIT_RESOURCES if memory runs out. */
int outputs_name(const char **path, const char *photo, const char *ending, char **owned, failure *why);

/* Finds the file that reading or writing `path` reaches: absolute, without links. The part that does not exist yet
 * stays as it is written. Returns false if the name is too long or the links form a circle. */
bool outputs_resolve(const char *path, char out[PATH_MAX]);

/* Writes all outputs that are not done yet, in order, except `later` (may be NULL): a report that contains all times,
 * so the caller writes it last. */
int outputs_write(outputs *all, const output *later, failure *why);

/* Removes the files that this run created. */
void outputs_undo(outputs *all);
void outputs_free(outputs *all);
