/* SPDX-License-Identifier: MIT
 *
 * box_fit.h - finds out whether a mask leaks through a side of its box. Pixels outside a box are background. If the
 * mask also contains background of that kind, which continues into the box through a side, the pixels just outside that
 * side show its colours.
 */
#pragma once

#include <stdbool.h>

#include "coarse.h"
#include "tilecut.h"

/* A mask of a box, and the data from which it was cut. For an image in parts, image and mask are this part's rows; box
 * and counts are those of the whole image. If another part fails, the results are meaningless: call tc_comm_check(). */
typedef struct tc_boxed {
    const tilecut_image *image;
    tc_comm *comm;     /* NULL: the image is in one part */
    const uint8_t *mask;
    int64_t foreground;  /* foreground pixels of the mask                */
    double beta;         /* contrast scale of the cut that made the mask */
    tc_window box;
    const tilecut_image *strip; /* NULL: read from `image`. Else TC_BOX_SIDES images: see tc_box_strip() */
} tc_boxed;

/* The pixels along a side of a box, those in it and those beyond it: two columns or two rows of the image. Sides are
 * left, up, right and down. Their width is 0 if the image ends there. */
enum { TC_BOX_SIDES = 4 };
tc_window tc_box_strip(const tc_window *box, int side, int width, int height);

/* True if the seeds are a box and nothing else: one rectangle of unknown pixels, and outside all around it. */
bool tc_box_alone(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* Returns the greatest contact of any side. The contact is the weight of the links between the mask and the outside, as
 * a multiple of a link between equal colours, divided by the square root of the mask's area. A box that fits touches
 * its object in few pixels, or at an edge. */
double tc_box_contact(const tc_boxed *b);

/* True if a mask with that contact leaks, that is, if the contact is more than a twentieth. */
bool tc_box_leaks(double contact);

/* True if a mask ends within the box once the pixels beyond were learnt as background: it does not leak, or its contact
 * fell to three tenths or less. A box that cuts through its object keeps its contact (docs/lab/quality.md). */
bool tc_box_no_longer_leaks(double before, double after);

/* Paints pixels outside the box as background, along each side through which the mask leaks, where links join the mask
 * to nearly equal colours. */
tilecut_status tc_box_paint_beyond(const tc_boxed *b, uint8_t *seeds);
