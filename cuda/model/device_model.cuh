/* SPDX-License-Identifier: MIT
 *
 * device_model.cuh - learns an energy on the device from pixels and seeds that are already there: contrast scale,
 * colour model, quantum and tables. All results have the same bits as those of src/energy/energy_learn.c.
 */
#pragma once

#include "device_energy.cuh"

extern "C" {
#include "energy_math.h"
}

/* What to learn; see tc_setup. */
typedef struct model_request {
    const tc_colors *colors;
    int bits;     /* bits of each channel in the lattice of colours; 0: no colour model */
    size_t bins;
    double lambda, sigma, data_weight, spatial; /* spatial: 0 without a colour model */
    bool totals;  /* true: compute `shared`, as in tc_energy                  */
    int connectivity; /* 4 or 8; 6 for a volume                               */
    int slice_rows;   /* the rows of a volume's slice; 0: an image            */
    double spacing[3]; /* of a volume: as in tc_setup                         */
    bool guess, evidence; /* true: there is a first guess; its evidence replaces the spatial term      */
    bool far;         /* of a volume: distances between its strokes matter, as with tc_setup's own_seeds */
} model_request;

/* The input of a training, like tc_training_set of src/energy/colors.h. */
typedef struct model_training {
    /* [pixels] on the device, 0 or 255: the labels. NULL: the labels are the seeds and, in a box, the guess. At the
     * second start with strokes alone, all unseeded pixels are background */
    const uint8_t *mask;
    bool measured;       /* true: the contrast scale is known from an earlier training                            */
    bool learnt;         /* true: there is a mixture to start from                                             */
    int start;           /* as in tc_training_set                                                                     */
    int move;            /* as in tc_energy_move_color(): chooses the foreground of the mask that becomes background;
                            0: none */
    bool goes_on;        /* true: the grid holds a complete flow, for what was learnt before                   */
} model_training;

/* Facts about the seeds. Extents are stored as maxima, so that 0 is a valid start. */
typedef struct model_census {
    unsigned labels[4], bad; /* pixels with each label, and pixels without a valid one                        */
    /* maxima over pixels with that label: width - x, x + 1, height - y, y + 1; in a volume y counts rows of a slice,
     * and depth - z, z + 1 follow */
    int unknown[6], foreground[6];
} model_census;

/* The results of learning, in device memory. */
typedef struct learnt {
    unsigned samples[2];     /* the number of colours with some weight in each class */
    unsigned labelled[2];    /* the number of pixels of each class                   */
    unsigned blocks;         /* the number of blocks that have finished their costs  */
    int highest;             /* the highest cost of a colour, as the bits of a float */
    int32_t seed_capacity;
    double quantum, spatial;
    unsigned long long shared; /* the cost that all labellings share, as tc_cost_parts() counts it */
    /* Kept from one training to the next: */
    double beta;
    model_census census;
    unsigned long long gap; /* of a volume: the sum of chamfer distances from foreground seeds to background seeds */
    tc_mixture mixture[2];
} learnt;

/* The scales with which the links of a grid were made, in device memory. */
typedef struct built_links {
    double quantum, beta;
    int same; /* 1: the grid holds a complete flow, and its links stay the same, so the next solve begins with it */
} built_links;

/* The tables to fill, in device memory; `energy` points to the same tables. */
typedef struct model_tables {
    int32_t *straight, *slanted, *source_cost, *sink_cost, *near_cost; /* costs of links along the axes and along
                                                                            diagonals (NULL with 4 neighbours), of
                                                                            terminals by colour, and of nearness */
    learnt *facts;
    built_links *links; /* NULL: not needed */
} model_tables;

model_request model_request_of(const tilecut_image *image, const tc_setup *params);

/* The number of entries in a table of links for an image with these channels and bits. */
int32_t model_keys(const tilecut_image *image);

size_t model_scratch_bytes(const tilecut_image *image, const model_request *request);

/* Queues the count of the seeds on `stream`: writes facts->census. slice_rows: as in model_request. */
tilecut_status model_take_census(const device_energy *energy, int slice_rows, learnt *facts, cudaStream_t stream);

/* Queues all learning after the census. The image, the seeds and `last` must be set in `energy`. The earlier facts are
 * copied to `before` unless that is NULL. */
tilecut_status model_learn(const device_energy *energy, const model_request *request, const model_training *training,
                           const model_tables *tables, learnt *before, void *scratch, cudaStream_t stream);

/* The bounding box that an entry of a census describes. */
static __host__ __device__ inline tc_extent extent_of(const int most[6], int width, int height)
{
    return {width - most[0], most[1] - 1, height - most[2], most[3] - 1};
}

/* The bounding box in an image (slice_rows 0), or in a volume whose slices have `slice_rows` of the `height` rows. */
static __host__ __device__ inline tc_block block_of(const int most[6], int width, int height, int slice_rows)
{
    const tc_extent e = extent_of(most, width, slice_rows ? slice_rows : height);
    const int first = slice_rows ? height / slice_rows - most[4] : 0, end = slice_rows ? most[5] : 1;
    return {e.x0, e.y0, first, e.x1 - e.x0 + 1, e.y1 - e.y0 + 1, end - first};
}

/* True if the seeds draw a box whose foreground has to be guessed. */
static __host__ __device__ inline bool is_guessed(const model_census &census, int bits)
{
    return bits && census.labels[TILECUT_OUTSIDE] > 0;
}
