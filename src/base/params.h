/* SPDX-License-Identifier: MIT
 *
 * params.h - the caller's tilecut_params, with ranges checked and defaults filled in. This is done once, where a call
 * enters the library, so no later code has to interpret a zero.
 */
#pragma once

#include <stdbool.h>

#include "exact_math.h"
#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of an image in device memory: the part of `width` x `height` pixels at (x, y), with rows `stride` bytes
 * apart. */
typedef struct tc_there {
    const uint8_t *pixels;
    size_t stride;
    int x, y, width, height;
} tc_there;

typedef struct tc_setup {
    const char *solver;         /* name of the solver; NULL: chosen from the graph     */
    const char *colors;         /* name of the colour model; NULL: the first one       */
    double lambda;              /* >= 0                                                */
    double sigma;               /* > 0; 0: automatic                                   */
    double data_weight;         /* > 0                                                 */
    double spatial;             /* >= 0                                                */
    int connectivity;           /* 4 or 8; for a volume 6 or 26                        */
    int slice_rows;             /* for a volume, whose slices lie one below the other in the image: rows of a slice;
                                   else 0 */
    double spacing[3];          /* for a volume: distances between neighbours along x, y and z; the smallest is 1 */
    int iterations;             /* the most iterations; 0: chosen from the seeds; -1: none */
    int effort;                 /* 1 .. TILECUT_MAX_EFFORT                             */
    bool soft_seeds;
    bool guess_of_all;          /* for an image in parts. True: every part has the `guess` of the whole image; false:
                                   `guess` has this part's rows. The field is placed here so that a test can compare
                                   fields without padding */
    bool guess_has_evidence;           /* each byte of `guess` stands for a cell of the whole image: bit 0 is the guess,
                                          and its other bits are evidence, see reach.h */
    bool islands;
    bool draft;                 /* the answer is only a guess within a search, so the host does not prove it. Set by the
                                   library */
    bool lambda_by_strokes;     /* the caller did not give lambda for a volume, so tc_energy_look_at_strokes() sets
                                   it */
    bool spatial_by_strokes;    /* true: the caller did not give `spatial`, so tc_seeds_settle() may raise it */
    /* For a volume whose mask alone is needed: tc_learns_on_device() (iterate.h). NULL: the host learns. */
    bool (*learns_there)(const tilecut_image *image, const struct tc_setup *setup);
    int threads;                /* at least 1                                          */
    int device;                 /* CUDA's index, >= 0                                  */
    const tc_there *there;      /* NULL, or pixels of the image that are on that device already. Set by segment.c */
    const uint8_t *prior;        /* NULL: none                                          */
    size_t prior_stride;         /* bytes from a row of `prior` to the next; 0: the width, as always after
                                    tc_prior_open(), which packs it */
    double prior_weight;         /* >= 0                                                */
    double prior_reach;          /* >= 0; 0: derived from the mask                      */
    const uint8_t *guess;       /* NULL, or a mask of guess_width x guess_height from which learning begins. It does not
                                   come from the caller: segment.c and coarse_search.c set it */
    int guess_width, guess_height;
    int guess_slice_rows;       /* for a volume whose guess has a byte per cell: rows of cells in a slice; else 0 */
    uint8_t *own_seeds;         /* seeds of a volume of several slices, owned by the library; else NULL */
    size_t seeds_stride, mask_stride; /* 0: the width. Inside the library all rows are packed */
    const tilecut_flag *cancel; /* NULL: there is none                                 */
    struct tilecut_memo *memo;  /* NULL: there is none. Set by tilecut_memo_cut()      */
    struct tc_comm *comm;   /* the communicator with the other parts of the image; NULL: the image is in one part. Set
                               by parts_door.c */
} tc_setup;

/* Reads `params`; NULL means all defaults. Returns EINVAL if a field is out of range, with a sentence that names the
 * field. Names are not looked up here. */
tilecut_status tc_setup_resolve(tc_setup *setup, const tilecut_params *params);

/* Refuses prior_reach, prior_stride and prior_weight without a prior, in calls that refine no label map. The weight's
 * default is fine; so is any weight if `weighed`, because a session has a mask of its own that it may be for. */
tilecut_status tc_setup_check_prior(const tc_setup *setup, bool weighed);

/* Returns the row of a guess of `cells` rows that covers row y of `all`. slice_rows, cell_slice_rows: rows of a slice
 * of both; cell_slice_rows is 0 if slices do not matter. */
static TC_BOTH inline size_t tc_guess_row_at(int y, int all, int slice_rows, int cells, int cell_slice_rows)
{
    const int slices = cell_slice_rows ? cells / cell_slice_rows : 1, rows = cells / slices;
    const int depth = cell_slice_rows ? all / slice_rows : 1, height = all / depth;
    const int64_t slice = (2 * (int64_t)(y / height) + 1) * slices / (2 * depth);
    return (size_t)(slice * rows + (2 * (int64_t)(y % height) + 1) * rows / (2 * height));
}

/* Returns the column of a guess of `cells` columns that covers column x of `width`. */
static TC_BOTH inline size_t tc_guess_column_at(int x, int width, int cells)
{
    return (size_t)((2 * (int64_t)x + 1) * cells / (2 * (int64_t)width));
}

/* Writes row y of setup->guess as labels, one per pixel. The guess is scaled to an image of `width` columns and `all`
 * rows. */
void tc_setup_guess_row(const tc_setup *setup, int width, int y, int all, uint8_t *labels);

/* Does the same as tc_setup_resolve() for a volume: 26 neighbours, or 6. */
tilecut_status tc_setup_resolve_volume(tc_setup *setup, const tilecut_params *params);

static inline bool tc_flag_raised(const tilecut_flag *flag)
{
    return flag && __atomic_load_n(&flag->raised, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}
#endif
