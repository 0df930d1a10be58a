/* SPDX-License-Identifier: MIT
 *
 * unseen_parts.h - finds parts of an object whose colours no stroke shows. A stroke that is short compared with its
 * mask shows few of the object's colours: with a stroke on the shirt, the trousers become background. So learning
 * starts again from another guess: the pixels with a shorter path through similar colours (reach.h) to the
 * foreground's strokes than to the background's or to the frame. Regions of the resulting mask that do not touch the
 * frame are added to the mask, and learning starts once more from both (docs/lab/quality.md has gains and failures).
 */
#pragma once

#include <stdbool.h>

#include "tilecut.h"
#include "comm.h"

/* True if the foreground's strokes, whose bounding box is `strokes`, are short compared with a mask of `foreground`
 * pixels. */
bool tc_strokes_are_short(const tc_extent *strokes, double foreground);

/* Cuts an image with its seeds and writes the mask; learning starts from `guess`. */
typedef tilecut_status tc_unseen_parts_cut(void *context, const tilecut_image *image, const uint8_t *seeds,
                                      const uint8_t *guess, uint8_t *mask);

/* Searches for such parts in a small image with seeds of both classes and the mask `mask`. *found is true if there are
 * any; then `guess` is the mask with these parts added. Arrays have a byte per pixel in packed rows; masks and guesses
 * are 0 or 255. The result is the same on every machine. */
tilecut_status tc_unseen_parts_find(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask,
                               tc_unseen_parts_cut *cut, void *context, uint8_t *guess, bool *found);
