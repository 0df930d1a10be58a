/* SPDX-License-Identifier: MIT
 *
 * batch_list.h - the jobs of a batch: each photo with its seeds and its results. Jobs come from words on the command
 * line, from folders or from a list. Names are made from patterns:
 *
 *     {stem}  the photo's name without folder and extension      {ext}  its extension, without the dot
 *     {name}  the photo's name without folder                    {dir}  its folder, "." if none was given
 *     {object} only in names of results: the number of an object in the mask to begin from, from 1; makes one job
 *             per object
 *     {sub}   the photo's folder below the one that -r walked through; empty for other photos
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* The results of a job. A mask is always written, the others on request. */
enum { BATCH_MASK, BATCH_CUTOUT, BATCH_ALPHA, BATCH_OVERLAY, BATCH_SURE, BATCH_RESULTS };

/* An option for one photo, like --NAME VALUE on the command line. */
typedef struct batch_setting {
    char *name, *value;
} batch_setting;

typedef struct batch_item {
    char *photo;
    char **seeds; /* pictures with seeds */
    int seed_count;
    char *given;                   /* the mask to begin from; NULL: none */
    int object;                    /* number of the only object of `given` to use, from 1; 0: all */
    bool shared;                   /* true: `given` is one file with the masks of all photos, by name */
    char *result[BATCH_RESULTS];   /* paths; NULL: not wanted */
    batch_setting *setting;        /* options of this photo, on top of the batch's */
    int setting_count;
    bool walked;                   /* true: the photo was found by -r, not named by the user */
} batch_item;

/* Zero-initialise; batch_list_free() when done. The list owns all strings. */
typedef struct batch_list {
    batch_item *item;
    int count, room;
    notes notes; /* says which photos were left out */
} batch_list;

/* The options about names; NULL: not given. */
typedef struct batch_names {
    const char *const *seeds;            /* patterns of the names of pictures with seeds */
    int seed_count;
    const char *given;                   /* the masks to begin from: a pattern, a folder, or one file for all */
    const char *label;                   /* only objects with this label count; NULL: all */
    shape_rules rules;                   /* how files of shapes are read */
    bool given_only;                     /* true: photos without a mask to begin from are left out, with a note */
    const char *folder;                  /* the folder of the results */
    const char *result[BATCH_RESULTS];   /* patterns, relative to `folder`; if one ends in /, {stem}.png is added */
} batch_names;

void batch_list_free(batch_list *list);

void batch_item_free(batch_item *item); /* frees the members, not the item */

/* Returns EXIT_USAGE if a pattern has an unknown placeholder. */
int batch_names_check(const batch_names *names, failure *why);

/* The values that one line of a list gives for its photo. A value that is NULL or empty follows from the patterns.
 * `from` says in messages where the photo comes from ("jobs.tsv: line 3"); NULL: the command line. */
typedef struct batch_words {
    const char *photo, *given, *result[BATCH_RESULTS];
    const char **seeds;
    int seed_count;
    const batch_setting *setting;
    int setting_count;
    const char *from;
    int object; /* number of the object of this job; 0: not chosen */
} batch_words;

/* Adds one photo. `sub` is the value of {sub}. EXIT_USAGE if neither a pattern nor the line names the mask;
 * EXIT_RESOURCES if memory runs out. */
int batch_list_add(batch_list *list, const batch_names *names, const char *sub, const batch_words *words, failure *why);

/* Reads a list in memory. Lines have one of three forms; a field that is missing or empty follows from the patterns:
 *   - "photo<TAB>seeds<TAB>mask".
 *   - Fields with tabs, after a first line that names the columns: image, seeds, mask, cutout, alpha, overlay,
 *     confidence, refine (the mask to begin from), and options of the photo such as box, fg, lambda
 *     (batch_settings.h). Some columns may occur several times.
 *   - A JSON object with these names as keys.
 * Empty lines and lines that begin with # are skipped. Lines may end with CR LF; the last one needs no end.
 * EXIT_INPUT with the number of the line. `name` is for messages. */
int batch_list_parse(batch_list *list, const batch_names *names, const char *name, const uint8_t *text, size_t size,
                     failure *why);

/* Adds a photo, or all pictures in a folder, and if `deep` those in the folders below, sorted by name. Leaves out
 * hidden files, the folder of the results, and symbolic links to folders. */
int batch_list_take(batch_list *list, const batch_names *names, const char *path, bool deep, failure *why);

/* Drops pictures found by -r that are seeds of other photos, then checks that nothing would be overwritten. Returns
 * EXIT_USAGE if two results have the same path, if a result is an input of any job or the list's file `source`, or if
 * the report `json` or the COCO file `coco` is any of these (NULL: there is none). Makes the folder of a report if it
 * is `folder`, the folder of the results; EXIT_RUNTIME if another folder is missing. */
int batch_list_check(batch_list *list, const char *source, const char *folder, const char *json, const char *coco,
                     failure *why);

/* Fails because the list is empty. `first` is the first photo, folder or list that was named. */
int batch_list_empty(const batch_list *list, const char *first, bool words, failure *why);
