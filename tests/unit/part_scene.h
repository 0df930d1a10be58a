/* SPDX-License-Identifier: MIT
 *
 * part_scene.h - one image or volume, given as pixels or as capacities, cut in one part and in several; the answers
 * have to be equal. Also random ones. For a volume, a row is a slice.
 */
#pragma once

#include "part_pieces.h"
#include "random_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes one part wrong before it is cut. seeds, source: those of its own rows, or NULL. */
typedef void part_spoiler(int part, tilecut_params *params, uint8_t *seeds, int32_t *source);

/* What is cut. Exactly one of the first four fields is set. */
typedef struct part_scene {
    const tilecut_arrays *arrays;
    const tilecut_image *image;
    const tilecut_volume_arrays *slices;
    const tilecut_volume *voxels;
    const uint8_t *seeds; /* of image or voxels */
    tilecut_params params;
    int devices;  /* in parts: on so many devices, by `cuda`; 0: as params say */
    bool by_host; /* rows do not go from device to device                      */
    part_spoiler *spoil;
} part_scene;

int part_scene_rows(const part_scene *s);
size_t part_scene_pixels(const part_scene *s); /* of all rows */

/* Cuts in one part by `solver`; NULL: the library chooses. */
tilecut_status part_scene_solve(const part_scene *s, const char *solver, uint8_t *mask, tilecut_report *report);

/* Cuts in `parts` parts; for mask and pieces see pieces_cut(). */
void part_scene_cut(const part_scene *s, int parts, uint8_t *mask, piece pieces[MOST_PIECES]);

/* The same; returns what differs from the answer of one part, or NULL. */
const char *part_scene_try(const part_scene *s, int parts, const uint8_t *expected, const tilecut_report *one,
                           piece pieces[MOST_PIECES]);

/* ---- Random ones -------------------------------------------------------------------------------- */

enum { PART_GRAPH, PART_PICTURE, PART_CAPACITIES, PART_SCAN, PART_KINDS };

typedef struct drawn_scene {
    part_scene scene; /* it is in the rest */
    random_graph graph;
    tilecut_image image;
    tilecut_volume_arrays slices;
    tilecut_volume voxels;
    uint8_t *seeds;
    void *memory;
} drawn_scene;

/* `large`: some hundred pixels a side, else some tens. Release it with drawn_scene_free(). */
void drawn_scene_init(drawn_scene *d, int kind, uint64_t seed, bool large);
void drawn_scene_free(drawn_scene *d);

#ifdef __cplusplus
}
#endif
