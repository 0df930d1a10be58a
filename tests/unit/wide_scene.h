/* SPDX-License-Identifier: MIT
 *
 * wide_scene.h - random volumes with 26 neighbours, in capacities, and their cut in one part and in several.
 */
#pragma once

#include "part_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WIDE_SCENE_LINKS = 13 };

typedef struct wide_scene {
    int width, height, depth;
    int32_t *source, *sink, *link[WIDE_SCENE_LINKS]; /* of each voxel; a link has its capacity both ways */
    int32_t *memory;
} wide_scene;

/* Sources and sinks may lie in some slices only, so that flow has to cross many parts. */
void wide_scene_draw(wide_scene *scene, uint64_t seed, int width, int height, int depth);
void wide_scene_free(wide_scene *scene);
size_t wide_scene_voxels(const wide_scene *scene);

/* The other end of link k of voxel i; -1: there is none. */
int64_t wide_scene_end(const wide_scene *scene, size_t i, int k);

/* The cheapest labelling of at most 16 voxels by trying all, as bits of foreground; among equal ones the one with the
 * most foreground. Returns its cost. */
int64_t wide_scene_try_all(const wide_scene *scene, unsigned *foreground);

/* The maximum flow by the solvers of networks. side: not 0 for foreground, with room for two more than voxels. */
int64_t wide_scene_by_network(const wide_scene *scene, uint8_t *side);

#ifndef __cplusplus
struct tilecut_graph wide_scene_graph(const wide_scene *scene); /* its arrays are the scene's */
#endif

/* Checks the capacities and cuts. In parts: all of them, by threads. */
tilecut_status wide_scene_cut(const wide_scene *scene, int threads, uint8_t *mask, tilecut_report *report);
void wide_scene_cut_in_parts(const wide_scene *scene, int parts, piece pieces[MOST_PIECES], uint8_t *mask);

#ifdef __cplusplus
}
#endif
