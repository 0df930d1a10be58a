/* SPDX-License-Identifier: MIT
 *
 * inputs.h - the photo and its seeds: their options, shared by every verb that takes them, and reading
 * them within the limits asked for.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "failure.h"
#include "image.h"
#include "mask_file.h"
#include "options.h"
#include "seeds.h"

/* inputs_init(), then options_parse() with input_options, then the rest. */
typedef struct inputs {
    option_list files;    /* --seeds, in order, without their formats   */
    enum seeds_format *formats; /* of these files, SEEDS_UNNAMED where none was named; owned */
    char **stripped;      /* [files] names that had a format; owned     */
    const char *mask, *previous; /* --mask, --previous; NULL: not given */
    seeds_request request;
    int64_t max_pixels;   /* 0: the library's limit                     */
    uint64_t max_memory;  /* 0: not given, inputs_memory() says         */
    uint64_t free_memory; /* what the machine has; 0: it is asked       */
    uint64_t beside;      /* bytes a pixel that is needed beside the cut */
    uint64_t workspace;   /* bytes, whatever the size of the photo      */
} inputs;

extern const option input_options[];
extern const option mask_options[]; /* into an inputs, too: for verbs that correct masks */

void inputs_init(inputs *in);
void inputs_free(inputs *in);

/* EXIT_USAGE when standard input would have to be read more than once. `path` is the photo. */
int inputs_check(const inputs *in, const char *path, failure *why);

/* Reads the photo. EXIT_RESOURCES, from its header, when it and a cut of it
 * would not fit in memory; `connectivity` 0: it will not be cut. */
int inputs_read_photo(const inputs *in, const char *path, int connectivity, image *photo, notes *log,
                      failure *why);

/* Reads `count` pictures with seeds, and what else the options say of them, for `photo` of the name `path`. */
int inputs_read_seeds(const inputs *in, const char *const *files, int count, const char *path, const image *photo,
                      seeds *out, notes *log, failure *why);

/* Reads --mask or --previous, whichever was given; neither: `out` is empty. */
int inputs_read_mask(const inputs *in, const char *path, const image *photo, mask_file *out, notes *log, failure *why);

/* Bytes that may be used: --max-memory, or what the machine has free. */
uint64_t inputs_memory(const inputs *in);

/* Bytes that cutting `photo` takes at its peak, the photo itself included. */
uint64_t inputs_need(const inputs *in, const image *photo, int connectivity);

/* Bytes of it that are not in proportion to the pixels: the grid is padded to whole tiles, and workspace. */
uint64_t inputs_padding(const inputs *in, int width, int height, int connectivity);

/* EXIT_RESOURCES when inputs_need() is more than inputs_memory(): what the header could not tell, padding
 * of thin photos, is counted here. */
int inputs_check_memory(const inputs *in, const char *path, const image *photo, int connectivity, failure *why);

#endif
