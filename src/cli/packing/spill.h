/* SPDX-License-Identifier: MIT
 *
 * spill.h - memory that lies in a file without a name, so that it can leave the machine's memory while nobody needs it.
 */
#ifndef CLI_SPILL_H
#define CLI_SPILL_H

#include <stddef.h>

#include "failure.h"

typedef struct spill spill;

/* Makes the file, in the folder TMPDIR, or beside the file `output`, or, if that is NULL, in /tmp. EXIT_RESOURCES. */
int spill_open(spill **out, const char *output, failure *why);

/* The file is gone, and all that was taken with it. NULL is fine. */
void spill_close(spill *s);

/* Its descriptor, for others that add to it. */
int spill_file(const spill *s);

/* Memory in it, zero; NULL: the disk is full. */
void *spill_take(spill *s, size_t size);
void spill_drop(spill *s, const void *start); /* what was taken; NULL is fine */

/* All of it leaves memory, and is read again where it is wanted. */
void spill_rest(const spill *s);

#endif
