/* SPDX-License-Identifier: MIT
 *
 * tilecut_parts.h - cuts one image in parts: each part has some of its rows, in a thread or process of its own, and
 * takes memory for these rows only. Mask, flow and energy are bit for bit those of a cut in one part.
 *
 * All parts call the same function at the same time, each with its own rows. They exchange data through a table of
 * functions, the exchange, which adds numbers over all parts and sends rows between neighbouring parts. This header has
 * an exchange for threads; callers can write others, over MPI or any other network. Experimental.
 *
 * A part has its own rows and a halo: one more row above and one below, where the image has them. The arrays of a part
 * contain its own rows, `rows` of them, and the halo. A volume is cut in slabs: everything about rows is then true of
 * slices.
 */
#ifndef TILECUT_PARTS_H
#define TILECUT_PARTS_H

#include "tilecut_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How parts exchange data. All parts make the same calls in the same order. A function returns 0, or another number if
 * some part has left. In that case the data that it wrote have no meaning, and this part has to leave, too. */
typedef struct tilecut_exchange {
    size_t size;     /* sizeof(tilecut_exchange), or 0         */
    int part, parts; /* the number of this part, and how many parts there are */
    void *context;   /* passed to each function                */
    /* Replaces each of `count` values by its sum over all parts. */
    int (*sum)(void *context, int64_t *values, size_t count);
    /* Sends `bytes` bytes to the part above and to the part below, and receives as many from both. The first part has
     * no part above, and the last part none below: on that side nothing is sent or received. */
    int (*swap)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes);
    /* Called when this part has failed and will make no more calls. */
    void (*leave)(void *context);
    /* Does the same as swap(), for pointers to memory of CUDA devices. The devices finish their work on the sent data
     * before the call, and the received data are complete after it. Either all parts have this function, or none has it
     * (NULL); then rows on devices go through swap(). Returns a negative number if a device has failed;
     * tilecut_error_detail() then has the reason. */
    int (*swap_there)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                      size_t bytes);
    /* Nonzero: swap() accepts NULL for data that need not be sent. The part on that side then passes NULL for the data
     * that it would receive. So strips, which need only one direction, send half as much. */
    int one_way;
} tilecut_exchange;

/* Makes an exchange between `parts` threads of this process, 1 to 256: *exchanges is an array with one element for each
 * thread. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_exchange_threads(tilecut_exchange **exchanges, int parts);
TILECUT_API void tilecut_exchange_free(tilecut_exchange *exchanges); /* NULL is allowed */

/* Makes an exchange between `parts` threads whose grids lie on the CUDA devices devices[i], all different. Rows on
 * devices are sent by NCCL, which is loaded in this call. Errors: as above, and ENODEVICE if there is no NCCL
 * (libnccl.so.2), EDEVICE. */
TILECUT_API tilecut_status tilecut_exchange_nccl(tilecut_exchange **exchanges, const int *devices, int parts);
TILECUT_API void tilecut_exchange_nccl_free(tilecut_exchange *exchanges); /* NULL is allowed */

/* The version of NCCL that would be loaded, for example 22803 for 2.28.3; 0 if there is none. */
TILECUT_API int tilecut_nccl_version(void);

/* The position of a part in its image. */
typedef struct tilecut_part {
    size_t size;      /* sizeof(tilecut_part), or 0                                                        */
    int height;       /* rows of the whole image, which may be more than TILECUT_MAX_SIDE                  */
    int first, rows;  /* own rows are first .. first + rows - 1 of the image, at least one. The parts are in the order
                         of their rows, without gaps */
    const tilecut_exchange *exchange;
    int store;        /* 0, or the descriptor of a file that is open for reading and writing: capacities and excesses of
                         the part, 20 bytes a pixel (36 with 8 neighbours, 112 with 26), are appended to it and mapped,
                         and take memory only while this part works on them. So parts that work in turn need memory for
                         only one of them. The caller closes the file and removes it; its contents have no meaning */
} tilecut_part;

/* The figures that a part reports besides tilecut_report, whose flow, cut, energy and foreground are those of the whole
 * image. */
typedef struct tilecut_part_report {
    size_t size;           /* the caller's: sizeof(tilecut_part_report), or 0 */
    int waves;             /* number of waves (docs/design/parts.md), summed over all cuts                  */
    int64_t meetings;      /* number of calls of the exchange                                               */
    int64_t sent;          /* number of bytes that this part has passed to the exchange                     */
    int64_t solves;        /* how many times this part's grid was solved                                    */
    int64_t direct;        /* how many of these bytes went from device to device                            */
} tilecut_part_report;

/* Nonzero if CUDA device `from` can read the memory of device `to` directly. If it cannot, rows between the two are
 * copied through the host's memory. */
TILECUT_API int tilecut_cuda_reaches(int from, int to);

/* The free bytes of a CUDA device's memory; 0 if there is no such device. */
TILECUT_API size_t tilecut_cuda_memory(int index);

/* Finds the rows of part number `part` of `parts`, so that all parts have nearly the same number. If there are more
 * parts than rows, some parts have none. A part that is not there has none, either: both are 0. Either pointer may be
 * NULL. */
TILECUT_API void tilecut_part_rows(int height, int parts, int part, int *first, int *rows);

/* Does the work of tilecut_segment() in parts.
 *   image    own rows and halo; the width is that of the whole image
 *   seeds    of the same rows; those in the halo do not matter
 *   params   the same in all parts, except threads and strides; NULL for all defaults. A prior mask is refused
 *   mask     out, of the same rows; the contents of the halo have no meaning. Untouched on failure
 *   report, more   out, may be NULL; times and bytes_per_pixel are those of this part
 * Errors: those of tilecut_segment(), in at least one part; ECANCELLED in parts whose exchange broke. Also EINVAL if
 * the halos differ from the neighbours' rows. */
TILECUT_API tilecut_status tilecut_part_segment(const tilecut_part *part, const tilecut_image *image,
                                                const uint8_t *seeds, const tilecut_params *params, uint8_t *mask,
                                                tilecut_report *report, tilecut_part_report *more);

/* Does the work of tilecut_graph_solve() in parts, for a graph from arrays of own rows and halo. */
TILECUT_API tilecut_status tilecut_part_solve(const tilecut_part *part, const tilecut_arrays *arrays,
                                              const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                              tilecut_part_report *more);

/* Does the work of tilecut_volume_segment() in parts, for voxels and seeds of own slices and halo, as below; seeds in
 * the halo do not matter. A prior mask is refused. params->connectivity may be 26. The number of slices times the rows
 * of the whole volume must be below 2^31. Also returns EINVAL if the halos differ from the neighbours' slices. */
TILECUT_API tilecut_status tilecut_part_volume_segment(const tilecut_part *part, const tilecut_volume *volume,
                                                       const uint8_t *seeds, const tilecut_params *params,
                                                       uint8_t *mask, tilecut_report *report,
                                                       tilecut_part_report *more);

/* Does the work of tilecut_volume_range() in parts, with slices as for tilecut_part_volume_segment(): all parts get the
 * range of the whole volume. Errors: EINVAL, also if the parts or their halos do not fit together; ENOMEM; ECANCELLED
 * in parts whose exchange broke. */
TILECUT_API tilecut_status tilecut_part_volume_range(const tilecut_part *part, const tilecut_volume *volume,
                                                     double range[2]);

/* Does the work of tilecut_volume_solve() in parts, for arrays of own slices and halo; their depth is the number of
 * these slices. In tilecut_part, height is the depth of the whole volume, and first and rows are slices. Each part,
 * with its halo, is a volume within the limits of tilecut_volume.h; the whole volume need not be. Voxels have 6
 * neighbours. The solver is one of the CPU, or `cuda`, with which the part lies on device params.device. Errors: those
 * of tilecut_volume_solve() and tilecut_part_solve(). */
TILECUT_API tilecut_status tilecut_part_volume_solve(const tilecut_part *part, const tilecut_volume_arrays *arrays,
                                                     const tilecut_params *params, uint8_t *mask,
                                                     tilecut_report *report, tilecut_part_report *more);

/* Does the work of tilecut_labels() in parts: every cut, including those of the colour models, is made over all parts,
 * and certified. Rows are as for tilecut_part_segment(); seeds in the halo do not matter. Labels, energy, bound and
 * counts are those of a call in one part. In the report, threads, times and solver are those of this part.
 *   how      the same in all parts; NULL for all defaults
 *   labels   out, own rows and halo; the contents of the halo have no meaning. Untouched on failure
 * With the solver 'cuda' a device cuts groups of pixels that several parts share, and the CPU those that lie in one
 * part. part->store must be 0: labels do not lie on disk. Takes 4 bytes per pixel of the part and label, and about 60
 * more per pixel. Errors: those of tilecut_labels() and tilecut_part_segment(). */
TILECUT_API tilecut_status tilecut_part_labels(const tilecut_part *part, const tilecut_image *image,
                                               const uint8_t *seeds, const tilecut_params *params,
                                               const tilecut_labels_params *how, uint8_t *labels,
                                               tilecut_labels_report *report);

/* Does the work of tilecut_volume_labels() in parts, with slices as for tilecut_part_volume_segment(). */
TILECUT_API tilecut_status tilecut_part_volume_labels(const tilecut_part *part, const tilecut_volume *volume,
                                                      const uint8_t *seeds, const tilecut_params *params,
                                                      const tilecut_labels_params *how, uint8_t *labels,
                                                      tilecut_labels_report *report);

/* Does the work of tilecut_clean() in parts, with own rows and halo, or with slices if how->depth is not 0. how->height
 * or how->depth is the number of these; all other fields of `how` are the same in all parts. The contents of the halos
 * do not matter and do not change.
 *   mask      in and out; on failure it may be half cleaned
 *   cleaned   out, may be NULL: for the whole mask
 * Takes 16 bytes more for each pixel of a row or, in a volume, of a slice. part->store is not used. Errors: those of
 * tilecut_clean(), in at least one part; ECANCELLED in parts whose exchange broke. */
TILECUT_API tilecut_status tilecut_part_clean(const tilecut_part *part, const tilecut_cleaning *how,
                                              const uint8_t *seeds, uint8_t *mask, tilecut_cleaned *cleaned);

#ifdef __cplusplus
}
#endif
#endif
