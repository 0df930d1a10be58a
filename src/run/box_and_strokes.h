/* SPDX-License-Identifier: MIT
 *
 * box_and_strokes.h - strokes in a box. They are two kinds of evidence, so learning may begin in several ways.
 */
#ifndef TC_BOX_AND_STROKES_H
#define TC_BOX_AND_STROKES_H

#include "click_sizes.h"
#include "fit_box.h"

typedef struct tc_painting {
    const tilecut_image *image;
    const uint8_t *seeds;
    const uint8_t *strokes; /* the same, without strokes that nobody has painted; NULL: there are none */
    const uint8_t *of_box;  /* what the box says without its strokes; NULL: that is not known yet      */
    uint8_t *mask;          /* the answer                                                              */
} tc_painting;

/* Whether there are strokes beside a box, for which a search is wanted. In parts: whether all have; see coarse.h. */
bool tc_is_painted(const uint8_t *seeds, int width, int height, const tc_setup *setup);

/* Whether there is foreground, and a box that holds nearly all of the image and so says next to nothing. */
bool tc_box_is_vague(const tilecut_image *image, const uint8_t *seeds, tc_comm *comm);

/* The guess of clicks that `are` so, from masks of several sizes around them (click_sizes.h), in a smaller copy of less
 * cells than the image has pixels. *found: whether there is one that is plainly better than p->mask; then `with` has
 * its width and height. */
tilecut_status tc_guess_by_clicks(const tc_painting *p, tc_click_are *are, uint8_t *guess, tc_setup *with, bool *found);

/* Writes p->mask. Learning begins with the ellipse, with what the box alone says, and with what the strokes alone say.
 * The answer of least energy is taken: so little evidence leaves what the box says, and much evidence overrules it
 * (docs/guide/quality.md). Where the box holds nearly all of the image it says nothing: then learning begins with what
 * is nearer to the strokes than to the image's border (reach.h), and what hangs together with no stroke is left out.
 * how->guess is then what led to it; it lies in `guesses`, room for two masks, and in parts for TC_GUESS_CELLS more. */
enum { TC_GUESS_CELLS = 4200000 };

tilecut_status tc_segment_box_and_strokes(const tc_painting *p, uint8_t *guesses, tc_setup *how,
                                          tilecut_report *report);

/* Cuts what lies in the window of *w, whose box may not fit: tc_fit_box(). With strokes in the box, that is done about
 * the box without them, but only if their mask goes on through a side of it, too. Then the strokes are cut once more,
 * with what has become of the box. Pixels and seeds are on the host. *w: to be freed in any case. */
tilecut_status tc_segment_window(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup, tc_way *w,
                                 uint8_t *mask, tilecut_report *report);

#endif
