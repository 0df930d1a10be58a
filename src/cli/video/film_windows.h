/* SPDX-License-Identifier: MIT
 *
 * film_windows.h - cuts films in windows of frames (tilecut_film of tilecut_volume.h). The mask of a frame comes only
 * after later frames have been read, so what will be reported of the frame is kept until then.
 */
#pragma once

#include "frame_report.h"
#include "tilecut_volume.h"

/* What is kept of a frame until its mask comes. */
typedef struct waiting {
    seeds painted;    /* labels as long as needed    */
    bool marked;      /* the frame has seeds         */
    notes log;
    double read_ms, seeds_ms, total_ms;
} waiting;

/* Zero-initialise; windows_end() when done. */
typedef struct windows {
    tilecut_film **film; /* [objects] NULL: frames are cut one by one    */
    int objects;
    int window;
    int room;           /* the number of frames that can wait, and one more  */
    waiting *frame;     /* [room] of frames, by number, in a ring  */
    int64_t added, taken;
} windows;

/* Takes memory for `count` objects in films of that shape. EXIT_RESOURCES, EXIT_USAGE. */
int windows_begin(windows *w, int count, const tilecut_film_shape *shape, const tilecut_params *params, failure *why);
void windows_end(windows *w);

/* What is kept of the frame that is added next, and of the frame whose mask is taken next. */
waiting *windows_next(windows *w);
waiting *windows_first(windows *w);

/* Adds a frame for that object; `frame` NULL ends the film. Objects come in order, each with every frame. *ready: how
 * many masks of each have to be taken now. */
int windows_add(windows *w, int object, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior,
                int *ready, failure *why);

/* How sure the first object's next mask is, as tilecut_film_confidence() says it. EXIT_RESOURCES. */
int windows_confidence(windows *w, uint8_t *sure, tilecut_doubt *doubt, failure *why);

/* Takes the object's next mask into f->mask; the mask that was there goes to f->before. */
int windows_take(windows *w, int object, follow *f, followed *out, failure *why);

/* Drops what was kept of the frame just taken. */
void windows_done(windows *w);

/* Bytes a pixel of a film of that shape. `sure`: windows_confidence() will be asked. */
uint64_t windows_bytes(const tilecut_film_shape *shape, bool sure);
