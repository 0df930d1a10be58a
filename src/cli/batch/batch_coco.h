/* SPDX-License-Identifier: MIT
 *
 * batch_coco.h - all masks of a batch in one COCO file. It is made of the masks in their files when the batch has
 * ended, so those that an earlier run has left are in it, too.
 */
#pragma once

#include "batch_list.h"
#include "job.h"

/* EXIT_USAGE if the masks cannot be read as pictures of their photos, or `path` does not name a COCO file. */
int batch_coco_check(const batch_list *list, const job_style *style, const char *path, failure *why);

/* Writes the masks that are there, whole or not at all, as objects of that label (NULL: "object"). Photos without a
 * mask are counted in a note; if none has one, there is no file. EXIT_INPUT, EXIT_RESOURCES, EXIT_RUNTIME. */
int batch_coco_write(const batch_list *list, const job_style *style, const char *label, const char *path, notes *log,
                     failure *why);
