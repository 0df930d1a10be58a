/* SPDX-License-Identifier: MIT
 *
 * ladder.h - parts of the program `ladder` (ladder.c).
 */
#pragma once

#include <stdbool.h>

#include "network_families.h"
#include "synthetic.h"

/* Comparison function of doubles for qsort(). */
int by_value(const void *a, const void *b);

/* Solves into a new mask. Returns NULL on failure, after printing and counting it. */
uint8_t *ladder_solve(const tilecut_graph *graph, const char *solver, size_t pixels, tilecut_report *report);

/* True if `solver` gives this flow and this mask. Otherwise prints and counts the difference. */
bool ladder_agrees(const tilecut_graph *graph, const char *solver, size_t pixels, const uint8_t *expected,
                   int64_t flow, tilecut_report *report);

/* Makes `hybrid` change between the devices often: `count` graphs of each of several kinds with 4 and with 8
 * neighbours, and half as many volumes. Returns the number of wrong answers. */
int hybrid_to_and_fro(int count);

/* Cuts `count` random images on the device from pixels to mask, and runs sessions on them. Returns how many were
 * wrong. */
int image_answers(int count);

/* Learns and cuts `count` pictures with a box and no strokes on the device. Returns the number of wrong answers. */
int box_answers(int count);

/* Solves `count` random networks of any shape by all solvers of the device. Returns how many networks were wrong. */
int network_answers(int count);

/* Makes the network FAMILY:SIZE[xDEPTH[xDEGREE]]. Returns NULL if there is none of that name and size. The caller
 * clears *list. */
const network_family *network_named(const char *what, arc_list *list, network_shape *shape);

/* Times solvers on the named networks, FAMILY:SIZE[xDEPTH[xDEGREE]]. The arguments before them select `all` (solvers),
 * `best` (network-cuda and the CPU's), `tune` (network-cuda, other schedules), `with=NAME,NAME`, or `with=whole` (the
 * call of the library, with nodes merged). A number is the limit of a run in seconds. Returns how many answers
 * differed. */
int network_times(int count, char **what);

/* Matches, assigns and searches `count` random bipartite graphs on the device. Returns how many were wrong. */
int pair_answers(int count);

/* Times these on the named graphs, FAMILY:SIZE[xDEPTH[xDEGREE]]: families of pairs are matched or assigned, others
 * searched. Arguments before them: `with=NAME,NAME`, `runs=N`, `threads=N`, or `tune` (cost scaling on the device,
 * other schedules). Returns how many answers differed. */
int pair_times(int count, char **what);

/* Cuts `count` random volumes and as many scans, and runs sessions on a tenth as many. Returns how many were wrong. */
int volume_answers(int count);

/* Times a scan of 8 bits in NAME.vox or of 16 bits in NAME.i16, with seeds in NAME.lab. Returns true if the CPU gives
 * the same labels. */
bool volume_times(const char *name, int width, int height, int depth);

/* Cuts random graphs, pictures, capacities of volumes and scans in several parts on all devices: 2 * `count` of them.
 * Returns how many were wrong. */
int part_answers(int count);

/* Labels `count` random images and volumes, and a tenth as many energies of noise. Returns how many answers were
 * wrong. */
int label_answers(int count);

/* Uses every device by its index, with rows in its memory. Returns the number of errors. */
int device_indexes(void);

/* Makes a device fail in the middle of a call, and checks the error message and that the CPU continues. The process has
 * no device afterwards. Returns the number of errors. */
int device_lost(void);

/* Makes everything outside of the middle of a picture background. Random pictures have their object, a disc, in the
 * middle. */
void draw_box(uint8_t *seeds, int width, int height);

/* Times `cuda` from an image to its mask, and a session in which one seed in a hundred moves. Returns false on
 * failure. */
bool image_times(const instance *it, const tilecut_params *params, const char *name);

/* Prints the shortest times from strokes, with iterations, and from a box, learnt on the device and on the host.
 * Returns false on failure. */
bool lesson_times(const instance *it, const char *name);

/* Times `cuda`, the CPU's solvers on one thread and `hybrid`, with its decisions. Runs all families or, if `photo` is
 * not NULL, only the photo's, with sides `smallest`, twice that and so on up to `largest`. Returns how many answers
 * differed. */
int hybrid_times(int smallest, int largest, int connectivity, const family_photo *photo);
