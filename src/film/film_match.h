/* SPDX-License-Identifier: MIT
 *
 * film_match.h - matches a later frame with an earlier frame that has a mask. Small patches of the later frame are
 * compared with patches of the object and of its surroundings in the earlier frame.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

/* A frame scaled down by a whole factor, with a border of TC_SMALL_BORDER pixels that repeats its edge. */
typedef struct tc_small {
    int width, height, scale; /* width and height of the small frame; scale: side of a small pixel, in pixels of the
                                 frame */
    size_t stride;
    int32_t *plane[3];        /* means of the channels; owned, one allocation                      */
    int32_t *no_object;       /* 0 where the mask is foreground, else more than any distance        */
    int32_t *no_ground;       /* 0 where the mask is background, else more than any distance; outside of the frame
                                 neither array is 0 */
} tc_small;

/* PATCH: side of a patch in pixels. REACH: how far a patch is searched for, in small pixels. PIXELS: the most pixels of
 * a small frame. BORDER: how far any patch reaches over the edge of a frame. */
enum { TC_SMALL_PATCH = 5, TC_SMALL_REACH = 10, TC_SMALL_BORDER = 28, TC_SMALL_PIXELS = 1 << 17 };

/* Allocates small frames for frames of the given size. Errors: ENOMEM. */
tilecut_status tc_small_init(tc_small *s, int width, int height);
void tc_small_free(tc_small *s);

static inline size_t tc_small_at(const tc_small *s, int x, int y)
{
    return (size_t)(y + TC_SMALL_BORDER) * s->stride + (size_t)(x + TC_SMALL_BORDER);
}

/* Sets the colours from `image`, which has 8 bits a sample. */
void tc_small_frame(tc_small *s, const tilecut_image *image);

/* Sets the labels from `mask`, packed, of the frame's size. A pixel of `s` is foreground if half of the frame's pixels
 * under it are. */
void tc_small_label(tc_small *s, const uint8_t *mask, int width, int height);

/* Writes the contents of `s`, moved by whole small pixels, to `moved`, which has the same size. */
void tc_small_move(const tc_small *s, int dx, int dy, tc_small *moved);

/* The pixels from (x0, y0) to (x1 - 1, y1 - 1). */
typedef struct tc_box {
    int x0, y0, x1, y1;
} tc_box;

/* Returns the bounding box of the object; x1 is 0 if there is none. */
tc_box tc_small_box(const tc_small *s);

/* Finds the move, of at most TC_SMALL_REACH either way, with which the object of `before` fits `frame` best as a whole.
 * The fit is the sum of squared differences of its pixels; each is limited, because parts of the object may be hidden.
 * 0, 0 if there is no object. */
void tc_small_follow(const tc_small *frame, const tc_small *before, int *dx, int *dy);

/* The rows that are compared with those of another frame. */
typedef struct tc_patches {
    const tc_small *frame, *other;
    tc_box box;     /* its columns are compared; tc_patches_compare() gets the rows as arguments */
    int32_t *rows;  /* scratch memory: TC_SMALL_PATCH + 1 rows */
    size_t room;    /* size of one row of `rows`: tc_patches_room(box) */
} tc_patches;

static inline size_t tc_patches_room(const tc_box *box)
{
    return (size_t)(box->x1 - box->x0 + TC_SMALL_PATCH - 1);
}

/* Compares the patches around the pixels of rows `top` to bottom - 1 with those (dx, dy) away in the other frame.
 * take() gets, for each row, sums over the rows of a patch, beginning with the pixel in column x0; a squared distance
 * is the sum of TC_SMALL_PATCH of them. */
void tc_patches_compare(const tc_patches *p, int top, int bottom, int dx, int dy,
                        void (*take)(const void *context, int y, int dx, int dy, const int32_t *sum),
                        const void *context);

/* Updates two maps of small pixels, packed, with the evidence of `before`, which has labels, for `frame`. A map entry
 * is the smallest squared distance, summed over a patch, between the patch around the pixel and one of the object (or,
 * in the second map, of the background), over all whole-pixel moves of at most TC_SMALL_REACH. The maps must be
 * TC_MATCH_FAR at first. Only pixels that the object can have reached are compared. Errors: ENOMEM. */
enum { TC_MATCH_FAR = 1 << 28 };
tilecut_status tc_match(const tc_small *frame, const tc_small *before, int threads, int32_t *object, int32_t *ground);
