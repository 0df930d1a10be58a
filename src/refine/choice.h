/* SPDX-License-Identifier: MIT
 *
 * choice.h - whether a mask to begin from is wrong by more than it can know: what is learnt from it, an offer, is taken
 * whole or in parts where its outline runs along edges of the image and the mask's own does not. Masks are 0 or 255 a
 * pixel, those to begin from foreground from 128 on.
 */
#pragma once

#include "edges.h"
#include "prior_outline.h"

/* What may be taken of an offer, which depends on what the mask is made of. The outline of a mask of cells is off by
 * less than a cell, so no offer is taken. That of straight pieces is off by as much as they may sag, and by more only
 * if it lies on no edges. A mask that follows its object pixel by pixel is right if it lies on edges all along; else
 * a part is missing, or there is one too many, or all of it is wrong. */
typedef struct tc_choice {
    double below; /* an offer is taken whole if its outline's tc_edges_along() is below this; 0: never  */
    double most;  /* an offer is not taken whole if it changes more pixels than this many times those of the mask */
    bool parts;   /* an offer may be taken in parts. If it can be taken neither so nor whole, none is made */
    double steady; /* the outline moves by a little if tc_edges_along() is below this where it then lies,
                      the sooner the less detail the mask has; 0: it does not move                     */
} tc_choice;

/* Finds what may be taken. `outline`: the outline of the mask to begin from. */
tilecut_status tc_choice_find(const tc_edges *edges, const tc_outline *outline, const uint8_t *prior,
                              tc_choice *choice);

/* Whether an offer is taken whole. */
bool tc_choice_is_offer(const tc_choice *choice, const tc_edges *edges, const uint8_t *prior, const uint8_t *offer);

/* Whether the outline of a mask that follows its object pixel by pixel is to move to where it lies in `near`. */
bool tc_choice_is_near(const tc_choice *choice, const tc_edges *edges, const uint8_t *near);

/* Gives `mask` those connected parts in which `offer` differs from it whose new outline lies on edges where the old one
 * does not. `offer` is then 255 in these, and 0 elsewhere. *taken: how many. */
tilecut_status tc_choose_parts(const tc_edges *edges, uint8_t *offer, uint8_t *mask, int32_t *taken);
