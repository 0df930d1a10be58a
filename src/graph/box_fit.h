/* SPDX-License-Identifier: MIT
 *
 * box_fit.h - does a mask go on through a side of its box? What lies outside a box is background. Where something like
 * it enters the box through a side, the pixels just outside that side show what it looks like.
 */
#pragma once

#include <stdbool.h>

#include "coarse.h"
#include "tilecut.h"

/* A mask of a box, and what it was cut from. For an image in parts, image and mask are this part's rows; box and counts
 * are those of the whole image. If another part fails, answers mean nothing: call tc_comm_check(). */
typedef struct tc_boxed {
    const tilecut_image *image;
    tc_comm *comm;     /* NULL: the image is whole  */
    const uint8_t *mask;
    int64_t foreground;  /* foreground pixels of the mask                */
    double beta;         /* contrast scale of the cut that gave the mask */
    tc_window box;
} tc_boxed;

/* Whether seeds are a box and nothing else: one rectangle that is open, outside all around. */
bool tc_box_alone(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* The greatest contact of any side. The contact is the weight of the links between the mask and the outside, counted in
 * links between equal colours and divided by the root of the mask's area. A box that fits touches its object in few
 * pixels, or at an edge. */
double tc_box_contact(const tc_boxed *b);

/* Whether a mask with that contact leaks, that is, whether the contact is more than a twentieth. */
bool tc_box_leaks(double contact);

/* Whether a mask ends within the box after the pixels beyond were learnt as background: it does not leak, or its
 * contact fell to three tenths or less. A box that cuts through its object keeps its contact (docs/lab/quality.md). */
bool tc_box_no_longer_leaks(double before, double after);

/* Paints pixels outside the box as background: along each side that leaks, where links join the mask to nearly equal
 * colours. */
tilecut_status tc_box_paint_beyond(const tc_boxed *b, uint8_t *seeds);
