/* SPDX-License-Identifier: MIT
 *
 * inputs.h - the photo and its seeds: the options for them, which every verb that takes them shares, and reading them
 * within the limits that the user set.
 */
#pragma once

#include "failure.h"
#include "image.h"
#include "mask_file.h"
#include "memory.h"
#include "options.h"
#include "seeds.h"

/* Call inputs_init(), then options_parse() with input_options, then the other functions. */
typedef struct inputs {
    option_list files;    /* --seeds, in order, without their formats   */
    enum seeds_format *formats; /* [files] as given; SEEDS_UNNAMED: none was given; owned */
    char **stripped;      /* [files] the names that had a format, without it; owned */
    const char *mask, *previous; /* --mask, --previous; NULL: not given */
    bool learn;           /* --learn                                    */
    double mask_cell;     /* --mask-cell; 0: not given                  */
    double mask_reach;    /* how far the outline of `mask` may move; 0: as the mask tells */
    seeds_request request;
    int64_t max_pixels;   /* 0: the library's limit                     */
    uint64_t max_memory;  /* 0: not given; inputs_memory() then decides */
    uint64_t free_memory; /* of the machine; 0: not known, ask for it   */
    uint64_t beside;      /* bytes per pixel that are needed besides the cut */
} inputs;

extern const option input_options[];
extern const option mask_options[]; /* also fill an inputs: for verbs that correct masks */
extern const option refine_options[]; /* also: for those that refine one */
extern const option learn_options[]; /* also: for those that learn anew to correct one     */

void inputs_init(inputs *in);
void inputs_free(inputs *in);

/* EXIT_USAGE if standard input would have to be read more than once. `path` is the photo. */
int inputs_check(const inputs *in, const char *path, failure *why);

/* Takes how far the outline of a mask to begin from may move, by --mask-cell or --band, from the options `given`.
 * `masks`: there is a mask, or one a photo; EXIT_USAGE without, if --mask-cell is there, and for both together. */
int inputs_take_reach(inputs *in, const option_log *given, bool masks, failure *why);

/* Reads the photo. If its header shows that the photo and a cut of it would not fit into memory: EXIT_RESOURCES.
 * `connectivity` 0: it will not be cut. */
int inputs_read_photo(const inputs *in, const char *path, int connectivity, image *photo, notes *log, failure *why);

/* The same of a file in memory, of a photo that will be cut; `name` is for messages. */
int inputs_decode_photo(const inputs *in, const char *name, const uint8_t *file, size_t size, image *photo, notes *log,
                        failure *why);

/* Reads pictures with seeds, and the seeds given as options, for `photo`, whose name is `path`. */
int inputs_read_seeds(const inputs *in, const option_list *files, const char *path, const image *photo, seeds *out,
                      notes *log, failure *why);

/* Reads --mask or --previous, whichever was given; without either, `out` is empty. */
int inputs_read_mask(const inputs *in, const char *path, const image *photo, mask_file *out, notes *log, failure *why);

/* Bytes of memory that may be used: --max-memory, or what the machine has free. */
uint64_t inputs_memory(const inputs *in);

/* The lattice of a photo whose size is not known yet, with the memory that the options take. */
memory_lattice inputs_lattice(const inputs *in, int connectivity);

/* Bytes that cutting `photo` takes at its peak, the photo itself included. */
uint64_t inputs_need(const inputs *in, const image *photo, int connectivity);

/* EXIT_RESOURCES if inputs_need() exceeds inputs_memory(). The check of the header cannot know whether there
 * is a copy without alpha. */
int inputs_check_memory(const inputs *in, const char *path, const image *photo, int connectivity, failure *why);
