/* SPDX-License-Identifier: MIT
 *
 * outputs.h - the files a run is asked to write, as a whole: refused before any work when one would
 * overwrite an input or another, made in memory first, written together. If one cannot be written, those
 * that this run created are removed again; one that replaced an older file before that stays replaced.
 */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <limits.h>
#include <stdbool.h>

#include "failure.h"
#include "file.h"

typedef struct output {
    const char *option; /* "--output": for messages                                     */
    const char *path;   /* "-": standard output                                         */
    bool picture;       /* never onto a terminal                                        */
    bytes data;         /* what to write; owned. Unused if the caller writes it himself */
    bool existed;       /* before the run: set by outputs_check()                       */
    bool done;          /* it is written                                                */
} output;

enum { OUTPUTS_MOST = 8 };

typedef struct outputs {
    output item[OUTPUTS_MOST];
    int count;
    /* Called when all are made and none is written yet; NULL: not wanted. */
    void (*made)(void *context, const struct outputs *all);
    void *context;
} outputs;

/* Adds an output and returns it; NULL `path`: none, returns NULL. */
output *outputs_add(outputs *all, const char *option, const char *path, bool picture);

/* EXIT_USAGE when an output is an input, equals another output or is a picture onto a terminal; EXIT_RUNTIME
 * when its folder is not there or it is a folder. Same means the same path, also written differently or
 * through links, or the same file. */
int outputs_check(outputs *all, const char *const *inputs, int input_count, failure *why);

/* Where reading or writing `path` ends up: absolute, without links. False: its folder is not there. */
bool outputs_resolve(const char *path, char out[PATH_MAX]);

/* Writes those not done yet, in order. */
int outputs_write(outputs *all, failure *why);

/* Removes what this run created. */
void outputs_undo(outputs *all);
void outputs_free(outputs *all);

#endif
