/* SPDX-License-Identifier: MIT
 *
 * tilecut_volume.h - cuts volumes: scans and stacks of slices, voxels with 6 or 26 neighbours, by the same library as
 * tilecut.h. The cut minimises the same energy, links weigh by physical distance, and flow == cut is certified before
 * labels are handed out.
 *
 * Voxel (x, y, z) has the number (z * height + y) * width + x. Structs begin with their size, 0 or sizeof, as in
 * tilecut_types.h. A volume has at most TILECUT_MAX_SIDE voxels along each axis and fewer than 2^30 in all, slices
 * rounded up to whole tiles of 32 x 32.
 */
#ifndef TILECUT_VOLUME_H
#define TILECUT_VOLUME_H

#include "tilecut_correct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a voxel is stored, in the byte order of the machine. */
enum {
    TILECUT_VOXEL_U8 = 0,
    TILECUT_VOXEL_U16 = 1,
    TILECUT_VOXEL_I16 = 2,
    TILECUT_VOXEL_F32 = 3
};

/* Grey values of a volume, owned by the caller. */
typedef struct tilecut_volume {
    size_t size;                       /* sizeof(tilecut_volume), or 0                                       */
    int width, height, depth;          /* voxels along x, y and z                                            */
    int type;                          /* TILECUT_VOXEL_U8 and friends                                       */
    const void *voxels;                /* aligned for the type                                                */
    size_t row_stride, slice_stride;   /* bytes from row to row and from slice to slice; 0: packed           */
    double spacing[3];                 /* distances between neighbours along x, y and z; all 0: 1 each       */
    double low, high;                  /* values that become black and white; what lies beyond is clipped.
                                          Both 0: those of tilecut_volume_range(), and if these are equal,
                                          the least and the greatest value of the volume                    */
} tilecut_volume;

/* The values of a volume that become black and white if the caller sets no others. For TILECUT_VOXEL_U8 they are 0 and
 * 255. Otherwise 0.1 % and 99.9 % of the voxels lie below them, counted on a million evenly spread voxels if there are
 * more. Voxels that are not a number do not count. range: out, two numbers; equal if nearly all voxels have one value.
 * The fields low and high of `volume` are ignored. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_volume_range(const tilecut_volume *volume, double range[2]);

/* Cuts `volume` along its seeds.
 *   seeds    one byte per voxel, packed: TILECUT_UNKNOWN and friends. Foreground and background must occur,
 *            unless there is a box. TILECUT_OUTSIDE counts as background; with it only a window is cut, see
 *            tilecut_volume_window()
 *   params   NULL for all defaults. Of them lambda, sigma, colors, data_weight, spatial, iterations, islands,
 *            soft_seeds, prior, prior_stride, prior_reach, solver, threads, device, cancel and connectivity are used.
 *            connectivity 26: neighbours are all voxels that share a face, an edge or a corner, which only "bk" solves;
 *            anything else is 6. sigma is in levels of 256 between low and high.
 *            solver: "auto", "cascade", "push", "bk", "cuda" or "hybrid"; "auto" uses no GPU, "cuda" does everything on
 *            the GPU, and "hybrid" alternates between GPU and CPU
 *   mask     out, one byte per voxel, packed: 0 background, 255 foreground; untouched on failure
 *   report   out, may be NULL; its connectivity is 6 or 26, its low and high the values that are black and white
 * A link weighs lambda * exp(-beta d^2), times the least spacing over the distance of the two voxels.
 *
 * A volume of one slice is cut like an image without a box. Otherwise defaults depend on g, the mean distance from a
 * foreground seed to the nearest background seed, in units of the least spacing:
 *   lambda      half of g, rounded down to a power of sqrt(2), at most 50
 *   spatial     10; distances are in space, and the border of the volume is no evidence
 *   iterations  none
 * With TILECUT_OUTSIDE and no foreground seed the object is guessed from the box of unknown voxels: learning begins
 * with an ellipsoid in it and is repeated, as with a box in an image; lambda is then an eighth of the cube root of the
 * box's volume, in the same steps, and spatial is not used.
 * No colours are learnt from background seeds farther than 2 g from all foreground seeds. With spatial TILECUT_NONE
 * only colours are learnt from seeds, and lambda is 50. If islands are kept, too, "cuda" learns on the device; else the
 * host learns, and the device is given the energy.
 * Errors: EINVAL, ESEEDS, ENOMEM, ERANGE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_volume_segment(const tilecut_volume *volume, const uint8_t *seeds,
                                                  const tilecut_params *params, uint8_t *mask, tilecut_report *report);

/* With params->prior, rows of the volume one after the other, tilecut_volume_segment() refines that mask first, as
 * tilecut_segment() does: its outline moves by at most prior_reach steps of the least spacing, by default half a
 * cell of a mask of low resolution, to where grey values on its two sides and edges say; all else keeps its side.
 * Nothing more is learnt from it. Seeds, of which none are needed, then correct it. lambda is 10 by default. Only
 * a window around mask and foreground seeds is looked at.
 *
 * tilecut_volume_moved() compares such a mask with what came of it, as tilecut_outline_moved() does: distances are in
 * steps of the least spacing. Links of all three axes count for edges. given and mask: packed, one byte a voxel.
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_volume_moved(const tilecut_volume *volume, const uint8_t *given,
                                                const uint8_t *mask, tilecut_moved *moved);

/* Corrects the mask of a volume by seeds, as tilecut_correct() says it of an image: foreground seeds only add to it,
 * background seeds only take away, and only what is connected to them. Of depth 1 with 26 neighbours it is
 * tilecut_correct() with 8, bit for bit, without a spatial term. Volume, seeds and params are as above; lambda by
 * default is what the seeds tell if they have both classes, and else 50. All is learnt and cut in a window around mask
 * and foreground seeds: a quarter of the cube root of their box's volume, at least 24 steps of the least spacing, on
 * every side, and more if seeds change what is farther. Only finding black and white takes the whole volume: where many
 * strokes follow, name low and high, or use a session.
 *   how    TILECUT_BY_STROKES or TILECUT_BY_LEARNING, which does the same in space
 *   mask   in and out, packed, one byte a voxel; 0 is background, all else foreground. Then 0 or 255; untouched on
 *          failure
 *   corrected, report   out, may be NULL, as of tilecut_correct()
 * Errors: as of tilecut_volume_segment(). */
TILECUT_API tilecut_status tilecut_volume_correct(const tilecut_volume *volume, const uint8_t *seeds,
                                                  const tilecut_params *params, int how, uint8_t *mask,
                                                  tilecut_corrected *corrected, tilecut_report *report);

/* How sure the mask of a volume is, as tilecut_confidence() says it of an image: mask and sure are packed, one byte a
 * voxel; `sure` or `doubt` may be NULL. Volume, seeds and params are those that the mask was cut with. Errors as of
 * tilecut_volume_segment(). */
TILECUT_API tilecut_status tilecut_volume_confidence(const tilecut_volume *volume, const uint8_t *seeds,
                                                     const uint8_t *mask, const tilecut_params *params, uint8_t *sure,
                                                     tilecut_doubt *doubt);

/* For one volume whose seeds change: each solve begins with the flow of the last solve. It takes 37 to 51 bytes per
 * voxel for as long as it lives, has 6 neighbours, and is for one thread at a time; sessions do not disturb each other.
 * With solver "cuda" it solves on the device, each time from nothing. */
typedef struct tilecut_volume_session tilecut_volume_session;

/* `*session` out, owned by the caller; NULL on failure. `volume` is copied; its voxels must outlive the session and
 * stay as they are. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_volume_session_create(tilecut_volume_session **session,
                                                         const tilecut_volume *volume);
TILECUT_API void tilecut_volume_session_destroy(tilecut_volume_session *session); /* NULL is fine */

/* Gives the answer of tilecut_volume_segment() bit for bit. `seeds` are all seeds, not only the new ones. report->warm:
 * 1 if the earlier flow was used. It is, unless link capacities have changed, with lambda, with sigma, or with the
 * scale that the colours need. After a failure the next solve begins from nothing. */
TILECUT_API tilecut_status tilecut_volume_session_solve(tilecut_volume_session *session, const uint8_t *seeds,
                                                        const tilecut_params *params, uint8_t *mask,
                                                        tilecut_report *report);

/* As tilecut_volume_correct(), whose answer it gives bit for bit, of the session's volume: black and white are found
 * once for all calls of the session. Only a window around mask and strokes is cut, each time from nothing; the flow of
 * tilecut_volume_session_solve() stays as it is. params->connectivity may be 26. Arguments and errors as there. It can
 * be undone; if `mask` is not the session's last one, corrections before it no longer can. */
TILECUT_API tilecut_status tilecut_volume_session_correct(tilecut_volume_session *session, const uint8_t *seeds,
                                                          const tilecut_params *params, int how, uint8_t *mask,
                                                          tilecut_corrected *corrected, tilecut_report *report);

/* Takes back the last correction that has not been taken back yet, but none from before the last solve. What it painted
 * is in the caller's seeds, and stays there.
 *   mask     out, packed, one byte a voxel: as it was before that correction, bit for bit, 0 or 255
 *   undone   out, may be NULL: 1, or 0 if there was nothing to take back; then mask is the last one
 * Errors: EINVAL, also before the first solve or correction. Both are then untouched. */
TILECUT_API tilecut_status tilecut_volume_session_undo(tilecut_volume_session *session, uint8_t *mask, int *undone);

/* The window that tilecut_volume_segment() and the others learn from, cut and certify, where seeds say TILECUT_OUTSIDE:
 * the box around all other voxels but background, and around that a margin of 0.15 times the cube root of its volume,
 * at least 8 steps of the least spacing. All else is background, so the cut of the window is one of the whole volume
 * with what was learnt. Grey values are those of the whole volume. Without TILECUT_OUTSIDE, or in a volume of one
 * slice, it is everything.
 *   window   out: first voxel along x, y and z; width, height and depth
 * Errors: EINVAL. */
TILECUT_API tilecut_status tilecut_volume_window(const tilecut_volume *volume, const uint8_t *seeds, int window[6]);

enum { TILECUT_VOLUME_LINKS = 3 };

/* Capacities of a whole volume, for energies of your own: packed arrays, owned by the caller.
 *   source[p], sink[p]   terminal links source -> p and p -> sink
 *   to[k][p], from[k][p] p -> neighbour and neighbour -> p; the neighbour is the next voxel along x, y or z for k = 0,
 *                        1 or 2. from[k] NULL: the same as to[k]
 * Bounds are those of tilecut_arrays: entries whose neighbour lies outside are ignored, all capacities are >= 0, and
 * |source - sink| plus all links into and out of a voxel is below 2^24; else ERANGE. */
typedef struct tilecut_volume_arrays {
    size_t size; /* sizeof(tilecut_volume_arrays), or 0 */
    int width, height, depth;
    const int32_t *source, *sink;
    const int32_t *to[TILECUT_VOLUME_LINKS], *from[TILECUT_VOLUME_LINKS];
} tilecut_volume_arrays;

/* Checks the capacities: EINVAL or ERANGE, as tilecut_volume_solve() would return. */
TILECUT_API tilecut_status tilecut_volume_check(const tilecut_volume_arrays *arrays);

/* The capacities that tilecut_volume_segment() cuts, for files and other solvers. source and sink: out, one number a
 * voxel, packed; links: out, those along x, then those along y, then those along z, each as many; all owned by the
 * caller. Links weigh the same both ways, and those out of the volume are 0. *quantum, may be NULL: energy units for
 * each unit of capacity. On failure the contents of all outputs are undefined. Errors as of
 * tilecut_volume_segment(). */
TILECUT_API tilecut_status tilecut_volume_capacities(const tilecut_volume *volume, const uint8_t *seeds,
                                                     const tilecut_params *params, int32_t *source, int32_t *sink,
                                                     int32_t *links, double *quantum);

/* Solves a volume given by its capacities. Of `params` only solver, threads and cancel matter; mask and report are as
 * above. */
TILECUT_API tilecut_status tilecut_volume_solve(const tilecut_volume_arrays *arrays, const tilecut_params *params,
                                                uint8_t *mask, tilecut_report *report);

/* ---- Films ------------------------------------------------------------------------------------ */

/* Follows an object through a film. Frames are added one by one. As soon as there are `window` frames, they are cut
 * together, as a volume of x, y and time in which a pixel has 6 neighbours: 4 in its frame and itself in the frames
 * before and after. Windows overlap. Each window begins from the labels of the last window, and only one window is in
 * memory.
 *
 * If a frame has strokes of both classes, colours are learnt from them (tilecut_segment()) and used until the next such
 * frame. Strokes of one class alone only fix their pixels. In later frames the terminals come from these colours, and
 * from evidence of where the object has moved: small patches are compared with patches of the object and of the
 * background in earlier frames, and pixels that move with the object are told from pixels that move with the
 * background. Links in the frame and along time weigh by contrast. If frames are held ahead of a window, evidence is
 * also found backwards in time, from the next frame with strokes of both classes; the nearer that frame is, the more it
 * counts. Opaque; takes about 55 bytes for each pixel of a window, 6 for each of the frames ahead, and 150 more for
 * each of a frame. For one thread at a time. */
typedef struct tilecut_film tilecut_film;

enum { TILECUT_MAX_WINDOW = 256, TILECUT_MAX_AHEAD = 256 };

typedef struct tilecut_film_shape {
    size_t size;              /* sizeof(tilecut_film_shape), or 0                                            */
    int width, height;        /* of each frame                                                               */
    int channels;             /* 1 or 3, 8 bits a sample                                                     */
    int window;               /* frames that are cut at once, 1 .. TILECUT_MAX_WINDOW; 0: 6                  */
    int overlap;              /* how many frames the next window cuts again, less than window; 0: half of them;
                                 TILECUT_NONE: none                                                          */
    double time;              /* weight of links along time, over that of links in a frame, up to 4; 0: 0.2;
                                 TILECUT_NONE: none                                                          */
    double carry;             /* weight of the evidence from the frames before, up to 1e12; 0: 8;
                                 TILECUT_NONE: none                                                          */
    int ahead;                /* how many later frames are held before a frame is cut, 0 .. TILECUT_MAX_AHEAD.
                                 With one or more, motion is seen. If the next frame with strokes is among
                                 them, the object is also followed backwards from it                         */
} tilecut_film_shape;

/* `*film` out, owned by the caller; NULL on failure. Of `params` lambda, sigma, colors, data_weight, spatial,
 * iterations, effort, islands, solver ("auto", "cascade", "push" or "bk"), threads and cancel are used; cancel has to
 * outlive the film. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_film_create(tilecut_film **film, const tilecut_film_shape *shape,
                                               const tilecut_params *params);
TILECUT_API void tilecut_film_destroy(tilecut_film *film); /* NULL is fine */

/* Adds the next frame, which is copied.
 *   image   of the film's size and channels, 8 bits a sample
 *   seeds   NULL: nothing is painted on it; else one byte a pixel, packed, as for tilecut_segment(). The first seeds
 *           need both classes, unless there is a prior mask
 *   prior    NULL, or a mask of this frame to begin from: the probability of foreground in 255ths, packed
 *   *ready  out, may be NULL: the number of masks that wait to be taken
 * Until a frame is painted on, masks are background. Masks that wait have to be taken before the next frame is added.
 * Errors: EINVAL, also where masks wait; ESEEDS, ENOMEM, ERANGE, ECANCELLED, EUNPROVEN. The film is then as before,
 * but what a cut has found is lost. */
TILECUT_API tilecut_status tilecut_film_add(tilecut_film *film, const tilecut_image *image, const uint8_t *seeds,
                                            const uint8_t *prior, int *ready);

/* Ends the film: cuts the frames that are left. *ready and errors are as for tilecut_film_add(). */
TILECUT_API tilecut_status tilecut_film_end(tilecut_film *film, int *ready);

/* Takes the mask of the next frame, in order: one byte a pixel, packed, 0 or 255. report: out, may be NULL: the report
 * of the last window with this frame; flow, cut and energy are those of all frames in the window. If nothing was known
 * of the object, all fields but foreground are 0. EINVAL if no mask waits. */
TILECUT_API tilecut_status tilecut_film_take(tilecut_film *film, uint8_t *mask, tilecut_report *report);

/* How sure the mask is that tilecut_film_take() gives next. The first call for the masks that now wait looks at all
 * frames with a mask as one volume.
 *   sure   out, may be NULL: one byte a pixel, packed: how likely its label is right, in 255ths; 128 in frames
 *          before the first one of which anything is known
 *   doubt   out, may be NULL: `unsure` is for all frames that wait. The place is given if it is in this frame;
 *           otherwise x is -1
 * Errors: EINVAL, also if no mask waits; ENOMEM, ERANGE, ECANCELLED. */
TILECUT_API tilecut_status tilecut_film_confidence(tilecut_film *film, uint8_t *sure, tilecut_doubt *doubt);

/* The graph of the frame whose mask was taken last, alone: its own capacities, without links along time, to share out
 * pixels that several objects claim. It belongs to the film, and is valid until the film's next call. EINVAL if no mask
 * was taken since the last frame was added, or nothing is known of the object there. */
TILECUT_API tilecut_status tilecut_film_graph(tilecut_film *film, const tilecut_graph **graph);

/* The capacities of the last window that was cut, for other solvers and for tests. They are valid until a frame is
 * added. The arrays belong to the film. EINVAL if nothing has been cut; ENOMEM. */
TILECUT_API tilecut_status tilecut_film_window(const tilecut_film *film, tilecut_volume_arrays *arrays);

#ifdef __cplusplus
}
#endif
#endif
