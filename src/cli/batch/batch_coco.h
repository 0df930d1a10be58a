/* SPDX-License-Identifier: MIT
 *
 * batch_coco.h - writes all masks of a batch into one COCO file. It reads the mask files after the batch has ended, so
 * masks from earlier runs are included.
 */
#pragma once

#include "batch_list.h"
#include "job.h"

/* Returns EXIT_USAGE if the masks cannot be read as pictures of their photos, or if `path` does not name a
 * COCO file. */
int batch_coco_check(const batch_list *list, const job_style *style, const char *path, failure *why);

/* Writes the existing masks as objects with this label (NULL: "object"). The file is written whole or not at all. A
 * note counts the photos without a mask; if no photo has one, no file is written. EXIT_INPUT, EXIT_RESOURCES,
 * EXIT_RUNTIME. */
int batch_coco_write(const batch_list *list, const job_style *style, const char *label, const char *path, notes *log,
                     failure *why);
