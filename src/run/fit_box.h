/* SPDX-License-Identifier: MIT
 *
 * fit_box.h - cuts a box: only what lies near it. If the mask goes on through a side, the cut is repeated with what
 * lies just outside of that side as examples of background (box_fit.h).
 */
#ifndef TC_FIT_BOX_H
#define TC_FIT_BOX_H

#include "backend.h"
#include "view.h"

/* How an image is cut, and in the end: was cut. Of an image in parts, how.whole is that of the image, the window is of
 * the whole image, and guess and seeds are of this part's rows. */
typedef struct tc_way {
    tc_window window;
    tc_setup how;           /* how.guess lies in `guesses`                                     */
    uint8_t *guesses;       /* owned                                                           */
    uint8_t *seeds;         /* owned; NULL: the caller's                                       */
    uint8_t *of_box;        /* owned; what the box says without its strokes; NULL: not known   */
    const uint8_t *strokes; /* the caller's seeds, if `seeds` have strokes of nobody, too      */
    bool beyond;            /* `seeds` have strokes of background beyond the caller's box      */
    int64_t foreground;
} tc_way;

void tc_way_free(tc_way *way);

/* The window to be cut with seeds that have a box. */
tc_window tc_window_for(const uint8_t *seeds, const tilecut_image *image, tc_comm *comm);

/* Cuts what lies in way->window, with the setup way->how. Pixels and seeds are on the host. All parts get the
 * report. */
tilecut_status tc_segment_part(const tilecut_image *image, const uint8_t *seeds, tc_way *way, uint8_t *mask,
                               tilecut_report *report);

/* Looks whether a box, and nothing else, leaks. On entry, `mask`, `report` and `way` are those of the box; they become
 * those of the box with what lies beyond taught as background, if that ends the leak. */
tilecut_status tc_fit_box(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup, uint8_t *mask,
                          tilecut_report *report, tc_way *way);

/* The same for a box alone, if the memo of the setup knows what comes of it: *known. Then *way has the seeds of a box
 * that was mended, and not how it was cut. `told`: of the box as it is, whose mask is `mask` on entry. */
tilecut_status tc_fit_recall(const tilecut_image *image, const tc_window *box, const tc_setup *setup, uint8_t *mask,
                             const tilecut_report *told, tc_way *way, bool *known);

#endif
