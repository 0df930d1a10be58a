/* SPDX-License-Identifier: MIT
 *
 * teach.h - what single strokes teach a colour model that is there: each adds a Gaussian of its colours to its class,
 * and nothing is taken from the other. So a stroke only ever makes its own class cheaper, which is what makes minimum
 * cuts nest (Gallo, Grigoriadis & Tarjan, SIAM J. Comput. 1989).
 */
#ifndef TC_TEACH_H
#define TC_TEACH_H

#include "energy.h"

/* Terminals of a graph's energy as its strokes have changed them. All zero: none has. */
typedef struct tc_taught {
    const tc_energy *energy;    /* that the densities and costs began with; NULL: nothing is taught         */
    double *density[2];         /* [palette] of foreground and background                                   */
    double *scratch;            /* [palette]                                                                */
    int32_t *source_cost, *sink_cost; /* [bins] as in tc_energy                                              */
    tc_gaussian *stroke;        /* [strokes] in order                                                       */
    uint8_t *foreground;        /* [strokes] whose they are                                                 */
    int strokes, room;
} tc_taught;

/* Adds a stroke: the pixels of `painted`, width * height bytes whose rows are `stride` apart, that are not 0, at (x, y)
 * of the image. With a colour model that is no mixture nothing is learnt. On failure `taught` is as before. */
tilecut_status tc_taught_add(tc_taught *taught, const tc_energy *energy, int x, int y, int width, int height,
                             const uint8_t *painted, size_t stride, bool foreground);

/* Forgets all but the first `strokes`: the costs are what they were then, to the last bit. */
void tc_taught_undo(tc_taught *taught, int strokes);
void tc_taught_free(tc_taught *taught);

/* A view of `energy` with the costs that were taught; it owns nothing. */
tc_energy tc_taught_energy(const tc_taught *taught, const tc_energy *energy);

#endif
