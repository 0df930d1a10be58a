/* SPDX-License-Identifier: MIT
 *
 * synthetic.h - instances to measure and test solvers on: photos with seeds, and graphs. The same family,
 * size and seed give the same instance on every machine: random numbers are drawn and used as integers,
 * and no function of libm decides a capacity (square roots are exact by IEEE 754).
 */
#ifndef CLI_SYNTHETIC_H
#define CLI_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "tilecut.h"

enum { FAMILY_SIZE_MIN = 64, FAMILY_SIZE_MAX = 8192 };

/* A photo with its seeds, only read: what `photo` rescales, and what `spot` and `frame` take instead of
 * their own texture. 8 bits a sample, 1 or 3 channels, packed; labels as TILECUT_UNKNOWN and friends. */
typedef struct family_photo {
    int width, height, channels;
    const uint8_t *pixels, *labels;
} family_photo;

typedef struct family_request {
    int size;                  /* side; of a photo: the side of the square of the same area */
    uint64_t seed;
    int corridor;              /* of `maze`, in pixels; 0: 7                                */
    double lambda;             /* of families with photos; negative: the family's own       */
    const family_photo *photo; /* NULL: none given                                          */
} family_request;

/* One instance: either pixels, seeds and the parameters that belong to them, or capacities. */
typedef struct instance {
    int width, height;
    int channels;          /* 0: capacities                                                    */
    uint8_t *pixels;       /* width * height * channels; owned                                 */
    uint8_t *labels;       /* width * height, TILECUT_UNKNOWN ..; owned                        */
    tilecut_params params; /* lambda, sigma, data_weight, soft_seeds, colors as the family has */
    tilecut_arrays arrays; /* into `cells`                                                     */
    int32_t *cells;        /* owned                                                            */
} instance;

typedef struct family {
    const char *name, *summary;
    bool is_graph;    /* gives capacities, not a photo            */
    bool needs_photo; /* cannot do without                        */
    bool takes_photo; /* can be made of one                       */
    bool (*make)(const family_request *request, instance *out); /* false: out of memory */
} family;

extern const family families[]; /* ends with a row whose name is NULL */

const family *family_find(const char *name); /* NULL: no such name */
const char *family_name(int index);          /* NULL past the end, for help */
const char *family_summary(int index);

/* EXIT_USAGE for a size or corridor out of range and for a photo that is missing, EXIT_RESOURCES. */
int instance_make(const family *kind, const family_request *request, instance *out,
                  failure *why);
void instance_free(instance *it);

/* The graph of an instance, which must outlive it. */
tilecut_status instance_graph(const instance *it, const tilecut_params *engine,
                              tilecut_graph **out);

/* ---- for synthetic_*.c ---- */

bool instance_alloc_pixels(instance *it, int width, int height, int channels);
bool instance_alloc_cells(instance *it, int width, int height); /* zeroed, symmetric, 4-connected */
int32_t *instance_plane(const instance *it, int plane);         /* source, sink, right, down */

#define FAMILY(name, is_graph, needs_photo, takes_photo, make, summary) \
    bool make(const family_request *request, instance *out);
#include "families.def"
#undef FAMILY

#endif
