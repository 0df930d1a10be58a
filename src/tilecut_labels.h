/* SPDX-License-Identifier: MIT
 *
 * tilecut_labels.h - several labels at once: each pixel or voxel gets one of K labels. Experimental: may change.
 *
 * The energy is the Boykov-Jolly energy with K labels: sum D_p(L_p) + sum w_pq [L_p != L_q], with the link weights w of
 * tilecut.h (a Potts model). One label is the background. D_p of another label l comes from the two-label problem "l
 * against all others", which has its own colour model and spatial term: it is the pixel's cost as foreground less its
 * cost as background. D_p of the background is 0. With two labels this is the energy of tilecut_segment(), and the
 * labels are its mask, bit for bit.
 *
 * With more labels the minimum is hard to find in general. Three steps, each of exact minimum cuts that are certified
 * like any other of this library:
 *   1. one cut per label finds pixels whose label is the same in every minimum (Kovtun, DAGM 2003);
 *   2. alpha-expansion (Boykov, Veksler & Zabih, PAMI 2001) labels the others, in the order of the labels, until no
 *      move lowers the energy. The energy is then at most twice the minimum;
 *   3. a Lagrangian bound, from K cuts per round, limits how far the energy can be above the minimum.
 * The order of moves is fixed, and a pixel changes its label only if every minimum of a move wants that. So every
 * solver, device and number of threads gives the same labels.
 */
#ifndef TILECUT_LABELS_H
#define TILECUT_LABELS_H

#include "tilecut_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TILECUT_MAX_LABELS = 255, TILECUT_MAX_BOUND_ROUNDS = 100 };

typedef struct tilecut_labels_report {
    size_t size;          /* the caller's: sizeof(tilecut_labels_report), or 0                              */
    int labels;           /* K: the number of labels that occur among the seeds                             */
    int certified;        /* 1: every cut was proved                                                        */
    double energy;        /* energy of the labels, in model units; each pixel's cheapest label costs 0      */
    double bound;         /* a lower bound: no labelling has less energy                                    */
    double gap;           /* (energy - bound) / energy, in percent; 0: the labels are a minimum             */
    double quantum;       /* model units per capacity unit, a power of two                                  */
    double lambda, beta;  /* the values used; beta per squared 8-bit grey level                             */
    const char *solver;   /* solver of the cut of the whole lattice; static storage                         */
    const char *colors;   /* colour model; static storage                                                   */
    int connectivity, threads;
    int64_t cuts;         /* number of minimum cuts solved, without those of the colour models              */
    int64_t moves;        /* expansions that lowered the energy                                             */
    int64_t certain;      /* number of pixels whose label is known to be the same in every minimum, including seeds */
    int64_t pixels[TILECUT_MAX_LABELS + 1]; /* number of pixels by label                                    */
    double model_ms;      /* time to learn the K - 1 two-label problems from which costs are read           */
    double solve_ms;      /* time of steps 1 and 2, see the top                                             */
    double bound_ms;      /* time of step 3                                                                 */
} tilecut_labels_report;

typedef struct tilecut_labels_params {
    size_t size;          /* sizeof(tilecut_labels_params), or 0                                            */
    int background;       /* the label that is the background; 0: the smallest label of the seeds           */
    int bound_rounds;     /* the most rounds of step 3, up to TILECUT_MAX_BOUND_ROUNDS. 0: up to 20, until the gap is a
                             tenth of a percent. TILECUT_NONE: none; `bound` is then the energy of the certain pixels
                             alone */
} tilecut_labels_params;

/* Labels an image.
 *   seeds    one byte per pixel: 0 unknown, else the pixel's given label, 1 .. 255. At least two labels must occur.
 *            Rows are params->seeds_stride bytes apart
 *   params   NULL for all defaults; as for tilecut_segment(), without a prior mask, and all arrays in host memory. With
 *            a solver for a device, the first cut, that of the whole image, and those of large groups of pixels that it
 *            leaves open are solved there; the other cuts are small, and the CPU learns the labels of an image.
 *            soft_seeds: EINVAL
 *   how      NULL for all defaults
 *   labels   out, one byte per pixel, rows params->mask_stride bytes apart; each is a label of the seeds; untouched on
 *            failure
 *   report   out, may be NULL
 * Takes 4 bytes per pixel and label, and about 60 more per pixel. In images of up to 4 megapixels, threads learn
 * several labels at a time, and each takes about 40 bytes per pixel more. Errors: EINVAL, ESEEDS (fewer than two
 * labels), ENOMEM, ENODEVICE, EDEVICE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels(const tilecut_image *image, const uint8_t *seeds,
                                          const tilecut_params *params, const tilecut_labels_params *how,
                                          uint8_t *labels, tilecut_labels_report *report);

/* Labels a volume; seeds and labels are packed. `params` are as for tilecut_volume_segment(). A voxel that is not a
 * finite number is EINVAL: give everything outside of the field of view a dark value, and seed it as background. */
TILECUT_API tilecut_status tilecut_volume_labels(const tilecut_volume *volume, const uint8_t *seeds,
                                                 const tilecut_params *params, const tilecut_labels_params *how,
                                                 uint8_t *labels, tilecut_labels_report *report);

/* A Potts energy of your own, in whole numbers: the cost of each label at each pixel, and the cost of each pair of
 * neighbours whose labels differ. The caller owns all arrays.
 *   depth     0 or 1: an image, with 4 neighbours, or 8 if links[2] and links[3] are given; above 1: a volume, with 6
 *   labels    2 .. TILECUT_MAX_LABELS; they are called 0, 1, ..
 *   costs     [labels][pixels], row-major, may be negative. At no pixel may two costs differ by more than 2^21
 *   links[k]  [pixels] the cost of the link from the pixel to its neighbour k, as in tilecut_arrays (for a volume, as
 *             in tilecut_volume_arrays); at least 0, and all links of a pixel together at most 2^20. Entries whose
 *             neighbour lies outside are ignored */
typedef struct tilecut_labels_arrays {
    size_t size; /* sizeof(tilecut_labels_arrays), or 0 */
    int width, height, depth, labels;
    const int32_t *costs;
    const int32_t *links[TILECUT_LINKS];
} tilecut_labels_arrays;

/* Labels a lattice by such an energy, with steps 1 to 3 of the top of this file. There are no seeds, and nothing is
 * learnt. Only solver, device, threads, mask_stride and cancel of `params` are used, and of `how` only the rounds.
 * report->energy and bound are in units of the costs; the gap is in percent of the energy above that of the cheapest
 * label at each pixel. Errors: EINVAL, ERANGE (costs or links are too large), ENOMEM, ENODEVICE, EDEVICE, ECANCELLED,
 * EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels_solve(const tilecut_labels_arrays *arrays, const tilecut_params *params,
                                                const tilecut_labels_params *how, uint8_t *labels,
                                                tilecut_labels_report *report);

/* Corrects labels by strokes. Each label with a seed on a pixel of another label is corrected, in ascending order, as
 * foreground strokes correct a mask in tilecut_session_stroke(): it gains pixels that are connected to these seeds and
 * fit them, and nothing else changes. So a stroke only adds to its own label, and the time is proportional to what it
 * can change; another call of tilecut_labels() would label everything anew. Without such seeds the labels do not
 * change.
 *   seeds    as for tilecut_labels(): all strokes so far, not only the new ones; one label is enough
 *   params   as for tilecut_labels()
 *   labels   in and out, one byte per pixel, rows params->mask_stride bytes apart; 0: the pixel has no label; untouched
 *            on failure
 *   changed  out, may be NULL: how many pixels have another label
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels_correct(const tilecut_image *image, const uint8_t *seeds,
                                                  const tilecut_params *params, uint8_t *labels, int64_t *changed);

/* Does the same as tilecut_labels_correct() for a volume; seeds and labels are packed. */
TILECUT_API tilecut_status tilecut_volume_labels_correct(const tilecut_volume *volume, const uint8_t *seeds,
                                                         const tilecut_params *params, uint8_t *labels,
                                                         int64_t *changed);

/* Labels that strokes correct one by one. The session keeps everything it has learnt between strokes. One thread may
 * use it at a time; sessions are independent of each other. Takes 9 bytes a pixel, and about 6 more for each label that
 * has strokes. */
typedef struct tilecut_labels_session tilecut_labels_session;

/* Begins a session with labels from tilecut_labels() or from a network. *session is the result, which the caller owns;
 * NULL on failure.
 *   image    its pixels must outlive the session
 *   labels   one byte per pixel, rows params->mask_stride bytes apart; copied; 0: the pixel has no label
 *   seeds    NULL, or the strokes so far, as for tilecut_labels(); copied. A seed on a pixel of another label is
 *            dropped
 *   params   as for tilecut_labels(); they hold for all strokes
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_labels_session_create(tilecut_labels_session **session, const tilecut_image *image,
                                                         const uint8_t *labels, const uint8_t *seeds,
                                                         const tilecut_params *params);

/* Does the same for a volume, whose voxels are not needed afterwards; labels and seeds are packed. Slices lie one below
 * the other: row y of slice z is row z * height + y, also in strokes and changes. */
TILECUT_API tilecut_status tilecut_volume_labels_session_create(tilecut_labels_session **session,
                                                                const tilecut_volume *volume, const uint8_t *labels,
                                                                const uint8_t *seeds, const tilecut_params *params);
TILECUT_API void tilecut_labels_session_destroy(tilecut_labels_session *session); /* NULL is fine */

/* Corrects the labels by a stroke. The painted pixels get the stroke's label, from 1 to 255, which may be a new label.
 * So do pixels that are connected to them and fit: a certified minimum cut of this label against all others. Only this
 * label gains pixels, and it gains none on which another label was painted, unless this stroke paints over them. The
 * first stroke of a label gives the same result as tilecut_labels_correct() with all strokes up to it; later strokes
 * use the model that was learnt then, and usually take less time.
 *   params   NULL for all defaults; solver, threads, mask_stride and cancel are used
 *   labels   out, may be NULL: one byte per pixel, all are written
 *   change   out, may be NULL: where labels have changed
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN; the session is then unchanged. */
TILECUT_API tilecut_status tilecut_labels_session_stroke(tilecut_labels_session *session,
                                                         const tilecut_stroke *stroke, const tilecut_params *params,
                                                         uint8_t *labels, tilecut_change *change);

/* Labels everything anew from the session's strokes, including those with which it began. The result is that of
 * tilecut_labels() for these seeds, bit for bit, in whatever order they came. A stroke changes only its own label; this
 * call lets all other labels adapt. It takes as long as tilecut_labels(). The previous labels do not matter. It can be
 * undone.
 *   volume   NULL; for the session of a volume, the same volume again
 *   params   as for tilecut_labels_session_stroke()
 *   how      as for tilecut_labels(); background: 0 is the smallest of the strokes' labels
 *   labels, change   as for tilecut_labels_session_stroke()
 *   report   out, may be NULL
 * Errors: those of tilecut_labels(), ESEEDS if the strokes have fewer than two labels; the session is then
 * unchanged. */
TILECUT_API tilecut_status tilecut_labels_session_label(tilecut_labels_session *session, const tilecut_volume *volume,
                                                        const tilecut_params *params, const tilecut_labels_params *how,
                                                        uint8_t *labels, tilecut_change *change,
                                                        tilecut_labels_report *report);

/* Undoes the last stroke, or the last call of tilecut_labels_session_label(), that has not been undone yet. Labels,
 * strokes and learnt models are then what they were before it, bit for bit. *undone, which may be NULL, becomes 1, or 0
 * if there was nothing to undo. Only mask_stride of `params` is used; NULL: rows are packed. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_labels_session_undo(tilecut_labels_session *session, const tilecut_params *params,
                                                       uint8_t *labels, tilecut_change *change, int *undone);

/* Refines a label map of an image, for example one from a network: each label but the background is refined as a prior
 * mask, which is tilecut_segment() with params->prior and no seeds. If a refined label overlaps its earlier pixels by
 * less than two thirds (intersection over union), it stays as it was. If several labels claim a pixel, it keeps its
 * label if that is one of them, and otherwise gets the smallest of them. Pixels that a label gives up become background
 * if they are connected to it; otherwise they keep the label.
 *   params      as for tilecut_labels(); prior_reach: how far outlines in the map may be off, in pixels; 0: estimated
 *               from the map
 *   background  the label that is the background; 0: the smallest in the map, which may be 0
 *   labels      in and out, as for tilecut_labels_correct(); 0 is a label here
 *   changed     out, may be NULL: how many pixels have another label
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels_refine(const tilecut_image *image, const tilecut_params *params,
                                                 int background, uint8_t *labels, int64_t *changed);

/* Does the same as tilecut_labels_refine() for a volume. Each label is refined by tilecut_volume_segment() with that
 * prior, so only outlines move. Labels are packed. */
TILECUT_API tilecut_status tilecut_volume_labels_refine(const tilecut_volume *volume, const tilecut_params *params,
                                                        int background, uint8_t *labels, int64_t *changed);

#ifdef __cplusplus
}
#endif
#endif
