/* SPDX-License-Identifier: MIT
 *
 * volume.h - from voxels to a graph. Grey values become an image of 8 or 16 bits, slices one below the other; the graph
 * of that image, whose rows belong to slices (graph.h), is cut like any other.
 */
#ifndef TC_VOLUME_H
#define TC_VOLUME_H

#include "graph.h"
#include "params.h"
#include "solver.h"
#include "tilecut_volume.h"
#include "window_parts.h"

/* A graph from voxels, and what its energy reads. */
typedef struct tc_volume {
    tilecut_graph *graph; /* NULL: there is none                                              */
    void *grey;           /* of its image                                                     */
    uint8_t *labels;      /* seeds; TILECUT_OUTSIDE: background that teaches no colours       */
    tc_setup setup;       /* that it was made with, and has to be cut with                    */
    double low, high;     /* the values that are black and white                              */
    tc_stored room[2];    /* of both, if they lie in the file of a part                       */
    tc_comm rows;         /* the parts of which the volume is one, counted in rows of pixels  */
    bool guessed;         /* there is a box alone, in which the object is guessed             */
    double gap;           /* then what lies between strokes of the object and the background  */
    bool less;            /* it is only a window of what the caller gave                      */
    tc_block whole;       /* what the caller gave; of a part its slices                       */
    tc_block window;      /* where it lies in there                                           */
    tc_window_parts parts; /* that have slices of a window; of a volume in parts              */
} tc_volume;

/* EINVAL for a volume that cannot be. */
tilecut_status tc_volume_check_voxels(const tilecut_volume *volume);

/* Makes a complete copy of the caller's struct. EINVAL if there is none, or for a volume that cannot be. */
tilecut_status tc_volume_read(tilecut_volume *volume, const tilecut_volume *given);

/* Row (y, z) of voxels, and how many bytes it has. */
const void *tc_volume_row(const tilecut_volume *volume, int y, int z);
size_t tc_volume_row_bytes(const tilecut_volume *volume);

/* The values that become black and white, of all parts; only own slices are looked at. EINVAL for a voxel that is not a
 * finite number. */
tilecut_status tc_volume_range(const tilecut_volume *volume, tc_comm *comm, int threads, double *low, double *high);

/* Names them in the volume, unless all voxels are equal: so they hold for views of it, too. */
tilecut_status tc_volume_fix_range(tilecut_volume *volume, tc_comm *comm, int threads);

/* The least and the greatest value of own slices, so that each voxel is looked at by one part. EINVAL likewise. */
tilecut_status tc_volume_own_range(const tilecut_volume *volume, const tc_comm *comm, int threads, double range[2]);

/* The spacings over the least of them. */
void tc_volume_distances(const tilecut_volume *volume, double distance[3]);

/* Only the grey values, as an image whose slices lie one below the other, and what of `setup` belongs to a volume.
 * Close it like tc_volume_open(). */
tilecut_status tc_volume_grey(tc_volume *out, const tilecut_volume *voxels, tc_setup *setup, tilecut_image *image);

/* What is open in `setup` for a correction along these seeds: lambda, where both classes are there to tell it. */
tilecut_status tc_volume_choose(tc_setup *setup, const tilecut_image *image, const uint8_t *seeds);

/* ---- What a box needs -------------------------------------------------------------------------- */

/* tilecut_volume_window(), of all parts. *less: whether it is less than the whole. */
tilecut_status tc_volume_window(const tilecut_volume *volume, const uint8_t *seeds, tc_comm *comm, tc_block *window,
                                bool *less);

/* Makes `box` the box around both; either may be empty. */
void tc_volume_join(tc_block *box, const tc_block *other);

/* Grows a box in a volume of `depth` slices on every side by that share of the cube root of its volume, at least by
 * `least`, in units of the least spacing. */
void tc_volume_grow(const tilecut_volume *volume, int depth, double share, int least, tc_block *box);

/* A block of a volume: the same voxels. low and high stay, so of a view they must have been set. */
tilecut_volume tc_volume_view(const tilecut_volume *volume, const tc_block *block);

/* Refines the mask in setup->prior, which has the rows of the volume; strokes then correct it, as in tc_segment(). */
tilecut_status tc_volume_refine(const tilecut_volume *volume, const uint8_t *seeds, const tc_setup *setup,
                                uint8_t *mask, tilecut_report *report);

/* tilecut_volume_correct() of voxels that were read. Their black and white are named in them, if they are open. */
tilecut_status tc_volume_correct(tilecut_volume *voxels, const uint8_t *seeds, const tilecut_params *params, int how,
                                 uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report);

/* ---- Graphs ------------------------------------------------------------------------------------ */

/* Makes the graph of voxels and seeds, with a setup of tc_setup_resolve_volume(). setup->comm: the parts of which this
 * is one, counted in slices; the graph is learnt from all parts, and if the part has a store, grey values and labels
 * lie in it. Close it after a failure, too; `out` must stay where it is until then. */
tilecut_status tc_volume_open(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                              const tc_setup *setup);

/* The same of the window that the seeds need (tc_volume_window()). A part without slices of that has no graph, and
 * stands by while the others learn and cut: all parts call tc_volume_cut() next. */
tilecut_status tc_volume_open_window(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                                     const tc_setup *setup);

/* Cuts it with the setup that it was made with: learns in turns, and drops islands. `kept`: the flow to begin with, as
 * in tc_solve(), and where the flow is left; NULL: none. `mask`: of what the caller gave; outside of a window it is
 * background. */
struct tc_kept;
tilecut_status tc_volume_cut(tc_volume *volume, struct tc_kept *kept, uint8_t *mask, tilecut_report *report);
void tc_volume_close(tc_volume *volume);

/* Lets grey values and labels rest, if they lie in a file. */
void tc_volume_rest(const tc_volume *volume);

/* Writes the capacities of a graph of 6 neighbours to `memory`, [5][voxels]: source, sink, links along x, y and z; 0
 * where there is no link. They are the same both ways. */
tilecut_status tc_volume_write(const tilecut_graph *graph, int threads, int32_t *memory);

#endif
