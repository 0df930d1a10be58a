/* SPDX-License-Identifier: MIT
 *
 * scan_job.h - one volume with its seeds: planned, read, cut, written. A job (job.h) whose photo is a volume: its
 * request, files, run and outputs are used, and these functions take the place of job_plan() and the rest.
 */
#pragma once

#include "devices.h"
#include "job.h"
#include "scan.h"
#include "scan_options.h"
#include "tilecut_volume.h"

typedef struct scan_job scan_job;

/* Cuts `volume`, which is the scan, along base->seeds, into base->mask or, of a team, j->labels; fills in
 * base->run.cut. */
typedef int (*scan_cutter)(scan_job *j, const tilecut_volume *volume, const tilecut_params *how, failure *why);

/* Set the first five, and the next three for a cut in parts. Zero the rest; scan_free() the scan, besides
 * job_free(). */
struct scan_job {
    job *base;
    const scan_options *options;
    const char *preview;  /* --preview; NULL: not wanted          */
    const uint8_t *file;  /* the scan's file in memory, of `file_size` bytes; NULL: it is read */
    size_t file_size;
    scan_cutter cut;      /* cuts in parts; NULL: the scan is cut in one part */
    int parts;            /* number of parts, for `cut`           */
    device_list devices;  /* GPUs, dealt to the parts in turn, and how rows go between them: --exchange; none: NULL */
    const char *exchange;
    bool on_gpu;          /* parts are cut on GPUs: they take little of the host's memory, and need not take turns */
    const scan_team *team; /* NULL: this process is alone         */
    spill *spill;         /* has voxels, seeds and own labels of a part that works in turn; else NULL */
    uint8_t *labels;      /* of a team: of the slices that `scan` has; `cut` takes them, in `spill` if there is one */
    scan scan;
    int64_t missing;      /* voxels that are NaN                  */
    output *preview_out;
};

/* Reads volume and seeds. */
int scan_job_read(scan_job *j, failure *why);

/* Steps of scan_job_do(). Labels of all slices lie in base->mask after the second, of a team those of own slices in
 * j->labels; the third writes all outputs, of a team those that are not done yet. */
int scan_job_plan(scan_job *j, failure *why);
int scan_job_cut(scan_job *j, const tilecut_params *params, failure *why);
int scan_job_write(scan_job *j, failure *why);

/* The scan that was read, in the form that the library takes. Voxels that are no number become as dark as possible and
 * background. EXIT_RESOURCES. */
int scan_job_view(scan_job *j, tilecut_volume *out, failure *why);

/* Takes memory for the labels of the scan that was read. EXIT_RESOURCES. */
int scan_job_make_labels(scan_job *j, failure *why);

/* Plans, reads, cuts and writes, as job.h says. */
int scan_job_do(scan_job *j, const tilecut_params *params, failure *why);

/* How files are read for `in`: within its limits. `limits` is filled. */
scan_reading scan_job_reading(const inputs *in, const scan_options *options, image_limits *limits);

/* The size of a volume as needed to estimate the memory of its cut. */
memory_lattice scan_job_lattice(const scan_job *job, const scan_extent *e);

/* The lattice for cleaning so many slices of the labels. */
cleanup_lattice scan_job_layers(const scan_job *job, int slices);

/* One line about a scan. */
void scan_describe(const char *path, const scan *s, char *text, size_t room);

/* The values that become black and white if the user gives none: tilecut_volume_range() of the scan's stored values.
 * False: no memory. */
bool scan_find_range(const scan *s, double range[2]);

/* The scan in the form that the library takes. Values range[0] and range[1] become black and white: those of --range,
 * or those of scan_find_range(), of all processes of `team` (NULL: there are none). False: no memory, or another
 * process has failed. */
bool scan_view(const scan *s, const scan_options *options, const scan_team *team, double range[2],
               tilecut_volume *out);

/* Counts voxels that are no number (NaN), which is what many programs put outside of the field of view, in own slices
 * of all parts, and adds a note about them. EXIT_INPUT: all are, or one is infinite, which has no grey value either,
 * but nobody means anything by it. EXIT_RUNTIME: another part has failed. */
int scan_count_missing(const scan *s, const scan_team *team, const char *name, int64_t *missing, notes *log,
                       failure *why);

/* Of a volume of TILECUT_VOXEL_F32. What is missing gets this value, and in own slices this label, whatever was painted
 * there; `label` may be NULL. */
void scan_fill_missing(scan *s, const scan_team *team, float value, uint8_t *label, uint8_t outside);

/* Twenty slices across z through the object (through everything if there is none), and below them one across y and one
 * across x through its middle. The object's edge, the dimmed background and seeds are those of an overlay. `range`:
 * values that are black and white. `mask`: 0 or 255 a voxel. EXIT_RESOURCES, and EXIT_USAGE as of image_can_write(). */
int scan_preview(const scan *s, const double range[2], const uint8_t *mask, const uint8_t *labels, const char *path,
                 bytes *sink, failure *why);
