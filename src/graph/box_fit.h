/* SPDX-License-Identifier: MIT
 *
 * box_fit.h - does a mask go on through a side of its box? What lies outside a box is background. Where something like
 * it enters the box through a side, the pixels just outside that side show what it looks like.
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

/* The most contact of a side: the links between the mask and what lies outside, in parts of a link between like
 * colours, as a part of the root of the mask's area. A box that fits touches its object in few pixels, or at an
 * edge. */
double tc_box_contact(const tc_boxed *b);

/* Whether a mask with that contact leaks: more than a twentieth. */
bool tc_box_leaks(double contact);

/* Whether a mask with that contact after a training plainly ends within the box: it does not leak, or the contact is
 * at most three tenths of what it was. A box that cuts through its object keeps its contact (docs/lab/quality.md). */
bool tc_box_no_longer_leaks(double before, double after);

/* Paints what lies outside of the box as background, along each side that leaks, where the mask touches it by links
 * between colours that are nearly alike. */
tilecut_status tc_box_paint_beyond(const tc_boxed *b, uint8_t *seeds);

#endif
