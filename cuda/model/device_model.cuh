/* SPDX-License-Identifier: MIT
 *
 * device_model.cuh - learning an energy on the device: contrast scale, colour model, quantum and tables, bit for bit
 * those of src/energy/energy_learn.c, from pixels and seeds that lie there.
 */
#ifndef TC_DEVICE_MODEL_CUH
#define TC_DEVICE_MODEL_CUH

#include "device_energy.cuh"

extern "C" {
#include "energy_math.h"
}

/* What is asked for; see tc_setup. */
typedef struct model_request {
    const tc_colors *colors;
    int bits;     /* of each channel in the lattice of colours; 0: no colours */
    size_t bins;
    double lambda, sigma, data_weight, spatial; /* spatial: 0 without colours */
    bool totals;  /* whether `shared` is wanted, as tc_energy's               */
} model_request;

/* What it is learnt from, as tc_lesson of src/energy/colors.h. */
typedef struct model_lesson {
    const uint8_t *mask; /* [pixels] on the device, 0 or 255: the labels; NULL: seeds, and the guess where there is a
                            box                                                                               */
    bool measured;       /* the contrast scale is known from a lesson before                                    */
    bool learnt;         /* there is a mixture to go on from                                                   */
    int start;           /* as tc_lesson's, if there is none                                                    */
    int move;            /* of tc_energy_unlearn(): what of the mask counts as background; < 0: nothing           */
} model_lesson;

/* What seeds say. All is the most of its kind, so that it can begin as 0. */
typedef struct model_census {
    unsigned labels[4], bad; /* pixels by label, and those with none of the four                              */
    int unknown[4], foreground[4]; /* of those labels: width - x, x + 1, height - y, y + 1, most of each      */
} model_census;

/* What is learnt, in device memory. */
typedef struct learnt {
    unsigned samples[2];     /* colours with some weight in each class                     */
    unsigned labelled[2];    /* pixels of each class                                       */
    int highest;             /* bits of the highest cost of a colour                       */
    int32_t seed_capacity;
    double quantum, spatial;
    unsigned long long shared; /* what all labellings cost, in parts: see tc_cost_parts()  */
    /* What stays from lesson to lesson: */
    double beta;
    model_census census;
    tc_mixture mixture[2];
} learnt;

/* Tables to be filled, in device memory: those that `energy` points to. */
typedef struct model_tables {
    int32_t *straight, *source_cost, *sink_cost, *near_cost;
    learnt *facts;
} model_tables;

model_request model_request_of(const tilecut_image *image, const tc_setup *params);

/* Entries of a table of links for images of that kind. */
int32_t model_keys(const tilecut_image *image);

size_t model_scratch_bytes(const tilecut_image *image, const model_request *request);

/* Queues a look at the seeds on `stream`: facts->census, of facts that are cleared. */
tilecut_status model_take_census(const device_energy *energy, learnt *facts, cudaStream_t stream);

/* Queues all the rest, once there is a census. Of `energy`, image, seeds and `last` are set; `scratch` is as above. */
tilecut_status model_learn(const device_energy *energy, const model_request *request, const model_lesson *lesson,
                           const model_tables *tables, void *scratch, cudaStream_t stream);

/* A box of a census. */
static __host__ __device__ inline tc_extent extent_of(const int most[4], int width, int height)
{
    return {width - most[0], most[1] - 1, height - most[2], most[3] - 1};
}

/* Whether what is in the box that the seeds draw is a guess. */
static __host__ __device__ inline bool is_guessed(const model_census &census, int bits)
{
    return bits && census.labels[TILECUT_OUTSIDE] > 0;
}

#endif
