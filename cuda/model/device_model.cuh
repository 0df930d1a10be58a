/* SPDX-License-Identifier: MIT
 *
 * device_model.cuh - learning an energy on the device: contrast scale, colour model, quantum and tables, bit for bit
 * those of src/energy/energy_learn.c, from pixels and seeds that lie there.
 */
#ifndef TC_DEVICE_MODEL_CUH
#define TC_DEVICE_MODEL_CUH

#include "device_energy.cuh"

/* What is asked for; see tc_setup. */
typedef struct model_request {
    const tc_colors *colors;
    int bits;     /* of each channel in the lattice of colours; 0: no colours */
    size_t bins;
    double lambda, sigma, data_weight, spatial; /* spatial: 0 without colours */
} model_request;

/* What it is learnt from, as tc_lesson of src/energy/colors.h. */
typedef struct model_lesson {
    const uint8_t *mask; /* [pixels] on the device, 0 or 255: the labels, with the mixture there to go on from; NULL:
                            the seeds are, and nothing has been learnt yet                                        */
    double foreground;   /* pixels that are 255                                                                */
    bool guessed;        /* as tc_lesson's                                                                     */
    bool totals;         /* whether `shared` is wanted                                                         */
} model_lesson;

/* What is learnt, in device memory. */
typedef struct learnt {
    unsigned labels[4], bad; /* pixels by label, and those with none of the four           */
    unsigned samples[2];     /* colours seen in each class                                 */
    int highest;             /* bits of the highest cost of a colour                       */
    int32_t seed_capacity;
    double beta, quantum, spatial;
    unsigned long long shared; /* what all labellings cost, in parts: see tc_cost_parts()  */
    tc_mixture mixture[2];   /* last: what stays from lesson to lesson                     */
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

/* Queues all of it on `stream`. Of `energy`, image, seeds and `last` are set; `scratch` is as above. */
tilecut_status model_learn(const device_energy *energy, const model_request *request, const model_lesson *lesson,
                           const model_tables *tables, void *scratch, cudaStream_t stream);

#endif
