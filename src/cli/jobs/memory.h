/* SPDX-License-Identifier: MIT
 *
 * memory.h - the peak memory of a cut: of a photo or a volume, undivided or in parts, where all parts are in memory at
 * once or come from disk in turn. A part consists of layers: rows of a photo, or slices of a volume.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"

typedef struct memory_lattice {
    int64_t width, height, depth; /* size of the whole lattice; the depth of a photo is 1 */
    uint64_t sample;     /* bytes in memory of a pixel's samples or of a voxel           */
    int connectivity;    /* number of neighbours: 4 or 8 in a photo, 6 or 26 in a volume */
    uint64_t beside;     /* bytes per pixel that options need besides the cut            */
    bool read_whole;     /* each part must decode the whole file, because its format has no rows */
} memory_lattice;

/* A cut whose size becomes known when the file is opened. image_limits takes a pointer to it, together with
 * memory_need(). */
typedef struct memory_plan {
    memory_lattice lattice;   /* the lattice; width, height, depth and `sample` are not set        */
    int parts, first, count;  /* arguments of memory_at_once(); parts is 0 if the cut is undivided */
} memory_plan;
uint64_t memory_need(const void *plan, const int64_t size[3], uint64_t sample);

/* Returns the bytes of an undivided cut. */
uint64_t memory_whole(const memory_lattice *l);

/* Returns the bytes of `count` parts, from number `first` on, that are in this process at once. */
uint64_t memory_at_once(const memory_lattice *l, int parts, int first, int count);

/* Returns the bytes of a cut in which one part works at a time while the others wait on disk. */
uint64_t memory_in_turn(const memory_lattice *l, int parts);

/* Fails with EXIT_RESOURCES: "NAME: is 96x64, in 4 parts, in turn, and needs 12.5 MB of memory; at most 10.0 MB are
 * allowed". parts 0: the cut is undivided. */
int memory_refuse(const char *name, const memory_lattice *l, int parts, bool in_turn, uint64_t need, uint64_t most,
                  failure *why);

/* After a refusal: if some number of parts in turn needs at most `most` bytes, adds the options for that to
 * the sentence. */
void memory_advise(const memory_lattice *l, uint64_t most, failure *why);
