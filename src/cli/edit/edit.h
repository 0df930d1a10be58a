/* SPDX-License-Identifier: MIT
 *
 * edit.h - cutting a photo while somebody paints on it. This is what the editor in the browser needs, without files,
 * printing or a server, so that the verb `edit` and the WebAssembly of src/web share it.
 *
 *     edit_begin(), edit_add_rows()   make a sketch, a small copy of the photo that is cut while the hand still moves
 *     edit_patch(), edit_prior()       set the labels under a brush; set a mask to begin from
 *     edit_sketch()                   the mask of the small copy
 *     edit_cut(), edit_divide()       the mask of the photo itself, as `tilecut segment` or `tilecut labels` would
 *                                     write it
 *     edit_cutout()                   the photo with that mask as its alpha
 *
 * The last two depend on photo, labels and options alone, not on what was painted before, so a command line can repeat
 * them. An `edit` is for one thread at a time; they share nothing and may run in any thread.
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

/* The options that the page can set. It sends them as `segment` has them on its command line, and they are parsed by
 * the same tables. */
typedef struct edit_options {
    model model;
    cleanup cleanup;
    bool corrects;      /* --previous: strokes only add to the prior mask or take away from it; ignored
                           without a prior                                                                     */
    bool learns;        /* --learn: strokes do so, too, and colours are learnt anew from all of them; ignored without
                           --previous */
    edge_style edge;    /* edge of the cutout                        */
    bool keep_colors;   /* the edge keeps the photo's colours        */
    bool snap;          /* before a mask is saved, its outline is moved to where colours change */
    tilecut_memo *memo; /* what cuts of a photo keep for the next ones; NULL: nothing. Set by the editor, not read */
} edit_options;

enum { EDIT_OPTION_BYTES = 1024 }; /* of text, at most */

/* Reads `text`, `size` bytes: words of a command line, separated by blanks or line ends. Names of colour models in
 * `out` are static. EXIT_USAGE with a sentence when a word is wrong. */
int edit_read_options(const char *text, size_t size, edit_options *out, failure *why);

/* The result of a cut. */
typedef struct edit_answer {
    tilecut_report report;
    tilecut_cleaned cleaned;
} edit_answer;

enum { EDIT_ANSWER_BYTES = 1024 };

/* Lines "key<TAB>value" for the page: flow, cut, certified, energy, foreground, solver, device, ms, ... */
void edit_describe(const edit_answer *answer, char text[EDIT_ANSWER_BYTES]);

/* Turns a failure of the library into an exit status, and copies its sentence. */
int edit_failure(tilecut_status status, failure *why);

/* ---- the sketch ---- */

typedef struct edit {
    int width, height;  /* of the photo                                                    */
    int factor;         /* side of a cell in pixels; cells at the right and at the bottom may be cut */
    image small;        /* means of the cells, without alpha                               */
    uint8_t *labels;    /* labels of the photo, TILECUT_UNKNOWN ...: all unknown at first  */
    uint8_t *small_labels, *small_mask;
    uint8_t *small_prior; /* the mask to begin from: its mean in each cell; NULL: none */
} edit;

/* Makes a sketch of about `pixels` pixels at most. On failure (EXIT_RESOURCES) `e` is empty. */
int edit_begin(edit *e, int width, int height, int channels, int depth, int64_t pixels, failure *why);
void edit_end(edit *e);

/* Adds rows y .. y + rows - 1 of the photo, `pixels` packed as in struct image. y must be a multiple of the factor,
 * and so must `rows` except at the photo's end. `channels` counts alpha, which is ignored. */
void edit_add_rows(edit *e, int y, int rows, int channels, const uint8_t *pixels);

/* Sets the labels of a rectangle, in packed rows. EXIT_USAGE if it is not within the photo, or a byte is not a
 * label. */
int edit_patch(edit *e, int x, int y, int width, int height, const uint8_t *labels, failure *why);

/* Sets another tool's mask to begin from, which strokes correct: a byte for each pixel of the photo, the probability
 * of foreground in 255ths. NULL removes it. EXIT_RESOURCES: no memory, and no mask is set. */
int edit_prior(edit *e, const uint8_t *prior, failure *why);

/* Adapts the clean-up to a sketch whose cells have `cell` pixels or voxels. */
void edit_shrink_cleanup(cleanup *what, int64_t cell);

/* How sure the mask of the sketch is, as all strokes together say without a mask to begin from. Writes lines of name,
 * tab and number: unsure, per cent of the outline; x, y, the pixel of the photo where a stroke helps most, -1 if
 * nothing is in doubt; label, what the mask does not have there; pixels, how many are expected to be wrong there. */
int edit_unsure(const edit *e, const edit_options *options, const tilecut_params *params,
                char text[EDIT_ANSWER_BYTES], failure *why);

/* Cuts the small copy into small_mask, with at most two trainings of colours and one guess for a box. Of `params`,
 * solver, threads and cancel are used; the rest is set here. */
int edit_sketch(edit *e, const edit_options *options, const tilecut_params *params, edit_answer *answer, failure *why);

/* ---- the photo ---- */

/* Cuts `photo`, cleans the mask and writes it to `mask`, width * height bytes of the caller. Of `params`, the same
 * fields are used as for the sketch, and prior. If the options say that strokes correct the prior mask, that is done
 * as by tilecut_correct(). */
int edit_cut(const image *photo, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
             uint8_t *mask, edit_answer *answer, failure *why);

/* All objects of a photo, cut together. The page keeps strokes and label maps. */
typedef struct edit_division {
    enum edit_way { EDIT_DIVIDE = 1, EDIT_CORRECT, EDIT_TAKE } way;
    int shown, background; /* labels: the object whose mask is wanted, and what no object has */
    const uint8_t *body;   /* labels of strokes; to correct, a label map behind them; to take, only the map there is */
    size_t size;
    uint8_t *map, *mask; /* out: all labels, and the mask of the one that is shown */
} edit_division;

/* Of `params`, the same fields are used as for the sketch. EXIT_USAGE: `d` is not as above. */
int edit_divide(const image *photo, const edit_division *d, const edit_options *options, const tilecut_params *params,
                edit_answer *answer, failure *why);

/* The last step before a mask is saved: moves its outline, if that was asked for. `mask`: in and out. */
int edit_finish(const image *photo, const uint8_t *labels, const edit_options *options, uint8_t *mask, failure *why);

/* The photo with its mask as its alpha, soft along the edge if the options say so; `*out` is owned by the caller.
 * Matting uses `threads`, and at most `memory` bytes (EXIT_RESOURCES). EXIT_SEEDS: a band of all that is not painted
 * needs strokes of both kinds. */
int edit_cutout(const masked_photo *of, const edit_options *options, int threads, uint64_t memory, image *out,
                failure *why);
