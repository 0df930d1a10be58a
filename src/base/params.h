/* SPDX-License-Identifier: MIT
 *
 * params.h - the caller's tilecut_params with ranges checked and defaults filled in. That is done once, where the
 * library is entered; no code after that asks what zero means.
 */
#pragma once

#include <stdbool.h>

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_setup {
    const char *solver;         /* NULL: to be chosen                                  */
    const char *colors;         /* NULL: the first model                               */
    double lambda;              /* >= 0                                                */
    double sigma;               /* > 0; 0: automatic                                   */
    double data_weight;         /* > 0                                                 */
    double spatial;             /* >= 0                                                */
    int connectivity;           /* 4 or 8; of a volume 6 or 26                         */
    int slice_rows;             /* rows of a slice, if the image has those of a volume, one below the other; else 0 */
    double spacing[3];          /* of a volume: distances of neighbours along x, y and z; the least is 1 */
    int iterations;             /* most iterations; 0: as many as suit the seeds; -1: none */
    int effort;                 /* 1 .. TILECUT_MAX_EFFORT                             */
    bool soft_seeds;
    bool guess_of_all;          /* image in parts: every part has the `guess` of the whole image; else `guess` has
                                   this part's rows. Placed here so that a test can compare fields without padding */
    bool guess_has_evidence;           /* `guess` is of cells of the whole image, in bit 0; its other bits are
                                          evidence, see reach.h */
    bool islands;
    bool draft;                 /* the answer is only a guess within a search, so the host does not prove it. Set by
                                   the library */
    bool lambda_by_strokes;     /* lambda of a volume was not given: tc_energy_look_at_strokes() sets it */
    bool spatial_by_strokes;    /* `spatial` was not given: tc_seeds_settle() may raise it */
    int threads;                /* >= 1                                                */
    int device;                 /* CUDA's index, >= 0                                  */
    const uint8_t *prior;        /* NULL: none                                          */
    size_t prior_stride;         /* 0: the width                                        */
    double prior_weight;         /* >= 0                                                */
    double prior_reach;          /* >= 0; 0: derived from the mask                      */
    const uint8_t *guess;       /* NULL, or a mask of guess_width x guess_height with which learning
                                   begins. Not the caller's: set by segment.c and coarse_search.c */
    int guess_width, guess_height;
    uint8_t *own_seeds;         /* seeds of a volume of several slices, owned by the library; else NULL */
    size_t seeds_stride, mask_stride; /* 0: the width. Inside the library all rows are packed */
    const tilecut_flag *cancel; /* NULL: there is none                                 */
    struct tilecut_memo *memo;  /* NULL: there is none. Set by tilecut_memo_cut()      */
    struct tc_comm *comm;   /* reaches the other parts of the image; NULL: it is whole. Set by parts_door.c */
} tc_setup;

/* Reads `params`, NULL for all defaults. EINVAL says which field is out of range. Names are not looked up here. */
tilecut_status tc_setup_resolve(tc_setup *setup, const tilecut_params *params);

/* Row y of setup->guess, enlarged or made smaller to `width` columns and `all` rows: a label per pixel. */
void tc_setup_guess_row(const tc_setup *setup, int width, int y, int all, uint8_t *labels);

/* tc_setup_resolve() for a volume: 26 neighbours, or 6. */
tilecut_status tc_setup_resolve_volume(tc_setup *setup, const tilecut_params *params);

static inline bool tc_flag_raised(const tilecut_flag *flag)
{
    return flag && __atomic_load_n(&flag->raised, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}
#endif
