/* SPDX-License-Identifier: MIT
 *
 * follow.h - follows an object from frame to frame. Colours are learnt from strokes, which also give a first mask. From
 * then on each frame is cut with those colours, its own contrast, and the last mask as a soft prior
 * (tilecut_session_advance()). When a later frame has strokes, colours are learnt again from them and from the last
 * mask.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cleanup.h"
#include "failure.h"
#include "tilecut.h"

/* Set the first five fields and zero the rest; call follow_end() at the end. */
typedef struct follow {
    tilecut_params params;  /* parameters: solver, threads, device, cancel, and the model */
    const cleanup *cleanup;
    double carry;           /* weight of the last mask as a prior */
    bool islands;           /* true: keep foreground that is not connected to the last mask */
    int width, height;
    bool known;             /* true: there is a mask                            */
    uint8_t *mask;          /* mask of the last frame, 0 or 255 a pixel */
    uint8_t *before;        /* mask of the frame before the last one */
    uint8_t *labels, *prior; /* seeds and prior mask of the frame from which colours were last learnt */
    tilecut_graph *graph;
    const tilecut_graph *costs; /* graph of the last frame; NULL: the object is still unknown, so its mask is empty */
    tilecut_session *session;
} follow;

/* The result of following into one frame. */
typedef struct followed {
    bool cut;               /* true: there is a mask; otherwise the other fields are not set */
    bool update;            /* true: the model was learnt again from strokes or a prior mask */
    tilecut_report report;
    int64_t dropped;        /* pixels of the cut that were dropped because they are not connected to the last mask */
    tilecut_cleaned cleaned;
    int64_t changed;        /* pixels that differ from the last mask */
    int64_t foreground;     /* foreground pixels after all steps */
} followed;

/* Allocates memory for frames of that size. Returns EXIT_RESOURCES if memory runs out. */
int follow_begin(follow *f, int width, int height, failure *why);

/* Processes the next frame; all frames use the same pixel buffer. `labels`: the seeds on it, or NULL; `prior`: an
 * initial mask, as probabilities in 255ths, or NULL. Frames before the first strokes have no foreground. */
int follow_frame(follow *f, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior, followed *out,
                 failure *why);

/* Cleans f->mask, which another cut has made, by the steps that the user asked for; f->before is the mask of the
 * previous frame. --connected keeps what is connected to that mask or to a stroke. `labels` is as above. Updates the
 * counts. Returns EXIT_RESOURCES if memory runs out. */
int follow_clean(follow *f, const uint8_t *labels, followed *out, failure *why);

/* Makes the next frame begin from f->mask, which the caller has changed after follow_frame(). Returns EXIT_RESOURCES if
 * memory runs out. */
int follow_again(follow *f, failure *why);

/* Computes the confidence in f->mask, as tilecut_session_confidence() does: a byte a pixel in `sure`. Before there is a
 * mask, all bytes are 128, and `doubt`, which may be NULL, is {0}. */
int follow_confidence(const follow *f, uint8_t *sure, tilecut_doubt *doubt, failure *why);
void follow_end(follow *f);

