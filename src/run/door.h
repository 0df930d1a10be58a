/* SPDX-License-Identifier: MIT
 *
 * door.h - converts the arguments of a caller to the library's own form: complete structs, parameters with defaults
 * filled in, packed rows; and converts results back. So each function of tilecut.h has three steps: tc_enter(), the
 * work, tc_leave().
 */
#pragma once

#include "thread_pool.h"
#include "graph.h"
#include "params.h"
#include "rows.h"
#include "sized.h"
#include "tilecut.h"

/* One call of a public function. All zero at first. */
typedef struct tc_visit {
    bool volume;            /* set by the code that enters: params are for a volume, whose rows are packed */
    bool map;               /* set by the code that enters: a label map is refined, which takes the place of a prior */
    bool weighed;           /* set by the code that enters: params may have the weight of a session's own mask */
    tilecut_image image;    /* the caller's image; for a volume only its width and the rows of all its slices */
    tilecut_volume voxels;  /* the caller's volume; for an image only its width, its height and a depth of 1 */
    tc_setup setup;
    tc_thread_pool *pool;          /* the threads of this call; may be NULL                    */
    tc_bytes mask;          /* the work writes the mask to mask.to                     */
    tc_bytes seeds, before; /* the caller's seeds, and a mask or labels of his; opened by the work */
    tc_bytes prior;         /* the caller's prior mask, opened by the work                  */
    tilecut_report result;    /* the work writes its report here                          */
    tilecut_report *report; /* the caller's; written by tc_leave()                      */
} tc_visit;

/* Enters with an image or a graph of the given size. Outputs may be NULL, except the mask if it is `needed`. */
tilecut_status tc_enter(tc_visit *v, const tilecut_params *params, int width, int height, uint8_t *mask, bool needed,
                        tilecut_report *report);

/* The same for an image, which is read into *v first. tc_enter_volume() (volume.h) does it for a volume. */
tilecut_status tc_enter_image(tc_visit *v, const tilecut_image *image, const tilecut_params *params, uint8_t *mask,
                              bool needed, tilecut_report *report);

/* Copies mask and report to the caller if `status` is TILECUT_OK. Returns `status`. Must always be called. */
tilecut_status tc_leave(tc_visit *v, tilecut_status status);
