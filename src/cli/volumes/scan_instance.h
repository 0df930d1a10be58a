/* SPDX-License-Identifier: MIT
 *
 * scan_instance.h - capacities in space to measure and test solvers on: those of a drawn volume's energy
 * (scan_families.h), or drawn by lot. The same family, size and seed give the same on every machine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "tilecut_volume.h"

typedef struct scan_instance {
    tilecut_volume_arrays arrays; /* point into `cells`                             */
    int32_t *cells;               /* owned: source, sink and three planes of links  */
    double quantum, lambda;       /* lambda negative: capacities were drawn by lot  */
} scan_instance;

/* Names of both kinds of families, drawn volumes first; NULL past the end. */
const char *scan_instance_name(int index);
const char *scan_instance_summary(int index);
bool scan_instance_known(const char *name);

/* EXIT_USAGE for a size that cannot be drawn. */
int scan_instance_check(int size, failure *why);

typedef struct scan_request {
    const char *name; /* name of a family that is known                     */
    int size;         /* voxels along each side                             */
    uint64_t seed;
    double lambda;    /* of families with an energy; negative: the usual one */
} scan_request;

/* To be freed with scan_instance_free() in any case. EXIT_USAGE, EXIT_RESOURCES. */
int scan_instance_make(const scan_request *what, scan_instance *out, failure *why);
void scan_instance_free(scan_instance *it);

/* Whether a family can be written to `path`, as voxels or as a graph, and its seeds to `seeds`, NULL: they are not
 * wanted: EXIT_DONE, EXIT_USAGE. */
int scan_instance_can_write(const char *name, const char *path, const char *seeds, failure *why);

/* Writes volume and seeds, in the formats that their names say. */
int scan_instance_encode(const scan_request *what, const char *path, bytes *sink, const char *seeds,
                         bytes *seeds_sink, failure *why);
