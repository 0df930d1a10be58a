/* SPDX-License-Identifier: MIT
 *
 * edit.h - cutting a photo while somebody paints on it: what the editor in the browser needs, without files, printing
 * or a server, so that the verb `edit` and the WebAssembly of src/web share it.
 *
 *     edit_begin(), edit_add_rows()   a sketch: the photo in small, to answer while the hand still moves
 *     edit_patch(), edit_wish()       the labels under a brush; a mask to begin from
 *     edit_sketch()                   a mask of the small copy
 *     edit_cut()                      the mask of the photo itself, the one that `tilecut segment` would write
 *     edit_cutout()                   the photo with that mask as its alpha
 *
 * The last two are a function of photo, labels and options alone, whatever was painted before: so a command line
 * repeats them. For one thread at a time, but edit_cut() and edit_cutout(), which touch nothing that is shared.
 */
#ifndef CLI_EDIT_H
#define CLI_EDIT_H

#include <stddef.h>
#include <stdint.h>

#include "cleanup.h"
#include "failure.h"
#include "image.h"
#include "model.h"
#include "tilecut.h"

/* What the page can set: words of the command line of `segment`, read by its own tables. */
typedef struct edit_options {
    model model;
    cleanup cleanup;
    int feather;      /* radius of the cutout's soft edge; 0: hard */
    bool keep_colors; /* of that edge                              */
} edit_options;

enum { EDIT_OPTION_BYTES = 1024 }; /* of text, at most */

/* `text` is `size` bytes, words of a command line with blanks or line ends between them. Words that are kept
 * (names of colour models) are static. EXIT_USAGE with a sentence when a word is wrong. */
int edit_read_options(const char *text, size_t size, edit_options *out, failure *why);

/* What a cut came to. */
typedef struct edit_answer {
    tilecut_report report;
    cleaned cleaned;
} edit_answer;

enum { EDIT_ANSWER_BYTES = 1024 };

/* Lines "key<TAB>value" for the page: flow, cut, certified, energy, foreground, solver, device, ms, ... */
void edit_describe(const edit_answer *answer, char text[EDIT_ANSWER_BYTES]);

/* ---- the sketch ---- */

typedef struct edit {
    int width, height;  /* of the photo                                                    */
    int factor;         /* of both sides; cells at the right and at the bottom may be cut  */
    image small;        /* means of the cells, without alpha                               */
    uint8_t *labels;    /* of the photo, labels of tilecut.h: all unknown at first         */
    uint8_t *small_labels, *small_mask;
    uint8_t *small_wish; /* means of the cells of a mask that is wished for, or NULL */
} edit;

/* A sketch of at most about `pixels` pixels. On failure (EXIT_RESOURCES) `e` is empty. */
int edit_begin(edit *e, int width, int height, int channels, int depth, int64_t pixels, failure *why);
void edit_end(edit *e);

/* Rows y .. y + rows - 1 of the photo, `pixels` packed as in struct image; y is a multiple of the factor, and so is
 * `rows` but at the photo's end. `channels` counts alpha, which is not looked at. */
void edit_add_rows(edit *e, int y, int rows, int channels, const uint8_t *pixels);

/* The labels of a rectangle, packed rows. EXIT_USAGE when it is not within the photo, or a byte is no label. */
int edit_patch(edit *e, int x, int y, int width, int height, const uint8_t *labels, failure *why);

/* Another tool's mask, which strokes correct: a byte a pixel of the photo, the probability of foreground in 255ths;
 * NULL: none. EXIT_RESOURCES: no memory, and there is none. */
int edit_wish(edit *e, const uint8_t *wish, failure *why);

/* Cuts the small copy into small_mask. `how`: solver, threads and cancel; the rest is set here. */
int edit_sketch(edit *e, const edit_options *options, const tilecut_params *how, edit_answer *answer, failure *why);

/* ---- the photo ---- */

/* Cuts `photo`, cleans the mask up, and returns it in `mask`, width * height bytes of the caller. `how`: as for the
 * sketch, and the wish. */
int edit_cut(const image *photo, const uint8_t *labels, const edit_options *options, const tilecut_params *how,
             uint8_t *mask, edit_answer *answer, failure *why);

/* The photo with `mask` as its alpha, soft along the edge if the options say so; `*out` is owned by the caller. */
int edit_cutout(const image *photo, const uint8_t *mask, const uint8_t *labels, const edit_options *options,
                image *out, failure *why);

#endif
