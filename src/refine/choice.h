/* SPDX-License-Identifier: MIT
 *
 * choice.h - decides whether a prior mask is wrong by more than its resolution explains. An offer is a mask that was
 * learnt from it. An offer is taken as a whole or in parts where its outline runs along edges of the image and the
 * prior mask's outline does not. Masks are 0 or 255 per pixel; in prior masks, foreground is 128 and more.
 */
#pragma once

#include "edges.h"
#include "prior_outline.h"

/* How much of an offer may be taken, which depends on the kind of prior mask. The outline of a mask made of cells is
 * off by less than a cell, so no offer is taken. An outline of straight pieces is off by as much as they may deviate,
 * and by more only if it does not lie on edges. A mask that follows its object pixel by pixel is right if it lies on
 * edges all along; otherwise a part is missing, or there is one too many, or all of it is wrong. */
typedef struct tc_choice {
    double below; /* an offer is taken as a whole if tc_edges_along() of its outline is below this; 0: never */
    double most;  /* an offer is not taken as a whole if it changes more pixels than `most` times the number of
                     foreground pixels of the prior mask */
    bool parts;   /* an offer may be taken in parts. If it can be taken neither in parts nor as a whole, no offer is
                     made */
    double steady; /* the outline moves by a little if tc_edges_along() is below this at its new place. The limit
                      depends on how much detail the mask has: less detail makes a move easier. 0: it does not move */
} tc_choice;

/* Finds how much of an offer may be taken. `outline` is the outline of the prior mask. */
tilecut_status tc_choice_find(const tc_edges *edges, const tc_outline *outline, const uint8_t *prior,
                              tc_choice *choice);

/* True if a prior mask follows its object pixel by pixel and lies on edges, so that it is right nearly everywhere. */
bool tc_choice_is_right(const tc_edges *edges, const tc_outline *outline, const uint8_t *prior);

/* True if an offer is taken as a whole. It is not if it has less than a quarter of the prior mask's foreground, if it
 * fills most of the image by taking more than a quarter of its background, or if colours differ on the two sides of the
 * prior mask's outline nearly as much as on those of its own. If it is not taken for such a reason alone, *doubted is
 * the number of pixels that it would change; otherwise 0. */
bool tc_choice_is_offer(const tc_choice *choice, const tc_edges *edges, const uint8_t *prior, const uint8_t *offer,
                        int64_t *doubted);

/* True if the outline of a mask that follows its object pixel by pixel should move to its place in `near`. */
bool tc_choice_is_near(const tc_choice *choice, const tc_edges *edges, const uint8_t *near);

/* Changes `mask` in those connected parts in which `offer` differs from it and whose new outline lies on edges where
 * the old one does not. Afterwards `offer` is 255 in these parts, and 0 elsewhere. *taken is their number. None is
 * taken if together they leave less than a quarter of the mask's foreground, or fill most of the image as above: then
 * *doubted is the number of their pixels, and `offer` is not changed; otherwise *doubted is 0. */
tilecut_status tc_choose_parts(const tc_edges *edges, uint8_t *offer, uint8_t *mask, int32_t *taken,
                               int64_t *doubted);
