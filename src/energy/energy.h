/* SPDX-License-Identifier: MIT
 *
 * energy.h - the Boykov-Jolly energy of an image with seeds, as whole numbers of quanta. This is where the
 * last rounding happens: everything transcendental is tabulated once (contrast -> link capacity, colour ->
 * terminal capacities), so building a graph is integer arithmetic and look-ups, the same bits on a CPU and
 * on a GPU.
 *
 * Bounds, by choice of the quantum: links <= 2^18, terminals and K <= 2^21. With 8 neighbours that leaves
 * every sum at a pixel below 2^23 (tc_grid's limit is 2^24).
 */
#ifndef TC_ENERGY_H
#define TC_ENERGY_H

#include <stdbool.h>

#include "colors.h"
#include "params.h"
#include "tilecut.h"

typedef struct tc_energy {
    tilecut_image image;   /* pixels owned by the caller                                              */
    const uint8_t *seeds;  /* the caller's                                                            */
    int connectivity;
    bool soft_seeds;
    double lambda, beta;   /* beta per squared 8-bit grey level                                       */
    double data_weight, spatial; /* of colours; of where a pixel lies, 0: none                            */
    double quantum;        /* model units per quantum, a power of two                                 */
    const tc_colors *model;
    tc_lesson lesson;      /* what the model has learnt from; its labels only while it learns         */
    bool painted;          /* some strokes are there beside a box, or alone                           */
    bool totals;           /* whether `shared` is wanted                                              */
    double shared;         /* what all labellings cost, in model units: with it, energies of different
                              models of one image can be compared                                     */
    int32_t seed_capacity; /* K of Boykov & Jolly: more than all links of a pixel can carry           */
    int32_t *straight;     /* [keys] capacity of a link by its contrast key; the last entry holds for
                              every higher key                                                        */
    int32_t *slanted;      /* the same for diagonals; NULL for 4 neighbours                           */
    int32_t keys;
    int color_bits;        /* of each channel; 0: no colour terms                                     */
    bool all_colors;       /* the two tables hold for colours that the image has not, too             */
    int32_t *source_cost;  /* [bins] source link of an unseeded pixel by colour: the cost of calling
                              it background                                                           */
    int32_t *sink_cost;    /* [bins] sink link: the cost of calling it foreground                     */
    const uint8_t *wish;   /* the caller's mask that is wished for, see wish.h; NULL: none                     */
    size_t wish_stride;
    double wish_weight;    /* of that term, in model units, far from the mask's edge                        */
    uint8_t *nearness;     /* [pixels] how it lies among the strokes, see nearness.h; NULL: no such term */
    int32_t near_cost[255][2]; /* by nearness: what it adds to source and sink                          */
    double model_ms;
} tc_energy;

/* Whether there is a colour model of that name. */
tilecut_status tc_energy_check_params(const tc_setup *params);

/* Checks seeds, learns the colour model, fills the tables. `image` and `seeds` must outlive
 * `energy`. On failure `energy` is empty. */
tilecut_status tc_energy_init(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                              const tc_setup *params);

/* The same with a colour model learnt from `mask` (0 or 255 a pixel), a minimum cut of `before`, and from the seeds. */
tilecut_status tc_energy_relearn(const tc_energy *before, const uint8_t *mask, tc_energy *after);

/* The same, as if `mask` left out what has the colours of one part of the foreground's model, or all of the others, but
 * for what is seeded: part move / 2, the others if `move` is odd, which is below 2 * model->parts. */
tilecut_status tc_energy_unlearn(const tc_energy *before, const uint8_t *mask, int move, tc_energy *after);

/* The same from the first guess again, where foreground is not seeded, with another of the model's starts. */
tilecut_status tc_energy_restart(const tc_energy *before, int start, tc_energy *after);

/* Whether seeds will do, of which there are of[label], and `bad` with none of the four labels: each class must occur. A
 * box alone will do, with a colour model. */
tilecut_status tc_energy_check_labels(const uint64_t of[4], uint64_t bad, const tc_colors *model);

/* EINVAL where one of `count` labels is none. */
tilecut_status tc_energy_check_labelled(const uint8_t *labels, size_t count);

/* Whether `seeds` may take the place of energy->seeds. The tables stay what those have taught. */
tilecut_status tc_energy_check_seeds(const tc_energy *energy, const uint8_t *seeds);

/* The energy of the next image of a film, in place: of the same size, channels and depth, which `energy` reads from now
 * on, with its own seeds (`painted`: there are some). Colours and their costs, contrast scale, weights and quantum stay
 * as learnt; links follow the new pixels; `wish`, packed rows as of wish.h, takes the place of the spatial term with
 * that weight, as far as terminals have room for it. All three are the caller's. On failure `energy` is as before. */
tilecut_status tc_energy_advance(tc_energy *energy, const tilecut_image *image, const uint8_t *seeds,
                                 bool painted, const uint8_t *wish, double weight);

/* Chooses the quantum and fills the tables, for a colour model's costs and that weight of nearness; the rest is set. */
tilecut_status tc_energy_tabulate(tc_energy *energy, const tc_color_costs *costs, double spatial);
void tc_energy_free(tc_energy *energy);

/* Capacities of row `y`: source, sink and to[k] (from[k] is the same and not written). Entries whose
 * neighbour lies outside the image are left undefined. */
void tc_energy_row(const tc_energy *energy, int y, tilecut_row *row);

/* The same of `n` pixels of the row from column x on, whose neighbours beyond those have no link. */
void tc_energy_row_part(const tc_energy *energy, int x, int y, int n, tilecut_row *row);

/* Terminal capacities of row `y` alone, with `seeds` for the row's own. */
void tc_energy_terminals(const tc_energy *energy, int y, const uint8_t *seeds, int32_t *source, int32_t *sink);

/* The contrast key of a squared difference of two 16-bit colours: exact below 2^11, then the 11 leading
 * bits with their exponent, so that a small table covers 34 bits. (8-bit differences are their own key.) */
static inline int32_t tc_contrast_key(uint64_t squared)
{
    if (squared < 1u << 11) return (int32_t)squared;
    const int exponent = 63 - __builtin_clzll(squared) - 10;
    return (int32_t)((exponent << 10) + (int)(squared >> exponent));
}

#endif
