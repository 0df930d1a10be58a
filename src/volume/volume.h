/* SPDX-License-Identifier: MIT
 *
 * volume.h - from voxels to a graph. Grey values become an image of 8 or 16 bits, slices one below the other; the graph
 * of that image, whose rows belong to slices (graph.h), is cut like any other.
 */
#pragma once

#include "graph.h"
#include "params.h"
#include "solver.h"
#include "tilecut_volume.h"
#include "window_parts.h"

/* A graph from voxels, and what its energy reads. */
typedef struct tc_volume {
    tilecut_graph *graph; /* NULL: there is none                                                 */
    void *grey;           /* grey values: the pixels of the graph's image                        */
    uint8_t *labels;      /* seeds; TILECUT_OUTSIDE: background that teaches no colours          */
    tc_setup setup;       /* the setup with which the graph was made and has to be cut           */
    double low, high;     /* the values that are black and white                                 */
    tc_stored room[2];    /* memory of grey values and labels, if they lie in the file of a part */
    tc_comm rows;         /* the parts of which the volume is one, counted in rows of pixels     */
    bool guessed;         /* the seeds are only a box, in which the object is guessed            */
    /* if `guessed`: the distance that is assumed between strokes of the object and the background */
    double gap;
    bool less;            /* the graph covers only a window of the caller's volume */
    tc_block whole;       /* the caller's volume; in parts, this part's slices     */
    tc_block window;      /* where the graph's voxels lie in `whole`               */
    tc_window_parts parts; /* for a volume in parts: the parts that have slices of the window */
} tc_volume;

/* EINVAL if a field of the volume has an impossible value. */
tilecut_status tc_volume_check_voxels(const tilecut_volume *volume);

/* Makes a complete copy of the caller's struct. EINVAL if there is none, or for a volume that cannot be. */
tilecut_status tc_volume_read(tilecut_volume *volume, const tilecut_volume *given);

/* Row (y, z) of voxels, and how many bytes it has. */
const void *tc_volume_row(const tilecut_volume *volume, int y, int z);
size_t tc_volume_row_bytes(const tilecut_volume *volume);

/* The values that become black and white, over all parts; only own slices are looked at. EINVAL for a voxel that is not
 * a finite number. */
tilecut_status tc_volume_range(const tilecut_volume *volume, tc_comm *comm, int threads, double *low, double *high);

/* Sets low and high of the volume to the values that become black and white, unless all voxels are equal. So views of
 * the volume use the same values. */
tilecut_status tc_volume_fix_range(tilecut_volume *volume, tc_comm *comm, int threads);

/* The least and the greatest value of own slices, so that each voxel is looked at by one part only. EINVAL for a voxel
 * that is not a finite number. */
tilecut_status tc_volume_own_range(const tilecut_volume *volume, const tc_comm *comm, int threads, double range[2]);

/* The distances between neighbours along x, y and z, divided by the least of the three. */
void tc_volume_distances(const tilecut_volume *volume, double distance[3]);

/* Makes only the grey values, as an image whose slices lie one below the other, and sets in `setup` what depends on the
 * volume. Close it like tc_volume_open(). */
tilecut_status tc_volume_grey(tc_volume *out, const tilecut_volume *voxels, tc_setup *setup, tilecut_image *image);

/* Chooses what `setup` leaves open for a correction along these seeds: lambda is learnt from the seeds if they have
 * both classes. */
tilecut_status tc_volume_choose(tc_setup *setup, const tilecut_image *image, const uint8_t *seeds);

/* ---- What a box needs -------------------------------------------------------------------------- */

/* Does tilecut_volume_window() over all parts. *less: whether the window is less than the whole. */
tilecut_status tc_volume_window(const tilecut_volume *volume, const uint8_t *seeds, tc_comm *comm, tc_block *window,
                                bool *less);

/* Makes `box` the box around both boxes; either may be empty. */
void tc_volume_join(tc_block *box, const tc_block *other);

/* Grows a box in a volume of `depth` slices on every side, by `share` times the cube root of its volume but at least by
 * `least`, both in units of the least spacing. */
void tc_volume_grow(const tilecut_volume *volume, int depth, double share, int least, tc_block *box);

/* A view of a block of a volume, with the same voxels. low and high are copied, so they must be set before. */
tilecut_volume tc_volume_view(const tilecut_volume *volume, const tc_block *block);

/* Refines the mask in setup->prior, which has the rows of the volume; strokes then correct it, as in tc_segment(). */
tilecut_status tc_volume_refine(const tilecut_volume *volume, const uint8_t *seeds, const tc_setup *setup,
                                uint8_t *mask, tilecut_report *report);

/* Does tilecut_volume_correct() on a checked volume. If low and high are not set, sets them in it. */
tilecut_status tc_volume_correct(tilecut_volume *voxels, const uint8_t *seeds, const tilecut_params *params, int how,
                                 uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report);

/* ---- Graphs ------------------------------------------------------------------------------------ */

/* Makes the graph of voxels and seeds, with a setup of tc_setup_resolve_volume(). setup->comm: the parts of which this
 * is one, counted in slices; the graph is learnt from all parts, and if the part has a store, grey values and labels
 * lie in it. Close it after a failure, too; `out` must stay where it is until then. */
tilecut_status tc_volume_open(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                              const tc_setup *setup);

/* Like tc_volume_open(), but only for the window that the seeds need (tc_volume_window()). A part without slices of the
 * window has no graph, and stands by while the other parts learn and cut: all parts call tc_volume_cut() next. */
tilecut_status tc_volume_open_window(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                                     const tc_setup *setup);

/* Cuts the graph with the setup that it was made with: learns and cuts in turns, and drops islands. `kept`: the flow to
 * begin with, as in tc_solve(), and where the flow is left; NULL: none. `mask` has the size of the caller's volume;
 * outside of a window it is background. */
struct tc_kept;
tilecut_status tc_volume_cut(tc_volume *volume, struct tc_kept *kept, uint8_t *mask, tilecut_report *report);
void tc_volume_close(tc_volume *volume);

/* Frees the memory of grey values and labels for now, if they lie in a file. */
void tc_volume_rest(const tc_volume *volume);

/* Writes the capacities of a graph with 6 neighbours to `memory`, [5][voxels]: source, sink, links along x, y and z; 0
 * where there is no link. Links have the same capacity both ways. */
tilecut_status tc_volume_write(const tilecut_graph *graph, int threads, int32_t *memory);
