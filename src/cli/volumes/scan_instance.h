/* SPDX-License-Identifier: MIT
 *
 * scan_instance.h - makes capacities of volumes for measurements and tests of solvers: from the energy of a drawn
 * volume (scan_families.h), or at random. The same family, size and seed give the same capacities on every machine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "tilecut_volume.h"

typedef struct scan_instance {
    tilecut_volume_arrays arrays; /* point into `cells`                             */
    int32_t *cells;               /* owned: source, sink, and the links in three directions */
    double quantum, lambda;       /* negative lambda: the capacities are random */
} scan_instance;

/* The names and summaries of both kinds of families, drawn volumes first; NULL past the end. scan_instance_known() is
 * true for such a name. */
const char *scan_instance_name(int index);
const char *scan_instance_summary(int index);
bool scan_instance_known(const char *name);

/* Returns EXIT_USAGE for a size that cannot be drawn. */
int scan_instance_check(int size, failure *why);

typedef struct scan_request {
    const char *name; /* name of an existing family */
    int size;         /* voxels along each side                             */
    uint64_t seed;
    double lambda;    /* weight of the links; negative: the family's default. Families without an energy ignore it */
} scan_request;

/* Makes an instance. Call scan_instance_free() in any case. Returns EXIT_USAGE or EXIT_RESOURCES on failure. */
int scan_instance_make(const scan_request *what, scan_instance *out, failure *why);
void scan_instance_free(scan_instance *it);

/* Checks if a family can be written to `path`, as voxels or as a graph, and its seeds to `seeds` (NULL: not wanted).
 * Returns EXIT_DONE or EXIT_USAGE. */
int scan_instance_can_write(const char *name, const char *path, const char *seeds, failure *why);

/* Encodes the volume and the seeds, in the formats of their names. */
int scan_instance_encode(const scan_request *what, const char *path, bytes *sink, const char *seeds,
                         bytes *seeds_sink, failure *why);
