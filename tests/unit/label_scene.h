/* SPDX-License-Identifier: MIT
 *
 * label_scene.h - a random image or volume with seeds of several labels, labelled whole and in parts.
 */
#pragma once

#include <stdbool.h>

#include "part_pieces.h"
#include "tilecut_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An image, or with depth a volume. */
typedef struct label_scene {
    tilecut_image image;
    tilecut_volume volume;
    bool spatial;
    size_t row, rows; /* bytes of a row of pixels, or of a slice */
    uint8_t *pixels, *seeds;
    int labels;
    tilecut_params params;
    tilecut_labels_params how;
    int odd; /* the part that asks for another bound; -1: none */
    bool keeps_store;
    int devices; /* parts are cut on that many devices; 0: on the CPU */
    tilecut_labels_report found[MOST_PIECES]; /* of each part */
} label_scene;

/* Cells around some points, with noise: some have a small seed in the middle, and those of one label are alike. */
void label_scene_draw(label_scene *s, uint64_t seed, bool spatial);
void label_scene_free(label_scene *s);

/* Labels the rows of one piece, of which `of` is the scene. */
void label_scene_piece(piece *p);

tilecut_status label_scene_whole(const label_scene *s, uint8_t *labels, tilecut_labels_report *report);

/* Labels the scene in parts. Returns, in `why`, what differs from labels and report of one part; NULL: nothing. */
const char *label_scene_try(label_scene *s, int parts, const uint8_t *expected, const tilecut_labels_report *one,
                            char why[400]);

#ifdef __cplusplus
}
#endif
