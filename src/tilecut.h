/* SPDX-License-Identifier: MIT
 *
 * tilecut.h - foreground/background segmentation by minimum cut on the pixel grid.
 *
 *   Simple     tilecut_segment()       one image, one call: pixels and seeds in, mask out
 *   Stepwise   tilecut_graph           the same in steps: build once, read its capacities, solve it
 *   Advanced   tilecut_graph_create()  your own capacities, any solver
 *   Again      tilecut_session         seeds or terminals that change: only what changed is solved again
 *   Afterwards tilecut_edge()          a soft edge for the mask, and the object's own colours there; with
 *              tilecut_edge_matte()    hair and fur
 *              tilecut_matte()         the same for hair and fur
 *
 * Re-entrant: there is no state but the per-thread sentence behind tilecut_error_detail(). The library reads no files,
 * prints nothing and never exits. A call takes less than 64 KB of stack, both in the caller's thread and in each
 * thread that it starts. All images are row-major, top row first.
 *
 * Statuses, images, seeds, parameters and reports are described in tilecut_types.h, and so is the rule for structs that
 * begin with `size`. The interface is frozen until the first number of the version changes, except in headers marked as
 * experimental.
 *
 * The mask minimises, exactly, the energy of Boykov & Jolly (ICCV 2001, eq. 1-3):
 *
 *     E(L) = sum_p D_p(L_p) + lambda * sum_{p~q} exp(-beta |I_p - I_q|^2) / dist(p,q) * [L_p != L_q]
 *
 * D_p is large where the colour of p does not fit a label, by a colour model learnt from the seeds. The spatial term is
 * a part of D_p, weighted by `spatial`: it depends on where p lies relative to the seeds. Every term is first rounded
 * to a whole number of quanta (see tilecut_report.quantum). Of all minimum cuts the mask is the one with the least
 * background, so every solver, thread count and device returns the same mask bit for bit. Each run proves its answer:
 * the flow found equals the cost of the cut.
 */
#ifndef TILECUT_H
#define TILECUT_H

#include "tilecut_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A semantic version. The suffix is "" for releases, and for example "-rc1" for what is published before them. */
#define TILECUT_VERSION_MAJOR 1
#define TILECUT_VERSION_MINOR 0
#define TILECUT_VERSION_PATCH 0
#define TILECUT_VERSION_PRE "-rc1"

/* The number in the name of the shared library, libtilecut.so.1: raised when programs have to be compiled anew. */
#define TILECUT_SOVERSION 1

/* Raised with every change after which some photo, volume or film may get another mask, cutout or matte than before.
 * Results of an earlier run remain valid while this number is the same; `batch --resume` checks it. */
#define TILECUT_RESULTS 2

/* "1.0.0-rc1" */
TILECUT_API const char *tilecut_version(void);

/* ---- Simple: one image, one call -------------------------------------------------------------- */

/* Cuts `image` along its seeds.
 *   seeds    height rows of width bytes, TILECUT_UNKNOWN and the other labels. There must be background (of either
 *            kind), and also foreground unless there are a box (TILECUT_OUTSIDE around TILECUT_UNKNOWN) and a colour
 *            model, which then begins with a guess; otherwise the call returns ESEEDS
 *   params   NULL for all defaults. params->where says in which memory image->pixels, seeds and mask lie
 *   mask     out, height rows of width bytes owned by the caller: 0 background, 255 foreground; untouched on
 *            failure. It must not share memory with pixels, seeds or prior
 *   report   out, may be NULL
 * Errors: EINVAL, ESEEDS, ENOMEM, ERANGE, ENODEVICE, EDEVICE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds,
                                           const tilecut_params *params, uint8_t *mask, tilecut_report *report);

/* ---- Stepwise and advanced: graphs ------------------------------------------------------------ */

/* A capacitated grid before it is solved. Opaque and small: it only refers to the source of its capacities, an image or
 * arrays, which must outlive it. Solving does not change it. */
typedef struct tilecut_graph tilecut_graph;

/* Each link is described at the pixel from which it leads forward; there are four forward directions. */
enum {
    TILECUT_RIGHT = 0,      /* (x,y) - (x+1,y)                      */
    TILECUT_DOWN = 1,       /* (x,y) - (x,y+1)                      */
    TILECUT_DOWN_RIGHT = 2, /* (x,y) - (x+1,y+1), 8 neighbours only */
    TILECUT_DOWN_LEFT = 3,  /* (x,y) - (x-1,y+1), 8 neighbours only */
    TILECUT_LINKS = 4
};

/* Capacities, in quanta, of a whole grid in arrays of width * height, row-major, owned by the caller.
 *   source[p], sink[p]   terminal links source -> p and p -> sink
 *   to[k][p], from[k][p] p -> neighbour k and neighbour k -> p; from[k] NULL: the same as to[k];
 *                        to[2], to[3] NULL: 4 neighbours
 * Entries whose neighbour lies outside the image are ignored. So that float32 arithmetic on them is exact, capacities
 * have bounds, else TILECUT_ERANGE: every capacity is >= 0, a terminal at most 2^24 - 1, and at each pixel |source -
 * sink| plus all link capacities into and out of it is below 2^24. */
typedef struct tilecut_arrays {
    size_t size; /* sizeof(tilecut_arrays), or 0: see tilecut_types.h */
    int width, height;
    const int32_t *source, *sink;
    const int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tilecut_arrays;

/* Both functions return a graph in *graph, which the caller owns; NULL on failure. Seeds are copied if their stride is
 * not the width. */
TILECUT_API tilecut_status tilecut_graph_create(tilecut_graph **graph, const tilecut_arrays *arrays);
TILECUT_API tilecut_status tilecut_graph_from_image(tilecut_graph **graph, const tilecut_image *image,
                                                    const uint8_t *seeds, const tilecut_params *params);
TILECUT_API void tilecut_graph_destroy(tilecut_graph *graph); /* NULL is allowed */

/* One row of capacities, in quanta, as in tilecut_arrays. The caller owns the arrays, each `width` long. Entries whose
 * neighbour lies outside the image become 0, and so do the diagonals of a 4-connected graph. Set a pointer to NULL if
 * that kind of capacity is not needed. */
typedef struct tilecut_row {
    size_t size; /* sizeof(tilecut_row), or 0: see tilecut_types.h */
    int32_t *source, *sink;
    int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tilecut_row;

/* Reads row `y`, 0 .. height - 1. Errors: EINVAL, ENOMEM; in that case nothing is written. */
TILECUT_API tilecut_status tilecut_graph_row(const tilecut_graph *graph, int y, const tilecut_row *row);
/* Each of the pointers may be NULL; without a graph the numbers are 0. */
TILECUT_API void tilecut_graph_size(const tilecut_graph *graph, int *width, int *height, int *connectivity);

/* Model units per capacity unit, as in tilecut_report; 1 for a graph from arrays, 0 for NULL. */
TILECUT_API double tilecut_graph_quantum(const tilecut_graph *graph);

/* Solves `graph`. Only solver, threads, device, mask_stride and cancel of `params` are used; `mask` and `report` are as
 * for tilecut_segment(). report->model_ms is the time that tilecut_graph_from_image() took. */
TILECUT_API tilecut_status tilecut_graph_solve(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                               tilecut_report *report);

/* Solves a graph from an image. Then learns its colour model anew from the mask and solves again, at most
 * params->iterations times and as long as that lowers the energy. Afterwards `mask` is a minimum cut for the capacities
 * of `graph`, except for four things: islands are left out; in a box, regions without a stroke may stay as they are in
 * the mask of the box alone; a box that shows no object is all foreground; with a prior mask and strokes, the strokes
 * have changed only what is connected to them, while the capacities are those of the whole image, with colours learnt
 * from the refined mask. */
TILECUT_API tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params,
                                                 uint8_t *mask, tilecut_report *report);

/* A maximum flow, in arrays of width * height owned by the caller: the flow on source -> p and on p -> sink, and the
 * net flow from p to its neighbour k, negative where it goes from k to p. to[2], to[3] are written with 8 neighbours
 * only. Entries whose neighbour lies outside the image are 0. */
typedef struct tilecut_flow {
    size_t size; /* sizeof(tilecut_flow), or 0: see tilecut_types.h */
    int32_t *source, *sink;
    int32_t *to[TILECUT_LINKS];
} tilecut_flow;

/* Solves `graph` as tilecut_graph_solve() does, and also returns the flow. That takes longer: a cut needs only a
 * preflow, in which some excess stays in pixels, and for a flow this excess has to be returned to the source. */
TILECUT_API tilecut_status tilecut_graph_flow(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                              const tilecut_flow *flow, tilecut_report *report);

/* ---- Sessions: the same graph again, with other terminals ---------------------------------------- */

/* A graph together with the flow of its last solve. When only terminals change, as with new seeds or newly learnt
 * colours, the next solve starts from that flow (Kohli & Torr, ICCV 2005). Opaque; takes 20 to 32 bytes a pixel (36 to
 * 50 with 8 neighbours). One thread may use it at a time; sessions are independent of each other. */
typedef struct tilecut_session tilecut_session;

/* Returns the session in *session, which the caller owns; NULL on failure. `graph` must outlive the session, and only
 * the session may change it meanwhile. When the session is destroyed, the graph gets its original seeds back. Errors:
 * EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_create(tilecut_session **session, tilecut_graph *graph);
TILECUT_API void tilecut_session_destroy(tilecut_session *session); /* NULL is allowed */

/* Gives a graph from an image other seeds: height rows of width labels, which are copied and take effect at once.
 * Colour model, spatial term and quantum remain those learnt from the seeds with which the graph was made; to learn
 * anew, make another graph. Only seeds_stride of `params` is used; NULL: rows are packed. Errors: EINVAL, ESEEDS,
 * ENOMEM; the session is then unchanged. */
TILECUT_API tilecut_status tilecut_session_reseed(tilecut_session *session, const uint8_t *seeds,
                                                  const tilecut_params *params);

/* Moves on to the next frame of a film. The graph must be from an image. `image` replaces the previous image, must have
 * the same size, channels and depth, and must stay valid until the next frame. Colours, contrast scale, weights and
 * quantum stay as learnt. Links follow the new pixels. The mask of the session becomes a prior mask in place of the
 * spatial term, so that the next tilecut_session_solve() finds by contrast what has moved. The flow of the previous
 * frame is kept as far as the new links can carry it; on a device the solve starts from nothing. Earlier strokes can no
 * longer be undone.
 *   seeds    NULL: nothing is painted on this frame; else as for tilecut_session_reseed(), but both classes may be
 *            missing
 *   params   seeds_stride, threads, prior (replaces the mask), prior_stride and prior_weight are used; NULL: all
 *            defaults. The prior mask is copied; its weight is limited by the quantum
 * Errors: EINVAL, also if there is no mask, ENOMEM; the session is then unchanged. When the session ends, the graph
 * keeps the last image. Source: Kohli & Torr, ICCV 2005. */
TILECUT_API tilecut_status tilecut_session_advance(tilecut_session *session, const tilecut_image *image,
                                                   const uint8_t *seeds, const tilecut_params *params);

/* Solves the graph in its present state. Mask, flow and certificate are those of tilecut_graph_solve(), with any solver
 * on any device, but it takes less time. "auto" is the solver that re-solves fastest. In a graph from arrays the caller
 * may have changed source[] and sink[] in place; values beyond the bounds of tilecut_arrays are refused with
 * TILECUT_ERANGE. If link capacities have also changed, or after a failure, the session starts from nothing;
 * report->warm is then 0. Errors as for tilecut_graph_solve(). */
TILECUT_API tilecut_status tilecut_session_solve(tilecut_session *session, const tilecut_params *params,
                                                 uint8_t *mask, tilecut_report *report);

/* A stroke of one class, painted in a rectangle of the image. */
typedef struct tilecut_stroke {
    size_t size;             /* sizeof(tilecut_stroke), or 0: see tilecut_types.h           */
    int x, y, width, height; /* within the image                                            */
    int label;               /* TILECUT_FOREGROUND or TILECUT_BACKGROUND                    */
    size_t stride;           /* bytes from row to row of `painted`; 0: width                */
    const uint8_t *painted;  /* height rows of width bytes, nonzero at the pixels of the stroke */
} tilecut_stroke;

/* A rectangle that contains all changed pixels of a mask. If no pixel has changed, the rectangle is empty. Before the
 * call it must be {0}, or have its size set. */
typedef struct tilecut_change {
    size_t size; /* the caller's: sizeof(tilecut_change), or 0, see tilecut_types.h */
    int x, y, width, height;
    int64_t pixels; /* number of changed pixels */
} tilecut_change;

/* Makes `mask` the current mask of the session, in place of one that the session has solved: height rows of width
 * bytes, nonzero is foreground; copied. Colours learnt from earlier strokes are forgotten, and these strokes can no
 * longer be undone. Only mask_stride of `params` is used; NULL: rows are packed. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_begin(tilecut_session *session, const uint8_t *mask,
                                                 const tilecut_params *params);

/* Corrects the current mask by a stroke. The current mask is the last one that the session has returned or was given.
 * The painted pixels take the stroke's label and are seeds from now on. The change is nested: a foreground stroke only
 * adds foreground, a background stroke only removes it, and all changed pixels are connected to the stroke. Everything
 * else is held fixed, so the new mask is a certified minimum cut of the part that may change. How deep the stroke lies
 * in the wrong label shows how large the error is: far beyond that depth pixels change at a cost, and a change that
 * leaks out of the discs around the stroke that fit into it is limited to these discs (docs/guide/api.md).
 * report->flow and report->cut are those of the part that may change, including this cost, in the quanta of the graph.
 * The stroke's colours are added to the colours learnt for its class, with a tenth of their weight; otherwise the model
 * does not change (see tilecut_session_learn()). The time is proportional to the part of the image that is searched:
 * the surroundings of the stroke and of the changed pixels.
 *   params   NULL for all defaults; solver, threads, device, mask_stride and cancel are used
 *   mask     out, may be NULL: height rows of width bytes, all are written
 *   change   out, may be NULL
 *   report   out, may be NULL
 * Errors: EINVAL, also if there is no mask to correct, and those of tilecut_graph_solve(). The session is then
 * unchanged. */
TILECUT_API tilecut_status tilecut_session_stroke(tilecut_session *session, const tilecut_stroke *stroke,
                                                  const tilecut_params *params, uint8_t *mask, tilecut_change *change,
                                                  tilecut_report *report);

/* Learns the colour model anew from the current mask and the seeds, and solves the whole image. Only this step may both
 * add and remove foreground. Errors as for tilecut_session_stroke(). */
TILECUT_API tilecut_status tilecut_session_learn(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                                 tilecut_change *change, tilecut_report *report);

/* Undoes the last stroke or learning step that has not been undone yet. Mask, seeds and model are then what they were
 * before it, bit for bit. *undone, which may be NULL, becomes 1, or 0 if there was nothing to undo. Only mask_stride of
 * `params` is used; NULL: rows are packed. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_undo(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                                tilecut_change *change, int *undone);

/* ---- Where a mask is unsure ---------------------------------------------------------------------- */

/* Where a mask is doubtful. Before the call it must be {0}, or have its size set. */
typedef struct tilecut_doubt {
    size_t size;   /* the caller's: sizeof(tilecut_doubt), or 0, see tilecut_types.h                        */
    double unsure; /* share of the outline next to which the mask may well be wrong, 0 .. 1                */
    double gain;   /* expected number of wrong pixels in the region around the place (x, y, z)             */
    int x, y, z;   /* the place where a stroke helps most; z is used for volumes, else 0. All are -1 if nothing is
                      doubtful */
    int label;     /* the label to paint there, TILECUT_FOREGROUND or _BACKGROUND; the mask has the other one */
} tilecut_doubt;

/* Computes how sure a mask is. One label, then the other, is favoured a little everywhere: a pixel that changes with
 * little favour is unsure. The masks of nine such cuts are nested, so four cuts find them all. A graph of more than
 * 262144 pixels is cut in blocks of pixels.
 *   graph    the graph whose cut gave the mask, as tilecut_graph_segment() leaves it; for a mask of tilecut_correct(),
 *            tilecut_graph_from_image() with all seeds, this mask as the prior and a prior_weight of TILECUT_NONE
 *   mask     0 background, else foreground, rows params->mask_stride apart; it may have been edited after the cut
 *   params   NULL for all defaults; threads, mask_stride and cancel are used
 *   sure     out, or NULL: width * height bytes, packed: the probability that the label is right, in 255ths; seeds are
 *            255. Calibrated on photos with known masks (docs/guide/quality.md); for other images use it as a ranking
 *   doubt    out, or NULL, which saves the search for the place: in an image, a stroke is tried at up to 12 places
 * Takes about 94 bytes for each of at most 262144 blocks; for `doubt` also the memory of a session with its strokes.
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN; in that case nothing is written. */
TILECUT_API tilecut_status tilecut_confidence(const tilecut_graph *graph, const uint8_t *mask,
                                              const tilecut_params *params, uint8_t *sure, tilecut_doubt *doubt);

/* Does the same as tilecut_confidence() for a session's mask. The seeds include the session's strokes; the colours are
 * those learnt before them. The strokes that it tries leave the session unchanged. EINVAL if there is no mask. */
TILECUT_API tilecut_status tilecut_session_confidence(tilecut_session *session, const tilecut_params *params,
                                                      uint8_t *sure, tilecut_doubt *doubt);

/* ---- Soft edges ------------------------------------------------------------------------------ */

/* Computes the soft edge of an ordinary cutout: the share of the object in each pixel, from colours and mask around the
 * cut. More than 3 pixels away from the cut, alpha is that of the mask. The share in a pixel depends only on the pixels
 * at most 11 away, so it is the same with any number of threads and in any crop.
 *   mask     width * height bytes: 0 background, else foreground
 *   threads  1 .. 256; 0: 1
 *   alpha    out, width * height, 0 .. 65535, owned by the caller; untouched on failure
 *   colors   out, or NULL: the image with the object's own colours where alpha is between 0 and 65535; width * height *
 *            channels samples of its depth, packed, owned by the caller; untouched on failure
 * Takes 170 bytes for each pixel of a row and each thread, whatever the height. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_edge(const tilecut_image *image, const uint8_t *mask, int threads, uint16_t *alpha,
                                        void *colors);

/* Does the same as tilecut_edge(), but mattes the edge as tilecut_matte() does where the photo shows hair or fur along
 * the cut, up to 25 pixels from it (in a copy of at most 1000 pixels a side). The result has the same bits for any
 * number of threads.
 *   seeds    NULL, or width * height labels as for tilecut_segment(); seeded pixels are never matted
 * Takes about 50 bytes a pixel, 35 in images of 2 megapixels and more, and 200 more for each that is matted. Errors:
 * EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_edge_matte(const tilecut_image *image, const uint8_t *mask, const uint8_t *seeds,
                                              int threads, uint16_t *alpha, void *colors);

/* The values of a trimap, one byte per pixel. */
enum { TILECUT_MATTE_BACKGROUND = 0, TILECUT_MATTE_UNKNOWN = 128, TILECUT_MATTE_FOREGROUND = 255 };

/* Makes a trimap from a mask. Along the mask's edge, where the photo shows hair or blur, pixels are unknown. All other
 * pixels, and seeds, have the mask's label. At least one pixel of each label that the mask has stays known.
 *   mask     width * height bytes: 0 background, else foreground
 *   seeds    NULL, or width * height labels as for tilecut_segment()
 *   threads  1 .. 256; 0: 1
 *   trimap   out, width * height bytes owned by the caller; untouched on failure
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte_band(const tilecut_image *image, const uint8_t *mask, const uint8_t *seeds,
                                              int threads, uint8_t *trimap);

/* Computes the share of the object in each pixel by closed-form matting (Levin, Lischinski & Weiss, PAMI 2008),
 * improved by sampled colours. The result has the same bits for any number of threads.
 *   trimap   width * height bytes with the three values above; both known values must occur
 *   alpha    out, width * height, 0 .. 65535, owned by the caller: exactly 0 or 65535 at known pixels of the trimap;
 *            untouched on failure
 * Takes about 30 bytes a pixel and 200 more for each unknown pixel. Errors: EINVAL, ESEEDS, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte(const tilecut_image *image, const uint8_t *trimap, int threads,
                                         uint16_t *alpha);

/* Computes the object's own colours (Germer et al., ICPR 2020). Where alpha is between 0 and 65535, the background's
 * share is removed from the photo's colour; elsewhere the photo's colour is kept.
 *   alpha    from tilecut_matte(), or any other
 *   colors   out, width * height * channels samples of the image's depth, packed, owned by the caller; untouched on
 *            failure
 * Takes about 55 bytes a pixel. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte_colors(const tilecut_image *image, const uint16_t *alpha, int threads,
                                                void *colors);

/* ---- What is built in ------------------------------------------------------------------------- */

/* Row `index` of the tables of solvers and colour models: its name, and one line about it. NULL past the end. Static
 * storage. */
TILECUT_API const char *tilecut_solver_name(int index);
TILECUT_API const char *tilecut_solver_summary(int index);
TILECUT_API const char *tilecut_solver_device(int index); /* "cpu" or "cuda" */
TILECUT_API const char *tilecut_colors_name(int index);
TILECUT_API const char *tilecut_colors_summary(int index);

/* The largest number of nodes that the solver accepts; nodes are pixels after width and height are each rounded up to a
 * multiple of 32. A solver that was named refuses a larger grid (TILECUT_EINVAL); "auto" then uses another solver. 0
 * past the end. */
TILECUT_API int64_t tilecut_solver_nodes(int index);

/* Returns the decisions of `hybrid` in this thread's last solve, in order; if there were more than TILECUT_DECISIONS,
 * these are the first ones and the last. Writes at most `most` of them to `out`, owned by the caller. Returns how many
 * there are: 0 if another solver has solved since, or if there was no solve. */
TILECUT_API int tilecut_decisions(tilecut_decision *out, int most);

/* The number of CUDA devices that this process can see; 0 also without CUDA or its driver. */
TILECUT_API int tilecut_cuda_devices(void);

/* Returns TILECUT_OK if solvers can use the CUDA device `index`, counted from 0. Its name is written to `name`, at most
 * `size` bytes including the final 0; `name` may be NULL. Errors: EINVAL (negative index), ENODEVICE (no such device,
 * or built without CUDA), EDEVICE. The first call starts the device, which takes some tenths of a second. */
TILECUT_API tilecut_status tilecut_cuda_device(int index, char *name, size_t size);

/* 1 if the CUDA solvers are in this build, else 0. Does not start a device. */
TILECUT_API int tilecut_cuda_built(void);

#ifdef __cplusplus
}
#endif
#endif
