/* SPDX-License-Identifier: MIT
 *
 * image_pnm.h - grey PNM written row by row (image_pnm_rows.c), for the table of formats.
 */
#ifndef CLI_IMAGE_PNM_H
#define CLI_IMAGE_PNM_H

#include "image.h"

int pnm_create(struct file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why);
int pnm_write(void *state, const uint8_t *row, failure *why);
int pnm_finish(void *state, bool good, failure *why);
int pnm_together(const struct region_team *team, const char *name, int file, failure *why);

#define PNM_ROWS .create = pnm_create, .write = pnm_write, .finish = pnm_finish, .together = pnm_together

#endif
