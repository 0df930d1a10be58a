/* SPDX-License-Identifier: MIT
 *
 * file.h - reads and writes whole files. file_write() writes a temporary file in the folder of the target, flushes it
 * and renames it, so the target appears whole or not at all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* A growing buffer. Initialise it with zeros; free it with bytes_free(). */
typedef struct bytes {
    uint8_t *data;
    size_t size, room;
} bytes;

bool bytes_reserve(bytes *bytes, size_t room); /* returns false if memory ran out; then nothing has changed */
bool bytes_append(bytes *bytes, const void *data, size_t size); /* returns false if memory ran out; then nothing has
                                                                   changed */
/* Appends the character with this Unicode number as UTF-8. */
bool bytes_append_character(bytes *bytes, unsigned long code);
void bytes_free(bytes *bytes);

/* Returns the length of the byte order mark at the start of a text: 3, or 0 if there is none. */
size_t utf8_mark(const uint8_t *text, size_t size);

/* Reads all of `path` ("-": standard input), at most `max_size` bytes (0: no limit). EXIT_INPUT, with a sentence that
 * distinguishes a file that is missing, a directory, without permission, empty or unreadable. EXIT_RESOURCES if memory
 * runs out. A device such as /dev/zero, which may never end, is refused after 64 MB. */
int file_read(const char *path, uint64_t max_size, bytes *out, failure *failure);

/* Like file_read(), but stops reading if begins() is false for the first 64 KB, as if the file ended there. That is
 * enough to identify the file, and a stream of another kind may never end. */
int file_read_if(const char *path, uint64_t max_size, bool (*begins)(const uint8_t *data, size_t size), bytes *out,
                 failure *failure);

/* Returns EXIT_INPUT, with a sentence that says why an input cannot be opened, from errno `error`. */
int file_open_failed(const char *path, int error, failure *failure);

/* Writes `size` bytes to `path` ("-": standard output), whole or not at all. An existing file keeps its mode, and a new
 * file gets the mode that umask allows. A symbolic link stays, and its target is written. /dev/null and other files
 * that are not regular are written directly. EXIT_RUNTIME with a sentence. */
int file_write(const char *path, const void *data, size_t size, failure *failure);

/* Flushes the lines printed to standard output and checks that they were written: EXIT_RUNTIME with a sentence if not.
 * If the reader has closed the pipe (as `head -n 1` does), there is no sentence, and the status is that of a process
 * ended by SIGPIPE. */
int file_finish_lines(failure *failure);

/* Removes the temporary files of all writes in progress, and makes later writes fail. Async-signal-safe: the handlers
 * of SIGINT and SIGTERM call it before they end the program. */
void file_remove_temporaries(void);

/* Return `path` for messages; "-" becomes "standard input" or "standard output". */
const char *file_input_name(const char *path);
const char *file_output_name(const char *path);

/* True if a path begins at a root, or on Windows with a drive. */
bool file_is_absolute(const char *path);

/* On Windows, replaces backslashes by '/' in a path from a file of another program. On other systems a backslash is an
 * ordinary character. */
void file_turn_slashes(char *path);

/* True if two paths name the same existing file (device and inode). "-" is never the same. */
bool file_same(const char *a, const char *b);
