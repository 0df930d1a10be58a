/* SPDX-License-Identifier: MIT
 *
 * file_write.h - functions shared by writing a file in one piece (file_write.c) and in many pieces (file_stream.c).
 * `name` is for messages.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "failure.h"

/* Writes all bytes, and waits whenever the descriptor has no room. Returns 0 or errno. */
int file_write_all(int descriptor, const uint8_t *data, size_t size);

/* Writes all bytes at byte `at` of a regular file. Returns 0 or errno. */
int file_write_at(int descriptor, const void *data, size_t size, int64_t at);

/* Both return EXIT_RUNTIME with a sentence for errno `error`. file_create_failed() is for a file that could not be
 * created at `path`. */
int file_write_failed(const char *name, int error, failure *why);
int file_create_failed(const char *name, const char *path, int error, failure *why);

/* Finds the file that writing to `name` would change, by following links, even to a file that does not exist yet. Does
 * not follow a link that another user has put into a folder that everybody can write to. Returns EXIT_RUNTIME on
 * failure. */
int file_follow_links(const char *name, char path[PATH_MAX], failure *why);

/* True if `name` exists and is not a regular file: a pipe, a device, or a descriptor of this program. */
bool file_is_special(const char *name);

/* Returns "directory", "disk" or "socket" if results are never written to such a file, else NULL. */
const char *file_refused_kind(const struct stat *about);

/* Opens a special file. If it is a pipe without a reader, waits for one. Returns EXIT_RUNTIME on failure. */
int file_open_special(const char *name, const char *path, int *descriptor, failure *why);

/* Gives the new file the owner and the mode of the file that it replaces. Returns 0 or errno. */
int file_keep_rights(int descriptor, const struct stat *about);
