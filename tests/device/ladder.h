/* SPDX-License-Identifier: MIT
 *
 * ladder.h - parts of the program `ladder` (ladder.c).
 */
#pragma once

#include <stdbool.h>

#include "network_families.h"
#include "synthetic.h"

/* For qsort() of doubles. */
int by_value(const void *a, const void *b);

/* Solves into a new mask. NULL: it failed, which has been printed and counted. */
uint8_t *ladder_solve(const tilecut_graph *graph, const char *solver, size_t pixels, tilecut_report *report);

/* Whether `solver` gives this flow and this mask. If not, that has been printed and counted. */
bool ladder_agrees(const tilecut_graph *graph, const char *solver, size_t pixels, const uint8_t *expected,
                   int64_t flow, tilecut_report *report);

/* Makes `hybrid` change between the devices often: `count` graphs of each of several kinds with 4 and with 8
 * neighbours, and half as many volumes. Returns the number of wrong answers. */
int hybrid_to_and_fro(int count);

/* `count` random images and sessions on them, on the device from pixels to mask. Returns how many went wrong. */
int image_answers(int count);

/* `count` pictures with a box and no strokes, learnt and cut on the device. Returns the number of wrong answers. */
int box_answers(int count);

/* `count` random networks of any shape by all solvers of the device. Returns how many networks went wrong. */
int network_answers(int count);

/* Makes the network FAMILY:SIZE[xDEPTH[xDEGREE]]; NULL if there is none of that name and size. The caller clears
 * *list. */
const network_family *network_named(const char *what, arc_list *list, network_shape *shape);

/* Times on the networks named, FAMILY:SIZE[xDEPTH[xDEGREE]]; before them `all` (solvers), `best` (network-cuda and the
 * CPU's), `tune` (network-cuda, other schedules) `with=NAME,NAME`, or `with=whole` (the call of
 * the library, with nodes merged), and a number: seconds that a run may take. Returns how many answers
 * differed. */
int network_times(int count, char **what);

/* `count` random volumes and as many scans, and sessions on a tenth as many. Returns how many went wrong. */
/* `count` random bipartite graphs matched, assigned and searched on the device. Returns how many went wrong. */
int pair_answers(int count);

/* Times of these on the graphs named, FAMILY:SIZE[xDEPTH[xDEGREE]]: families of pairs are matched or assigned, others
 * searched. Before them `with=NAME,NAME`, `runs=N`, `threads=N`, or `tune` (cost scaling on the device, other
 * schedules). Returns how many answers differed. */
int pair_times(int count, char **what);

/* `count` random volumes, and sessions on a tenth as many scans. Returns how many went wrong. */
int volume_answers(int count);

/* Times of a scan of 8 bits in NAME.vox, or of 16 in NAME.i16, with seeds in NAME.lab, and whether the CPU gives the
 * same labels. */
bool volume_times(const char *name, int width, int height, int depth);

/* Random graphs, pictures, capacities of volumes and scans in several parts, on all devices: 2 * `count` of them.
 * Returns how many went wrong. */
int part_answers(int count);

/* Every device by its index, and rows in its memory. Returns how much was wrong. */
int device_indexes(void);

/* A device that breaks in the middle of a call: what is said then, and that the CPU goes on. The process has no device
 * afterwards. Returns how much was wrong. */
int device_lost(void);

/* Makes everything outside of the middle of a picture background. The objects of random pictures are discs in the
 * middle. */
void draw_box(uint8_t *seeds, int width, int height);

/* Times of `cuda` from an image to its mask, and of a session in which one seed in a hundred moves. False: it
 * failed. */
bool image_times(const instance *it, const tilecut_params *params, const char *name);

/* Shortest times from strokes, with iterations, and from a box; learnt on the device and on the host. False: it
 * failed. */
bool lesson_times(const instance *it, const char *name);

/* Times of `cuda`, of the CPU's solvers on one thread and of `hybrid`, with its decisions: all families, the photo's
 * with one (not NULL) alone; `smallest` a side, twice that and so on up to `largest`. Returns how many answers
 * differed. */
int hybrid_times(int smallest, int largest, int connectivity, const family_photo *photo);
