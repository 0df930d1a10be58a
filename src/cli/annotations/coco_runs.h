/* SPDX-License-Identifier: MIT
 *
 * coco_runs.h - run lengths as text, as COCO's compressed RLE has them. A run but for the first three is written as its
 * difference to the one two before it, which is of the same kind. A number is in groups of five bits, the lowest first,
 * in two's complement; 32 is added to all groups but the last, and 48 to make them letters.
 */
#ifndef CLI_COCO_RUNS_H
#define CLI_COCO_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "file.h"

/* Appends the text of `count` runs, without a closing zero. False: no memory. */
bool coco_runs_write(const uint32_t *runs, size_t count, bytes *text);

/* Reads the run at *text, which is moved behind it; `two_before`: the run two before it, 0 for the first three. False:
 * it is no run. */
bool coco_runs_read(const char **text, int64_t two_before, uint32_t *run);

#endif
