/* SPDX-License-Identifier: MIT
 *
 * choice.h - whether a mask to begin from is wrong by more than it can know: what is learnt from it, an offer, is taken
 * whole or in parts where its outline runs along edges of the image and the mask's own does not. Masks are 0 or 255 a
 * pixel, those to begin from foreground from 128 on.
 */
#ifndef TC_CHOICE_H
#define TC_CHOICE_H

#include "edges.h"

/* Whether the outline of a mask to begin from lies on edges all along, so that no offer need be made. */
tilecut_status tc_choice_is_plain(const tc_edges *edges, const uint8_t *prior, bool *plain);

/* Whether an offer is taken whole: the outline of the mask to begin from lies on no edge over most of its length, nor
 * does that of `mask`, the same refined, and that of the offer clearly does. `before`: that outline's tc_edges_along().
 */
bool tc_choice_is_offer(const tc_edges *edges, double before, const uint8_t *mask, const uint8_t *offer);

/* Gives `mask` those connected parts in which `offer` differs from it whose new outline lies on edges where the old one
 * does not. `offer` is then 255 in these, and 0 elsewhere. *taken: how many. */
tilecut_status tc_choose_parts(const tc_edges *edges, uint8_t *offer, uint8_t *mask, int32_t *taken);

#endif
