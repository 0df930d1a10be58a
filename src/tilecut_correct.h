/* SPDX-License-Identifier: MIT
 *
 * tilecut_correct.h - a mask, corrected by seeds in one call. Command line, editor and Python correct masks by it; a
 * session (tilecut.h) corrects stroke by stroke, sooner, and can undo. Also what is done to a finished mask.
 * Experimental.
 */
#ifndef TILECUT_CORRECT_H
#define TILECUT_CORRECT_H

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a correction may change. */
enum {
    TILECUT_BY_STROKES = 0, /* only pixels connected to seeds that contradict the mask. All such seeds of a class act
                               as one stroke of tilecut_session_stroke(); foreground comes first                      */
    TILECUT_BY_LEARNING = 1, /* what learning anew from all seeds finds, see tilecut_correct()                        */
    TILECUT_ANEW = 2         /* tilecut_memo_cut() alone: everything, as tilecut_segment(); `mask` is not read        */
};

/* How many pixels have changed. Before the call it is {0}, or has its size set. */
typedef struct tilecut_corrected {
    size_t size;            /* the caller's: sizeof(tilecut_corrected), or 0, see tilecut_types.h */
    int64_t added, removed; /* pixels of foreground                                               */
} tilecut_corrected;

/* Corrects a mask by the seeds that contradict it. Foreground seeds only add foreground to it, background seeds only
 * take it away. Without seeds that contradict it the mask stays as it is, and nothing is cut (report->solver: "none").
 * TILECUT_OUTSIDE never contradicts a mask.
 *
 * Background seeds in even texture, such as a wall or the sky, remove all of that texture, unless foreground seeds lie
 * in it, too, or it lies deeper in what would be removed than the seeds lie in the mask, or the seeds are a line that
 * fills less than two fifths of that (tilecut_session_stroke()). In volumes they do not.
 *
 * Learning takes over parts of the mask that tilecut_segment() finds for the seeds alone, so give all seeds so far, not
 * only the new ones. If the seeds lack a class, nothing is learnt from them alone. A region below is a connected set of
 * pixels that have the contradicting seeds' label in the newly found mask, but not in the mask to correct. There are
 * several offers for each class:
 *
 *   - the regions that hold such seeds, and others that are each no larger than these; none of the others if together
 *     they are larger than these and than faults that are still likely;
 *   - such regions of another mask, for background seeds that are all clicks and few: for this mask learning begins
 *     with a guess at the object's size;
 *   - the pixels that the seeds change as a stroke, with the colours of the whole image, of the stroke's surroundings,
 *     or only of what is near to it.
 *
 * One offer is taken: it should be large, and the seeds should lie in its middle, because a user corrects the largest
 * error first, and paints in its middle. The more strokes the mask agrees with already, the smaller the remaining
 * errors are, so large offers then count for less. The region that a click adds may have up to three quarters of the
 * mask's area, or up to 6.5 times the area of the largest disc around the click that fits in; larger ones count as
 * wrong. A line, which has the pixels of three discs of its width, is painted along a fault from end to end. Then it
 * counts how much of the regions lies in the discs around its pixels that fit into them. If that is less than half in
 * every offer, only pixels near to the line change, within half of the depth at which it lies in the wrong label. All
 * else stays as it is in the mask.
 *
 *   image    not changed
 *   seeds    height rows of width labels, as of tilecut_segment()
 *   params   NULL for all defaults. prior: the mask as probabilities, from which strokes learn colours; NULL: `mask`
 *            is used. prior_weight is not used
 *   how      TILECUT_BY_STROKES or TILECUT_BY_LEARNING
 *   mask     in and out, height rows of width bytes owned by the caller, params->mask_stride apart; 0 is background,
 *            all else foreground. Then 0 or 255; untouched on failure
 *   corrected, report   out, may be NULL. flow and cut are those of the strokes, or of the offer that was taken last;
 *            foreground counts the whole mask; times are sums
 * Learning takes 21 bytes a pixel beside what tilecut_segment() takes. Errors: as of tilecut_segment(); EINVAL
 * also for any other `how`. */
TILECUT_API tilecut_status tilecut_correct(const tilecut_image *image, const uint8_t *seeds,
                                           const tilecut_params *params, int how, uint8_t *mask,
                                           tilecut_corrected *corrected, tilecut_report *report);

/* The last step for a finished mask: moves its outline by at most four pixels (in photos whose shorter side has 720
 * pixels and more by another four for each further 480), to where nearby colours inside and outside show the object's
 * edge. A second call brings no improvement. Linear in the pixels, and the same bits on every machine.
 *
 *   image    8 or 16 bits
 *   seeds    NULL, or width * height labels as of tilecut_segment(); seeded pixels stay
 *   mask     in and out, width * height bytes, 0 or 255; unchanged on failure
 *   corrected   out, may be NULL
 * Takes TILECUT_SNAP_BYTES a pixel at most. Errors: EINVAL, ENOMEM. */
enum { TILECUT_SNAP_BYTES = 48 };
TILECUT_API tilecut_status tilecut_snap(const tilecut_image *image, const uint8_t *seeds, uint8_t *mask,
                                        tilecut_corrected *corrected);

/* What is done to a finished mask, in this order: keep_largest, min_area, fill_holes, connected; where all four are 0,
 * nothing. Foreground is connected over `connectivity` neighbours; background, whose regions are holes, over 4 in an
 * image and 6 in a volume. So in an image a closed thin line has an inside, and a diagonal hair is one region. */
typedef struct tilecut_cleaning {
    size_t size;              /* sizeof(tilecut_cleaning), or 0                                             */
    int width, height, depth; /* of the mask; depth 0: an image. 1 to 2^31 - 1 pixels in all                */
    int connectivity;         /* of an image 4 or 8, 0: 8; of a volume 6 or 26, 0: 6                        */
    int keep_largest;         /* nonzero: drop all foreground but the largest region, the first of equals   */
    int connected;            /* nonzero: drop foreground regions without a foreground seed                 */
    int64_t min_area;         /* drop foreground regions of fewer pixels, not negative; 0: none             */
    int64_t fill_holes;       /* fill holes of at most so many pixels, not negative; 0: none. What touches the border
                                 of the mask is no hole; along an axis of one pixel there is no border      */
} tilecut_cleaning;

/* What was done. Before the call it is {0}, or has its size set. */
typedef struct tilecut_cleaned {
    size_t size;                             /* the caller's: sizeof(tilecut_cleaned), or 0, see tilecut_types.h */
    int64_t regions_dropped, pixels_dropped; /* of foreground                                                    */
    int64_t holes_filled, pixels_filled;
} tilecut_cleaned;

/* Drops specks of a finished mask and fills its holes. A region that holds a seed of its own label is never changed.
 * Linear in the pixels, one thread, five bytes a pixel, and the same bits on every machine.
 *
 *   seeds     NULL, or as many labels as the mask has pixels, packed, as of tilecut_segment(); TILECUT_OUTSIDE counts
 *             as background
 *   mask      in and out, packed, pixel (x, y, z) at (z * height + y) * width + x, 0 or 255; unchanged on failure
 *   cleaned   out, may be NULL
 * tilecut_part_clean() in tilecut_parts.h does the same in parts. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_clean(const tilecut_cleaning *how, const uint8_t *seeds, uint8_t *mask,
                                         tilecut_cleaned *cleaned);

/* What refining did to a mask, as tilecut_outline_moved() tells. Before the call it is {0}, or has its size set. */
typedef struct tilecut_moved {
    size_t size;                /* the caller's: sizeof(tilecut_moved), or 0, see tilecut_types.h                 */
    int64_t added, removed;     /* pixels of foreground                                                           */
    double changed;             /* added plus removed pixels, as a share of all pixels                            */
    double mean, most;          /* pixels between the outlines, from each to the other; 0 if either mask has none */
    double edges_before, edges; /* 0 .. 1: the share of either outline that lies on edges of the image            */
    int64_t too_much;           /* 1: more than half as many pixels have changed as the mask had, so look at both */
} tilecut_moved;

/* Compares a mask that was handed in for refining (tilecut_params.prior) with the refined mask. Linear in the pixels,
 * one thread, six bytes a pixel, and the same bits on every machine.
 *
 *   image         8 or 16 bits
 *   given, mask   width * height bytes each, foreground from 128 on
 *   moved         out
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_outline_moved(const tilecut_image *image, const uint8_t *given, const uint8_t *mask,
                                                 tilecut_moved *moved);

/* ---- Strokes in a box, one after the other ------------------------------------------------------ */

/* Keeps the mask of a box without the strokes in it, and whether that mask leaked. Each new stroke in the box needs
 * this mask, and finding it takes a search. Later calls with the same pixels, box and options use the kept mask; with
 * others it is forgotten. It takes a quarter of a byte for each pixel of the box; without memory nothing is kept. Calls
 * in several threads may share a memo: a call that finds it in use works without it. Opaque. */
typedef struct tilecut_memo tilecut_memo;

TILECUT_API tilecut_status tilecut_memo_create(tilecut_memo **memo); /* empty at first */
TILECUT_API void tilecut_memo_destroy(tilecut_memo *memo);           /* NULL is fine; no running call may have it */

/* tilecut_correct(), or tilecut_segment() if `how` is TILECUT_ANEW: the same answer bit for bit, but sooner, because
 * `memo` keeps from call to call what is needed again. NULL: nothing is kept. */
TILECUT_API tilecut_status tilecut_memo_cut(tilecut_memo *memo, const tilecut_image *image, const uint8_t *seeds,
                                            const tilecut_params *params, int how, uint8_t *mask,
                                            tilecut_report *report);

#ifdef __cplusplus
}
#endif
#endif
