/* SPDX-License-Identifier: MIT
 *
 * job.h - a job is one photo with its seeds: planned, read, cut, written. `segment` does one job, `batch` many. The
 * steps are separate functions, so that a batch can run them in different threads. A job is in one thread at a time.
 * What its request points to is shared by all jobs and only read.
 */
#pragma once

#include "cleanup.h"
#include "engine.h"
#include "inputs.h"
#include "matting.h"
#include "model.h"
#include "outputs.h"
#include "report.h"
#include "scale.h"
#include "tilecut_volume.h"

/* What lies behind the cutout. */
typedef struct job_background {
    seeds_color color;   /* a colour, if given           */
    const char *picture; /* or this file; NULL: not given */
} job_background;

/* How the results look. */
typedef struct job_style {
    bool invert;            /* of the mask                               */
    bool snap;              /* move the mask's outline to where colours change, before the clean-up */
    cleanup cleanup;        /* of the mask, before anything else uses it */
    edge_style edge;        /* of the cutout                             */
    bool keep_colors;       /* of the photo, in the soft edge            */
    outline_kind outline;   /* of masks as shapes and of the overlay     */
    job_background background; /* transparent, if nothing is given       */
    scale_size size;        /* of the cutout and its alpha               */
    const char *format;     /* for names without an extension; NULL: not given */
    bool keep_hidden;       /* keep colours where the cutout is transparent */
    bool bare;              /* results say nothing of the photo's ICC profile, EXIF, density and place */
    bool crop;              /* crop mask and cutout to the object        */
    int margin;             /* pixels around the object when cropped     */
} job_style;

extern const option style_options[]; /* into a job_style */

/* The formats of results, one after the other, NULL past the end; and a line about each. */
const char *result_format(int index);
const char *result_format_summary(int index);
#define OPTION_FORMAT(type)                                                                                            \
    {.name = "format", .argument = "F",                                                                                \
     .help = "the format of results without a known extension, such as\n"                                              \
             "-, pipes, /dev/stdout and .json (default png for -)",                                                    \
     .kind = OPTION_NAME, .wanted = "a format of pictures or annotations", .at = offsetof(type, format),               \
     .choice = result_format, .choice_summary = result_format_summary}

typedef struct job_request {
    const common *common;
    const inputs *inputs; /* how to read; the files are in job_files */
    const model *model;
    const job_style *style;
} job_request;

/* The files of one job. NULL: not wanted; "-": standard input or output. */
typedef struct job_files {
    const char *photo;
    option_list seeds; /* pictures; not owned here */
    const char *mask, *cutout, *alpha, *sure, *overlay, *graph, *json; /* sure: of --confidence */
} job_files;

/* Zero-initialise, then job_init(); at the end job_free(), wherever it stopped. */
typedef struct job {
    const job_request *request;
    job_files files;
    run run;
    outputs outputs;
    output *mask_out, *cutout_out, *alpha_out, *sure_out, *overlay_out, *graph_out, *json_out; /* NULL: not wanted */
    image photo;
    image under;      /* of --background: its colour, or the picture in the photo's size; else empty */
    uint8_t *opaque;  /* pixels of the photo without its alpha; NULL if it has none */
    seeds seeds;
    mask_file start;      /* --mask or --previous; empty: none */
    tilecut_image view;   /* the photo as the library takes it */
    tilecut_graph *graph; /* if it is to be written, or asked how sure the mask is; else NULL */
    uint8_t *mask;    /* 0 or 255 a pixel     */
    uint8_t *sure;    /* how sure that is, in 255ths; NULL: not asked for */
    int threads;      /* used by the last cut */
} job;

void job_init(job *j, const job_request *request, const job_files *files);
void job_free(job *j);

enum { STYLE_PICTURES = 5 }; /* mask, cutout, alpha, how sure, overlay */

/* The outputs for which a style is checked. */
typedef struct style_outputs {
    bool cutout, alpha;
    const char *missing; /* what is to be named for one, in the message: "FILE" or "PATTERN" */
    const char *graph;   /* of the graph; NULL: it is not saved */
    int connectivity;    /* of the graph */
    const char *file[STYLE_PICTURES]; /* names of pictures, or NULL */
} style_outputs;

/* Called before the inputs are read. EXIT_USAGE if options for the cutout or its alpha are given without such an
 * output. Sets in `in` the memory that style and saved graph need besides the cut. */
int job_check_style(const job_style *style, const style_outputs *to, inputs *in, failure *why);

/* EXIT_SEEDS if there is no foreground and the options need it: without colours, unless the job is `started` from a
 * mask, and for --connected. */
int job_check_classes(const job_request *request, const seeds *found, bool started, const char *name, failure *why);

/* In this order; each returns an exit status, with a sentence in `why` if it is not EXIT_DONE.
 *   plan   refuses outputs that cannot be written or would overwrite an input or each other
 *   read   photo and seeds, within the limits
 *   cut    cuts and cleans the mask. `params` come from engine_choose(); the model is applied to them here
 *   write  makes the pictures and writes all outputs, or none; with --json also the object */
int job_plan(job *j, failure *why);
int job_read(job *j, failure *why);
int job_cut(job *j, const tilecut_params *params, failure *why);
int job_write(job *j, failure *why);

/* With --device auto, chooses CPU or GPU for a cut of `count` pixels or voxels. */
void job_plan_device(job *j, calibration_work work, uint64_t count, tilecut_params *params);

/* The steps after the cut that were asked for, of photos and (`volume` not NULL) scans: the clean-up of the mask; and
 * what refining has changed in the mask to begin from. */
int job_clean_up(job *j, const cleanup_lattice *of, failure *why);
int job_compare_masks(job *j, const tilecut_volume *volume, failure *why);

/* With --confidence: how sure the labels in `mask`, `count` of them, are: of a volume, or with NULL of the photo. */
int job_look_how_sure(job *j, size_t count, const tilecut_volume *volume, const tilecut_params *how, failure *why);

/* What a line about a mask tells. */
typedef struct job_outline {
    int64_t pixels;           /* of the object                                                 */
    double on_edges;          /* 0 .. 1: how much of its outline lies where the photo has edges */
    image_box box;            /* around the object                                             */
} job_outline;

/* Whether a person watches: both standard streams are a terminal, and -q was not given. Then job_look() before the
 * mask is written, and job_say() after it, which prints one line on standard error. */
bool job_speaks(const job *j);
void job_look(const job *j, job_outline *out);
void job_say(const job *j, const job_outline *seen);
void job_say_written(const job *j); /* the stage of -v */
