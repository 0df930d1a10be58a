/* SPDX-License-Identifier: MIT
 *
 * spill.h - memory that lies in a file without a name, so that it can leave the machine's memory while nobody needs it.
 */
#pragma once

#include <stddef.h>

#include "failure.h"

typedef struct spill spill;

/* Makes a file in the folder TMPDIR; or else beside the file `output`; or, if that is NULL, in /tmp. EXIT_RESOURCES. */
int spill_open(spill **out, const char *output, failure *why);

/* Deletes the file, and all memory that was taken from it. NULL is fine. */
void spill_close(spill *s);

/* The file's descriptor, so that other code can add to it. */
int spill_file(const spill *s);

/* Takes memory that lies in the file, filled with zeros. NULL: the disk is full. */
void *spill_take(spill *s, size_t size);
void spill_drop(spill *s, const void *start); /* gives back what was taken; NULL is fine */

/* Moves all of it from memory to the disk. It is read again when it is used. */
void spill_rest(const spill *s);
