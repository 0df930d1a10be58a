/* SPDX-License-Identifier: MIT
 *
 * part_scene.h - one image or volume, given as pixels or as capacities, is cut in one part and in several, and the
 * answers must be equal. Also draws random scenes. For a volume, a row is a slice.
 */
#pragma once

#include "part_pieces.h"
#include "random_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the input of one part wrong before it is cut. `seeds` and `source` hold the part's own rows, or are NULL. */
typedef void part_spoiler(int part, tilecut_params *params, uint8_t *seeds, int32_t *source);

/* The input of a cut. Exactly one of the first four fields is set. */
typedef struct part_scene {
    const tilecut_arrays *arrays;
    const tilecut_image *image;
    const tilecut_volume_arrays *slices;
    const tilecut_volume *voxels;
    const uint8_t *seeds; /* for `image` or `voxels` */
    tilecut_params params;
    int devices;  /* number of devices that cut the parts with `cuda`; 0: `params` decides */
    bool by_host; /* true if rows go through the host, not from device to device */
    part_spoiler *spoil;
} part_scene;

int part_scene_rows(const part_scene *s);
size_t part_scene_pixels(const part_scene *s); /* pixels in all rows */

/* Cuts the scene in one part with `solver`, or with the library's choice if NULL. */
tilecut_status part_scene_solve(const part_scene *s, const char *solver, uint8_t *mask, tilecut_report *report);

/* Cuts the scene in `parts` parts. pieces_cut() explains `mask` and `pieces`. */
void part_scene_cut(const part_scene *s, int parts, uint8_t *mask, piece pieces[MOST_PIECES]);

/* Cuts the scene in `parts` parts. Returns how the answer differs from that of one part, or NULL. */
const char *part_scene_try(const part_scene *s, int parts, const uint8_t *expected, const tilecut_report *one,
                           piece pieces[MOST_PIECES]);

/* ---- Random ones -------------------------------------------------------------------------------- */

enum { PART_GRAPH, PART_PICTURE, PART_CAPACITIES, PART_SCAN, PART_KINDS };

typedef struct drawn_scene {
    part_scene scene; /* the scene, whose pointers lead into the other fields */
    random_graph graph;
    tilecut_image image;
    tilecut_volume_arrays slices;
    tilecut_volume voxels;
    uint8_t *seeds;
    void *memory;
} drawn_scene;

/* Draws a random scene with sides of some hundred pixels if `large`, else of some tens. Free it with
 * drawn_scene_free(). */
void drawn_scene_init(drawn_scene *d, int kind, uint64_t seed, bool large);
void drawn_scene_free(drawn_scene *d);

#ifdef __cplusplus
}
#endif
