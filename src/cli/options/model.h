/* SPDX-License-Identifier: MIT
 *
 * model.h - the options that define the energy: its weights, colour model and neighbourhood. For every verb that cuts
 * photos.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "tilecut.h"

typedef struct model {
    const char *colors; /* NULL: the library's first */
    double lambda, sigma, spatial;
    int iterations, effort; /* as in tilecut_params */
    int connectivity;
    bool islands;
} model;

extern const option model_options[]; /* they fill a model */

void model_init(model *m); /* the defaults */

/* Bytes a pixel that the model needs beside a cut: iterations of all pixels keep masks, and the costs before them. */
uint64_t model_memory(const model *m);

/* Sets the fields of `params` that the model has; the rest is left alone. */
void model_apply(const model *m, tilecut_params *params);
