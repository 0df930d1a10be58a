/* SPDX-License-Identifier: MIT
 *
 * photo_part.h - for the files photo_part*.c: one part of a photo. It is a job (job.h) whose photo is the part's own
 * rows and their halo; job_of_photo_part says how it reads, cuts and writes them.
 */
#pragma once

#include "job_part.h"
#include "region.h"

typedef struct photo_part {
    job_part part;         /* must be first, so that a pointer to it also points to the photo_part */
    notes found;           /* notes about the photo's file, kept until all parts have read it */
    bool tiles;            /* true: the photo's file has tiles  */
    region_writer *writer; /* writes the mask; NULL: this part does not write */
    int mask_file;         /* file descriptor of the mask */
    bool together;         /* true: each part writes its own rows; else part 0 writes all rows */
    bool by_rows;          /* true: part 0 writes rows as they come; else it gathers the whole mask first */
} photo_part;

/* All parts call these three, in this order. The file of the mask is created before the cut, so that an error shows
 * early. photo_part_write() writes all rows; then job_write() of part 0 gives the file its name (photo_part_finish()).
 * After a failure photo_part_close_mask() removes it. */
int photo_part_open_mask(photo_part *part);
int photo_part_write(photo_part *part);
void photo_part_close_mask(photo_part *part);
int photo_part_finish(job *j, failure *why);
