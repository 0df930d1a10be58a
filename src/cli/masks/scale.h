/* SPDX-License-Identifier: MIT
 *
 * scale.h - resizes pictures: a background that covers a photo, a cutout for a page.
 */
#pragma once

#include <stdbool.h>

#include "failure.h"
#include "image.h"

/* A size as the user gives it: "800" for the longer side, "800x600" for a frame to fit into, "50%". All 0:
 * not given. */
typedef struct scale_size {
    int width, height; /* the frame, 1 .. 65536 pixels */
    double percent;    /* instead of a frame: per cent of the picture's size */
} scale_size;

/* Reads a size into a scale_size; an option_parser. */
const char *scale_size_parse(const char *text, void *field);
bool scale_wanted(const scale_size *size);

/* Resizes `picture` and keeps its proportions. A picture without transparency gets none. Takes at most `memory` bytes.
 * EXIT_USAGE: a side would have more than 65536 pixels; EXIT_RESOURCES. After a failure `picture` is unchanged. */
int scale_to_size(const scale_size *size, uint64_t memory, image *picture, failure *why);

/* Resizes `picture` so that it just covers width x height, and crops it equally on both sides. Returns EXIT_RESOURCES
 * if memory runs out. */
int scale_to_cover(int width, int height, image *picture, failure *why);
