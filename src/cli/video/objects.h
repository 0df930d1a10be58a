/* SPDX-License-Identifier: MIT
 *
 * objects.h - the objects that are followed through a film: a single one or, with label maps, each label except the
 * background. Every object is followed against all others; then each pixel gets one label.
 */
#pragma once

#include "film.h"
#include "follow.h"
#include "label_legend.h"
#include "marks.h"

/* Zero-initialise; objects_end() when done. */
typedef struct objects {
    bool labelled;          /* true: seeds are label maps, and so are the results */
    int count;
    follow *of;             /* [count] owned                                          */
    uint8_t number[256];    /* the label number of each object; not set without label maps */
    uint8_t background;     /* the label of pixels that belong to no object */
    label_legend legend;    /* of all label maps                                      */
    uint8_t *map, *before;  /* [pixels] labels of this frame and of the previous one; owned; NULL without label maps */
    uint8_t *two, *prior;   /* [pixels] seeds and mask of one object; owned, in one block with `map` */
} objects;

/* How to read label maps. */
typedef struct label_source {
    const inputs *in;
    const char *legend;     /* --legend, or NULL                        */
    int background;         /* --background-label; 0: not given         */
    const film *film;
} label_source;

/* Reads all label maps of a film, to find the labels and their names. EXIT_USAGE, EXIT_SEEDS, EXIT_INPUT,
 * EXIT_RESOURCES. */
int objects_find(objects *o, const label_source *from, const marks *given, failure *why);

/* Reads the label map of a frame into *map, a number a pixel, 0 where there is no seed; the caller frees it. Errors as
 * above. */
int objects_read(objects *o, const label_source *from, const char *file, int64_t frame, uint8_t **map, notes *log,
                 failure *why);

/* Allocates memory. Each object is followed with the settings of `like`. Returns EXIT_RESOURCES if memory runs out. */
int objects_begin(objects *o, const follow *like, int width, int height, failure *why);
void objects_end(objects *o);

/* Return the seeds of object i, and its initial mask, taken from those of the frame; NULL: none. They are valid until
 * the next call. */
const uint8_t *objects_seeds(objects *o, int i, const uint8_t *painted);
const uint8_t *objects_prior(objects *o, int i, const uint8_t *begin);

/* Returns EXIT_SEEDS if the label map of a frame shows an object for the first time and no other label. */
int objects_check(const objects *o, const uint8_t *painted, int64_t frame, failure *why);

/* Gives each pixel one label when all objects have their masks: that of its seed, or of the only object that claims it;
 * if several objects claim it, a joint cut decides (claims.h). If frames are cut one by one, the objects continue from
 * the pixels that they got. Sums what[count] into *all. */
int objects_settle(objects *o, const uint8_t *painted, const followed *what, followed *all, failure *why);

/* objects_known() is true if any object has a mask. objects_result() is the frame's result: a mask, 0 or 255 a pixel,
 * or labels. */
bool objects_known(const objects *o);
uint8_t *objects_result(const objects *o);

/* Returns the bytes a pixel that `o` takes in addition to the cut of one object. */
uint64_t objects_bytes(const objects *o);
