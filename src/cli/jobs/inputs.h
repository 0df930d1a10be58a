/* SPDX-License-Identifier: MIT
 *
 * inputs.h - the photo and its seeds: the options for them, which several verbs share, and functions that read them
 * within the limits that the user set.
 */
#pragma once

#include "failure.h"
#include "image.h"
#include "mask_file.h"
#include "memory.h"
#include "options.h"
#include "seeds.h"

/* The options for the photo and its seeds. Call inputs_init(), then options_parse() with input_options, then the
 * functions below. */
typedef struct inputs {
    option_list files;    /* the files of --seeds, in order, without their formats */
    enum seeds_format *formats; /* format of each file; SEEDS_UNNAMED: not given; owned */
    char **stripped;      /* names of the files that were given with a format, without it; owned */
    const char *mask, *previous; /* files of --mask and --previous; NULL: not given */
    bool learn;           /* --learn                                    */
    double mask_cell;     /* --mask-cell; 0: not given                  */
    double mask_reach;    /* how far the outline of `mask` may move, in pixels; 0: as the mask suggests */
    seeds_request request;
    int64_t max_pixels;   /* 0: the library's limit                                          */
    uint64_t max_memory;  /* memory limit in bytes; 0: not given, so inputs_memory() decides */
    bool another;         /* true: one of many photos, so the program itself needs no more memory for it */
    uint64_t free_memory; /* free memory of the machine in bytes; 0: not known               */
    uint64_t beside;      /* bytes per pixel that are needed besides the cut */
} inputs;

extern const option input_options[];
extern const option mask_options[]; /* options for verbs that correct masks; they also fill an `inputs` */
extern const option refine_options[]; /* options for verbs that refine a mask; they also fill an `inputs` */
/* options for verbs that correct a mask and learn colours anew; they also fill an `inputs` */
extern const option learn_options[];

void inputs_init(inputs *in);
void inputs_free(inputs *in);

/* Returns EXIT_USAGE if standard input would have to be read more than once. `path` is the photo. */
int inputs_check(const inputs *in, const char *path, failure *why);

/* Sets how far the outline of a mask to begin from may move, from --mask-cell or --band. `masks`: there is such a mask,
 * or one for each photo. EXIT_USAGE: --mask-cell without a mask, or both options. */
int inputs_take_reach(inputs *in, bool masks, failure *why);

/* Reads the photo. EXIT_RESOURCES: its header shows that the photo and a cut of it would not fit into memory.
 * `connectivity` 0: the photo will not be cut. */
int inputs_read_photo(const inputs *in, const char *path, int connectivity, image *photo, notes *log, failure *why);

/* Like inputs_read_photo(), for a file in memory and a photo that will be cut. `name` is for messages. */
int inputs_decode_photo(const inputs *in, const char *name, const uint8_t *file, size_t size, image *photo, notes *log,
                        failure *why);

/* Reads pictures with seeds, and the seeds given as options, for `photo`, whose name is `path`. */
int inputs_read_seeds(const inputs *in, const option_list *files, const char *path, const image *photo, seeds *out,
                      notes *log, failure *why);

/* Returns the request for the pictures with seeds and the seeds given as options. It points into `in`. */
seeds_request inputs_seeds(const inputs *in);

/* Reads the file of --mask or --previous; if neither was given, *out is empty. */
int inputs_read_mask(const inputs *in, const char *path, const image *photo, mask_file *out, notes *log, failure *why);

/* Returns how many bytes of memory may be used: --max-memory, or the machine's free memory. */
uint64_t inputs_memory(const inputs *in);

/* Returns the lattice of a photo of unknown size, with the memory that the options need. */
memory_lattice inputs_lattice(const inputs *in, int connectivity);

/* Returns the peak memory in bytes of cutting `photo`, including the photo itself. */
uint64_t inputs_need(const inputs *in, const image *photo, int connectivity);

/* Returns EXIT_RESOURCES if inputs_need() exceeds inputs_memory(). Call it after reading the photo, whose header alone
 * does not show if a copy without alpha is needed. */
int inputs_check_memory(const inputs *in, const char *path, const image *photo, int connectivity, failure *why);
