/* SPDX-License-Identifier: MIT
 *
 * follow.h - follows an object from frame to frame. Strokes teach colours and give a first mask. From then on each
 * frame is cut with those colours, its own contrast, and the last mask as a soft prior mask
 * (tilecut_session_advance()). When a later frame has strokes, colours are learnt anew from them and from the last
 * mask.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cleanup.h"
#include "failure.h"
#include "tilecut.h"

/* Set the first five, zero the rest; follow_end() when done. */
typedef struct follow {
    tilecut_params params;  /* solver, threads, device, cancel, and the model   */
    const cleanup *cleanup;
    double carry;           /* weight of the last mask                          */
    bool islands;           /* foreground away from the last mask is kept       */
    int width, height;
    bool known;             /* there is a mask                                  */
    uint8_t *mask;          /* mask of the last frame, 0 or 255 a pixel         */
    uint8_t *before;        /* mask of the frame before that                    */
    uint8_t *labels, *prior; /* seeds and prior mask of the frame learnt from last */
    tilecut_graph *graph;
    const tilecut_graph *costs; /* of the last frame; NULL: nothing is known of the object, so its mask is empty */
    tilecut_session *session;
} follow;

/* The result for one frame. */
typedef struct followed {
    bool cut;               /* there is a mask; otherwise the rest is not set   */
    bool update;            /* learnt anew from strokes or a prior mask         */
    tilecut_report report;
    int64_t dropped;        /* pixels of the cut away from the last mask        */
    tilecut_cleaned cleaned;
    int64_t changed;        /* pixels unlike the last mask                      */
    int64_t foreground;     /* pixels of foreground, after all steps            */
} followed;

/* Takes memory for frames of that size. EXIT_RESOURCES. */
int follow_begin(follow *f, int width, int height, failure *why);

/* The next frame, of one pixel buffer for all. `labels`: what is painted on it, or NULL; `prior`: a mask to begin with,
 * probabilities in 255ths, or NULL. Frames before the first strokes have no foreground. */
int follow_frame(follow *f, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior, followed *out,
                 failure *why);

/* Cleans f->mask, which another cut has made, by the steps that the user asked for; f->before is the mask of the frame
 * before. --connected keeps what is connected to that mask or to a stroke. `labels` as above. Counts anew.
 * EXIT_RESOURCES. */
int follow_clean(follow *f, const uint8_t *labels, followed *out, failure *why);

/* The next frame begins from f->mask, which the caller has changed after follow_frame(). EXIT_RESOURCES. */
int follow_again(follow *f, failure *why);

/* How sure f->mask is, as tilecut_session_confidence() says it: `sure` has a byte a pixel; before there is a mask 128,
 * and `doubt`, which may be NULL, is {0}. */
int follow_confidence(const follow *f, uint8_t *sure, tilecut_doubt *doubt, failure *why);
void follow_end(follow *f);

enum { FOLLOW_BYTES = 5 + CLEANUP_BYTES }; /* a pixel, beside the cut */
