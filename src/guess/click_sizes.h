/* SPDX-License-Identifier: MIT
 *
 * click_sizes.h - a first guess from clicks. A click shows one place of the object but not where it ends, and a mask
 * from colours alone often floods the image. So masks are cut for discs of several sizes around the click, with the
 * colours inside and around each disc. Each mask is scored, chiefly by its similarity to all others, and also by its
 * edges, the click's depth and its colours (click_choice.c; cf. Carreira & Sminchisescu, CVPR 2010).
 */
#pragma once

#include <stdbool.h>

#include "graph.h"
#include "tilecut.h"

/* All this is done in a smaller copy of the image, with at most about this many cells. */
#define TC_CLICK_CELLS 12000.0

/* True if the seeds are a single click: foreground in one small place, no background stroke, and some unknown
 * pixels. */
typedef bool tc_click_are(const uint8_t *seeds, int width, int height);
tc_click_are tc_is_one_click;

/* True if the seeds contain foreground. Does not check that all strokes are clicks. */
tc_click_are tc_are_clicks;

/* Cells with seeds. */
typedef struct tc_click_cells {
    tilecut_image image;
    const uint8_t *seeds;
    int slice_rows;    /* rows of a slice in a volume, in which clicks and discs are balls; 0: an image */
    double spacing[3]; /* for a volume: lengths of steps along x, y and z; the least is 1              */
    int threads;       /* threads that cut side by side; 0: one                                        */
} tc_click_cells;

/* Compares masks of several sizes around a click with `mask`, which is 0 or 255. *better is true if one of them is
 * clearly better. Then `guess` is that mask in the format of tc_reach(): the mask in bit 0, and above it a level of
 * tc_evidence_favour(), with evidence that grows with the distance to the outline. The result is the same on every
 * machine.
 *
 *   cells    the smaller copy and its seeds, for which tc_is_one_click() or tc_are_clicks() is true. With several
 *            foreground clicks, discs lie around the click nearest to their centre, and the colours of all are learnt.
 *            The outermost cells count as background; in space only if no seed is background
 *   cut      finds the minimum cut of a graph of the cells, and writes 0 or 255 for each; is called with `context` */
typedef tilecut_status tc_click_cut(const void *context, const tilecut_graph *graph, uint8_t *mask);
tilecut_status tc_guess_by_sizes(const tc_click_cells *cells, tc_click_cut *cut, const void *context,
                                 const uint8_t *mask, uint8_t *guess, bool *better);

/* ---- Inside ------------------------------------------------------------------------------------- */

enum { TC_CLICK_SIZES = 7, TC_CLICK_BIASES = 3, TC_CLICK_MASKS = TC_CLICK_SIZES * TC_CLICK_BIASES + 1 };

/* The cells, with all data that the cuts need. Colours are numbers of occupied bins of CIELAB, 0 to colors - 1. */
typedef struct tc_click_scene {
    int width, height, depth, colors;
    int links;           /* forward links of a cell: 2, in space 3                                                 */
    double spacing[3];   /* lengths of steps along x, y and z; the least is 1, in an image all                     */
    bool framed;         /* true: the outermost cells are background                                               */
    size_t cells;
    size_t click;        /* the cell at the centre of the click; with several clicks, the cell nearest to their
                            centre */
    bool several;
    uint16_t *color;     /* [cells] the bin of each cell                                                    */
    double *spread;      /* [to][from], [colors] each: the share of bin `from`'s count that is added to bin `to` */
    double *same[3];     /* [cells] similarity of a cell to its next neighbour along x, y and z: 0 to 1     */
    const uint8_t *seeds;
} tc_click_scene;

bool tc_click_is_frame(const tc_click_scene *s, size_t cell);

/* Returns the cell's next neighbour along x, y or z (k: 0, 1, 2), or TC_BLOCK_NONE. */
size_t tc_click_next(const tc_click_scene *s, size_t cell, int k);

/* Writes to `share` the smoothed colour histogram of the cells whose `mask` has the bit. Its sum is 1, or 0 if no cell
 * has the bit. share, count: [colors]; count is scratch memory. */
void tc_click_colors(const tc_click_scene *s, const uint8_t *mask, uint8_t bit, double *share, double *count);

/* Sets *best to the index of the best of `count` masks, which are stored one after another. It is the last one if no
 * other is clearly better. */
tilecut_status tc_click_choose(const tc_click_scene *s, const uint8_t *masks, int count, int *best);
