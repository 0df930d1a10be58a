/* SPDX-License-Identifier: MIT
 *
 * film_match.h - what a frame with a mask says about a later frame. Small patches of the later frame are compared with
 * those of the object and with those of its surroundings in the earlier one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

/* A frame made smaller by a whole number, with a border of TC_SMALL_BORDER pixels that repeats its edge. */
typedef struct tc_small {
    int width, height, scale; /* width and height of the small frame; pixels of the frame along the side of a small
                                 pixel */
    size_t stride;
    int32_t *plane[3];        /* means of the channels; owned, one piece of memory                 */
    int32_t *no_object;       /* 0 where the mask is foreground, else more than any distance        */
    int32_t *no_ground;       /* 0 where it is background; outside of the frame neither is 0        */
} tc_small;

/* PATCH: pixels along the side of a patch. REACH: how far it is looked for, in small pixels. PIXELS: a small frame has
 * at most so many. BORDER: as far as any patch reaches over the edge of a frame. */
enum { TC_SMALL_PATCH = 5, TC_SMALL_REACH = 10, TC_SMALL_BORDER = 28, TC_SMALL_PIXELS = 1 << 17 };

/* Takes memory for small frames of that size. ENOMEM. */
tilecut_status tc_small_init(tc_small *s, int width, int height);
void tc_small_free(tc_small *s);

static inline size_t tc_small_at(const tc_small *s, int x, int y)
{
    return (size_t)(y + TC_SMALL_BORDER) * s->stride + (size_t)(x + TC_SMALL_BORDER);
}

/* Fills in the colours of `image`, 8 bits a sample. */
void tc_small_frame(tc_small *s, const tilecut_image *image);

/* Fills in the labels of `mask`, packed, of the frame's size; a small pixel is foreground if half of its pixels are. */
void tc_small_label(tc_small *s, const uint8_t *mask, int width, int height);

/* Writes to `moved`, of the same size, what `s` shows, moved by whole small pixels. */
void tc_small_move(const tc_small *s, int dx, int dy, tc_small *moved);

/* Pixels from x0, y0 to before x1, y1. */
typedef struct tc_box {
    int x0, y0, x1, y1;
} tc_box;

/* The least box around the object; x1 is 0 if there is none. */
tc_box tc_small_box(const tc_small *s);

/* The move, of at most TC_SMALL_REACH either way, with which the object of `before` fits `frame` best as a whole: the
 * sum of squared differences of its pixels, each no more than a bound, as parts of it may be hidden. 0, 0 if there is
 * no object. */
void tc_small_follow(const tc_small *frame, const tc_small *before, int *dx, int *dy);

/* Rows that are compared with those of another frame. */
typedef struct tc_patches {
    const tc_small *frame, *other;
    tc_box box;     /* columns, and all rows there are         */
    int32_t *rows;  /* scratch: TC_SMALL_PATCH + 1 rows        */
    size_t room;    /* of one: tc_patches_room() of the box    */
} tc_patches;

static inline size_t tc_patches_room(const tc_box *box)
{
    return (size_t)(box->x1 - box->x0 + TC_SMALL_PATCH - 1);
}

/* Compares the patches around the pixels of rows top to before bottom with those (dx, dy) further in the other frame.
 * take() gets a row's sums over the rows of a patch: squared distances are sums of TC_SMALL_PATCH of them, for the
 * pixel in column x0 from the first on. */
void tc_patches_compare(const tc_patches *p, int top, int bottom, int dx, int dy,
                        void (*take)(const void *context, int y, int dx, int dy, const int32_t *sum),
                        const void *context);

/* Adds what `before`, which has labels, says of `frame` to two maps of small pixels, packed: the least squared
 * distance of the patch around each pixel, summed over the patch, to one of the object, and to one of the ground, over
 * all whole-pixel moves of at most TC_SMALL_REACH. Maps begin as TC_MATCH_FAR. Only pixels that the object can have
 * reached are looked at. ENOMEM. */
enum { TC_MATCH_FAR = 1 << 28 };
tilecut_status tc_match(const tc_small *frame, const tc_small *before, int threads, int32_t *object, int32_t *ground);
