/* SPDX-License-Identifier: MIT
 *
 * tilecut_labels.h - several labels at once: each pixel or voxel gets one of K labels. Experimental: may change.
 *
 * The energy is the Boykov-Jolly energy with K labels: sum D_p(L_p) + sum w_pq [L_p != L_q], with the link weights w of
 * tilecut.h (a Potts model). One label is the background. D_p of another label l is what the two-label problem "l
 * against all others" says of that pixel: its cost as foreground less its cost as background, with a colour model and
 * a spatial term of its own; D_p of the background is 0. With two labels this is the energy of tilecut_segment(), and
 * the labels are its mask, bit for bit.
 *
 * With more labels the minimum is hard to find in general. Three steps, each of exact minimum cuts that are certified
 * like any other of this library:
 *   1. one cut a label finds pixels whose label is the same in every minimum (Kovtun, DAGM 2003);
 *   2. alpha-expansion (Boykov, Veksler & Zabih, PAMI 2001) labels the others, in the order of the labels, until no
 *      move lowers the energy. The energy is then at most twice the minimum;
 *   3. a Lagrangian bound of K cuts a round says how far the energy is from the minimum at most.
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
    int labels;           /* K: how many labels occur among the seeds                                       */
    int certified;        /* 1: every cut was proven                                                        */
    double energy;        /* energy of the labels, in model units; each pixel's cheapest label costs 0      */
    double bound;         /* a lower bound: no labelling has less energy                                    */
    double gap;           /* (energy - bound) / energy, in percent; 0: the labels are a minimum             */
    double quantum;       /* model units per capacity unit, a power of two                                  */
    double lambda, beta;  /* as used; beta per squared 8-bit grey level                                     */
    const char *solver;   /* of the cut of the whole lattice; static storage                                */
    const char *colors;   /* colour model; static storage                                                   */
    int connectivity, threads;
    int64_t cuts;         /* minimum cuts that were solved, those of the colour models not counted          */
    int64_t moves;        /* expansions that lowered the energy                                             */
    int64_t certain;      /* pixels whose label is known to be the same in every minimum, seeds among them  */
    int64_t pixels[TILECUT_MAX_LABELS + 1]; /* by label                                                     */
    double model_ms;      /* time to learn the K - 1 two-label problems from which costs are read           */
    double solve_ms;      /* time of steps 1 and 2, see the top                                             */
    double bound_ms;      /* of step 3                                                                      */
} tilecut_labels_report;

typedef struct tilecut_labels_params {
    size_t size;          /* sizeof(tilecut_labels_params), or 0                                            */
    int background;       /* the label that is the background; 0: the least of the seeds                    */
    int bound_rounds;     /* rounds of step 3, up to TILECUT_MAX_BOUND_ROUNDS; 0: up to 20, until the gap is a tenth
                             of a percent; TILECUT_NONE: none, and `bound` is that of the certain pixels alone */
} tilecut_labels_params;

/* Labels an image.
 *   seeds    one byte per pixel: 0 unknown, else a label, 1 .. 255, that is given. At least two labels occur. Rows are
 *            params->seeds_stride bytes apart
 *   params   NULL for all defaults; as for tilecut_segment(), without a prior mask, and all arrays in host memory. With
 *            a solver of a device, the first cut, of the whole image, is solved there; the others are small, and the
 *            labels of an image are learnt by the CPU. soft_seeds: EINVAL
 *   how      NULL for all defaults
 *   labels   out, one byte per pixel, rows params->mask_stride bytes apart; each is a label of the seeds; untouched on
 *            failure
 *   report   out, may be NULL
 * Takes 4 bytes per pixel and label, and about 60 per pixel beside them. Threads learn several labels at a time in
 * images of up to 4 megapixels, and each takes about 40 bytes per pixel more.
 * Errors: EINVAL, ESEEDS (fewer than two labels), ENOMEM, ENODEVICE, EDEVICE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels(const tilecut_image *image, const uint8_t *seeds,
                                          const tilecut_params *params, const tilecut_labels_params *how,
                                          uint8_t *labels, tilecut_labels_report *report);

/* Labels a volume; seeds and labels are packed. `params` as for tilecut_volume_segment(). A voxel that is not a finite
 * number is EINVAL: give what lies outside of the field of view a dark value, and the background as seed. */
TILECUT_API tilecut_status tilecut_volume_labels(const tilecut_volume *volume, const uint8_t *seeds,
                                                 const tilecut_params *params, const tilecut_labels_params *how,
                                                 uint8_t *labels, tilecut_labels_report *report);

/* A Potts energy of your own, in whole numbers: what each label costs at each pixel, and what two neighbours cost if
 * their labels differ. All arrays are the caller's.
 *   depth     0 or 1: an image, of 4 neighbours, or 8 if links[2] and links[3] are given; above 1: a volume, of 6
 *   labels    2 .. TILECUT_MAX_LABELS; they are called 0, 1, ..
 *   costs     [labels][pixels], row-major, may be negative. At no pixel may two costs differ by more than 2^21
 *   links[k]  [pixels] of the link that begins at the pixel, to its neighbour k as in tilecut_arrays (a volume's as in
 *             tilecut_volume_arrays), at least 0, and all of a pixel together at most 2^20. Entries whose neighbour
 *             lies outside are ignored */
typedef struct tilecut_labels_arrays {
    size_t size; /* sizeof(tilecut_labels_arrays), or 0 */
    int width, height, depth, labels;
    const int32_t *costs;
    const int32_t *links[TILECUT_LINKS];
} tilecut_labels_arrays;

/* Labels a lattice by such an energy, with steps 1 to 3 of the top of this file; no seeds, nothing is learnt. Of
 * `params` solver, device, threads, mask_stride and cancel matter, of `how` the rounds. report->energy and bound are in
 * units of the costs; the gap is in percent of the energy above that of the cheapest label at each pixel.
 * Errors: EINVAL, ERANGE (costs or links are too large), ENOMEM, ENODEVICE, EDEVICE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels_solve(const tilecut_labels_arrays *arrays, const tilecut_params *params,
                                                const tilecut_labels_params *how, uint8_t *labels,
                                                tilecut_labels_report *report);

/* Corrects labels by strokes. Each label of which a seed lies in another one is corrected, in ascending order, like the
 * mask of an object by foreground strokes of tilecut_session_stroke(): it gains what is connected to these seeds and
 * fits them, and nothing else changes. So a stroke only adds to its own label, whatever it takes that from, and is in
 * proportion to what it can change; another call of tilecut_labels() would label everything anew. Without such seeds
 * the labels stay as they are.
 *   seeds    as for tilecut_labels(): all strokes so far, not the new ones alone; one label is enough
 *   params   as for tilecut_labels()
 *   labels   in and out, one byte per pixel, rows params->mask_stride bytes apart; 0 has no label; untouched on failure
 *   changed  out, may be NULL: how many pixels have another label
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels_correct(const tilecut_image *image, const uint8_t *seeds,
                                                  const tilecut_params *params, uint8_t *labels, int64_t *changed);

/* As tilecut_labels_correct(), for a volume; seeds and labels are packed. */
TILECUT_API tilecut_status tilecut_volume_labels_correct(const tilecut_volume *volume, const uint8_t *seeds,
                                                         const tilecut_params *params, uint8_t *labels,
                                                         int64_t *changed);

/* Labels that strokes correct one by one, with all that has been learnt kept between strokes. For one thread at a time;
 * sessions do not disturb each other. Holds 9 bytes a pixel, and about 6 more for each label that has strokes. */
typedef struct tilecut_labels_session tilecut_labels_session;

/* Begins a session from labels, of tilecut_labels() or of a network. `*session` out, owned by the caller; NULL on
 * failure.
 *   image    its pixels must outlive the session
 *   labels   one byte per pixel, rows params->mask_stride bytes apart; copied; 0 has no label
 *   seeds    NULL, or the strokes so far, as of tilecut_labels(); copied. One that lies in another label is left out
 *   params   as for tilecut_labels(); they hold for all strokes
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_labels_session_create(tilecut_labels_session **session, const tilecut_image *image,
                                                         const uint8_t *labels, const uint8_t *seeds,
                                                         const tilecut_params *params);

/* The same for a volume, whose voxels are not needed any more afterwards; labels and seeds are packed. Slices lie one
 * below the other: row y of slice z is row z * height + y, also of strokes and changes. */
TILECUT_API tilecut_status tilecut_volume_labels_session_create(tilecut_labels_session **session,
                                                                const tilecut_volume *volume, const uint8_t *labels,
                                                                const uint8_t *seeds, const tilecut_params *params);
TILECUT_API void tilecut_labels_session_destroy(tilecut_labels_session *session); /* NULL is fine */

/* Corrects the labels by a stroke. The painted pixels get the stroke's label, from 1 to 255, which may be a new one,
 * and with them what is connected to them and fits: a certified minimum cut of this label against all others. Only this
 * label gains, and no pixel that another one was painted on, unless this stroke paints over it. The first stroke of a
 * label gives what tilecut_labels_correct() gives for all strokes up to it; later ones learn from it, as a rule sooner.
 *   params   NULL for all defaults; solver, threads, mask_stride and cancel matter
 *   labels   out, may be NULL: one byte per pixel, all are written
 *   change   out, may be NULL: where labels have changed
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN; the session is then as before. */
TILECUT_API tilecut_status tilecut_labels_session_stroke(tilecut_labels_session *session,
                                                         const tilecut_stroke *stroke, const tilecut_params *params,
                                                         uint8_t *labels, tilecut_change *change);

/* Labels everything anew by the session's strokes, those it began with among them: what tilecut_labels() gives for
 * these seeds, bit for bit, in whatever order they came. So a stroke moves its own label at once, and this lets all
 * others follow; it takes as long as tilecut_labels(). How the labels were before does not count. Undo takes it back.
 *   volume   NULL, or of a session of a volume: the same volume again
 *   params   as of tilecut_labels_session_stroke()
 *   how      as of tilecut_labels(); background: 0 is the least of the strokes' labels
 *   labels, change   as of tilecut_labels_session_stroke()
 *   report   out, may be NULL
 * Errors: as of tilecut_labels(), ESEEDS if the strokes have fewer than two labels; the session is then as before. */
TILECUT_API tilecut_status tilecut_labels_session_label(tilecut_labels_session *session, const tilecut_volume *volume,
                                                        const tilecut_params *params, const tilecut_labels_params *how,
                                                        uint8_t *labels, tilecut_change *change,
                                                        tilecut_labels_report *report);

/* Takes back the last stroke, or call of tilecut_labels_session_label(), that has not been taken back yet: labels,
 * strokes and what was learnt are then what they were before it, bit for bit. *undone, may be NULL: 1, or 0 if there
 * was none. Of `params` only mask_stride matters; NULL: rows are packed. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_labels_session_undo(tilecut_labels_session *session, const tilecut_params *params,
                                                       uint8_t *labels, tilecut_change *change, int *undone);

/* Refines a label map of an image, as a network makes it: each label but the background like a mask to begin from,
 * which is tilecut_segment() with params->prior and no seeds. A label that has less than two thirds in common with its
 * earlier pixels after refining stays as it was. If several labels claim a pixel, it keeps its label if that is one of
 * them, and otherwise gets the least of them. Pixels that a label gives up become background if the background reaches
 * them; otherwise they keep the label.
 *   params      as for tilecut_labels(); prior_reach: how far the map may be off, in pixels; 0: as it tells itself
 *   background  the label that is the background; 0: the least in the map, which may be 0
 *   labels      in and out, as of tilecut_labels_correct(); 0 is a label here
 *   changed     out, may be NULL: how many pixels have another label
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_labels_refine(const tilecut_image *image, const tilecut_params *params,
                                                 int background, uint8_t *labels, int64_t *changed);

/* As tilecut_labels_refine(), for a volume, where each label is cut by tilecut_volume_segment() with that prior: only
 * outlines move. Labels are packed. */
TILECUT_API tilecut_status tilecut_volume_labels_refine(const tilecut_volume *volume, const tilecut_params *params,
                                                        int background, uint8_t *labels, int64_t *changed);

#ifdef __cplusplus
}
#endif
#endif
