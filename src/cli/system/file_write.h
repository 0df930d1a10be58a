/* SPDX-License-Identifier: MIT
 *
 * file_write.h - what writing a file in one piece (file_write.c) and in many (file_stream.c) have in common. `name` is
 * for messages.
 */
#ifndef CLI_FILE_WRITE_H
#define CLI_FILE_WRITE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "failure.h"

/* Waits for room where the descriptor has none. 0, or the errno of what went wrong. */
int file_write_all(int descriptor, const uint8_t *data, size_t size);

/* The same at a place in a regular file. */
int file_write_at(int descriptor, const void *data, size_t size, int64_t at);

/* EXIT_RUNTIME with the sentence for that errno; of creating a file at `path`. */
int file_write_failed(const char *name, int error, failure *why);
int file_create_failed(const char *name, const char *path, int error, failure *why);

/* Where writing to `name` ends up: links are followed, also to what is not there yet, but not those that another user
 * has put into a folder for all. EXIT_RUNTIME. */
int file_follow_links(const char *name, char path[PATH_MAX], failure *why);

/* Whether there is something else than a file of that name: a pipe, a device, a descriptor of ours. */
bool file_is_special(const char *name);

/* "directory", "disk" or "socket" for what no result is written to; NULL: it may be. */
const char *file_refused_kind(const struct stat *about);

/* Opens what is no regular file; a pipe that nobody reads yet is waited for. EXIT_RUNTIME. */
int file_open_special(const char *name, const char *path, int *descriptor, failure *why);

/* The new file gets owner and mode of the one that it replaces. 0 or errno. */
int file_keep_rights(int descriptor, const struct stat *about);

#endif
