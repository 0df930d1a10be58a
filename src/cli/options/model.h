/* SPDX-License-Identifier: MIT
 *
 * model.h - the options that define the energy: its weights, colour model and neighbourhood. Every verb that cuts
 * photos has them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "tilecut.h"

typedef struct model {
    const char *colors; /* name of the colour model; NULL: the library's first */
    double lambda, sigma, spatial;
    int iterations, effort; /* as in tilecut_params: rounds of learning, and effort */
    int connectivity;
    bool islands;
} model;

extern const option model_options[]; /* their values go into a `model` */

void model_init(model *m); /* the defaults */

/* The bytes a pixel that the model needs beside those of a cut: learning from all pixels keeps the masks of earlier
 * rounds and the costs of the last one. */
uint64_t model_memory(const model *m);

/* Copies the settings of the model into `params` and leaves all other fields alone. */
void model_apply(const model *m, tilecut_params *params);
