/* SPDX-License-Identifier: MIT
 *
 * cuda_parts.h - a part of an image or a volume whose grid lies on a CUDA device; used by src/parts. See cuda_device.h.
 * Each function returns when its work is done. For a volume, "row" means a slice, as in src/parts/part.h.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda_backend.h"

enum { TC_CUDA_SIDES = 2, TC_CUDA_KINDS = 3 };

/* A border of a part: the row of the halo and the own row beside it, as rows of the part's grid. Links of kind k lead
 * from own pixels in direction[k], and end step[k] pixels to the right. `halo` is -1 if there is no neighbour. */
typedef struct tc_cuda_border {
    int halo, own, kinds;
    int direction[TC_CUDA_KINDS], step[TC_CUDA_KINDS];
} tc_cuda_border;

/* The grid of a part. Opaque. */
typedef struct tc_cuda_part tc_cuda_part;

/* Builds the grid of `graph` as tc_cuda_graph_create() does. The halo is closed at first. *part is NULL on failure. */
tilecut_status tc_cuda_part_open(tc_cuda_part **part, const tilecut_graph *graph, int device,
                                 const tc_cuda_border border[TC_CUDA_SIDES]);
void tc_cuda_part_close(tc_cuda_part *part); /* NULL is allowed */
size_t tc_cuda_part_bytes(const tc_cuda_part *part); /* device memory held */

/* The arrays in device memory for the rows of links that are sent and received over side `s`. */
void tc_cuda_part_rows(const tc_cuda_part *part, int s, int32_t **out, int32_t **in);

/* These functions do the same as the functions with these names in tc_part_backend (src/parts/part.h). `s` is a side
 * with a neighbour. Arrays have one entry per pixel of a row; arrays of links have one per pixel and kind of link. Rows
 * of links may also be the arrays of tc_cuda_part_rows(). */
tilecut_status tc_cuda_part_solve(tc_cuda_part *part, const tc_solve_params *params);
tilecut_status tc_cuda_part_unseal(tc_cuda_part *part, int s, const int32_t *level, int32_t wanted);
tilecut_status tc_cuda_part_take_flows(tc_cuda_part *part, int s, int32_t *out);
tilecut_status tc_cuda_part_put_flows(tc_cuda_part *part, int s, const int32_t *in, bool *any);
tilecut_status tc_cuda_part_show_residuals(tc_cuda_part *part, int s, int32_t *out);
tilecut_status tc_cuda_part_set_residuals(tc_cuda_part *part, int s, const int32_t *in);
tilecut_status tc_cuda_part_search(tc_cuda_part *part);
tilecut_status tc_cuda_part_count(tc_cuda_part *part, int64_t *all, int64_t *reached);
tilecut_status tc_cuda_part_get_reached(tc_cuda_part *part, int s, uint8_t *reached);
tilecut_status tc_cuda_part_add_reached(tc_cuda_part *part, int s, const uint8_t *news);
tilecut_status tc_cuda_part_flood(tc_cuda_part *part); /* continues the flood from the pixels reached so far */

/* Copies `count` rows, beginning with row `first`, to packed[count][words] on the host (with `out`), or back. The rows
 * are in the form of src/parts/packed_rows.h, with all columns. */
tilecut_status tc_cuda_part_copy(tc_cuda_part *part, int first, int count, size_t words, float *packed, bool out);

/* Does the same as tc_nearness() for one part, on device comm->device. The parts exchange distances along their
 * borders. */
tilecut_status tc_cuda_part_nearness(tc_comm *comm, const uint8_t *seeds, int width, int height, uint8_t *level);

/* Copies from device to device. The copy is direct if tc_cuda_reach() was called for the two devices, where
 * tc_cuda_reaches() allows that. Direct access holds for the whole process: disabling it ends it for all users, and
 * CUDA's tools report an error if it is enabled twice. */
tilecut_status tc_cuda_copy_across(void *to, const void *from, size_t bytes);
bool tc_cuda_reaches(int from, int to);
void tc_cuda_reach(int from, int to);
void tc_cuda_reach_no_more(int from, int to);

/* Makes exchanges that use NCCL around `inner`, which are exchanges between threads. tc_cuda_nccl_close() returns
 * these. Errors: EINVAL, ENOMEM, ENODEVICE, EDEVICE. */
struct tilecut_exchange;
tilecut_status tc_cuda_nccl_open(struct tilecut_exchange *inner, const int *devices, int parts,
                                 struct tilecut_exchange **exchanges);
struct tilecut_exchange *tc_cuda_nccl_close(struct tilecut_exchange *exchanges);
uint64_t tc_cuda_memory(int index); /* free bytes of a device; 0 if there is no such device */

/* Computes the sums of the proof over rows first .. end - 1, counted through all slices, and the mask of all rows. */
tilecut_status tc_cuda_part_prove(tc_cuda_part *part, int first, int end, tc_cuda_answer *answer);
tilecut_status tc_cuda_part_mask(tc_cuda_part *part, uint8_t *mask);

#ifdef __cplusplus
}
#endif
