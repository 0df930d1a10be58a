/* SPDX-License-Identifier: MIT
 *
 * box_prior.h - what a box says without its strokes, held against the mask that box and strokes have given. Strokes
 * change the mask of a box only where they lie, unless it was wrong as a whole.
 */
#ifndef TC_BOX_PRIOR_H
#define TC_BOX_PRIOR_H

#include <stdbool.h>
#include <stdint.h>

#include "tilecut.h"
#include "comm.h"

/* All arrays have a byte per pixel; of an image in parts all are of this part's rows. */
typedef struct tc_box_prior {
    int width, height, connectivity;
    tc_comm *comm;        /* NULL: the image is whole                       */
    const uint8_t *seeds;   /* box and strokes                                */
    const uint8_t *strokes; /* the same, without those that nobody has painted */
    const uint8_t *of_box;  /* the box's own mask                             */
    uint8_t *mask;          /* of box and strokes                             */
} tc_box_prior;

/* Gives back to the mask what the box's own has, wherever the two differ and no stroke lies. What is left is the
 * minimum cut with those pixels fixed, and all others, too, that have not changed: around a region that has changed
 * both masks agree, so what it costs does not depend on other regions. Nothing is given back if that would be a large
 * part of the box's mask. *foreground counts the mask. */
tilecut_status tc_box_keep(const tc_box_prior *s, int64_t *foreground);

/* *loss: whether the mask has lost a large part of the box's although strokes only name what that lacks: most pixels of
 * the foreground's lie outside of it, and none of the background's within. Then nothing speaks against the box's
 * mask. */
tilecut_status tc_box_loss(const tc_box_prior *s, bool *loss);

#endif
