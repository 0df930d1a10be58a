/* SPDX-License-Identifier: MIT
 *
 * file_beside.h - files that are written beside their place and get its name when they are whole. Where the file system
 * can (O_TMPFILE), a file has no name at all until then, so that a killed run leaves nothing; elsewhere, and where an
 * older file is replaced, it is called .tilecut- and 16 letters, for a moment or as long as it is written.
 */
#ifndef CLI_FILE_BESIDE_H
#define CLI_FILE_BESIDE_H

#include <stdbool.h>
#include <sys/types.h>

/* One such file in the making. */
typedef struct beside beside;

/* Creates a file in the folder of `path` and says by *descriptor how to write it; -1 with errno: NULL. `nameless`: if
 * it can be had without a name. First removes what killed runs have left in that folder, once a run. */
beside *beside_open(const char *path, mode_t mode, bool nameless, int *descriptor);

/* Brings all that was written to the disk and gives the file the name `path`, which `replaces` another or is not there
 * yet. 0, or the errno of what went wrong. *unnamed: nothing but that the nameless file could not be given one. */
int beside_publish(beside *file, int descriptor, const char *path, bool replaces, bool *unnamed);

/* Removes the file if it was not published, and closes its descriptor. */
void beside_close(beside *file, int descriptor);

#endif
