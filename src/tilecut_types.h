/* SPDX-License-Identifier: MIT
 *
 * tilecut_types.h - the types of the arguments and results in tilecut.h: statuses, images, seeds, parameters, reports.
 * tilecut.h includes this header, so programs need not.
 *
 * Structs that a caller fills begin with `size`: sizeof the struct, as the caller was compiled. 0 stands for the
 * struct's size in the first release with this soname. When library and caller differ in age:
 *   - A newer library reads and writes only `size` bytes, and treats fields that the caller does not have as zero.
 *   - An older library refuses the struct (TILECUT_EINVAL) if a field that it does not know is not zero. In a struct
 *     that it fills in, it does not change such fields.
 * So set every struct to {0}, and set `size` if you use fields newer than that first release.
 *
 * Zero is a valid value of every field. It means either the default or "there is none"; each field says which.
 */
#ifndef TILECUT_TYPES_H
#define TILECUT_TYPES_H

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
    TILECUT_OUTSIDE = 3     /* outside a box: hard background. But if colours are learnt, a side of the box that lies
                               within a hundredth of the image's width or height of the border is taken to be at the
                               border, if that width or height is at least 50. If that leaves less than a twenty-fifth
                               of the image outside and there is no foreground seed, these sides are moved to a
                               hundredth from the border instead. For a box around the whole image the outermost pixels
                               must be OUTSIDE. The foreground inside the box is first guessed and then improved, see
                               `iterations`; strokes inside help */
};

/* A request to stop a call. All zero means: not raised. The caller's threads and the library share it, so use only
 * these functions on it. They may be called at any time from any thread; raising and lowering are safe in a signal
 * handler, too. */
typedef struct tilecut_flag {
    int raised;
} tilecut_flag;

TILECUT_API void tilecut_flag_raise(tilecut_flag *flag); /* NULL is fine */
TILECUT_API void tilecut_flag_lower(tilecut_flag *flag); /* NULL is fine */
TILECUT_API int tilecut_flag_raised(const tilecut_flag *flag); /* returns 1 if raised, else 0; 0 for NULL */

/* The memory of pixels, seeds and mask: tilecut_params.where. */
enum {
    TILECUT_HOST = 0,
    TILECUT_HOST_SPARE = 1, /* pixels and seeds may be overwritten, to save memory with a large image. From 4 megapixels
                               on they are compressed while the solver works, and most of their pages are returned to
                               the system, which saves up to 4 bytes a pixel. When the call returns, the seeds are
                               restored; after a failure, so are the pixels. Pixels are compressed only if they have 8
                               bits a sample and packed rows. Nothing is compressed in a box, if iterations in the image
                               itself are requested, or if a GPU builds the graph */
    TILECUT_DEVICE = 2      /* memory of one CUDA device, which is used whatever params->device is. All work is ordered
                               on params->stream and complete when the call returns. With 4 neighbours, a GPU solver and
                               no prior mask, everything stays there, including colour models; otherwise pixels and
                               seeds are copied to the host. "auto" is "cuda". Without CUDA: ENODEVICE */
};

/* Turns a term off, in those fields of tilecut_params whose comments name it. In these fields 0 means the term's
 * default. */
#define TILECUT_NONE (-1)

/* `tilecut_params params = {0};` is a complete setup: all defaults. Every function that takes parameters refuses a
 * value outside its range, or one that is not a number, with TILECUT_EINVAL. */
typedef struct tilecut_params {
    size_t size;                /* sizeof(tilecut_params), or 0: see the top                          */
    const char *solver;         /* a tilecut_solver_name(); NULL or "auto": chosen from the graph     */
    const char *colors;         /* a tilecut_colors_name(); NULL: the first of them                   */
    double lambda;              /* weight of the boundary term, up to 1e12; TILECUT_NONE: 0. 0: 50; for a volume it is
                                   derived from the strokes, see tilecut_volume_segment() */
    double sigma;               /* contrast scale in 8-bit grey levels, 1e-3 to 1e6: beta = 1/(2 sigma^2);
                                   0: automatic, beta = 1/(2 <|I_p-I_q|^2>) (Rother et al. 2004)      */
    double data_weight;         /* factor on the colour terms D_p, up to 1e12; 0: 1                   */
    double spatial;             /* weight of the spatial term, up to 1e12; TILECUT_NONE: 0. 0: 2, or 3 if less than
                                   three tenths of the image are nearer to the foreground's seeds than to the
                                   background's, in a copy of at most about 40000 cells. The term depends on which
                                   class's seeds are nearer, on the distance to the foreground's seeds relative to their
                                   length, and on whether the border of the image is near (docs/guide/quality.md). Off
                                   without a colour model, and where a box makes the first guess */
    int connectivity;           /* 4 or 8 neighbours; 0: 4. Diagonal links weigh 1/sqrt(2)            */
    int iterations;             /* the most times that the colour model is learnt anew from the cut and the image is cut
                                   again (Rother et al. 2004), up to TILECUT_MAX_ITERATIONS. TILECUT_NONE or any
                                   negative number: none. 0: 5 with a box, 3 with strokes alone; above 120000 pixels
                                   these run only in a smaller copy of the image. Any other number also counts for
                                   iterations in the image itself */
    int effort;                 /* 1: no smaller copy, and one first guess. 2: four first guesses for a box, of which
                                   only the one with the least energy continues after two iterations; strokes alone
                                   start twice, once with all unseeded pixels as background, and the answer with less
                                   energy is taken. 3 or 0: like 2, and in a box also tries models without some of the
                                   foreground's colours, and takes one only if the energy falls clearly */
    int soft_seeds;             /* nonzero: the colour model is learnt from seeds, but their pixels may get another
                                   label; 0: seeds are fixed */
    int islands;                /* islands are foreground that is not connected to a stroke, if colours are learnt from
                                   strokes alone; or to the prior mask, if one is refined. nonzero: kept; 0: left out */
    int threads;                /* worker threads, 1 .. 256; 0: 1                                     */
    int device;                 /* for solvers on a GPU: the CUDA index of the device, from 0. The caller's current
                                   device does not change */
    int where;                  /* TILECUT_HOST or another value: where pixels, seeds and mask of tilecut_segment() lie.
                                   For all other functions they lie on the host */
    void *stream;               /* for TILECUT_DEVICE: a cudaStream_t of the device that holds them; NULL: its
                                   default stream                                                     */
    size_t seeds_stride;        /* bytes from row to row of the seeds passed with these parameters; at least
                                   the width; 0: the width. Other strides cost a copy, one byte a pixel */
    size_t mask_stride;         /* bytes from row to row of the mask; the bytes between rows are not written */
    const uint8_t *prior;        /* NULL, or a prior mask, in host memory: height rows of width bytes, each the
                                    probability of foreground in 255ths. Segmenting first refines it without strokes:
                                    its outline moves, by at most prior_reach, to where edges and the colours on its two
                                    sides fit best. If the outline lies on no edge, a new mask is learnt from the prior,
                                    and parts of it that lie on edges are taken (with a prior_weight of TILECUT_NONE all
                                    of it, and nothing else). Then strokes correct the result, each as
                                    tilecut_session_stroke() does, but with colours learnt from the refined mask and
                                    this stroke alone, and nothing changes beyond four times its depth in the wrong
                                    label, or beyond that depth if it is a line. Seeds of a label that touch each other
                                    are one stroke; of a label with more than 64 strokes that contradict the mask all
                                    count as one. Apart from that, one more foreground stroke only makes the mask grow,
                                    and one more background stroke only makes it shrink, in whatever order they were
                                    painted (not with soft_seeds). With a prior no class has to be seeded, and there is
                                    no spatial term */
    size_t prior_stride;         /* bytes from row to row of the prior mask; 0: the width. Without a prior: EINVAL */
    double prior_weight;         /* weight of the prior mask as evidence, up to 1e12; reached 10 pixels off its outline.
                                    0: 2; TILECUT_NONE: 0. Without a prior others than 2: EINVAL, except in sessions */
    const tilecut_flag *cancel; /* NULL, or a flag that makes the call return TILECUT_ECANCELLED soon
                                   after it is raised                                                 */
    double prior_reach;         /* how far, in pixels, the outline of the prior may be off at most; pixels farther from
                                   it keep their label. Up to 5000. 0: estimated from the mask: half a cell if it has a
                                   low resolution, more along straight pieces, and nothing if it follows its object
                                   pixel by pixel; then learnt parts are taken as well, see `prior`.
                                   A photo's prior that follows its object pixel by pixel, and lies on edges, moves no
                                   farther than with 0. Without a prior, or a label map to refine: EINVAL */
} tilecut_params;

/* Fills `params` with the defaults, as numbers wherever a default is a number, so that a caller can change single
 * fields. `size` is sizeof(tilecut_params) as the caller was compiled. */
TILECUT_API void tilecut_params_init(tilecut_params *params, size_t size);

static inline tilecut_params tilecut_params_default(void)
{
    tilecut_params params;
    tilecut_params_init(&params, sizeof params);
    return params;
}

/* One decision of the solver `hybrid` whether the GPU or the CPU continues, with its figures. A rate is the number of
 * pixels per millisecond whose excess reaches its end. The GPU's rate is the present one; the CPU's rate is the
 * expected mean over the work that is left. tilecut_decisions() fills an array of these, so this struct never gets
 * another field. */
typedef struct tilecut_decision {
    const char *next;           /* "cuda" or "cpu"; static storage                                      */
    const char *reason;         /* a phrase; static storage                                             */
    int rounds;                 /* number of rounds that the GPU has done so far                        */
    int64_t active;             /* pixels with excess that may still reach a sink                       */
    double cuda_rate, cpu_rate; /* 0: not known yet                                                     */
    double threshold;           /* the least number of active pixels for which moving to the GPU pays at these rates;
                                   infinite if it never pays */
    int64_t bytes;              /* bytes to copy for a move, there and back, whether or not it is made  */
} tilecut_decision;

enum { TILECUT_DECISIONS = 16 };

/* Figures about a run: set on success, not changed on failure. Before the call it must be {0}, or have its size set.
 * Times are wall-clock milliseconds. */
typedef struct tilecut_report {
    size_t size;            /* the caller's: sizeof(tilecut_report), or 0, see the top                  */
    int64_t flow, cut;      /* maximum flow and cost of the returned cut, in quanta; equal if certified */
    int certified;          /* 1: feasible flow, flow == cut, canonical labels                          */
    double energy;          /* cut * quantum: E of the returned mask in the units of the model          */
    double quantum;         /* model units per capacity unit, a power of two                            */
    double lambda, beta;    /* the values used; beta per squared 8-bit grey level                       */
    const char *solver;     /* the solver that ran ("auto" resolved); static storage                    */
    const char *device;     /* where that solver runs: "cpu" or "cuda"; static storage                   */
    int device_index;       /* CUDA index of the device; 0 on the CPU                                   */
    const char *colors;     /* colour model, "none" if there is none; static storage                    */
    int connectivity, threads;
    int warm;               /* 1: the solve started from the flow of an earlier solve                   */
    int64_t foreground;     /* number of foreground pixels in the mask                                  */
    int64_t islands;        /* number of pixels that are foreground in the minimum cut, but not in the mask, because
                               they are connected to no stroke. The mask is a minimum cut with these pixels seeded as
                               background. For a refined prior mask: number of pixels that were restored from it */
    double model_ms;        /* time for contrast scale, tables and colour model                         */
    double graph_ms;        /* time to write capacities into the grid                                   */
    double copy_ms;         /* time to copy to and from a device                                        */
    double solve_ms;        /* time to find the maximum flow                                            */
    double certify_ms;      /* time for canonical cut, certificate and mask                             */
    double bytes_per_pixel; /* the most memory that grid and solver may take, per pixel. Pages that the solver never
                               writes take no memory */
    int iterations;         /* number of iterations kept, only for tilecut_segment() and tilecut_graph_segment(). Times
                               are sums over all iterations; everything else is from the last iteration kept */
    double iteration_energy[TILECUT_MAX_ITERATIONS + 1]; /* energy of the first mask, and after each iteration. It
                                                            includes the cost that all masks share, so energies can be
                                                            compared. They never rise if no colours are learnt from
                                                            strokes; 0 without iterations */
    double low, high;       /* for a volume: the values that are black and white; for an image 0           */
    int64_t doubted;        /* for a refined prior mask: number of pixels by which a mask learnt from it would have
                               differed; that mask was rejected, and only the outline was moved. For a box alone that
                               shows no object: number of pixels of the ellipse in it, which is the mask. Otherwise
                               0 */
} tilecut_report;

#ifdef __cplusplus
}
#endif
#endif
