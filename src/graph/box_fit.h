/* SPDX-License-Identifier: MIT
 *
 * box_fit.h - does a box cut through its object? What lies outside a box is taken for background. But boxes are drawn
 * by hand: where the object plainly goes on outside, the box is too small. And where background enters the box through
 * a side, the pixels just outside that side show what it looks like.
 */
#ifndef TC_BOX_FIT_H
#define TC_BOX_FIT_H

#include <stdbool.h>

#include "coarse.h"
#include "tilecut.h"

/* A mask of a box, and what it was cut from. Of an image in parts all are of this part's rows, and box and counts of
 * the whole image. After a failure of another part no answer means anything: tc_comm_check(). */
typedef struct tc_boxed {
    const tilecut_image *image;
    tc_comm *comm;     /* NULL: the image is whole  */
    const uint8_t *mask;
    int64_t foreground;  /* pixels of it              */
    double beta;         /* contrast scale of its cut */
    tc_window box;
} tc_boxed;

/* Whether seeds are a box and nothing else: one rectangle that is open, outside all around. */
bool tc_box_alone(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* The box, wider on each side through which the object goes on: there the links between the mask and what lies outside,
 * in parts of a link between like colours, come to more than a twentieth of the root of the mask's area. A box that
 * fits touches its object in few pixels, or at an edge. */
tc_window tc_box_widened(const tc_boxed *b);

/* The most contact of a side, as tc_box_widened() measures it, as a part of the root of the mask's area. */
double tc_box_contact(const tc_boxed *b);

/* Whether a mask with that contact after a lesson plainly ends within the box: no side would move, or the contact is
 * at most three tenths of what it was. A box that cuts through its object keeps its contact (docs/lab/quality.md). */
bool tc_box_no_longer_leaks(double before, double after);

static inline bool tc_same_window(const tc_window *a, const tc_window *b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* Whether `after`, found in a wider box, is what was cut off from b->mask, rather than a leak: inside the box both
 * masks are nearly the same (intersection over union .96), and all of it is 3 to 30 % more (docs/lab/quality.md). */
bool tc_box_goes_on(const tc_boxed *b, const uint8_t *after);

/* A box leaks where background passes through its side that looks like what is within, and no wider box holds it.
 * Paints what lies outside of the box as background, along the sides that tc_box_widened() would move, where the mask
 * touches them by links between colours that are nearly alike. */
tilecut_status tc_box_paint_beyond(const tc_boxed *b, uint8_t *seeds);

#endif
