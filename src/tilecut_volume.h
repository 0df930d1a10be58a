/* SPDX-License-Identifier: MIT
 *
 * tilecut_volume.h - cuts volumes: scans and stacks of slices, whose voxels have 6 or 26 neighbours, with the same
 * library as tilecut.h. The cut minimises the same energy, links weigh by physical distance, and flow == cut is
 * certified before labels are returned.
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

/* Grey values or colours of a volume, owned by the caller. */
typedef struct tilecut_volume {
    size_t size;                       /* sizeof(tilecut_volume), or 0                                       */
    int width, height, depth;          /* voxels along x, y and z                                            */
    int type;                          /* TILECUT_VOXEL_U8 or another of these types                         */
    const void *voxels;                /* aligned for the type                                                */
    size_t row_stride, slice_stride;   /* bytes from row to row and from slice to slice; 0: packed           */
    double spacing[3];                 /* distances between neighbours along x, y and z; all 0: each is 1    */
    double low, high;                  /* values that become black and white; values beyond them are clipped. Both 0:
                                          those of tilecut_volume_range(), and if these are equal, the least and the
                                          greatest value of the volume. All colours have the same two values */
    int channels;                      /* 1 (grey) or 3 (red, green, blue, side by side as in an image); 0: 1. With 3,
                                          the type is TILECUT_VOXEL_U8 or TILECUT_VOXEL_U16 */
    int reserved;                      /* 0                                                                   */
} tilecut_volume;

/* The values of a volume that become black and white if the caller sets no others. For TILECUT_VOXEL_U8 they are 0 and
 * 255. Otherwise 0.1 % and 99.9 % of the voxels lie below them, counted on a million evenly spread voxels if there are
 * more. In colour, each channel of a voxel counts like a voxel. Voxels that are not a number do not count. range: out,
 * two numbers; equal if nearly all voxels have one value.
 * The fields low and high of `volume` are ignored. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_volume_range(const tilecut_volume *volume, double range[2]);

/* Cuts `volume` along its seeds.
 *   seeds    one byte per voxel, packed: TILECUT_UNKNOWN and the other labels. Foreground and background must occur,
 *            unless there is a box. TILECUT_OUTSIDE counts as background; if it occurs, only a window is cut, see
 *            tilecut_volume_window()
 *   params   NULL for all defaults. These fields are used: lambda, sigma, colors, data_weight, spatial, iterations,
 *            islands, soft_seeds, prior, prior_stride, prior_reach, solver, threads, device, cancel and connectivity.
 *            connectivity 26: neighbours are all voxels that share a face, an edge or a corner, which only "bk" solves;
 *            any other value means 6. sigma is in units of 1/256 of the range from low to high. solver: "auto",
 *            "cascade", "push", "bk", "cuda" or "hybrid"; "auto" uses no GPU, "cuda" does everything on the GPU, and
 *            "hybrid" alternates between GPU and CPU
 *   mask     out, one byte per voxel, packed: 0 background, 255 foreground; untouched on failure. It must not share
 *            memory with voxels, seeds or prior
 *   report   out, may be NULL; its connectivity is 6 or 26, its low and high the values that are black and white
 * A link weighs lambda * exp(-beta d^2), times the smallest spacing divided by the distance of the two voxels.
 *
 * A volume of one slice is cut like an image without a box. Otherwise defaults depend on g, the mean distance from a
 * foreground seed to the nearest background seed, in units of the smallest spacing:
 *   lambda      half of g, rounded down on a scale whose steps are factors of sqrt(2), at most 50
 *   spatial     10; distances are in space, and the border of the volume is no evidence
 *   iterations  none
 * With TILECUT_OUTSIDE and no foreground seed the object is guessed from the box of unknown voxels: learning begins
 * with an ellipsoid in it and is repeated, as with a box in an image; lambda is then an eighth of the cube root of the
 * box's volume, rounded down in the same way, and spatial is not used. No colours are learnt from background seeds
 * farther than 2 g from all foreground seeds. With spatial TILECUT_NONE only colours are learnt from seeds, and lambda
 * is 50. If islands are also kept, "cuda" learns on the device; else the host learns, and the device gets the energy.
 * With TILECUT_OUTSIDE and seeds of a class, the box is also cut without them, and as in an image a region that changes
 * and contains no seed of its new label stays as the box alone has it, unless effort is 1 or iterations are 0.
 * Errors: EINVAL, ESEEDS, ENOMEM, ERANGE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_volume_segment(const tilecut_volume *volume, const uint8_t *seeds,
                                                  const tilecut_params *params, uint8_t *mask, tilecut_report *report);

/* With params->prior, rows of the volume one after the other, tilecut_volume_segment() refines that mask first, as
 * tilecut_segment() does: its outline moves to where edges and the grey values on its two sides fit best, by at most
 * prior_reach steps of the smallest spacing, by default half a cell of a mask of low resolution; all other voxels keep
 * their side. No new mask is learnt from it. Seeds, if there are any, then correct it. lambda is 10 by default. Only a
 * window around mask and foreground seeds is read.
 *
 * tilecut_volume_moved() compares such a mask with the refined one, as tilecut_outline_moved() does. Distances are in
 * steps of the smallest spacing. Links along all three axes count for edges. given and mask: packed, one byte a voxel.
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_volume_moved(const tilecut_volume *volume, const uint8_t *given,
                                                const uint8_t *mask, tilecut_moved *moved);

/* Corrects the mask of a volume by seeds, as tilecut_correct() does for an image: foreground seeds only add to it,
 * background seeds only remove from it, and only voxels that are connected to them change. With depth 1 and 26
 * neighbours the result is that of tilecut_correct() with 8, bit for bit, without a spatial term. Volume, seeds and
 * params are as above; by default lambda is derived from the seeds if they have both classes, and else 50. Learning and
 * cutting are done in a window around mask and foreground seeds. Its margin on every side is a quarter of the cube root
 * of their box's volume, at least 24 steps of the smallest spacing, and more if seeds change voxels farther away. Only
 * to find black and white the whole volume is read: if many strokes follow, set low and high, or use a session.
 *   how    TILECUT_BY_STROKES; or TILECUT_BY_LEARNING: then seeds that lie deep in the wrong label, but change hardly
 *          more than themselves, change what they are connected to in a cut anew from all seeds of both classes
 *          (docs/design/corrections.md). That takes the time and the memory of tilecut_volume_segment() in the window
 *   mask   in and out, packed, one byte a voxel; on entry 0 is background and everything else foreground; on return 0
 *          or 255; untouched on failure
 *   corrected, report   out, may be NULL, as for tilecut_correct()
 * Errors: those of tilecut_volume_segment(). */
TILECUT_API tilecut_status tilecut_volume_correct(const tilecut_volume *volume, const uint8_t *seeds,
                                                  const tilecut_params *params, int how, uint8_t *mask,
                                                  tilecut_corrected *corrected, tilecut_report *report);

/* Computes how sure the mask of a volume is, as tilecut_confidence() does for an image: mask and sure are packed, one
 * byte a voxel; `sure` or `doubt` may be NULL. Volume, seeds and params must be those with which the mask was cut.
 * What is learnt from a mask, with iterations, in a box without strokes or around a click, is learnt here once more.
 * If the mask was corrected or refined, pass it as params->prior, too: then everything is learnt from it and the seeds,
 * which may lack a class. prior_weight is not used.
 * Errors: those of tilecut_volume_segment(). */
TILECUT_API tilecut_status tilecut_volume_confidence(const tilecut_volume *volume, const uint8_t *seeds,
                                                     const uint8_t *mask, const tilecut_params *params, uint8_t *sure,
                                                     tilecut_doubt *doubt);

/* For one volume whose seeds change: each solve starts from the flow of the last solve. A session takes 37 to 51 bytes
 * per voxel as long as it exists, has 6 neighbours, and may be used by one thread at a time; sessions are independent
 * of each other. With solver "cuda" it solves on the device, each time from nothing. */
typedef struct tilecut_volume_session tilecut_volume_session;

/* Returns the session in *session, which the caller owns; NULL on failure. `volume` is copied; its voxels must outlive
 * the session and must not change. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_volume_session_create(tilecut_volume_session **session,
                                                         const tilecut_volume *volume);
TILECUT_API void tilecut_volume_session_destroy(tilecut_volume_session *session); /* NULL is fine */

/* Gives the answer of tilecut_volume_segment() bit for bit. `seeds` are all seeds, not only the new ones. report->warm
 * is 1 if the earlier flow was used. It is used unless link capacities have changed, because of lambda, sigma, or the
 * scale that the colours need. After a failure the next solve starts from nothing. */
TILECUT_API tilecut_status tilecut_volume_session_solve(tilecut_volume_session *session, const uint8_t *seeds,
                                                        const tilecut_params *params, uint8_t *mask,
                                                        tilecut_report *report);

/* Corrects the mask of the session's volume. The answer is that of tilecut_volume_correct(), bit for bit, but black and
 * white are found only once for all calls of the session. Only a window around mask and strokes is cut, each time from
 * nothing; the flow of tilecut_volume_session_solve() does not change. params->connectivity may be 26. Arguments and
 * errors are those of tilecut_volume_correct(). A correction can be undone; but if `mask` is not the session's last
 * one, earlier corrections no longer can. */
TILECUT_API tilecut_status tilecut_volume_session_correct(tilecut_volume_session *session, const uint8_t *seeds,
                                                          const tilecut_params *params, int how, uint8_t *mask,
                                                          tilecut_corrected *corrected, tilecut_report *report);

/* Undoes the last correction that has not been undone yet, but none from before the last solve. The caller's seeds do
 * not change.
 *   mask     out, packed, one byte a voxel: as it was before that correction, bit for bit, 0 or 255
 *   undone   out, may be NULL: 1, or 0 if there was nothing to undo; then mask is the last one
 * Errors: EINVAL, also before the first solve or correction. Both outputs are then untouched. */
TILECUT_API tilecut_status tilecut_volume_session_undo(tilecut_volume_session *session, uint8_t *mask, int *undone);

/* Finds the window in which tilecut_volume_segment() and the other functions learn, cut and certify if TILECUT_OUTSIDE
 * occurs. It is the bounding box of all voxels that are neither outside nor background, with a margin of 0.15 times the
 * cube root of the box's volume, at least 8 steps of the smallest spacing. All other voxels are background, so the cut
 * of the window is a minimum cut of the whole volume with the learnt model. Grey values are those of the whole volume.
 * Without TILECUT_OUTSIDE, or in a volume of one slice, the window is the whole volume.
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

/* Checks the capacities: returns EINVAL or ERANGE if tilecut_volume_solve() would return that. */
TILECUT_API tilecut_status tilecut_volume_check(const tilecut_volume_arrays *arrays);

/* Computes the capacities of the last cut of tilecut_volume_segment(), for files and other solvers; with seeds in a box
 * those of the cut with the seeds, before regions without a seed are restored. source and sink:
 * out, one number a voxel, packed. links: out, the links along x, then those along y, then those along z, one number a
 * voxel each. The caller owns all arrays. Links weigh the same both ways, and those out of the volume are 0. *quantum,
 * which may be NULL, is the number of energy units per unit of capacity. On failure the contents of all outputs are
 * undefined. Errors: those of tilecut_volume_segment(); EINVAL if there is a prior mask. */
TILECUT_API tilecut_status tilecut_volume_capacities(const tilecut_volume *volume, const uint8_t *seeds,
                                                     const tilecut_params *params, int32_t *source, int32_t *sink,
                                                     int32_t *links, double *quantum);

/* Solves a volume given by its capacities. Only solver, threads and cancel of `params` are used; mask and report are as
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
 * background in earlier frames, and pixels that move with the object are distinguished from pixels that move with the
 * background. Links in the frame and along time weigh by contrast. If frames are held ahead of a window, evidence is
 * also found backwards in time, from the next frame with strokes of both classes; the nearer that frame is, the more it
 * counts. Opaque; takes about 55 bytes for each pixel of a window, 6 for each of the frames ahead, and 150 more for
 * each of a frame. One thread may use it at a time. */
typedef struct tilecut_film tilecut_film;

enum { TILECUT_MAX_WINDOW = 256, TILECUT_MAX_AHEAD = 256 };

typedef struct tilecut_film_shape {
    size_t size;              /* sizeof(tilecut_film_shape), or 0                                            */
    int width, height;        /* width and height of each frame                                              */
    int channels;             /* 1 or 3, 8 bits a sample                                                     */
    int window;               /* number of frames that are cut at once, 1 .. TILECUT_MAX_WINDOW; 0: 6        */
    int overlap;              /* how many frames of a window the next window cuts again, less than window; 0: half of
                                 them; TILECUT_NONE: none */
    double time;              /* weight of links along time, relative to links within a frame, up to 4; 0: 0.2;
                                 TILECUT_NONE: none */
    double carry;             /* weight of the evidence from the frames before, up to 1e12; 0: 8;
                                 TILECUT_NONE: none                                                          */
    int ahead;                /* how many later frames are held before a frame is cut, 0 .. TILECUT_MAX_AHEAD. With one
                                 or more, motion is used as evidence. If the next frame with strokes is among them, the
                                 object is also tracked backwards from it */
} tilecut_film_shape;

/* Returns the film in *film, which the caller owns; NULL on failure. These fields of `params` are used: lambda, sigma,
 * colors, data_weight, spatial, iterations, effort, islands, solver ("auto", "cascade", "push" or "bk"), threads and
 * cancel; cancel must outlive the film. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_film_create(tilecut_film **film, const tilecut_film_shape *shape,
                                               const tilecut_params *params);
TILECUT_API void tilecut_film_destroy(tilecut_film *film); /* NULL is fine */

/* Adds the next frame, which is copied.
 *   image   of the film's size and channels, 8 bits a sample
 *   seeds   NULL: nothing is painted on it; else one byte a pixel, packed, as for tilecut_segment(). The first seeds
 *           need both classes, unless there is a prior mask
 *   prior   NULL, or a prior mask of this frame: the probability of foreground in 255ths, packed
 *   *ready  out, may be NULL: the number of masks that wait to be taken
 * Masks are background until a frame has strokes. Masks that wait must be taken before the next frame is added. Errors:
 * EINVAL, also if masks wait; ESEEDS, ENOMEM, ERANGE, ECANCELLED, EUNPROVEN. The film is then unchanged, but the
 * results of a cut are lost. */
TILECUT_API tilecut_status tilecut_film_add(tilecut_film *film, const tilecut_image *image, const uint8_t *seeds,
                                            const uint8_t *prior, int *ready);

/* Ends the film: cuts the frames that are left. *ready and errors are as for tilecut_film_add(). */
TILECUT_API tilecut_status tilecut_film_end(tilecut_film *film, int *ready);

/* Takes the mask of the next frame, in order: one byte a pixel, packed, 0 or 255. report: out, may be NULL: the report
 * of the last window with this frame; flow, cut and energy are those of all frames in the window. If nothing was known
 * of the object, all fields but foreground are 0. EINVAL if no mask waits. */
TILECUT_API tilecut_status tilecut_film_take(tilecut_film *film, uint8_t *mask, tilecut_report *report);

/* Computes how sure the mask is that tilecut_film_take() returns next. The first call for the masks that wait treats
 * all frames with a mask as one volume.
 *   sure    out, may be NULL: one byte a pixel, packed: the probability that its label is right, in 255ths; 128 in
 *           frames before the object is known
 *   doubt   out, may be NULL: `unsure` is that of all frames that wait. The place is given if it is in this frame;
 *           otherwise x is -1
 * Errors: EINVAL, also if no mask waits; ENOMEM, ERANGE, ECANCELLED. */
TILECUT_API tilecut_status tilecut_film_confidence(tilecut_film *film, uint8_t *sure, tilecut_doubt *doubt);

/* Returns the graph of the frame whose mask was taken last, by itself: its own capacities, without links along time. It
 * serves to divide pixels that several objects claim. It belongs to the film, and is valid until the film's next call.
 * EINVAL if no mask was taken since the last frame was added, or if nothing is known of the object there. */
TILECUT_API tilecut_status tilecut_film_graph(tilecut_film *film, const tilecut_graph **graph);

/* Returns the capacities of the last window that was cut, for other solvers and for tests. They are valid until a frame
 * is added. The arrays belong to the film. Errors: EINVAL if nothing has been cut; ENOMEM. */
TILECUT_API tilecut_status tilecut_film_window(const tilecut_film *film, tilecut_volume_arrays *arrays);

#ifdef __cplusplus
}
#endif
#endif
