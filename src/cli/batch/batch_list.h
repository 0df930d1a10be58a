/* SPDX-License-Identifier: MIT
 *
 * batch_list.h - the jobs of a batch: which photo goes with which seeds and which results. They come from words on
 * the command line, from folders or from a list. Names are made from patterns:
 *
 *     {stem}  the photo's name without folder and extension      {ext}  its extension, without the dot
 *     {name}  the photo's name without folder                    {dir}  its folder, "." if none was said
 *     {object} of results: which of the objects in the mask to begin from, 1 and up; then each is a job
 *     {sub}   its folder below the one that -r walked through; empty for other photos
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* The results of a job. Only the mask is always wanted. */
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
    int object;                    /* only this one of the objects in `given`; 0: all of them */
    bool shared;                   /* `given` has the masks of all photos, so it has to name this one */
    char *result[BATCH_RESULTS];   /* files; NULL: not wanted */
    batch_setting *setting;        /* in addition to those of the batch */
    int setting_count;
    bool walked;                   /* found by -r, not named by the user */
} batch_item;

/* Zero-initialise; batch_list_free() when done. The list owns all strings. */
typedef struct batch_list {
    batch_item *item;
    int count, room;
    notes notes; /* what was left out */
} batch_list;

/* The options about names; NULL: not given. */
typedef struct batch_names {
    const char *const *seeds;            /* patterns                                */
    int seed_count;
    const char *given;                   /* pattern of masks to begin from, their folder, or one file for all */
    const char *label;                   /* only objects with this label count; NULL: all */
    bool given_only;                     /* photos without such a mask are left out, with a note              */
    const char *folder;                  /* of the results                          */
    const char *result[BATCH_RESULTS];   /* patterns, in that folder; {stem}.png is added to one ending in / */
} batch_names;

void batch_list_free(batch_list *list);

/* Returns `path` relative to the current folder without "." and ".."; links are not followed. The caller owns it.
 * NULL: no memory. */
char *batch_plain_path(const char *path);

/* Whether `path` lies in `folder` or below; -1: no memory. */
int batch_lies_in(const char *folder, const char *path);
void batch_item_free(batch_item *item); /* frees what it holds */

/* EXIT_USAGE for a pattern with a placeholder that does not exist. */
int batch_names_check(const batch_names *names, failure *why);

/* What a line of a list gives for its photo. What is NULL or none follows from the patterns. `from` says in messages
 * where the photo comes from ("jobs.tsv: line 3"); NULL: the command line. */
typedef struct batch_words {
    const char *photo, *given, *result[BATCH_RESULTS];
    const char **seeds;
    int seed_count;
    const batch_setting *setting;
    int setting_count;
    const char *from;
    int object; /* set while objects are counted */
} batch_words;

/* Adds one photo. `sub` is the value of {sub}. EXIT_USAGE if it is not clear where the mask goes; EXIT_RESOURCES when
 * memory runs out. */
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

/* Adds all pictures in `folder`, and if `deep` those below, sorted by name. Leaves out hidden files, the folder of the
 * results, and symbolic links to folders. */
int batch_list_walk(batch_list *list, const batch_names *names, const char *folder, bool deep, failure *why);

/* Drops walked pictures that are seeds of others. Then EXIT_USAGE if two results would go to the same file, or a
 * result would overwrite an input of any job, or the list's own file `source`; or if the report `json` or the shapes
 * `coco` would overwrite any of these (each NULL: there is none). EXIT_RUNTIME: a report has no folder; in `folder`,
 * that of the results, it gets one. */
int batch_list_check(batch_list *list, const char *source, const char *folder, const char *json, const char *coco,
                     failure *why);

/* Fails: the list is empty. `first` is the first photo, folder or list that was named. */
int batch_list_empty(const batch_list *list, const char *first, bool words, failure *why);
