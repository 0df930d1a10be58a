/* SPDX-License-Identifier: MIT
 *
 * tilecut_correct.h - corrects a mask by seeds in one call. Command line, editor and Python use these functions; a
 * session (tilecut.h) corrects stroke by stroke, takes less time, and can undo. The header also has functions for
 * finished masks. Experimental.
 */
#ifndef TILECUT_CORRECT_H
#define TILECUT_CORRECT_H

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which pixels a correction may change. */
enum {
    TILECUT_BY_STROKES = 0, /* only pixels connected to seeds that contradict the mask. All such seeds of a class act
                               as one stroke of tilecut_session_stroke(); foreground comes first                      */
    TILECUT_BY_LEARNING = 1, /* pixels for which learning anew from all seeds gives another label, see
                                tilecut_correct() */
    TILECUT_ANEW = 2         /* only for tilecut_memo_cut(): everything, as with tilecut_segment(); `mask` is not
                                read */
};

/* The number of changed pixels. Before the call it must be {0}, or have its size set. */
typedef struct tilecut_corrected {
    size_t size;            /* the caller's: sizeof(tilecut_corrected), or 0, see tilecut_types.h */
    int64_t added, removed; /* pixels of foreground                                               */
} tilecut_corrected;

/* Corrects a mask by the seeds that contradict it. Foreground seeds only add foreground, background seeds only remove
 * it. If no seed contradicts the mask, it does not change, and nothing is cut (report->solver: "none"). TILECUT_OUTSIDE
 * never contradicts a mask.
 *
 * Background seeds in even texture, such as a wall or the sky, remove all of that texture. There are three exceptions:
 * foreground seeds also lie in it; it lies deeper in the area to be removed than the seeds lie in the mask; or the
 * seeds are a line that fills less than two fifths of that area (tilecut_session_stroke()). In volumes this rule does
 * not exist.
 *
 * Learning takes over regions of the mask that tilecut_segment() finds for the seeds alone, or what the seeds would
 * change as a stroke, so pass all seeds so far, not only the new ones. If there are no seeds of one class, nothing is
 * learnt from the seeds alone. Of several such changes one is made for each class: it should be large, and the seeds
 * should lie in its middle, because a user corrects the largest error first, and paints in its middle. A line should
 * lie along an error from end to end. The more strokes the mask agrees with already, the less a large change counts.
 * All other pixels keep their label. The rules are in docs/design/corrections.md.
 *
 *   image    not changed
 *   seeds    height rows of width labels, as for tilecut_segment()
 *   params   NULL for all defaults. prior: the mask as probabilities, from which colours are learnt for strokes; NULL:
 *            `mask` is used. prior_weight is not used
 *   how      TILECUT_BY_STROKES or TILECUT_BY_LEARNING
 *   mask     in and out, height rows of width bytes owned by the caller, params->mask_stride apart; on entry 0 is
 *            background and everything else foreground; on return 0 or 255; untouched on failure
 *   corrected, report   out, may be NULL. flow and cut are those of the strokes, or of the offer that was taken last;
 *            foreground counts the whole mask; times are sums
 * Learning takes 21 bytes a pixel more than tilecut_segment(). Errors: those of tilecut_segment(); also EINVAL for any
 * other `how`. */
TILECUT_API tilecut_status tilecut_correct(const tilecut_image *image, const uint8_t *seeds,
                                           const tilecut_params *params, int how, uint8_t *mask,
                                           tilecut_corrected *corrected, tilecut_report *report);

/* The last step for a finished mask: moves its outline to where nearby colours inside and outside show the object's
 * edge. It moves by at most four pixels; in photos whose shorter side has 720 pixels or more, by another four for each
 * further 480. A second call brings no improvement. The time is linear in the number of pixels, and the result has the
 * same bits on every machine.
 *
 * A thin mask stays as it is, because next to nothing of it lies farther from the outline than that: if foreground or
 * background has fewer than 7 pixels for each link that the outline cuts (in large photos twice as many, and so on).
 *
 *   image    8 or 16 bits
 *   seeds    NULL, or width * height labels as for tilecut_segment(); seeded pixels keep their label
 *   given    NULL, or the mask from which `mask` was refined, width * height bytes, foreground is 128 and more: the
 *            outline moves only near pixels that refining has changed
 *   mask     in and out, width * height bytes, 0 or 255; unchanged on failure
 *   corrected   out, may be NULL
 * Takes at most TILECUT_SNAP_BYTES a pixel. Errors: EINVAL, ENOMEM. */
enum { TILECUT_SNAP_BYTES = 48 };
TILECUT_API tilecut_status tilecut_snap(const tilecut_image *image, const uint8_t *seeds, const uint8_t *given,
                                        uint8_t *mask, tilecut_corrected *corrected);

/* The clean-up of a finished mask, in this order: keep_largest, min_area, fill_holes, connected; if all four are 0,
 * nothing is done. Foreground is connected over `connectivity` neighbours; background, whose regions are holes, over 4
 * in an image and 6 in a volume. So in an image a closed thin line has an inside, and a diagonal hair is one region. */
typedef struct tilecut_cleaning {
    size_t size;              /* sizeof(tilecut_cleaning), or 0                                             */
    int width, height, depth; /* size of the mask; depth 0: an image. 1 to 2^31 - 1 pixels in all           */
    int connectivity;         /* in an image 4 or 8, 0: 8; in a volume 6 or 26, 0: 6                        */
    int keep_largest;         /* nonzero: drop all foreground but the largest region, or the first of equally large
                                 ones */
    int connected;            /* nonzero: drop foreground regions without a foreground seed                 */
    int64_t min_area;         /* drop foreground regions with fewer pixels than this, not negative; 0: none */
    int64_t fill_holes;       /* fill holes of at most this many pixels, not negative; 0: none. A region that touches
                                 the border of the mask is not a hole; along an axis of one pixel there is no border */
} tilecut_cleaning;

/* What the clean-up did. Before the call it must be {0}, or have its size set. */
typedef struct tilecut_cleaned {
    size_t size;                             /* the caller's: sizeof(tilecut_cleaned), or 0, see tilecut_types.h */
    int64_t regions_dropped, pixels_dropped; /* foreground regions, and their pixels                             */
    int64_t holes_filled, pixels_filled;
} tilecut_cleaned;

/* Drops specks of a finished mask and fills its holes. A region that contains a seed of its own label is never changed.
 * Takes linear time on one thread and five bytes a pixel; the result has the same bits on every machine.
 *
 *   seeds     NULL, or one label per pixel of the mask, packed, as for tilecut_segment(); TILECUT_OUTSIDE counts as
 *             background
 *   mask      in and out, packed, pixel (x, y, z) at (z * height + y) * width + x, 0 or 255; unchanged on failure
 *   cleaned   out, may be NULL
 * tilecut_part_clean() in tilecut_parts.h does the same in parts. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_clean(const tilecut_cleaning *how, const uint8_t *seeds, uint8_t *mask,
                                         tilecut_cleaned *cleaned);

/* What refining did to a mask, as measured by tilecut_outline_moved(). Before the call it must be {0}, or have its size
 * set. */
typedef struct tilecut_moved {
    size_t size;                /* the caller's: sizeof(tilecut_moved), or 0, see tilecut_types.h                 */
    int64_t added, removed;     /* pixels of foreground                                                           */
    double changed;             /* added plus removed pixels, as a share of all pixels                            */
    double mean, most;          /* distance in pixels between the outlines, measured from each to the other; 0 if either
                                   mask has none */
    double edges_before, edges; /* 0 .. 1: the share of either outline that lies on edges of the image            */
    int64_t too_much;           /* 1: the number of changed pixels is more than half the size of the mask, so compare
                                   both masks by eye */
} tilecut_moved;

/* Compares a mask that was passed in for refining (tilecut_params.prior) with the refined mask. Takes linear time on
 * one thread and six bytes a pixel; the result has the same bits on every machine.
 *
 *   image         8 or 16 bits
 *   given, mask   width * height bytes each, foreground from 128 on
 *   moved         out
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_outline_moved(const tilecut_image *image, const uint8_t *given, const uint8_t *mask,
                                                 tilecut_moved *moved);

/* ---- Strokes in a box, one after the other ------------------------------------------------------ */

/* Stores the mask of a box without the strokes in it, and whether that mask leaked. Each new stroke in the box needs
 * this mask, and finding it takes a search. Later calls with the same pixels, box and options use the stored mask; a
 * call with others replaces it. It takes a quarter of a byte for each pixel of the box; if there is no memory, nothing
 * is stored. Calls in several threads may share a memo: a call that finds it in use works without it. Opaque. */
typedef struct tilecut_memo tilecut_memo;

TILECUT_API tilecut_status tilecut_memo_create(tilecut_memo **memo); /* empty at first */
/* NULL is allowed; no running call may be using it */
TILECUT_API void tilecut_memo_destroy(tilecut_memo *memo);

/* Does the same as tilecut_correct(), or as tilecut_segment() if `how` is TILECUT_ANEW. The answer is the same bit for
 * bit, but takes less time, because `memo` stores results that later calls need again. NULL: nothing is stored. */
TILECUT_API tilecut_status tilecut_memo_cut(tilecut_memo *memo, const tilecut_image *image, const uint8_t *seeds,
                                            const tilecut_params *params, int how, uint8_t *mask,
                                            tilecut_report *report);

#ifdef __cplusplus
}
#endif
#endif
