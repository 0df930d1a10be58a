/* SPDX-License-Identifier: MIT
 *
 * scan_desk.h - a scan that is being edited, as edit.h is a photo that is being edited. The sketch, a small copy of
 * the scan, is cut during each stroke; the scan itself is cut between strokes. Both use sessions of the library
 * (tilecut_volume.h), so that each cut starts from the flow of the one before. This file has no HTTP and no locks: the
 * caller runs one function at a time, except that scan_desk_cut() may run beside the other functions.
 */
#pragma once

#include "desk_legend.h"
#include "edit.h"
#include "mask_keep.h"
#include "scan_job.h"

enum { SCAN_KEPT = 64 };

typedef struct scan_kept {
    int number;
    mask_kept mask;
} scan_kept;

typedef struct scan_desk {
    const scan_job *job;  /* the scan and its first labels; not owned                  */
    const char *const *given; /* options that say how it is read: name, value, name, ..., NULL; not owned      */
    /* the scan and the sketch as the library takes them; the voxels of `small` are owned */
    tilecut_volume whole, small;
    int factor[3];        /* voxels that one cell of the sketch stands for, along each axis */
    tilecut_volume_session *session, *sketch;
    uint8_t *labels;      /* painted labels; not owned. Those that were TILECUT_OUTSIDE at the start stay so     */
    uint8_t *small_labels, *small_mask;
    uint8_t *anchor;      /* the sketch at the time of the last cut of the scan        */
    scan_kept kept[SCAN_KEPT]; /* masks that strokes have corrected; a new one replaces the oldest */
    int kept_count;       /* how many were ever kept; it is also the number of the newest one              */
    int prior_number;     /* number of the mask that strokes correct now; 0: none */
    int kept_mask;        /* number under which the last mask of the scan is kept; 0: it is not kept       */
    uint8_t *prior, *small_prior; /* the mask that strokes correct, for scan and sketch, a byte each; or NULL   */
    bool framed;          /* only the object is painted, so the faces of the scan become background  */
    bool cut, sketched;   /* the scan has a mask; a sketch is newer than this mask     */
    double low, step;     /* sample s of a plane means the value low + step * s        */
    desk_legend legend;   /* if there are several labels, masks and priors have codes  */
} scan_desk;

enum { SCAN_DESK_BYTES = 14 }; /* memory per voxel, besides the scan and a cut */

/* Takes a job whose scan and seeds were read. EXIT_RESOURCES: no memory; scan_desk_free() in any case. */
int scan_desk_begin(scan_desk *d, scan_job *read, failure *why);
void scan_desk_free(scan_desk *d);

size_t scan_desk_voxels(const scan_desk *d);
size_t scan_desk_cells(const scan_desk *d); /* of the sketch */

/* Sets the labels of a box {x, y, z, width, height, depth}: packed, `count` bytes. EXIT_USAGE if it does not lie in the
 * scan, or a byte is no label. */
int scan_desk_patch(scan_desk *d, const int box[6], const uint8_t *labels, size_t count, failure *why);

/* Keeps `mask`, the last one of the scan, for strokes that correct it. Returns its number; 0: no memory. */
int scan_desk_keep(scan_desk *d, const uint8_t *mask);

/* From now on strokes correct the kept mask with that number; 0: no mask. Returns false if it is no longer kept or
 * memory is short: then strokes correct no mask. Call this only while no cut runs. */
bool scan_desk_prior(scan_desk *d, int number);

/* Takes the labels that the page names, see desk_legend_read(); what has none of them becomes background. *anew: the
 * masks so far have changed by that. Call this only while no cut runs. */
int scan_desk_name(scan_desk *d, const uint8_t *text, size_t size, uint8_t *mask, bool *anew, failure *why);

/* Cuts the sketch. Of `params` solver, threads and cancel are used. */
int scan_desk_sketch(scan_desk *d, const edit_options *options, const tilecut_params *params, edit_answer *answer,
                     failure *why);

/* Writes the labels for a cut of the scan to `labels`, a byte a voxel: the painted ones, and the frame if it is
 * wanted. And those of the sketch, a byte a cell. */
void scan_desk_labels(const scan_desk *d, uint8_t *labels);
void scan_desk_small_labels(const scan_desk *d, uint8_t *labels);

/* In scan_unsure.c: where the sketch of the label with that code, or of the only object, is unsure, as edit_unsure()
 * says it of a photo, with "z". The first function copies what the second one needs, labels and mask of one object in
 * cells, which may run beside all others but scan_desk_free(). `params`: as of scan_desk_sketch(). */
void scan_desk_one(const scan_desk *d, int code, uint8_t *labels, uint8_t *mask);
int scan_desk_unsure(const scan_desk *d, const uint8_t *labels, const uint8_t *mask, const edit_options *options,
                     const tilecut_params *params, char text[EDIT_ANSWER_BYTES], failure *why);

/* Cuts the scan along `labels`, as `tilecut segment` does, into `mask`; or corrects the prior mask by them. */
int scan_desk_cut(scan_desk *d, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
                  uint8_t *mask, edit_answer *answer, failure *why);

/* Says that the page is to show the mask that was just cut. It was cut with the labels that are painted now. */
void scan_desk_proved(scan_desk *d);

/* One plane of voxels: those whose number along `axis` (0, 1 or 2) is `index`. Its rows run along the first one of the
 * other two axes. */
typedef struct scan_plane {
    int axis, index;
    int width, height;      /* set by scan_desk_plane() */
    size_t first, along, down; /* the plane's first voxel, and the steps from column to column and from row to row */
} scan_plane;

/* Sets width, height and the steps of a plane. False: there is no such plane. */
bool scan_desk_plane(const scan_desk *d, scan_plane *plane);

/* Appends the samples of a plane, 16 bits each with the low byte first; or the mask there as the page shows it, 0 or
 * 255 a voxel, or codes. `mask`: the last one of the scan. False: no memory. */
bool scan_desk_add_samples(const scan_desk *d, const scan_plane *plane, bytes *to);
bool scan_desk_add_mask(const scan_desk *d, const scan_plane *plane, const uint8_t *mask, bytes *to);

/* The side of the patient towards which voxel numbers grow along x, y and z, such as "LPS". Empty: the file does not
 * say. */
void scan_desk_sides(const scan_desk *d, char sides[4]);

/* Appends the file `name`, placed in space like the scan. `voxels` is a mask, or labels if `painted`. In the file 1 is
 * the object, and in one of labels 2 is background; of several labels each has its number. Errors as from
 * scan_encode(). */
int scan_desk_encode(const scan_desk *d, const char *name, const uint8_t *voxels, bool painted, bytes *to,
                     failure *why);
