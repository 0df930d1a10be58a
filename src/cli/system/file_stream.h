/* SPDX-License-Identifier: MIT
 *
 * file_stream.h - a file that is written piece by piece. Like the files of file_write(), it appears whole or not at
 * all; but pipes and standard output get each piece at once.
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
    struct beside *beside;   /* the regular file that is being made; NULL: it is not one */
    bool replaces;
    bool joined;             /* another process opened it first             */
    char path[PATH_MAX];     /* the path that the file will have            */
} file_stream;

/* Opens `name` ("-": standard output). EXIT_RUNTIME with a sentence. */
int file_stream_open(file_stream *s, const char *name, failure *why);

/* For a file that several processes write: the temporary name by which the others can open it. NULL: it is not a
 * regular file, so they cannot. */
const char *file_stream_shared_as(const file_stream *s);

/* Opens the file that another process is writing for `name`, by its temporary name. False: the file cannot be seen
 * here. */
bool file_stream_join(file_stream *s, const char *name, const char *shared_as);

/* EXIT_RUNTIME with a sentence. If the reader has closed a pipe, returns the status of a process ended by SIGPIPE,
 * without a sentence, because the reader has seen enough. */
int file_stream_write(file_stream *s, const void *data, size_t size, failure *why);

/* If `good`, gives the file its name; otherwise removes it. For a joined file, the process that opened it first gives
 * the name, and must have done so before this call. */
int file_stream_end(file_stream *s, bool good, failure *why);
