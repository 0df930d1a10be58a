/* SPDX-License-Identifier: MIT
 *
 * choice.h - whether a mask to begin from is wrong by more than it can know: of an offer that was learnt from it, parts
 * are taken whose outline runs along edges of the image where the mask's own does not.
 */
#ifndef TC_CHOICE_H
#define TC_CHOICE_H

#include "graph.h"

/* Gives `mask`, 0 or 255 a pixel, those connected parts in which `offer` differs from it whose new outline cuts weaker
 * links than the old one: clearly weaker, unless the whole outline of the mask lies on no edges. `graph`: whose links.
 * `offer` is then 255 in these, and 0 elsewhere. */
tilecut_status tc_choose_parts(const tilecut_graph *graph, uint8_t *offer, uint8_t *mask);

#endif
