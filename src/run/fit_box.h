/* SPDX-License-Identifier: MIT
 *
 * fit_box.h - cuts an image with a box, in a window around it. If the mask seems to leak through a side of the box, the
 * cut is repeated with the pixels just outside of that side as examples of background (box_fit.h).
 */
#pragma once

#include "backend.h"
#include "box_fit.h"
#include "view.h"
#include "window_parts.h"

/* A plan of how to cut an image and, after the cut, a record of how it was cut. If the image is split into parts, the
 * window is in coordinates of the whole image, and guess and seeds have this part's rows. */
typedef struct tc_cut_plan {
    tc_window window;
    tc_setup setup;  /* setup.guess points to `guess`                                   */
    uint8_t *guess;  /* owned                                                           */
    uint8_t *seeds;  /* owned; NULL: the caller's seeds are used                        */
    uint8_t *of_box; /* owned; the mask of the box without its strokes; NULL: not known */
    bool beyond;     /* true: background strokes beyond the caller's box were added     */
    int64_t foreground;
} tc_cut_plan;

void tc_cut_plan_free(tc_cut_plan *plan);

/* Returns the window to cut: tc_box_window(), or the whole image. */
tc_window tc_window_for(const uint8_t *seeds, const tilecut_image *image, tc_comm *comm);

/* Cuts the pixels in plan->window with plan->setup. Pixels and seeds are on the host. If the image is split into parts,
 * all of them get the report. */
tilecut_status tc_segment_part(const tilecut_image *image, const uint8_t *seeds, tc_cut_plan *plan, uint8_t *mask,
                               tilecut_report *report);

/* Sends the report of a window to the parts that had no rows in it. All parts call this when the window is done. */
tilecut_status tc_window_share(const tc_window_parts *parts, const tc_setup *setup, tilecut_report *report);

/* The pixels along the sides of a box, if only a device has those of the image. */
typedef struct tc_strips {
    const tilecut_image *of; /* for tc_boxed; NULL: the image is in host memory */
    tilecut_image strip[TC_BOX_SIDES];
    uint8_t *memory;
} tc_strips;

/* Copies the sides of a box from setup->there, unless image->pixels are in host memory. Close it after a failure,
 * too. */
tilecut_status tc_strips_open(tc_strips *strips, const tilecut_image *image, const tc_window *box,
                              const tc_setup *setup);
void tc_strips_close(tc_strips *strips);

/* Checks whether the mask of `box`, which has no strokes, leaks through a side. On entry, `mask`, `report` and `plan`
 * are the results for that box. If the leak ends when the pixels beyond the side are learnt as background, `mask`,
 * `report` and `plan` become the results of the cut with these pixels. */
tilecut_status tc_fit_box(const tilecut_image *image, const tc_window *box, const tc_setup *setup, uint8_t *mask,
                          tilecut_report *report, tc_cut_plan *plan);

/* Gets the result of tc_fit_box() from setup->memo; *known is true if it is there. Then *plan has the seeds of a
 * corrected box, but no record of how it was cut. On entry `mask` is the mask of the original box, and `result` its
 * report. */
tilecut_status tc_fit_recall(const tilecut_image *image, const tc_window *box, const tc_setup *setup, uint8_t *mask,
                             const tilecut_report *result, tc_cut_plan *plan, bool *known);
