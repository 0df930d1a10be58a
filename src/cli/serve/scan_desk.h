/* SPDX-License-Identifier: MIT
 *
 * scan_desk.h - a scan that is being edited: what edit.h is for a photo. A sketch, a small copy of the scan, is cut
 * while the hand still moves; the scan itself is cut when it rests. Both are sessions of the library
 * (tilecut_volume.h), which begin with the flow of the cut before. No HTTP here, and no locks: the caller sees to it
 * that one thread at a time is in each function, but scan_desk_cut() may run beside the others.
 */
#ifndef CLI_SCAN_DESK_H
#define CLI_SCAN_DESK_H

#include "edit.h"
#include "scan_job.h"

enum { SCAN_KEPT = 64 };

typedef struct scan_kept {
    int number;
    uint8_t *bits;
} scan_kept;

typedef struct scan_desk {
    const scan_job *job;  /* the scan, and what was painted on it before; not owned    */
    const char *const *given; /* options that say how it is read, name and value in turn, then NULL; not owned */
    tilecut_volume whole, small; /* as the library takes it; the voxels of `small` are owned */
    int factor[3];        /* voxels that one cell of the sketch stands for, along each axis */
    tilecut_volume_session *session, *sketch;
    uint8_t *labels;      /* painted, TILECUT_UNKNOWN ...; not owned. OUTSIDE was there from the start and stays */
    uint8_t *small_labels, *small_mask;
    uint8_t *anchor;      /* the sketch at the time of the last cut of the scan        */
    scan_kept kept[SCAN_KEPT]; /* masks that strokes went on from, a bit a voxel; the oldest ones make room */
    int kept_count;       /* of all that were kept; the number of each is its own count                    */
    int prior_number;     /* of the one that strokes correct now; 0: none */
    int kept_mask;        /* the number of the last mask of the scan, if it was kept; 0: it was not        */
    uint8_t *prior, *small_prior; /* the one that strokes correct now, of scan and sketch, a byte each; or NULL */
    bool framed;          /* nothing but the object is painted: the faces of the scan are background */
    bool cut, sketched;   /* there is a mask of the scan; a sketch is newer than that  */
    double low, step;     /* sample s of a plane means the value low + step * s        */
} scan_desk;

enum { SCAN_DESK_BYTES = 14 }; /* per voxel, in addition to the scan and a cut */

/* Takes a job whose scan and seeds were read. EXIT_RESOURCES: no memory; scan_desk_free() in any case. */
int scan_desk_begin(scan_desk *d, scan_job *read, failure *why);
void scan_desk_free(scan_desk *d);

size_t scan_desk_voxels(const scan_desk *d);

/* Sets the labels of a box {x, y, z, width, height, depth}: packed, `count` bytes. EXIT_USAGE if it does not lie in the
 * scan, or a byte is no label. */
int scan_desk_patch(scan_desk *d, const int box[6], const uint8_t *labels, size_t count, failure *why);

/* Keeps `mask`, the last one of the scan, for strokes that correct it. Returns its number; 0: no memory. */
int scan_desk_keep(scan_desk *d, const uint8_t *mask);

/* Strokes correct the mask of that number from now on; 0: none. False: it is not kept any more, or there is no memory;
 * then it is none. No cut may run. */
bool scan_desk_prior(scan_desk *d, int number);

/* Cuts the sketch. Of `params` solver, threads and cancel are used. */
int scan_desk_sketch(scan_desk *d, const edit_options *options, const tilecut_params *params, edit_answer *answer,
                     failure *why);

/* The labels of a cut of the scan: those painted and the frame. `labels`: out, a byte a voxel. */
void scan_desk_labels(const scan_desk *d, uint8_t *labels);

/* Cuts the scan along `labels`, as `tilecut segment` does, into `mask`; or corrects the prior mask by them. */
int scan_desk_cut(scan_desk *d, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
                  uint8_t *mask, edit_answer *answer, failure *why);

/* That mask is what is seen from now on; it was cut along what is painted now. */
void scan_desk_proved(scan_desk *d);

/* One plane of voxels: those whose number along `axis` (0, 1 or 2) is `index`. Its rows run along the first one of the
 * other two axes. */
typedef struct scan_plane {
    int axis, index;
    int width, height;      /* set by scan_desk_plane() */
    size_t first, along, down; /* its first voxel, and steps from column to column and from row to row */
} scan_plane;

/* False: there is no such plane. */
bool scan_desk_plane(const scan_desk *d, scan_plane *plane);

/* Appends its samples, 16 bits each with the low byte first; or what is seen of the mask there, 0 or 255 a voxel.
 * `mask`: the last one of the scan. False: no memory. */
bool scan_desk_add_samples(const scan_desk *d, const scan_plane *plane, bytes *to);
bool scan_desk_add_mask(const scan_desk *d, const scan_plane *plane, const uint8_t *mask, bytes *to);

/* Towards which side of the patient the numbers of voxels grow along x, y and z: "LPS". Empty: the file does not
 * say. */
void scan_desk_sides(const scan_desk *d, char sides[4]);

/* Appends the file `name`, in the scan's place: `voxels` is a mask, or, if `painted`, labels; in the file 1 is the
 * object and 2 background. Errors as of scan_encode(). */
int scan_desk_encode(const scan_desk *d, const char *name, const uint8_t *voxels, bool painted, bytes *to,
                     failure *why);

#endif
