/* SPDX-License-Identifier: MIT
 *
 * job.h - a job is one photo or scan with its seeds, or the rows of a photo or slices of a scan that are one part:
 * planned, read, cut, written. `segment` does one job, `batch` many. Each step is a function of its own, so that a
 * batch can run the steps in different threads; a job is in one thread at a time. All jobs share what their requests
 * point to, and only read it.
 */
#pragma once

#include "cleanup.h"
#include "engine.h"
#include "inputs.h"
#include "matting.h"
#include "model.h"
#include "outputs.h"
#include "region.h"
#include "report.h"
#include "scale.h"
#include "tilecut_volume.h"

/* The background of the cutout. */
typedef struct job_background {
    seeds_color color;   /* a colour, if given           */
    const char *picture; /* a picture file instead of a colour; NULL: not given */
} job_background;

/* The looks of the results. */
typedef struct job_style {
    bool invert;            /* true: write the mask inverted */
    bool snap;              /* true: move the mask's outline to where colours change, before the clean-up */
    cleanup cleanup;        /* clean-up of the mask, before it is used       */
    edge_style edge;        /* edge of the cutout                            */
    bool keep_colors;       /* true: keep the photo's colours in the soft edge */
    outline_kind outline;   /* outline of masks as shapes and of the overlay */
    job_background background; /* background of the cutout; transparent if nothing is given */
    scale_size size;        /* size of the cutout and its alpha */
    const char *format;     /* format of results whose names have no extension; NULL: not given */
    bool keep_hidden;       /* true: keep colours in transparent pixels of the cutout */
    bool bare;              /* true: leave out the photo's ICC profile, EXIF, density and place */
    bool crop;              /* true: crop mask and cutout to the object    */
    int margin;             /* pixels kept around the object when cropping */
} job_style;

extern const option style_options[]; /* options that fill a job_style */

/* The index-th format of results, NULL past the end; and a line about it. */
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
    const inputs *inputs; /* options for reading; the files are in job_files */
    const model *model;
    const job_style *style;
} job_request;

/* The files of one job. NULL: not wanted; "-": standard input or output. */
typedef struct job_files {
    const char *photo;
    option_list seeds; /* pictures with seeds; not owned here */
    const char *mask, *cutout, *alpha, *sure, *overlay, *preview, *graph, *json; /* sure: file of --confidence */
} job_files;

typedef struct job job;

/* What the steps of a job do in another way for a photo, for a part of one, and for a scan. All but describe() return
 * an exit status, with a sentence in `why`. */
typedef struct job_kind {
    int (*plan)(job *j, failure *why);         /* refuses outputs that cannot be written */
    bool (*measure)(const job *j, memory_lattice *out); /* finds what a cut takes, by the file's header; false: that
                                                          fails */
    int (*read)(job *j, failure *why);         /* reads the pixels or voxels */
    int (*seeds)(job *j, failure *why);        /* sets job.seeds */
    int (*mask)(job *j, failure *why);         /* sets job.start, if --mask or --previous was given */
    int (*look)(job *j, failure *why);         /* sets job.view or job.volume, and shows all notes so far */
    int (*cut)(job *j, const tilecut_params *how, failure *why); /* sets job.mask and job.run.cut, reports on the cut */
    int (*clean)(job *j, failure *why);        /* cleans job.mask, if the options ask for that */
    int (*encode)(job *j, failure *why);       /* makes the outputs */
    void (*describe)(const job *j, char *text, size_t room); /* says what the mask shows, in part of a line */
} job_kind;

extern const job_kind job_of_photo;

/* A job in progress. Zero-initialise, then call job_init(), and at the end job_free(), even after a failure. */
struct job {
    const job_request *request;
    const job_kind *kind; /* job_of_photo, or what was set after job_init() */
    void *of;             /* for the functions of `kind` other than job_of_photo */
    bool checked;         /* true: the job ends when everything has been read, before the cut, as `check` does */
    void *part;           /* the part that the job is (parts/job_part.h); NULL: it has the whole photo or scan */
    job_files files;
    run run;
    outputs outputs;
    output *mask_out, *cutout_out, *alpha_out, *sure_out, *overlay_out, *preview_out, *graph_out, *json_out; /* NULL:
                                                                                                          not wanted */
    image photo;      /* of a part: its own rows and their halo */
    image under;      /* background of the cutout: a pixel of one colour, or a picture of the photo's size; or empty */
    uint8_t *opaque;  /* the photo's pixels without alpha; NULL if the photo has no alpha */
    seeds seeds;
    mask_file start;      /* mask of --mask or --previous; empty: none */
    tilecut_image view;   /* the photo in the library's form           */
    tilecut_volume volume; /* the scan in the library's form; voxels NULL: the job is a photo */
    tilecut_graph *graph; /* the graph, kept only for writing it or for --confidence; else NULL */
    uint8_t *mask;    /* the mask, 0 or 255 per pixel or voxel */
    uint8_t *sure;    /* how sure each pixel of the mask is, 0 .. 255; NULL: not asked for */
    int threads;      /* number of threads of the latest cut */
};

void job_init(job *j, const job_request *request, const job_files *files);
void job_free(job *j);

enum { STYLE_PICTURES = 5 }; /* mask, cutout, alpha, confidence, overlay */

/* The outputs for which a style is checked. */
typedef struct style_outputs {
    bool cutout, alpha;
    const char *missing; /* the word that messages show for a missing output's name, "FILE" or "PATTERN" */
    const char *graph;   /* file of the graph; NULL: not saved */
    int connectivity;    /* number of neighbours in the graph */
    const char *file[STYLE_PICTURES]; /* files of the pictures to write; NULL: not wanted */
} style_outputs;

/* Call this before reading the inputs. Returns EXIT_USAGE if options for the cutout or its alpha are given without such
 * an output. Sets in `in` the memory that style and saved graph need besides the cut. */
int job_check_style(const job_style *style, const style_outputs *to, inputs *in, failure *why);

/* Refuses --outline for a photo if no result has outlines; a job_kind.plan. */
int job_plan_outline(job *j, failure *why);

/* The steps of a job, in this order. Each returns an exit status, with a sentence in `why` unless it is EXIT_DONE.
 *   plan   refuses outputs that cannot be written or would overwrite an input or each other
 *   read   reads photo and seeds, within the limits
 *   cut    cuts and cleans the mask. `params` come from engine_choose(); this applies the model to them
 *   write  makes the pictures and writes all outputs, or none; with --json also the object */
int job_plan(job *j, failure *why);
int job_read(job *j, failure *why);
int job_cut(job *j, const tilecut_params *params, failure *why);
int job_write(job *j, failure *why);

/* Returns EXIT_USAGE if no mask can be written to `path`, but does not look if that is a terminal. */
int job_can_write_mask(const job_style *style, const char *path, failure *why);

/* job_measure() is measure() of a photo. job_lattice() returns the lattice of a photo of that shape, with the memory
 * that the options need. */
bool job_measure(const job *j, memory_lattice *out);
memory_lattice job_lattice(const job *j, const region_shape *of);

/* Encodes the mask `mask` of a whole photo that was cut in parts as job_write() encodes it. `part` is one of its jobs;
 * `size` has the photo's size and place. The photo is read only if the outline follows its colours. --invert inverts
 * `mask`. */
int job_encode_mask(const job *part, const image *size, uint8_t *mask, bytes *file, failure *why);

/* With --device auto, chooses CPU or GPU for a cut of `count` pixels or voxels. */
void job_plan_device(job *j, calibration_work work, uint64_t count, tilecut_params *params);

/* For job_kind: job_try() calls cut(), and calls it again for the CPU if --device auto chose a GPU that fails.
 * job_clean_up() cleans the mask, if the options ask for that. */
int job_try(job *j, tilecut_status (*cut)(job *j, const tilecut_params *how), const tilecut_params *how,
            failure *why);
int job_clean_up(job *j, const cleanup_lattice *of, failure *why);

/* Prints the stage of -v about the files that were written. */
void job_print_written(const job *j);

/* For a person at a terminal: job_is_watched() is true if both standard streams are terminals, and -q was not given.
 * job_describe() is describe() of a photo, and job_print_line() prints the files that were written, and `text`. */
bool job_is_watched(const job *j);
void job_describe(const job *j, char *text, size_t room);
void job_print_line(const job *j, const char *text);
