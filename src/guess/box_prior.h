/* SPDX-License-Identifier: MIT
 *
 * box_prior.h - compares the mask of box and strokes with the mask of the box alone. Strokes should change the mask
 * only in the regions where they lie, unless the box's own mask was wrong as a whole.
 */
#ifndef TC_BOX_PRIOR_H
#define TC_BOX_PRIOR_H

#include <stdbool.h>
#include <stdint.h>

#include "tilecut.h"
#include "comm.h"

/* All arrays have a byte per pixel, in packed rows. If the image is split into parts, they hold this part's rows. */
typedef struct tc_box_prior {
    int width, height, connectivity;
    tc_comm *comm;          /* NULL: the image is not split into parts        */
    const uint8_t *seeds;   /* box and strokes, added strokes among them      */
    const uint8_t *strokes; /* box and only those strokes that a user painted */
    const uint8_t *of_box;  /* the mask of the box alone                      */
    uint8_t *mask;          /* the mask of box and strokes                    */
} tc_box_prior;

/* Restores the box's own mask in every connected region where the two masks differ and no stroke lies. The result is
 * the minimum cut with these pixels fixed, as well as all pixels where the masks agreed: around such a region both
 * masks agree, so its cost does not depend on other regions. Nothing is restored if that would change more than a fifth
 * of the box's mask. *foreground, the number of foreground pixels in the mask, is kept up to date. */
tilecut_status tc_box_keep(const tc_box_prior *s, int64_t *foreground);

/* *loss: whether the mask has lost more than a fifth of the box's mask although no stroke asks for that: most pixels of
 * the foreground strokes lie outside the box's mask, and no pixel of the background strokes lies in it. */
tilecut_status tc_box_loss(const tc_box_prior *s, bool *loss);

#endif
