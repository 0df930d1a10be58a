/* SPDX-License-Identifier: MIT
 *
 * scan_preview.h - a picture of a volume and its labels: slices side by side, each with an overlay.
 */
#ifndef CLI_SCAN_PREVIEW_H
#define CLI_SCAN_PREVIEW_H

#include <stdint.h>

#include "scan.h"

/* Twenty slices across z through the object (through everything if there is none), and below them one across y and one
 * across x through its middle. The object's edge, the dimmed background and seeds are those of an overlay. `range`:
 * values
 * that are black and white. `mask`: 0 or 255 a voxel. EXIT_RESOURCES, and EXIT_USAGE as of image_can_write(). */
int scan_preview(const scan *s, const double range[2], const uint8_t *mask, const uint8_t *labels, const char *path,
                 bytes *sink, failure *why);

#endif
