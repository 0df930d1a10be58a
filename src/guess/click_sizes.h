/* SPDX-License-Identifier: MIT
 *
 * click_sizes.h - a guess from clicks. Colours alone cannot tell where an object ends of which one place is
 * known: they flood. So discs of several sizes around the click are each made a mask, by what is in them and around
 * them, and the one is taken that most others are like (cf. Carreira & Sminchisescu, CVPR 2010).
 */
#ifndef TC_CLICK_SIZES_H
#define TC_CLICK_SIZES_H

#include <stdbool.h>

#include "graph.h"
#include "tilecut.h"

/* The cells of the smaller copy in which all this is done, at most about. */
#define TC_CLICK_CELLS 12000.0

/* Whether seeds are one click alone: foreground in one small place, no stroke of background, something open. */
typedef bool tc_click_are(const uint8_t *seeds, int width, int height);
tc_click_are tc_is_one_click;

/* Whether there is foreground to begin with. That all strokes are clicks is not looked at. */
tc_click_are tc_are_clicks;

/* Compares masks of several sizes around a click with `mask`, one of 0 and 255. *better: whether one of them is
 * plainly better; then `guess` is that mask, in bits as those of tc_reach(): bit 0, and a level of tc_evidence_favour()
 * that grows with the depth in the mask or outside of it. The same on every machine.
 *
 *   cells    the copy, whose outermost cells are background
 *   seeds    its seeds, tc_is_one_click() or tc_are_clicks(); of several clicks of the object sizes are those around
 *            the middle one, and each teaches
 *   cut      finds the minimum cut of a graph of cells, 0 or 255 each; `context` is handed on to it */
typedef tilecut_status tc_click_cut(const void *context, const tilecut_graph *graph, uint8_t *mask);
tilecut_status tc_guess_by_sizes(const tilecut_image *cells, const uint8_t *seeds, tc_click_cut *cut,
                                 const void *context, const uint8_t *mask, uint8_t *guess, bool *better);

/* ---- Inside ------------------------------------------------------------------------------------- */

enum { TC_CLICK_SIZES = 7, TC_CLICK_BIASES = 3, TC_CLICK_MASKS = TC_CLICK_SIZES * TC_CLICK_BIASES + 1 };

/* The cells, ready to be cut. Colours are those of `colors` bins of CIELAB. */
typedef struct tc_click_scene {
    int width, height, colors;
    size_t cells;
    size_t click;        /* the cell in its middle; of several, the one that is nearest to their middle */
    bool several;
    uint16_t *color;     /* [cells] a bin                                                          */
    double *spread;      /* [colors][colors] how much of what is counted in one bin is seen in another */
    double *same[2];     /* [cells] how alike a cell is to its right, its lower neighbour: 0 to 1  */
    const uint8_t *seeds;
} tc_click_scene;

bool tc_click_is_frame(const tc_click_scene *s, size_t cell);

/* The colours of those cells whose `mask` has the bit, spread: shares of their sum. share, count: [colors] */
void tc_click_colors(const tc_click_scene *s, const uint8_t *mask, uint8_t bit, double *share, double *count);

/* Writes which of `count` masks, one after another, is best: the last, if no other is plainly better. */
tilecut_status tc_click_choose(const tc_click_scene *s, const uint8_t *masks, int count, int *best);

#endif
