/* SPDX-License-Identifier: MIT
 *
 * report.h - describes what one run did: a line per stage for -v, notes on standard error, the object of --json.
 */
#pragma once

#include <stdbool.h>

#include "cleanup.h"
#include "failure.h"
#include "image.h"
#include "inputs.h"
#include "json.h"
#include "options.h"
#include "seeds.h"
#include "sha256.h"
#include "tilecut_correct.h"
#include "tilecut.h"

/* Writes the name of the device that solved to `name` and returns it, as --device takes it: "cpu", "cuda" for the first
 * GPU, "cuda:1". */
enum { RUN_DEVICE = 24 };
const char *run_device(const tilecut_report *cut, char name[RUN_DEVICE]);

/* How a photo was cut in parts, and what the parts exchanged. The traffic is that of cutting, summed over all parts. */
enum { PARTS_MOST = 256 };
typedef struct parts_facts {
    int count;                      /* number of parts; 0: the photo was not divided                         */
    bool in_turn;                   /* true: parts came from disk in turn                                    */
    bool together;                  /* true: each part wrote its own rows of the mask                        */
    int64_t waves, meetings;        /* waves of the solver (docs/design/parts.md), and calls of the exchange */
    int64_t sent, solves;           /* bytes sent, and grids solved                                          */
    int64_t direct;                 /* bytes sent directly from GPU to GPU; part of `sent`                   */
    int16_t gpu[PARTS_MOST];        /* for each part, the index of its GPU plus 1, or 0 for the CPU          */
} parts_facts;

/* What one run did. Filled in as the run goes on; a field that the run does not reach stays zero and becomes null
 * in the JSON. */
typedef struct run {
    const common *common;       /* for -q, -v, --json                           */
    const char *image;          /* name of the photo as given, or NULL          */
    const char *output;         /* name of the mask as given, or NULL           */
    bool skipped;               /* true: the mask was up to date, so nothing was done */
    notes notes;
    int notes_shown;
    int width, height, channels, depth;
    /* number of slices of a volume; 0 for a photo, which does not use the next four fields */
    int slices;
    char voxels[24];            /* type of voxels in the file, such as "int16" */
    double spacing[3];          /* distances between voxels in millimetres     */
    double range[2];            /* values that became black and white; both 0: not known yet */
    int window[6];              /* the part that was cut: x, y, z of its corner, width, height, depth; 0: everything */
    const seeds *seeds;         /* the seeds; NULL until they have been read */
    const char *start, *start_format; /* file of --mask or --previous, and its format; NULL: none */
    bool correcting;            /* true: `start` is the mask of --previous */
    int64_t start_inside;       /* foreground pixels in `start`      */
    int64_t added, removed;     /* foreground pixels added and removed by correcting or refining */
    tilecut_moved moved;        /* how refining has moved the outline of `start` */
    bool doubted;               /* --confidence: `doubt` is valid                */
    tilecut_doubt doubt;
    bool solved;                /* true: `cut` and `mask_sha256` are valid                 */
    tilecut_report cut;
    bool fell_back;             /* true: --device auto chose the GPU, which failed, so the CPU solved */
    bool was_snapped;           /* true: the outline was moved after the certified cut: `snapped` is valid */
    tilecut_corrected snapped;
    bool was_cleaned;           /* true: the mask was cleaned after the certified cut: `cleaned` is valid */
    tilecut_cleaned cleaned;
    bool cropped;               /* true: mask and cutout show only `crop` of the photo */
    image_box crop;
    char mask_sha256[SHA256_TEXT]; /* hash of the cleaned mask, 0 or 255 per pixel, row by row, before --invert */
    parts_facts parts;            /* figures about the parts, if the photo was cut in parts */
    const char *matte;          /* how the soft band was found: "auto", "seeds"; NULL: no matting */
    int64_t matte_band;         /* pixels in the soft band */
    double read_ms, seeds_ms, matte_ms, write_ms;
    double start_ms;            /* machine_ms() when the run began */
} run;

void run_init(run *run, const common *common);
void run_free(run *run);

/* With -v, prints a line on standard error: stage, milliseconds, and the text of `format`. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void run_stage(const run *run, const char *stage, double ms, const char *format, ...);
void run_photo_stage(run *run, const char *path, const image *photo, double ms);
void run_seeds_stage(run *run, const seeds *seeds, double ms);
void run_refined_stage(run *r, double ms); /* prints run.moved, the result of refining a mask */
void run_mask_stage(run *run, const inputs *in, const mask_file *mask, double ms);
void run_cut_stages(run *r); /* model, graph, solve, certify; adds a note if all or nothing of a box is foreground */
void run_cleanup_stage(const run *run, double ms);
/* the stage of --confidence; stores `doubt` in the run */
void run_doubt_stage(run *r, const tilecut_doubt *doubt, double ms);

/* True if the mask is the minimum cut, that is no step of the clean-up changed a pixel. Also false if one step has
 * undone another. */
bool run_is_minimum(const run *run);

/* Prints the notes collected since the last call, unless -q was given. */
void run_show_notes(run *run);

/* Each writes one printable line, whatever characters file names have: "photo.jpg: JPEG, 800x600, RGB, 8 bits a sample"
 * and "seeds.png read as color (foreground #00ff00, background #ff0000): 1200 foreground, 900 background" */
void describe_seeds_part(const seeds *seeds, const seeds_part *part, char *text, size_t room);
void describe_photo(const char *path, const image *photo, char *text, size_t room);

/* For a solver that chooses between devices during the cut. Call both after the cut, in the same thread.
 * show_decisions() prints a line for each choice if -v was given; put_decisions() adds the member `decisions` if
 * there were any. */
void show_decisions(const common *asked);
void put_decisions(json *to);

/* Write members about a cut: how the energy was learnt (lambda to iterations), and the proof (flow, cut,
 * certified, energy). */
void put_learnt(json *to, const tilecut_report *cut);
void put_proof(json *to, const tilecut_report *cut);
void put_doubt(json *to, const tilecut_doubt *doubt, bool volume); /* writes the member `confidence` */
void put_cut_times(json *j, const tilecut_report *cut);

/* Writes the JSON object of a run, but for its end. `error`, which may be NULL or have an empty text, becomes its
 * member `error`. */
void run_put_json(json *to, const run *run, const failure *error);

/* Writes the file of --json, if that option was given. */
int run_write_json(const run *run, const failure *error, failure *why);
