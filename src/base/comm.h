/* SPDX-License-Identifier: MIT
 *
 * comm.h - the communicator of one part of an image (tilecut_parts.h): it forms sums over all parts, and exchanges rows
 * between neighbours. Code that learns from an image or counts something in it takes a tc_comm, counts its own rows,
 * and gets the sums over the whole image. NULL stands for an image in one part, whose sums are complete already.
 */
#pragma once

#include <stdbool.h>

#include "lattice.h"
#include "tilecut_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_comm {
    const tilecut_exchange *with;
    struct tc_comm *root; /* for a window, the communicator of the whole image; else this one */
    bool broken;     /* true: another part has left, so the exchange is not used any more */
    int first, rows; /* this part's own rows, as rows of its image                    */
    int above;       /* how many rows of the whole image lie above the part's first row */
    int height;      /* the height of the whole image                                 */
    int store;       /* the field `store` of tilecut_part                             */
    /* Computes tc_nearness() on CUDA device `device`; NULL: the host computes it. Either all parts set this or none. */
    tilecut_status (*nearness)(struct tc_comm *comm, const uint8_t *seeds, int width, int height, uint8_t *level);
    int device;
    void (*rest)(const void *idle); /* called before each exchange: releases memory that is not needed meanwhile; may be
                                       NULL */
    const void *idle;
    tilecut_part_report report;
} tc_comm;

/* The own rows of an image of `height` rows: first .. end - 1. */
typedef struct tc_own_rows {
    int first, end;
} tc_own_rows;

static inline tc_own_rows tc_own_rows_of(const tc_comm *comm, int height)
{
    return comm ? (tc_own_rows){comm->first, comm->first + comm->rows} : (tc_own_rows){0, height};
}

/* The row of the whole image at which the part's image begins. */
static inline int tc_comm_above(const tc_comm *comm)
{
    return comm ? comm->above : 0;
}

/* The height of the whole image. */
static inline int tc_comm_height(const tc_comm *comm, int height)
{
    return comm ? comm->height : height;
}

/* Replaces `values` by their sums over all parts. Returns TILECUT_ECANCELLED if a part has left. */
tilecut_status tc_comm_allreduce(tc_comm *comm, int64_t *values, size_t count);
tilecut_status tc_comm_allreduce32(tc_comm *comm, uint32_t *values, size_t count); /* the sums must be below 2^32 */
/* the values must be whole numbers */
tilecut_status tc_comm_allreduce_whole(tc_comm *comm, double *values, size_t count);

/* Sets *any in all parts to true if it was true in any part. */
tilecut_status tc_comm_any(tc_comm *comm, bool *any);

/* Copies `count` words from part `from` to all parts. */
tilecut_status tc_comm_broadcast(tc_comm *comm, int from, int64_t *words, size_t count);

/* Returns TILECUT_ECANCELLED if another part has left; for code that has not checked the result of each call. */
tilecut_status tc_comm_check(const tc_comm *comm);

/* Gives every part the values of all parts; all: [parts][count]. */
tilecut_status tc_comm_allgather(tc_comm *comm, const int64_t *values, size_t count, int64_t *all);

/* Replaces range[0] by the minimum and range[1] by the maximum over all parts. */
tilecut_status tc_comm_range(tc_comm *comm, double range[2]);

/* See tilecut_exchange; `comm` must not be NULL. A pointer to rows that need not be sent may be NULL only if
 * comm->with->one_way is set. */
tilecut_status tc_comm_exchange_halo(tc_comm *comm, const void *to_above, const void *to_below, void *from_above,
                              void *from_below, size_t bytes);

/* Does the same as tc_comm_exchange_halo() between devices; call it only if comm->with offers that. */
tilecut_status tc_comm_exchange_halo_device(tc_comm *comm, const void *to_above, const void *to_below, void *from_above,
                                   void *from_below, size_t bytes);

static inline bool tc_has_above(const tc_comm *comm)
{
    return comm->with->part > 0;
}

static inline bool tc_has_below(const tc_comm *comm)
{
    return comm->with->part + 1 < comm->with->parts;
}

/* ---- Boxes around labels ------------------------------------------------------------------------ */

/* Returns the bounding box of all pixels with label `label`; x1 < x0 if there are none. */
tc_extent tc_extent_of(const uint8_t *seeds, int width, int height, uint8_t label);

/* Joins the boxes of all parts. On entry *box is the box of this part's own rows, where y is 0 in the first own row. On
 * return it is the same box in all parts, in rows of the whole image. An empty box has x1 < x0. */
tilecut_status tc_extent_across(tc_extent *box, tc_comm *comm);

/* The shape of a volume's slices. */
typedef struct tc_slices {
    int width, rows, slices;
} tc_slices;

/* Finds the bounding box of all voxels with label `label`, in all parts; empty if there are none. `seeds` are those of
 * this part's slices. The rows of `comm` are rows, or slices if `by_slices`. */
tilecut_status tc_box_in_space(const uint8_t *seeds, const tc_slices *l, uint8_t label, tc_comm *comm, bool by_slices,
                               tc_block *box);

#ifdef __cplusplus
}
#endif
