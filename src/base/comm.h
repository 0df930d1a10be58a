/* SPDX-License-Identifier: MIT
 *
 * comm.h - the communicator of one part of an image (tilecut_parts.h): sums over all parts, and rows that neighbours
 * exchange. Code that learns from an image or counts something in it takes a tc_comm, counts its own rows, and gets the
 * sums over the whole image. NULL stands for an image in one part, whose sums are complete already.
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
    bool broken;     /* another part has left: nothing is asked of the exchange any more */
    int first, rows; /* this part's own rows, as rows of its image                    */
    int above;       /* rows of the whole image above the first row of the part's     */
    int height;      /* of the whole image                                            */
    int store;       /* `store` of tilecut_part                                       */
    /* Computes tc_nearness() on CUDA device `device`; NULL: the host computes it. Either all parts set this or none. */
    tilecut_status (*nearness)(struct tc_comm *comm, const uint8_t *seeds, int width, int height, uint8_t *level);
    int device;
    void (*rest)(const void *idle); /* called before each exchange: gives back memory that can be spared; may be NULL */
    const void *idle;
    tilecut_part_report report;
} tc_comm;

/* Own rows of an image of `height` rows: from first to end - 1. */
typedef struct tc_own_rows {
    int first, end;
} tc_own_rows;

static inline tc_own_rows tc_own_rows_of(const tc_comm *comm, int height)
{
    return comm ? (tc_own_rows){comm->first, comm->first + comm->rows} : (tc_own_rows){0, height};
}

/* Where the first row of a part's image lies in the whole image. */
static inline int tc_comm_above(const tc_comm *comm)
{
    return comm ? comm->above : 0;
}

/* Rows of the whole image. */
static inline int tc_comm_height(const tc_comm *comm, int height)
{
    return comm ? comm->height : height;
}

/* ECANCELLED if a part has left. */
tilecut_status tc_comm_allreduce(tc_comm *comm, int64_t *values, size_t count);
tilecut_status tc_comm_allreduce32(tc_comm *comm, uint32_t *values, size_t count); /* the sums must be below 2^32 */
tilecut_status tc_comm_allreduce_whole(tc_comm *comm, double *values, size_t count); /* of whole numbers          */

/* Sets *any in all parts to whether it was true in any of them. */
tilecut_status tc_comm_any(tc_comm *comm, bool *any);

/* Broadcasts `count` words of part `from` to all parts. */
tilecut_status tc_comm_broadcast(tc_comm *comm, int from, int64_t *words, size_t count);

/* ECANCELLED if another part has left; for code that has not checked the result of each call. */
tilecut_status tc_comm_check(const tc_comm *comm);

/* all: [parts][count] the values of each part. */
tilecut_status tc_comm_allgather(tc_comm *comm, const int64_t *values, size_t count, int64_t *all);

/* range: on entry this part's least and greatest number, afterwards those of all parts. */
tilecut_status tc_comm_range(tc_comm *comm, double range[2]);

/* See tilecut_exchange; comm is not NULL. A pointer to rows that need not be sent may be NULL only if
 * comm->with->one_way. */
tilecut_status tc_comm_exchange_halo(tc_comm *comm, const void *to_above, const void *to_below, void *from_above,
                              void *from_below, size_t bytes);

/* tc_comm_exchange_halo() between devices; only if comm->with offers it. */
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

/* The bounding box of all pixels with label `label`; if there is none, x1 < x0. */
tc_extent tc_extent_of(const uint8_t *seeds, int width, int height, uint8_t label);

/* Joins the boxes of all parts. Before: the box of this part's own rows, where y is 0 in the first own row. After: the
 * same box for all parts, in rows of the whole image. A box without pixels has x1 < x0. */
tilecut_status tc_extent_across(tc_extent *box, tc_comm *comm);

/* Slices of a volume. */
typedef struct tc_slices {
    int width, rows, slices;
} tc_slices;

/* The box around all voxels with label `label`, in all parts; empty if there is none. `seeds`: of this part's
 * slices. comm counts rows, or slices if `by_slices`. */
tilecut_status tc_box_in_space(const uint8_t *seeds, const tc_slices *l, uint8_t label, tc_comm *comm, bool by_slices,
                               tc_block *box);

#ifdef __cplusplus
}
#endif
