/* SPDX-License-Identifier: MIT
 *
 * stroke_leak.h - finds the part of a stroke's change that the user cannot have meant, called a leak.
 *
 * A user paints in the middle of an error, or a line along it. So discs (in space, balls) around the stroke that fit
 * into the change fill a good part of it. If they do not, the change has leaked, and only the pixels that they fill
 * change. The change of a line has leaked if the discs fill less than two fifths of it. A click is weaker evidence: its
 * change has leaked only if the click lies less than .7 times as deep in the change as the deepest place. Besides, the
 * pixels beyond its discs must be more than a quarter of the object; or the discs must fill as little as those of a
 * line, and the click must have lain in the wrong label less than .8 times as deep as that place, because then it does
 * not tell of so large an error. These rules are the same for both labels (docs/lab/never-worse.md and quality.md say
 * how they were chosen). Besides, a background stroke does not mean that there is no object: a change that leaves less
 * than a tenth of it has leaked.
 */
#pragma once

#include "chamfer.h"
#include "lattice.h"
#include "tilecut.h"

/* The change that came with a stroke. */
typedef struct tc_spread {
    tc_block window;
    int slice_rows;         /* rows of a slice in the lattice; rows of a stroke are counted through all slices */
    const double *spacing;  /* NULL: 1, 1, 1                                                   */
    const uint8_t *changed; /* [window] 1 where a pixel has changed                            */
    int64_t pixels, object; /* number of changed pixels; number of pixels of the object before */
    int depth;              /* how deep the stroke lay in the wrong label before (chamfer.h); not used in space */
} tc_spread;

/* Sets *held to a map of the window, 1 for the leak, 0 for all other pixels; leaves it NULL if there is no leak.
 * `stroke` lies in the window. */
tilecut_status tc_stroke_leak(const tc_spread *spread, const tilecut_stroke *stroke, uint8_t **held);

/* True if a stroke of `pixels` pixels is a line: it has at least as many pixels as three discs of its own width (9.4 is
 * three times the area of a disc of radius 1). `widest` is the greatest distance from one of its pixels to an unpainted
 * pixel. */
static inline bool tc_is_line(int64_t pixels, int widest)
{
    const double radius = (double)widest / TC_CHAMFER_PIXEL;
    return (double)pixels > 9.4 * radius * radius;
}
