/* SPDX-License-Identifier: MIT
 *
 * memory.h - how much memory a cut takes at its peak: of a photo or a volume, whole or in parts, with all parts in
 * memory at once or from disk in turn. A part has some layers: rows of a photo, or slices of a volume.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"

typedef struct memory_lattice {
    int64_t width, height, depth; /* of the whole; the depth of a photo is 1                              */
    uint64_t sample;     /* bytes of a pixel's samples or of a voxel, as they are in memory               */
    int connectivity;    /* 4 and 8: a photo; 6 and 26: a volume                                          */
    uint64_t beside;     /* bytes a pixel that options take beside the cut                                */
    bool read_whole;     /* each part has to decode the whole file, since its format has no rows         */
} memory_lattice;

/* A cut whose size is known only when the file has been opened. image_limits takes it together with memory_need(). */
typedef struct memory_plan {
    memory_lattice lattice;   /* without its size and sample                                             */
    int parts, first, count;  /* as of memory_at_once(); parts 0: it is whole                            */
} memory_plan;
uint64_t memory_need(const void *plan, const int64_t size[3], uint64_t sample);

int64_t memory_layers(const memory_lattice *l);

/* Bytes of a cut in one part. */
uint64_t memory_whole(const memory_lattice *l);

/* Bytes of `count` of the parts, from number `first` on, that are in this process at once. */
uint64_t memory_at_once(const memory_lattice *l, int parts, int first, int count);

/* Bytes of all parts, of which one works while the others wait on disk. */
uint64_t memory_in_turn(const memory_lattice *l, int parts);

/* EXIT_RESOURCES: "NAME: is 96x64, in 4 parts, in turn, and needs 12.5 MB of memory; at most 10.0 MB are allowed".
 * parts 0: it is whole. */
int memory_refuse(const char *name, const memory_lattice *l, int parts, bool in_turn, uint64_t need, uint64_t most,
                  failure *why);

/* After a refusal of `name`: if some number of parts in turn takes at most `most` bytes, adds the options for that to
 * the sentence. */
void memory_advise(const memory_lattice *l, uint64_t most, failure *why);
