/* SPDX-License-Identifier: MIT
 *
 * scan_job.h - a job (job.h) whose photo is a volume. Its steps are those of job.h.
 */
#pragma once

#include "devices.h"
#include "job.h"
#include "scan.h"
#include "scan_options.h"
#include "tilecut_volume.h"

typedef struct scan_job scan_job;

/* Cuts base->volume, which is the scan, along base->seeds. Sets base->mask, and base->run.cut. */
typedef int (*scan_cutter)(scan_job *j, const tilecut_params *how, failure *why);

/* What a job has besides base, if it is a scan. Call scan_job_init() after job_init(), and set the fields from `file`
 * to `spill` as needed. At the end call scan_free() for the scan, and job_free(). */
struct scan_job {
    job *base;
    const scan_options *options;
    const uint8_t *file;  /* the scan's file in memory, `file_size` bytes; NULL: the file is read */
    size_t file_size;
    bool in_grey;         /* true: one channel is read, because the editor shows grey values alone */
    scan_cutter cut;      /* the function that cuts in parts; NULL: the scan is cut as a whole */
    int parts;            /* number of parts into which `cut` divides the volume */
    device_list devices;  /* devices: GPUs, which are assigned to the parts in turn; exchange: how rows are copied
                             between them (--exchange); NULL: default */
    const char *exchange;
    bool on_gpu;          /* true: parts are cut on GPUs: they take little host memory, so they need not take turns */
    const tilecut_exchange *team; /* the team of this part; NULL: this process is alone */
    spill *spill;         /* holds the voxels, seeds and labels of a part that works in turn; else NULL */
    scan scan;
    image_limits limits;  /* the next three say how `scan` was read */
    memory_plan plan;
    scan_reading reading;
    int64_t missing;      /* voxels that are NaN                  */
};

/* Makes `base` the job of a scan. Both must stay where they are. */
void scan_job_init(scan_job *j, job *base, const scan_options *options);

/* Describes the scan that was read as the library takes it. Voxels that are not numbers become background and as dark
 * as possible. Returns EXIT_RESOURCES if memory runs out. */
int scan_job_view(scan_job *j, tilecut_volume *out, failure *why);

/* Allocates base->mask for the scan that was read, in j->spill if there is one. Returns EXIT_RESOURCES if that runs
 * out. */
int scan_job_make_labels(scan_job *j, failure *why);

/* Plans, reads, cuts and writes, as in job.h; does not cut if base->checked. */
int scan_job_do(scan_job *j, const tilecut_params *params, failure *why);

/* Returns the lattice for cleaning `slices` slices of the labels. */
cleanup_lattice scan_job_layers(const scan_job *job, int slices);

/* Writes one line that describes a scan. */
void scan_describe(const char *path, const scan *s, char *text, size_t room);

/* Describes the scan as the library takes it. The values range[0] and range[1] become black and white: those of
 * --range, or those of tilecut_volume_range() over all processes of `team`, which may be NULL. */
tilecut_status scan_view(const scan *s, const scan_options *options, const tilecut_exchange *team, double range[2],
                         tilecut_volume *out);

/* Counts the voxels that are not numbers (NaN), in the own slices of all parts, and adds a note. Many programs write
 * them outside of the field of view. EXIT_INPUT: all voxels are NaN, or one is infinite, which is probably a mistake.
 * EXIT_RUNTIME: another part has failed. */
int scan_count_missing(const scan *s, const tilecut_exchange *team, const char *name, int64_t *missing, notes *log,
                       failure *why);

/* Adds a note if all voxels have the same grey within `range`, as with a wrong --range, in all parts together.
 * EXIT_RUNTIME: another part has failed. */
int scan_note_one_grey(const scan *s, const tilecut_exchange *team, const double range[2], const char *name,
                       notes *log);

/* In a volume of TILECUT_VOXEL_F32, gives the NaN voxels this value and, in own slices, the label `outside`, whatever
 * was painted there. `label` may be NULL. */
void scan_fill_missing(scan *s, const tilecut_exchange *team, float value, uint8_t *label, uint8_t outside);

/* Draws a preview: twenty slices across z through the object (or through the whole volume if there is no object), and
 * below them one across y and one across x through its middle. The object's edge, the dimmed background and the seeds
 * look as in an overlay. `range`: values that are black and white. `mask`: 0 or 255 a voxel. EXIT_RESOURCES, and
 * EXIT_USAGE as of image_can_write(). */
int scan_preview(const scan *s, const double range[2], const uint8_t *mask, const uint8_t *labels, const char *path,
                 bytes *sink, failure *why);
