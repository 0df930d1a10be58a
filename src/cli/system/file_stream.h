/* SPDX-License-Identifier: MIT
 *
 * file_stream.h - a file that is written piece by piece. Like a file of file_write(), it appears whole or not at all;
 * but pipes and standard output receive each piece at once.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

/* Zero-initialise; always call file_stream_end(). */
typedef struct file_stream {
    const char *name;        /* NULL: not open                              */
    int descriptor;
    struct beside *beside;   /* the regular file that is being written; NULL: it is a pipe or another special file */
    bool replaces;
    bool joined;             /* true if another process opened the file first */
    char path[PATH_MAX];     /* the path of the finished file */
} file_stream;

/* Opens `name` ("-": standard output). EXIT_RUNTIME with a sentence. */
int file_stream_open(file_stream *s, const char *name, failure *why);

/* Returns the temporary name by which other processes can open a file that several write; NULL if it is not a regular
 * file, so that they cannot. */
const char *file_stream_shared_as(const file_stream *s);

/* Opens the file that another process is writing for `name`, by its temporary name. Returns false if the file is not
 * visible here. */
bool file_stream_join(file_stream *s, const char *name, const char *shared_as);

/* Writes bytes. EXIT_RUNTIME with a sentence. If the reader has closed a pipe, returns the status of a process ended by
 * SIGPIPE, without a sentence, because the reader has seen enough. */
int file_stream_write(file_stream *s, const void *data, size_t size, failure *why);

/* Gives the file its name if `good`, otherwise removes it. The name of a joined file is given by the process that
 * opened it first, which must have done so before this call. */
int file_stream_end(file_stream *s, bool good, failure *why);
