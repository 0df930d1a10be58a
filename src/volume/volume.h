/* SPDX-License-Identifier: MIT
 *
 * volume.h - from voxels to a graph. Grey values and colours become an image of 8 or 16 bits a sample, slices one below
 * the other; the graph of that image, whose rows belong to slices (graph.h), is cut like any other.
 */
#pragma once

#include "door.h"
#include "graph.h"
#include "params.h"
#include "solver.h"
#include "tilecut_volume.h"
#include "window_parts.h"

/* A graph from voxels, and the data that its energy reads. */
typedef struct tc_volume {
    tilecut_graph *graph; /* NULL: there is none                                                 */
    tilecut_image image;  /* the samples and labels of the window, of which the graph is made:     */
    const uint8_t *seeds; /* pointers to the memory below, or the caller's                         */
    void *grey;           /* the pixels of the graph's image; NULL: they are the caller's voxels */
    uint8_t *labels;      /* the graph's seeds; NULL: they are the caller's seeds                */
    tc_setup setup;       /* the setup with which the graph was made and must be cut             */
    double low, high;     /* the voxel values that become black and white                        */
    tc_stored room[2];    /* memory of samples and labels, if they lie in the file of a part     */
    tc_comm rows;         /* the communicator of the volume's parts, which counts rows of pixels */
    bool guessed;         /* true: the seeds are only a box, in which the object has to be guessed */
    /* if `guessed`: the distance that is assumed between strokes of the object and the background */
    double gap;
    bool less;            /* true: the graph covers only a window of the caller's volume */
    tc_block whole;       /* the caller's volume; for a volume in parts, this part's slices */
    tc_block window;      /* the window of the graph, within `whole`               */
    tc_window_parts parts; /* for a volume in parts: the parts that have slices of the window */
} tc_volume;

/* Returns EINVAL if a field of the volume is out of range. */
tilecut_status tc_volume_check_voxels(const tilecut_volume *volume);

/* Makes a complete copy of the caller's struct, in which `channels` is 1 or 3. Returns EINVAL if it is NULL or not a
 * valid volume. */
tilecut_status tc_volume_read(tilecut_volume *volume, const tilecut_volume *given);

/* Does the same as tc_enter(), for a volume, which is read into *v first. */
tilecut_status tc_enter_volume(tc_visit *v, const tilecut_volume *volume, const tilecut_params *params, uint8_t *mask,
                               bool needed, tilecut_report *report);

static inline size_t tc_volume_voxels(const tilecut_volume *volume)
{
    return (size_t)volume->width * (size_t)volume->height * (size_t)volume->depth;
}

/* Row (y, z) of voxels; and the number of bytes in a row. */
const void *tc_volume_row(const tilecut_volume *volume, int y, int z);
size_t tc_volume_row_bytes(const tilecut_volume *volume);

/* Finds the values that become black and white, over all parts; reads only own slices. Returns EINVAL for a voxel that
 * is not a finite number. */
tilecut_status tc_volume_range(const tilecut_volume *volume, tc_comm *comm, int threads, double *low, double *high);

/* Does the work of tilecut_volume_range() over all parts; NULL: the volume is undivided. */
tilecut_status tc_volume_usual_range(const tilecut_volume *volume, tc_comm *comm, double range[2]);

/* Sets low and high of the volume to the values that become black and white, unless all voxels are equal. This way all
 * views of the volume use the same values. */
tilecut_status tc_volume_fix_range(tilecut_volume *volume, tc_comm *comm, int threads);

/* Finds the least and the greatest value of own slices, so that each voxel is read by only one part. Returns EINVAL for
 * a voxel that is not a finite number. */
tilecut_status tc_volume_own_range(const tilecut_volume *volume, const tc_comm *comm, int threads, double range[2]);

/* The distances between neighbours along x, y and z, divided by the least of the three. */
void tc_volume_distances(const tilecut_volume *volume, double distance[3]);

/* Makes only the grey values or colours, as an image whose slices lie one below the other, and sets the fields of
 * `setup` that depend on the volume. Without `copy`, the image's pixels may be the caller's voxels. Close it like
 * tc_volume_open(). */
tilecut_status tc_volume_grey(tc_volume *out, const tilecut_volume *voxels, tc_setup *setup, bool copy,
                              tilecut_image *image);

/* Chooses the options that `setup` leaves open for a correction by these seeds: lambda is learnt from the seeds if they
 * have both classes. */
tilecut_status tc_volume_choose(tc_setup *setup, const tilecut_image *image, const uint8_t *seeds);

/* ---- What a box needs -------------------------------------------------------------------------- */

/* Does the work of tilecut_volume_window() over all parts. *less is true if the window is smaller than the whole
 * volume. */
tilecut_status tc_volume_window(const tilecut_volume *volume, const uint8_t *seeds, tc_comm *comm, tc_block *window,
                                bool *less);

/* Grows a box in a volume of `depth` slices on every side: by `share` times the cube root of the box's volume, but at
 * least by `least`, both in units of the smallest spacing. */
void tc_volume_grow(const tilecut_volume *volume, int depth, double share, int least, tc_block *box);

/* Makes *rows the communicator `slices`, counted in rows of pixels instead of slices. Returns `rows`, or NULL if
 * `slices` is NULL. */
tc_comm *tc_volume_in_rows(tc_comm *rows, const tc_comm *slices, int height);

/* Returns a view of a block of a volume, which uses the same voxels. low and high are copied, so they must be set
 * before. */
tilecut_volume tc_volume_view(const tilecut_volume *volume, const tc_block *block);

/* True if there is a prior mask to refine. */
static inline bool tc_volume_refines(const tc_setup *setup) { return setup->prior && !setup->soft_seeds; }

/* Refines the mask in setup->prior, which has the rows of the volume; strokes then correct it, as in tc_segment(). */
tilecut_status tc_volume_refine(const tilecut_volume *volume, const uint8_t *seeds, const tc_setup *setup,
                                uint8_t *mask, tilecut_report *report);

/* Does the work of tilecut_volume_correct() on a checked volume. If low and high are not set, sets them in it. */
tilecut_status tc_volume_correct(tilecut_volume *voxels, const uint8_t *seeds, const tilecut_params *params, int how,
                                 uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report);

/* Extends a correction. If a stroke lies deep in the wrong label, but has changed hardly more than its own voxels, it
 * also gets the voxels that are connected to it in a cut from the seeds alone (volume_far.c). `before` is the mask that
 * was corrected; `after` is the corrected mask, 0 or 255, which this function changes. Adds its times to *report. Does
 * nothing if a class has no seeds. */
tilecut_status tc_volume_take_far(const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup,
                                  const uint8_t *before, uint8_t *after, tilecut_report *report);

/* Makes the graph from which the confidence in a corrected mask is computed. Colours are learnt from that mask, which
 * is setup->prior, in the window of its next correction. Close it with tc_volume_close(), after a failure, too. */
tilecut_status tc_volume_open_corrected(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                                        const tc_setup *setup);

/* ---- Graphs ------------------------------------------------------------------------------------ */

/* Makes the graph of voxels and seeds, with a setup from tc_setup_resolve_volume(). If setup->learns_there says that a
 * device can learn, there is no graph: tc_volume_cut() then does it, with the same answer. With setup->comm, this is
 * one of several parts, counted in slices: the model is learnt from all parts, and if the part has a store, grey
 * values and labels lie in it. Voxels and seeds may be read until it is closed. Close it after a failure, too; `out`
 * must stay where it is until then. */
tilecut_status tc_volume_open(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                              const tc_setup *setup);

/* Does the same as tc_volume_open(), but only for the window that the seeds need (tc_volume_window()). A part without
 * slices of the window has no graph, and stands by while the other parts learn and cut: all parts call tc_volume_cut()
 * next. Returns EINVAL if there is a prior mask, which such a graph does not use. */
tilecut_status tc_volume_open_window(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                                     const tc_setup *setup);

/* Cuts the graph with the setup with which it was made: alternates between learning and cutting, and drops islands.
 * `kept` holds the flow to start from, as in tc_solve(), and gets the new flow; NULL: there is none. `mask` has the
 * size of the caller's volume; outside of a window it is background. */
struct tc_kept_flow;
tilecut_status tc_volume_cut(tc_volume *volume, struct tc_kept_flow *kept, uint8_t *mask, tilecut_report *report);

enum { TC_CLICK_ACROSS = 7 }; /* the most voxels of a click along each axis */

/* True if the setup allows a search around a click: colours are learnt, and more than once. */
bool tc_volume_may_click(const tc_setup *setup);

/* Improves the mask around a click. Call it after tc_volume_cut(), with the same voxels, seeds and setup. If the
 * foreground's strokes are one click (a voxel or a small ball), looks for a better mask around it in a copy of few
 * cells; if there is one, it becomes the first guess, and the volume is cut again. As in photos, does nothing with an
 * effort of 1 or without iterations. Also does nothing if there is a box that leaves out more than the faces of the
 * volume. All parts call it. */
tilecut_status tc_volume_click(tc_volume *made, const tilecut_volume *voxels, const uint8_t *seeds,
                               const tc_setup *setup, struct tc_kept_flow *kept, uint8_t *mask, tilecut_report *report);

/* Improves the mask by what its strokes tell. Call it after tc_volume_cut(), with the same voxels, seeds and setup.
 * With a box, also cuts that box without its strokes, and restores this mask in `mask` wherever a changed region
 * contains no stroke of its new label (nested.h); then the graph is closed. Without a box it is tc_volume_click(). All
 * parts call it. */
tilecut_status tc_volume_follow_strokes(tc_volume *made, const tilecut_volume *voxels, const uint8_t *seeds,
                                        const tc_setup *setup, struct tc_kept_flow *kept, uint8_t *mask,
                                        tilecut_report *report);

/* Makes the graph whose cut is the answer of tilecut_volume_segment(), for one part. What is learnt from a mask, with
 * iterations, in a box without strokes or around a click, is learnt by cutting. Close it after a failure, too. */
tilecut_status tc_volume_learn(tc_volume *made, const tilecut_volume *voxels, const uint8_t *seeds,
                               const tc_setup *setup);
void tc_volume_close(tc_volume *volume);

/* Releases the memory of grey values and labels until they are read again, if they lie in a file. */
void tc_volume_release_pages(const tc_volume *volume);

/* Writes the capacities of a graph with 6 neighbours to `memory`, [5][voxels]: source, sink, and links along x, y and
 * z; 0 where there is no link. Links have the same capacity both ways. */
tilecut_status tc_volume_write(const tilecut_graph *graph, int threads, int32_t *memory);
