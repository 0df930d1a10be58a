/* SPDX-License-Identifier: MIT
 *
 * image_pnm.h - PNM written row by row (image_pnm_write.c), for the table of formats.
 */
#pragma once

#include "image.h"

int pnm_create(const image_sink *sink, const image_view *head, void **state, failure *why);
int pnm_write(void *state, const uint8_t *row, failure *why);
int pnm_finish(void *state, bool good, failure *why);
int pnm_together(const struct region_team *team, const char *name, int file, failure *why);
