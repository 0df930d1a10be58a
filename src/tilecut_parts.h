/* SPDX-License-Identifier: MIT
 *
 * tilecut_parts.h - one image cut in parts: each part has some rows of it, in a thread or in a process of its own, and
 * takes memory for these rows only. Mask, flow and energy are bit for bit those of one part.
 *
 * All parts call the same function at the same time, each with its own rows. They exchange data by a table of
 * functions, the exchange, that adds numbers over all parts, and carries rows between neighbouring parts. There is one
 * for threads here; others are for callers to write, over MPI or any other network. Experimental.
 *
 * A part has its own rows, and as a rim one more row above and one below, where the image has one. Arrays of a part
 * are those rows: `rows` own ones, and the rim. A volume is cut in slabs: all that is said of rows holds for slices.
 */
#ifndef TILECUT_PARTS_H
#define TILECUT_PARTS_H

#include "tilecut_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How parts exchange data. All parts make the same calls in the same order. A function returns 0, or another number if
 * some part has left. Then the data it wrote have no meaning, and this part has to leave, too. */
typedef struct tilecut_exchange {
    size_t size;     /* sizeof(tilecut_exchange), or 0         */
    int part, parts; /* this part, and how many there are      */
    void *context;   /* handed to each function                */
    /* Replaces each of `count` values by its sum over all parts. */
    int (*sum)(void *context, int64_t *values, size_t count);
    /* Sends `bytes` bytes to the part above and to the part below, and receives as many from both. The first part has
     * no part above, and the last one no part below: on that side nothing is sent or received. */
    int (*swap)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes);
    /* This part has failed and will make no more calls. */
    void (*leave)(void *context);
    /* As swap(), for pointers to memory of CUDA devices. The devices finish their work on the sent data before the
     * call, and the received data are complete after it. All parts have this function, or none has it (NULL): then rows
     * on devices go through swap(). Below 0: a device has failed, and tilecut_error_detail() says how. */
    int (*swap_there)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                      size_t bytes);
    /* Not 0: swap() accepts NULL for data that need not be sent. Then the part on that side gives NULL for the data
     * that it would receive. So strips, which need one direction only, send half as much. */
    int one_way;
} tilecut_exchange;

/* An exchange between `parts` threads of this process, 1 to 256: *exchanges is an array of that many, one for each
 * thread. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_exchange_threads(tilecut_exchange **exchanges, int parts);
TILECUT_API void tilecut_exchange_free(tilecut_exchange *exchanges); /* NULL is fine */

/* Makes an exchange between `parts` threads whose grids lie on the CUDA devices devices[i], all different: rows on them
 * are sent by NCCL, which is loaded when this is called. Errors: also ENODEVICE if there is no NCCL (libnccl.so.2),
 * EDEVICE. */
TILECUT_API tilecut_status tilecut_exchange_nccl(tilecut_exchange **exchanges, const int *devices, int parts);
TILECUT_API void tilecut_exchange_nccl_free(tilecut_exchange *exchanges); /* NULL is fine */

/* The version of NCCL that would be loaded, 22803 for 2.28.3; 0: there is none. */
TILECUT_API int tilecut_nccl_version(void);

/* Where a part lies. */
typedef struct tilecut_part {
    size_t size;      /* sizeof(tilecut_part), or 0                                                        */
    int height;       /* rows of the whole image, which may be more than TILECUT_MAX_SIDE                  */
    int first, rows;  /* own rows are first .. first + rows - 1 of the image, at least one. The parts have
                         rows in their order, without gaps                                                 */
    const tilecut_exchange *exchange;
    int store;        /* 0, or the descriptor of a file that is open for reading and writing: capacities and excesses of
                         the part, 20 bytes a pixel (36 with 8 neighbours, 112 with 26), are appended to it and mapped,
                         and take memory only while this part works on them. So parts that work in turn need memory for
                         one of them. The caller closes the file and removes it; what is in it means nothing  */
} tilecut_part;

/* What a part reports besides tilecut_report, whose flow, cut, energy and foreground are those of the whole. */
typedef struct tilecut_part_report {
    size_t size;           /* the caller's: sizeof(tilecut_part_report), or 0 */
    int waves;             /* waves (docs/design/parts.md), summed over all cuts                            */
    int64_t meetings;      /* calls of the exchange                                                         */
    int64_t sent;          /* bytes that this part has handed to the exchange                               */
    int64_t solves;        /* how many times this part's grid was solved                                    */
    int64_t direct;        /* how many of these bytes went from device to device                            */
} tilecut_part_report;

/* Whether CUDA device `from` can read the memory of device `to` directly. If not, rows between the two are copied
 * through the host's memory. */
TILECUT_API int tilecut_cuda_reaches(int from, int to);

/* The bytes of a CUDA device's memory that are free; 0: there is no such device. */
TILECUT_API size_t tilecut_cuda_memory(int index);

/* Finds the rows of part number `part` of `parts`, so that all parts have nearly the same number. If there are more
 * parts than rows, some parts have none. */
TILECUT_API void tilecut_part_rows(int height, int parts, int part, int *first, int *rows);

/* tilecut_segment() in parts.
 *   image    own rows and rim, width as that of the whole image
 *   seeds    of the same rows; those in the rim do not matter
 *   params   the same in all parts, but for threads and strides; NULL for all defaults. A prior mask is refused
 *   mask     out, of the same rows; what the rim gets has no meaning. Untouched on failure
 *   report, more   out, may be NULL; times and bytes_per_pixel are those of this part
 * Errors: as of tilecut_segment(), in at least one part; ECANCELLED in parts whose exchange broke. EINVAL also if the
 * rims are not the rows that the neighbours have. */
TILECUT_API tilecut_status tilecut_part_segment(const tilecut_part *part, const tilecut_image *image,
                                                const uint8_t *seeds, const tilecut_params *params, uint8_t *mask,
                                                tilecut_report *report, tilecut_part_report *more);

/* tilecut_graph_solve() in parts, for a graph from arrays of own rows and rim. */
TILECUT_API tilecut_status tilecut_part_solve(const tilecut_part *part, const tilecut_arrays *arrays,
                                              const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                              tilecut_part_report *more);

/* tilecut_volume_segment() in parts, for voxels and seeds of own slices and rim, as below; seeds in the rim do not
 * matter. params->connectivity may be 26. Slices times rows of the whole volume must be below 2^31. EINVAL also if the
 * rims are not the slices that the neighbours have. */
TILECUT_API tilecut_status tilecut_part_volume_segment(const tilecut_part *part, const tilecut_volume *volume,
                                                       const uint8_t *seeds, const tilecut_params *params,
                                                       uint8_t *mask, tilecut_report *report,
                                                       tilecut_part_report *more);

/* tilecut_volume_solve() in parts, for arrays of own slices and rim: their depth is how many these are. height of
 * tilecut_part is the depth of the whole volume, first and rows are slices. Each part, with its rim, is a volume within
 * the limits of tilecut_volume.h; the whole need not be. Voxels have 6 neighbours. The solver is one of the CPU, or
 * `cuda`, with which the part lies on device params.device.
 * Errors: as of tilecut_volume_solve() and tilecut_part_solve(). */
TILECUT_API tilecut_status tilecut_part_volume_solve(const tilecut_part *part, const tilecut_volume_arrays *arrays,
                                                     const tilecut_params *params, uint8_t *mask,
                                                     tilecut_report *report, tilecut_part_report *more);

/* tilecut_labels() in parts: every cut, those of the colour models too, is one over all parts, and certified. Rows are
 * as of tilecut_part_segment(); those of seeds in the rim do not matter. Labels, energy, bound and counts are those of
 * one part. Of the report, threads, times and solver are those of this part.
 *   how      the same in all parts; NULL for all defaults
 *   labels   out, own rows and rim; what the rim gets has no meaning. Untouched on failure
 * With the solver 'cuda' a device cuts what several parts share; what lies in one part the CPU cuts. part->store is 0:
 * labels do not lie on disk. Takes 4 bytes per pixel of the part and label, and about 60 per pixel beside them.
 * Errors: as of tilecut_labels() and tilecut_part_segment(). */
TILECUT_API tilecut_status tilecut_part_labels(const tilecut_part *part, const tilecut_image *image,
                                               const uint8_t *seeds, const tilecut_params *params,
                                               const tilecut_labels_params *how, uint8_t *labels,
                                               tilecut_labels_report *report);

/* tilecut_volume_labels() in parts, of slices, as of tilecut_part_volume_segment(). */
TILECUT_API tilecut_status tilecut_part_volume_labels(const tilecut_part *part, const tilecut_volume *volume,
                                                      const uint8_t *seeds, const tilecut_params *params,
                                                      const tilecut_labels_params *how, uint8_t *labels,
                                                      tilecut_labels_report *report);

/* tilecut_clean() in parts, of own rows and rim, or of slices where how->depth is not 0: how->height or how->depth says
 * how many these are, all else of `how` is the same in all parts. What the rims hold does not matter and stays.
 *   mask      in and out; on failure it may be half cleaned
 *   cleaned   out, may be NULL: of the whole
 * Takes 16 bytes more for each pixel of a row, in a volume of a slice. part->store is not used. Errors: as of
 * tilecut_clean(), in at least one part; ECANCELLED in parts whose exchange broke. */
TILECUT_API tilecut_status tilecut_part_clean(const tilecut_part *part, const tilecut_cleaning *how,
                                              const uint8_t *seeds, uint8_t *mask, tilecut_cleaned *cleaned);

#ifdef __cplusplus
}
#endif
#endif
