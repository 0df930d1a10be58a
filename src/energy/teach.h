/* SPDX-License-Identifier: MIT
 *
 * teach.h - adds what single strokes teach to a colour model. Each stroke adds a Gaussian of its colours to its class
 * and changes nothing in the other. So a stroke only makes labels of its own class cheaper; that is why minimum cuts
 * nest (Gallo, Grigoriadis & Tarjan, SIAM J. Comput. 1989).
 */
#pragma once

#include "energy.h"

/* The colour costs of a graph's energy after its strokes. All zero: nothing was learnt from a stroke. */
typedef struct tc_model_update {
    const tc_energy *energy;    /* from which densities and costs were copied; NULL: nothing was learnt      */
    double *density[2];         /* [palette] of foreground, of background; this and the next two lines are owned */
    double *scratch;            /* [palette]                                                                */
    int32_t *source_cost, *sink_cost; /* [bins] as in tc_energy                                              */
    tc_gaussian *stroke;        /* [strokes] in order                                                       */
    uint8_t *foreground;        /* [strokes] whether it is a foreground stroke                              */
    int strokes, room;
} tc_model_update;

/* Adds a stroke. If the colour model is not a mixture, nothing is learnt. On failure `update` is as before. */
tilecut_status tc_model_update_add(tc_model_update *update, const tc_energy *energy, const tilecut_stroke *stroke);

/* Forgets all but the first `strokes` strokes. The costs become what they were then, to the last bit. */
void tc_model_update_undo(tc_model_update *update, int strokes);
void tc_model_update_free(tc_model_update *update);

/* Whether the model is a mixture over a palette, to which a Gaussian can be added. */
bool tc_energy_teachable(const tc_energy *energy);

/* Makes `energy`, in place, that of a mask which all of its seeds correct at once, whatever their order. `mask`, 0 or
 * 255 a pixel, is a minimum cut of it. Pixels keep their labels in the mask except where strokes reach (prior.h), and
 * the density of a class rises around each colour that a seed of it has. More seeds of a class only make labels of that
 * class cheaper, so minimum cuts nest. `first`, or NULL, is the mask that the same seeds gave before. Then the density
 * of a class rises for each colour that it has won there from the other one. More seeds of a class win more, so these
 * minimum cuts nest, too. On failure `energy` may be half changed. */
tilecut_status tc_energy_correct(tc_energy *energy, const uint8_t *mask, const uint8_t *first);

/* Makes room in energy->nearness for levels of prior.h, which the caller then writes, and sets their costs: of a nat,
 * `nat` times the data weight; of a pixel that is kept, more than its colour and links can pay. */
tilecut_status tc_energy_hold(tc_energy *energy, double nat);

/* A copy of `energy` that uses the updated costs. It owns nothing. */
tc_energy tc_model_update_energy(const tc_model_update *update, const tc_energy *energy);
