/* SPDX-License-Identifier: MIT
 *
 * model_update.h - updates a colour model by single strokes. Each stroke adds a Gaussian of its colours to its own
 * class and changes nothing in the other. So a stroke only makes labels of its own class cheaper; that is why minimum
 * cuts nest (Gallo, Grigoriadis & Tarjan, SIAM J. Comput. 1989). */
#pragma once

#include "energy.h"

/* The colour costs of a graph's energy after its strokes. All zero means that nothing was learnt from strokes. */
typedef struct tc_model_update {
    const tc_energy *energy;    /* the energy from which densities and costs were copied; NULL: nothing was learnt */
    double *density[2];         /* [palette] for foreground and background; owned, like the next three lines */
    double *learnt[2];          /* [palette] the same without strokes                                       */
    double *scratch;            /* [palette]                                                                */
    int32_t *source_cost, *sink_cost; /* [bins] as in tc_energy                                              */
    tc_gaussian *stroke;        /* [strokes] in the order of strokes                                        */
    uint8_t *foreground;        /* [strokes] 1 for a foreground stroke                                      */
    int strokes, room;
} tc_model_update;

/* Adds a stroke. If the colour model is not a mixture, nothing is learnt from it. On failure `update` is as before. */
tilecut_status tc_model_update_add(tc_model_update *update, const tc_energy *energy, const tilecut_stroke *stroke);

/* Forgets all but the first `strokes` strokes. The costs become what they were at that time, to the last bit. */
void tc_model_update_undo(tc_model_update *update, int strokes);
void tc_model_update_free(tc_model_update *update);

/* True if the model is a mixture over a palette, to which a Gaussian can be added. */
bool tc_energy_can_update(const tc_energy *energy);

/* Allocates energy->nearness for levels of prior.h, which the caller then writes, and sets their costs. A nat costs
 * `nat` times the data weight; changing a kept pixel costs more than its colour and links can outweigh. */
tilecut_status tc_energy_hold(tc_energy *energy, double nat);

/* Returns a copy of `energy` that uses the updated costs. The copy owns nothing. */
tc_energy tc_model_update_energy(const tc_model_update *update, const tc_energy *energy);
