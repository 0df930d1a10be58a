/* SPDX-License-Identifier: MIT
 *
 * memory.h - the peak memory of a cut: of a photo or a volume, undivided or in parts, where all parts are in memory at
 * once or come from disk in turn; and of several labels. A part consists of layers: rows of a photo, or slices of a
 * volume. This file and memory.c hold every figure that the program estimates such memory by.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"

/* Bytes per pixel or voxel that options take besides the cut (memory_lattice.beside). */
enum {
    MEMORY_GRID = 32,        /* the grid of the cut itself, which is freed before masks are cleaned and results made */
    MEMORY_ITERATIONS = 8,   /* --iterations, for a photo */
    MEMORY_BOX = 8,          /* a box in parts */
    MEMORY_LEARN = 20,       /* --learn */
    MEMORY_SURE = 8,         /* --confidence, for a photo */
    MEMORY_REFINE = 20,      /* --mask, for a photo */
    MEMORY_GRAPH = 6,        /* --save-graph */
    MEMORY_CLEANUP = 5,      /* --min-area, --fill-holes, --keep-largest, --connected */
    MEMORY_EDGE = 28,        /* a soft edge, with what is encoded from it */
    MEMORY_MATTING = 26,     /* --matte and --feather, in addition to MEMORY_EDGE */
    MEMORY_BAND = 110,       /* --matte and --feather, for each pixel of the band that is matted */
    MEMORY_BACKGROUND = 6,   /* --background with a picture */
    MEMORY_SCAN_MASK = 16,       /* --mask, for a volume       */
    MEMORY_SCAN_SURE = 3,        /* --confidence, for a volume */
    MEMORY_SCAN_ITERATIONS = 21, /* --iterations, for a volume */
    MEMORY_SCAN_DESK = 14    /* `edit` with a volume */
};

/* Bytes per pixel that a film takes; src/cli/video adds them up. */
enum {
    MEMORY_FOLLOW = 5 + MEMORY_CLEANUP,    /* an object that is followed */
    MEMORY_OBJECT_COSTS = 8,               /* one of several objects: its costs, to decide where objects overlap */
    MEMORY_OBJECT_KEPT = 31,               /* one of several objects: costs, contrast and flow, kept between cuts */
    MEMORY_OBJECT_MAPS = 5 + 80,           /* several objects together: label maps, and the cut where objects meet */
    MEMORY_FRAME = 3 + 3,                  /* a frame that waits, with its masks */
    MEMORY_FRAME_CUT = 20 + 48 + 1,        /* a frame in the window that is cut: capacities and grid */
    MEMORY_WINDOW = 150                    /* how pixels have moved from each frame to the next */
};

typedef struct memory_lattice {
    int64_t width, height, depth; /* size of the whole lattice; the depth of a photo is 1 */
    uint64_t sample;     /* bytes that the samples of a pixel, or a voxel, take in memory */
    int connectivity;    /* number of neighbours: 4 or 8 in a photo, 6 or 26 in a volume */
    uint64_t beside;     /* bytes per pixel that options need besides the cut            */
    uint64_t read_whole; /* if each part has to read the whole photo or whole pictures of seeds: the bytes that this
                            takes per pixel of the whole; 0: parts read only their own layers */
    uint64_t write_whole; /* if the mask's format has no rows: the bytes per pixel of the whole that the first part has
                             while it writes; 0: the part writes by rows */
    bool another;        /* true: one of several photos in this process, which needs no memory for the program itself */
    bool corrects;       /* true: --previous, a mask is corrected */
    bool colored, wide;  /* a photo in colour, and with more than 8 bits a sample */
} memory_lattice;

/* A cut whose size becomes known when the file is opened. image_limits takes a pointer to it, together with
 * memory_need(). */
typedef struct memory_plan {
    memory_lattice lattice;   /* the lattice; width, height, depth and `sample` are not set        */
    int parts, first, count;  /* arguments of memory_at_once(); parts is 0 if the cut is undivided */
} memory_plan;
uint64_t memory_need(const void *plan, const int64_t size[3], uint64_t sample);

/* Returns the number of rows of a photo, or of slices of a volume. */
int64_t memory_layers(const memory_lattice *l);

/* Returns the bytes of an undivided cut. */
uint64_t memory_whole(const memory_lattice *l);

/* Returns the bytes of dividing a lattice among `labels` labels, of which at most `threads` are learnt at once. */
uint64_t memory_labels(const memory_lattice *l, int labels, int threads);

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
