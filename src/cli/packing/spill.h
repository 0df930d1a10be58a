/* SPDX-License-Identifier: MIT
 *
 * spill.h - memory that lies in a file without a name, so that it can leave the machine's memory while it is not in
 * use.
 */
#pragma once

#include <stddef.h>

#include "failure.h"

typedef struct spill spill;

/* Creates a file in the folder TMPDIR or, if that is not set, beside the file `output` or, if that is NULL, in /tmp.
 * EXIT_RESOURCES. */
int spill_open(spill **out, const char *output, failure *why);

/* Deletes the file and all memory that was allocated in it. NULL is allowed. */
void spill_close(spill *s);

/* Returns the file's descriptor, so that other code can add to the file. */
int spill_file(const spill *s);

/* Allocates memory in the file, filled with zeros. Returns NULL if the disk is full. */
void *spill_take(spill *s, size_t size);
void spill_drop(spill *s, const void *start); /* frees one allocation; NULL is allowed */

/* Moves all allocations from memory to the disk. They are read again when they are used. */
void spill_rest(const spill *s);
