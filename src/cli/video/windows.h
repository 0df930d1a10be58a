/* SPDX-License-Identifier: MIT
 *
 * windows.h - films cut in windows of frames (tilecut_film of tilecut_volume.h): masks come later than their frames, so
 * what is to be told of a frame waits with it.
 */
#ifndef CLI_WINDOWS_H
#define CLI_WINDOWS_H

#include "frame_report.h"
#include "tilecut_volume.h"

/* What waits with a frame. */
typedef struct waiting {
    seeds painted;    /* labels as long as needed    */
    bool marked;      /* there is something on it    */
    notes log;
    double read_ms, seeds_ms, total_ms;
} waiting;

/* Zero-initialise; windows_end() when done. */
typedef struct windows {
    tilecut_film *film; /* NULL: frames are cut one by one               */
    int window;
    int room;           /* frames that can wait, and one more                */
    waiting *frame;     /* [room] of frames, by number, in a ring  */
    int64_t added, taken;
} windows;

/* Takes memory for films of that shape. EXIT_RESOURCES, EXIT_USAGE. */
int windows_begin(windows *w, const tilecut_film_shape *shape, const tilecut_params *params, failure *why);
void windows_end(windows *w);

/* What waits with the frame added next, and with the one taken next. */
waiting *windows_next(windows *w);
waiting *windows_first(windows *w);

/* Adds a frame, or ends the film where `frame` is NULL. *ready: masks that have to be taken. */
int windows_add(windows *w, const tilecut_image *frame, const uint8_t *labels, const uint8_t *prior, int *ready,
                failure *why);

/* Takes the next mask, of `pixels` pixels, into `mask`; `before` becomes the one that was there. */
int windows_take(windows *w, size_t pixels, uint8_t *mask, uint8_t *before, followed *out, failure *why);

/* Forgets what waited with the frame just taken. */
void windows_done(windows *w);

/* Bytes a pixel of a film of that shape. */
uint64_t windows_bytes(const tilecut_film_shape *shape);

#endif
