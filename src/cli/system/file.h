/* SPDX-License-Identifier: MIT
 *
 * file.h - whole files in and out of memory. Everything the program writes goes through file_write():
 * beside the target under a temporary name, flushed, then renamed; so it appears whole or not at all.
 */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* A growing buffer. Zero-initialise; bytes_free() when done. */
typedef struct bytes {
    uint8_t *data;
    size_t size, room;
} bytes;

bool bytes_append(bytes *bytes, const void *data, size_t size); /* false: out of memory, bytes as before */
void bytes_free(bytes *bytes);

/* Reads all of `path` ("-": standard input). EXIT_INPUT with a sentence that tells apart: missing, a
 * directory, no permission, empty, unreadable; EXIT_RESOURCES when memory runs out. `max_size` 0: none. */
int file_read(const char *path, uint64_t max_size, bytes *out, failure *failure);

/* Writes `size` bytes to `path` ("-": standard output), whole or not at all (see above; the mode of an
 * existing file is kept, a new one honours umask; a symbolic link is written through; /dev/null and other
 * non-regular files are written directly). EXIT_RUNTIME with a sentence. */
int file_write(const char *path, const void *data, size_t size, failure *failure);

/* Flushes lines that were printed to standard output, and sees whether they got there: EXIT_RUNTIME with a sentence.
 * Who closes a pipe that he reads lines from (`head -n 1`) has seen enough: then it is the status of a process that
 * SIGPIPE ended, without a word. */
int file_finish_lines(failure *failure);

/* Removes temporary files of writes in flight and makes later ones fail. Async-signal-safe: for the
 * handlers of SIGINT and SIGTERM, before they end the program. */
void file_remove_temporaries(void);

/* `path`, or "standard input" / "standard output" for "-": for messages. */
const char *file_input_name(const char *path);
const char *file_output_name(const char *path);

/* Whether two paths name the same existing file (device and inode). "-" is never the same. */
bool file_same(const char *a, const char *b);

#endif
