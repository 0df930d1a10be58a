/* SPDX-License-Identifier: MIT
 *
 * report.h - what one run did: the line per stage of -v, the notes on standard error, the object of --json.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>

#include "cleanup.h"
#include "failure.h"
#include "image.h"
#include "inputs.h"
#include "json.h"
#include "options.h"
#include "seeds.h"
#include "sha256.h"
#include "tilecut.h"

/* Filled as the run goes on; what was not reached stays zero and becomes null in the JSON. */
/* Where that was solved, as --device takes it: "cpu", "cuda", which is the first one, "cuda:1". `name`: room for it. */
enum { RUN_DEVICE = 24 };
const char *run_device(const tilecut_report *cut, char name[RUN_DEVICE]);

typedef struct run {
    const common *common;       /* -q -v --json                                            */
    const char *image;          /* name of the photo as given, or NULL                     */
    const char *output;         /* name of the mask as given, or NULL                      */
    bool skipped;               /* the mask was there and up to date                       */
    notes notes;
    int notes_shown;
    int width, height, channels, depth;
    const seeds *seeds;         /* NULL until read                                         */
    const char *start, *start_format; /* --mask or --previous, how it was read; NULL: none */
    bool correcting;            /* it is --previous                                        */
    int64_t start_inside;       /* pixels of foreground in it                              */
    int64_t added, removed;     /* of them, by correcting                                  */
    bool solved;                /* `cut`, `mask_sha256` and the fraction hold    */
    tilecut_report cut;
    bool fell_back;             /* --device auto took the GPU, it failed, and the CPU did it */
    bool was_cleaned;           /* the mask, after the cut that is certified: `cleaned` holds */
    cleaned cleaned;
    bool cropped;               /* mask and cutout are `crop` of the photo                   */
    image_box crop;
    char mask_sha256[SHA256_TEXT]; /* of the mask as cleaned, 0 or 255 a pixel, row by row, before --invert */
    const char *matte;          /* NULL, or which band: "auto", "seeds"                    */
    int64_t matte_band;         /* pixels in it                                            */
    double read_ms, seeds_ms, matte_ms, write_ms;
    double start_ms;            /* machine_ms() at the beginning                           */
} run;

void run_init(run *run, const common *common);
void run_free(run *run);

/* One line on standard error if -v was given: stage, milliseconds, and what `format` says. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void run_stage(const run *run, const char *stage, double ms, const char *format, ...);
void run_photo_stage(run *run, const char *path, const image *photo, double ms);
void run_seeds_stage(run *run, const seeds *seeds, double ms);
void run_mask_stage(run *run, const inputs *in, const mask_file *mask, double ms);
void run_cut_stages(const run *run); /* model, graph, solve, certify */
void run_cleanup_stage(const run *run, double ms);

/* Prints the notes collected since the last call, unless -q was given. */
void run_show_notes(run *run);

/* One printable line each, whatever is in the names of files:
 * "photo.jpg: JPEG, 800x600, RGB, 8 bits a sample" and
 * "seeds.png read as color (foreground #00ff00, background #ff0000): 1200 foreground, 900 background" */
void describe_seeds_part(const seeds *seeds, const seeds_part *part, char *text, size_t room);
void describe_photo(const char *path, const image *photo, char *text, size_t room);

/* A line with -v for each decision of a solver that decides between devices; and the member `decisions`, if there was
 * one. */
void show_decisions(const common *asked, const tilecut_report *cut);
void put_decisions(json *to, const tilecut_report *cut);

/* The object of a run; `error` (NULL, or its text may be empty) becomes the member `error`. */
void run_put_json(json *to, const run *run, const failure *error);

/* Writes it if --json was given. */
int run_write_json(const run *run, const failure *error, failure *why);

#endif
