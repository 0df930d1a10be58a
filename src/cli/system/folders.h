/* SPDX-License-Identifier: MIT
 *
 * folders.h - the folders to which a run writes. In each, once a run, files left by killed runs are removed. At the
 * end, the names of new files are brought to the disk.
 */
#pragma once

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

/* Names of temporary files: the prefix, then 16 letters of the alphabet. */
#define FOLDERS_PREFIX ".tilecut-"
#define FOLDERS_ALPHABET "abcdefghijklmnopqrstuvwxyz012345"
enum { FOLDERS_LETTERS = 16 };

/* Writes the folder that contains `path` to `folder`. False: the name is too long. */
bool folders_of(const char *path, char folder[PATH_MAX]);

/* The name of a file in a folder; "": the current one. The caller owns it. NULL: no memory. */
char *folders_join(const char *folder, const char *name);

/* For scandir(): whether the name does not begin with a dot. */
int folders_visible(const struct dirent *entry);

/* Creates the folder of `path` and its parents, if they are missing; `path` NULL: does nothing. Returns 0, or the errno
 * of what went wrong. */
int folders_make(const char *path);

/* After a failure: removes the folders that folders_make() has made and that hold nothing. */
void folders_drop_made(void);

/* Those made so far stay: other processes are about to write there. */
void folders_keep_made(void);

/* Removes temporary files that no process has locked any more. Called before the first file is created in the folder of
 * `path`, and also when an existing result is kept. */
void folders_visit(const char *path);

/* Notes that a file in the folder of `path` was given its name. */
void folders_changed(const char *path);

/* Flushes the folders in which files got their names, so that these names survive a loss of power. */
void folders_sync(void);
