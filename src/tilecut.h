/* SPDX-License-Identifier: MIT
 *
 * tilecut.h - foreground/background segmentation by minimum cut on the pixel grid.
 *
 *   Simple     tilecut_segment()       one image, one call: pixels and seeds in, mask out
 *   Stepwise   tilecut_graph           the same in parts: build once, read its capacities, solve it
 *   Advanced   tilecut_graph_create()  your own capacities, any solver
 *   Again      tilecut_session         seeds or terminals that change: only what changed is solved again
 *   Afterwards tilecut_matte()         a soft edge for the mask, and the object's own colours there
 *
 * Re-entrant: there is no state but the per-thread sentence behind tilecut_error_detail(). The library reads no files,
 * prints nothing and never exits. A call takes less than 64 KB of stack, both in the caller's thread and in each
 * thread that it starts. All images are row-major, top row first.
 *
 * Structs that a caller fills begin with `size`: sizeof the struct, as the caller was compiled. 0 stands for the
 * struct's size in the first release with this soname. When library and caller differ in age:
 *   - A newer library reads and writes only `size` bytes, and takes the fields that the caller does not have for zero.
 *   - An older library refuses the struct (TILECUT_EINVAL) if a field that it does not know is not zero. In a struct
 *     that it fills in, it leaves such fields alone.
 * So set every struct to {0}, and set `size` if you use fields newer than that first release.
 *
 * Zero is a good value in every field. It means either the default or "there is none"; each field says which.
 *
 * The mask minimises, exactly, the energy of Boykov & Jolly (ICCV 2001, eq. 1-3):
 *
 *     E(L) = sum_p D_p(L_p) + lambda * sum_{p~q} exp(-beta |I_p - I_q|^2) / dist(p,q) * [L_p != L_q]
 *
 * D_p says how badly the colour of p fits a label, by a colour model learnt from the seeds. The spatial term is a
 * part of D_p, weighted by `spatial`: it says how p lies among the seeds. Every term is first rounded to a whole
 * number of quanta (see tilecut_report.quantum). Of all minimum cuts the mask is the one with the least background,
 * so every solver, thread count and device returns the same mask bit for bit. Each run proves its answer: the flow
 * found equals the cost of the cut.
 */
#ifndef TILECUT_H
#define TILECUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TILECUT_API __attribute__((visibility("default")))
#else
#define TILECUT_API
#endif

#define TILECUT_VERSION_MAJOR 0
#define TILECUT_VERSION_MINOR 2
#define TILECUT_VERSION_PATCH 0

/* The number in the name of the shared library, libtilecut.so.1: raised when programs have to be compiled anew. */
#define TILECUT_SOVERSION 1

/* Width and height are at most this. Their product is bounded only by memory and by some solvers, see
 * tilecut_solver_nodes(). */
#define TILECUT_MAX_SIDE 65536
#define TILECUT_MAX_ITERATIONS 30
#define TILECUT_MAX_EFFORT 3

/* ---- Status ----------------------------------------------------------------------------------- */

typedef enum tilecut_status {
    TILECUT_OK = 0,
    TILECUT_EINVAL,     /* an argument breaks its contract                                  */
    TILECUT_ESEEDS,     /* the seeds cannot give a cut: a class is missing                  */
    TILECUT_ENOMEM,     /* host or device memory                                            */
    TILECUT_ERANGE,     /* a capacity is too large to be held exactly                       */
    TILECUT_ENODEVICE,  /* built without that device, or none is usable                     */
    TILECUT_EDEVICE,    /* a call to the device failed                                      */
    TILECUT_ECANCELLED, /* the caller's cancel flag was raised                              */
    TILECUT_EUNPROVEN   /* the answer failed its certificate: a bug in a solver, report it  */
} tilecut_status;

/* A short constant phrase for `status`, never NULL. */
TILECUT_API const char *tilecut_strerror(tilecut_status status);

/* One sentence on the last failure in this thread, with the numbers in it; "" if there was none.
 * Valid until the thread's next call that fails. */
TILECUT_API const char *tilecut_error_detail(void);

/* "0.2.0" */
TILECUT_API const char *tilecut_version(void);

/* ---- Images, seeds, parameters ---------------------------------------------------------------- */

/* Pixels owned by the caller, only read. Samples have 8 bits, or 16 bits in native byte order. With 16 bits, `pixels`
 * and `stride` must be even. All rows together must fit into memory: stride * height < SIZE_MAX / 2. */
typedef struct tilecut_image {
    size_t size;        /* sizeof(tilecut_image), or 0: see the top                        */
    int width, height;  /* 1 .. TILECUT_MAX_SIDE                                           */
    int channels;       /* 1 (grey) or 3 (red, green, blue; sRGB-encoded as in files)      */
    int depth;          /* 8 or 16 bits a sample                                           */
    size_t stride;      /* bytes from row to row; 0: width * channels * depth / 8          */
    const void *pixels;
} tilecut_image;

/* Seeds: one byte per pixel, rows of width bytes that lie tilecut_params.seeds_stride bytes apart. */
enum {
    TILECUT_UNKNOWN = 0,    /* to be decided                                                          */
    TILECUT_BACKGROUND = 1, /* hard background seed                                                   */
    TILECUT_FOREGROUND = 2, /* hard foreground seed                                                   */
    TILECUT_OUTSIDE = 3     /* outside a box: hard background, unless the box is all there is and plainly cuts
                               through its object: then segmenting widens it (not with an effort of 1, nor
                               with iterations < 0). Which pixels inside the box are foreground is guessed
                               first and then improved, see `iterations`; strokes inside help             */
};

/* A request to stop a call. All zero means: not raised. The caller's threads and the library share it, so use only
 * these functions on it. They may be called at any time from any thread; raising and lowering are safe in a signal
 * handler, too. */
typedef struct tilecut_flag {
    int raised;
} tilecut_flag;

TILECUT_API void tilecut_flag_raise(tilecut_flag *flag);
TILECUT_API void tilecut_flag_lower(tilecut_flag *flag);
TILECUT_API int tilecut_flag_raised(const tilecut_flag *flag); /* 1 or 0 */

/* Turns a term off, in those fields of tilecut_params that name it: there 0 means the term's default. */
#define TILECUT_NONE (-1)

/* `tilecut_params params = {0};` is a complete setup: all defaults. Every function that takes parameters refuses a
 * value outside its range, or one that is not a number, with TILECUT_EINVAL. */
typedef struct tilecut_params {
    size_t size;                /* sizeof(tilecut_params), or 0: see the top                          */
    const char *solver;         /* a tilecut_solver_name(); NULL or "auto": chosen from the graph     */
    const char *colors;         /* a tilecut_colors_name(); NULL: the first of them                   */
    double lambda;              /* weight of the boundary term, up to 1e12; 0: 50; TILECUT_NONE: 0    */
    double sigma;               /* contrast scale in 8-bit grey levels, 1e-3 to 1e6: beta = 1/(2 sigma^2);
                                   0: automatic, beta = 1/(2 <|I_p-I_q|^2>) (Rother et al. 2004)      */
    double data_weight;         /* factor on the colour terms D_p, up to 1e12; 0: 1                   */
    double spatial;             /* weight of the spatial term, up to 1e12; 0: 2; TILECUT_NONE: 0. The term says
                                   which class's seeds are nearer, how far the foreground's seeds are compared
                                   with their length, and whether the border of the image is near
                                   (docs/guide/quality.md). Off without a colour model, and where a box makes
                                   the first guess                                                    */
    int connectivity;           /* 4 or 8 neighbours; 0: 4. Diagonal links weigh 1/sqrt(2)            */
    int iterations;             /* most times that the colour model is learnt anew from the cut and the image
                                   is cut again (Rother et al. 2004), up to TILECUT_MAX_ITERATIONS.
                                   TILECUT_NONE or any negative number: none. 0: 5 with a box, 3 with strokes
                                   alone; above 120000 pixels these run in a smaller copy of the image. A
                                   number that is given counts iterations in the image itself, too    */
    int effort;                 /* 1: no smaller copy, and one first guess. 2: four first guesses for a box,
                                   of which after two iterations only the cheapest goes on; strokes alone
                                   begin twice, once with all that they leave open as background, and the
                                   cheaper answer is taken. 3 or 0: as 2, and in a box tries to do without
                                   some of the foreground's colours, which counts only if the energy falls
                                   clearly                                                            */
    int soft_seeds;             /* nonzero: seeds teach the colour model but do not bind their pixels;
                                   0: they bind                                                       */
    int islands;                /* where strokes alone teach colours, foreground may not touch any stroke; that of a
                                   refined wish, nothing of the wish. nonzero: such islands are kept; 0: left out */
    int threads;                /* worker threads, 1 .. 256; 0: 1                                     */
    int device;                 /* for solvers on a GPU: the CUDA index of the device, from 0. The caller's
                                   current device is left as it is. tilecut_segment_cuda() ignores this
                                   field and uses the device that holds the data                      */
    size_t seeds_stride;        /* bytes from row to row of the seeds passed with these parameters; at least
                                   the width; 0: the width. Other strides cost a copy, one byte a pixel */
    size_t mask_stride;         /* the same for the mask; bytes between its rows are not written      */
    const uint8_t *wish;        /* NULL, or a mask to begin from, in host memory: height rows of width bytes,
                                   each the probability of foreground in 255ths. Segmenting refines it first
                                   without strokes: its outline is moved by up to 32 pixels all around if that
                                   lowers the energy, colours are learnt from it, and it is soft evidence, which
                                   edges near its outline override. Then strokes, all at once, correct what has
                                   come of it: they bind, and change only what is connected to them and within
                                   four times the depth at which they lie in the wrong label. So with one more
                                   stroke of foreground a mask only grows, with one of background it only
                                   shrinks, in whatever order they were painted (not with soft_seeds). With a
                                   wish no class has to be seeded, and there is no spatial term       */
    size_t wish_stride;         /* bytes from row to row of the wish; 0: the width                    */
    double wish_weight;         /* weight of that evidence, which is full from 10 pixels inside or outside the
                                   wish's outline on; up to 1e12; 0: 2; TILECUT_NONE: 0               */
    const tilecut_flag *cancel; /* NULL, or a flag that makes the call return TILECUT_ECANCELLED soon
                                   after it is raised                                                 */
} tilecut_params;

/* Fills `params` with the defaults, as numbers wherever a default is a number, so that a caller can begin from those.
 * `size` is sizeof(tilecut_params) where the caller is compiled. */
TILECUT_API void tilecut_params_init(tilecut_params *params, size_t size);

static inline tilecut_params tilecut_params_default(void)
{
    tilecut_params params;
    tilecut_params_init(&params, sizeof params);
    return params;
}

/* One decision of the solver `hybrid` whether GPU or CPU goes on, with the figures behind it. A rate is the number of
 * pixels per millisecond whose excess comes to rest. The GPU's rate is its present one; the CPU's is the expected mean
 * over the work that is left. Reports hold an array of these, so this struct never gets another field. */
typedef struct tilecut_decision {
    const char *next;           /* "cuda" or "cpu"; static storage                                      */
    const char *reason;         /* a phrase; static storage                                             */
    int rounds;                 /* that the GPU has done so far                                         */
    int64_t active;             /* pixels with excess that may still reach a sink                       */
    double cuda_rate, cpu_rate; /* 0: not known yet                                                     */
    double threshold;           /* the least number of active pixels for which moving to the GPU pays at
                                   these rates; infinite: it never pays                                 */
    int64_t bytes;              /* to copy for a move, there and back, whether or not it is made        */
} tilecut_decision;

enum { TILECUT_DECISIONS = 16 };

/* What a run did: filled in on success, left alone on failure. Before the call it is {0}, or has its size set. Times
 * are wall-clock milliseconds. */
typedef struct tilecut_report {
    size_t size;            /* the caller's: sizeof(tilecut_report), or 0, see the top                  */
    int64_t flow, cut;      /* maximum flow and cost of the returned cut, in quanta; equal if certified */
    int certified;          /* 1: feasible flow, flow == cut, canonical labels                          */
    double energy;          /* cut * quantum: E of the returned mask in the units of the model          */
    double quantum;         /* model units per capacity unit, a power of two                            */
    double lambda, beta;    /* as used; beta per squared 8-bit grey level                               */
    const char *solver;     /* as run ("auto" resolved); static storage                                 */
    const char *device;     /* "cpu" or "cuda", where that solver runs; static storage                   */
    int device_index;       /* CUDA index of the device; 0 on the CPU                                   */
    const char *colors;     /* colour model, "none" without one; static storage                         */
    int connectivity, threads;
    int warm;               /* 1: the solve started from the flow of an earlier solve                   */
    int64_t foreground;     /* pixels of the mask that are foreground                                   */
    int64_t islands;        /* pixels that are foreground in the minimum cut, but not in the mask, because they
                               are connected to no stroke. The mask is a minimum cut with these pixels
                               seeded as background. Of a refined wish: pixels that were given back to it */
    double model_ms;        /* contrast scale, tables, colour model                                     */
    double graph_ms;        /* capacities into the grid                                                 */
    double copy_ms;         /* to and from a device                                                     */
    double solve_ms;        /* maximum flow                                                             */
    double certify_ms;      /* canonical cut, certificate, mask                                         */
    double bytes_per_pixel; /* grid and solver together, over width * height                            */
    int iterations;         /* number of iterations kept; tilecut_segment() and tilecut_graph_segment() only.
                               Times are sums over all iterations, everything else is of the last one kept */
    double iteration_energy[TILECUT_MAX_ITERATIONS + 1]; /* energy of the first mask and after each iteration. It
                               includes the cost that all masks share, so energies can be compared. They
                               never rise where no stroke teaches colours; 0 without iterations         */
    int decisions;          /* how many of `hybrid` are listed, in order; if there were more than fit, the
                               first ones and the last                                                  */
    tilecut_decision decision[TILECUT_DECISIONS];
} tilecut_report;

/* ---- Simple: one image, one call -------------------------------------------------------------- */

/* Cuts `image` along its seeds.
 *   seeds    height rows of width bytes, TILECUT_UNKNOWN and friends; else ESEEDS: background (of either kind)
 *            must occur. Foreground must occur, too, unless there are a box (TILECUT_OUTSIDE around
 *            TILECUT_UNKNOWN) and a colour model, which then begins with a guess
 *   params   NULL for all defaults
 *   mask     out, height rows of width bytes owned by the caller: 0 background, 255 foreground; untouched on
 *            failure
 *   report   out, may be NULL
 * Errors: EINVAL, ESEEDS, ENOMEM, ERANGE, ENODEVICE, EDEVICE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds,
                                           const tilecut_params *params, uint8_t *mask, tilecut_report *report);

/* tilecut_segment() for a large image in little memory. Pixels and seeds have to be memory that may be written. From 4
 * megapixels on they are squeezed while the solver works, and most of their pages are given back to the system, which
 * spares up to 4 bytes a pixel. When the call returns, seeds are what they were, and after a failure pixels, too.
 * Pixels are squeezed if they have 8 bits a sample and their rows lie side by side. Nothing is squeezed in a box, if
 * iterations in the image itself are asked for, or where a GPU builds the graph. */
TILECUT_API tilecut_status tilecut_segment_sparing(const tilecut_image *image, uint8_t *seeds,
                                                   const tilecut_params *params, uint8_t *mask, tilecut_report *report);

/* tilecut_segment() for data that are on a GPU already. image->pixels, seeds and mask are memory of one device;
 * `stream` is a cudaStream_t of that device (NULL: the default stream). All work is ordered on the stream and is
 * complete when the call returns. With 4 neighbours, a solver of the GPU and no wish mask, everything stays on the
 * device, colour models included; otherwise pixels and seeds are copied to the host. "auto" is "cuda". Without CUDA:
 * ENODEVICE. */
TILECUT_API tilecut_status tilecut_segment_cuda(const tilecut_image *image, const uint8_t *seeds,
                                                const tilecut_params *params, uint8_t *mask, void *stream,
                                                tilecut_report *report);

/* ---- Stepwise and advanced: graphs ------------------------------------------------------------ */

/* A capacitated grid before it is solved. Opaque and small: it only describes where capacities come from, an image or
 * arrays, which must outlive it. Solving does not change it. */
typedef struct tilecut_graph tilecut_graph;

/* Links are described at the pixel whose forward neighbour is the other end: four directions. */
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
 * Entries whose neighbour lies outside the image are ignored. Every capacity is >= 0, a terminal at
 * most 2^24 - 1, and at each pixel |source - sink| plus all link capacities into and out of it is below
 * 2^24, so that float32 arithmetic on them is exact; else TILECUT_ERANGE. */
typedef struct tilecut_arrays {
    size_t size; /* sizeof(tilecut_arrays), or 0: see the top */
    int width, height;
    const int32_t *source, *sink;
    const int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tilecut_arrays;

/* Both: `*graph` out, owned by the caller; NULL on failure. Seeds are copied if their stride is not the width. */
TILECUT_API tilecut_status tilecut_graph_create(tilecut_graph **graph, const tilecut_arrays *arrays);
TILECUT_API tilecut_status tilecut_graph_from_image(tilecut_graph **graph, const tilecut_image *image,
                                                    const uint8_t *seeds, const tilecut_params *params);
TILECUT_API void tilecut_graph_destroy(tilecut_graph *graph); /* NULL is fine */

/* One row of capacities, in quanta, as in tilecut_arrays. The caller owns the arrays, each `width` long. Entries whose
 * neighbour lies outside the image become 0, and so do the diagonals of a 4-connected graph. A pointer is NULL where
 * that kind of capacity is not wanted. */
typedef struct tilecut_row {
    size_t size; /* sizeof(tilecut_row), or 0: see the top */
    int32_t *source, *sink;
    int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tilecut_row;

/* Reads row `y`, 0 .. height - 1. Errors: EINVAL, ENOMEM; nothing is written then. */
TILECUT_API tilecut_status tilecut_graph_row(const tilecut_graph *graph, int y, const tilecut_row *row);
TILECUT_API void tilecut_graph_size(const tilecut_graph *graph, int *width, int *height, int *connectivity);

/* Model units per capacity unit, as in tilecut_report; 1 for a graph from arrays. */
TILECUT_API double tilecut_graph_quantum(const tilecut_graph *graph);

/* Solves `graph`. Of `params` only solver, threads, device, mask_stride and cancel matter here; `mask` and `report`
 * are as for tilecut_segment(). report->model_ms is the time that tilecut_graph_from_image() took. */
TILECUT_API tilecut_status tilecut_graph_solve(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                               tilecut_report *report);

/* Solves a graph from an image. Then learns its colour model anew from the mask and solves again, at most
 * params->iterations times and as long as that lowers the energy. Afterwards `graph` has the capacities of which
 * `mask` is a minimum cut, apart from islands, from regions of a box that are left as the box alone has them because no
 * stroke lies in them, and from changes to a refined wish that are not connected to a stroke. With a wish and strokes
 * these capacities hold the wish's mask where no stroke reaches; strokes of a session are free of that. */
TILECUT_API tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params,
                                                 uint8_t *mask, tilecut_report *report);

/* A maximum flow, in arrays of width * height owned by the caller: the flow on source -> p and on p -> sink, and the
 * net flow from p to its neighbour k, negative where it goes from k to p. to[2], to[3] are written with 8 neighbours
 * only. Entries whose neighbour lies outside the image are 0. */
typedef struct tilecut_flow {
    size_t size; /* sizeof(tilecut_flow), or 0: see the top */
    int32_t *source, *sink;
    int32_t *to[TILECUT_LINKS];
} tilecut_flow;

/* Solves `graph` as tilecut_graph_solve() does, and returns the flow, too. That takes longer: a cut needs only a
 * preflow, in which some excess is left in pixels, and for a flow this excess is led back to the source. */
TILECUT_API tilecut_status tilecut_graph_flow(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                              const tilecut_flow *flow, tilecut_report *report);

/* ---- Sessions: the same graph again, with other terminals ---------------------------------------- */

/* A graph together with the flow of its last solve. When only terminals change, as with new seeds or newly learnt
 * colours, the next solve starts from that flow and not from nothing (Kohli & Torr, ICCV 2005). Opaque; holds 20 to 32
 * bytes a pixel (36 to 50 with 8 neighbours). For one thread at a time; sessions do not disturb each other. */
typedef struct tilecut_session tilecut_session;

/* `*session` out, owned by the caller; NULL on failure. `graph` must outlive the session, and only the session may
 * change it meanwhile. When the session is destroyed, the graph has its original seeds again. Errors: EINVAL,
 * ENOMEM. */
TILECUT_API tilecut_status tilecut_session_create(tilecut_session **session, tilecut_graph *graph);
TILECUT_API void tilecut_session_destroy(tilecut_session *session); /* NULL is fine */

/* Gives a graph from an image other seeds: height rows of width labels, copied. They bind from now on. Colour model,
 * spatial term and quantum remain those learnt from the seeds with which the graph was made; to learn anew, make
 * another graph. Of `params` only seeds_stride matters; NULL: rows are packed. Errors: EINVAL, ESEEDS, ENOMEM; the
 * session is then as before. */
TILECUT_API tilecut_status tilecut_session_reseed(tilecut_session *session, const uint8_t *seeds,
                                                  const tilecut_params *params);

/* Goes on to the next frame of a film: in a graph from an image, `image`, of the same size, channels and depth,
 * replaces the one before; it must outlive its frame. Colours, contrast scale, weights and quantum stay as learnt.
 * Links follow the new pixels. The mask of the session becomes a wish in place of the spatial term, so that the next
 * tilecut_session_solve() finds by contrast what has moved. The flow of the frame before is kept as far as the new
 * links carry it; on a device the solve begins from nothing. What could be undone no longer can.
 *   seeds    NULL: nothing is painted on this frame; else as for tilecut_session_reseed(), and no class has to occur
 *   params   seeds_stride, threads, wish (replaces the mask), wish_stride and wish_weight matter; NULL: all defaults.
 *            The wish is copied; it weighs at most what the quantum has room for
 * Errors: EINVAL, also without a mask, ENOMEM; the session is then as before. When the session ends, the graph keeps
 * the last image. Source: Kohli & Torr, ICCV 2005. */
TILECUT_API tilecut_status tilecut_session_advance(tilecut_session *session, const tilecut_image *image,
                                                   const uint8_t *seeds, const tilecut_params *params);

/* Solves the graph as it is now. Mask, flow and certificate are those of tilecut_graph_solve(), with any solver on any
 * device, but sooner. "auto" is the solver that re-solves fastest. In a graph from arrays the caller may have changed
 * source[] and sink[] in place; values beyond the bounds of tilecut_arrays are refused with TILECUT_ERANGE. If link
 * capacities have changed, too, or after a failure, the session solves from nothing; report->warm says so. Errors as
 * of tilecut_graph_solve(). */
TILECUT_API tilecut_status tilecut_session_solve(tilecut_session *session, const tilecut_params *params,
                                                 uint8_t *mask, tilecut_report *report);

/* A stroke of one class, painted in a rectangle of the image. */
typedef struct tilecut_stroke {
    size_t size;             /* sizeof(tilecut_stroke), or 0: see the top                   */
    int x, y, width, height; /* within the image                                            */
    int label;               /* TILECUT_FOREGROUND or TILECUT_BACKGROUND                    */
    size_t stride;           /* bytes from row to row of `painted`; 0: width                */
    const uint8_t *painted;  /* height rows of width bytes: nonzero where the stroke is     */
} tilecut_stroke;

/* Where a mask has changed: a rectangle that contains all changed pixels; without any, it has no pixels. Before the
 * call it is {0}, or has its size set. */
typedef struct tilecut_change {
    size_t size; /* the caller's: sizeof(tilecut_change), or 0, see the top */
    int x, y, width, height;
    int64_t pixels; /* that have changed */
} tilecut_change;

/* Makes `mask` the current mask of the session, in place of one that the session has solved: height rows of width
 * bytes, foreground where not 0; copied. What earlier strokes have taught is forgotten, and they cannot be undone any
 * more. Of `params` only mask_stride matters; NULL: rows are packed. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_begin(tilecut_session *session, const uint8_t *mask,
                                                 const tilecut_params *params);

/* Corrects the current mask, which is the last one that the session has returned or was given, by a stroke. The
 * painted pixels take the stroke's label and are seeds from now on. The change is nested: a foreground stroke only
 * adds foreground, a background stroke only removes it, and all changed pixels are connected to the stroke.
 * Everything else is held fixed, so the new mask is a certified minimum cut of the part that may change. How deep the
 * stroke lies in the wrong label tells how large the error is: where colours count, what lies more than twice as far
 * from the stroke changes at a cost, up to 4 nats a pixel from five times as far on, so that right parts are not taken
 * along. report->flow and report->cut are of that part alone, with this cost, in the quanta of the graph. The stroke's
 * colours are added to the colours learnt for its class and count a tenth of these; otherwise the model stays as it is
 * (see tilecut_session_learn()). The time is in proportion to the part of the image that is looked at: the surroundings
 * of the stroke and of what changes.
 *   params   NULL for all defaults; solver, threads, device, mask_stride and cancel matter
 *   mask     out, may be NULL: height rows of width bytes, all are written
 *   change   out, may be NULL
 *   report   out, may be NULL
 * Errors: EINVAL, also if there is no mask to correct, and as of tilecut_graph_solve(). The session is then as
 * before. */
TILECUT_API tilecut_status tilecut_session_stroke(tilecut_session *session, const tilecut_stroke *stroke,
                                                  const tilecut_params *params, uint8_t *mask, tilecut_change *change,
                                                  tilecut_report *report);

/* Learns the colour model anew from the current mask and the seeds, and solves the whole image. Only after this step
 * may the new mask both add and remove foreground. Errors as of tilecut_session_stroke(). */
TILECUT_API tilecut_status tilecut_session_learn(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                                 tilecut_change *change, tilecut_report *report);

/* Takes back the last stroke or learning step that has not been taken back yet. Mask, seeds and model are then what
 * they were before it, bit for bit. *undone, may be NULL: 1, or 0 if there was nothing to take back. Of `params` only
 * mask_stride matters; NULL: rows are packed. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_undo(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                                tilecut_change *change, int *undone);

/* ---- Soft edges ------------------------------------------------------------------------------ */

/* The values of a trimap, one byte per pixel. */
enum { TILECUT_MATTE_BACKGROUND = 0, TILECUT_MATTE_UNKNOWN = 128, TILECUT_MATTE_FOREGROUND = 255 };

/* Makes a trimap from a mask. Along the mask's edge, where the photo shows hair or blur, pixels are unknown.
 * Elsewhere, and on seeds, they are what the mask says.
 *   mask     width * height bytes: 0 background, else foreground
 *   seeds    NULL, or width * height labels as of tilecut_segment()
 *   threads  1 .. 256; 0: 1
 *   trimap   out, width * height bytes owned by the caller; untouched on failure
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte_band(const tilecut_image *image, const uint8_t *mask, const uint8_t *seeds,
                                              int threads, uint8_t *trimap);

/* The share of the object in each pixel, by closed-form matting (Levin, Lischinski & Weiss, PAMI 2008) helped by
 * sampled colours. The same bits for any number of threads.
 *   trimap   width * height bytes of the three above; both known values must occur
 *   alpha    out, width * height, 0 .. 65535, owned by the caller: exactly 0 and 65535 where the trimap knows;
 *            untouched on failure
 * Takes about 30 bytes a pixel and 200 more for each unknown pixel. Errors: EINVAL, ESEEDS, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte(const tilecut_image *image, const uint8_t *trimap, int threads,
                                         uint16_t *alpha);

/* The object's own colours (Germer et al., ICPR 2020). Where alpha is between 0 and 65535, the background's share is
 * taken out of the photo's colour; elsewhere the photo's colour is kept.
 *   alpha    of tilecut_matte(), or any other
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

/* The most nodes that solver takes; nodes are pixels after width and height are each rounded up to a multiple of 32. A
 * solver asked for by name refuses a larger grid (TILECUT_EINVAL); "auto" then takes another solver. 0 past the end. */
TILECUT_API int64_t tilecut_solver_nodes(int index);

/* The number of CUDA devices that this process can see; 0 also without CUDA or its driver. */
TILECUT_API int tilecut_cuda_devices(void);

/* TILECUT_OK if the CUDA device `index`, counted from 0, can be used by the solvers on a GPU. Its name is written to
 * `name`, at most `size` bytes with the final 0; `name` may be NULL. Errors: EINVAL (negative index), ENODEVICE (no
 * such device, or built without CUDA), EDEVICE. The first call wakes the device, which takes some tenths of a
 * second. */
TILECUT_API tilecut_status tilecut_cuda_device(int index, char *name, size_t size);

/* 1 if the CUDA solvers are in this build, else 0. Does not wake a device. */
TILECUT_API int tilecut_cuda_built(void);

#ifdef __cplusplus
}
#endif
#endif
