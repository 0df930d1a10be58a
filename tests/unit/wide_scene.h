/* SPDX-License-Identifier: MIT
 *
 * wide_scene.h - random volumes with 26 neighbours, given as capacities, and their cut in one part and in several.
 */
#pragma once

#include "part_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WIDE_SCENE_LINKS = 13 };

typedef struct wide_scene {
    int width, height, depth;
    /* capacities of each voxel; a link has the same capacity in both directions */
    int32_t *source, *sink, *link[WIDE_SCENE_LINKS];
    int32_t *memory;
} wide_scene;

/* Draws a volume. Sources and sinks may lie in some slices only, so that flow has to cross many parts. */
void wide_scene_draw(wide_scene *scene, uint64_t seed, int width, int height, int depth);
void wide_scene_free(wide_scene *scene);
size_t wide_scene_voxels(const wide_scene *scene);

/* Returns the voxel at the other end of link k of voxel i, or -1 if there is none. */
int64_t wide_scene_end(const wide_scene *scene, size_t i, int k);

/* Tries all labellings of at most 16 voxels. Returns the least cost. The bits of *foreground give the cheapest
 * labelling; among equal ones, that with the most foreground. */
int64_t wide_scene_try_all(const wide_scene *scene, unsigned *foreground);

/* Returns the maximum flow by a network solver. side[i] is not 0 for foreground; the array has room for two more nodes
 * than voxels. */
int64_t wide_scene_by_network(const wide_scene *scene, uint8_t *side);

#ifndef __cplusplus
struct tilecut_graph wide_scene_graph(const wide_scene *scene); /* the graph uses the arrays of the scene */
#endif

/* wide_scene_cut() checks the capacities and cuts. wide_scene_cut_in_parts() cuts all parts, each in a thread. */
tilecut_status wide_scene_cut(const wide_scene *scene, int threads, uint8_t *mask, tilecut_report *report);
void wide_scene_cut_in_parts(const wide_scene *scene, int parts, piece pieces[MOST_PIECES], uint8_t *mask);

#ifdef __cplusplus
}
#endif
