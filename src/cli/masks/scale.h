/* SPDX-License-Identifier: MIT
 *
 * scale.h - pictures in another size: a background that covers a photo, a cutout for a page.
 */
#pragma once

#include <stdbool.h>

#include "failure.h"
#include "image.h"

/* A size as the user asks for it: "800" the longer side, "800x600" a frame to fit in, "50%". All 0: not asked for. */
typedef struct scale_size {
    int width, height; /* size of the frame, 1 .. 65536 */
    double percent;    /* percent of the picture's size instead */
} scale_size;

/* Reads it; an option_parser into a scale_size. */
const char *scale_size_parse(const char *text, void *field);
bool scale_wanted(const scale_size *size);

/* Resizes `picture` in its proportions, pixels without transparency where it has none before. At most `memory` bytes
 * are taken. EXIT_USAGE: a side would have more than 65536 pixels; EXIT_RESOURCES. `picture` is then as before. */
int scale_to_size(const scale_size *size, uint64_t memory, image *picture, failure *why);

/* Resizes `picture` so that it just covers width x height, and crops it equally on both sides. EXIT_RESOURCES. */
int scale_to_cover(int width, int height, image *picture, failure *why);
