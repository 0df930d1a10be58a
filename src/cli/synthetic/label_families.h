/* SPDX-License-Identifier: MIT
 *
 * label_families.h - makes energies with many labels (Potts, 4 neighbours) for measurements. The same family, size,
 * number of labels and seed give the same energy on every machine.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "tilecut_labels.h"

typedef struct label_energy {
    int width, height, labels;
    size_t pixels;
    int32_t *data;    /* [labels][pixels] cost of each label; owned, in one block with the links */
    int32_t *link[2]; /* [pixels] links to the right and down; 0 where there is no neighbour */
} label_energy;

typedef struct label_request {
    const char *name;
    int size;          /* of each side */
    int labels;        /* 2 .. 255     */
    uint64_t seed;
} label_request;

const char *label_family_name(int index); /* NULL past the end */
bool label_family_known(const char *name);

/* Makes an energy. EXIT_RESOURCES. Free it in any case. */
int label_energy_make(const label_request *what, label_energy *out, failure *why);
bool label_energy_alloc(label_energy *e, int width, int height, int labels); /* zeroed */
void label_energy_free(label_energy *e);

static inline int32_t label_cost(const label_energy *e, size_t pixel, int label)
{
    return e->data[(size_t)label * e->pixels + pixel];
}

/* Returns the neighbour at the other end of link k. */
static inline size_t label_next(const label_energy *e, size_t pixel, int k)
{
    return pixel + (k ? (size_t)e->width : 1);
}

/* Returns the energy of a labelling with labels 0 .. labels - 1. */
int64_t label_energy_of(const label_energy *e, const uint8_t *label);
