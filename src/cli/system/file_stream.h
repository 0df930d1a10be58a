/* SPDX-License-Identifier: MIT
 *
 * file_stream.h - a file that is written piece by piece. It appears whole or not at all, as one of file_write() does;
 * pipes and standard output get each piece at once.
 */
#ifndef CLI_FILE_STREAM_H
#define CLI_FILE_STREAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

/* Zero-initialise; file_stream_end() in any case. */
typedef struct file_stream {
    const char *name;        /* NULL: not open                              */
    int descriptor;
    struct beside *beside;   /* a regular file in the making; NULL: none    */
    bool replaces;
    bool joined;             /* opened by another process                   */
    char path[PATH_MAX];     /* that it is to have                          */
} file_stream;

/* Opens `name` ("-": standard output). EXIT_RUNTIME with a sentence. */
int file_stream_open(file_stream *s, const char *name, failure *why);

/* For a file that several processes write: the name under which others open it while it is written; NULL: they cannot,
 * it is no regular file. */
const char *file_stream_shared_as(const file_stream *s);

/* Opens the file that another process writes to `name`, under that name. False: it is not to be seen from here. */
bool file_stream_join(file_stream *s, const char *name, const char *shared_as);

/* EXIT_RUNTIME with a sentence; where nobody reads a pipe any more, the status of a process that SIGPIPE ended, without
 * a word: who closes it has seen enough. */
int file_stream_write(file_stream *s, const void *data, size_t size, failure *why);

/* Gives the file its name if `good`, removes what there is of it if not. Of a file that was joined, the process that
 * opened it gives the name, before this is called. */
int file_stream_end(file_stream *s, bool good, failure *why);

#endif
