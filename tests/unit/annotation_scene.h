/* SPDX-License-Identifier: MIT
 *
 * annotation_scene.h - paints the shapes of an annotation file on a picture of a few pixels.
 */
#pragma once

#include "annotation.h" /* must precede check.h, which defines a macro fail() */

#include <stdio.h>
#include <string.h>

/* Paints the shapes of a file on 6 x 4 pixels, as rows of '.' and '#', with '?' for ignored pixels. Returns the status
 * of reading and painting. */
static inline int paint_shapes(const char *file, const char *label, bool strict, notes *log, char rows[25],
                               failure *why)
{
    const annotation_request request = {.name = "a.json", .photo = "cat.jpg", .label = label, .width = 6,
                                        .height = 4, .rules = {.strict = strict}};
    shapes all;
    uint8_t out[24] = {0};
    int status = annotation_read(&request, (const uint8_t *)file, strlen(file), &all, log, why);
    if (!status) status = annotation_fit(&request, &all, 6, 4, why);
    if (!status) status = annotation_paint(&request, &all, 6, 4, out, log, why);
    for (int p = 0; p < 24; p++) rows[p] = out[p] == 255 ? '#' : out[p] ? '?' : '.';
    rows[24] = '\0';
    shapes_free(&all);
    return status;
}
