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
 * Re-entrant: there is no state but the per-thread sentence behind tilecut_error_detail(). The
 * library reads no files, prints nothing and never exits; a call takes less than 64 KB of stack, in the caller's thread
 * and in those it starts. All images are row-major, top row first.
 *
 * Structs that a caller fills begin with `size`, which is sizeof the struct where the caller was compiled; 0 stands for
 * the struct as the first release with this soname has it. A library that knows more fields reads no further than
 * that, takes the rest for zero, and writes no further. One that knows fewer fields refuses a struct with something
 * other than zero in what it does not know (TILECUT_EINVAL); of what it is to fill in it leaves that part alone. So set
 * every struct to {0}, then `size` where fields newer than that first release are used.
 *
 * Zero is a good value in every field: it means the default, or that there is none, as said beside the field.
 *
 * The mask minimises, exactly, the energy of Boykov & Jolly (ICCV 2001, eq. 1-3):
 *
 *     E(L) = sum_p D_p(L_p) + lambda * sum_{p~q} exp(-beta |I_p - I_q|^2) / dist(p,q) * [L_p != L_q]
 *
 * where D_p is how badly the colour of p fits a label (a model learnt from the seeds) and, weighted by
 * `spatial`, how p lies among the seeds; once every term is rounded to a whole number of quanta
 * (see tilecut_report.quantum). Of all minimum cuts it is the one with the least background, so every
 * solver, thread count and device returns the same mask bit for bit; and each run proves its answer: the
 * flow found equals the cost of the cut.
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

/* Width and height are at most this; there are no more bounds on their product but those of single solvers, see
 * tilecut_solver_nodes(), and of memory. */
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

/* Pixels owned by the caller, only read. Samples are 8-bit, or 16-bit in native byte order; of those `pixels` and
 * `stride` have to be even. All bytes up to the last row have to fit into memory: stride * height < SIZE_MAX / 2. */
typedef struct tilecut_image {
    size_t size;        /* sizeof(tilecut_image), or 0: see the top                        */
    int width, height;  /* 1 .. TILECUT_MAX_SIDE                                           */
    int channels;       /* 1 (grey) or 3 (red, green, blue; sRGB-encoded as in files)      */
    int depth;          /* 8 or 16 bits a sample                                           */
    size_t stride;      /* bytes from row to row; 0: width * channels * depth / 8          */
    const void *pixels;
} tilecut_image;

/* One byte per pixel in rows of width, tilecut_params.seeds_stride bytes apart. */
enum {
    TILECUT_UNKNOWN = 0,    /* to be decided                                                          */
    TILECUT_BACKGROUND = 1, /* hard background seed                                                   */
    TILECUT_FOREGROUND = 2, /* hard foreground seed                                                   */
    TILECUT_OUTSIDE = 3     /* background by a box: as hard. What is inside is then guessed at, and
                               improved on: see `iterations`. Strokes inside help that              */
};

/* A request to stop: all zero, it is not raised. Shared by those who raise it and by the calls that look at it, and
 * to be reached by these functions alone, which may be called at any time from any thread; raising and lowering are
 * safe in a signal handler too. */
typedef struct tilecut_flag {
    int raised;
} tilecut_flag;

TILECUT_API void tilecut_flag_raise(tilecut_flag *flag);
TILECUT_API void tilecut_flag_lower(tilecut_flag *flag);
TILECUT_API int tilecut_flag_raised(const tilecut_flag *flag); /* 1 or 0 */

/* In a field of tilecut_params that says so: without that term, where 0 would mean its default. */
#define TILECUT_NONE (-1)

/* `tilecut_params params = {0};` is a complete setup, that of the defaults. A value outside its range, or one that is
 * not a number, is refused with TILECUT_EINVAL by every function that takes these. */
typedef struct tilecut_params {
    size_t size;                /* sizeof(tilecut_params), or 0: see the top                          */
    const char *solver;         /* a tilecut_solver_name(); NULL or "auto": chosen from the graph     */
    const char *colors;         /* a tilecut_colors_name(); NULL: the first of them                   */
    double lambda;              /* weight of the boundary term, up to 1e12; 0: 50; TILECUT_NONE: 0    */
    double sigma;               /* contrast scale in 8-bit grey levels, 1e-3 to 1e6: beta = 1/(2 sigma^2);
                                   0: automatic, beta = 1/(2 <|I_p-I_q|^2>) (Rother et al. 2004)      */
    double data_weight;         /* factor on the colour terms D_p, up to 1e12; 0: 1                   */
    double spatial;             /* weight of the spatial term: which class's seeds are nearer, how far
                                   those of the foreground are for their length, whether the border of the
                                   image is near (docs/guide/quality.md); up to 1e12; 0: 2; TILECUT_NONE: 0.
                                   Without colours, and where a box gives a guess, there is none either */
    int connectivity;           /* 4 or 8 neighbours; 0: 4. Diagonal links weigh 1/sqrt(2)            */
    int iterations;             /* times at most that the colour model is learnt anew from the cut, and cut
                                   again (Rother et al. 2004), up to TILECUT_MAX_ITERATIONS; TILECUT_NONE
                                   or another negative number: none; 0: 5 where there is a box, 3 with
                                   strokes alone, above 120000 pixels in a smaller copy of the image. What
                                   is asked for is done in the image itself, too                      */
    int effort;                 /* 1: without a smaller copy, and in a box from one guess; 2: in a box from
                                   four, of which the one goes on that costs the least after two
                                   iterations; 3 or 0: then also without some of the colours of the
                                   foreground, where that comes to clearly less                       */
    int soft_seeds;             /* nonzero: seeds teach the colour model but do not bind their pixels;
                                   0: they bind                                                       */
    int islands;                /* nonzero: where strokes alone teach colours, foreground that hangs together
                                   with none of them is kept, too; 0: it is left out                   */
    int threads;                /* worker threads, 1 .. 256; 0: 1                                     */
    int device;                 /* for solvers on a GPU: which one, as CUDA counts those it may see, up
                                   from 0, the first. tilecut_segment_cuda() takes the one that has the
                                   data instead. The caller's current device is left as it is         */
    size_t seeds_stride;        /* bytes from row to row of the seeds that go with these; at least the width;
                                   0: the width. Other strides than that cost a copy, a byte a pixel  */
    size_t mask_stride;         /* the same of the mask; bytes between its rows are not written       */
    const uint8_t *wish;        /* NULL, or a mask that is wished for, in host memory: height rows of width
                                   bytes, the probability of foreground in 255ths. It is where learning
                                   begins, and soft evidence: seeds win against it, and so do edges near
                                   its own. No class has to be seeded then, and there is no spatial term */
    size_t wish_stride;         /* bytes from row to row of it; 0: the width                          */
    double wish_weight;         /* of that evidence, 10 pixels and more inside or outside, up to 1e12; 0: 2;
                                   TILECUT_NONE: 0                                                    */
    const tilecut_flag *cancel; /* NULL, or a flag that makes the call return TILECUT_ECANCELLED soon
                                   after it is raised                                                 */
} tilecut_params;

/* Fills in params, which has `size` bytes where it is compiled, with the defaults, as numbers where they are numbers,
 * so that one can begin from those. */
TILECUT_API void tilecut_params_init(tilecut_params *params, size_t size);

static inline tilecut_params tilecut_params_default(void)
{
    tilecut_params params;
    tilecut_params_init(&params, sizeof params);
    return params;
}

/* A moment at which the solver `hybrid` decided who goes on, and the figures it went by. Rates are in pixels
 * whose excess comes to rest, a millisecond, over what is left to do: of the GPU at its present pace, of the CPU
 * as expected. Reports hold several of these, so this struct never gets another field. */
typedef struct tilecut_decision {
    const char *next;           /* "cuda" or "cpu"; static storage                                      */
    const char *reason;         /* a phrase; static storage                                             */
    int rounds;                 /* of the GPU so far                                                    */
    int64_t active;             /* pixels with excess that may still reach a sink                       */
    double cuda_rate, cpu_rate; /* 0: not known yet                                                     */
    double threshold;           /* with so many active pixels and more, moving pays at these rates;
                                   infinite: it never does                                              */
    int64_t bytes;              /* that move, or would have to, there and back                          */
} tilecut_decision;

enum { TILECUT_DECISIONS = 16 };

/* What a run did; filled in on success, left alone on failure. It comes in as {0}, or with its size set. Times are
 * wall-clock milliseconds. */
typedef struct tilecut_report {
    size_t size;            /* the caller's: sizeof(tilecut_report), or 0, see the top                  */
    int64_t flow, cut;      /* maximum flow and cost of the returned cut, in quanta; equal if certified */
    int certified;          /* 1: feasible flow, flow == cut, canonical labels                          */
    double energy;          /* cut * quantum: E of the returned mask in the units of the model          */
    double quantum;         /* model units per capacity unit, a power of two                            */
    double lambda, beta;    /* as used; beta per squared 8-bit grey level                               */
    const char *solver;     /* as run ("auto" resolved); static storage                                 */
    const char *device;     /* "cpu" or "cuda", where that solver runs; static storage                   */
    int device_index;       /* of "cuda": which one; 0 of "cpu"                                         */
    const char *colors;     /* colour model, "none" without one; static storage                         */
    int connectivity, threads;
    int warm;               /* 1: went on from the flow of a solve before                               */
    int64_t foreground;     /* pixels of the mask that are foreground                                   */
    int64_t islands;        /* pixels of the minimum cut that are not, as they hang together with no stroke:
                               the mask is a minimum cut with them seeded as background                  */
    double model_ms;        /* contrast scale, tables, colour model                                     */
    double graph_ms;        /* capacities into the grid                                                 */
    double copy_ms;         /* to and from a device                                                     */
    double solve_ms;        /* maximum flow                                                             */
    double certify_ms;      /* canonical cut, certificate, mask                                         */
    double bytes_per_pixel; /* grid and solver together, over width * height                            */
    int iterations;         /* that were kept; tilecut_segment() and tilecut_graph_segment() only. Times are
                               sums over all, the rest is of the last that was kept                        */
    double iteration_energy[TILECUT_MAX_ITERATIONS + 1]; /* of the first mask and after each iteration, with the
                               cost that all masks share, so that they can be compared; they never rise where
                               no stroke teaches; 0 without iterations                                     */
    int decisions;          /* of `hybrid`, in order; of too many the first ones and the last             */
    tilecut_decision decision[TILECUT_DECISIONS];
} tilecut_report;

/* ---- Simple: one image, one call -------------------------------------------------------------- */

/* Cuts `image` along its seeds.
 *   seeds    height rows of width bytes, TILECUT_UNKNOWN and friends. Background of either kind must occur, and
 *            so must foreground, unless there is a box (TILECUT_OUTSIDE around TILECUT_UNKNOWN) and a colour
 *            model, which then begins with a guess; else TILECUT_ESEEDS
 *   params   NULL for all defaults
 *   mask     out, height rows of width bytes owned by the caller: 0 background, 255 foreground; untouched on
 *            failure
 *   report   out, may be NULL
 * Errors: EINVAL, ESEEDS, ENOMEM, ERANGE, ENODEVICE, EDEVICE, ECANCELLED, EUNPROVEN. */
TILECUT_API tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds,
                                           const tilecut_params *params, uint8_t *mask,
                                           tilecut_report *report);

/* The same for a caller whose data are on a GPU already: image->pixels, seeds and mask are memory of one device, and
 * `stream` is a cudaStream_t of it (NULL: the default stream), on which all work is ordered; it has come to its end
 * when the call returns. Colours are learnt on the CPU, for which pixels and seeds are copied there; with "none", 4
 * neighbours and a solver of the GPU nothing leaves the device. "auto" is "cuda". Without CUDA: ENODEVICE. */
TILECUT_API tilecut_status tilecut_segment_cuda(const tilecut_image *image, const uint8_t *seeds,
                                                const tilecut_params *params, uint8_t *mask, void *stream,
                                                tilecut_report *report);

/* ---- Stepwise and advanced: graphs ------------------------------------------------------------ */

/* A capacitated grid before it is solved. Opaque; it only describes where capacities come from (an
 * image or arrays, which must outlive it), so it is small. Not changed by solving. */
typedef struct tilecut_graph tilecut_graph;

/* Links leave a pixel in the four forward directions; the backward ones are the other end's. */
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

/* Both: `*graph` out, owned by the caller; NULL on failure. Seeds whose stride is not the width are copied. */
TILECUT_API tilecut_status tilecut_graph_create(tilecut_graph **graph, const tilecut_arrays *arrays);
TILECUT_API tilecut_status tilecut_graph_from_image(tilecut_graph **graph, const tilecut_image *image,
                                                    const uint8_t *seeds,
                                                    const tilecut_params *params);
TILECUT_API void tilecut_graph_destroy(tilecut_graph *graph); /* NULL is fine */

/* One row of capacities, in quanta, as in tilecut_arrays. The caller owns the arrays, each `width`
 * long; entries whose neighbour lies outside the image come out as 0, and so do diagonals of a
 * 4-connected graph. NULL where those of a kind are not wanted. */
typedef struct tilecut_row {
    size_t size; /* sizeof(tilecut_row), or 0: see the top */
    int32_t *source, *sink;
    int32_t *to[TILECUT_LINKS], *from[TILECUT_LINKS];
} tilecut_row;

/* Row `y`, 0 .. height - 1. Errors: EINVAL, ENOMEM; nothing is written then. */
TILECUT_API tilecut_status tilecut_graph_row(const tilecut_graph *graph, int y, const tilecut_row *row);
TILECUT_API void tilecut_graph_size(const tilecut_graph *graph, int *width, int *height,
                                    int *connectivity);

/* Model units per capacity unit, as in tilecut_report; 1 for a graph from arrays. */
TILECUT_API double tilecut_graph_quantum(const tilecut_graph *graph);

/* Solves `graph`. `params` as above (only solver, threads, device, mask_stride and cancel matter here), `mask` and
 * `report` as for tilecut_segment(); report->model_ms is what tilecut_graph_from_image() took. */
TILECUT_API tilecut_status tilecut_graph_solve(const tilecut_graph *graph,
                                               const tilecut_params *params, uint8_t *mask,
                                               tilecut_report *report);

/* Solves a graph from an image, params->iterations times learns its colour model anew and solves again, as long as
 * that lowers the energy. `graph` is left with the capacities of which `mask` is a minimum cut. */
TILECUT_API tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params,
                                                 uint8_t *mask, tilecut_report *report);

/* A maximum flow in arrays of width * height owned by the caller: what source -> p and p -> sink carry, and
 * the net flow from p to its neighbour k, negative when it goes the other way. to[2], to[3] are only written
 * with 8 neighbours, and entries whose neighbour lies outside the image are 0. */
typedef struct tilecut_flow {
    size_t size; /* sizeof(tilecut_flow), or 0: see the top */
    int32_t *source, *sink;
    int32_t *to[TILECUT_LINKS];
} tilecut_flow;

/* Solves `graph` as tilecut_graph_solve() does and tells the flow too. It takes longer: the cut needs no
 * flow in which all that enters a pixel leaves it, so what got stuck is led back to the source. */
TILECUT_API tilecut_status tilecut_graph_flow(const tilecut_graph *graph, const tilecut_params *params,
                                              uint8_t *mask, const tilecut_flow *flow,
                                              tilecut_report *report);

/* ---- Sessions: the same graph again, with other terminals ---------------------------------------- */

/* A graph and the flow of its last solve, so that it need not be solved from nothing when terminals change (Kohli
 * & Torr, ICCV 2005): seeds that move under a hand, costs that are learnt anew. Opaque; holds 20 to 32 bytes a
 * pixel (36 to 48 with 8 neighbours). For one thread at a time; sessions do not disturb each other. */
typedef struct tilecut_session tilecut_session;

/* `*session` out, owned by the caller; NULL on failure. `graph` must outlive the session, which alone may change it as
 * long as it lives; afterwards the graph has the seeds again that it was made with. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_create(tilecut_session **session, tilecut_graph *graph);
TILECUT_API void tilecut_session_destroy(tilecut_session *session); /* NULL is fine */

/* Other seeds for a graph from an image: height rows of width labels, copied. They bind from now on; colour model,
 * spatial term and quantum stay what the seeds at the graph's making have taught. (To learn anew, make another graph.)
 * `params`: only seeds_stride matters here; NULL: rows follow each other. Errors: EINVAL, ESEEDS, ENOMEM; all is as
 * before then. */
TILECUT_API tilecut_status tilecut_session_reseed(tilecut_session *session, const uint8_t *seeds,
                                                  const tilecut_params *params);

/* Solves the graph as it is now: the answer of tilecut_graph_solve(), mask, flow, certificate, with any solver on any
 * device, sooner. Of a graph from arrays the caller may have changed source[] and sink[] in place; beyond the bounds of
 * tilecut_arrays they are refused with TILECUT_ERANGE. If links are others too, it begins anew, as it does after a
 * failure: report->warm tells. "auto" is then what re-solves fastest. Errors as of tilecut_graph_solve(). */
TILECUT_API tilecut_status tilecut_session_solve(tilecut_session *session, const tilecut_params *params,
                                                 uint8_t *mask, tilecut_report *report);

/* A stroke of one class, painted in a rectangle of the image. */
typedef struct tilecut_stroke {
    size_t size;             /* sizeof(tilecut_stroke), or 0: see the top                   */
    int x, y, width, height; /* within the image                                            */
    int label;               /* TILECUT_FOREGROUND or TILECUT_BACKGROUND                    */
    size_t stride;           /* bytes from row to row of `painted`; 0: width                */
    const uint8_t *painted;  /* height rows of width bytes: painted where they are not 0    */
} tilecut_stroke;

/* Where a mask has changed: all of it lies in that rectangle, which has no pixels if nothing has. It comes in as {0},
 * or with its size set. */
typedef struct tilecut_change {
    size_t size; /* the caller's: sizeof(tilecut_change), or 0, see the top */
    int x, y, width, height;
    int64_t pixels;
} tilecut_change;

/* Begins from `mask`, height rows of width bytes, not 0: foreground, instead of from a mask that the session has
 * solved. Takes a copy; what strokes have taught is forgotten, and they cannot be undone. `params`: only mask_stride
 * matters; NULL: rows follow each other. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_begin(tilecut_session *session, const uint8_t *mask,
                                                 const tilecut_params *params);

/* Corrects the mask of the session, the last that it has handed out or begun with, by a stroke. What was painted takes
 * the stroke's label and is a seed from now on. Nested: a stroke of foreground only adds foreground, one of background
 * only takes it away, and what changes hangs together with the stroke. Everything else is held fixed, so that the new
 * mask is a minimum cut of what may change, which is certified; report->flow and report->cut are of that part alone,
 * the quanta those of the graph. The colours of the stroke are added to what its class has learnt, with a tenth of its
 * weight; otherwise the model stays as it is (tilecut_session_learn()). Takes a time in proportion to the part of the
 * image that it looks at: that around the stroke, and around what changes.
 *   params   NULL for all defaults; solver, threads, device, mask_stride and cancel matter
 *   mask     out, may be NULL: height rows of width bytes, all are written
 *   change   out, may be NULL
 *   report   out, may be NULL
 * Errors: EINVAL, also without a mask to correct, and as of tilecut_graph_solve(). The session is as before then. */
TILECUT_API tilecut_status tilecut_session_stroke(tilecut_session *session, const tilecut_stroke *stroke,
                                                  const tilecut_params *params, uint8_t *mask, tilecut_change *change,
                                                  tilecut_report *report);

/* Learns the colour model anew from the mask of the session and its seeds, and solves the whole image: the only step of
 * a session after which masks need not be nested. Errors as of tilecut_session_stroke(). */
TILECUT_API tilecut_status tilecut_session_learn(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                                 tilecut_change *change, tilecut_report *report);

/* Takes back the last stroke or lesson that has not been taken back: mask, seeds and model are what they were before
 * it, bit for bit. *undone, may be NULL: 1, or 0 if there was none. `params`: only mask_stride matters; NULL: rows
 * follow each other. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_session_undo(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                                tilecut_change *change, int *undone);

/* ---- Soft edges ------------------------------------------------------------------------------ */

/* Of a trimap, one byte a pixel. */
enum { TILECUT_MATTE_BACKGROUND = 0, TILECUT_MATTE_UNKNOWN = 128, TILECUT_MATTE_FOREGROUND = 255 };

/* A trimap for a mask: along its edge, where the photo says that hair or blur begins, pixels are unknown; elsewhere,
 * and on seeds, they are what the mask says.
 *   mask     width * height bytes: 0 background, else foreground
 *   seeds    NULL, or width * height labels as of tilecut_segment()
 *   threads  1 .. 256; 0: 1
 *   trimap   out, width * height bytes owned by the caller; untouched on failure
 * Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte_band(const tilecut_image *image, const uint8_t *mask, const uint8_t *seeds,
                                              int threads, uint8_t *trimap);

/* The share of each pixel that is object, by closed-form matting (Levin, Lischinski & Weiss, PAMI 2008) helped by
 * samples of colours. The same bits for any number of threads.
 *   trimap   width * height bytes of the three above; both known values must occur
 *   alpha    out, width * height, 0 .. 65535, owned by the caller: exactly 0 and 65535 where the trimap knows;
 *            untouched on failure
 * Takes about 30 bytes a pixel and 200 an unknown pixel. Errors: EINVAL, ESEEDS, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte(const tilecut_image *image, const uint8_t *trimap, int threads,
                                         uint16_t *alpha);

/* The object's own colours (Germer et al., ICPR 2020): where alpha is between 0 and 65535, the photo's without the
 * background's share; elsewhere the photo's.
 *   alpha    of tilecut_matte(), or any other
 *   colors   out, width * height * channels samples of the image's depth, packed, owned by the caller; untouched on
 *            failure
 * Takes about 55 bytes a pixel. Errors: EINVAL, ENOMEM. */
TILECUT_API tilecut_status tilecut_matte_colors(const tilecut_image *image, const uint16_t *alpha, int threads,
                                                void *colors);

/* ---- What is built in ------------------------------------------------------------------------- */

/* Row `index` of the tables of solvers and colour models: its name, and one line about it; NULL past
 * the end. Static storage. */
TILECUT_API const char *tilecut_solver_name(int index);
TILECUT_API const char *tilecut_solver_summary(int index);
TILECUT_API const char *tilecut_solver_device(int index); /* "cpu" or "cuda" */
TILECUT_API const char *tilecut_colors_name(int index);
TILECUT_API const char *tilecut_colors_summary(int index);

/* The most nodes that solver takes: pixels, once width and height are each rounded up to a multiple of 32. A solver
 * that is asked for by name refuses a larger grid (TILECUT_EINVAL), "auto" takes another. 0 past the end. */
TILECUT_API int64_t tilecut_solver_nodes(int index);

/* CUDA devices that can be seen, 0 .. ; 0 too without CUDA or its driver. */
TILECUT_API int tilecut_cuda_devices(void);

/* TILECUT_OK when CUDA device `index`, counted from 0, can be used by the solvers that want one; its name goes to
 * `name` (at most `size` bytes with the final 0; may be NULL). Else EINVAL (a negative index), ENODEVICE, also when
 * built without CUDA, or EDEVICE. The first call wakes the device, which takes some tenths of a second. */
TILECUT_API tilecut_status tilecut_cuda_device(int index, char *name, size_t size);

/* Whether the CUDA solvers are in this build: 1 or 0. Wakes nothing. */
TILECUT_API int tilecut_cuda_built(void);

#ifdef __cplusplus
}
#endif
#endif
