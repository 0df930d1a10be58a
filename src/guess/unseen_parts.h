/* SPDX-License-Identifier: MIT
 *
 * unseen_parts.h - parts of an object in colours that no stroke names. A stroke that is short beside its mask shows few
 * of the object's colours: trousers below a shirt are background then. What such strokes reach by way of alike colours,
 * before the background's strokes and the frame do, is another place to begin learning from. Of the mask that it
 * teaches, regions away from the frame are added to the mask before, and learning begins once more, with both
 * (docs/lab/quality.md has what that gains, and where it fails).
 */
#ifndef TC_UNSEEN_PARTS_H
#define TC_UNSEEN_PARTS_H

#include <stdbool.h>

#include "tilecut.h"
#include "comm.h"

/* *shorts: whether the foreground's strokes are short beside a mask of `foreground` pixels. seeds: packed rows of
 * `width`; of an image in parts, `height` rows of this part. */
tilecut_status tc_strokes_are_short(const uint8_t *seeds, int width, int height, tc_comm *comm, double foreground,
                                    bool *shorts);

/* Cuts an image with its seeds, where learning begins with `guess`. */
typedef tilecut_status tc_unseen_parts_cut(void *context, const tilecut_image *image, const uint8_t *seeds,
                                      const uint8_t *guess, uint8_t *mask);

/* Looks for such parts in a small image with seeds of both classes, whose mask is `mask`. *found: whether there are
 * any; then `guess` is the mask with them. All have a byte a pixel, packed, masks and guesses 0 or 255. The same on
 * every machine. */
tilecut_status tc_unseen_parts_find(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask,
                               tc_unseen_parts_cut *cut, void *context, uint8_t *guess, bool *found);

#endif
