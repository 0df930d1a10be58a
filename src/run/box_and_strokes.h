/* SPDX-License-Identifier: MIT
 *
 * box_and_strokes.h - cuts an image with strokes in a box. Learning starts from the mask of the box alone, and each
 * stroke changes that mask only near itself and in its own direction (nested.h).
 */
#pragma once

#include "click_sizes.h"
#include "fit_box.h"

typedef struct tc_painting {
    const tilecut_image *image;
    const uint8_t *seeds;
    const uint8_t *of_box; /* the mask of the box without its strokes; NULL: not known yet */
    uint8_t *mask;         /* out: the answer                                              */
} tc_painting;

/* True if there are strokes as well as a box, and the setup asks for a search. If the image is split into parts, all
 * parts get the same answer; see coarse.h. */
bool tc_is_painted(const uint8_t *seeds, int width, int height, const tc_setup *setup);

/* True if there is foreground, and a box that contains nearly all of the image and so is hardly any evidence. */
bool tc_box_is_vague(const tilecut_image *image, const uint8_t *seeds, tc_comm *comm);

/* Makes a first guess from clicks (click_sizes.h), in a smaller copy of the image, if are() is true for the copy's
 * seeds. *found is true if a mask is clearly better than p->mask. Then `guess` is that mask in cells of the copy, and
 * `with` gets its width and height. `guess` needs no more bytes than the image has pixels. */
tilecut_status tc_guess_by_clicks(const tc_painting *p, tc_click_are *are, uint8_t *guess, tc_setup *with, bool *found);

/* Writes p->mask. Learning starts from the mask of the box alone, or from the ellipse in the box if that mask is empty.
 * If the box is vague (tc_box_is_vague()), learning starts from the pixels that are nearer to the strokes than to the
 * image's border (reach.h) or, for a single click, from a guess of the object's size. Regions that are not connected to
 * a stroke are then removed. setup->guess becomes that first guess. It lies in `guess`, which has room for a mask and,
 * if the image is split into parts, for TC_GUESS_CELLS bytes more. */
enum { TC_GUESS_CELLS = 4200000 };

tilecut_status tc_segment_box_and_strokes(const tc_painting *p, uint8_t *guess, tc_setup *setup,
                                          tilecut_report *report);

/* Cuts the window of *w, and corrects a box that does not fit (tc_fit_box()). With strokes, the box without them is
 * corrected, but only if the mask of box and strokes also touches a side of the box; then the strokes are cut once more
 * with the corrected box. Pixels and seeds are on the host. Free *w with tc_cut_plan_free() in any case. */
tilecut_status tc_segment_window(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup,
                                 tc_cut_plan *w, uint8_t *mask, tilecut_report *report);
