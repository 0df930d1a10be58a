/* SPDX-License-Identifier: MIT
 *
 * file.h - whole files in and out of memory. Everything the program writes goes through file_write(). That writes a
 * temporary file beside the target, flushes it and renames it, so the target appears whole or not at all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* A growing buffer. Zero-initialise; bytes_free() when done. */
typedef struct bytes {
    uint8_t *data;
    size_t size, room;
} bytes;

bool bytes_reserve(bytes *bytes, size_t room); /* false: out of memory, and nothing has changed */
bool bytes_append(bytes *bytes, const void *data, size_t size); /* false: out of memory, and nothing has changed */
/* appends the character of this Unicode number as UTF-8 */
bool bytes_append_character(bytes *bytes, unsigned long code);
void bytes_free(bytes *bytes);

/* How many bytes the byte order mark at the start of a text takes: 3, or 0 if it has none. */
size_t utf8_mark(const uint8_t *text, size_t size);

/* Reads all of `path` ("-": standard input), at most `max_size` bytes (0: no limit). EXIT_INPUT, with a sentence that
 * tells apart: missing, a directory, no permission, empty, unreadable. EXIT_RESOURCES when memory runs out. A device
 * such as /dev/zero, which may never end, is refused after 64 MB. */
int file_read(const char *path, uint64_t max_size, bytes *out, failure *failure);

/* Like file_read(), but stops reading when begins() is false for the first 64 KB, as if the file ended there. That is
 * enough to say what kind of file it is, and a stream of another kind may never end. */
int file_read_if(const char *path, uint64_t max_size, bool (*begins)(const uint8_t *data, size_t size), bytes *out,
                 failure *failure);

/* EXIT_INPUT, with the reason that errno `error` gives why an input cannot be opened. */
int file_open_failed(const char *path, int error, failure *failure);

/* Writes `size` bytes to `path` ("-": standard output), whole or not at all. An existing file keeps its mode, and a new
 * one honours umask. A symbolic link stays, and its target is written. /dev/null and other files that are not regular
 * are written directly. EXIT_RUNTIME with a sentence. */
int file_write(const char *path, const void *data, size_t size, failure *failure);

/* Flushes the lines printed to standard output and checks that they were written: EXIT_RUNTIME with a sentence if
 * not. A reader that closes the pipe early (`head -n 1`) has read enough: then there is no sentence, and the status
 * is that of a process ended by SIGPIPE. */
int file_finish_lines(failure *failure);

/* Removes the temporary files of writes in progress and makes later writes fail. Async-signal-safe: the handlers of
 * SIGINT and SIGTERM call it before they end the program. */
void file_remove_temporaries(void);

/* `path` for messages; "-" becomes "standard input" or "standard output". */
const char *file_input_name(const char *path);
const char *file_output_name(const char *path);

/* Whether a path begins at a root, or on Windows with a drive. */
bool file_is_absolute(const char *path);

/* On Windows, changes backslashes to '/' in a path from a file of another program. On other systems a backslash is an
 * ordinary character. */
void file_turn_slashes(char *path);

/* Whether two paths name the same existing file (device and inode). "-" is never the same. */
bool file_same(const char *a, const char *b);
