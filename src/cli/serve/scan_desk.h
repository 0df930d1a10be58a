/* SPDX-License-Identifier: MIT
 *
 * scan_desk.h - a scan that is being edited; edit.h does the same for photos. The sketch, a small copy of the scan, is
 * cut during each stroke; the scan itself is cut between strokes. Both use sessions of the library (tilecut_volume.h),
 * so that each cut starts from the flow of the one before. This file has no HTTP and no locks: the caller runs one
 * function at a time, except that scan_desk_cut() may run beside the other functions.
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
    const scan_job *job;  /* the job with the scan and its first labels; not owned */
    const char *const *given; /* options for reading it: name, value, name, ..., NULL; not owned */
    /* the scan and the sketch in the form that the library takes; the voxels of `small` are owned */
    tilecut_volume whole, small;
    int factor[3];        /* voxels in one cell of the sketch along each axis */
    tilecut_volume_session *session, *sketch;
    uint8_t *labels;      /* painted labels; not owned. Labels that are TILECUT_OUTSIDE at the start never change */
    uint8_t *small_labels, *small_mask;
    uint8_t *anchor;      /* the sketch's mask at the time of the last cut of the scan */
    scan_kept kept[SCAN_KEPT]; /* masks for strokes to correct; a new one replaces the oldest */
    int kept_count;       /* how many masks were kept so far, which is also the number of the newest one */
    int prior_number;     /* number of the mask that strokes correct; 0: none */
    int kept_mask;        /* number of the scan's last mask among the kept ones; 0: it is not kept */
    uint8_t *prior, *small_prior; /* the mask that strokes correct, for scan and sketch, one byte each; or NULL */
    bool framed;          /* true: only the object is painted, so the faces of the scan count as background */
    bool cut, sketched;   /* cut: the scan has a mask; sketched: a sketch is newer than this mask */
    double low, step;     /* sample s of a plane means the value low + step * s */
    desk_legend legend;   /* the labels; if there are several, masks and priors hold codes of them */
} scan_desk;


/* Takes a job whose scan and seeds have been read. EXIT_RESOURCES: memory ran out. Call scan_desk_free() in any
 * case. */
int scan_desk_begin(scan_desk *d, scan_job *read, failure *why);
void scan_desk_free(scan_desk *d);

size_t scan_desk_voxels(const scan_desk *d);
size_t scan_desk_cells(const scan_desk *d); /* of the sketch */

/* Sets the labels in a box {x, y, z, width, height, depth} from `count` bytes, packed. EXIT_USAGE if the box leaves the
 * scan, or a byte is no label. */
int scan_desk_patch(scan_desk *d, const int box[6], const uint8_t *labels, size_t count, failure *why);

/* Keeps `mask`, the last one of the scan, so that strokes can correct it. Returns its number; 0: memory ran out. */
int scan_desk_keep(scan_desk *d, const uint8_t *mask);

/* Makes strokes correct the kept mask with that number, or no mask if it is 0. Returns false if the mask is not kept
 * any more or memory runs out: then strokes correct no mask. Call this only while no cut runs. */
bool scan_desk_prior(scan_desk *d, int number);

/* Takes the labels that the page sends, see desk_legend_read(); voxels with other labels become background. Sets *anew
 * if existing masks have changed by that. Call this only while no cut runs. */
int scan_desk_name(scan_desk *d, const uint8_t *text, size_t size, uint8_t *mask, bool *anew, failure *why);

/* Cuts the sketch. Of `params` only solver, threads and cancel are used. */
int scan_desk_sketch(scan_desk *d, const edit_options *options, const tilecut_params *params, edit_answer *answer,
                     failure *why);

/* scan_desk_labels() writes the labels for a cut of the scan, a byte a voxel: the painted ones, and the frame if it is
 * wanted. scan_desk_small_labels() writes those of the sketch, a byte a cell. */
void scan_desk_labels(const scan_desk *d, uint8_t *labels);
void scan_desk_small_labels(const scan_desk *d, uint8_t *labels);

/* In scan_unsure.c: find where the sketch is unsure, for the label with that code or for the only object, like
 * edit_unsure() for a photo, but with "z". scan_desk_one() copies labels and mask of one object in cells.
 * scan_desk_unsure() uses these copies, and may run beside all other functions except scan_desk_free(). `params` is as
 * for scan_desk_sketch(). */
void scan_desk_one(const scan_desk *d, int code, uint8_t *labels, uint8_t *mask);
int scan_desk_unsure(const scan_desk *d, const uint8_t *labels, const uint8_t *mask, const edit_options *options,
                     const tilecut_params *params, char text[EDIT_ANSWER_BYTES], failure *why);

/* Cuts the scan along `labels`, as `tilecut segment` does, and writes `mask`; or corrects the prior mask. */
int scan_desk_cut(scan_desk *d, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
                  uint8_t *mask, edit_answer *answer, failure *why);

/* Records that the page shall show the mask that was just cut, with the labels that are now painted. */
void scan_desk_proved(scan_desk *d);

/* A plane of voxels: those whose index along `axis` (0, 1 or 2) is `index`. Its rows run along the first of the other
 * two axes. */
typedef struct scan_plane {
    int axis, index;
    int width, height;      /* set by scan_desk_plane() */
    size_t first, along, down; /* index of the plane's first voxel, and the steps from column to column and from row to
                                  row */
} scan_plane;

/* Sets the width, height and steps of a plane. Returns false if there is no such plane. */
bool scan_desk_plane(const scan_desk *d, scan_plane *plane);

/* scan_desk_add_samples() appends the samples of a plane, 16 bits each with the low byte first. scan_desk_add_mask()
 * appends the mask there as the page shows it: 0 or 255 a voxel, or codes; `mask` is the last one of the scan. Both
 * return false if memory ran out. */
bool scan_desk_add_samples(const scan_desk *d, const scan_plane *plane, bytes *to);
bool scan_desk_add_mask(const scan_desk *d, const scan_plane *plane, const uint8_t *mask, bytes *to);

/* Writes the sides of the patient towards which voxel indices grow along x, y and z, such as "LPS"; empty if they are
 * unknown. */
void scan_desk_sides(const scan_desk *d, char sides[4]);

/* Appends the file `name`, which lies in space like the scan. `voxels` is a mask, or labels if `painted`. In a mask
 * file 1 is the object; in a file of labels 2 is background. With several labels each has its own number. Errors as
 * from scan_encode(). */
int scan_desk_encode(const scan_desk *d, const char *name, const uint8_t *voxels, bool painted, bytes *to,
                     failure *why);
