/* SPDX-License-Identifier: MIT
 *
 * edit.h - cuts a photo while the user paints on it. It has no files, no printing and no server, so that the verb
 * `edit` and the WebAssembly of src/web share it.
 *
 *     edit_begin(), edit_add_rows()   make a sketch, a small copy of the photo that is cut while the hand still moves
 *     edit_patch(), edit_prior()      set the labels under a brush; set a mask to begin from
 *     edit_sketch()                   cuts the small copy
 *     edit_cut(), edit_divide()       cut the photo itself, with the masks of `tilecut segment` and `tilecut labels`
 *     edit_cutout()                   makes a copy of the photo with that mask as its alpha
 *
 * The last two lines depend only on photo, labels and options, not on earlier strokes, so a command line can repeat
 * them. One `edit` may be used by one thread at a time; different ones share nothing and may run in any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cleanup.h"
#include "failure.h"
#include "image.h"
#include "matting.h"
#include "model.h"
#include "tilecut_correct.h"

/* The options that the page can set. The page sends them as words of the command line of `segment`, and the same
 * tables parse them. */
typedef struct edit_options {
    model model;
    cleanup cleanup;
    /* --previous: strokes only add to the prior mask or take away from it; ignored without a prior */
    bool corrects;
    /* --learn: like --previous, but colours are learnt anew from all strokes; ignored without --previous */
    bool learns;
    edge_style edge;    /* the edge of the cutout             */
    bool keep_colors;   /* true: the edge keeps the photo's colours */
    bool snap;          /* true: before a mask is saved, its outline moves to where colours change */
    /* what one cut of a photo keeps for the next; NULL: nothing. The editor sets it, not the page */
    tilecut_memo *memo;
} edit_options;

enum { EDIT_OPTION_BYTES = 1024 }; /* limit on a text of options, in bytes */

/* Reads `size` bytes of `text`: words of a command line, separated by blanks or line ends. Names of colour models in
 * `out` are static strings. EXIT_USAGE with a sentence if a word is wrong. */
int edit_read_options(const char *text, size_t size, edit_options *out, failure *why);

/* The result of a cut. */
typedef struct edit_answer {
    tilecut_report report;
    tilecut_cleaned cleaned;
} edit_answer;

enum { EDIT_ANSWER_BYTES = 1024 };

/* Writes lines "key<TAB>value" for the page: flow, cut, certified, energy, foreground, solver, device, ms, ... */
void edit_describe(const edit_answer *answer, char text[EDIT_ANSWER_BYTES]);

/* Turns a failure of the library into an exit status, and copies its sentence. */
int edit_failure(tilecut_status status, failure *why);

/* ---- the sketch ---- */

typedef struct edit {
    int width, height;  /* size of the photo in pixels */
    int factor;         /* side of a cell in pixels; the last cells of a row and of a column may be smaller */
    image small;        /* mean colours of the cells, without alpha                       */
    uint8_t *labels;    /* labels of the photo, TILECUT_UNKNOWN ...; at first all unknown */
    uint8_t *small_labels, *small_mask;
    uint8_t *small_prior; /* mean of the mask to begin from in each cell; NULL: none */
} edit;

/* Makes a sketch of at most about `pixels` pixels. After a failure (EXIT_RESOURCES) `e` is empty. */
int edit_begin(edit *e, int width, int height, int channels, int depth, int64_t pixels, failure *why);
void edit_end(edit *e);

/* Adds rows y .. y + rows - 1 of the photo; `pixels` are packed as in struct image. y must be a multiple of the factor,
 * and so must `rows` except at the photo's end. `channels` counts alpha, which is ignored. */
void edit_add_rows(edit *e, int y, int rows, int channels, const uint8_t *pixels);

/* Sets the labels of a rectangle from packed rows. EXIT_USAGE if the rectangle is not within the photo, or a byte is
 * not a label. */
int edit_patch(edit *e, int x, int y, int width, int height, const uint8_t *labels, failure *why);

/* Sets a mask from another tool to begin from, which strokes then correct. `prior` has a byte for each pixel of
 * the photo: the probability of foreground times 255. NULL removes the mask. EXIT_RESOURCES: no memory, and no
 * mask is set. */
int edit_prior(edit *e, const uint8_t *prior, failure *why);

/* Adapts the clean-up to a sketch whose cells have `cell` pixels or voxels each. */
void edit_shrink_cleanup(cleanup *what, int64_t cell);

/* Estimates how sure the sketch's mask is, or one that the caller has put there. Colours are learnt from all strokes
 * together, and if the mask was corrected (options->corrects) also from the mask, as --confidence does. Writes lines of
 * name, tab and number: unsure, the doubtful share of the outline in per cent; x, y, the pixel of the photo where a
 * stroke helps most, -1 if nothing is in doubt; label, the label that a stroke there should have; pixels, how many are
 * expected to be wrong there. */
int edit_unsure(const edit *e, const edit_options *options, const tilecut_params *params,
                char text[EDIT_ANSWER_BYTES], failure *why);

/* Cuts the small copy into small_mask, with at most two trainings of colours and one guess for a box. Of `params` it
 * uses solver, threads and cancel, and sets the rest itself. */
int edit_sketch(edit *e, const edit_options *options, const tilecut_params *params, edit_answer *answer, failure *why);

/* ---- the photo ---- */

/* Cuts `photo`, cleans the mask and writes it to `mask`, width * height bytes that the caller owns. Uses the same
 * members of `params` as edit_sketch(), and prior. If the options ask for corrections of the prior mask, works as
 * tilecut_correct(). */
int edit_cut(const image *photo, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
             uint8_t *mask, edit_answer *answer, failure *why);

/* A request to cut all objects of a photo together. The page keeps strokes and label maps. */
typedef struct edit_division {
    enum edit_way { EDIT_DIVIDE = 1, EDIT_CORRECT, EDIT_TAKE } way;
    int shown, background; /* two label numbers: of the object whose mask is wanted, and of the background */
    /* labels of strokes; for EDIT_CORRECT a label map follows them; for EDIT_TAKE there is only the map */
    const uint8_t *body;
    size_t size;
    uint8_t *map, *mask; /* results: all labels, and the mask of the object `shown` */
} edit_division;

/* Cuts all objects of the photo. Uses the same members of `params` as edit_sketch(). EXIT_USAGE: `d` is not valid. */
int edit_divide(const image *photo, const edit_division *d, const edit_options *options, const tilecut_params *params,
                edit_answer *answer, failure *why);

/* The last step before a mask is saved: if the options ask for it, moves the mask's outline to where colours change.
 * `prior` is NULL or the prior of edit_cut(). `mask` is changed in place. */
int edit_finish(const image *photo, const uint8_t *labels, const edit_options *options, const uint8_t *prior,
                uint8_t *mask, failure *why);

/* Copies the photo with its mask as alpha, soft along the edge if the options say so. The caller owns *out. Matting
 * uses `threads` threads and at most `memory` bytes (EXIT_RESOURCES). EXIT_SEEDS: if the soft band is everything that
 * is not painted, strokes of both kinds are needed. */
int edit_cutout(const masked_photo *of, const edit_options *options, int threads, uint64_t memory, image *out,
                failure *why);
