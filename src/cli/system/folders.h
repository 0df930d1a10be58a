/* SPDX-License-Identifier: MIT
 *
 * folders.h - the folders to which a run writes. In each of them, once a run, files left by killed runs are removed. At
 * the end, the entries of new files are flushed to the disk.
 */
#pragma once

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

/* Temporary files have names of this prefix and 16 letters from the alphabet. */
#define FOLDERS_PREFIX ".tilecut-"
#define FOLDERS_ALPHABET "abcdefghijklmnopqrstuvwxyz012345"
enum { FOLDERS_LETTERS = 16 };

/* Writes the folder that contains `path` to `folder`. Returns false if the name is too long. */
bool folders_of(const char *path, char folder[PATH_MAX]);

/* Joins a folder ("": the current one) and a name. The caller owns the result. Returns NULL if memory ran out. */
char *folders_join(const char *folder, const char *name);

/* For scandir(): true if the name does not begin with a dot. */
int folders_visible(const struct dirent *entry);

/* Creates the folder of `path` and its parents if they are missing; does nothing if `path` is NULL. Returns 0 or
 * errno. */
int folders_make(const char *path);

/* Removes, after a failure, the folders that folders_make() has created, as far as they are empty. */
void folders_drop_made(void);

/* Keeps the folders created so far, because other processes are about to write there. */
void folders_keep_made(void);

/* Removes temporary files that no process has locked. Called before the first file is created in the folder of `path`,
 * and also when an existing result is kept. */
void folders_visit(const char *path);

/* Records that a file in the folder of `path` has got its name. */
void folders_changed(const char *path);

/* Flushes the folders in which files got their names, so that the names survive a power failure. */
void folders_sync(void);
