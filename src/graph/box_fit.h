/* SPDX-License-Identifier: MIT
 *
 * box_fit.h - does a box cut through its object? A box is drawn by hand; what lies outside of it is strong evidence of
 * background, but where the object plainly goes on, the box was wrong.
 */
#ifndef TC_BOX_FIT_H
#define TC_BOX_FIT_H

#include <stdbool.h>

#include "coarse.h"
#include "tilecut.h"

/* Whether seeds are a box and nothing else: one rectangle that is open, outside all around. */
bool tc_box_alone(const uint8_t *seeds, int width, int height, tc_window *box);

/* The box, wider on each side through which the object goes on: there the links between the mask and what lies outside,
 * in parts of a link between like colours, come to more than a twentieth of the root of the mask's area. A box that
 * fits touches its object in few pixels, or at an edge. `mask` is that of the box, with `foreground` pixels, `beta`
 * the contrast scale of its cut. */
tc_window tc_box_widened(const tilecut_image *image, const uint8_t *mask, int64_t foreground, double beta,
                         const tc_window *box);

static inline bool tc_same_window(const tc_window *a, const tc_window *b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* Whether a mask found in a wider box is what was cut off, rather than a leak: inside the box both masks are nearly
 * the same (intersection over union .96), and all of it is 3 to 30 % more (docs/lab/quality.md). */
bool tc_box_goes_on(const uint8_t *before, const uint8_t *after, int width, int height, const tc_window *box);

#endif
