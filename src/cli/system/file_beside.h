/* SPDX-License-Identifier: MIT
 *
 * file_beside.h - files that are written in the folder of their target and get its name only when they are complete. If
 * the file system offers O_TMPFILE, the file has no name until then, so a killed run leaves nothing behind. Otherwise
 * it is called .tilecut- and 16 letters while it is written. When it replaces an older file, it has such a name for a
 * moment.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* A file that is being written. */
typedef struct beside beside;

/* Creates a file in the folder of `path`. *descriptor serves to write the file, and to read what was written.
 * `nameless`: the file shall have no name yet, if the file system allows that. The first call for a folder removes
 * files that killed runs have left there. Returns NULL with errno on failure. */
beside *beside_open(const char *path, mode_t mode, bool nameless, int *descriptor);

/* Returns the last part of the temporary name, by which other processes can open the file; "" if the file has no
 * name. */
const char *beside_name(const beside *file);

/* Opens the temporary file `name`, which another process has made for `path`. Only that process may publish it. If it
 * is closed here before that, the file is removed. Returns NULL with errno on failure. */
beside *beside_join(const char *path, const char *name, int *descriptor);

/* Flushes the contents to the disk and gives the file the name `path`. `replaces`: an older file of that name exists.
 * Returns 0 or errno. Sets *unseen if the only failure was that the nameless file could not be given a name. */
int beside_publish(beside *file, int descriptor, const char *path, bool replaces, bool *unseen);

/* Removes the file if it was not published, and closes its descriptor. */
void beside_close(beside *file, int descriptor);
