/* SPDX-License-Identifier: MIT
 *
 * synthetic.h - instances to measure and test solvers on: photos with seeds, and graphs. The same family,
 * size and seed give the same instance on every machine: random numbers are drawn and used as integers,
 * and no function of libm decides a capacity (square roots are exact by IEEE 754).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "tilecut.h"

enum { FAMILY_SIZE_MIN = 64, FAMILY_SIZE_MAX = 8192 };

/* A photo with its seeds, which is only read. The family `photo` rescales it; `spot` and `frame` use it in place of
 * their own texture. It has 8 bits a sample, 1 or 3 channels, packed; labels are TILECUT_UNKNOWN and so on. */
typedef struct family_photo {
    int width, height, channels;
    const uint8_t *pixels, *labels;
} family_photo;

typedef struct family_request {
    int size;                  /* side of the square; a photo has about as many pixels as that square */
    uint64_t seed;
    int corridor;              /* width of the corridors of the family `maze`, in pixels; 0: 7 */
    int connectivity;          /* 4 or 8 neighbours; 0 means 4 */
    double lambda;             /* weight of links in families with photos; negative: the family's default */
    const family_photo *photo; /* NULL: none given                                          */
} family_request;

/* One instance: a photo with seeds and parameters, or capacities. */
typedef struct instance {
    int width, height;
    int channels;          /* channels of the photo; 0: the instance consists of capacities */
    uint8_t *pixels;       /* the photo's samples, width * height * channels; owned */
    uint8_t *labels;       /* the seeds: width * height labels, TILECUT_UNKNOWN and so on; owned */
    tilecut_params params; /* the family sets lambda, sigma, data_weight, soft_seeds and colors */
    tilecut_arrays arrays; /* point into `cells`                                               */
    int32_t *cells;        /* owned                                                            */
} instance;

typedef struct family {
    const char *name, *summary;
    bool is_graph;    /* true: the family makes capacities instead of a photo */
    bool needs_photo; /* true: the family cannot work without a photo */
    bool takes_photo; /* true: the family can use a photo if one is given */
    bool (*make)(const family_request *request, instance *out); /* false: out of memory */
} family;

extern const family families[]; /* the table of families; its last row has the name NULL */

const family *family_find(const char *name); /* NULL: no such name */
const char *family_name(int index);          /* the name of a family, for help; NULL past the end */
const char *family_summary(int index);

/* Makes an instance. EXIT_USAGE: size or corridor is out of range, or a photo is missing. EXIT_RESOURCES: memory ran
 * out. */
int instance_make(const family *kind, const family_request *request, instance *out, failure *why);
void instance_free(instance *it);

/* Makes the graph of an instance, which must stay in memory as long as the graph. */
tilecut_status instance_graph(const instance *it, const tilecut_params *engine, tilecut_graph **out);

/* ---- for synthetic_*.c ---- */

bool instance_alloc_pixels(instance *it, int width, int height, int channels);
bool instance_alloc_cells(instance *it, int width, int height); /* zeroed, symmetric, 4-connected */
int32_t *instance_plane(const instance *it, int plane);         /* planes: source, sink, right, down, then the
                                                                   diagonals */

/* Adds random diagonals to capacities with 4 neighbours. Their mean is that of the four links around a square of four
 * pixels, divided by the square root of 2; there is no diagonal where one of the four links is 0. */
bool instance_add_diagonals(instance *it, uint64_t seed);

#define FAMILY(name, is_graph, needs_photo, takes_photo, make, summary) \
    bool make(const family_request *request, instance *out);
#include "families.def"
#undef FAMILY
