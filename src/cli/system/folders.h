/* SPDX-License-Identifier: MIT
 *
 * folders.h - the folders that a run writes to: each is rid of what killed runs have left there, once, and brought to
 * the disk with the names that were given in it.
 */
#ifndef CLI_FOLDERS_H
#define CLI_FOLDERS_H

#include <limits.h>
#include <stdbool.h>

/* Names of files in the making: the prefix, then so many letters of the alphabet. */
#define FOLDERS_PREFIX ".tilecut-"
#define FOLDERS_ALPHABET "abcdefghijklmnopqrstuvwxyz012345"
enum { FOLDERS_LETTERS = 16 };

/* The folder that `path` is in. False: the name is too long. */
bool folders_of(const char *path, char folder[PATH_MAX]);

/* Makes the folder of `path` (NULL: none), and those it is in, as far as they are missing. 0, or the errno
 * of what went wrong. */
int folders_make(const char *path);

/* To be called before the first file is made in the folder of `path`, and for results that are kept as they are:
 * removes files in the making that no process holds locked any more. */
void folders_visit(const char *path);

/* A name was given in the folder of `path`. */
void folders_changed(const char *path);

/* Brings all names that were given to the disk: a machine that loses power has them afterwards. */
void folders_sync(void);

#endif
