/* SPDX-License-Identifier: MIT
 *
 * film_windows.h - cuts films in windows of frames (tilecut_film of tilecut_volume.h). The mask of a frame is ready
 * only after later frames have been read, so the data for its report are kept until then.
 */
#pragma once

#include "frame_report.h"
#include "tilecut_volume.h"

/* The data of a frame that are kept until its mask is ready. */
typedef struct waiting {
    seeds painted;    /* the labels are kept as long as they are needed */
    bool marked;      /* true: the frame has seeds   */
    notes log;
    double read_ms, seeds_ms, total_ms;
} waiting;

/* Zero-initialise; windows_end() when done. */
typedef struct windows {
    tilecut_film **film; /* [objects] NULL: frames are cut one by one */
    int objects;
    int window;
    int room;           /* the number of frames that can wait, plus one */
    waiting *frame;     /* [room] ring buffer of frames, indexed by their numbers */
    int64_t added, taken;
} windows;

/* Allocates memory for `count` objects in films of that shape. Returns EXIT_RESOURCES or EXIT_USAGE on failure. */
int windows_begin(windows *w, int count, const tilecut_film_shape *shape, const tilecut_params *params, failure *why);
void windows_end(windows *w);

/* Return the data kept for the frame that is added next, and for the frame whose mask is taken next. */
waiting *windows_next(windows *w);
waiting *windows_first(windows *w);

/* Adds a frame for one object; `frame` NULL ends the film. Each frame is added for all objects in order. *ready: how
 * many masks of each object must be taken now. */
int windows_add(windows *w, int object, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior,
                int *ready, failure *why);

/* Computes the confidence in the first object's next mask, as tilecut_film_confidence() does. Returns EXIT_RESOURCES if
 * memory runs out. */
int windows_confidence(windows *w, uint8_t *sure, tilecut_doubt *doubt, failure *why);

/* Takes the object's next mask into f->mask; the previous mask moves to f->before. */
int windows_take(windows *w, int object, follow *f, followed *out, failure *why);

/* Drops the data kept for the frame whose masks were just taken. */
void windows_done(windows *w);

/* Returns the bytes a pixel for a film of that shape. `sure`: windows_confidence() will be called. */
uint64_t windows_bytes(const tilecut_film_shape *shape, bool sure);
