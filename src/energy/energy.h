/* SPDX-License-Identifier: MIT
 *
 * energy.h - the Boykov-Jolly energy of an image with seeds, in whole numbers of quanta. The last rounding happens
 * here. All transcendental functions are computed once and put into tables (contrast -> link capacity, colour ->
 * terminal capacities). Building a graph is then look-ups and integer arithmetic, with the same bits on a CPU and on a
 * GPU.
 *
 * The quantum is chosen so that links are at most 2^18, and terminal links and K at most 2^21. With 8 neighbours every
 * sum at a pixel is then below 2^23. With 26 neighbours it is below 2^24, the limit of tc_grid, because most of their
 * links are longer and so weaker.
 */
#pragma once

#include <stdbool.h>

#include "comm.h"
#include "colors.h"
#include "lattice.h"
#include "nearness.h"
#include "params.h"
#include "tilecut.h"

typedef struct tc_energy {
    tilecut_image image;   /* the caller owns the pixels; a volume's slices lie one below the other   */
    int slice_rows;        /* rows of a slice; 0: an image                                            */
    const uint8_t *seeds;  /* the caller's array                                                      */
    int connectivity;      /* 4 or 8; for a volume 6 or 26                                            */
    double spacing[3];     /* distances of neighbours along x, y and z; the smallest is 1; in images all are 1 */
    bool soft_seeds;
    double lambda, beta;   /* beta per squared 8-bit grey level                                       */
    double data_weight, spatial; /* weights of the colour term and of the spatial term; 0: there is no such term */
    double quantum;        /* model units per quantum, a power of two                                 */
    const tc_colors *model;
    tc_training_set training;      /* the input from which the model was learnt; training.labels is valid only during
                                      learning */
    bool painted;          /* true: there are strokes, with or without a box                          */
    bool totals;           /* true: compute the next field                                            */
    double shared;         /* the constant, in model units, that is left out of the costs of all labellings. With it,
                              energies of different models of one image can be compared */
    int32_t seed_capacity; /* K of Boykov & Jolly: more than all links of a pixel can carry           */
    int32_t *link[TC_LINKS]; /* [keys] capacity of the links of each kind (lattice.h) by contrast key; the last entry
                              also holds for all higher keys. Kinds of one length share a table       */
    int32_t keys;
    int color_bits;        /* leading bits used of each channel; 0: no colour term                    */
    bool all_colors;       /* true: the next two tables also have entries for colours that the image does not have */
    int32_t *source_cost;  /* [bins] source link of an unseeded pixel by colour: the cost of labelling
                              it background                                                           */
    int32_t *sink_cost;    /* [bins] sink link: the cost of labelling it foreground                   */
    const uint8_t *prior;   /* the caller's prior mask, see prior.h; NULL: none                         */
    double prior_weight;    /* weight of the prior mask far from its outline, in model units                 */
    uint8_t *nearness;     /* [pixels] levels of the spatial term or of the term that replaces it (nearness.h), a shared
                              array (shared_array.h); NULL: none */
    bool shares;           /* copies of this energy share `nearness`, because neither seeds nor a prior mask change
                              while they learn */
    bool holds;            /* true: `nearness` ties pixels to a mask, see tc_energy_hold() */
    const uint8_t *evidence; /* levels of tc_evidence_favour() in bits 1 to 7, for evidence_width x evidence_height
                                cells of the whole image; part of the first guess; NULL: none */
    int evidence_width, evidence_height, evidence_slice_rows; /* as guess_width and so on in tc_setup */
    int32_t near_cost[255][2]; /* by level of nearness: quanta that are added to the source link and to the sink link */
    tc_comm *comm;         /* the communicator with the other parts; NULL: the image is not split     */
    double model_ms;
} tc_energy;

/* Returns the row to which links of kind k lead from row y; -1 if it lies outside. In a volume, here and below, rows
 * are numbered through all slices. */
static inline int tc_energy_far_row(const tc_energy *energy, int k, int y)
{
    const int rows = energy->slice_rows ? energy->slice_rows : energy->image.height;
    const tc_link_steps step = tc_link_step(energy->connectivity, k);
    const int far_row = y + step.y + step.z * rows;
    return y % rows + step.y < 0 || y % rows + step.y >= rows || far_row >= energy->image.height ? -1 : far_row;
}

/* Returns the row from which links of kind k lead to row y; -1 if it lies outside. */
static inline int tc_energy_near_row(const tc_energy *energy, int k, int y)
{
    const int rows = energy->slice_rows ? energy->slice_rows : energy->image.height;
    const tc_link_steps step = tc_link_step(energy->connectivity, k);
    const int far_row = y - step.y - step.z * rows;
    return y % rows - step.y < 0 || y % rows - step.y >= rows || far_row < 0 ? -1 : far_row;
}

/* Returns the lattice of its pixels, in the form in which functions of distances take it. */
static inline tc_nearness_lattice tc_energy_lattice(const tc_energy *energy)
{
    const double *const step = energy->spacing;
    const tc_nearness_lattice lattice = {energy->image.width, energy->image.height, energy->slice_rows,
                                         {step[0], step[1], step[2]}};
    return lattice;
}

/* Returns EINVAL if there is no colour model named params->colors. */
tilecut_status tc_energy_check_params(const tc_setup *params);

/* Checks seeds, learns the colour model, and fills the tables. `image` and `seeds` must outlive `energy`. On failure
 * `energy` is empty. */
tilecut_status tc_energy_init(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                              const tc_setup *params);

/* The two steps of tc_energy_init(): tc_energy_open() checks seeds and measures contrast, and tc_energy_learn() does
 * the rest. After the first step there are no tables yet. Instead of tc_energy_learn(), tc_energy_relearn() can then
 * learn from a mask. */
tilecut_status tc_energy_open(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                              const tc_setup *params);
tilecut_status tc_energy_learn(tc_energy *energy, const tc_setup *params);

/* Call it after tc_energy_open(). Does the part of learning that depends on no mask, in one thread, which saves time
 * later. */
tilecut_status tc_energy_prepare(tc_energy *energy);

/* Makes `after` from `before`, with a colour model learnt from the seeds and `mask`, which is a minimum cut of
 * `before`, 0 or 255 per pixel. */
tilecut_status tc_energy_relearn(const tc_energy *before, const uint8_t *mask, tc_energy *after);

/* Does the same as tc_energy_relearn(), but learns some foreground pixels of `mask` that are not seeds as background.
 * If `move` is even, these are the pixels that most likely belong to part move / 2 of the foreground's model; if it is
 * odd, those that belong to any other part. 0 <= move < 2 * model->parts. */
tilecut_status tc_energy_move_color(const tc_energy *before, const uint8_t *mask, int move, tc_energy *after);

/* Learns from a first guess again, with another of the model's starts. With strokes and no box, the guess is that all
 * pixels but the foreground's strokes are background. */
tilecut_status tc_energy_restart(const tc_energy *before, int start, tc_energy *after);

/* Checks that the seeds suffice. of[label] is the number of pixels with that label, and `bad` the number of invalid
 * labels. Each class must occur; with a colour model a box alone is enough. */
tilecut_status tc_energy_check_labels(const uint64_t of[4], uint64_t bad, const tc_colors *model);

/* Returns EINVAL if one of `count` labels is not valid. */
tilecut_status tc_energy_check_labelled(const uint8_t *labels, size_t count);

/* Checks that `seeds` can replace energy->seeds. Does not change the tables learnt from the old seeds. */
tilecut_status tc_energy_check_seeds(const tc_energy *energy, const uint8_t *seeds);

/* Turns `energy` into the energy of the next image of a film, which must have the same size, channels and depth. From
 * then on it reads `image` and `seeds`; `painted` says whether there are strokes. Costs of colours, contrast scale,
 * weights and quantum stay as learnt; links follow the new pixels. `prior`, packed rows of a mask as in prior.h,
 * replaces the spatial term; its `weight` is limited so that terminal capacities stay within bounds. The caller owns
 * all three. On failure `energy` is unchanged. */
tilecut_status tc_energy_advance(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                                 bool painted, const uint8_t *prior, double weight);

/* Chooses the quantum and fills the tables, from the costs of a colour model and the weight of the spatial term. All
 * other fields must be set. */
tilecut_status tc_energy_tabulate(tc_energy *energy, const tc_color_costs *costs, double spatial);
void tc_energy_free(tc_energy *energy);

/* For a volume, before it is learnt: computes energy->nearness, marks far strokes in params->own_seeds, which are
 * energy->seeds, and chooses lambda if params->lambda_by_strokes is set. */
tilecut_status tc_energy_look_at_strokes(tc_energy *energy, const tc_setup *params);

/* Moves the tables and the model from `part` to `energy`. `part` is the energy of a window of the image, outside of
 * which all pixels are seeds. Links and free pixels of the window then have the same capacities in both energies.
 * `part` is empty afterwards. */
void tc_energy_take(tc_energy *energy, tc_energy *part);

/* Writes the capacities of the links of kind k that leave row `y`; the links back have the same capacities. Returns
 * false if the row to which they lead lies outside. Entries of pixels whose neighbour lies outside are not written. */
bool tc_energy_links(const tc_energy *energy, int k, int y, int32_t *to);

/* Writes the capacities of row `y` of an image: source, sink and to[k]. from[k] would be equal to to[k] and is not
 * written. Entries whose neighbour lies outside the image are undefined. */
void tc_energy_row(const tc_energy *energy, int y, tilecut_row *row);

/* Does the same for `n` pixels of row y of an image or a volume, beginning at column x. Links to pixels beyond these
 * are undefined. */
void tc_energy_row_part(const tc_energy *energy, int x, int y, int n, int32_t *source, int32_t *sink,
                        int32_t *const to[TC_LINKS]);

/* Writes only the terminal capacities of row `y`, for `seeds` in place of the row's own seeds. */
void tc_energy_terminals(const tc_energy *energy, int y, const uint8_t *seeds, int32_t *source, int32_t *sink);

/* Returns the contrast key of a squared difference of two 16-bit colours. It is exact below 2^11; above that it
 * consists of the 11 leading bits and their exponent, so a small table covers 34 bits. (An 8-bit difference is its own
 * key.) */
static inline int32_t tc_contrast_key(uint64_t squared)
{
    if (squared < 1u << 11) return (int32_t)squared;
    const int exponent = 63 - __builtin_clzll(squared) - 10;
    return (int32_t)((exponent << 10) + (int)(squared >> exponent));
}
