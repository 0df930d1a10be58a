/* SPDX-License-Identifier: MIT
 *
 * label_scene.h - a random image or volume with seeds of several labels, labelled as a whole and in parts; and random
 * costs and links.
 */
#pragma once

#include <stdbool.h>

#include "part_pieces.h"
#include "tilecut_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A random image or, if `spatial`, a random volume. */
typedef struct label_scene {
    tilecut_image image;
    tilecut_volume volume;
    bool spatial;
    size_t row, rows; /* sizes in bytes of a row (of a volume: a slice) of labels and of pixels */
    uint8_t *pixels, *seeds;
    int labels;
    tilecut_params params;
    tilecut_labels_params how;
    int odd; /* number of the part that asks for another bound, or -1 */
    bool keeps_store;
    int devices; /* number of devices that cut the parts; 0: the CPU cuts them */
    tilecut_labels_report found[MOST_PIECES]; /* the report of each part */
} label_scene;

/* Draws one cell around each of some random points, with noise. Some cells have a small seed in the middle, and cells
 * of one label have the same colour. */
void label_scene_draw(label_scene *s, uint64_t seed, bool spatial);
void label_scene_free(label_scene *s);

/* Labels the rows of piece p, where p->of is the scene. */
void label_scene_piece(piece *p);

tilecut_status label_scene_whole(const label_scene *s, uint8_t *labels, tilecut_labels_report *report);

/* Labels the scene in parts. Returns the difference from `expected` and `one`, the labels and report of one part, as
 * text in `why`; NULL if there is none. */
const char *label_scene_try(label_scene *s, int parts, const uint8_t *expected, const tilecut_labels_report *one,
                            char why[400]);

/* Compares two reports. Returns the name of the first number that differs, or NULL. */
const char *label_scene_differs(const tilecut_labels_report *part, const tilecut_labels_report *one);

/* Draws costs and links of noise, with hardly a pixel whose label is certain, so that nearly all pixels are one group.
 * The arrays are in the memory that is returned, which the caller frees. With depth 1, `connectivity` is 4 or 8. */
int32_t *label_noise_draw(tilecut_labels_arrays *arrays, const int size[3], int connectivity, int labels,
                          uint64_t seed);

#ifdef __cplusplus
}
#endif
