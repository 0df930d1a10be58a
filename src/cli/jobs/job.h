/* SPDX-License-Identifier: MIT
 *
 * job.h - one photo with its seeds, cut: planned, read, solved, written. What `segment` does once and `batch`
 * many times. The steps are apart so that a batch can do them in different threads; one job is in one
 * thread at a time, and what a request points to is shared by all jobs and only read.
 */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cleanup.h"
#include "inputs.h"
#include "matting.h"
#include "model.h"
#include "outputs.h"
#include "report.h"

/* How the results look. */
typedef struct job_style {
    bool invert;            /* of the mask                               */
    cleanup cleanup;        /* of the mask, before it is used for anything */
    int feather;            /* radius of the cutout's soft edge; 0: hard */
    matting_band matte;     /* or a soft edge by matting                 */
    bool keep_colors;       /* of that edge                              */
    seeds_color background; /* given: fills the cutout                   */
    const char *format;     /* of names that tell none, NULL: none given */
    bool keep_hidden;       /* colours where the cutout is transparent   */
    bool crop;              /* mask and cutout, to the object            */
    int margin;             /* pixels around it                          */
} job_style;

extern const option style_options[]; /* into a job_style */

typedef struct job_request {
    const common *common;
    const inputs *inputs; /* all about reading but which files */
    const model *model;
    const job_style *style;
} job_request;

/* The files of one job. NULL: not wanted; "-": standard input or output. */
typedef struct job_files {
    const char *photo;
    const char *const *seeds; /* pictures */
    int seed_count;
    const char *mask, *cutout, *alpha, *overlay, *graph, *json;
} job_files;

/* Zero-initialise, job_init(), and job_free() wherever it ended. */
typedef struct job {
    const job_request *request;
    job_files files;
    run run;
    outputs outputs;
    output *mask_out, *cutout_out, *alpha_out, *overlay_out, *graph_out, *json_out; /* NULL: not wanted */
    image photo;
    uint8_t *opaque;  /* pixels of the photo without its alpha; NULL if it has none */
    seeds seeds;
    mask_file start;      /* --mask or --previous; empty: none */
    tilecut_image view;   /* what is cut of the photo */
    tilecut_graph *graph; /* if it is to be written   */
    uint8_t *mask;    /* 0 or 255 a pixel */
    int threads;      /* of the last cut  */
} job;

void job_init(job *j, const job_request *request, const job_files *files);
void job_free(job *j);

/* Before the inputs are read: EXIT_USAGE when options for the cutout or its `alpha` are given and neither is ("FILE" or
 * "PATTERN" is `missing`). Tells `in` what memory style and saved `graph` (NULL: none) take beside the cut. */
int job_check_style(const job_style *style, bool cutout, bool alpha, const char *missing, const char *graph,
                    int connectivity, inputs *in, failure *why);

/* In this order; each returns an exit status, with a sentence in `why` if it is not EXIT_DONE.
 *   plan   refuses outputs that cannot be written or would overwrite an input or each other
 *   read   photo and seeds, within the limits
 *   cut    with `params` as engine_choose() left them, to which the model is applied here; the mask is cleaned
 *   write  makes the pictures and writes all outputs, or none; with --json the object, too */
int job_plan(job *j, failure *why);
int job_read(job *j, failure *why);
int job_cut(job *j, const tilecut_params *params, failure *why);
int job_write(job *j, failure *why);

#endif
