/* SPDX-License-Identifier: MIT
 *
 * objects.h - what is followed through a film: one object or, with label maps, each label but the background. Every
 * object is followed against all others; then each pixel gets one label.
 */
#pragma once

#include "film.h"
#include "follow.h"
#include "label_legend.h"
#include "marks.h"

/* Zero-initialise; objects_end() when done. */
typedef struct objects {
    bool labelled;          /* seeds are label maps, and so is the result             */
    int count;
    follow *of;             /* [count] owned                                          */
    uint8_t number[256];    /* the label of each object; not set without label maps   */
    uint8_t background;     /* the label of all that is no object                     */
    label_legend legend;    /* of all label maps                                      */
    uint8_t *map, *before;  /* [pixels] labels of the frame, and of the one before; owned; NULL without labels */
    uint8_t *two, *prior;   /* [pixels] seeds and mask of one object; owned with `map` */
} objects;

/* What label maps are read with. */
typedef struct label_source {
    const inputs *in;
    const char *legend;     /* --legend, or NULL                        */
    int background;         /* --background-label; 0: not given         */
    const film *film;
} label_source;

/* Reads all label maps of a film, to find its labels and their names. EXIT_USAGE, EXIT_SEEDS, EXIT_INPUT,
 * EXIT_RESOURCES. */
int objects_find(objects *o, const label_source *from, const marks *given, failure *why);

/* Reads the label map of a frame into *map, a number a pixel, 0 where nothing is painted; the caller frees it. Errors
 * as above. */
int objects_read(objects *o, const label_source *from, const char *file, int64_t frame, uint8_t **map, notes *log,
                 failure *why);

/* Takes memory: each object is followed as `like` says. EXIT_RESOURCES. */
int objects_begin(objects *o, const follow *like, int width, int height, failure *why);
void objects_end(objects *o);

/* The seeds of object i, and the mask that it begins with, out of those of the frame; NULL: none. They hold until the
 * next call. */
const uint8_t *objects_seeds(objects *o, int i, const uint8_t *painted);
const uint8_t *objects_prior(objects *o, int i, const uint8_t *begin);

/* EXIT_SEEDS if the label map of a frame shows an object for the first time, and nothing else. */
int objects_check(const objects *o, const uint8_t *painted, int64_t frame, failure *why);

/* Gives each pixel one label, now that all objects have their masks: that of its seed; of several objects that claim it
 * one by a cut of them all (claims.h). Where frames are cut one by one, objects go on from what they got. Adds up
 * what[count] in *all. */
int objects_settle(objects *o, const uint8_t *painted, const followed *what, followed *all, failure *why);

/* Whether any object has a mask; and what is written of the frame: a mask, 0 or 255 a pixel, or labels. */
bool objects_known(const objects *o);
uint8_t *objects_result(const objects *o);

/* Bytes a pixel that `o` takes beside the cut of one object. */
uint64_t objects_bytes(const objects *o);
